"""What a comparison prints about its intervals, its assumptions and its margin agrees with what was computed."""

import numpy as np
import pandas as pd
import pytest

from justesse import compare
from justesse.judges.words import margin_words
from justesse.report.terminal import table_lines

RNG = np.random.default_rng(4)
TRUE = RNG.choice(list("abc"), 600)


def _answers(wrong: float) -> np.ndarray:
    return np.where(RNG.random(600) < wrong, RNG.permutation(TRUE), TRUE)


ROWS = pd.DataFrame({
    "id": range(600), "label": _answers(0.05), "old": _answers(0.3), "new": _answers(0.2), "newer": _answers(0.15)
})  # fmt: skip


def _section(result, name):
    return next(section for section in result.document().sections if section.id == name)


def _tables(section):
    return [part for part in section.parts if hasattr(part, "rows")]


def test_charts_and_tables_name_what_they_are_measured_against_where_labels_and_true_classes_differ():
    rows = ROWS.assign(true=TRUE, site=np.where(ROWS["id"] % 2, "north", "south"))
    result = compare(rows, incumbent="old", candidate=["new", "newer"], by="site")
    titles = {name: str(result.chart(name).to_dict()["title"]) for name in result.drawings()}
    by_truth = {name for name, title in titles.items() if "against the true classes" in title}
    by_labels = {name for name, title in titles.items() if "against the labels" in title}
    assert by_truth == {"difference", "disagreement"}
    assert by_labels == set(titles) - by_truth
    tables = [part for section in result.document().sections for part in section.parts if hasattr(part, "caption")]
    captions = {table.caption for table in tables}
    assert {
        "Accuracy in each slice, against the labels",
        "Each class, against the labels",
        "Where each is right, against the true classes",
        "Predictions that ignore the input, against the labels",
    } <= captions
    plain = compare(rows.drop(columns="true"), incumbent="old", candidate="new", by="site")
    assert not any("against the" in str(plain.chart(name).to_dict()["title"]) for name in plain.drawings())


def test_several_candidates_have_one_interval_of_each_difference():
    """The table of measures repeats the interval that decides, at the level that several candidates need."""
    result = compare(ROWS, incumbent="old", candidate=["new", "newer"])
    table = _tables(_section(result, "difference"))[-1]
    accuracy = next(row for row in result.best.measures if row.counts_errors)
    assert accuracy.difference.interval == result.decisive.difference.interval
    assert [column.title for column in table.columns][4] == "97.5 % CI"
    assert "Intervals are at 97.5 %, because 2 candidates were tried." in str(table.note)


def test_a_judge_that_allows_for_wrong_labels_names_its_interval():
    result = compare(ROWS, incumbent="old", candidate="new", judge="sharp", noise_rate=0.05)
    table = _tables(_section(result, "difference"))[-1]
    assert table.caption == "Measures of both, if the labels are right"
    assert "That of the verdict does not, so it differs." in str(table.note)
    assert result.document().figures[0].note == "the interval allows for wrong labels"
    trusting = compare(ROWS, incumbent="old", candidate="new")
    assert _tables(_section(trusting, "difference"))[-1].caption == "Measures of both"
    assert not trusting.document().figures[0].note


@pytest.mark.parametrize("known", [{"noise_rate": 0.05}, {"audited": True}])
def test_assumptions_say_what_takes_the_labels_as_right(known):
    if "audited" in known:
        known = {"audited": pd.DataFrame({"id": range(60), "true": TRUE[:60]}), "on": "id"}
    said = compare(ROWS, incumbent="old", candidate="new", **known).document().assumptions
    assert "the labels are right" not in said
    assert any(words.startswith("the labels are right, for the verdict and the measures") for words in said)
    plain = compare(ROWS, incumbent="old", candidate="new").document().assumptions
    assert "the labels are right" in plain
    true = compare(ROWS.assign(true=TRUE), incumbent="old", candidate="new", true="true").document().assumptions
    assert "the true classes are right" in true
    assert not any("labels are right" in words for words in true)


def test_bounds_leave_no_cell_empty():
    result = compare(ROWS, incumbent="old", candidate="new", noise_rate=0.05)
    table = _tables(_section(result, "noise"))[0]
    assert all(cell for row in table.rows for cell in row)
    assert any("bounds only" in line for line, _ in table_lines(table, 80))


@pytest.mark.parametrize("margin", [0.001, 0.05, 0.3])
def test_the_margins_named_are_those_at_which_the_verdict_changes(margin):
    first = compare(ROWS, incumbent="old", candidate="new", margin=margin)
    words = margin_words(first.verdict)
    assert words in [str(line) for part in _section(first, "change").parts for line in part.lines]
    low, high = first.verdict.difference.interval.low, first.verdict.difference.interval.high
    assert 0 < low < high
    assert words == (
        f'Verdict by margin: below {low:.4f} "replace"; up to {high:.4f} "cannot tell"; above that "equivalent".'
    )
    for other in (low - 1e-6, low + 1e-6, high - 1e-6, high + 1e-6):
        expected = "replace" if other < low else "cannot_tell" if other < high else "equivalent"
        assert compare(ROWS, incumbent="old", candidate="new", margin=other).verdict.decision == expected


def test_the_band_passes_through_whole_rows():
    """Each point is a whole number of wrong labels, with the range that so many allow."""
    result = compare(ROWS, incumbent="old", candidate="new")
    table = result.verdict.disagreement
    rows = [rate * 600 for rate, _, _ in result.noise.band]
    assert rows == pytest.approx(np.arange(len(rows)))
    for wrong, (_, low, high) in enumerate(result.noise.band):
        assert low == pytest.approx(float(table.relabelled(wrong, towards="incumbent").difference))
        assert high == pytest.approx(float(table.relabelled(wrong, towards="candidate").difference))
