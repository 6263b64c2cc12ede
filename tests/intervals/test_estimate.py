from statistics import NormalDist

import numpy as np
import pytest

from conftest import random_table
from justesse import Tally, count
from justesse.core.errors import OptionError
from justesse.intervals import mover, wilson
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import accuracy, averaged, balanced_accuracy, cost, f1, kappa, mcc, recall

TALLY = Tally.from_dense(random_table(np.random.default_rng(0), 3, 300))


def test_two_cost_tables_at_once_are_refused():
    with pytest.raises(OptionError, match="one cost table per call"):
        estimate(TALLY, [cost(np.eye(3)), cost(1 - np.eye(3))])


def test_balanced_accuracy_combines_the_intervals_of_the_recalls():
    found = estimate(TALLY, [balanced_accuracy, recall, averaged(recall, "macro")])
    assert found[0].interval.method == "mover"
    low, high = (np.array([getattr(one.interval, end) for one in found[1:4]]) for end in ("low", "high"))
    half, shift = (high - low) / 2, (high + low) / 2 - [one.value for one in found[1:4]]
    middle = found[0].value + np.average(shift, weights=half**2) / 3
    spread = sum(one.value * (1 - one.value) / (one.n - 1) for one in found[1:4])
    reach = np.sqrt(max((half**2).sum(), NormalDist().inv_cdf(0.975) ** 2 * spread)) / 3
    assert (found[0].interval.low, found[0].interval.high) == pytest.approx((middle - reach, middle + reach))
    assert found[4].interval.low == found[0].interval.low
    asked = estimate(TALLY, [balanced_accuracy], Confidence(bootstrap="bca"))[0]
    assert asked.interval.method == "bootstrap-bca"


def test_mover_of_one_share_is_the_share_s_own_interval_and_empty_classes_are_left_out():
    one = mover([8, 0], [10, 0])
    assert float(one.low) == pytest.approx(float(wilson(8, 10).low))
    assert np.isnan(mover([0], [0]).low)
    assert np.isinf(mover([8], [10], alternative="greater").high)
    assert float(mover([8], [10], alternative="less").high) == pytest.approx(float(wilson(8, 10, level=0.9).high))


def test_mover_leaves_room_for_the_large_class_if_the_small_one_is_all_right():
    ends = mover([20, 990], [20, 1000])
    part = wilson([20, 990], [20, 1000])
    plain = (1 + 0.99) / 2 + np.sqrt(((part.high - [1, 0.99]) ** 2).sum()) / 2
    assert float(ends.high) == pytest.approx(plain)
    mirrored = mover([0, 10], [20, 1000])
    assert (float(mirrored.low), float(mirrored.high)) == pytest.approx((1 - float(ends.high), 1 - float(ends.low)))


def test_high_levels_get_enough_draws():
    assert Confidence(level=0.999).enough_draws in (10_000, 10_001)
    assert Confidence().enough_draws == 2000
    assert Confidence(level=0.999, alternative="less").enough_draws in (5000, 5001)


def test_delta_for_proportions_when_asked():
    found = estimate(TALLY, [accuracy, mcc], Confidence(method="delta"))
    assert found[0].interval.method == "delta"
    assert found[1].interval.method == "bootstrap-smoothed"


def test_extreme_levels():
    interval = estimate(TALLY, [accuracy], Confidence(level=1 - 1e-15))[0].interval
    assert 0 <= interval.low < interval.high <= 1


@pytest.mark.parametrize("measure", [f1, mcc, kappa, averaged(f1, "macro")], ids=["f1", "mcc", "kappa", "macro f1"])
def test_equal_weights_change_neither_method_nor_interval(measure):
    rng = np.random.default_rng(31)
    label = rng.integers(3, size=120)
    prediction = np.where(rng.random(120) < 0.2, rng.integers(3, size=120), label)
    plain = estimate(count(label=label, prediction=prediction), [measure])
    weighted = estimate(count(label=label, prediction=prediction, weight=np.full(120, 0.3)), [measure])
    for one, other in zip(plain, weighted, strict=True):
        assert other.interval == one.interval
        assert other.n == one.n


def test_f1_of_weighted_rows_has_the_interval_of_its_share():
    """300 test sets with weights independent of everything; the true F1 is 0.8."""
    rng = np.random.default_rng(32)
    hits = 0
    for _ in range(300):
        label = rng.integers(2, size=100)
        prediction = np.where(rng.random(100) < 0.2, 1 - label, label)
        result = estimate(count(label=label, prediction=prediction, weight=rng.gamma(2.0, size=100)), [f1])[0]
        assert result.interval.method == "wilson-jaccard"
        hits += result.interval.low <= 0.8 <= result.interval.high
    assert 0.92 < hits / 300 < 0.99
