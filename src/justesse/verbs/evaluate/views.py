"""The same rows seen otherwise: by slice, and against the true classes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from justesse.core.answer_policy import outside_labels
from justesse.core.levels import CLUSTERS, merged
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.count import Counted
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import Measure
from justesse.measures import accuracy as accuracy_measure
from justesse.measures import error as error_measure
from justesse.procedures.baselines import baselines
from justesse.verbs.evaluate.evaluation import Slice, Truth


def accepted_rows(rows: Counted, axis: str) -> Mapping[ClassName, float] | None:
    """Return how many rows accept each class, if some accept several."""
    return rows.gaps.accepted[axis] if rows.gaps.several.get(axis) else None


def with_clusters(tally: Tally, *axes: str) -> Tally:
    """Count by these axes, and by cluster if rows come in clusters."""
    return tally.marginal(*axes, *((CLUSTERS,) if CLUSTERS in tally.axes else ()))


def slices_of(rows: Counted, measures: Sequence[Measure], confidence: Confidence, *, declared: bool) -> list[Slice]:
    """Evaluate each slice like a data set of its own: averages are over the classes of its own labels."""
    slices = []
    parts = [
        (column, name, with_clusters(rows.tally, "label", "prediction", axis).select(**{axis: name}))
        for axis, column in rows.roles.slices.items()
        for name in rows.tally.levels[rows.tally.axis(axis)]
    ]
    cells = sum(len(part.codes) for _, _, part in parts)
    own_classes = not declared and rows.gaps.policy.others == "wrong"
    for column, name, part in parts:
        if own_classes:
            part = replace(part, others=merged(part.others, outside_labels(part)))
        occurring = {part.classes[code] for code in np.unique(part.codes[:, :2])} | {None}
        estimates = [item for item in estimate(part, measures, confidence, cells=cells) if item.class_name in occurring]
        slices.append(Slice(column, name, part.n, tuple(estimates)))
    return slices


def against_truth(rows: Counted, measures: Sequence[Measure], confidence: Confidence) -> Truth | None:
    """Score against the true classes too, where they are known, and say how often the labels are wrong."""
    tally = rows.tally
    if "true" not in tally.axes:
        return None
    against = with_clusters(tally, "true", "prediction").renamed(true="label")
    labels = with_clusters(tally, "true", "label").renamed(true="label", label="prediction")
    wrong = estimate(labels, [error_measure], confidence)[0]
    majority = baselines(against, [accuracy_measure], confidence, accepted_rows(rows, "true"))[0]
    return Truth(wrong, tuple(estimate(against, measures, confidence)), majority)
