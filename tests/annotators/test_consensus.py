"""Inferred truth against crowd-kit, brute force and planted annotators."""

import json
import os
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from justesse.annotators.assignment import next_questions
from justesse.annotators.bayesian import bayesian
from justesse.annotators.confusions import confusions
from justesse.annotators.copying import corrected
from justesse.annotators.dawid_skene import SWITCHED, dawid_skene
from justesse.annotators.dependence import dependence
from justesse.annotators.glad import glad
from justesse.annotators.heldout import heldout
from justesse.annotators.human_machine import human_against_machine
from justesse.annotators.item_features import ItemFeatures
from justesse.annotators.mace import mace
from justesse.annotators.models import ALL, fitted
from justesse.annotators.one_coin import one_coin
from justesse.annotators.pair_tests import dependent_pairs
from justesse.annotators.pairs import pair_tables
from justesse.annotators.refits import refits
from justesse.annotators.support import SparseTables, Support
from justesse.annotators.vote import majority
from justesse.core.annotations import Annotations
from justesse.frames.annotations import read_annotations

REFERENCE = json.loads((Path(__file__).parent / "oracles" / "consensus.json").read_text())
DATA = os.environ.get("JUSTESSE_DATA")


def planted(n=300, people=6, k=3, each=4, seed=0, right=None, copy=0.0):
    """Draw the truth, annotators who are right with their own chance, and who answers what."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    right = rng.uniform(0.6, 0.95, people) if right is None else np.asarray(right)
    answers = np.where(
        rng.random((n, people)) < right, truth[:, None], (truth[:, None] + rng.integers(1, k, (n, people))) % k
    )
    if copy:
        answers[:, 1] = np.where(rng.random(n) < copy, answers[:, 0], answers[:, 1])
    asked = np.argsort(rng.random((n, people)), axis=1) < each
    item, who = np.nonzero(asked)
    names = tuple(range(k))
    return truth, right, Annotations.sorted(list(range(n)), list(range(people)), names, item, who, answers[item, who])


@pytest.mark.skipif(not DATA, reason="needs JUSTESSE_DATA: crowd")
@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: case["set"])
def test_dawid_skene_is_that_of_crowd_kit(case):
    folder = Path(DATA) / "crowd" / case["set"]
    notes = read_annotations(folder / "label.csv").annotations
    fit = dawid_skene(notes, most=case["iterations"], tolerance=-1)
    order = np.argsort(np.array(notes.items))
    assert fit.dense()[order][:30] == pytest.approx(np.array(case["first"]), abs=1e-3)
    assert fit.probability[order] == pytest.approx(np.array(case["highest"]), abs=1e-3)
    gold = read_annotations(folder / "label.csv", gold=folder / "truth.csv").annotations
    known = gold.gold >= 0
    assert np.mean(fit.label[known] == gold.gold[known]) == pytest.approx(case["accuracy"], abs=0.002)


def test_the_likelihood_is_the_sum_over_all_truths():
    """Brute force: every assignment of classes to a few items."""
    _, _, notes = planted(n=4, people=3, k=2, each=3)
    fit = dawid_skene(notes, most=3, tolerance=-1)
    again = dawid_skene(notes, most=4, tolerance=-1)  # its likelihood is that of the tables after three iterations
    tables = np.array(
        [
            fit.support.tables.dense(fit.support.tables.probabilities(fit.support.tables.counts(fit.shares)), who)
            for who in range(3)
        ]
    )
    shares = fit.support.per_class(fit.shares) / 4
    total = 0.0
    for truth in product(range(2), repeat=4):
        chance = np.prod([shares[code] for code in truth])
        for item, who, answer in zip(notes.item, notes.annotator, notes.answer, strict=True):
            chance *= tables[who, truth[item], answer]
        total += chance
    assert again.log_likelihood == pytest.approx(np.log(total), abs=1e-9)


def test_the_likelihood_never_falls():
    _, _, notes = planted()
    values = [dawid_skene(notes, most=most, tolerance=-1).log_likelihood for most in range(1, 15)]
    assert all(later >= earlier - 1e-7 for earlier, later in pairwise(values))


def test_sparse_and_whole_supports_agree_where_every_class_was_answered():
    _, _, notes = planted(n=60, people=12, k=2, each=10)
    sparse = Support.of(notes, whole=False)
    assert isinstance(sparse.tables, SparseTables)
    kept = notes.votes().item
    both = np.flatnonzero(np.bincount(kept, minlength=60) == 2)
    whole = Support.of(notes)
    counts = sparse.tables.counts(sparse.vote_shares())
    chances = sparse.tables.probabilities(counts)
    other = whole.tables.probabilities(whole.tables.counts(whole.vote_shares()))
    for who in range(12):
        assert sparse.tables.dense(chances, who) == pytest.approx(whole.tables.dense(other, who), abs=1e-9)
    table = whole.tables.logs(other).reshape(-1, 2)
    for place, value in enumerate(sparse.tables.logs(chances)):
        if sparse.item[place] in both:
            assert value == pytest.approx(table[sparse.item[place], sparse.label[place]])


@pytest.mark.parametrize("model", [model.name for model in ALL if model.name != "item-response"])
def test_every_model_recovers_planted_truth(model):
    truth, _, notes = planted(n=400, people=8, each=5)
    fit = fitted(model, notes)
    assert np.mean(fit.label == truth) > 0.9
    assert fit.dense().sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("model", [one_coin, dawid_skene, mace, glad])
def test_accuracies_of_planted_annotators_are_found(model):
    truth, _right, notes = planted(n=1500, people=6, each=5, seed=1)
    observed = [
        np.mean(notes.answer[notes.annotator == who] == truth[notes.item[notes.annotator == who]]) for who in range(6)
    ]
    assert model(notes).accuracies() == pytest.approx(np.array(observed), abs=0.03)


def test_a_spammer_is_found():
    _truth, _, notes = planted(n=500, people=5, each=5, right=[0.9, 0.85, 0.9, 0.8, 0.9], seed=2)
    answer = notes.answer.copy()
    answer[notes.annotator == 3] = 1  # always the same class
    spoilt = Annotations(notes.items, notes.annotators, notes.classes, notes.item, notes.annotator, answer)
    competence = mace(spoilt).extra["competence"]
    assert competence[3] < 0.1 < 0.7 < min(np.delete(competence, 3))


def test_gold_classes_are_certain_and_help():
    truth, _, notes = planted(n=200, people=4, each=3, right=[0.4, 0.4, 0.45, 0.9], seed=3)
    gold = np.where(np.arange(200) < 100, truth, -1).astype(np.int32)
    known = Annotations(notes.items, notes.annotators, notes.classes, notes.item, notes.annotator, notes.answer, gold)
    fit, without = dawid_skene(known), dawid_skene(notes)
    assert fit.label[:100].tolist() == truth[:100].tolist()
    assert fit.probability[:100] == pytest.approx(1)
    assert np.mean(fit.label[100:] == truth[100:]) >= np.mean(without.label[100:] == truth[100:])


def test_switched_labels_are_said():
    _truth, _, notes = planted(n=200, people=4, k=2, each=4, right=[0.9] * 4, seed=4)
    support = Support.of(notes)
    swapped = support.vote_shares().reshape(-1, 2)[:, ::-1].ravel()
    assert SWITCHED in dawid_skene(notes, initial=swapped).warnings
    assert SWITCHED not in dawid_skene(notes).warnings


def test_features_give_a_class_to_items_without_answers():
    truth, _, notes = planted(n=200, people=4, each=3, seed=5)
    rng = np.random.default_rng(0)
    values = np.eye(3)[truth] * 3 + rng.normal(size=(200, 3))
    silent = notes.where(notes.item < 150)
    fit = bayesian(silent, features=ItemFeatures(values, "numbers"), chains=2, draws=100, burn=100)
    assert np.mean(fit.label[150:] == truth[150:]) > 0.9
    counts = rng.poisson(np.eye(3)[truth] * 4 + 1).astype(float)
    fit = bayesian(silent, features=ItemFeatures(counts, "counts"), chains=2, draws=100, burn=100)
    assert np.mean(fit.label[150:] == truth[150:]) > 0.8


def test_credible_intervals_of_accuracies_cover():
    hits = []
    for seed in range(8):
        _, right, notes = planted(n=150, people=6, each=4, seed=seed)
        draws = bayesian(notes, chains=2, draws=150, burn=150, seed=seed).extra["accuracies"]
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)
        hits += ((low <= right) & (right <= high)).tolist()
    assert np.mean(hits) >= 0.85


def test_copying_is_found_and_independent_annotators_are_not_accused():
    _, _, notes = planted(n=600, people=6, each=6, right=[0.7] * 6, copy=0.7, seed=6)
    fit = dawid_skene(notes)
    pairs = dependent_pairs(fit)
    assert (pairs[0].first, pairs[0].second) == (0, 1)
    assert pairs[0].adjusted < 0.01
    voice = dependence(fit).voice
    assert voice[0] == voice[1] < 1
    assert (voice[2:] == 1).all()
    false = [
        dependent_pairs(dawid_skene(planted(n=300, people=6, each=6, seed=seed)[2]))[0].adjusted <= 0.05
        for seed in range(20)
    ]
    assert np.mean(false) <= 0.1


def test_the_model_that_made_the_answers_predicts_best():
    _, _, notes = planted(n=600, people=8, each=5, right=[0.95, 0.9, 0.5, 0.55, 0.9, 0.6, 0.95, 0.7], seed=7)
    results = heldout(notes)
    scores = {each.method: each.score.value for each in results}
    assert set(scores) == {model.name for model in ALL} - {"item-response"}
    assert scores["one-coin"] > scores["majority"]
    assert results[0].below_best is None
    assert results[-1].below_best.interval.high < 0


def test_features_help_to_predict_answers_to_new_items():
    truth, _, notes = planted(n=150, people=4, each=3, seed=5)
    values = np.eye(3)[truth] * 3 + np.random.default_rng(0).normal(size=(150, 3))
    results = heldout(notes, ["hierarchical", "item-response"], features=ItemFeatures(values, "numbers"), folds=3)
    assert results[0].method == "item-response"
    assert results[1].below_best.interval.high < 0


def test_glad_scores_items_of_different_difficulty():
    rng = np.random.default_rng(1)
    n, people = 300, 6
    easy, ability = np.exp(rng.normal(0, 1.5, n)), rng.uniform(0.5, 2, people)
    truth = rng.integers(0, 2, n)
    right = rng.random((n, people)) < 1 / (1 + np.exp(-easy[:, None] * ability))
    answers = np.where(right, truth[:, None], 1 - truth[:, None])
    item, who = np.nonzero(np.ones((n, people), dtype=bool))
    notes = Annotations.sorted(list(range(n)), list(range(people)), (0, 1), item, who, answers.ravel())
    scores = {each.method: each.score.value for each in heldout(notes, ["glad", "majority"])}
    assert scores["glad"] > scores["majority"]


def test_every_cell_of_a_planted_confusion_table_has_an_interval_that_covers():
    hits = []
    for seed in range(8):
        _, right, notes = planted(n=200, people=5, each=4, seed=seed)
        fit = dawid_skene(notes)
        tables = confusions(fit, refits(fit, draws=60, seed=seed))
        for who in range(5):
            for true, answer, cell in tables.cells(who):
                assert cell.interval.low <= cell.value <= cell.interval.high
                chance = right[who] if true == answer else (1 - right[who]) / 2
                hits.append(cell.interval.low <= chance <= cell.interval.high)
    assert len(hits) == 8 * 45
    assert np.mean(hits) >= 0.9


def test_the_best_annotator_is_not_drawn_to_the_others():
    """Pooling rows instead of annotators made the accuracy of the best one 4 points too low, and missed it in 22 %."""
    means, hits = [], []
    for seed in range(12):
        _, right, notes = planted(n=200, people=5, each=4, right=[0.9, 0.8, 0.8, 0.7, 0.6], seed=seed)
        draws = bayesian(notes, chains=2, draws=120, burn=80, seed=seed).extra["accuracies"][:, 0]
        low, high = np.quantile(draws, [0.025, 0.975])
        means.append(draws.mean())
        hits.append(low <= right[0] <= high)
    assert np.mean(means) > 0.872
    assert np.mean(hits) >= 0.83


def test_classes_are_drawn_with_their_probabilities():
    _, _, notes = planted(n=40, people=4, k=3, each=3)
    for support in (Support.of(notes), Support.of(notes, whole=False)):
        shares = support.vote_shares()
        rng = np.random.default_rng(0)
        drawn = np.array([support.drawn(shares, rng) for _ in range(2000)])
        for item, label, share in zip(support.item, support.label, shares, strict=True):
            assert np.mean(drawn[:, item] == label) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("copied", [0.5, 1.0])
def test_two_who_copy_are_taken_as_the_opinions_they_are(copied):
    """The pair is found, nobody else is accused, the copied share is estimated, and the consensus gets better."""
    before, after = [], []
    for seed in range(5):
        truth, _, notes = planted(n=300, people=6, each=6, right=[0.7] * 6, copy=copied, seed=seed)
        fit = dawid_skene(notes)
        result = dependence(fit)
        assert [(pair.first, pair.second) for pair in result.pairs if pair.adjusted <= 0.05] == [(0, 1)]
        assert result.links[0].share == pytest.approx(copied, abs=0.12)
        before.append(np.mean(fit.label == truth))
        after.append(np.mean(result.fit.label == truth))
    assert np.mean(after) > np.mean(before) + 0.03


@pytest.mark.parametrize(("people", "copied", "k"), [(4, 1.0, 3), (4, 0.8, 3), (6, 0.8, 2), (6, 1.0, 2)])
def test_two_who_copy_among_few_do_not_pass_for_the_truth(people, copied, k):
    """They were never found among 4, and two innocent ones were accused in 95 % of cases."""
    after, votes = [], []
    for seed in range(4):
        truth, _, notes = planted(n=300, people=people, k=k, each=people, right=[0.7] * people, copy=copied, seed=seed)
        result = dependence(dawid_skene(notes))
        assert [(pair.first, pair.second) for pair in result.pairs if pair.adjusted <= 0.05] == [(0, 1)]
        after.append(np.mean(result.fit.label == truth))
        votes.append(np.mean(majority(notes).label == truth))
    assert np.mean(after) > np.mean(votes) - 0.01


def test_accurate_annotators_are_not_taken_for_copiers():
    accused = 0
    for seed in range(12):
        _, _, notes = planted(n=300, people=4, each=4, right=[0.95, 0.95, 0.7, 0.7], seed=seed)
        accused += bool(dependence(dawid_skene(notes)).links)
    assert accused <= 1


def test_a_group_of_three_who_share_opinions():
    truth, _, notes = planted(n=400, people=7, each=7, right=[0.7] * 7, seed=3)
    table = notes.answer.reshape(400, 7).copy()
    rng = np.random.default_rng(0)
    for who in (1, 2):
        table[:, who] = np.where(rng.random(400) < 0.7, table[:, 0], table[:, who])
    fit = dawid_skene(replace(notes, answer=table.ravel()))
    result = corrected(fit, [(0, 1), (0, 2), (1, 2)], initial=majority(notes).shares)
    assert sorted((link.annotator, link.source) for link in result.links) == [(1, 0), (2, 0)]
    assert [link.share for link in result.links] == pytest.approx([0.7, 0.7], abs=0.1)
    assert np.mean(result.fit.label == truth) > np.mean(fit.label == truth)


def test_without_links_the_corrected_model_is_dawid_and_skene_s():
    _, _, notes = planted(n=100, people=5, each=4)
    plain = dawid_skene(notes, prior=0.1, tolerance=1e-9, most=500)
    result = corrected(plain, [])
    assert result.links == ()
    assert result.fit.shares == pytest.approx(plain.shares, abs=1e-3)


def test_an_annotator_who_answers_twice_is_no_pair_and_counts_once():
    rows = [(item, who, (item + who // 2) % 2) for item in range(30) for who in (0, 0, 1, 2)]
    notes = Annotations.of(rows)
    tables = pair_tables(notes)
    assert list(zip(tables.first.tolist(), tables.second.tolist(), tables.n.tolist(), strict=True)) == [
        (0, 1, 30),
        (0, 2, 30),
        (1, 2, 30),
    ]
    assert all(pair.first != pair.second for pair in dependent_pairs(dawid_skene(notes)))


def test_an_item_is_open_while_somebody_has_not_answered():
    rows = [(item, who, item % 2) for item in range(9) for who in (0, 1)] + [(9, 0, 0), (9, 0, 1)]
    asked = next_questions(dawid_skene(Annotations.of(rows), prior=0.1), rule="round-robin", number=3)
    assert [(each.item, each.annotator) for each in asked] == [(9, 1)]


def test_the_posterior_accuracy_is_over_the_classes_that_an_annotator_met():
    """An annotator who always answers 1 and met ten times more items of class 1 had an interval around 50 %."""
    rng = np.random.default_rng(1)
    rows = []
    for item in range(200):
        true = int(item < 100)
        rows += [(item, who, true if rng.random() < 0.9 else 1 - true) for who in range(4)]
        if item < 110:
            rows.append((item, 4, 1))
    draws = bayesian(Annotations.of(rows), chains=2, draws=100, burn=80).extra["accuracies"][:, 4]
    assert abs(np.median(draws) - 100 / 110) < 0.03


def test_a_classifier_is_compared_by_accuracy_not_by_agreement_with_a_weak_judge():
    """With annotators of 70 % and a classifier of 90 %, the difference was 5 points instead of 20."""
    differences, humans, machines, leads = [], [], [], []
    for seed in range(6):
        truth, _, notes = planted(n=400, people=4, k=2, each=4, right=[0.7] * 4, seed=seed)
        rng = np.random.default_rng(seed)
        prediction = np.where(rng.random(400) < 0.9, truth, 1 - truth)
        result = human_against_machine(notes, prediction, draws=100, seed=seed)
        differences.append(result.average.value)
        humans.append(np.mean([each.human for each in result.each]))
        machines.append(np.mean([each.machine for each in result.each]))
        leads.append(result.best.value)
    assert np.mean(differences) == pytest.approx(0.2, abs=0.05)
    assert np.mean(humans) == pytest.approx(0.7, abs=0.05)
    assert np.mean(machines) == pytest.approx(0.9, abs=0.05)
    assert np.mean(leads) == pytest.approx(0.2, abs=0.07)  # none is better: the best of four is no better on new items


def test_em_goes_on_until_the_classes_stay():
    """Stopped early, up to 16 of 100 classes were others than those of the converged fit."""
    for seed in range(4):
        _, _, notes = planted(n=100, people=3, k=2, each=3, right=[0.65] * 3, seed=seed)
        fit, converged = dawid_skene(notes), dawid_skene(notes, most=20_000, tolerance=1e-13)
        assert np.mean(fit.label != converged.label) <= 0.02
