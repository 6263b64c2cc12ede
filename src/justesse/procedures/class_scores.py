"""Measures of each class after a procedure, with the interval that fits the procedure."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from justesse.core.results import Estimate
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.student import student
from justesse.measures import f1, precision, recall
from justesse.measures.ratio import Ratio
from justesse.procedures.run import OutOfSample
from justesse.procedures.score import overlap_ratio, rows_alone

TOO_FEW = "fewer than two splits have a value"


def class_scores(
    runs: OutOfSample, model: str, measures: Sequence[Ratio] = (precision, recall, f1), *, level: float = 0.95
) -> list[Estimate]:
    """Compute measures of each class of one model, over its splits, as `score` does for all classes together.

    Splits in which a measure is undefined for a class (precision, if it is never predicted) are left out of its mean; n
    is the number of splits left. Unreliable for rare classes: only few splits test them.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.procedures.run import run
    >>> made = class_scores(run({"bayes": GaussianNB()}, *load_iris(return_X_y=True)), "bayes", [recall])
    >>> [(estimate.class_name, round(estimate.value, 2)) for estimate in made]
    [(0, 1.0), (1, 0.94), (2, 0.92)]
    """
    fits = runs.answered(model)
    if not fits:
        return []
    if rows_alone(runs):
        made = estimate(runs.tally(fits), list(measures), Confidence(level=level, seed=runs.seed))
        if getattr(runs.procedure, "kind", None) != "grouped":
            return made
        why = "no interval: rows of one group are not independent; repeat the split, or use folds by group"
        return [replace(entry, interval=None, undefined=entry.undefined or why) for entry in made]
    tallies, ratio = [runs.tally([fit]) for fit in fits], overlap_ratio(runs, fits)
    classes, made = runs.data.classes or (), []
    for measure in measures:
        with np.errstate(invalid="ignore"):
            values = np.array([measure(tally) for tally in tallies])
        for at, name in enumerate(classes):
            known = values[np.isfinite(values[:, at]), at].tolist()
            if len(known) < 2:
                value = known[0] if known else math.nan
                made.append(Estimate.of(measure, value, len(known), None, TOO_FEW, name))
                continue
            mean = student(known, level=level, test_over_train=ratio)
            interval = mean.interval and replace(mean.interval, bounds=measure.bounds)
            made.append(Estimate.of(measure, mean.value, mean.n, interval, mean.undefined, name))
    return made
