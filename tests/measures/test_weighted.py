"""Weights are sums of decimals: rounding must neither crash, nor define the undefined."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from justesse import Tally, count, evaluate
from justesse.measures import ALL, PER_CLASS, averaged, kappa, mcc, specificity


def random_weighted(rng, rows, classes, one_label=False):
    label = np.zeros(rows, dtype=int) if one_label else rng.integers(classes, size=rows)
    return label, rng.integers(classes, size=rows), np.round(rng.random(rows) + 0.05, 2)


def test_a_case_that_once_crashed():
    frame = pd.DataFrame({"label": list("bbabb"), "prediction": list("aabbc"), "w": [0.1, 0.8, 0.8, 0.3, 0.4]})
    assert evaluate(frame, weight="w")["accuracy"].value == pytest.approx(0.125)


@pytest.mark.parametrize("seed", range(150))
def test_no_crash_and_the_undefined_is_that_of_the_counts(seed):
    rng = np.random.default_rng(seed)
    label, answer, w = random_weighted(rng, int(rng.integers(2, 40)), int(rng.integers(2, 12)), one_label=seed % 3 == 0)
    plain, weighted = count(label=label, prediction=answer), count(label=label, prediction=answer, weight=w)
    for measure in (*ALL, *(averaged(m, how) for m in PER_CLASS for how in ("micro", "macro", "weighted"))):
        one, two = np.asarray(measure(plain)), np.asarray(measure(weighted))
        assert np.array_equal(np.isnan(one), np.isnan(two)), measure.name
        low, high = measure.bounds
        assert np.all(np.isnan(two) | ((two >= low - 1e-9) & (two <= high + 1e-9)))
    evaluate(weighted)


def test_scikit_learn_agrees_with_weights():
    label, answer, w = random_weighted(np.random.default_rng(1), 500, 4)
    tally = count(label=label, prediction=answer, weight=w)
    assert mcc(tally) == pytest.approx(metrics.matthews_corrcoef(label, answer, sample_weight=w))
    assert kappa(tally) == pytest.approx(metrics.cohen_kappa_score(label, answer, sample_weight=w))
    for how in ("micro", "macro", "weighted"):
        for ours, theirs in ((PER_CLASS[0], metrics.precision_score), (PER_CLASS[-1], metrics.f1_score)):
            assert averaged(ours, how)(tally) == pytest.approx(theirs(label, answer, average=how, sample_weight=w))


def test_a_perfect_weighted_classifier_has_no_interval_of_no_width():
    found = evaluate(count(label=[0, 1] * 20, prediction=[0, 1] * 20, weight=np.linspace(0.1, 0.7, 40)))
    assert found["mcc"].interval is None
    assert found["kappa"].interval is None


def test_all_rows_of_one_label_have_no_specificity():
    assert np.isnan(specificity(Tally.from_dense([[3, 4], [0, 0]]))[0])
