"""Probabilities that labels are wrong, what is done with flagged rows, and how good a filter is."""

from typing import get_args

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from cleaning.oracles.data import drawn_probabilities
from justesse.cleaning import filter_named
from justesse.cleaning.altered import altered, optimism
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.known_truth import filter_quality
from justesse.cleaning.probability_wrong import AuditedRows, log_odds, probability_wrong
from justesse.core.choices import CleaningAction
from justesse.core.errors import OptionError

LABELS, SHARES = drawn_probabilities(2)
EVIDENCE = LabelEvidence(LABELS, tuple("abcde"), SHARES)
FOUND = filter_named("confident-learning")(EVIDENCE)


def test_probabilities_add_up_to_the_wrong_rows_of_the_joint():
    result = probability_wrong(EVIDENCE, FOUND)
    assert result.basis == "confident joint"
    joint = np.array(FOUND.facts["joint"])
    for label, rows in enumerate(joint.sum(axis=1)):
        expected = (rows - joint[label, label] + 0.5) / (rows + 1)
        assert result.rates[label] == pytest.approx(expected, abs=1e-9)


def test_probabilities_keep_the_order_of_the_scores_within_a_label():
    values = probability_wrong(EVIDENCE, FOUND).values
    for label in range(5):
        own = label == LABELS
        assert np.all(np.diff(values[own][np.argsort(FOUND.score[own])]) >= -1e-12)


def test_audited_rows_give_calibrated_probabilities_where_the_joint_does_not():
    rng = np.random.default_rng(0)
    n = 20_000
    chance = rng.beta(0.3, 3, n)
    wrong = rng.random(n) < chance  # the score is 1 - p(label) of a model that is far too sure
    odds = 3 * log_odds(chance) + 3
    score = 1 / (1 + np.exp(-odds))
    shares = np.column_stack([1 - score, score])
    rows = LabelEvidence(np.zeros(n, dtype=int), ("a", "b"), shares)
    found = filter_named("classification")(rows)
    asked = rng.choice(n, 2000, replace=False)
    result = probability_wrong(rows, found, AuditedRows(asked, wrong[asked], np.full(2000, 0.1)))
    assert (result.basis, result.audited, result.audited_wrong) == ("audited rows", 2000, wrong[asked].sum())
    for low, high in ((0, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 1)):
        within = (chance >= low) & (chance < high)
        assert result.values[within].mean() == pytest.approx(wrong[within].mean(), abs=0.04)
    by_joint = probability_wrong(rows, found)
    assert abs(by_joint.rate - wrong.mean()) > abs(result.rate - wrong.mean())


def test_the_line_of_audited_rows_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    n = 5000
    score = rng.random(n)
    odds = log_odds(score)
    wrong = rng.random(n) < 1 / (1 + np.exp(1 - 0.7 * odds))
    chances = np.where(score > 0.5, 1.0, 0.25)
    rows = LabelEvidence(np.zeros(n, dtype=int), ("a", "b"), np.column_stack([1 - score, score]))
    found = filter_named("classification")(rows)
    result = probability_wrong(rows, found, AuditedRows(np.arange(n), wrong, chances)).values
    peer = LogisticRegression(C=1e6).fit(odds[:, None], wrong, sample_weight=1 / chances)
    np.testing.assert_allclose(result, peer.predict_proba(odds[:, None])[:, 1], atol=0.005)


@pytest.mark.parametrize("all_wrong", [True, False])
def test_audited_rows_of_one_kind_do_not_make_anything_certain(all_wrong):
    asked = np.arange(12)
    result = probability_wrong(EVIDENCE, FOUND, AuditedRows(asked, np.full(12, all_wrong), np.ones(12))).values
    assert result.min() > 0
    assert result.max() < 1


def test_without_probabilities_and_audited_rows_there_is_none():
    rows = LabelEvidence([0, 1, 0], ("a", "b"), history=[[1.0], [-1.0], [0.5]])
    found = filter_named("forgetting")(rows)
    result = probability_wrong(rows, found)
    assert (result.basis, np.isnan(result.values).all()) == ("nothing", True)
    with pytest.raises(OptionError, match="Weights need a probability"):
        altered(rows, found, result, "weight")
    with pytest.raises(OptionError, match="names no other class"):
        altered(rows, found, result, "correct")


@pytest.mark.parametrize("action", get_args(CleaningAction))
def test_an_action_touches_flagged_rows_only(action):
    wrong = probability_wrong(EVIDENCE, FOUND)
    made = altered(EVIDENCE, FOUND, wrong, action)
    rest = ~FOUND.flagged
    assert np.array_equal(made.labels[rest], LABELS[rest])
    assert made.kept[rest].all()
    assert (made.weights[rest] == 1).all()
    changed = (made.labels != LABELS) | ~made.kept | (made.weights < 1)
    assert changed[FOUND.flagged].all() == (action != "flag")


def test_cleaning_flatters_the_classifier_that_cleaned():
    rng = np.random.default_rng(3)
    n = 20_000
    true = rng.integers(0, 2, n)
    labels = np.where(rng.random(n) < 0.05, 1 - true, true)
    evidence_of = true + rng.normal(0, 0.6, n)
    share = 1 / (1 + np.exp(-(evidence_of - 0.5) / 0.36))  # calibrated to the true classes
    rows = LabelEvidence(labels, ("a", "b"), np.column_stack([1 - share, share]))
    found = filter_named("classification")(rows)
    asked = rng.choice(n, 1500, replace=False)
    wrong = probability_wrong(rows, found, AuditedRows(asked, (labels != true)[asked], np.full(1500, 0.075)))
    for action in ("remove", "correct"):
        result = optimism(rows, found, wrong, altered(rows, found, wrong, action), true)
        assert result.after == 1.0  # every row on which it disagreed is gone
        assert result.true_optimism > 0.15
        assert result.optimism == pytest.approx(result.true_optimism, abs=0.06)


def test_the_rates_of_a_filter_are_those_of_nett():
    from justesse.cleaning.simulated import Nett

    rng = np.random.default_rng(0)
    n = 60_000
    true = rng.integers(0, 4, n)
    labels = np.where(rng.random(n) < 0.3, (true + rng.integers(1, 4, n)) % 4, true)
    cleaned = Nett(0.8, 0.1, None).clean_rows(labels, true, classes=4)
    flagged = cleaned == -1
    suggested = np.where(rng.random(n) < 0.6, true, (true + 1) % 4)
    quality = filter_quality(labels, true, flagged, suggested, tuple("abcd"))
    for estimates, value in ((quality.detection, 0.8), (quality.false_detection, 0.1), (quality.correction, 0.6)):
        assert estimates[0].value == pytest.approx(value, abs=0.01)
        assert estimates[0].interval.low < value < estimates[0].interval.high
        assert [estimate.class_name for estimate in estimates] == [None, *"abcd"]
    assert quality.detection[0].n == int((labels != true).sum())


def test_a_rate_without_rows_says_why():
    quality = filter_quality(np.array([0, 1]), np.array([0, 1]), np.array([False, False]), np.array([0, 1]), ("a", "b"))
    assert quality.detection[0].undefined == "no label is wrong"
    assert quality.correction[0].undefined == "no flagged row has a suggested class"
    assert quality.false_detection[0].value == 0
