"""Golden values, peers as oracles, brute force, and properties of every measure."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from conftest import random_table, rows_of
from justesse import Tally
from justesse.measures import (
    ALL,
    OVERALL,
    PER_CLASS,
    Confusion,
    accuracy,
    averaged,
    balanced_accuracy,
    class_weighted_error,
    cost,
    error,
    f1,
    fbeta,
    kappa,
    mcc,
    npv,
    precision,
    recall,
    specificity,
)
from justesse.measures.ratio import Ratio

TABLES = [random_table(np.random.default_rng(seed), k, n) for seed, (k, n) in enumerate([(2, 80), (3, 500), (7, 3000)])]
AVERAGES = ("micro", "macro", "weighted")


def every_measure(classes: int):
    rng = np.random.default_rng(5)
    extras = [cost(rng.random((classes, classes))), class_weighted_error(rng.random(classes)), fbeta(2), fbeta(0.5)]
    per_class = [*PER_CLASS, *(m for m in extras if isinstance(m, Ratio))]
    return [*ALL, *extras, *(averaged(m, how) for m in per_class for how in AVERAGES)]


def test_golden_screening_table_of_001(screening):
    assert recall(screening)[0] == 0.95
    assert specificity(screening)[0] == pytest.approx(3590 / 3800)
    assert round(specificity(screening)[0], 4) == 0.9447
    assert precision(screening)[0] == 0.475
    assert npv(screening)[0] == pytest.approx(3590 / 3600)
    assert round(npv(screening)[0], 3) == 0.997


@pytest.mark.parametrize("table", TABLES)
def test_scikit_learn_agrees(table):
    y, p = rows_of(table)
    tally = Tally.from_dense(table)
    assert accuracy(tally) == pytest.approx(metrics.accuracy_score(y, p))
    assert error(tally) == pytest.approx(metrics.zero_one_loss(y, p))
    assert balanced_accuracy(tally) == pytest.approx(metrics.balanced_accuracy_score(y, p))
    assert mcc(tally) == pytest.approx(metrics.matthews_corrcoef(y, p))
    assert kappa(tally) == pytest.approx(metrics.cohen_kappa_score(y, p))
    for ours, theirs in ((precision, metrics.precision_score), (recall, metrics.recall_score), (f1, metrics.f1_score)):
        assert ours(tally) == pytest.approx(theirs(y, p, average=None))
        for how in AVERAGES:
            assert averaged(ours, how)(tally) == pytest.approx(theirs(y, p, average=how))
    for beta in (0.5, 2, 3.7):
        for how in (None, *AVERAGES):
            ours = averaged(fbeta(beta), how) if how else fbeta(beta)
            assert ours(tally) == pytest.approx(metrics.fbeta_score(y, p, beta=beta, average=how))


@pytest.mark.parametrize("table", TABLES)
def test_pycm_agrees(table):
    from pycm import ConfusionMatrix

    k = range(len(table))
    peer = ConfusionMatrix(matrix={i: {j: int(table[i, j]) for j in k} for i in k})
    tally = Tally.from_dense(table)
    for ours, theirs in (
        (precision, peer.PPV),
        (recall, peer.TPR),
        (specificity, peer.TNR),
        (npv, peer.NPV),
        (f1, peer.F1),
    ):
        assert ours(tally) == pytest.approx([theirs[i] for i in k])
    assert kappa(tally) == pytest.approx(peer.Kappa)
    assert accuracy(tally) == pytest.approx(peer.Overall_ACC)
    assert averaged(specificity, "macro")(tally) == pytest.approx(peer.TNR_Macro)


@pytest.mark.parametrize("table", TABLES)
def test_brute_force_over_rows(table):
    y, p = rows_of(table)
    tally = Tally.from_dense(table)
    k = len(table)
    costs = np.random.default_rng(1).random((k, k))
    weights = np.random.default_rng(2).random(k)
    assert cost(costs)(tally) == pytest.approx(np.mean([costs[i, j] for i, j in zip(y, p, strict=True)]))
    weighted = class_weighted_error(weights)(tally)
    assert weighted == pytest.approx(metrics.zero_one_loss(y, p, sample_weight=weights[y]))
    for c in range(k):
        negative = y != c
        assert specificity(tally)[c] == pytest.approx(np.mean(p[negative] != c))
        assert npv(tally)[c] == pytest.approx(np.mean(y[p != c] != c))
    balanced = class_weighted_error(1 / table.sum(axis=1))(tally)
    assert balanced == pytest.approx(1 - balanced_accuracy(tally))


def test_binary_cost_is_the_textbook_one(screening):
    assert cost(np.array([[0, 20.0], [1.0, 0]]))(screening) == pytest.approx((20 * 10 + 210) / 4000)


TABLE = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=k, max_size=k)
)


@given(TABLE, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_classes_is_irrelevant_and_values_stay_in_range(table, random):
    table = np.array(table)
    order = list(range(len(table)))
    random.shuffle(order)
    one, other = Tally.from_dense(table), Tally.from_dense(table[np.ix_(order, order)])
    for measure in (*ALL, *(averaged(m, how) for m in PER_CLASS for how in AVERAGES)):
        a, b = measure(one), measure(other)
        np.testing.assert_allclose(a[order] if measure.per_class else a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
        low, high = measure.bounds
        assert np.all(np.isnan(a) | ((a >= low - 1e-12) & (a <= high + 1e-12)))


@given(TABLE)
@settings(max_examples=60)
def test_a_batch_gives_what_one_by_one_gives(table):
    batch = next(Tally.from_dense(np.array(table) + 1).resample(4))
    from dataclasses import replace

    for measure in every_measure(len(table)):
        together = measure(batch)
        for at, counts in enumerate(batch.counts):
            np.testing.assert_allclose(together[at], measure(replace(batch, counts=counts)), equal_nan=True)


@pytest.mark.parametrize("table", TABLES)
def test_slopes_are_those_of_finite_differences_along_each_cell(table):
    k, step = len(table), 1e-3
    for measure in every_measure(k):
        slope = measure.partials(_confusion(table, measure))
        for i in range(k):
            for j in range(k):
                moved = [table.astype(float), table.astype(float)]
                moved[0][i, j] += step
                moved[1][i, j] -= step
                ends = [measure.value(_confusion(one, measure)) for one in moved]
                numeric = (ends[0] - ends[1]) / (2 * step)
                here = np.eye(k)
                if measure.per_class:
                    found = (
                        slope.labelled * here[i] + slope.predicted * here[j] + slope.n + slope.hits * here[i] * here[j]
                    )
                else:
                    found = slope.labelled[i] + slope.predicted[j] + slope.n + slope.hits[i] * (i == j)
                    if hasattr(measure, "costs"):
                        found += slope.cost * measure.costs[i, j]
                np.testing.assert_allclose(found, numeric, rtol=1e-4, atol=1e-8, err_msg=measure.name)


def _confusion(table, measure):
    costs = getattr(measure, "costs", None)
    paid = None if costs is None else np.asarray((table * costs).sum())
    return Confusion(np.diag(table).astype(float), table.sum(1), table.sum(0), np.asarray(float(table.sum())), paid)


def test_undefined_is_nan_never_zero():
    only_a = Tally.of(["label", "prediction"], [("a", "a", 5)], classes=["a", "b"])
    assert np.isnan(precision(only_a)[1])
    assert np.isnan(recall(only_a)[1])
    assert np.isnan(f1(only_a)[1])
    assert np.isnan(specificity(only_a)[0])
    assert np.isnan(npv(only_a)[0])
    assert np.isnan(mcc(only_a))
    assert np.isnan(kappa(only_a))
    assert balanced_accuracy(only_a) == 1.0
    one_prediction = Tally.from_dense([[3, 0], [2, 0]])
    assert np.isnan(mcc(one_prediction))
    assert kappa(one_prediction) == 0.0


def test_averages_leave_undefined_classes_out_where_scikit_learn_counts_zero():
    table = np.array([[8, 2, 0], [1, 9, 0], [1, 1, 0]])
    y, p = rows_of(table)
    ours = averaged(precision, "macro")(Tally.from_dense(table))
    theirs = metrics.precision_score(y, p, average="macro", zero_division=0)
    assert theirs == pytest.approx(ours * 2 / 3)


def test_ten_billion_rows_do_not_overflow():
    tally = Tally.from_dense(np.array([[4_000_000_000, 10], [20, 6_000_000_000]]))
    assert mcc(tally) == pytest.approx(1.0, abs=1e-7)
    assert 0 < 1 - kappa(tally) < 1e-7


def test_bad_parameters_are_refused():
    from justesse.core.errors import CostError, OptionError, WeightError

    with pytest.raises(CostError, match="square"):
        cost(np.zeros((2, 3)))
    with pytest.raises(CostError, match="finite"):
        cost(np.array([[0, np.nan], [1, 0]]))
    with pytest.raises(WeightError, match="not all 0"):
        class_weighted_error(np.zeros(2))
    with pytest.raises(OptionError, match="beta"):
        fbeta(0)


def test_overall_and_per_class_are_what_they_say():
    assert all(not measure.per_class for measure in OVERALL)
    assert all(measure.per_class for measure in PER_CLASS)
