"""The expected confusion matrix: against nannyml's CBPE, by brute force, and sums that must agree."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from justesse.intervals import expected_confusion as module
from justesse.intervals.expected_confusion import expected_confusion

ORACLES = Path(__file__).parents[1] / "oracles"
sys.path.insert(0, str(ORACLES))
from nannyml_cbpe import CASES, METRICS, rows  # noqa: E402

STORED = {case["name"]: case for case in json.loads((ORACLES / "nannyml_cbpe.json").read_text())["cases"]}
sys.path.remove(str(ORACLES))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_nannyml_gives_the_same(case):
    name, classes, *numbers = case
    (ours, label), (theirs, _) = rows(classes, *numbers)
    result = expected_confusion(ours, label, theirs, theirs.argmax(axis=1), range(classes), draws=100)
    assert np.all(STORED[name]["calibrated"])  # nannyml leaves classes uncalibrated if that seems no worse
    for metric in METRICS:
        of = 1 if classes == 2 and metric != "accuracy" else None
        item = next(item for item in result.estimates if item.name == metric and item.class_name == of)
        assert item.value == pytest.approx(STORED[name][metric], abs=1e-9), metric
        assert item.interval.low < item.value < item.interval.high


def test_scikit_learn_calibrates_the_same():
    (ours, label), (theirs, _) = rows(3, 500, 200, 2.0)
    columns = [
        IsotonicRegression(out_of_bounds="clip").fit(ours[:, at], label == at).predict(theirs[:, at]) for at in range(3)
    ]
    shares = np.stack(columns, axis=1)
    shares /= shares.sum(axis=1, keepdims=True)
    predicted = theirs.argmax(axis=1)
    expected = np.array([[shares[predicted == j, i].sum() for j in range(3)] for i in range(3)])
    result = expected_confusion(ours, label, theirs, predicted, "abc", draws=100)
    assert result.matrix == pytest.approx(expected, abs=1e-9)


def test_sums_are_rows_and_predictions():
    (ours, label), (theirs, _) = rows(3, 300, 150, 2.0)
    predicted = theirs.argmax(axis=1)
    result = expected_confusion(ours, label, theirs, predicted, "abc", draws=100)
    assert result.matrix.sum(axis=0) == pytest.approx(np.bincount(predicted, minlength=3))
    assert result.accuracy.value == pytest.approx(np.trace(result.matrix) / 150)
    assert result.accuracy.n == 150


def test_a_class_that_never_occurs_has_no_recall():
    ours = np.array([[0.6, 0.4, 0.0], [0.3, 0.7, 0.0]] * 50)
    result = expected_confusion(ours, np.array([0, 1] * 50), ours, ours.argmax(axis=1), "abc", draws=100)
    recall = next(item for item in result.estimates if item.name == "recall" and item.class_name == "c")
    assert np.isnan(recall.value)
    assert recall.undefined
    assert recall.interval is None


def test_large_tables_are_resampled_in_part(monkeypatch):
    (ours, label), (theirs, _) = rows(2, 4000, 3000, 2.0)
    whole = expected_confusion(ours, label, theirs, theirs.argmax(axis=1), "ab", draws=200)
    monkeypatch.setattr(module, "CELLS", 2000)
    part = expected_confusion(ours, label, theirs, theirs.argmax(axis=1), "ab", draws=200)
    assert part.accuracy.value == whole.accuracy.value
    widths = [item.accuracy.interval.high - item.accuracy.interval.low for item in (whole, part)]
    assert widths[0] < widths[1]
