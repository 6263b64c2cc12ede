"""Agreement against krippendorff, irrCAC, statsmodels and scikit-learn, and by properties."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from justesse.annotators.agreement import agreement, by_class
from justesse.annotators.alpha_counts import alpha_of_counts
from justesse.annotators.distances import alpha
from justesse.annotators.pairs import pair_tables, pairwise
from justesse.core.annotations import Annotations
from justesse.core.errors import OptionError

REFERENCE = json.loads((Path(__file__).parent / "oracles" / "agreement.json").read_text())
# Gwet, Handbook of Inter-Rater Reliability, 2014: four raters, twelve units; published coefficients
FOUR_RATERS = [
    "11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555", "..11", "..3.",
]  # fmt: skip


def answers(rows):
    return Annotations.of(
        (item, who, value) for item, row in enumerate(rows) for who, value in enumerate(row) if value is not None
    )


def four_raters():
    return answers([[None if value == "." else int(value) for value in row] for row in FOUR_RATERS]).votes()


@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: f"{len(case['answers'])} items")
def test_alpha_and_fleiss_are_those_of_krippendorff_and_irrcac(case):
    votes = answers(case["answers"]).votes()
    for scale, value in case["alpha"].items():
        assert alpha(votes, scale).value == pytest.approx(value, abs=1e-9)
    assert agreement(votes, "fleiss").value == pytest.approx(case["fleiss"], abs=1e-9)


def test_published_coefficients_of_four_raters():
    votes = four_raters()
    # irrCAC 0.4.4 gives 0.78553 for AC1: with today's pandas it takes NaN for a class
    published = {"percent": 0.8181818, "fleiss": 0.76117, "ac1": 0.77544, "alpha": 0.74342}
    for name, value in published.items():
        assert agreement(votes, name).value == pytest.approx(value, abs=5e-6)


def test_fleiss_kappa_is_that_of_statsmodels():
    rng = np.random.default_rng(0)
    table = rng.multinomial(6, [0.5, 0.3, 0.2], size=30)
    rows = [np.repeat(np.arange(3), row).tolist() for row in table]
    assert agreement(answers(rows).votes(), "fleiss").value == pytest.approx(fleiss_kappa(table), abs=1e-12)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohens_kappa_is_that_of_scikit_learn(weights):
    rng = np.random.default_rng(1)
    rows = np.where(rng.random((80, 3)) < 0.6, rng.integers(0, 4, 80)[:, None], rng.integers(0, 4, (80, 3)))
    for pair in pairwise(pair_tables(answers(rows.tolist())), weights=weights):
        two = rows[:, pair.first], rows[:, pair.second]
        expected = cohen_kappa_score(*two, weights=None if weights == "none" else weights)
        assert pair.kappa.value == pytest.approx(expected, abs=1e-12)
        assert pair.percent == pytest.approx((two[0] == two[1]).mean())


@pytest.mark.parametrize("name", ["percent", "fleiss", "ac1", "alpha"])
def test_linearised_errors_are_those_of_the_jackknife(name):
    rng = np.random.default_rng(2)
    rows = np.where(rng.random((400, 4)) < 0.7, rng.integers(0, 3, 400)[:, None], rng.integers(0, 3, (400, 4)))
    listed = [[None if rng.random() < 0.3 else int(value) for value in row] for row in rows]
    notes = answers(listed)
    estimate = agreement(notes.votes(), name)
    everyone = np.arange(notes.n_items)
    left_out = np.array(
        [agreement(notes.of_items(np.delete(everyone, at)).votes(), name).value for at in range(notes.n_items)]
    )
    n = len(left_out)
    error = math.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    ends = np.log(1 - estimate.interval.unclipped_low) - np.log(1 - estimate.interval.unclipped_high)
    from scipy.stats import t

    assert ends / (2 * t.ppf(0.975, estimate.n - 1)) * (1 - estimate.value) == pytest.approx(error, rel=0.02)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=3, max_size=3), min_size=2, max_size=12))
def test_alpha_by_brute_force(rows):
    """Alpha from its definition, a loop over all pairs of answers."""
    units = [[value for value in row if value is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    pooled = [value for unit in units for value in unit]
    votes = answers(rows).votes() if any(value is not None for row in rows for value in row) else None
    if votes is None:
        return
    result = alpha(votes)
    n = len(pooled)
    expected = sum(a != b for at, a in enumerate(pooled) for to, b in enumerate(pooled) if at != to)
    if not pooled or not expected:
        assert math.isnan(result.value)
        assert result.undefined
        return
    observed = sum(
        sum(a != b for at, a in enumerate(unit) for to, b in enumerate(unit) if at != to) / (len(unit) - 1)
        for unit in units
    )
    assert result.value == pytest.approx(1 - (observed / n) / (expected / (n * (n - 1))), abs=1e-9)


def test_renaming_classes_changes_nothing_but_the_ordinal_scale():
    rows = [[1, 2], [2, 2], [2, 1], [3, 3], [1, 1], [2, 3], [1, 2]]
    renamed = [[{1: 3, 2: 1, 3: 2}[value] for value in row] for row in rows]
    for name in ("percent", "fleiss", "ac1", "alpha"):
        assert agreement(answers(rows).votes(), name).value == pytest.approx(
            agreement(answers(renamed).votes(), name).value
        )
    assert alpha(answers(rows).votes(), "ordinal").value != pytest.approx(
        alpha(answers(renamed).votes(), "ordinal").value
    )


def test_alpha_of_two_classes_is_the_same_for_both():
    votes = answers([[1, 1], [2, 2], [1, 2], [2, 2], [1, 1]]).votes()
    assert [each.value for each in by_class(votes)] == pytest.approx([alpha(votes).value] * 2)


def test_undefined_says_why():
    assert "no item has two answers" in agreement(answers([[1, None], [None, 2]]).votes()).undefined
    assert "one class" in agreement(answers([[1, 1], [1, 1]]).votes()).undefined
    assert agreement(answers([[1, 1], [2, 2]]).votes()).value == 1
    assert "alike" in agreement(answers([[1, 1], [2, 2]]).votes()).undefined


def test_scales_refuse_answers_they_cannot_measure():
    with pytest.raises(OptionError, match="needs numbers"):
        alpha(answers([["a", "b"], ["a", "a"]]).votes(), "interval")
    with pytest.raises(OptionError, match="from 0 up"):
        alpha(answers([[-1, 2], [2, 2]]).votes(), "ratio")


@pytest.mark.parametrize(("items", "people", "right"), [(30, 3, 0.8), (60, 5, 0.9)])
def test_intervals_of_alpha_cover(items, people, right):
    rng = np.random.default_rng(3)

    def drawn(n):
        truth = rng.integers(0, 3, n)
        table = np.where(rng.random((n, people)) < right, truth[:, None], rng.integers(0, 3, (n, people)))
        counts = np.stack([(table == code).sum(axis=1) for code in range(3)], axis=1)
        item, answer = np.nonzero(counts)
        from justesse.core.annotations import Votes

        return Votes(item, answer, counts[item, answer], n, (0, 1, 2))

    true = alpha(drawn(200_000)).value
    hits = [
        interval.low <= true <= interval.high
        for interval in (alpha(drawn(items)).interval for _ in range(400))
        if interval
    ]
    assert 0.92 <= np.mean(hits) <= 0.99


@pytest.mark.parametrize(("k", "n"), [(2, 40), (5, 300), (10, 20_000), (10, 30_000), (100, 500)])
def test_alpha_of_a_table_of_counts_is_alpha_of_the_votes(k, n):
    """In one pass over blocks of items, with answers missing and items of one answer or none."""
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(n), 5)
    kept = rng.random(len(item)) < 0.5
    truth = rng.integers(0, k, n)
    answers = np.where(rng.random(5 * n) < 0.7, truth[item], rng.integers(0, k, 5 * n))
    who = np.tile(np.arange(5), n)
    notes = Annotations.sorted(range(n), range(5), tuple(range(k)), item[kept], who[kept], answers[kept])
    expected, value = agreement(notes.votes(), "alpha"), alpha_of_counts(notes.vote_table())
    assert value.n == expected.n
    assert value.value == pytest.approx(expected.value, abs=1e-12)
    assert value.interval.low == pytest.approx(expected.interval.low, abs=1e-12)
    assert value.interval.high == pytest.approx(expected.interval.high, abs=1e-12)
    assert (notes.vote_table() == notes.votes().dense()).all()


def test_alpha_of_counts_is_undefined_without_two_answers_or_two_classes():
    assert "no item" in alpha_of_counts(np.array([[1, 0], [0, 1]])).undefined
    assert "one class" in alpha_of_counts(np.array([[2, 0], [3, 0]])).undefined
    assert "one item" in alpha_of_counts(np.array([[2, 1], [1, 0]])).undefined
