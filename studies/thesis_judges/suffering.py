"""Does precision, or recall, really suffer less from wrong labels than accuracy?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.all_pairs import Judgeable
from justesse.core.seeds import stream
from studies.thesis_judges.bootstrap import drawn_rates, draws, mean_over_classes, percentiles
from studies.thesis_judges.judging import Judged
from studies.thesis_judges.settings import Settings

THESE, MEAN = "mean of these classes", "mean of classes like these"
MEASURES: tuple[Judgeable, ...] = ("precision", "recall")


@dataclass(frozen=True)
class Suffering:
    """Type II rate of a judge by one measure, and how much higher than by accuracy, with its interval."""

    measure: str
    class_name: str
    type_two: float
    more: float
    low: float
    high: float


def suffering(judged: Sequence[Judged], settings: Settings, *, judge: str = "prudent_v1") -> list[Suffering]:
    """Compare the type II rate by precision and recall of every class with that by accuracy, over the same pairs.

    Intervals are percentiles over classifiers drawn with replacement, the same ones for both measures; that of the mean
    of classes like these is also over classes drawn with replacement. The test images are taken as they are.
    """
    own = [one for one in judged if one.judge == judge]
    (by_accuracy,) = (one for one in own if one.measure == "accuracy")
    weights = draws(len(by_accuracy.replaces), settings.draws, stream(settings.seed, "draws of classifiers"))
    base, drawn_base = _type_two(by_accuracy, weights)
    found = []
    for measure in MEASURES:
        classes = [one for one in own if one.measure == measure]
        both = [_type_two(one, weights) for one in classes]
        found += [
            Suffering(measure, one.class_name, rate, rate - base, *percentiles(drawn - drawn_base, settings.level))
            for one, (rate, drawn) in zip(classes, both, strict=True)
        ]
        mean = float(np.nanmean([rate for rate, _ in both]))
        again = draws(len(classes), settings.draws, stream(settings.seed, "draws of classes"))
        for name, weighed in ((THESE, np.ones_like(again)), (MEAN, again)):
            apart = mean_over_classes([drawn for _, drawn in both], weighed) - drawn_base
            found.append(Suffering(measure, name, mean, mean - base, *percentiles(apart, settings.level)))
    return found


def _type_two(judged: Judged, weights: np.ndarray) -> tuple[float, np.ndarray]:
    should = judged.references["overlap"] & ~np.eye(len(judged.replaces), dtype=bool)
    missed = should & ~judged.replaces
    return judged.rates().type_two.value, drawn_rates(missed, should, weights)
