"""Count the rows that a part of `justesse noise` is about."""

from collections.abc import Mapping, Sequence
from typing import Any

from justesse.core.answer_policy import REFUSE, judged_by
from justesse.core.errors import InputError
from justesse.core.recording import remembered
from justesse.core.tally import Tally
from justesse.frames.costs import cost_table
from justesse.frames.count import count
from justesse.measures import MAIN_PER_CLASS, Measure, accuracy, averaged, error
from justesse.measures.cost import cost as cost_measure
from justesse.noise.label_noise_report import WEIGHTED
from justesse.verbs.options.answers import MissingOptions


def counted_rows(data: Any, axes: Sequence[str], options: Mapping[str, Any]) -> Tally:
    """Count the rows by these axes, whatever the data are."""
    return remembered("rows", _counted_rows, data, axes, options)


def _counted_rows(data: Any, axes: Sequence[str], options: Mapping[str, Any]) -> Tally:
    if isinstance(data, Tally):
        refuse_options(options)
    tally = judged_by(data, REFUSE)[0] if isinstance(data, Tally) else count(data, **options)
    if "true" in axes and "true" not in tally.axes:
        raise InputError(
            "This needs the true classes as well as the labels. Name their column with true=… (--true COL)."
        )
    if tally.weighted:
        raise InputError(WEIGHTED)
    return tally.marginal(*axes)


def refuse_options(options: Mapping[str, Any]) -> None:
    """Refuse options that would count rows in another way: a tally is counted already."""
    chosen = [
        name for name, value in options.items() if value not in (None, False, (), getattr(MissingOptions, name, None))
    ]
    if chosen:
        raise InputError(f"A Tally is already counted, so {chosen[0]} has no effect. Use it when you count the rows.")


def usual_measures(cost: Any, tally: Tally) -> list[Measure]:
    """List the measures of these parts, with the cost if there is a table of costs."""
    macro = [averaged(measure, "macro") for measure in MAIN_PER_CLASS]
    extra: list[Measure] = (
        []
        if cost is None
        else [cost_measure(remembered("costs", cost_table, cost, tally.classes, others=tally.others))]
    )
    return [accuracy, error, *extra, *MAIN_PER_CLASS, *macro]
