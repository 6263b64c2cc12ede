"""Probabilities that were rounded when they were written."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import justesse
from justesse.core.errors import JustesseError, ScoreError
from justesse.frames.item_probabilities import item_probabilities
from justesse.frames.label_scores import label_scores
from justesse.frames.rounded_probabilities import digits_written, normalised, rounding_error

CLASSES = ("a", "b", "c")


def shares(n=400, k=3, seed=5):
    return np.random.default_rng(seed).dirichlet(np.ones(k), size=n)


def frame(values, seed=6):
    rng = np.random.default_rng(seed)
    labels = [CLASSES[row.argmax() if rng.random() < 0.8 else 0] for row in values]
    return pd.DataFrame(
        {"id": range(len(values)), "label": labels} | {f"p_{c}": values[:, at] for at, c in enumerate(CLASSES)}
    )


@given(st.integers(2, 40), st.integers(2, 6), st.integers(0, 1000))
def test_whatever_rounding_does_is_accepted_and_normalised(k, digits, seed):
    exact = shares(30, k, seed)
    rounded = exact.round(digits)
    if np.abs(rounded.sum(axis=1) - 1).max() > 0.05:
        return
    values, sums = normalised(rounded, range(k))
    if sums is not None:
        assert values.sum(axis=1) == pytest.approx(1, abs=1e-12)
        assert sums.digits <= digits
    assert np.abs(values.sum(axis=1) - 1).max() <= 1e-4
    assert np.abs(values - exact).max() <= (k + 1) * 0.5 * 10.0**-digits / 0.9


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([0.3333, 0.3333, 0.3332], None),  # 0.9998: more than three half units of the fourth digit
        ([0.5, 0.4, 0.0], None),
        ([0.33, 0.33, 0.30], None),
        ([0.9, 0.0, 0.0], None),
    ],
)
def test_a_sum_that_rounding_does_not_explain_is_refused(row, words):
    with pytest.raises(ScoreError, match=r"do not add up to 1 in 1 row of t\.csv, first in row 2; .* four digits"):
        normalised(np.array([[0.25, 0.25, 0.5], row]), CLASSES, "t.csv")


def test_sums_within_reach_are_left_alone():
    values = shares().astype(np.float32).astype(float)
    same, rounded = normalised(values, CLASSES)
    assert same is values
    assert rounded is None


def test_digits_are_those_written():
    assert digits_written(np.array([[0.25, 0.75], [1.0, 0.0]])) == 2
    assert digits_written(np.array([0.1, 0.2], dtype=np.float32)) == 1
    assert digits_written(shares()) is None
    assert rounding_error(np.array([[0.25, 0.75]])) == pytest.approx(0.01, abs=1e-8)
    assert rounding_error(np.full((1, 100), 0.01)) == pytest.approx(0.05, abs=1e-8)  # at most


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_commands_read_rounded_probabilities_and_say_so(tmp_path, digits):
    exact = shares()
    assert np.abs(exact.round(digits).sum(axis=1) - 1).max() > 0.5 * 10.0**-digits
    path = tmp_path / "rounded.csv"
    frame(exact).round(digits).to_csv(path, index=False)
    words = f"rounded to {digits} digits and do not add up to 1"
    evaluated = justesse.evaluate(str(path), proba="p_")
    assert any(words in warning for warning in evaluated.warnings)
    precise = justesse.evaluate(frame(exact), proba="p_")
    assert not any("rounded" in warning for warning in precise.warnings)
    loss, near = (next(e.value for e in result.estimates if e.name == "log_loss") for result in (evaluated, precise))
    assert loss == pytest.approx(near, rel=0.05)
    assert any(words in warning for warning in justesse.clean(str(path), label="label", proba="p_").warnings)
    estimated = justesse.noise_estimate(str(path), label="label", proba="p_", source="clean")
    assert any(words in warning for warning in estimated.warnings)
    shifted = justesse.evaluate_unlabelled(str(path), reference=str(path), label="label", proba="p_")
    assert sum(words in warning for warning in shifted.warnings) == 2


def test_plans_and_items_read_rounded_probabilities():
    values = np.array([[0.334, 0.333, 0.335], [0.25, 0.25, 0.49]]).round(2)  # 0.33 + 0.33 + 0.34, and 0.99
    rows = {"id": [1, 2], "prediction": ["a", "b"]} | {f"p_{c}": values[:, at] for at, c in enumerate(CLASSES)}
    scores = label_scores(rows, on=None, prediction=None, label=None, proba="p_").scores
    assert scores.tolist() == pytest.approx([1 - 0.33, 1 - 0.25 / 0.99], rel=1e-9)
    table = {"item": [1]} | {c: [value] for c, value in zip("abcde", [0.21, 0.19, 0.19, 0.19, 0.2], strict=True)}
    assert item_probabilities(table, [1], "abcde").sum() == pytest.approx(1)  # 0.98 was refused
    with pytest.raises(JustesseError, match="row 1"):
        item_probabilities({**table, "a": [0.1]}, [1], "abcde")


def test_the_row_is_that_of_the_file(tmp_path):
    """Rows without a label are left out, but still count as rows of the file."""
    rows = frame(shares(20))
    rows["label"] = rows.label.astype(object)
    rows.loc[0, "label"] = None
    rows.loc[4, "p_a"] = 0.0
    path = tmp_path / "gaps.csv"
    rows.to_csv(path, index=False)
    with pytest.raises(JustesseError, match=r"of .*gaps\.csv, first in row 5; largest deviation .* \(row 5\)"):
        justesse.evaluate(str(path), proba="p_", missing="drop")
    rows = frame(shares(20))
    rows.loc[7, "label"] = "zebra"
    rows.to_csv(path, index=False)
    with pytest.raises(JustesseError, match=r"class 'zebra' in .*gaps\.csv, which is the label first in row 8"):
        justesse.clean(str(path), label="label", proba="p_")
