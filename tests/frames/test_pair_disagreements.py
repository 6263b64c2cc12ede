"""Disputed rows of all pairs, against counting row by row."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from justesse.frames.pair_disagreements import count_disagreements


def by_hand(label, true, one, other):
    found = np.zeros((3, 3), dtype=int)
    for said, so, first, second in zip(label, true, one, other, strict=True):
        if first != second:
            found[int(second == said) - int(first == said) + 1, int(second == so) - int(first == so) + 1] += 1
    return found


@given(seed=st.integers(0, 10_000), classes=st.integers(1, 4), rows=st.integers(1, 60), many=st.integers(1, 5))
def test_every_pair_is_counted_as_row_by_row(seed, classes, rows, many):
    rng = np.random.default_rng(seed)
    label, true = rng.integers(classes, size=(2, rows))
    answers = rng.integers(classes, size=(many, rows))
    found = count_disagreements(label, true, answers)
    for i in range(many):
        for j in range(many):
            assert found[i, j].tolist() == by_hand(label, true, answers[i], answers[j]).tolist()


def test_the_difference_is_that_of_the_accuracies():
    rng = np.random.default_rng(0)
    label, true = rng.integers(10, size=(2, 3000))
    answers = rng.integers(10, size=(6, 3000))
    found = count_disagreements(label, true, answers)
    worth = np.array([-1, 0, 1])
    right = (answers == true).sum(axis=1)
    assert (found.sum(axis=2) @ worth).tolist() == (right[None, :] - right[:, None]).tolist()
