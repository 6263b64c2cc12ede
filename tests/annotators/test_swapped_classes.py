"""Annotators worse than guessing, and predictions that are right if the classes are renamed."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.annotators.swapped_classes import GuessingCheck, swapped_classes
from justesse.core.annotations import Annotations


@given(st.lists(st.lists(st.integers(0, 200), min_size=3, max_size=3), min_size=3, max_size=3))
def test_the_best_names_are_those_of_all_permutations(rows):
    table = np.array(rows, dtype=float)
    best = max(sum(table[at, name] for at, name in enumerate(names)) for names in itertools.permutations(range(3)))
    own = np.trace(table)
    swap = swapped_classes(table)
    if swap is None:
        assert best - own <= 4 * np.sqrt(best + own) + 1e-9
    else:
        assert swap.after * table.sum() == pytest.approx(best)
        assert swap.before * table.sum() == pytest.approx(own)


def test_a_prediction_outside_the_classes_is_never_right():
    assert swapped_classes(np.array([[10.0, 80.0, 10.0], [90.0, 10.0, 0.0]])).names == (1, 0)


def test_who_confuses_the_classes_is_named():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 100)
    people = {"good": 0.9, "guesses": 0.5, "confused": 0.2}
    rows = [
        (item, who, int(truth[item] if rng.random() < right else 1 - truth[item]))
        for item in range(100)
        for who, right in people.items()
    ]
    check = GuessingCheck(Annotations.of(rows), rng)
    for _ in range(200):
        check.see(truth)
    assert [each.annotator for each in check.result()] == [2]
    assert check.result()[0].right < 0.3
    assert check.result()[0].guessing == pytest.approx(0.5, abs=0.02)


def test_nobody_is_named_for_few_answers():
    rows = [(item, "a", 1 - item % 2) for item in range(19)] + [(item, "b", item % 2) for item in range(19)]
    check = GuessingCheck(Annotations.of(rows), np.random.default_rng(0))
    for _ in range(100):
        check.see(np.arange(19) % 2)
    assert check.result() == ()
