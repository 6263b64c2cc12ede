"""Always-valid bounds: fair on every order of small populations, exact when all is known."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.intervals.bets import best_bet, best_design
from justesse.intervals.confidence_sequence import MAIN, ConfidenceSequence
from justesse.intervals.drawn_total import DrawnTotal

PRIOR = np.array([[7.2, 0.4, 0.4], [1.0, 2.0, 1.0], [0.4, 0.4, 7.2]])


def orders(counts):
    """List every order in which the rows of a small population can come, as (stratum, value) pairs."""
    cells = [(s, v) for s in range(counts.shape[0]) for v in range(3) for _ in range(counts[s, v])]
    return np.array(sorted(set(itertools.permutations(cells))))


def every_order(counts, thresholds, skipped=False):
    """Follow all orders at once; give their chances and the sequence, with what was owned after every row."""
    paths = orders(counts)
    left = np.repeat(counts[None].astype(float), len(paths), 0)
    grid = np.broadcast_to(np.asarray(thresholds, dtype=float), (len(paths), len(thresholds)))
    found = ConfidenceSequence(left.sum(-1), prior=PRIOR, lower=grid, upper=grid)
    chance, every, owned = np.ones(len(paths)), np.arange(len(paths)), []
    for step in range(paths.shape[1]):
        stratum, value = paths[:, step].T
        # a design that looks at all that came before
        most = np.maximum(grid[:, 0] - found.sum, 1e-6 - found.left.sum(-1))
        weights = 0.9 * best_design(found.left, found.chances, most)[0]
        weights += 0.1 * found.left / found.left.sum(-1, keepdims=True)
        chance *= weights[every, stratum] * left[every, stratum, value] / left[every, stratum].sum(-1)
        left[every, stratum, value] -= 1
        low = high = value - 1
        if skipped:  # an answer is withheld after the candidate's first win, for instance
            silent = (found.seen[:, :, 2].sum(-1) == 1) & (value == 0)
            low, high = np.where(silent, -1, low), np.where(silent, 1, high)
        found.draw(weights=weights, stratum=stratum, low=low, high=high)
        side = found.sides[0]
        owned.append(MAIN * np.exp(side.main) + (1 - MAIN) * np.exp(side.ends))
    return chance, found, np.stack(owned)


POPULATIONS = [
    [[1, 0, 1], [0, 1, 0], [1, 0, 3]],
    [[2, 0, 0], [1, 0, 1], [1, 0, 1]],
    [[1, 1, 0], [0, 0, 0], [2, 0, 3]],
    [[0, 0, 2], [1, 1, 0], [3, 0, 0]],
]


@pytest.mark.parametrize("counts", POPULATIONS)
@pytest.mark.parametrize("skipped", [False, True])
def test_betting_is_fair_on_every_order(counts, skipped):
    counts = np.array(counts)
    total = int((counts * [-1, 0, 1]).sum())
    thresholds = [total, total + 1, total + 2, total - 1, -7, 6]
    chance, found, owned = every_order(counts, thresholds, skipped)
    assert chance.sum() == pytest.approx(1)
    true = [at for at, one in enumerate(thresholds) if one >= total]
    # no claim that is true is expected to make anybody richer, after any number of rows
    means = (chance[:, None] * owned[:, :, true]).sum(1)
    assert means.max() <= 1 + 1e-9
    if not skipped:
        assert means[:, 0].min() > 0.9  # and nothing is given away
    # looking after every row, a true claim is refuted no more often than the risk
    for risk in (0.05, 0.2, 0.5):
        above, _ = found.refuted(risk)
        assert (chance[:, None] * above[:, true]).sum(0).max() <= risk + 1e-9
        low, high = found.bounds(risk)
        assert (chance * (low > total)).sum() <= risk + 1e-9
        assert (chance * (high < total)).sum() <= risk + 1e-9
    if not skipped:
        assert np.all(low == total)
        assert np.all(high == total)
        np.testing.assert_allclose(found.estimate, total)


@pytest.mark.parametrize("counts", POPULATIONS)
def test_the_first_estimate_is_unbiased(counts):
    """Later ones are means of unbiased ones, weighted by what was expected of each."""
    counts = np.array(counts)
    weights = np.where(counts.sum(-1) > 0, [0.2, 0.3, 0.5], 0)
    weights = weights / weights.sum()
    mean = 0.0
    for stratum, value in np.argwhere(counts):
        found = DrawnTotal([counts.sum(-1)], prior=PRIOR)
        found.draw(weights=[weights], stratum=[stratum], low=[value - 1], high=[value - 1])
        chance = weights[stratum] * counts[stratum, value] / counts[stratum].sum()
        mean += chance * float(found._weighted[0] / found._weight[0])  # before it is kept within what is possible
    assert mean == pytest.approx((counts * [-1, 0, 1]).sum())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 40), min_size=3, max_size=3),
    st.lists(st.floats(0.02, 1), min_size=9, max_size=9),
    st.floats(-0.95, 0.95),
    st.floats(0.01, 1),
)
def test_a_bet_is_fair_and_never_below_nothing(left, chances, share, tilt):
    left = np.array(left)
    if not left.sum():
        return
    p = np.reshape(chances, (3, 3)) / np.reshape(chances, (3, 3)).sum(-1, keepdims=True)
    most = np.array(share * left.sum())
    weights, growth = best_design(left, p, most)
    assert weights.sum() == pytest.approx(1)
    assert growth >= 1
    mixed = (1 - tilt) * weights + tilt * left / left.sum()
    bet = best_bet(left, p, most, mixed)
    drawn = mixed > 0
    assert np.all((bet.pays - bet.per)[drawn] >= -1e-12)
    # worst case under the claim: the rows add up to exactly the most it allows
    mean = (mixed * bet.pays)[drawn].sum() + (mixed * bet.per / np.where(left > 0, left, 1))[drawn] @ (
        most * left / left.sum()
    )[drawn]
    assert mean <= 1 + 1e-9


def test_the_design_is_the_best_of_many():
    """Against brute force: random designs with their own best bets grow no faster."""
    left, p = np.array([20.0, 40.0, 60.0]), np.array([[0.9, 0.05, 0.05], [0.2, 0.6, 0.2], [0.05, 0.05, 0.9]])
    _, best = best_design(left, p, np.array(0.0))
    rng, found = np.random.default_rng(0), []
    for weights in rng.dirichlet([1, 1, 1], 400):
        bet = best_bet(left, p, np.array(0.0), weights)
        paid = bet.pays[:, None] + bet.per[:, None] * np.array([-1, 0, 1])
        found.append(float(np.exp((weights[:, None] * p * np.log(np.maximum(paid, 1e-300))).sum())))
    assert max(found) <= best + 1e-4
    assert max(found) > best - 0.01


def test_bounds_fall_as_the_threshold_rises_and_never_widen():
    rng = np.random.default_rng(3)
    grid = np.arange(-61, 61)
    found = ConfidenceSequence([[20, 10, 30]], prior=PRIOR, lower=[[0, *grid]], upper=[[0, *grid]])
    left = np.array([[16, 2, 2], [3, 4, 3], [4, 2, 24]])
    low, high = -60, 60
    while left.sum():
        weights = found.left / found.left.sum()
        s = rng.choice(3, p=weights[0])
        v = rng.choice(3, p=left[s] / left[s].sum())
        left[s, v] -= 1
        found.draw(weights=weights, stratum=[s], low=[v - 1], high=[v - 1])
        owned = np.logaddexp(found.sides[0].main, found.sides[0].ends)[0, 1:]
        assert np.all(np.diff(owned[owned > -30]) <= 1e-9)  # below that, zero but for rounding
        now = [int(end[0]) for end in found.bounds(0.05)]
        assert low <= now[0] <= now[1] <= high
        low, high = now
    assert low == high == 16 * -1 + 2 + 0 + 24 - 4
