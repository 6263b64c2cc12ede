"""Two systems under one policy: brute force and properties."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import justesse
from justesse.core.errors import InputError
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_breakdown import policy_breakdown
from justesse.lifelong.policy_difference import PairedBlocks, policy_difference
from justesse.lifelong.policy_flip import flips, smallest_change


def blocks(period, first, second, neither, sizes):
    return PairedBlocks(np.array(period), *(np.array(part, dtype=float) for part in (first, second, neither, sizes)))


def lead(items, weights):
    """Policy score of the second system minus that of the first, from labels and answers of each period."""
    total = 0.0
    for weight, rows in zip(weights, items, strict=True):
        total += weight * np.mean([(label == b) - (label == a) for label, a, b in rows])
    return total


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_breakdown_is_the_fewest_labels_by_trying_all(data):
    answer = st.sampled_from("xyz")
    row = st.tuples(answer, answer, answer)
    items = [data.draw(st.lists(row, min_size=1, max_size=3)) for _ in range(2)]
    weights = np.array([0.25, 0.75])
    counts = [[0, 0, 0, 0], [0, 0, 0, 0]]
    for period, rows in enumerate(items):
        for label, a, b in rows:
            counts[period][0] += label == a != b
            counts[period][1] += label == b != a
            counts[period][2] += label not in (a, b) and a != b
            counts[period][3] += 1
    pairs = blocks([0, 1], *zip(*counts, strict=True))
    start = lead(items, weights)
    result = policy_breakdown(pairs, [0, 1], weights)
    fewest = None
    flat = [(period, at) for period, rows in enumerate(items) for at in range(len(rows))]
    for labels in product("xyzw", repeat=len(flat)):
        changed = [list(rows) for rows in items]
        moved = 0
        for (period, at), label in zip(flat, labels, strict=True):
            old, a, b = items[period][at]
            moved += old != label
            changed[period][at] = (label, a, b)
        if start * lead(changed, weights) <= 1e-12 and (fewest is None or moved < fewest):
            fewest = moved
    assert result.count == fewest
    assert result.n == len(flat)


def test_the_difference_is_the_weighted_mean_of_the_periods():
    pairs = blocks([0, 0, 1, 1], [2, 1, 0, 3], [4, 0, 5, 1], [0, 0, 0, 0], [20, 10, 25, 25])
    value, interval = policy_difference(pairs, [0, 1], np.array([0.2, 0.8]))
    assert value == pytest.approx(0.2 * 1 / 30 + 0.8 * 3 / 50)
    assert interval.low < value < interval.high


def test_the_interval_covers_the_true_difference():
    rng = np.random.default_rng(0)
    weights, rates = Policy("recent").weights(["a", "b"]), np.array([[0.1, 0.05], [0.05, 0.12]])
    truth = weights @ (rates[:, 1] - rates[:, 0])
    covered = 0
    for _ in range(300):
        drawn = np.array(
            [rng.multinomial(40, [*rates[period], 1 - rates[period].sum()]) for period in (0,) * 8 + (1,) * 8]
        )
        pairs = blocks([0] * 8 + [1] * 8, drawn[:, 0], drawn[:, 1], [0] * 16, [40] * 16)
        _, interval = policy_difference(pairs, [0, 1], weights)
        covered += interval.low <= truth <= interval.high
    assert 0.91 <= covered / 300 <= 0.99


def test_equal_systems_have_an_interval_around_zero():
    pairs = blocks([0, 0], [0, 0], [0, 0], [0, 0], [50, 50])
    value, interval = policy_difference(pairs, [0], np.array([1.0]))
    assert value == 0
    assert interval.low < 0 < interval.high


def test_a_period_without_common_items_is_refused():
    pairs = blocks([0], [1], [2], [0], [10])
    with pytest.raises(InputError, match="No item of period 2"):
        pairs.differences([0, 1])


@given(st.lists(st.floats(-0.2, 0.2), min_size=2, max_size=6), st.data())
def test_the_smallest_change_turns_the_difference_to_zero(differences, data):
    gaps = np.array(differences)
    weights = Policy("recent").weights(list(map(str, range(len(gaps)))))
    change = smallest_change(weights, gaps)
    if change is None:
        return
    moved = weights.copy()
    moved[change.period] *= change.factor
    assert moved @ gaps == pytest.approx(0, abs=1e-9)
    # no other single weight needs less
    for at in range(len(gaps)):
        for ratio in np.exp(np.linspace(-1, 1, 9) * abs(np.log(change.factor)) * 0.99):
            other = weights.copy()
            other[at] *= ratio
            assert (other @ gaps) * (weights @ gaps) >= -1e-9


def test_rank_flips_lie_between_the_policies_that_disagree():
    gaps = np.array([-0.0012, 0.002, -0.01, 0.012])
    at = flips(gaps)
    assert len(at) == 1
    for side in (-0.01, 0.01):
        weights = np.exp2((at[0] + side) * np.arange(4))
        assert np.sign(weights @ gaps) == np.sign(side)
    assert flips(np.array([0.1, 0.2])) == []


def test_flips_use_the_positions_of_the_periods():
    gaps = np.array([-0.02, 0.0, 0.011])
    [at] = flips(gaps, [0, 2, 3])
    assert 0.011 * 2 ** (3 * at) == pytest.approx(0.02)
    assert flips(gaps)[0] == pytest.approx(at * 3 / 2)


def test_a_period_of_weight_0_needs_no_common_item():
    items = {"id": list(range(60)), "version": ["a"] * 60, "time": [1] * 20 + [2] * 20 + [3] * 20, "label": ["x"] * 60}
    old = {**items, "prediction": (["x"] * 10 + ["y"] * 10) * 3}
    new = {**items, "id": list(range(100, 120)) + list(range(20, 60)), "prediction": ["x"] * 60}
    old["trained"] = new["trained"] = [3] * 60
    result = justesse.lifelong_compare(
        old, new, period=1, policy={"1": 0, "2": 0.5, "3": 0.5}, common=True, trained="trained"
    )
    assert result.difference.value == pytest.approx(0.5)
    assert [period.name for period in result.periods] == ["2", "3"]
    with pytest.raises(InputError, match="No item of period 1 was answered by both"):
        justesse.lifelong_compare(
            old, new, period=1, policy={"1": 0.2, "2": 0.4, "3": 0.4}, common=True, trained="trained"
        )
