"""A million annotators with a few answers each: models end, and say where a model has too little to go on."""

import importlib
from itertools import product

import numpy as np
import pytest

import justesse
from justesse.annotators.bayesian import bayesian
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.glad import glad
from justesse.annotators.mace import mace
from justesse.annotators.observed_tables import ObservedTables, observed_tables
from justesse.annotators.support import Support
from justesse.core.annotations import Annotations
from justesse.core.errors import InputError


def crowd(people, per_person=2, *, items=None, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), per_person)
    n_items = items or max(len(who) // 5, 1)
    item = rng.integers(0, n_items, len(who))
    true = rng.integers(0, classes, n_items)[item]
    answer = np.where(rng.random(len(who)) < 0.8, true, (true + rng.integers(1, classes, len(who))) % classes)
    return Annotations.sorted(range(n_items), range(people), tuple(range(classes)), item, who, answer)


def table(notes):
    return {"item": notes.item, "annotator": notes.annotator, "answer": notes.answer}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("prior", [0.0, 0.3])
def test_tables_of_the_answers_that_occur_give_the_same_fit_as_whole_ones(prior, weighted, monkeypatch):
    module = importlib.import_module("justesse.annotators.dawid_skene")
    for seed in range(5):
        notes = crowd(40, 3, items=30, classes=4, seed=seed)
        weight = np.random.default_rng(seed).integers(0, 3, notes.n_items).astype(float) if weighted else None
        fits = []
        for tables in (lambda support, *, prior: ObservedTables(support, prior=prior), lambda support, *, prior: None):
            monkeypatch.setattr(module, "observed_tables", tables)
            fits.append(dawid_skene(notes, prior=prior, weight=weight, most=30))
        few, whole = fits
        np.testing.assert_allclose(few.shares, whole.shares, atol=1e-9)
        np.testing.assert_allclose(few.tables, whole.tables, atol=1e-9)
        assert few.log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-7)


def test_annotators_who_say_nothing_cost_nothing():
    notes = crowd(50_000)
    tables = observed_tables(Support.of(notes), prior=0.0)
    informative = np.array([len(set(pair)) > 1 for pair in notes.answer[np.argsort(notes.annotator)].reshape(-1, 2)])
    assert tables.matrix.nnz == 2 * informative.sum()
    assert len(tables.cells) == 2 * informative.sum()  # whole tables have 3 rows for each of 50,000


def test_intervals_that_would_take_hours_are_not_computed(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("refits of a model that needs hundreds of iterations")

    monkeypatch.setattr(importlib.import_module("justesse.verbs.annotators.infer"), "refits", refuse)
    result = justesse.annotators_infer(table(crowd(30_000)))
    assert result.fit.iterations > 100
    words = [str(warning) for warning in result.warnings]
    assert any("Too many answers to fit the model again" in line for line in words)
    assert any("too few to estimate a confusion table" in line for line in words)


def test_enough_answers_of_most_annotators_give_no_warning():
    result = justesse.annotators_infer(table(crowd(20, 50, items=200)), draws=0)
    assert not any("too few" in str(line) for line in result.warnings)


def test_the_json_lists_the_annotators_with_most_answers(monkeypatch):
    monkeypatch.setattr(importlib.import_module("justesse.verbs.annotators.inference_json"), "MOST_LISTED", 2)
    rows = {"item": [1, 1, 1, 2, 2, 3], "annotator": list("abcbca"), "answer": list("xxyyxx")}
    result = justesse.annotators_infer({key: [*value, value[-1]] for key, value in rows.items()}, repeated="all")
    listed = result.to_dict()
    assert [each["annotator"] for each in listed["annotators"]] == ["a", "b"]
    assert listed["annotators_total"] == 3
    assert len(result.cards) == 3


def test_the_bayesian_model_refuses_what_would_take_hours():
    with pytest.raises(InputError, match=r"200,000 annotators and 3 classes.*Use weighted"):
        bayesian(crowd(200_000, 1))


def test_glad_ends_where_the_gradient_of_the_posterior_vanishes():
    notes = crowd(5, 6, items=8)
    fit = glad(notes, most=500, tolerance=1e-13)
    start = np.concatenate([fit.extra["ability"], np.log(fit.extra["easiness"])])

    def posterior(values):
        ability, easy = values[:5], np.exp(values[5:])
        total = -0.5 * ((values - 1) ** 2).sum()
        for item in range(notes.n_items):
            mine = notes.item == item
            right = 1 / (1 + np.exp(-ability[notes.annotator[mine]] * easy[item]))
            chances = [np.where(notes.answer[mine] == true, right, (1 - right) / 2).prod() / 3 for true in range(3)]
            total += np.log(sum(chances))
        return total

    assert fit.log_likelihood == pytest.approx(posterior(start) + 0.5 * ((start - 1) ** 2).sum(), abs=1e-9)
    steps = 1e-5 * np.eye(len(start))
    slopes = [(posterior(start + step) - posterior(start - step)) / 2e-5 for step in steps]
    assert np.abs(slopes).max() < 1e-4


def test_glad_converges_with_many_annotators():
    assert glad(crowd(10_000, 3)).converged


def test_the_likelihood_of_mace_is_the_sum_over_all_truths():
    notes = crowd(4, 5, items=5)
    fit = mace(notes, most=2000, tolerance=1e-14, starts=2)
    able, habit = fit.extra["competence"], fit.extra["habit"]
    total = 0.0
    for truth in product(range(3), repeat=notes.n_items):
        knows = np.array(truth)[notes.item] == notes.answer
        chance = able[notes.annotator] * knows + (1 - able[notes.annotator]) * habit[notes.annotator, notes.answer]
        total += fit.proportions[list(truth)].prod() * chance.prod()
    assert fit.log_likelihood == pytest.approx(np.log(total), abs=1e-6)


def test_mace_compares_few_short_starts_of_many_answers(monkeypatch):
    notes = crowd(30, 40, items=200)
    whole = mace(notes)
    monkeypatch.setattr(importlib.import_module("justesse.annotators.mace"), "MANY", 100)
    quick = mace(notes)
    assert quick.converged
    assert quick.log_likelihood == pytest.approx(whole.log_likelihood, abs=0.1)
    assert (quick.label == whole.label).mean() > 0.99
