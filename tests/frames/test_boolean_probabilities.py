"""Columns of probabilities for boolean labels must be named after true and false."""

import math

import pytest

import justesse
from justesse.core.errors import ColumnError

ROWS = {"label": [True, False] * 20, "prediction": [True, False] * 20}


def test_a_column_that_names_no_boolean_is_refused():
    rows = {**ROWS, "proba_true": [0.9, 0.2] * 20, "proba_false": [0.1, 0.7] * 20, "proba_maybe": [0.0, 0.1] * 20}
    with pytest.raises(ColumnError, match="maybe.* matches no class such as"):
        justesse.evaluate(rows, proba="proba_")


def test_columns_named_true_and_false_are_read():
    rows = {**ROWS, "proba_true": [0.9, 0.2] * 20, "proba_false": [0.1, 0.8] * 20}
    result = justesse.evaluate(rows, proba="proba_")
    assert result["roc_auc", True].value == 1
    assert result["log_loss"].value == pytest.approx(-(math.log(0.9) + math.log(0.8)) / 2)
