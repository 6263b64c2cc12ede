"""One rule for the level of every interval: one-sided bounds, growing levels, and the value inside."""

import itertools

import numpy as np
import pytest

from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals import PROPORTION, delta, mover, spread, student
from justesse.intervals.area_score import area_score
from justesse.intervals.binormal_score import binormal_score
from justesse.intervals.clustered import clustered_positive_mean, clustered_share
from justesse.intervals.delong import delong
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.numeric_differences import numeric_differences
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.intervals.score_estimates import estimate_probabilities
from justesse.measures import averaged, balanced_accuracy, f1, kappa, mcc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.regression import ALL as NUMERIC
from justesse.measures.regression import Sums
from justesse.significance.five_by_two_t import five_by_two_t
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, paired_delta
from justesse.significance.two_areas import two_areas

RNG = np.random.default_rng(7)
POSITIVE = RNG.random(40) < 0.4
SCORES, OTHER = RNG.normal(size=40) + POSITIVE, RNG.normal(size=40) + 0.5 * POSITIVE
TABLE = ScoreCounts.of(SCORES, POSITIVE)
LABELS = RNG.integers(3, size=60)
PROBABILITIES = RNG.dirichlet(np.ones(3), size=60) + 0.5 * np.eye(3)[LABELS]
PROBABILITIES /= PROBABILITIES.sum(axis=1, keepdims=True)
COUNTS = Tally.from_dense([[19, 3, 1], [2, 14, 4], [0, 3, 6]])
Y = RNG.normal(size=30)
F, G = Y + RNG.normal(size=30), Y + 1.5 * RNG.normal(size=30)
FOLDS = [0.80, 0.84, 0.79, 0.83, 0.82]
TWO_BY_FIVE = RNG.random((5, 2)), RNG.random((5, 2))
PAIRS = Case(
    Tally.of(
        ("label", "incumbent", "candidate"),
        [(1, 1, 1, 60), (1, 0, 1, 12), (0, 0, 0, 80), (0, 1, 0, 6), (0, 0, 1, 4), (1, 0, 0, 8)],
    )
)


def ends_of(ends, value):
    return float(np.ravel(ends.low)[0]), float(np.ravel(ends.high)[0]), float(value)


def of_estimate(result):
    return result.interval.unclipped_low, result.interval.unclipped_high, result.value


def of_interval(interval, value):
    return interval.unclipped_low, interval.unclipped_high, value


def one_of(results, name, average=None):
    return of_estimate(next(each for each in results if each.name == name and each.average == average))


METHODS = {
    **{name: lambda sides, method=method: ends_of(method(7, 9, **sides), 7 / 9) for name, method in PROPORTION.items()},
    "mover": lambda sides: ends_of(mover([7, 3], [9, 5], **sides), (7 / 9 + 3 / 5) / 2),
    "delta": lambda sides: ends_of(delta(COUNTS, mcc, **sides), mcc(COUNTS)),
    "area-score": lambda sides: ends_of(area_score(TABLE, **sides), _area(TABLE)),
    "delong": lambda sides: ends_of(delong(TABLE, **sides), _area(TABLE)),
    "binormal-score": lambda sides: ends_of(binormal_score(TABLE, **sides), _precision(TABLE)),
    "student": lambda sides: of_estimate(student(FOLDS, **sides)),
    "chi-square": lambda sides: of_estimate(spread(FOLDS, **sides)),
    "clustered share": lambda sides: ends_of(clustered_share([1, 0, 2, 0, 1], [5, 4, 5, 5, 3], **sides), 4 / 22),
    "clustered mean": lambda sides: ends_of(clustered_positive_mean([4.0, 6.0, 9.0], [5, 5, 5], **sides), 19 / 15),
    "tango": lambda sides: ends_of(paired_difference(12, 2, 50, **sides), -10 / 50),
    "paired delta": lambda sides: of_interval(paired_delta(PAIRS, Compared(kappa), **sides), _kappas()),
    "delong-t": lambda sides: of_estimate(two_areas(POSITIVE, SCORES, OTHER, **sides).difference),
    "five-by-two-t": lambda sides: of_estimate(five_by_two_t(*TWO_BY_FIVE, **sides).difference),
    **{
        f"smoothed {measure.title}": lambda sides, measure=measure: of_estimate(
            estimate(COUNTS, [measure], Confidence(bootstrap="smoothed", draws=400, **sides))[0]
        )
        for measure in (mcc, averaged(f1, "macro"), balanced_accuracy)
    },
    **{
        f"{average} {name}": lambda sides, name=name, average=average: one_of(
            estimate_probabilities(PROBABILITIES, LABELS, [0, 1, 2], None, Confidence(**sides)).estimates, name, average
        )
        for name in ("roc_auc", "average_precision")
        for average in ("macro", "weighted")
    },
    **{
        measure.name: lambda sides, name=measure.name: one_of(
            numeric_estimates(Sums.of(Y, F), 30, Confidence(draws=300, **sides)), name
        )
        for measure in NUMERIC
        if measure.name != "rmsle"
    },
    **{
        f"difference of {measure.name}": lambda sides, at=at: of_estimate(
            numeric_differences(Y, F, G, Confidence(draws=300, **sides))[at].difference
        )
        for at, measure in enumerate(NUMERIC)
        if measure.name != "rmsle"
    },
}


def _area(table):
    from justesse.measures.curves.auc import auc

    return auc(table)


def _precision(table):
    from justesse.measures.curves.precision_recall import average_precision

    return average_precision(table)


def _kappas():
    return float(kappa(PAIRS.candidate)) - float(kappa(PAIRS.incumbent))


@pytest.mark.parametrize("name", METHODS)
def test_a_one_sided_bound_is_an_end_of_a_two_sided_interval(name):
    bounds = METHODS[name]
    lows, highs = [], []
    for level in (0.51, 0.6, 0.75, 0.95, 0.99):
        both = bounds({"level": 2 * level - 1, "alternative": "two-sided"})
        low, far_above, value = bounds({"level": level, "alternative": "greater"})
        far_below, high, _ = bounds({"level": level, "alternative": "less"})
        assert (low, high) == pytest.approx(both[:2], abs=1e-9)
        assert low - 1e-12 <= value <= high + 1e-12
        assert far_below <= 0  # the open ends
        assert far_above >= 1
        lows.append(low)
        highs.append(high)
    assert all(after <= before + 1e-12 for before, after in itertools.pairwise(lows))
    assert all(after >= before - 1e-12 for before, after in itertools.pairwise(highs))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("side", ["greater", "less"])
@pytest.mark.parametrize("level", [0.05, 0.4, 0.5])
def test_a_one_sided_level_of_at_most_one_half_is_refused(name, side, level):
    with pytest.raises(OptionError, match=r"one-sided bound or verdict must lie between 0\.5 and 1"):
        METHODS[name]({"level": level, "alternative": side})
