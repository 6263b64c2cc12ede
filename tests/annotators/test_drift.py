"""Trends of annotators over time: none where accuracy is constant and only the number of other answers changes."""

import numpy as np
import pytest

from justesse.annotators.drift import drifts
from justesse.annotators.models import fitted
from justesse.core.annotations import Annotations

N, OTHERS = 200, 5


def answers(rng, gold=False):
    """Annotator 0 answers all items; five others the first half, one of them at random each item of the second."""
    truth = rng.integers(0, 2, N)
    given = np.where(rng.random((N, OTHERS + 1)) < 0.8, truth[:, None], 1 - truth[:, None])
    asked = np.ones((N, OTHERS + 1), dtype=bool)
    asked[N // 2 :, 1:] = np.eye(OTHERS, dtype=bool)[rng.integers(0, OTHERS, N // 2)]
    item, annotator = np.nonzero(asked)
    return Annotations.sorted(
        range(N), range(OTHERS + 1), (0, 1), item, annotator, given[asked], time=item.astype(float),
        gold=truth if gold else None,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["majority", "weighted"])
def test_fewer_other_answers_are_no_trend(method):
    rng = np.random.default_rng(5)
    pvalues = [drifts(fitted(method, answers(rng)))[0].pvalue for _ in range(200)]
    assert np.mean(np.array(pvalues) < 0.05) < 0.1  # 5 % and three standard errors


def test_votes_are_judged_by_the_share_of_other_answers_that_agree():
    notes = answers(np.random.default_rng(6))
    agree = []
    for place in np.flatnonzero(notes.annotator == 0):
        others = notes.answer[(notes.item == notes.item[place]) & (notes.annotator != 0)]
        agree.append(np.mean(others == notes.answer[place]))
    assert drifts(fitted("majority", notes))[0].accuracy == pytest.approx(np.reshape(agree, (5, -1)).mean(axis=1))


def test_items_that_nobody_else_answered_do_not_judge():
    item, who = np.array([*range(60), *range(30)]), np.array([0] * 60 + [1] * 30)
    notes = Annotations.sorted(range(60), "ab", (0, 1), item, who, item % 2, time=item.astype(float))
    assert [(each.annotator, each.n) for each in drifts(fitted("majority", notes))] == [(0, 30), (1, 30)]


def test_known_classes_judge_votes():
    notes = answers(np.random.default_rng(7), gold=True)
    mine = notes.annotator == 0
    right = notes.answer[mine] == notes.gold[notes.item[mine]]
    assert drifts(fitted("majority", notes))[0].accuracy == pytest.approx(right.reshape(5, -1).mean(axis=1))
