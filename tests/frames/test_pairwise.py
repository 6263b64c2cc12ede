"""All pairs at once: the same five counts as one pair after another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from justesse.core.case import Disagreement
from justesse.core.errors import InputError
from justesse.frames.pairwise import count_pairs

RNG = np.random.default_rng(0)


def one_by_one(label, answers) -> dict[str, np.ndarray]:
    """The oracle: compare row by row, pair by pair."""
    many = len(answers)
    found = {name: np.zeros((many, many), dtype=int) for name in Disagreement(0, 0, 0, 0, 0).to_dict()}
    for i, one in enumerate(answers):
        for j, other in enumerate(answers):
            first, second = one == label, other == label
            parts = {
                "both_right": first & second,
                "only_incumbent": first & ~second,
                "only_candidate": ~first & second,
                "both_wrong_alike": ~first & ~second & (one == other),
                "both_wrong_differently": ~first & ~second & (one != other),
            }
            for name, where in parts.items():
                found[name][i, j] = where.sum()
    return found


def check(label, answers) -> None:
    found = count_pairs(label, answers)
    for name, wanted in one_by_one(np.asarray(label), np.asarray(answers)).items():
        np.testing.assert_array_equal(getattr(found, name), wanted, err_msg=name)
    np.testing.assert_array_equal(found.n, np.size(label))


def drawn(classes: int, rows: int, many: int, low: int = 0) -> tuple[np.ndarray, np.ndarray]:
    label = RNG.integers(low, low + classes, size=rows)
    skills = RNG.uniform(0.2, 0.95, size=(many, 1))
    guesses = RNG.integers(low, low + classes, size=(many, rows))
    return label, np.where(RNG.random((many, rows)) < skills, label, guesses)


@pytest.mark.parametrize("rows", [1, 7, 8, 63, 64, 65, 128, 1000])
def test_words_of_64_rows_and_their_edges(rows):
    check(*drawn(3, rows, 4))


@pytest.mark.parametrize("classes", [1, 2, 3, 255, 256, 257, 300, 70_000])
def test_any_number_of_classes(classes):
    check(*drawn(classes, 500, 5))


@pytest.mark.parametrize("low", [-1, -300, -(2**40), 2**40])
def test_codes_need_not_start_at_zero(low):
    check(*drawn(5, 200, 4, low))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint64, np.int64])
def test_any_whole_type(kind):
    label, answers = drawn(100, 300, 4)
    check(label.astype(kind), answers.astype(kind))


def test_types_may_differ():
    label, answers = drawn(100, 300, 4)
    check(label.astype(np.uint8), answers - 50)
    check(label - 50, answers.astype(np.uint8))
    check((label - 50).astype(np.int8), (answers - 50).astype(np.int8))
    check((2 * label - 100).astype(np.int8), (2 * answers - 100).astype(np.int8))


def test_one_classifier_against_itself():
    label, answers = drawn(4, 100, 1)
    found = count_pairs(label, answers)
    assert found.both_right.shape == (1, 1)
    assert found.only_incumbent.tolist() == found.only_candidate.tolist() == [[0]]
    check(label, answers)


def test_all_right_all_wrong_all_alike():
    label = np.array([0, 1, 2, 0])
    check(label, [label, label])
    check(label, [label + 1, label + 1])
    check(label, [label, label + 1, np.zeros(4, dtype=int)])


def test_a_mirror_image():
    found = count_pairs(*drawn(4, 500, 6))
    np.testing.assert_array_equal(found.only_incumbent, found.only_candidate.T)
    for part in (found.both_right, found.both_wrong_alike, found.both_wrong_differently):
        np.testing.assert_array_equal(part, part.T)
    assert np.all(np.diagonal(found.difference) == 0)


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(np.int64, hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=70), elements=st.integers(-3, 3))
)
def test_any_table(table):
    check(table[0], table)


@pytest.mark.parametrize(
    ("label", "answers", "message"),
    [
        ([0, 1], [0, 1], r"Answers need one row of 2 per classifier; got shape \(2,\)"),
        ([0, 1], [[0, 1, 1]], r"got shape \(1, 3\)"),
        ([0.0, 1.0], [[0, 1]], "coded as whole numbers"),
        ([0, 1], [[0.5, 1]], "coded as whole numbers"),
        (["a", "b"], [["a", "b"]], "coded as whole numbers. Use justesse.count for class names"),
        ([True, False], [[True, False]], "coded as whole numbers"),
    ],
)
def test_what_cannot_be_counted(label, answers, message):
    with pytest.raises(InputError, match=message):
        count_pairs(label, answers)
