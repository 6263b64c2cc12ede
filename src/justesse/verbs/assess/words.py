"""An assessment in words and in rows of words."""

from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.judges.words import ends, p_words
from justesse.significance.multiplicity import simultaneous_level
from justesse.verbs.words import interval_words, percent

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment

BESIDE = ("accuracy", "balanced_accuracy", "f1", "mcc")  # measures of the short table
BASELINES = {"majority": "always {}", "frequency": "guess by frequency", "uniform": "guess any class"}


def headline(found: "Assessment") -> str:
    """Say how right the best is, what that is worth, and which others cannot be told from it."""
    best, n, level = found.best, found.found.n, f"{100 * found.plan.level:g} %"
    right, naive = found.measures[best]["accuracy"], found.baselines[0]
    of = "" if found.plan.measure == "accuracy" else f" by {found.plan.measure}"
    lead = (
        f"The best of {len(found.models)} models{of}, {best},"
        if len(found.models) > 1
        else f"{best[:1].upper()}{best[1:]}"
    )
    said = [f"{lead} is right on {percent(right.value, n)} of rows it was not trained on"]
    if right.interval:
        said[0] += f" ({level} interval {percent(right.interval.low, n)} to {percent(right.interval.high, n)})"
    said[0] += f": {found.procedure}, {n:,} rows."
    said.append(
        f"Always answering {naive.class_name!r} would be right on {percent(naive.measures[0].value, n)}"
        + (
            ", which the interval does not exclude."
            if right.interval and right.interval.low <= naive.measures[0].value
            else "."
        )
    )
    if found.luck and found.luck.best == best:
        left = percent(found.luck.corrected.value, n)
        said.append(f"Once the luck of being the best of {found.luck.tried} is taken off, {left} are left.")
    of_best = [one for one in found.pairs if best in (one.better, one.worse) and not one.told_apart]
    alike = [one.worse if one.better == best else one.better for one in of_best]
    behind = [one.worse for one in found.pairs if one.better == best and one.told_apart]
    if behind:
        said.append(f"It is better than {_listed(behind)}.")
    if alike:
        said.append(f"It cannot be told from {_listed(alike)}.")
    return " ".join(said)


def remarks(found: "Assessment") -> list[str]:
    """Gather what to be careful about."""
    said = list(found.warnings)
    for name, one in found.scored.items():
        said += [f"{name}: {warning}" for warning in one.warnings]
        reasons = dict.fromkeys(fit.failure for fit in found.found.fits[name] if fit.failure)
        said += [f"{name} failed: {reason}" for reason in list(reasons)[:3]]
        if not found.found.answered(name):
            said.append(f"{name} failed in every split: it has no figures.")
    said += _without_interval(found)
    if found.pairs:
        many = len(found.pairs)
        said += [
            f"All {many} pairs are compared: intervals of differences are widened to {100 * simultaneous_level(found.plan.level, many):.4g} % each, so that all hold together, and p-values are adjusted (Holm)."
        ] * (many > 1)
    if found.anova:
        said += list(found.anova.warnings)
    if found.selections and found.plan.group:
        said.append("Searches choose within folds that do not keep groups together; the outer figure does.")
    return list(dict.fromkeys(said))


def _without_interval(found: "Assessment") -> list[str]:
    """Say of what there is no interval, and why, where a table has room for a dash alone."""
    reasons: dict[str, list[str]] = {}
    for name, own in found.measures.items():
        one = own["accuracy"]
        if found.found.answered(name) and one.interval is None and one.undefined:
            reasons.setdefault(one.undefined, []).append(f"the accuracy of {name}")
    for pair in found.pairs:
        if pair.difference.interval is None and pair.difference.undefined:
            reasons.setdefault(pair.difference.undefined, []).append(f"{pair.better} over {pair.worse}")
    return [
        f"Without an interval: {_listed(names)} ({reason.removeprefix('no interval: ')})."
        for reason, names in reasons.items()
    ]


def choice_words(found: "Assessment") -> list[str]:
    """Say what choosing is worth: among the models, and within every search."""
    said = [found.luck.words] if found.luck else []
    for name, one in found.selections.items():
        itself = f" On all rows, not nested, the search says {one.non_nested:.4g} of its winner." * (
            one.non_nested == one.non_nested
        )
        said.append(f"{name}: {one.words}{itself}")
    return said


def model_rows(found: "Assessment") -> list[tuple[str, ...]]:
    """Lay out the short table: a heading, a row for each model from the best, then the baselines."""
    level = f"{100 * found.plan.level:g} % interval"
    rows: list[tuple[str, ...]] = [
        ("model", "accuracy", level, "balanced", "macro f1", "mcc", "train error", "test error")
    ]
    for name in [*found.ranked, *(name for name in found.models if name not in found.ranked)]:
        own, scored = found.measures[name], found.scored[name]
        first, *others = (own[title] for title in BESIDE)
        errors = (
            f"{error:.4f}" if error == error else "undefined" for error in (scored.train_error, scored.test_error)
        )
        rows.append((name, _number(first), _interval(first), *map(_number, others), *errors))
    for one in found.baselines:
        by_name = {(estimate.name, estimate.average): estimate for estimate in one.measures}
        cells = [
            by_name["accuracy", None],
            by_name["balanced_accuracy", None],
            by_name["f1", "macro"],
            by_name["mcc", None],
        ]
        title = BASELINES[one.name].format(repr(one.class_name))
        rows.append((title, _number(cells[0]), "–", *map(_number, cells[1:]), "–", "–"))
    return rows


def pair_rows(found: "Assessment") -> list[tuple[str, ...]]:
    """Lay out the differences of all pairs."""
    level = 100 * simultaneous_level(found.plan.level, len(found.pairs))
    rows: list[tuple[str, ...]] = [
        ("pair", f"{found.plan.measure} difference", f"{level:.4g} % interval", "test", "p", "p (Holm)")
    ]
    for one in found.pairs:
        width = ends(one.difference.interval) if one.difference.interval else "–"
        rows.append(
            (
                f"{one.better} over {one.worse}",
                _signed(one.difference.value),
                width,
                one.outcome.test,
                p_words(one.outcome.pvalue),
                p_words(one.adjusted_pvalue),
            )
        )
    return rows


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _number(one: Estimate) -> str:
    return "undefined" if one.value != one.value else f"{round(one.value, 4) + 0.0:.4f}"


def _interval(one: Estimate) -> str:
    return interval_words(one) if one.interval else "–"


def _signed(value: float) -> str:
    """Write a difference with its sign; rounding makes no minus of nothing.

    >>> _signed(-1e-9), _signed(float("nan"))
    ('+0.0000', 'undefined')
    """
    return "undefined" if value != value else f"{round(value, 4) + 0.0:+.4f}"


def class_rows(found: "Assessment", model: str) -> list[tuple[str, ...]]:
    """Lay out precision, recall and F1 of each class of a model, each with its interval."""
    names = list(dict.fromkeys(one.name for one in found.classes[model]))
    rows: list[tuple[str, ...]] = [("class", *(word for name in names for word in (name, "interval")))]
    for class_name in found.found.data.classes or ():
        own = [one for one in found.classes[model] if one.class_name == class_name]
        cells = (word for one in own for word in (_number(one), _interval(one)))
        rows.append((str(class_name), *cells))
    return rows


def bootstrap_rows(found: "Assessment") -> list[tuple[str, ...]]:
    """Lay out the three errors of the bootstrap beside that on the rows trained on."""
    rows: list[tuple[str, ...]] = [("model", "out of bag", ".632", ".632+", "interval of .632+", "resubstitution")]
    for name, one in found.bootstrap.items():
        three = (_number(one.out_of_bag), _number(one.e632), _number(one.e632_plus))
        rows.append((name, *three, _interval(one.e632_plus), f"{one.resubstitution:.4f}"))
    return rows
