"""Rows for people to re-check, and what their answers say about a filter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.cleaning.recheck import RecheckList, adjudication, recheck_list
from justesse.core.errors import InputError, OptionError


@given(st.integers(2, 80), st.integers(0, 60), st.integers(0, 60), st.floats(0.05, 0.95))
def test_a_list_has_different_rows_of_the_right_strata_and_their_chances(number, suspects, others, share):
    if suspects + others < 2:
        return
    flagged = np.arange(suspects + others) < suspects
    ranking = np.random.default_rng(0).random(len(flagged))
    made = recheck_list(ranking, flagged, number, share=share)
    assert len(np.unique(made.rows)) == len(made.rows) <= number
    assert np.array_equal(flagged[made.rows], made.stratum < 2)
    if number >= len(flagged):
        assert len(made.rows) == len(flagged)
    top = made.rows[made.stratum == 0]
    if len(top):
        left = np.setdiff1d(np.flatnonzero(flagged), top)
        assert ranking[top].min() >= ranking[left].max(initial=-1)
    for stratum in (1, 2):
        own = made.stratum == stratum
        if own.any():
            size = (suspects - len(top)) if stratum == 1 else others
            assert made.chances[own] == pytest.approx(own.sum() / size)


def test_the_weights_of_a_list_add_up_to_all_rows():
    flagged = np.arange(1000) < 120
    made = recheck_list(np.random.default_rng(0).random(1000), flagged, 90)
    assert np.sum(1 / made.chances) == pytest.approx(1000)


@pytest.mark.parametrize(("number", "more", "share"), [(90, 60, 0.5), (90, 5, 0.2), (20, 400, 0.5), (100, 2000, 0.5)])
def test_a_list_that_goes_on_keeps_its_rows_and_stays_random(number, more, share):
    rng = np.random.default_rng(1)
    ranking, flagged = rng.random(1000), rng.random(1000) < 0.12
    first = recheck_list(ranking, flagged, number)
    made = recheck_list(ranking, flagged, more, share=share, earlier=first)
    assert len(made.rows) == len(set(made.rows)) == min(number + more, 1000)
    assert set(first.rows) <= set(made.rows)
    before, now = (dict(zip(part.rows.tolist(), part.stratum.tolist(), strict=True)) for part in (first, made))
    assert before.items() <= now.items()
    assert (made.stratum == 0).sum() == (first.stratum == 0).sum()
    assert (1 / made.chances).sum() == pytest.approx(1000)


def test_every_row_has_the_listed_chance_on_a_list_that_goes_on():
    ranking, flagged = np.linspace(0, 1, 60), np.arange(60) >= 40
    hits, expected = np.zeros(60), np.zeros(60)
    for seed in range(4000):
        first = recheck_list(ranking, flagged, 12, seed=seed)
        made = recheck_list(ranking, flagged, 8, seed=seed, earlier=first)
        hits[made.rows] += 1
    top, below, rest = np.arange(57, 60), np.arange(40, 57), np.arange(40)
    for code, rows in enumerate((top, below, rest)):
        expected[rows] = made.chances[made.stratum == code][0]
    assert hits / 4000 == pytest.approx(expected, abs=0.035)


def test_where_all_rows_are_answered_the_figures_are_exact():
    rng = np.random.default_rng(2)
    flagged, wrong = rng.random(60) < 0.3, rng.random(60) < 0.2
    asked = RecheckList(np.arange(60), np.where(flagged, 0, 2), np.ones(60))
    result = adjudication(flagged, asked, wrong.astype(float))
    values = {estimate.name: estimate for estimate in result.estimates}
    expected = {
        "precision": wrong[flagged].mean(), "recall": flagged[wrong].mean(), "missed": wrong[~flagged].mean(),
        "noise_rate": wrong.mean(),
    }  # fmt: skip
    for name, value in expected.items():
        assert values[name].value == pytest.approx(value)
        assert (values[name].interval.low, values[name].interval.high) == pytest.approx((value, value))


def test_a_list_worked_out_by_hand():
    # 10 flagged, 6 of them wrong, all asked; 4 of 20 others asked, 1 of them wrong: 5 of the 90 others
    flagged = np.arange(100) < 10
    rows = np.concatenate([np.arange(10), [10, 11, 12, 13, *range(14, 30)]])
    wrong = np.array([1] * 6 + [0] * 4 + [1] + [0] * 19, dtype=float)
    result = adjudication(flagged, RecheckList(rows, np.repeat([0, 2], [10, 20]), np.ones(30)), wrong)
    assert result.precision.value == 0.6
    assert result.missed.value == pytest.approx(0.05)
    assert result.recall.value == pytest.approx(6 / (6 + 4.5))
    # recall = 6/(6 + M), and M is all that is not known
    low, high = (90 * end for end in (result.missed.interval.low, result.missed.interval.high))
    assert (result.recall.interval.low, result.recall.interval.high) == pytest.approx((6 / (6 + high), 6 / (6 + low)))


def test_rows_without_answer_count_as_not_answered():
    flagged = np.arange(20) < 10
    asked = RecheckList(np.arange(20), np.where(flagged, 0, 2), np.ones(20))
    wrong = np.array([1.0, 0] * 5 + [np.nan] * 5 + [0.0] * 5)
    result = adjudication(flagged, asked, wrong)
    assert [(part.rows, part.answered) for part in result.strata] == [(10, 10), (0, 0), (10, 5)]
    assert result.missed.interval.high > 0


def test_without_rows_that_were_not_flagged_recall_is_undefined():
    flagged = np.arange(20) < 10
    result = adjudication(flagged, RecheckList(np.arange(10), np.zeros(10, int), np.ones(10)), np.ones(10))
    assert result.precision.value == 1
    assert result.recall.undefined == "rows of every kind must be re-checked"
    assert result.missed.undefined == "no row that was not flagged was re-checked"


def test_bad_lists_are_refused():
    flagged = np.arange(20) < 10
    with pytest.raises(OptionError, match="recheck must be 2 or more"):
        recheck_list(np.zeros(20), flagged, 1)
    with pytest.raises(OptionError, match="recheck_share"):
        recheck_list(np.zeros(20), flagged, 5, share=1.0)
    with pytest.raises(InputError, match="twice"):
        adjudication(flagged, RecheckList(np.array([1, 1]), np.array([0, 0]), np.ones(2)), np.ones(2))
    with pytest.raises(InputError, match="other flags"):
        adjudication(flagged, RecheckList(np.array([1, 2]), np.array([0, 2]), np.ones(2)), np.ones(2))
