"""Labels that were rarely asked, figures without labels, and estimates that stay inside their bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.charts.score_matrix import DARK, score_matrix_chart
from justesse.core.errors import InputError, MissingValueError
from justesse.core.results import Interval
from justesse.intervals.wilson import wilson
from justesse.lifelong.asked_labels import AskedRows, asked_difference, weighted_share
from justesse.lifelong.missing_labels import within_bounds
from justesse.verbs.lifelong.compare import lifelong_compare
from justesse.verbs.lifelong.score import lifelong_score


def rows(labels, predictions, times=None, version="a", **more):
    size = len(labels)
    times = [1] * size if times is None else times
    return {
        "id": list(range(size)), "version": [version] * size, "time": list(times),
        "label": list(labels), "prediction": list(predictions), **more,
    }  # fmt: skip


def test_rows_rarely_asked_widen_the_interval_though_none_is_wrong():
    """64 rows asked with 0.8, 19 wrong; 16 asked with 0.05, none wrong. Oracle: strata with Wilson's intervals, MOVER."""
    weights = np.r_[np.full(64, 1.25), np.full(16, 20.0)]
    wrong = np.r_[np.ones(19), np.zeros(61)]
    share, ends = weighted_share(wrong * weights, weights, heaviest=20.0, level=0.95)
    size, parts = np.array([0.2, 0.8]), np.array([19 / 64, 0.0])
    strata = wilson(np.array([19.0, 0.0]), np.array([64.0, 16.0]))
    assert share == pytest.approx(size @ parts)
    assert ends.high[0] >= share + np.sqrt((size**2 * (strata.high - parts) ** 2).sum())
    assert ends.low[0] <= share - np.sqrt((size**2 * (parts - strata.low) ** 2).sum())


def test_a_difference_on_rows_often_asked_alone_decides_nothing():
    zero = np.zeros(3, dtype=int)
    asked = AskedRows(zero, zero, zero, np.array([1.0, 0, 0]), np.array([1.25, 1.25, 20.0]), np.array([16, 48, 16]))
    value, interval = asked_difference(asked, [0], np.array([1.0]))
    assert value == pytest.approx(0.05)
    assert interval.low < 0 < interval.high


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.floats(0.02, 1.0)), min_size=2, max_size=30))
def test_an_allowance_never_narrows(asked):
    wrong, chance = (np.array(part, dtype=float) for part in zip(*asked, strict=True))
    weights = 1 / chance
    plain, wide = (weighted_share(wrong * weights, weights, heaviest=h, level=0.9) for h in (0.0, weights.max()))
    assert wide[0] == plain[0]
    assert wide[1].low[0] <= plain[1].low[0] <= plain[1].high[0] <= wide[1].high[0]


@settings(max_examples=50, deadline=None)
@given(st.floats(0, 1), st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_an_estimate_stays_inside_its_bounds(value, ends):
    low, first, last, high = sorted(ends[:4])
    interval = Interval(min(value, ends[4]), max(value, ends[5]), 0.95, "asked", (0.0, 1.0))
    kept, inside = within_bounds(value, interval, first, last, Interval(low, high, 0.95, "bounds", (0.0, 1.0)))
    assert first <= kept <= last
    assert low <= inside.low <= kept <= inside.high <= high


def test_a_difference_that_no_missing_label_can_move_is_exact():
    """100 items; both answer alike where labels are missing: the difference is 4 points, whatever the probabilities."""
    labels = ["x"] * 80 + [None] * 20
    first, second = ["x"] * 76 + ["y"] * 4 + ["x"] * 20, ["x"] * 100
    asked = {"asked": [0.8] * 80 + [0.8] * 20}
    result = lifelong_compare(rows(labels, first, **asked), rows(labels, second, **asked), probability="asked")
    bounds = result.missing_labels
    assert result.difference.value == pytest.approx(0.04) == bounds.low == bounds.high
    interval = result.difference.interval
    assert (interval.low, interval.high) == pytest.approx((bounds.interval.low, bounds.interval.high))


def test_a_comparison_warns_of_labels_that_were_asked_for_sure_and_are_missing():
    labels = (["x"] * 9 + [None]) * 20
    table = rows(labels, (["x"] * 4 + ["y"]) * 40, asked=[1.0] * 200)
    result = lifelong_compare(table, {**table, "prediction": ["x"] * 200}, probability="asked")
    assert any(line.startswith("20 rows without a label were asked with probability 1") for line in result.warnings)


def versions(labels):
    """Two versions tested on the same items of two periods."""
    first, second = (
        rows(labels, answers * 60, [1, 2] * 60, name) for name, answers in (("v1", ["x", "y"]), ("v2", ["x", "x"]))
    )
    return {name: [*first[name], *second[name]] for name in second}


def test_forgetting_is_bounded_while_labels_are_missing():
    result = lifelong_score(versions([None, "x", "x", "x"] * 30), period=1, missing_labels="bound")
    assert result.transfer
    assert not result.memory
    assert all(np.isnan(figure.value) and figure.undefined for figure in result.transfer)
    assert "labels are missing" in result.transfer[0].undefined
    table = next(section for section in result.document().sections if section.id == "transfer").parts[-1]
    assert "over all labels that the missing ones could have" in table.note
    assert all(low <= high for low, high in (figure.bounds for figure in result.transfer if figure.bounds))
    whole = lifelong_score(versions(["x"] * 120), period=1, missing_labels="bound")
    assert whole.memory
    assert not np.isnan(whole.transfer[0].value)


@pytest.mark.parametrize("compares", [False, True])
def test_the_message_about_missing_labels_names_both_ways(compares):
    table = rows(["x", None], ["x", "x"])
    with pytest.raises(MissingValueError, match="--missing-labels drop.*--missing-labels bound"):
        lifelong_compare(table, table) if compares else lifelong_score(table)


def test_figures_on_pale_cells_are_dark():
    """Cells go from pale to dark between the lowest and the highest score, however near to each other these are."""
    chart = score_matrix_chart(["v1", "v2"], ["a", "b"], [[0.20, 0.21], [0.22, 0.24]], [0, 1]).to_dict()
    inks = {
        point["error"]: layer["mark"]["color"]
        for layer in chart["layer"]
        if layer["mark"]["type"] == "text"
        for point in layer["data"]["values"]
    }
    assert inks == {0.20: DARK, 0.21: DARK, 0.22: DARK, 0.24: "#ffffff"}


def test_rows_of_which_none_was_asked_widen_the_interval():
    """240 rows asked with 0.8; the other 60 with 0.03, and none of them was: it happens once in six times."""
    label = ["x"] * 180 + ["y"] * 12 + [None] * 48 + [None] * 60
    chances = [0.8] * 240 + [0.03] * 60
    estimate = lifelong_score(rows(label, ["x"] * 300, asked=chances), probability="asked").scores[0]
    # as if one more row, of weight 1/0.03, had been wrong
    assert estimate.value == pytest.approx(12 / 192)
    assert estimate.interval.high > (15 + 1 / 0.03) / (240 + 1 / 0.03)
    often = lifelong_score(rows(label[:240], ["x"] * 240, asked=chances[:240]), probability="asked").scores[0]
    assert often.interval.high < 0.12

    other = lifelong_compare(
        rows(label, ["x"] * 300, asked=chances), rows(label, ["x"] * 180 + ["y"] * 60 + ["z"] * 60, asked=chances),
        probability="asked",
    ).difference  # fmt: skip
    assert other.interval.low < 0 < other.value


def test_rows_that_are_never_asked_are_refused():
    table = rows(["x", "x", None], ["x", "x", "x"], asked=[0.5, 0.5, 0.0])
    with pytest.raises(
        InputError, match=r"1 row of .* has a probability below 1e-12 in column 'asked'.*--missing-labels"
    ):
        lifelong_score(table, probability="asked")
    with pytest.raises(InputError, match="never asked"):
        lifelong_compare(table, {**table, "prediction": ["x", "y", "y"]}, probability="asked")
