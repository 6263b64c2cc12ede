"""Who repeats a classifier's predictions: planted copies are found, accurate independent annotators are not accused."""

import numpy as np
import pytest

from justesse.annotators.repeated_predictions import repeated_predictions
from justesse.core.annotations import Annotations


def planted(right, k, seed, n=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    wrong = (truth[:, None] + rng.integers(1, k, (n, len(right)))) % k
    answers = np.where(rng.random((n, len(right))) < right, truth[:, None], wrong)
    item, annotator = np.nonzero(np.ones(answers.shape))
    notes = Annotations.sorted(range(n), range(len(right)), tuple(range(k)), item, annotator, answers.ravel())
    return notes, truth, answers, rng


@pytest.mark.parametrize(("people", "k"), [(5, 2), (4, 3), (3, 3)])
def test_copies_are_found(people, k):
    for seed in range(4):
        notes, truth, answers, rng = planted((0.72,) * people, k, seed)
        code = np.where(rng.random(200) < 0.96, answers[:, 1], truth)
        suspects = repeated_predictions(notes, code)
        assert suspects[0].annotator == 1
        assert suspects[0].pvalue < 0.001
        assert suspects[0].share > 0.7


@pytest.mark.parametrize("right", [(0.98, 0.98, 0.7, 0.7), (0.95, 0.9, 0.9), (0.9, 0.8, 0.8, 0.7, 0.6)])
def test_accurate_annotators_are_not_accused_of_copying_an_accurate_classifier(right):
    for seed in range(4):
        notes, truth, _, rng = planted(right, 3, seed)
        code = np.where(rng.random(200) < 0.97, truth, (truth + 1) % 3)
        assert [each for each in repeated_predictions(notes, code) if each.pvalue <= 0.001] == []


def test_missing_predictions_and_strange_classes_are_no_common_items():
    notes, _, answers, _ = planted((0.7,) * 4, 3, 0)
    code = answers[:, 0].copy()
    code[:50], code[50:60] = -1, 3
    suspects = repeated_predictions(notes, code)
    assert (suspects[0].annotator, suspects[0].n, suspects[0].equal) == (0, 140, 140)


def test_two_annotators_cannot_show_it():
    notes, _, answers, _ = planted((0.7, 0.7), 3, 0)
    assert repeated_predictions(notes, answers[:, 0]) == []
