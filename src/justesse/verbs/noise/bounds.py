"""`justesse.noise_bounds`: what every measure can be if only the noise rate or the transition table is known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from justesse.core.choices import Missing, MissingLabels, Others, TransitionOf
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate
from justesse.measures import accuracy
from justesse.noise.bounds import Bounds, bounds_from_rate
from justesse.noise.counted import on_classes
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.value_band import SHORTEST, Band, value_band
from justesse.report.document import Column, Figure, KeyFigure, Part, Section, Table
from justesse.report.writing import Message, message
from justesse.verbs.label_knowledge import label_knowledge
from justesse.verbs.noise.class_table import class_table, overall, title
from justesse.verbs.noise.counted_rows import counted_rows, usual_measures
from justesse.verbs.noise.noise_result import NoiseResult
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.recorded import recorded

LOOSE = "* The true value lies within these bounds, but they may be wider than necessary."
SAMPLED = "* These bounds hold at the 95 % level, because the transition table was counted on a sample."


@dataclass(frozen=True, repr=False)
class NoiseBounds(NoiseResult):
    """Lowest and highest true value of every measure."""

    part: ClassVar[str] = "bounds"
    title: ClassVar[str] = "Bounds on the true measures"
    band: Band = ()
    rate: tuple[float, float] | None = None

    def sections(self) -> list[Section]:
        whole = overall(self.figures)
        head: list[str | Column] = ["measure", Column("measured", "value"), Column("true value", "bounds")]
        rows = [[title(bounds), bounds.apparent, bounds] for bounds in whole]
        star = LOOSE if self.rate else SAMPLED
        parts: list[Part] = [Figure(self._draw)] if self.band else []
        parts.append(Table("All classes", head, rows, _note(whole, star)))
        sections = [Section("bounds", "Bounds", parts, "headline")]
        table = class_table(
            "Each class: measured (bounds)", self.figures, "measured_bounds",
            first=lambda bounds: bounds.low, order="Lowest possible F1 first",
            note=_note([bounds for bounds in self.figures if bounds.class_name is not None], star),
        )  # fmt: skip
        return [*sections, *([Section("classes", "Each class", [table], "summary")] if table else [])]

    def key_figures(self) -> list[KeyFigure]:
        first: Bounds = self.figures[0]
        ends = [("Lowest possible true accuracy", first.low), ("Highest possible true accuracy", first.high)]
        note = str(message("if {assumption}", assumption=first.assumption))
        return [KeyFigure(name, Estimate(first.name, end, self.n), "share", note) for name, end in ends]

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return {"noise": self._draw} if self.band else {}

    def _draw(self) -> Any:
        from justesse import charts

        first: Bounds = self.figures[0]
        return charts.noise_band_chart(self.band, Estimate(first.name, first.apparent, self.n), rate=self.rate)


def _note(figures: Sequence[Bounds], star: str) -> str:
    """Explain the star, if there is one."""
    return star if any(not bounds.sharp for bounds in figures) else ""


@recorded
def noise_bounds(
    data: Any = None,
    *,
    label: Any = None,
    prediction: Any = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    cost: Any = None,
    noise_rate: Any = None,
    transition: Any = None,
    transition_of: TransitionOf | None = None,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
    drop_missing: bool = False,
    **options: Any,
) -> NoiseBounds:
    """Bound every measure when only the noise rate, or only the transition table, is known.

    Parameters
    ----------
    data
        Path, data frame, dict of arrays or `Tally` with labels and predictions.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    cost
        CSV table of the cost of each prediction (columns) for each true class (rows): adds the mean cost.
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %. Default: not known.
    transition
        CSV table of true classes (rows) by labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the transition table come from: a random sample, or exactly these rows. Default: sample.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    drop_missing
        Old name of `missing="drop"`.
    **options
        Other options of `justesse.count`, such as `any_of`.

    Notes
    -----
    The bounds hold for certain if the rate or the table is right. `sharp` says whether both ends can be reached. Bounds
    from a table that was counted on a sample hold at the 95 % level.

    Examples
    --------
    >>> from justesse import Tally
    >>> bounds = noise_bounds(Tally.from_dense([[45, 5], [10, 40]], ["a", "b"]), noise_rate=0.1)
    >>> bounds.rows[0]["low"], bounds.rows[0]["high"], bounds.rows[0]["sharp"]
    (0.75, 0.95, True)
    """
    tally = counted_rows(
        data, ("label", "prediction"),
        {
            "label": label, "prediction": prediction, "classes": classes, "as_text": as_text, "missing": missing,
            "missing_labels": missing_labels, "others": others, "drop_missing": drop_missing, **options,
        },
    )  # fmt: skip
    knowledge = label_knowledge(
        tally.named_classes, noise_rate=noise_rate, transition=transition, transition_of=transition_of
    )
    if (knowledge.rate is None) == (knowledge.transition is None):
        raise OptionError(
            "Bounds need either a noise rate (--noise-rate 0.03) or a transition table (--transition t.csv)."
        )
    if knowledge.transition:
        tally = on_classes(tally, knowledge.transition.classes, what="the transition table")
    measures = usual_measures(cost, tally)
    rung = (
        bounds_from_rate(tally, measures, knowledge.rate) if knowledge.rate
        else bounds_from_counted(tally, measures, knowledge.transition)  # type: ignore[arg-type]
    )  # fmt: skip
    band: Band = ()
    if knowledge.rate:
        band = value_band(tally, accuracy, reach=min(1.0, max(SHORTEST, 1.5 * knowledge.rate[1])))
    return NoiseBounds(
        tally.n, str(_answer(rung.figures[0])), rung.figures, rung.assumptions, rung.warnings,
        source=data, band=band, rate=knowledge.rate,
    )  # fmt: skip


def _answer(bounds: Bounds) -> Message:
    return message(
        "The true accuracy is between {low:share} and {high:share}, if {assumption}. "
        "Against the labels it is {apparent:share} (n = {n:count}).",
        low=bounds.low, high=bounds.high, assumption=bounds.assumption, apparent=bounds.apparent, n=bounds.n,
    )  # fmt: skip
