"""Who is the best annotator, and how right a pooled one is."""

import numpy as np
import pytest

import justesse
from justesse.annotators.bayesian import bayesian
from justesse.annotators.cards import annotator_cards
from justesse.annotators.human_machine import human_against_machine
from justesse.core.annotations import Annotations


def test_ten_lucky_answers_do_not_make_the_best():
    """With the highest share alone, an annotator of ten answers was the best one of the dog data."""
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=300)
    rows = [
        (item, f"p{who}", int(truth[item] if rng.random() < chance else 1 - truth[item]))
        for who, chance in enumerate((0.95, 0.8, 0.75))
        for item in range(300)
    ]
    rows += [(item, "lucky", int(truth[item])) for item in range(0, 24, 2)]
    notes = Annotations.of(rows)
    prediction = np.where(rng.random(300) < 0.85, truth, 1 - truth)
    result = human_against_machine(notes, prediction, draws=60)
    assert result.best.n == 300
    assert -0.25 < result.best.value < 0.0


def test_a_pooled_accuracy_is_the_mean_of_its_posterior():
    rng = np.random.default_rng(4)
    truth = rng.integers(2, size=120)
    rows = [
        (item, f"p{who}", int(truth[item] if rng.random() < 0.9 else 1 - truth[item]))
        for who in range(6)
        for item in range(120)
    ]
    rows += [(item, "new", int(1 - truth[item])) for item in range(3)]
    fit = bayesian(Annotations.of(rows), draws=150, burn=100)
    card = next(each for each in annotator_cards(fit, None) if each.n == 3)
    draws = fit.extra["accuracies"][:, card.annotator]
    assert card.accuracy.value == pytest.approx(draws.mean(), abs=1e-12)
    assert (
        card.accuracy.value > fit.accuracies()[card.annotator] + 0.1
    )  # three wrong answers of a crowd that is 90 % right


def test_tables_beside_the_answers_may_have_ids():
    rows = [(item, who, "xy"[item % 2]) for item in range(30) for who in "abcde"]
    answers = {key: [row[at] for row in rows] for at, key in enumerate(("item", "annotator", "answer"))}
    checks = {"id": list(range(30)), "gold": ["xy"[item % 2] for item in range(30)]}
    result = justesse.annotators_infer(answers, check=checks, draws=0)
    assert result.calibration.accuracy.value == 1.0
