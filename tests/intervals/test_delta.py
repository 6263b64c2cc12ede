import numpy as np
import pytest

from conftest import random_table
from justesse import Tally, count
from justesse.intervals import bootstrap, delta
from justesse.measures import ALL, PER_CLASS, accuracy, averaged, class_weighted_error, cost, f1, fbeta, kappa, mcc

TALLY = Tally.from_dense(random_table(np.random.default_rng(8), 4, 4000))
COSTS = np.random.default_rng(1).random((4, 4))
MEASURES = [
    *ALL,
    fbeta(2),
    cost(COSTS),
    class_weighted_error(np.array([1.0, 2, 3, 4])),
    *(averaged(measure, how) for measure in PER_CLASS for how in ("micro", "macro", "weighted")),
]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: f"{m.average or ''} {m.name}")
def test_the_bootstrap_agrees_on_large_samples(measure):
    ours, drawn = delta(TALLY, measure), bootstrap(TALLY, measure, draws=8000, vectorised=True)
    np.testing.assert_allclose(ours.high - ours.low, drawn.high - drawn.low, rtol=0.06)
    np.testing.assert_allclose(ours.low, drawn.low, atol=0.1 * np.max(drawn.high - drawn.low))


def test_numerical_slopes_give_the_same_interval():
    for measure in (mcc, kappa, averaged(f1, "macro")):
        exact, numeric = delta(TALLY, measure), delta(TALLY, lambda tally, m=measure: m(tally))
        assert float(exact.low) == pytest.approx(float(numeric.low), abs=1e-6)
        assert float(exact.high) == pytest.approx(float(numeric.high), abs=1e-6)


def test_accuracy_comes_out_as_wald():
    share = float(accuracy(TALLY))
    half = 1.959963984540054 * np.sqrt(share * (1 - share) / TALLY.n)
    assert float(delta(TALLY, accuracy).high) == pytest.approx(share + half)


def test_weights_of_one_change_nothing_and_repeated_rows_are_not_new_rows():
    rng = np.random.default_rng(0)
    label, answer = rng.integers(3, size=300), rng.integers(3, size=300)
    plain = count(label=label, prediction=answer)
    ones = count(label=label, prediction=answer, weight=np.ones(300))
    tens = count(label=label, prediction=answer, weight=np.full(300, 10.0))
    for measure in (mcc, averaged(f1, "macro")):
        for weighted in (ones, tens):
            assert float(delta(plain, measure).low) == pytest.approx(float(delta(weighted, measure).low))


def test_functions_that_divide_by_n_and_tiny_weights():
    table = Tally.from_dense([[8, 2], [3, 7]])
    numeric = delta(table, lambda t: (t.dense()[0, 0] + t.dense()[1, 1]) / t.n)
    exact = delta(table, accuracy)
    assert float(numeric.low) == pytest.approx(float(exact.low), abs=1e-6)
    rng = np.random.default_rng(0)
    label, answer, w = rng.integers(2, size=60), rng.integers(2, size=60), rng.random(60) * 1e-6
    tiny = count(label=label, prediction=answer, weight=w)
    macro = averaged(f1, "macro")
    assert float(delta(tiny, lambda t: macro(t)).low) == pytest.approx(float(delta(tiny, macro).low), abs=1e-5)


def test_one_sided_and_degenerate():
    assert np.isinf(delta(TALLY, mcc, alternative="greater").high)
    assert np.isnan(delta(Tally.from_dense(np.diag([5, 5])), mcc).low)
    assert np.isnan(delta(Tally.from_dense(np.diag([5, 0])), mcc).low)
