"""Prediction-powered means: against ppi-python, over every sample, and where strata and tuning must agree."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.prediction_powered import Stratum, label_worth, prediction_powered
from justesse.measures import accuracy
from justesse.noise.recheck import recheck

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "ppi_python.json").read_text())["cases"]


def stratum_of(cells):
    values, proxies, labelled, rest = (np.array(part) for part in zip(*cells, strict=True))
    return Stratum(proxies, labelled + rest, values, proxies, labelled)


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: f"{case['name']}, {case['tuning']}")
def test_ppi_python_gives_the_same(case):
    bounds = (-1.0, 5.0)
    found = prediction_powered([stratum_of(case["cells"])], tuning=case["tuning"], ends="normal", bounds=bounds)
    assert found.value == pytest.approx(case["value"], abs=1e-9)
    assert found.interval.low == pytest.approx(case["low"], abs=1e-9)
    assert found.interval.high == pytest.approx(case["high"], abs=1e-9)


def test_golden_value_by_hand():
    """0.86 by pseudo-labels; 9 of 200 are too low, 3 too high: 0.86 + 6/200 = 0.89."""
    rows = Stratum([1, 0], [8600, 1400], [1, 0, 0, 1], [1, 1, 0, 0], [169, 3, 19, 9])
    found = prediction_powered([rows], tuning="plain")
    assert found.value == pytest.approx(0.89)
    assert found.bias == pytest.approx(-0.03)
    assert found.bias_interval.low < -0.03 < found.bias_interval.high


@pytest.mark.parametrize("size", [2, 3, 5])
def test_plain_is_unbiased_over_every_sample(size):
    truth = np.array([1, 1, 0, 1, 0, 0, 1, 2, 1])
    proxy = np.array([1, 0, 0, 1, 1, 0, 2, 2, 0])
    found = [
        prediction_powered(
            [Stratum(proxy, np.ones(9), truth[list(at)], proxy[list(at)], np.ones(size))],
            tuning="plain",
            bounds=(0, 2),
        ).value
        for at in combinations(range(9), size)
    ]
    assert np.mean(found) == pytest.approx(truth.mean())


def test_strata_of_the_kinds_are_the_re_checked_sample():
    """Where the label agrees with the prediction and where not: the same number, with the same interval."""
    whole = Tally.from_dense([[4300, 700], [700, 4300]], ["a", "b"])
    cells = [("a", "a", "a", 84), ("b", "a", "a", 2), ("b", "a", "b", 4), ("a", "a", "b", 10)]
    cells += [("b", "b", "b", 85), ("a", "b", "b", 1), ("a", "b", "a", 5), ("b", "b", "a", 9)]
    expected = recheck(whole, Tally.of(["true", "label", "prediction"], cells), [accuracy]).figures[0]
    strata = [Stratum([1], [8600], [1, 0], [1, 1], [169, 3]), Stratum([0], [1400], [1, 0], [0, 0], [9, 19])]
    found = prediction_powered(strata)
    assert found.value == pytest.approx(expected.value)
    assert found.interval.low == pytest.approx(expected.interval.low)
    assert found.interval.high == pytest.approx(expected.interval.high)


counts = st.integers(min_value=0, max_value=60)


@given(st.lists(st.tuples(counts, counts), min_size=4, max_size=4), st.sampled_from(["plain", "power", "none"]))
def test_whatever_the_counts(pairs, tuning):
    cells = [(v, p, *pair) for (v, p), pair in zip([(1, 1), (0, 1), (0, 0), (1, 0)], pairs, strict=True)]
    if sum(cell[2] for cell in cells) < 2:
        with pytest.raises(OptionError, match="At least two rows"):
            prediction_powered([stratum_of(cells)], tuning=tuning)
        return
    for about in ("population", "rows"):
        found = prediction_powered([stratum_of(cells)], tuning=tuning, about=about)
        interval = found.interval
        assert interval.unclipped_low <= found.value <= interval.unclipped_high
        assert found.bias_interval.unclipped_low <= found.bias + 1e-12
        assert found.bias <= found.bias_interval.unclipped_high + 1e-12
        wider = prediction_powered([stratum_of(cells)], tuning=tuning, about=about, level=0.99).interval
        assert wider.unclipped_low <= interval.unclipped_low + 1e-12
        assert wider.unclipped_high >= interval.unclipped_high - 1e-12
    if all(cell[3] == 0 for cell in cells):  # every row labelled: these rows are known
        assert interval.unclipped_high - interval.unclipped_low == pytest.approx(0)


def test_pseudo_labels_that_are_right_are_worth_all_rows():
    found = prediction_powered([stratum_of([(1, 1, 90, 8910), (0, 0, 10, 990)])], ends="normal")
    assert found.worth == pytest.approx(10_000)
    assert found.bias == 0


def test_useless_pseudo_labels_are_left_out():
    found = prediction_powered([stratum_of([(1, 1, 25, 250), (0, 1, 25, 250), (0, 0, 25, 250), (1, 0, 25, 250)])])
    assert found.tuning == (0.0,)
    assert found.worth == pytest.approx(100)


def test_a_stratum_without_a_labelled_row_may_hold_anything():
    strata = [Stratum([1], [900], [1, 0], [1, 1], [95, 5]), Stratum([0], [100], [], [], [])]
    found = prediction_powered(strata, about="rows")
    assert found.unseen == 100
    assert found.value == pytest.approx(0.9 * 0.95)
    assert found.interval.high > found.value + 0.1
    with pytest.raises(OptionError, match="labelled rows in every stratum"):
        prediction_powered(strata, ends="normal")


def test_one_sided_bounds_leave_the_other_side_open():
    rows = [stratum_of([(1, 1, 80, 800), (0, 1, 5, 40), (0, 0, 10, 100), (1, 0, 5, 30)])]
    low = prediction_powered(rows, alternative="greater")
    assert low.interval.low == pytest.approx(prediction_powered(rows, level=0.9).interval.low)
    assert low.interval.high == 1
    assert np.isnan(low.worth)
    assert low.bias_interval.alternative == "less"


def test_more_labelled_rows_than_rows_are_refused():
    with pytest.raises(OptionError, match="5 labelled rows, but only 3"):
        prediction_powered([Stratum([1], [3], [1], [1], [5])])
    with pytest.raises(OptionError, match="tuning must be one of"):
        prediction_powered([stratum_of([(1, 1, 5, 5)])], tuning="best")


def test_the_worth_of_labels_grows_with_the_square_of_the_width():
    rows = [stratum_of([(1, 1, 80, 8000), (0, 0, 20, 2000)])]
    found = prediction_powered(rows)
    assert label_worth(100, found.alone, found.alone) == 100
    assert found.worth > 100


def test_rows_with_some_units_labelled_are_not_known_exactly():
    """Two units a row, one of each labelled: by hand, the variance of units drawn in pairs (Cochran 1977, 10.3)."""
    rng = np.random.default_rng(4)
    hits, n = 0, 80
    for _ in range(200):
        units = (rng.random((n, 2)) < 0.5).astype(float)
        seen = units[:, 0]
        values, many = np.unique(seen, return_counts=True)
        rows = Stratum([0.5], [n], values, np.full(len(values), 0.5), many, known=n / 2)
        ends = prediction_powered([rows], about="rows", tuning="none").interval
        by_hand = 1.96 * np.sqrt(0.5 * seen.var() / n)
        assert ends.high - ends.low >= 2 * by_hand
        hits += ends.low <= units.mean() <= ends.high
    assert hits >= 185
    whole = Stratum([0.5], [n], values, np.full(len(values), 0.5), many)
    exact = prediction_powered([whole], about="rows", tuning="none").interval
    assert exact.low == pytest.approx(exact.high)
