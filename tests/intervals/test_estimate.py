from statistics import NormalDist

import numpy as np
import pytest

from conftest import random_table
from justesse import Tally
from justesse.core.errors import OptionError
from justesse.intervals import mover, wilson
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import accuracy, averaged, balanced_accuracy, cost, mcc, recall

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
    spread = sum(one.value * (1 - one.value) / one.n for one in found[1:4])
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
