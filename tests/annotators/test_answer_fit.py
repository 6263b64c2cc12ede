"""The check of the answers against the model: an exact mean, an oracle by simulation, and planted hard items."""

import itertools

import numpy as np
import pytest

from justesse.annotators.answer_fit import AgreementCheck, answer_fit
from justesse.annotators.bayesian import Draw, bayesian
from justesse.core.annotations import Annotations


def planted(n, people, *, hard, seed=0, right=0.85):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    chance = np.where(rng.random(n) < hard, 0.5, right)[:, None]
    answers = np.where(rng.random((n, people)) < chance, truth[:, None], 1 - truth[:, None])
    item, annotator = np.nonzero(np.ones((n, people)))
    return Annotations.sorted(range(n), range(people), (0, 1), item, annotator, answers.ravel())


def checked(notes, *, seed=0):
    check = AgreementCheck(notes, 2 * 150, np.random.default_rng(seed))
    bayesian(notes, chains=2, draws=150, burn=80, seed=seed, longest=1, each_draw=check.see)
    return check.result()


def test_the_expected_number_of_equal_pairs_is_the_mean_over_all_answers():
    notes = Annotations.of(
        [(item, who, "xyz"[(item + len(who)) % 3]) for item in range(25) for who in ("a", "bb", "ccc")]
    )
    rng = np.random.default_rng(1)
    tables = rng.dirichlet(np.ones(3), (3, 3))
    label = rng.integers(0, 3, 25)
    check = AgreementCheck(notes, 10, rng)
    expected = check._expected(tables[notes.annotator, label[notes.item]])
    for item in (0, 7):
        exact = 0.0
        for answers in itertools.product(range(3), repeat=3):
            chance = np.prod([tables[who, label[item], answer] for who, answer in enumerate(answers)])
            exact += chance * sum(a == b for a, b in itertools.combinations(answers, 2))
        assert expected[item] == pytest.approx(exact)


def test_equal_pairs_are_counted():
    check = AgreementCheck(
        Annotations.of([(i, w, a) for i in range(20) for w, a in zip("abcd", "xxyx", strict=True)]),
        1,
        np.random.default_rng(0),
    )
    assert check.observed.tolist() == [3.0] * 20
    assert check.pairs.tolist() == [6.0] * 20


def test_hard_items_are_found():
    fit = checked(planted(300, 10, hard=0.3))
    assert fit.pvalue <= 0.02
    assert fit.ratio > 1.2


def test_independent_mistakes_fit():
    pvalues = [checked(planted(200, 6, hard=0.0, seed=seed), seed=seed).pvalue for seed in range(6)]
    assert min(pvalues) > 0.01
    assert np.median(pvalues) > 0.2


def test_few_items_with_several_answers_are_not_checked():
    notes = Annotations.of(
        [(item, "a", "xy"[item % 2]) for item in range(100)] + [(item, "b", "x") for item in range(19)]
    )
    check = AgreementCheck(notes, 1, np.random.default_rng(0))
    check.see(Draw(np.zeros(100, dtype=int), np.full((2, 2, 2), 0.5), np.full(2, 0.5)))
    assert check.result() is None


def test_the_order_of_annotators_does_not_matter():
    notes = planted(60, 4, hard=0.3)
    turned = Annotations.sorted(
        notes.items, notes.annotators, notes.classes, notes.item, 3 - notes.annotator, notes.answer
    )
    first, second = (AgreementCheck(each, 1, np.random.default_rng(0)) for each in (notes, turned))
    assert first.observed.tolist() == second.observed.tolist()


def test_a_check_of_its_own_finds_hard_items_and_accepts_easy_ones():
    hard = answer_fit(planted(300, 10, hard=0.3))
    assert hard.pvalue <= 0.02
    assert hard.ratio > 1.2
    assert answer_fit(planted(200, 6, hard=0.0, seed=1)).pvalue > 0.05


def test_many_answers_are_checked_on_some_items(monkeypatch):
    monkeypatch.setattr("justesse.annotators.answer_fit.MOST_ANSWERS", 100 * 6 * 2)
    sizes = []
    plain = AgreementCheck.__init__

    def sized(self, notes, *rest):
        sizes.append(notes.n_items)
        plain(self, notes, *rest)

    monkeypatch.setattr(AgreementCheck, "__init__", sized)
    assert answer_fit(planted(300, 6, hard=0.0)).replicates == 200
    assert sizes == [100]


def test_one_class_and_single_answers_are_not_checked():
    assert answer_fit(Annotations.of([(item, who, "x") for item in range(50) for who in "abc"])) is None
    assert answer_fit(Annotations.of([(item, "a", "xy"[item % 2]) for item in range(50)])) is None
