"""Who is the best annotator, and how right a pooled one is."""

import numpy as np
import pytest

import justesse
from justesse.annotators.bayesian import bayesian
from justesse.annotators.cards import annotator_cards
from justesse.annotators.human_machine import human_against_machine
from justesse.core.annotations import Annotations
from justesse.core.errors import OptionError


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


def crowd_with_traps(n=400, people=6, seed=0):
    """Draw answers of annotators who err together on a quarter of the items, and a classifier that does not."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    trap = rng.random(n) < 0.25
    chance = np.where(trap, 0.2, 0.9)[:, None]
    answers = np.where(rng.random((n, people)) < chance, truth[:, None], ((truth + 1) % 3)[:, None])
    rows = [(item, f"p{who}", int(answers[item, who])) for item in range(n) for who in range(people)]
    prediction = np.where(rng.random(n) < 0.9, truth, (truth + 2) % 3)
    assert Annotations.of(rows).classes == (0, 1, 2)
    return rows, truth, prediction, float((prediction == truth).mean() - (answers == truth[:, None]).mean())


def test_true_classes_judge_what_annotators_who_err_together_cannot():
    rows, truth, prediction, difference = crowd_with_traps()
    notes = Annotations.of(rows)
    by_others = human_against_machine(notes, prediction, draws=100)
    by_gold = human_against_machine(notes, prediction, gold=truth, draws=100)
    assert by_others.average.interval.high < difference
    assert by_gold.average.value == pytest.approx(difference, abs=1e-12)
    assert by_gold.average.interval.low < difference < by_gold.average.interval.high
    each = by_gold.each[0]
    mine = [(item, answer) for item, who, answer in rows if who == "p0"]
    assert each.human == pytest.approx(np.mean([truth[item] == answer for item, answer in mine]), abs=1e-12)


def test_some_true_classes_are_enough():
    rows, truth, prediction, difference = crowd_with_traps(seed=1)
    gold = np.where(np.arange(400) < 150, truth, -1)
    result = human_against_machine(Annotations.of(rows), prediction, gold=gold, draws=100)
    assert result.average.interval.low < difference < result.average.interval.high
    assert result.average.n == 150 * 6
    assert result.of_three.n == 150


def test_compare_judges_by_true_classes_and_warns_without():
    rows, truth, prediction, difference = crowd_with_traps(n=150)
    answers = {key: [row[at] for row in rows] for at, key in enumerate(("item", "annotator", "answer"))}
    table = {"item": list(range(150)), "prediction": prediction.tolist()}
    check = {"item": list(range(150)), "gold": truth.tolist()}
    plain = justesse.annotators_compare(answers, prediction=table, draws=100)
    assert "If annotators err together on hard items" in str(plain.warnings[0])
    assert plain.to_dict()["classifier"]["judged_by"] == "others"
    checked = justesse.annotators_compare(answers, prediction=table, check=check, draws=100)
    assert checked.to_dict()["classifier"]["judged_by"] == "gold"
    assert checked.machine.average.value == pytest.approx(difference, abs=1e-4)
    assert not any("err together" in str(warning) for warning in checked.warnings)


def test_true_classes_without_predictions_are_refused():
    rows, truth, _, _ = crowd_with_traps(n=30)
    answers = {key: [row[at] for row in rows] for at, key in enumerate(("item", "annotator", "answer"))}
    with pytest.raises(OptionError, match="name its predictions"):
        justesse.annotators_compare(answers, check={"item": list(range(30)), "gold": truth.tolist()})


def test_true_classes_give_exact_shares():
    """A tie was written +0.0000 points: a correction of errors that true classes do not have."""
    rows = [(item, who, "xy"[item % 2]) for item in range(20) for who in "abc"]
    notes = Annotations.of(rows)
    truth = np.array([item % 2 for item in range(20)])
    result = human_against_machine(notes, truth, gold=truth, draws=50)
    assert {each.difference.value for each in result.each} == {0.0}
    assert result.best.value == 0.0
    assert {each.human for each in result.each} == {1.0}
