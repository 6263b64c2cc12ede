"""Bounds over missing labels, and estimates from labels asked with known probabilities."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.lifelong.asked_labels import AskedRows, asked_difference, asked_scores, weighted_share
from justesse.lifelong.missing_labels import difference_bounds, score_bounds
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.lifelong.policy_score import NO_ITEMS
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks
from justesse.verbs.lifelong.compare import lifelong_compare
from justesse.verbs.lifelong.score import lifelong_score


def rows(labels, predictions, times, version="a"):
    size = len(labels)
    return {
        "id": list(range(size)), "version": [version] * size, "time": list(times),
        "label": list(labels), "prediction": list(predictions),
    }  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["x", "y", "z", None]), min_size=5, max_size=5),
    st.lists(st.sampled_from(["x", "y", "z"]), min_size=5, max_size=5),
    st.lists(st.sampled_from(["x", "y", "z"]), min_size=5, max_size=5),
    st.sampled_from(["recent", "uniform", "past"]),
)
def test_bounds_are_the_extremes_of_all_completions(labels, first, second, policy):
    """Brute force over all classes that the missing labels could be."""
    if all(label is None for label in labels):
        return
    times = [1, 1, 2, 2, 2]
    options = {"period": 1, "policy": policy, "missing_labels": "bound"}
    bounds = lifelong_score(rows(labels, first, times), **options).missing_labels.versions[0]
    pair = lifelong_compare(rows(labels, first, times), rows(labels, second, times), **options).missing_labels
    errors, gaps = [], []
    for filled in itertools.product("xyz", repeat=labels.count(None)):
        rest = iter(filled)
        whole = [next(rest) if label is None else label for label in labels]
        plain = {"period": 1, "policy": policy}
        errors.append(lifelong_score(rows(whole, first, times), **plain).scores[0].value)
        gaps.append(lifelong_compare(rows(whole, first, times), rows(whole, second, times), **plain).difference.value)
    assert (bounds.low, bounds.high) == pytest.approx((min(errors), max(errors)))
    assert (pair.low, pair.high) == pytest.approx((min(gaps), max(gaps)))


def test_without_missing_labels_bounds_and_weights_change_nothing():
    labels, answers, times = ["x"] * 60, ["x"] * 45 + ["y"] * 15, [1, 2, 3] * 20
    table = rows(labels, answers, times)
    plain = lifelong_score(table, period=1, policy="recent")
    bound = lifelong_score(table, period=1, policy="recent", missing_labels="bound")
    asked = lifelong_score({**table, "p": [1.0] * 60}, period=1, policy="recent", probability="p")
    assert bound.scores[0].value == pytest.approx(plain.scores[0].value) == asked.scores[0].value
    assert bound.scores[0].interval.low == pytest.approx(plain.scores[0].interval.low)
    assert bound.scores[0].interval.high == pytest.approx(plain.scores[0].interval.high)


def test_estimates_by_hand():
    """Two rows asked with 0.5, one of them wrong; one row asked with 0.25, wrong: Hájek (2 + 4)/(2 + 2 + 4)."""
    table = {
        "version": ["a"] * 10, "time": [1] * 10, "label": ["x"] * 3 + [None] * 7,
        "prediction": ["y", "x", "y"] + ["x"] * 7, "p": [0.5, 0.5, 0.25] + [0.3] * 7,
    }  # fmt: skip
    result = lifelong_score(table, probability="p")
    assert result.scores[0].value == pytest.approx(6 / 8)
    assert result.missing_labels.versions[0].horvitz_thompson == pytest.approx(6 / 10)
    assert (result.missing_labels.rows, result.scores[0].n) == (7, 3)


def test_the_estimate_is_right_on_average_over_all_ways_of_asking():
    """Exact expectation of Horvitz and Thompson's estimate over all 2^6 sets of labels that may be asked."""
    chance = np.array([0.9, 0.5, 0.2, 0.6, 0.3, 0.7])
    wrong = np.array([1.0, 0, 1, 0, 1, 0])
    zero = np.zeros(6, dtype=int)
    everything = ScoreMatrix(
        ("a",), ("t",), np.zeros((1, 1)), (0,), False, TimeBlocks(np.array([0]), np.zeros((1, 1)), np.array([[6.0]]))
    )
    mean = 0.0
    for asked in itertools.product([False, True], repeat=6):
        inside = np.array(asked)
        odds = float(np.prod(np.where(inside, chance, 1 - chance)))
        if inside.any():
            part = AskedRows(
                zero[inside], zero[inside], zero[inside], wrong[inside], 1 / chance[inside], zero[inside] + 1
            )
            mean += odds * asked_scores(part, everything, Policy("uniform"))[2][0]
    assert mean == pytest.approx(wrong.mean())


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(1, 8), st.integers(0, 8)), min_size=2, max_size=8),
    st.sampled_from(["uniform", "recent"]),
)
def test_intervals_hold_both_bounds(cells, policy):
    errors, sizes, missing = (np.array(part, dtype=float)[None] for part in zip(*cells, strict=True))
    errors = np.minimum(errors, sizes)
    period = np.arange(len(cells)) // 2
    values = np.bincount(period, errors[0]) / np.bincount(period, sizes[0])
    names = tuple(map(str, range(len(values))))
    matrix = ScoreMatrix(("v",), names, values[None], (len(names),), False, TimeBlocks(period, errors, sizes))
    bounds = score_bounds(matrix, missing, Policy(policy))[0]
    assert 0 <= bounds.score.interval.low <= bounds.low + 1e-9
    assert bounds.low - 1e-9 <= bounds.score.value <= bounds.high + 1e-9
    assert bounds.high <= bounds.score.interval.high + 1e-9
    pairs = PairedBlocks(period, errors[0] * 0, errors[0], errors[0] * 0, sizes[0])
    weights = np.full(len(names), 1 / len(names))
    low, high, interval = difference_bounds(pairs, missing[0], missing[0] // 2, range(len(names)), weights)
    assert interval.low - 1e-9 <= low <= high <= interval.high + 1e-9


def test_no_error_among_rows_rarely_asked_leaves_a_wide_interval():
    """Of 100 rows asked with probability 1 and 2 asked with 0.02, the latter stand for 100 others."""
    sizes = np.array([1.0] * 100 + [50.0] * 2)
    _, ends = weighted_share(np.zeros(102), sizes, level=0.95)
    assert ends.high[0] > 0.4


def test_equal_systems_have_no_difference_and_an_interval_around_it():
    zero = np.zeros(3, dtype=int)
    part = AskedRows(zero, zero, zero, np.zeros(3), np.array([2.0, 2, 4]), np.array([10, 5, 5]))
    value, interval = asked_difference(part, [0], np.array([1.0]))
    assert value == 0
    assert interval.low < 0 < interval.high


def test_items_with_true_classes_at_a_time_without_any_label_are_left_out():
    one = {
        "id": [1, 2, 3, 4], "version": ["v"] * 4, "time": [1, 1, 2, 2], "trained": [0] * 4,
        "label": ["a", "b", None, None], "true": list("abab"), "prediction": list("abba"),
    }  # fmt: skip
    other = {**one, "prediction": list("bbab")}
    result = lifelong_compare(one, other, policy="uniform", missing_labels="drop", true="true")
    truth = result.label_noise.true
    assert (result.difference.value, truth.value, truth.n) == (-0.5, -0.5, 2)


@pytest.mark.parametrize(
    ("version", "time", "weights"),
    [("v2", None, [1 / 7, 2 / 7, 4 / 7]), (None, 2, [1 / 5, 4 / 5]), (None, 1, [1 / 3, 2 / 3])],
)
def test_versions_and_periods_without_a_label_keep_their_place(version, time, weights):
    places = [(f"v{at}", moment) for at in (1, 2, 3) for moment in (1, 2, 3) for _ in range(10)]
    rows = {
        "id": [f"{moment}-{at % 10}" for at, (_, moment) in enumerate(places)],
        "version": [name for name, _ in places],
        "time": [moment for _, moment in places],
        "label": [None if name == version or moment == time else "x" for name, moment in places],
        "prediction": ["y" if at % 10 < moment else "x" for at, (_, moment) in enumerate(places)],
    }
    result = lifelong_score(rows, policy="recent", missing_labels="drop", noise_rate="10%")
    assert result.matrix.versions == ("v1", "v2", "v3")
    assert result.matrix.periods == ("1", "2", "3")
    seen = [at for at in range(3) if at + 1 != time]
    assert result["v3"].periods == tuple(seen)
    assert result["v3"].weights == pytest.approx(weights)
    assert result["v3"].value == pytest.approx(sum(w * (at + 1) / 10 for at, w in zip(seen, weights, strict=True)))
    if version:
        assert result[version].undefined == NO_ITEMS
    compared = lifelong_compare(rows, rows, policy="recent", missing_labels="drop")
    assert [part.weight for part in compared.periods] == pytest.approx(weights)


def test_a_version_whose_labels_only_the_candidate_has_is_compared():
    versions, times = ["v1"] * 20 + ["v2"] * 20, ([1] * 10 + [2] * 10) * 2
    rows = {"id": [*range(20)] * 2, "version": versions, "time": times, "prediction": ["x"] * 30 + ["y"] * 10}
    old = {**rows, "label": ["x"] * 20 + [None] * 20}
    result = lifelong_compare(old, {**rows, "label": ["x"] * 40}, missing_labels="drop")
    assert result.versions == ("v2", "v2")
    assert [(part.name, part.n) for part in result.periods] == [("1", 10), ("2", 10)]
