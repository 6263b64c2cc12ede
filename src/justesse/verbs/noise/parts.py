"""`justesse.noise_…`: what is known of wrong labels, and what they do to a measured value."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from justesse.core.answer_policy import REFUSE, AnswerPolicy, Missing, MissingLabels, Others, judged_by
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import CLUSTERS, merged
from justesse.core.printable import printable
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.version import SCHEMA, __version__
from justesse.frames.audited import count_audited
from justesse.frames.columns import guess_column, guess_label, has_column, has_prediction
from justesse.frames.costs import cost_table
from justesse.frames.count import count, count_axes, opened
from justesse.frames.joined import to_join
from justesse.frames.native import native_frame, write_table
from justesse.measures import MAIN_PER_CLASS, Measure, accuracy, averaged, error
from justesse.measures.cost import cost as cost_measure
from justesse.noise.bias import bias
from justesse.noise.bounds import bounds_from_rate
from justesse.noise.breakdown import breakdown
from justesse.noise.claim import Claim
from justesse.noise.clustered_rates import clustered_rates
from justesse.noise.counted import on_classes
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.profile import MEANING, profile
from justesse.noise.recheck import sample_warnings
from justesse.noise.transition import Transition, TransitionOf
from justesse.verbs.label_noise import known
from justesse.verbs.noise.words import breakdown_words, table_of

NO_TRUTH = "True classes are needed: a column (--true COL), or re-checked rows (--audited FILE --on id)"
SHOWN = 60  # objects listed in full


@dataclass(frozen=True, repr=False)
class NoiseFound:
    """What one part of `justesse noise` found: an answer in words, and a list named after the part."""

    part: str
    n: int
    answer: str
    found: tuple[dict[str, Any], ...]
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    source: Any = None

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": self.n,
            "answer": self.answer,
            self.part: list(self.found),
            **self.details,
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> Any:
        """Give the list as a data frame of the caller's kind."""
        return native_frame(table_of(self.found), like=self.source)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the list as a table: csv or parquet, by the ending."""
        return write_table(table_of(self.found), Path(path))

    def write_transition(self, path: str | os.PathLike[str]) -> Path:
        """Write the transition table as CSV, true classes down and labels across."""
        if Path(path).suffix.lower() != ".csv":
            raise OptionError(f"a transition table is written as .csv; got {os.fspath(path)!r}")
        names = [str(name) for name in self.details["classes"]]
        table = {(str(true), str(label)): size for true, label, size in self.details["transition"]}
        columns: dict[str, list[Any]] = {"true": names}
        columns |= {label: [table.get((true, label), 0) for true in names] for label in names}
        return write_table(columns, Path(path), exact=True)

    def __repr__(self) -> str:
        columns = {
            name: values for name, values in table_of(self.found).items() if any(value is not None for value in values)
        }
        shown = list(zip(*columns.values(), strict=True))[:SHOWN]
        rows = [list(columns), *([_cell(value) for value in row] for row in shown)]
        wide = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))] if rows[0] else []
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip() for row in rows]
        if len(self.found) > SHOWN:
            lines.append(f"The first {SHOWN} of {len(self.found)}; to_dict() and --json have all.")
        notes = [f"! {warning}" for warning in self.warnings]
        assumed = "; ".join(self.assumptions)
        that = "" if assumed.startswith("nothing") else "that "
        return "\n".join([self.answer, "", *lines, *notes, f"Assumes {that}{assumed}."])


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else printable(value)


def _counted(data: Any, axes: Sequence[str], options: Mapping[str, Any]) -> Tally:
    """Count the rows by these axes, whatever the data are."""
    if isinstance(data, Tally):
        _refuse_options(options)
    tally = judged_by(data, REFUSE)[0] if isinstance(data, Tally) else count(data, **{"others": "wrong", **options})
    if "true" in axes and "true" not in tally.axes:
        raise InputError("the true classes are needed beside the labels: name their column with true=… (--true COL)")
    if tally.weighted:
        raise InputError("what wrong labels do to weighted rows is not worked out; leave the weights out")
    return tally.marginal(*axes)


def _refuse_options(options: Mapping[str, Any]) -> None:
    given = [name for name, value in options.items() if value not in (None, False, ())]
    if given:
        raise InputError(f"a Tally is already counted, so {given[0]} cannot be chosen any more; count the rows with it")


def _usual(cost: Any, tally: Tally) -> list[Measure]:
    macro = [averaged(one, "macro") for one in MAIN_PER_CLASS]
    extra: list[Measure] = [] if cost is None else [cost_measure(cost_table(cost, tally.classes, others=tally.others))]
    return [accuracy, error, *extra, *MAIN_PER_CLASS, *macro]


def noise_bounds(
    data: Any = None,
    *,
    noise_rate: Any = None,
    transition: Any = None,
    transition_of: TransitionOf | None = None,
    cost: Any = None,
    **options: Any,
) -> NoiseFound:
    """Bound every measure when only the noise rate, or only the transition table, is known.

    `noise_rate` is 0.03 for at most 3 %, "0.01:0.05" for a range; `transition` a table of true classes (rows) and
    labels. The bounds hold for sure if what is known is so, and both ends can be reached where `sharp` says so; those of
    a table that was counted on a sample hold at the 95 % level. `transition_of="these"` declares that the table counts
    these very rows.
    Other options are those of `justesse.count`.

    >>> found = noise_bounds(Tally.from_dense([[45, 5], [10, 40]], ["a", "b"]), noise_rate=0.1)
    >>> found.found[0]["low"], found.found[0]["high"], found.found[0]["sharp"]
    (0.75, 0.95, True)
    """
    tally = _counted(data, ("label", "prediction"), options)
    given = known(tally.named_classes, noise_rate=noise_rate, transition=transition, transition_of=transition_of)
    if (given.rate is None) == (given.transition is None):
        raise OptionError(
            "bounds need one of a noise rate (--noise-rate 0.03) and a transition table (--transition t.csv)"
        )
    if given.transition:
        tally = on_classes(tally, given.transition.classes, what="the transition table")
    measures = _usual(cost, tally)
    rung = (
        bounds_from_rate(tally, measures, given.rate) if given.rate
        else bounds_from_counted(tally, measures, given.transition)  # type: ignore[arg-type]
    )  # fmt: skip
    first = rung.found[0]
    answer = (
        f"The measured accuracy is {first.apparent:.4f}; the true one lies between {first.low:.4f} and {first.high:.4f} "
        f"if {first.assumption}."
    )
    listed = tuple(one.to_dict() for one in rung.found)
    return NoiseFound("bounds", tally.n, answer, listed, rung.assumptions, rung.warnings, source=data)


def noise_breakdown(data: Any = None, *, claim: str | Sequence[str] | None = None, **options: Any) -> NoiseFound:
    """Say how many wrong labels it would take to break a claim, such as "accuracy>=0.9"; several are taken in turn.

    Without a claim: that accuracy is above the share of the most frequent label.

    >>> noise_breakdown(Tally.from_dense([[45, 5], [10, 40]], ["a", "b"]), claim="accuracy>=0.8").found[0]["rate"]
    0.06
    """
    tally = _counted(data, ("label", "prediction"), options)
    claims = [claim] if isinstance(claim, str) else list(claim or [])
    found = [breakdown(tally, Claim.parse(one)) for one in claims] or [breakdown(tally)]
    answer = " ".join(breakdown_words(one, default=not claims) for one in found)
    rung = found[0].rung
    listed = tuple(one.to_dict() for one in found)
    return NoiseFound("breakdown", tally.n, answer, listed, rung.assumptions, rung.warnings, source=data)


def noise_bias(data: Any = None, *, cost: Any = None, **options: Any) -> NoiseFound:
    """Say how far wrong labels moved each measure, where the true classes are known: apparent minus true, exactly.

    >>> cells = [("a", "a", "a", 60), ("a", "b", "b", 8), ("b", "a", "b", 12), ("b", "b", "b", 20)]
    >>> round(noise_bias(Tally.of(["true", "label", "prediction"], cells)).found[0]["bias"], 2)
    -0.04
    """
    tally = _counted(data, ("label", "prediction", "true"), options)
    found = bias(tally, _usual(cost, tally))
    first = found[0]
    moved = "" if first.bias == 0 else f", {abs(first.bias):.4f} {'above' if first.bias > 0 else 'below'} the true one"
    answer = f"The measured accuracy is {first.apparent:.4f}{moved} ({first.true:.4f})."
    listed = tuple(one.to_dict() for one in found)
    assumptions = ("the true classes are right",)
    return NoiseFound("bias", tally.n, answer, listed, assumptions, source=data)


def noise_profile(
    data: Any = None, *, level: float = 0.95, alternative: Alternative = "two-sided", **options: Any
) -> NoiseFound:
    """Say what a classifier did with wrong labels, where the true classes are known: F_c, F_n and F_r.

    >>> cells = [("a", "a", "a", 60), ("a", "b", "b", 8), ("b", "a", "b", 12), ("b", "b", "b", 20)]
    >>> noise_profile(Tally.of(["true", "label", "prediction"], cells)).found[1]["value"]
    0.4
    """
    tally = _counted(data, ("label", "prediction", "true"), options)
    found = profile(tally, level=level, alternative=alternative)
    whole = {one.name: one for one in found[:3]}
    said = [
        f"{MEANING[name].capitalize()}: {'undefined' if math.isnan(one.value) else f'{100 * one.value:.1f} %'} ({name}, n = {one.n:,.0f})."
        for name, one in whole.items()
    ]
    listed = tuple(one.to_dict() for one in found)
    assumptions = ("the true classes are right", "the rows are independent draws from the population of interest")
    return NoiseFound("profile", tally.n, " ".join(said), listed, assumptions, source=data)


def noise_estimate(
    data: Any = None,
    *,
    label: str | None = None,
    true: str | None = None,
    prediction: str | None = None,
    audited: Any = None,
    on: str | None = None,
    cluster: str | None = None,
    classes: Sequence[ClassName] | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = "wrong",
) -> NoiseFound:
    """Say how many labels are wrong, and which are written for which, from true classes or a re-checked random sample.

    Either `true` names a column of true classes, or `audited` is a file of re-checked rows found by `on`; then the
    rates are extrapolated to the whole set, and whether the sample looks random is checked by the labels and, if there
    are any, the predictions. `details["transition"]` lists the transition table, counts of true classes and labels;
    `write_transition` writes it in the form that `--transition` takes. `cluster` names the column of the item that was
    answered, if items were answered several times: intervals then allow for answers to one item being alike.

    >>> cells = [("cat", "cat", 45), ("cat", "dog", 5), ("dog", "cat", 2), ("dog", "dog", 48)]
    >>> found = noise_estimate(Tally.of(["true", "label"], cells))
    >>> round(found.found[0]["value"], 2), found.details["transition"][1]
    (0.07, ['cat', 'dog', 5])
    """
    policy = AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing)
    check: dict[str, Any] = {"classes": classes, "as_text": as_text, "policy": policy}
    whole = None
    if cluster is not None and (audited is not None or isinstance(data, Tally)):
        raise OptionError(
            "cluster (--cluster) names a column of rows with true classes; it is not worked out for re-checked samples "
            "(--audited) or tallies"
        )
    if audited is not None:
        if true is not None:
            raise OptionError(
                "the true classes come from a column (--true) or from re-checked rows (--audited): give one"
            )
        whole, sample = _audited(data, label, prediction, audited, on, check)
    elif on is not None:
        raise OptionError("on names the id of re-checked rows: give them with audited=… (--audited)")
    elif isinstance(data, Tally):
        _refuse_options({"label": label, "true": true, "prediction": prediction, "classes": classes})
        sample = data
        if "true" not in sample.axes:
            raise InputError(NO_TRUTH)
    else:
        sample = _pairs(data, label, true, cluster, **check)
    pairs = sample.marginal("true", "label")
    if whole:
        pairs = on_classes(pairs, merged(whole.classes, pairs.classes), what="the list of classes")
    sides: dict[str, Any] = {"level": level, "alternative": alternative}
    assumptions = ["the true classes are right"]
    if cluster is None:
        found = Transition.from_tally(pairs).rates(population=whole.n if whole else None, **sides)
    else:
        found, many = clustered_rates(sample, **sides)
        assumptions.append(f"the {many:,} clusters by {cluster!r} are independent, the rows of one need not be")
    warnings = []
    said = f"{100 * found[0].value:.2f} % of {whole.n if whole else pairs.n:,} labels are wrong"
    if found[0].interval:
        said += (
            f" ({100 * level:g} % interval {100 * found[0].interval.low:.2f} to {100 * found[0].interval.high:.2f} %)"
        )
    if whole:
        said += f", going by the {pairs.n:,} that were re-checked"
        assumptions.append("the re-checked rows are a random sample of all rows")
        warnings = sample_warnings(whole, sample)
    return NoiseFound(
        "estimate",
        whole.n if whole else pairs.n,
        f"{said}.",
        tuple(one.to_dict() for one in found),
        tuple(assumptions),
        tuple(warnings),
        details={"transition": pairs.cells(), "classes": list(pairs.classes)},
        source=data,
    )


def _audited(
    data: Any, label: str | None, prediction: str | None, audited: Any, on: str | None, check: Mapping[str, Any]
) -> tuple[Tally, Tally]:
    """Count all rows and the re-checked ones by label and, if there is one, prediction."""
    if data is None or isinstance(data, Tally):
        raise InputError("re-checked rows are joined to the data by their id: give the data as a path or a frame")
    tables = to_join(data)
    first = tables[0]
    axes = {"label": guess_label(first.columns, first.name, label)}
    if has_prediction(first.columns, first.name, prediction):
        axes["prediction"] = guess_column("prediction", first.columns, first.name, prediction)
    gaps = {name: check[name] for name in ("policy", "as_text")}
    return count_axes(tables, axes, **check)[0], count_audited(tables, axes, audited, on=on, **gaps)


def _pairs(data: Any, label: str | None, true: str | None, cluster: str | None, **options: Any) -> Tally:
    """Count true classes and labels, by cluster if there are any; no prediction is needed for that."""
    tables = opened(data)
    first = tables[0]
    if true is None and not has_column("true", first.columns, first.name):
        raise InputError(f"{first.name} has no column 'true'. {NO_TRUTH}")
    axes = {
        "true": guess_column("true", first.columns, first.name, true),
        "label": guess_label(first.columns, first.name, label),
    }
    if axes["true"] == axes["label"]:
        raise InputError(f"column {axes['true']!r} of {first.name} cannot be both the label and the true class")
    if cluster is None:
        return count_axes(tables, axes, **options)[0]
    if cluster not in first.columns or cluster in axes.values():
        raise InputError(
            f"column {cluster!r} of {first.name} cannot name the clusters; the columns are {', '.join(first.columns)}"
        )
    return count_axes(tables, {**axes, CLUSTERS: cluster}, texts=(cluster,), **options)[0]
