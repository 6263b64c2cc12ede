"""Whom to ask: expected gains against enumeration of all answers, what rules choose, and what plans promise."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.annotators.asking_goals import accuracy, comparison, information, noise, training
from justesse.annotators.assignment import expected_gains, next_questions, usual_tables
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.teaching import teaching_by_doubt, teaching_by_features
from justesse.core.annotations import Annotations
from justesse.core.errors import OptionError

K = 3
INCUMBENT, CANDIDATE, LABEL = np.array([0, 1, 2, 1]), np.array([0, 2, 1, 0]), np.array([0, 1, 1, -1])
WEIGHTS = np.array([0.5, 1.0, 2.0, 0.0])
GOALS = {
    "accuracy": accuracy(),
    "information": information(),
    "comparison": comparison(INCUMBENT, CANDIDATE),
    "noise": noise(LABEL),
    "training": training(WEIGHTS),
}


def worth(name, posterior, item):
    """The value of knowing the class of an item with these probabilities, written out class by class."""
    entropy = -sum(p * np.log(p) for p in posterior if p > 0)
    if name == "accuracy":
        return max(posterior)
    if name == "information":
        return -entropy
    if name == "training":
        return -WEIGHTS[item] * entropy
    if name == "comparison":
        scores = [int(k == CANDIDATE[item]) - int(k == INCUMBENT[item]) for k in range(K)]
    else:
        scores = [int(k != LABEL[item]) for k in range(K)]
    mean = sum(p * score for p, score in zip(posterior, scores, strict=True))
    return -sum(p * (score - mean) ** 2 for p, score in zip(posterior, scores, strict=True))


def enumerated(name, shares, item, tables):
    """Enumerate the answers of annotators asked together, recompute the posterior by Bayes' rule, and average."""
    after = 0.0
    for answers in product(range(K), repeat=len(tables)):
        joint = [shares[k] * np.prod([table[k][a] for table, a in zip(tables, answers, strict=True)]) for k in range(K)]
        if sum(joint) > 0:
            after += sum(joint) * worth(name, [p / sum(joint) for p in joint], item)
    return after - worth(name, shares, item)


def random_tables(rng, n, concentration=1.0):
    return rng.dirichlet(np.full(K, concentration), size=(n, K))


@pytest.mark.parametrize("name", GOALS)
def test_gains_are_those_of_enumerated_answers(name):
    rng = np.random.default_rng(1)
    items = np.tile(np.arange(4), 10)
    shares, tables = rng.dirichlet(np.ones(K), len(items)), random_tables(rng, len(items))
    gains = expected_gains(GOALS[name], shares, items, tables)
    brute = [enumerated(name, shares[at], items[at], [tables[at]]) for at in range(len(items))]
    assert gains == pytest.approx(brute, abs=1e-12)


def test_rounding_is_no_gain():
    shares = np.random.default_rng(2).dirichlet(np.ones(K), 1000)
    blind = np.full((1000, K, K), 1 / K)
    assert not expected_gains(accuracy(), shares, np.arange(1000), blind).any()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(GOALS)))
def test_no_answer_loses_and_a_random_one_gains_nothing(seed, name):
    rng = np.random.default_rng(seed)
    items = np.arange(4)
    shares = rng.dirichlet(np.full(K, 0.3), 4)
    tables = random_tables(rng, 4, 0.3)
    assert (expected_gains(GOALS[name], shares, items, tables) >= 0).all()
    blind = np.repeat(rng.dirichlet(np.ones(K), (4, 1)), K, axis=1)  # the answer does not depend on the class
    assert expected_gains(GOALS[name], shares, items, blind) == pytest.approx(np.zeros(4), abs=1e-12)
    perfect = np.broadcast_to(np.eye(K), (4, K, K))
    assert expected_gains(GOALS[name], shares, items, perfect) == pytest.approx(
        GOALS[name].perfect(shares, items), abs=1e-9
    )


def crowd(items=30, people=4, each=2, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, K, items)
    right = np.linspace(0.9, 0.5, people)
    item, who = np.nonzero(np.argsort(rng.random((items, people)), axis=1) < each)
    answer = np.where(
        rng.random(len(item)) < right[who], truth[item], (truth[item] + rng.integers(1, K, len(item))) % K
    )
    return Annotations.sorted(list(range(items)), list(range(people)), tuple(range(K)), item, who, answer)


@pytest.mark.parametrize("name", ["accuracy", "information"])
def test_gains_of_questions_about_one_item_add_up_to_those_of_all_answers_together(name):
    fit = dawid_skene(crowd(), prior=0.1)
    item = int(np.argmin(fit.probability))
    notes = fit.support.annotations
    people = np.setdiff1d(np.arange(notes.n_annotators), notes.annotator[notes.item == item])
    askable = (np.full(len(people), item), people)
    questions = next_questions(fit, goal=GOALS[name], number=5, askable=askable)
    assert [question.item for question in questions] == [item] * len(people)
    tables = usual_tables(fit)[[question.annotator for question in questions]]
    brute = enumerated(name, fit.dense()[item], item, tables)
    assert sum(question.gain for question in questions) == pytest.approx(brute, abs=1e-12)


def test_the_plan_is_greedy_by_gain_per_price():
    fit = dawid_skene(crowd(), prior=0.1)
    questions = next_questions(fit, goal=information(), number=20, prices=[2.0, 1.0, 1.0, 1.0])
    rates = [question.gain / question.price for question in questions]
    assert rates == sorted(rates, reverse=True)  # information of further answers falls, so greedy rates do
    dear = next_questions(fit, goal=information(), number=20, prices=[1000.0, 1.0, 1.0, 1.0])
    assert all(question.annotator != 0 for question in dear[:10])


def test_lam_stork_asks_again_about_an_item_or_about_another_whichever_tells_more():
    notes = crowd(items=6, people=8, each=1)
    fit = dawid_skene(notes, prior=0.1)
    questions = next_questions(fit, rule="lam-stork", number=40)
    per_item = np.bincount([question.item for question in questions], minlength=6)
    assert per_item.max() > 1
    assert len({(question.item, question.annotator) for question in questions}) == len(questions)


def test_a_budget_is_kept_and_cheaper_questions_still_fit():
    fit = dawid_skene(crowd(), prior=0.1)
    questions = next_questions(fit, number=50, prices=[3.0, 2.0, 1.0, 1.0], budget=7.0)
    assert 6 < sum(question.price for question in questions) <= 7
    with pytest.raises(OptionError, match="budget"):
        next_questions(fit, budget=0)


@pytest.mark.parametrize("rule", ["gain", "lam-stork", "uncertainty", "round-robin", "random"])
def test_no_rule_asks_twice_or_what_is_known(rule):
    notes = crowd()
    fit = dawid_skene(notes, prior=0.1)
    questions = next_questions(fit, rule=rule, number=25, seed=3)
    asked = set(zip(notes.item.tolist(), notes.annotator.tolist(), strict=True))
    chosen = [(question.item, question.annotator) for question in questions]
    assert len(chosen) == len(set(chosen)) == 25
    assert not asked & set(chosen)
    assert questions == next_questions(fit, rule=rule, number=25, seed=3)


def test_round_robin_fills_items_up_evenly():
    notes = crowd(each=2)
    notes = notes.where(notes.item != 4)  # nobody answered item 4
    fit = dawid_skene(notes, prior=0.1)
    questions = next_questions(fit, rule="round-robin", number=31)
    counts = notes.per_item + np.bincount([question.item for question in questions], minlength=notes.n_items)
    assert [question.item for question in questions[:2]] == [4, 4]
    assert counts.min() >= 2
    assert counts.max() <= 3


def test_asking_by_gain_finds_the_truth_with_fewer_answers_than_in_turn():
    by_gain, in_turn = [], []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, 80)
        chance = np.array([0.95, 0.9, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6])
        answers = np.where(rng.random((80, 8)) < chance, truth[:, None], 1 - truth[:, None])
        for rule, results in (("gain", by_gain), ("round-robin", in_turn)):
            known = np.argsort(np.random.default_rng(seed).random((80, 8)), axis=1) < 2
            for batch in range(8):
                item, who = np.nonzero(known)
                notes = Annotations.sorted(range(80), range(8), (0, 1), item, who, answers[item, who])
                fit = dawid_skene(notes, prior=0.1)
                for question in next_questions(fit, rule=rule, number=20, seed=batch):
                    known[question.item, question.annotator] = True
            results.append((fit.label == truth).mean())
    assert np.mean(by_gain) > np.mean(in_turn) + 0.05


def test_items_on_which_classifiers_agree_are_worth_nothing_to_their_comparison():
    fit = dawid_skene(crowd(), prior=0.1)
    same = np.zeros(30, dtype=int)
    other = same.copy()
    other[:5] = 1
    questions = next_questions(fit, goal=comparison(same, other), number=50)
    assert questions
    assert {question.item for question in questions} <= set(range(5))


def test_labels_that_a_classifier_predicts_for_sure_teach_it_nothing():
    probabilities = np.tile([1.0, 0.0, 0.0], (30, 1))
    probabilities[7] = [0.4, 0.3, 0.3]
    weights = teaching_by_doubt(probabilities)
    questions = next_questions(dawid_skene(crowd(), prior=0.1), goal=training(weights), number=9)
    assert {question.item for question in questions} == {7}


def test_features_send_questions_where_labels_are_missing():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    features = np.column_stack([truth + 0.8 * rng.normal(size=60), rng.normal(size=60)])
    features[40:, 1] += 30  # a region nobody has labelled
    item, who = np.nonzero(np.broadcast_to(np.arange(60)[:, None] < 40, (60, 3)))
    notes = Annotations.sorted(range(60), range(3), (0, 1), item, who, truth[item])
    weights = teaching_by_features(dawid_skene(notes, prior=0.1), features)
    assert weights.min() >= 0
    assert weights[40:].mean() > 2 * weights[:40].mean()
