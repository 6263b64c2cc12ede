"""The measures of one evaluation: those that always come, and those asked for by beta, cost and class weights."""

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from justesse.core.recording import remembered
from justesse.core.results import Average
from justesse.core.tally import Tally
from justesse.measures import HEADLINE, OVERALL, PER_CLASS, Measure, accuracy, averaged, error, fbeta
from justesse.measures.class_weighted_error import class_weighted_error
from justesse.measures.cost import Cost
from justesse.measures.cost import cost as cost_measure


@dataclass(frozen=True)
class AskedMeasures:
    """All measures of an evaluation, those that are also computed for baselines, and the cost matrix, if any."""

    all: tuple[Measure, ...]
    overall: tuple[Measure, ...]
    costs: Any = None


def asked_measures(tally: Tally, *, beta: float, cost: Any, class_weight: Any, by_class: bool = True) -> AskedMeasures:
    """Return the measures for the classes of a tally; if rows are just right or wrong (`by_class`), only shares of rows."""
    extras: list[Measure] = []
    if cost is not None:
        from justesse.frames.costs import cost_table

        extras.append(cost_measure(remembered("costs", cost_table, cost, tally.classes, others=tally.others)))
    if class_weight is not None:
        from justesse.frames.costs import class_weight_list

        weights = np.zeros(len(tally.classes))  # no row is labelled by an answer outside the classes
        weights[tally.judged] = remembered("class weights", class_weight_list, class_weight, tally.named_classes)
        extras.append(class_weighted_error(weights))
    if not by_class:
        whole = (accuracy, error)
        return AskedMeasures(all=(*whole, *extras), overall=(*whole, *extras))
    per_class = (*PER_CLASS, *([fbeta(beta)] if beta != 1 else []))
    averages = [averaged(measure, how) for measure in per_class for how in get_args(Average)]
    return AskedMeasures(
        all=(*OVERALL, *extras, *averages, *per_class),
        overall=(*OVERALL, *(measure for measure in HEADLINE if measure.average), *extras),
        costs=next((measure.costs for measure in extras if isinstance(measure, Cost)), None),
    )
