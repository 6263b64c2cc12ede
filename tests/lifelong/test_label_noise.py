"""What wrong labels can do to policy scores, differences and forgetting: every possible labelling of tiny tables."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.lifelong import forgetting_noise
from justesse.lifelong.item_patterns import NOT_TESTED, ItemPatterns
from justesse.lifelong.label_moves import furthest
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.lifelong.policy_noise import difference_moves, score_moves
from justesse.lifelong.transfer import ALL
from justesse.lifelong.transfer_noise import transfer_noise
from justesse.noise.rate_range import whole_rows


def labellings(label, classes):
    """Yield every possible truth with the number of wrong labels."""
    for true in product(range(classes), repeat=len(label)):
        yield np.array(true), int(np.sum(np.array(true) != label))


def extremes(label, classes, rate, value, period=None):
    """Return the lowest and highest value over all truths that a rate (of all items, or of each period) allows."""
    values = []
    for true, wrong in labellings(label, classes):
        if period is None:
            fewest, most = whole_rows(*rate, len(label))
            allowed = fewest <= wrong <= most
        else:
            allowed = True
            for at, own in rate.items():
                fewest, most = whole_rows(*own, int((period == at).sum()))
                allowed &= fewest <= int((true != label)[period == at].sum()) <= most
        if allowed:
            values.append(value(true))
    return min(values), max(values)


def matrix(true, period, answers, periods):
    """Accuracy of every version in every period."""
    cells = np.full((answers.shape[1], periods), np.nan)
    for version, at in np.ndindex(cells.shape):
        inside = (period == at) & (answers[:, version] != NOT_TESTED)
        if inside.any():
            cells[version, at] = np.mean(answers[inside, version] == true[inside])
    return cells


@st.composite
def tables(draw, versions=2, largest=3):
    """Draw labels and answers of two or three periods, each with at least one item that all versions answered."""
    classes = draw(st.sampled_from([2, 3]))
    period, answers = [], []
    for at in range(versions):
        for item in range(draw(st.integers(1, largest))):
            row = [draw(st.integers(0, classes - 1)) for _ in range(versions)]
            if item and draw(st.booleans()):
                row[draw(st.integers(0, versions - 1))] = NOT_TESTED
            period.append(at)
            answers.append(row)
    label = [draw(st.integers(0, classes - 1)) for _ in period]
    return classes, np.array(period), np.array(label), np.array(answers)


RATES = st.sampled_from([(0.0, 0.0), (0.0, 0.2), (0.0, 0.4), (0.2, 0.5), (0.5, 0.5), (0.0, 0.99)])


def check_transfer(drawn, rate, versions, by_period=False):
    classes, period, label, answers = drawn
    patterns = ItemPatterns.of_items(period, label, answers, classes=classes, periods=versions)
    own = dict.fromkeys(range(versions), rate) if by_period else rate
    for result in transfer_noise(patterns, own):
        convention = next(one for one in ALL if (one.name, one.source) == (result.name, result.source))

        def value(true, convention=convention):
            return convention.value(matrix(true, period, answers, versions), np.zeros(versions))

        low, high = extremes(label, classes, own, value, period if by_period else None)
        assert result.apparent == pytest.approx(value(label))
        assert result.sharp
        assert (result.low, result.high) == (pytest.approx(low, abs=1e-7), pytest.approx(high, abs=1e-7)), result


@settings(max_examples=60, deadline=None)
@given(tables(), RATES, st.booleans())
def test_bounds_of_forgetting_and_transfer_are_those_of_all_labellings(drawn, rate, by_period):
    check_transfer(drawn, rate, 2, by_period)


@settings(max_examples=25, deadline=None)
@given(tables(versions=3, largest=2), RATES)
def test_bounds_with_three_versions_are_those_of_all_labellings(drawn, rate):
    check_transfer(drawn, rate, 3)


@settings(max_examples=40, deadline=None)
@given(tables())
def test_the_fewest_labels_that_turn_forgetting_are_those_of_all_labellings(drawn):
    classes, period, label, answers = drawn
    patterns = ItemPatterns.of_items(period, label, answers, classes=classes, periods=2)
    for result in transfer_noise(patterns):
        convention = next(one for one in ALL if (one.name, one.source) == (result.name, result.source))
        if not result.signed:
            continue
        start = convention.value(matrix(label, period, answers, 2), np.zeros(2))
        turned = [
            wrong
            for true, wrong in labellings(label, classes)
            if start * convention.value(matrix(true, period, answers, 2), np.zeros(2)) <= 1e-12
        ]
        assert result.turned_by == min(turned, default=None), result


def test_signed_figures_are_the_differences():
    patterns = ItemPatterns.of_items(
        np.array([0, 1]), np.array([0, 0]), np.array([[0, 1], [0, 0]]), classes=2, periods=2
    )
    signed = {(result.name, result.source[:5]) for result in transfer_noise(patterns) if result.signed}
    assert signed == {
        ("backward transfer", "GEM, "),
        ("backward transfer", "Díaz-"),
        ("forgetting", "Chaud"),
        ("forgetting", "Avala"),
    }


def test_many_labels_get_outer_bounds_that_contain_the_exact_ones(monkeypatch):
    rng = np.random.default_rng(3)
    period, label = np.repeat([0, 1, 2], 40), rng.integers(0, 3, 120)
    answers = np.where(rng.random((120, 3)) < 0.7, label[:, None], rng.integers(0, 3, (120, 3)))
    patterns = ItemPatterns.of_items(period, label, answers, classes=3, periods=3)
    exact = forgetting_noise.forgetting_range(patterns, (0.0, 0.1))
    assert exact[2]
    monkeypatch.setattr(forgetting_noise, "EXACT_LABELS", 5)
    monkeypatch.setattr(forgetting_noise, "EXACT_CHOICES", 5)
    outer = forgetting_noise.forgetting_range(patterns, (0.0, 0.1))
    assert not outer[2]
    assert outer[0] <= exact[0] + 1e-9 <= exact[1] <= outer[1] + 1e-9
    assert outer[1] - outer[0] < exact[1] - exact[0] + 0.05


@settings(max_examples=60, deadline=None)
@given(st.data(), RATES, st.booleans())
def test_bounds_of_a_policy_score_are_those_of_all_labellings(data, rate, by_period):
    classes = data.draw(st.sampled_from([2, 3]))
    sizes = [data.draw(st.integers(1, 4)) for _ in range(2)]
    period = np.repeat([0, 1], sizes)
    label, answer = (np.array([data.draw(st.integers(0, classes - 1)) for _ in period]) for _ in range(2))
    weights = Policy("recent").weights(["a", "b"])

    def error(true):
        return float(sum(weights[at] * np.mean(answer[period == at] != true[period == at]) for at in (0, 1)))

    errors = np.array([np.sum((answer != label)[period == at]) for at in (0, 1)], dtype=float)
    moves = score_moves(errors, np.array(sizes, dtype=float), [0, 1], weights, classes=classes)
    own = dict.fromkeys((0, 1), rate) if by_period else rate
    low, high = extremes(label, classes, own, error, period if by_period else None)
    assert [error(label) + end for end in moves.range(own)] == pytest.approx([low, high], abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.data(), RATES)
def test_bounds_of_a_difference_are_those_of_all_labellings(data, rate):
    classes = data.draw(st.sampled_from([2, 3]))
    sizes = [data.draw(st.integers(1, 3)) for _ in range(2)]
    period = np.repeat([0, 1], sizes)
    label, old, new = (np.array([data.draw(st.integers(0, classes - 1)) for _ in period]) for _ in range(3))
    weights = np.array([0.3, 0.7])

    def gap(true):
        gains = (new == true).astype(float) - (old == true)
        return float(sum(weights[at] * gains[period == at].mean() for at in (0, 1)))

    kinds = (
        (old == label) & (new != label),
        (new == label) & (old != label),
        (old != label) & (new != label) & (old != new),
    )
    counts = [np.array([kind[period == at].sum() for at in (0, 1)], dtype=float) for kind in kinds]
    pairs = PairedBlocks(np.array([0, 1]), *counts, np.array(sizes, dtype=float))
    moves = difference_moves(pairs, [0, 1], weights, classes=classes)
    low, high = extremes(label, classes, rate, gap)
    assert [gap(label) + end for end in moves.range(rate)] == pytest.approx([low, high], abs=1e-12)


def test_random_noise_lies_within_the_bounds():
    rng = np.random.default_rng(5)
    period, true = np.repeat([0, 1], 100), rng.integers(0, 4, 200)
    answer = np.where(rng.random(200) < 0.8, true, rng.integers(0, 4, 200))
    weights = np.array([0.2, 0.8])

    def error(label):
        return float(sum(weights[at] * np.mean((answer != label)[period == at]) for at in (0, 1)))

    for _ in range(200):
        label = true.copy()
        wrong = rng.choice(200, 20, replace=False)
        label[wrong] = (true[wrong] + rng.integers(1, 4, 20)) % 4
        errors = np.array([np.sum((answer != label)[period == at]) for at in (0, 1)], dtype=float)
        low, high = score_moves(errors, np.full(2, 100.0), [0, 1], weights, classes=4).range((0.0, 0.1))
        assert error(label) + low - 1e-12 <= error(true) <= error(label) + high + 1e-12


def test_what_must_be_wrong_is_where_it_matters_least():
    assert furthest(np.array([-0.5, -0.1]), np.array([3, 3]), 2, 4) == pytest.approx(-0.2)
    assert furthest(np.array([0.5, -0.1]), np.array([1, 3]), 2, 4) == pytest.approx(0.4)
