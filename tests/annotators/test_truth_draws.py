"""Draws of the true classes together with predictions: against enumeration of all true classes, and invariances."""

import itertools

import numpy as np
import pytest
from scipy.special import gammaln

from justesse.annotators.truth_draws import PredictedItems, truth_draws
from justesse.core.annotations import Annotations
from justesse.core.errors import InputError

LINES = ["xxy", "yyy", "xyx", "yxy", "xxx"]
PREDICTED = np.array([0, 1, 1, 1, 0])


def notes_of(lines, names="abc"):
    rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip(names, line, strict=True)]
    return Annotations.of(rows, classes=["x", "y"])


def log_dirichlet_multinomial(counts, prior):
    return gammaln(prior.sum()) - gammaln(prior.sum() + counts.sum()) + (gammaln(prior + counts) - gammaln(prior)).sum()


def enumerated(lines, code, n_codes, right, *, with_predictions=True):
    """Compute the exact posterior mean of the table of true class × prediction, over all 2^n true classes.

    Tables of annotators and of the classifier, and the proportions, are integrated out: all are Dirichlet.
    """
    answers = np.array([["xy".index(letter) for letter in line] for line in lines])
    total, weights = np.zeros((2, n_codes)), []
    tables = []
    for truth in itertools.product([0, 1], repeat=len(lines)):
        truth = np.array(truth)
        log = log_dirichlet_multinomial(np.bincount(truth, minlength=2), np.ones(2))
        for who in range(answers.shape[1]):
            for k in range(2):
                counts = np.bincount(answers[truth == k, who], minlength=2)
                log += log_dirichlet_multinomial(counts, np.full(2, 0.5) + np.eye(2)[k])
        table = np.zeros((2, n_codes))
        np.add.at(table, (truth, code), 1)
        if with_predictions:
            for k in range(2):
                prior = np.full(n_codes, 1 / n_codes)
                prior[right[k]] += 1
                log += log_dirichlet_multinomial(table[k], prior)
        weights.append(log)
        # as the sampler does: classes are named so that the answers are right as often as possible
        same = sum((answers[:, who] == truth).sum() for who in range(3))
        per_class = np.array([[(answers[truth == k] == a).sum() for a in range(2)] for k in range(2)])
        switched = not (np.diagonal(per_class) >= per_class.max(axis=1)).all() and 2 * same < answers.size
        tables.append(table[::-1] if switched else table)
    weights = np.exp(np.array(weights) - max(weights))
    weights /= weights.sum()
    for weight, table in zip(weights, tables, strict=True):
        total += weight * table
    return total


@pytest.mark.parametrize("with_predictions", [True, False])
def test_draws_agree_with_the_enumeration_of_all_true_classes(with_predictions):
    right = np.array([0, 1])
    exact = enumerated(LINES, PREDICTED, 2, right, with_predictions=with_predictions)
    draws = truth_draws(
        notes_of(LINES),
        PredictedItems(PREDICTED, 2, right),
        method="dawid-skene",
        answers_only=not with_predictions,
        draws=4000,
        burn=300,
    )
    assert draws.tables.mean(axis=0) == pytest.approx(exact, abs=0.06)


def test_pairs_of_predictions_agree_with_the_enumeration():
    other = np.array([0, 1, 0, 1, 1])
    code, right = PREDICTED * 2 + other, np.array([0, 3])
    exact = enumerated(LINES, code, 4, right)
    draws = truth_draws(notes_of(LINES), PredictedItems(code, 4, right), method="dawid-skene", draws=4000, burn=300)
    assert draws.tables.mean(axis=0) == pytest.approx(exact, abs=0.06)


def test_without_the_predictions_a_perfect_classifier_looks_wrong():
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=300)
    answers = np.where(rng.random((300, 3)) < 0.7, truth[:, None], 1 - truth[:, None])
    rows = [(item, who, int(answers[item, who])) for item in range(300) for who in range(3)]
    predicted = PredictedItems(truth, 2, np.array([0, 1]))
    notes = Annotations.of(rows)
    share = {}
    for answers_only in (False, True):
        tables = truth_draws(notes, predicted, answers_only=answers_only, draws=100).tables
        share[answers_only] = tables[:, [0, 1], [0, 1]].sum(axis=1).mean() / 300
    assert share[False] > 0.9
    assert share[True] < 0.85


def test_the_order_and_names_of_annotators_do_not_matter_much():
    rng = np.random.default_rng(2)
    lines = ["".join("xy"[int(c if rng.random() < 0.8 else 1 - c)] for _ in range(3)) for c in [0, 1] * 40]
    predicted = PredictedItems(np.array([0, 1] * 40), 2, np.array([0, 1]))
    first = truth_draws(notes_of(lines), predicted, draws=500).tables.mean(axis=0)
    turned = truth_draws(notes_of([line[::-1] for line in lines], "zyw"), predicted, draws=500).tables.mean(axis=0)
    assert first == pytest.approx(turned, abs=1.0)


def test_unanimous_annotators_leave_no_doubt():
    lines = ["xxxxx", "yyyyy"] * 60
    predicted = PredictedItems(np.array([0, 1] * 50 + [1, 0] * 10), 2, np.array([0, 1]))
    tables = truth_draws(notes_of(lines, "abcde"), predicted, draws=100).tables
    assert (tables == np.array([[50, 10], [10, 50]])).all()


def test_the_vote_leaves_ties_out():
    draws = truth_draws(
        notes_of(["xx", "xy", "yy"], "ab"), PredictedItems(np.array([0, 0, 1]), 2, np.array([0, 1])), method="majority"
    )
    assert draws.tables.tolist() == [[[1, 0], [0, 1]]]
    assert draws.undecided == 1


def test_too_many_classes_are_refused():
    notes = Annotations.of([(item, "a", item) for item in range(300)])
    with pytest.raises(InputError, match="300 classes are too many"):
        truth_draws(notes, PredictedItems(np.arange(300), 300, np.arange(300)))
