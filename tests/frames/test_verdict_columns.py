"""Columns of verdicts and ratings that are refused, instead of left out without a word."""

import numpy as np
import pytest

from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.frames.verdict_table import VerdictColumns
from justesse.frames.verdicts import read_verdicts

SINGLE = {"item": [1, 1, 2, 2], "model": ["A", "B"] * 2, "verdict": [1, 0, 0, 1]}
PAIRS = {"item": [1, 2, 3], "model_1": ["A"] * 3, "model_2": ["B"] * 3, "winner": [1, 2, 1]}


def test_ratings_without_rows_are_refused():
    nobody = {"item": np.array([], dtype=int), "winner": np.array([], dtype=int)}
    with pytest.raises(InputError, match="No rows in"):
        read_verdicts(PAIRS, nobody)


@pytest.mark.parametrize("asked", [{"stratum": "nope"}, {"lengths": ("nope",)}])
def test_an_unknown_column_is_refused_without_ratings(asked):
    with pytest.raises(ColumnError, match="Column 'nope' not found"):
        read_verdicts(SINGLE, None, VerdictColumns(**asked))


def test_the_ratings_may_have_the_stratum():
    ratings = {"item": [1, 2, 3], "winner": [1, 1, 2], "kind": ["a", "b", "a"]}
    assert read_verdicts(PAIRS, ratings, VerdictColumns(stratum="kind")).columns["stratum"] == "kind"


@pytest.mark.parametrize("asked", [{"models": ("model", "item")}, {"swapped": "model"}])
def test_columns_of_pairs_are_refused_for_single_answers(asked):
    with pytest.raises(OptionError, match="is for verdicts on pairs; these are on single answers"):
        read_verdicts(SINGLE, None, VerdictColumns(**asked))


def test_one_model_is_refused_for_pairs():
    with pytest.raises(OptionError, match="is for verdicts on single answers; these are on pairs"):
        read_verdicts(PAIRS, None, VerdictColumns(model="model_1"))


@pytest.mark.parametrize(
    ("lengths", "rows"),
    [
        ([5, -5, 7], "row 2"),
        ([5.0, 6.5, np.inf], "row 3"),
        (["5", "long", ""], "row 2"),
        ([np.nan] * 3, "rows 1, 2, 3"),
    ],
)
@pytest.mark.parametrize("of_people", [False, True])
def test_lengths_that_cannot_be_used_are_named(lengths, rows, of_people):
    columns = {"n_1": [4, 4, 4], "n_2": lengths}
    ratings = {"item": [1, 2, 3], "winner": [1, 1, 2]}
    tables = (PAIRS, {**ratings, **columns}) if of_people else ({**PAIRS, **columns}, None)
    with pytest.raises(InputError, match=f"column 'n_2' of .* cannot be used as lengths: {rows}"):
        read_verdicts(*tables, VerdictColumns(lengths=("n_1", "n_2")))


def test_unknown_lengths_of_some_outputs_are_left_empty():
    table = {**PAIRS, "length_1": [4.0, np.nan, 9.0], "length_2": [5.0, 6.0, 7.0]}
    assert np.isnan(read_verdicts(table).longer).tolist() == [False, True, False]
