import numpy as np
import pytest
from scipy import stats

from conftest import random_table, rows_of
from justesse import Tally
from justesse.intervals import bootstrap
from justesse.intervals.bootstrap import bootstrap_all
from justesse.measures import accuracy, averaged, cost, f1, kappa, mcc, precision

TABLE = random_table(np.random.default_rng(3), 3, 400)
TALLY = Tally.from_dense(TABLE)
MACRO = averaged(f1, "macro")


def row_statistic(measure):
    def call(y, p, axis=-1):
        found = [
            float(measure(Tally.from_dense(np.bincount(3 * a + b, minlength=9).reshape(3, 3))))
            for a, b in zip(np.atleast_2d(y), np.atleast_2d(p), strict=True)
        ]
        return np.array(found) if np.ndim(y) > 1 else found[0]

    return call


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("measure", [MACRO, mcc, kappa], ids=["macro f1", "mcc", "kappa"])
def test_scipy_resampling_rows_agrees(measure, method):
    y, p = rows_of(TABLE)
    peer = stats.bootstrap(
        (y, p),
        row_statistic(measure),
        paired=True,
        vectorized=True,
        n_resamples=3000,
        method="BCa" if method == "bca" else method,
        rng=np.random.default_rng(1),
        batch=500,
    ).confidence_interval
    ours = bootstrap(TALLY, measure, method=method, draws=20_000, vectorised=True)
    width = peer.high - peer.low
    assert float(ours.low) == pytest.approx(peer.low, abs=0.06 * width)
    assert float(ours.high) == pytest.approx(peer.high, abs=0.06 * width)


def test_acceleration_is_that_of_the_row_jackknife():
    from justesse.intervals.bootstrap import _without_one_row

    y, p = rows_of(TABLE)
    left_out = np.concatenate([np.asarray(mcc(batch)) for batch in _without_one_row(TALLY)])
    by_row = []
    for at in range(len(y)):
        table = TABLE.copy()
        table[y[at], p[at]] -= 1
        by_row.append(float(mcc(Tally.from_dense(table))))
    np.testing.assert_allclose(np.sort(np.repeat(left_out, TALLY.counts)), np.sort(by_row))


def test_any_function_of_a_tally_has_an_interval():
    def misses(tally):
        assert tally.counts.ndim == 1
        return tally.dense()[0, 1] / tally.n

    share = TABLE[0, 1] / TABLE.sum()
    ends = bootstrap(TALLY, misses, draws=4000)
    exact = stats.binomtest(int(TABLE[0, 1]), int(TABLE.sum())).proportion_ci(method="exact")
    assert ends.low < share < ends.high
    assert float(ends.high - ends.low) == pytest.approx(exact.high - exact.low, rel=0.2)


def test_same_seed_same_bytes_and_another_seed_others():
    one, two, other = (bootstrap(TALLY, mcc, seed=seed, vectorised=True) for seed in (0, 0, 1))
    assert one.low == two.low
    assert one.low != other.low


def test_one_sided_bounds_are_the_ends_of_a_narrower_interval():
    both = bootstrap(TALLY, mcc, level=0.9, vectorised=True)
    lower = bootstrap(TALLY, mcc, level=0.95, alternative="greater", vectorised=True)
    upper = bootstrap(TALLY, mcc, level=0.95, alternative="less", vectorised=True)
    assert float(lower.low) == pytest.approx(float(both.low))
    assert np.isinf(lower.high)
    assert float(upper.high) == pytest.approx(float(both.high))
    assert np.isinf(upper.low)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_no_mistake_seen_means_no_interval_rather_than_none_wide(method):
    perfect = Tally.from_dense(np.diag([5, 5]))
    ends = bootstrap(perfect, MACRO, method=method, vectorised=True)
    assert np.isnan(ends.low)
    assert np.isnan(ends.high)


def test_draws_where_a_class_vanishes_are_left_out():
    rare = Tally.from_dense(np.array([[50, 1], [0, 1]]))
    ends = bootstrap(rare, precision, draws=2000, vectorised=True)
    drawn = np.concatenate([np.asarray(precision(batch)) for batch in rare.resample(2000)])[:, 1]
    assert np.isnan(drawn).any()
    assert ends.low[1] == np.nanquantile(drawn, 0.025)
    assert ends.high[1] == np.nanquantile(drawn, 0.975)


def test_many_statistics_share_their_resamples():
    costs = np.array([[0, 1, 2], [1, 0, 1], [5, 1, 0.0]])
    together = bootstrap_all(TALLY, [accuracy, cost(costs)], draws=500)
    alone = bootstrap(TALLY, cost(costs), draws=500, vectorised=True)
    assert together[1].low == alone.low
