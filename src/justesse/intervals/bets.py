"""Which rows to draw next, and how much to bet on what they show, to find out soonest whether a total is larger."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array

FLAT = 1 + 1e-9  # a growth per row below which nothing is worth betting
HALVINGS, NEWTON, ROUNDS = 12, 3, 2  # whatever they find is fair; more would gain nothing that can be noticed
STARTS = 1 + np.geomspace(1e-3, 1e4, 15)
START_LOGS = np.log(np.stack([STARTS - 1, STARTS, STARTS + 1]))


@dataclass(frozen=True)
class Bet:
    """What is paid for a row of value x drawn from a stratum: `pays + per·x`, by stratum (last axis).

    `rate` is how fast it falls when the claim allows the rows left a larger total; 0 where nothing is bet.
    """

    pays: Array
    per: Array
    rate: Array


def best_design(left: Array, chances: Array, most: Array) -> tuple[Array, Array]:
    """Choose how often to draw from each stratum so that a bet grows fastest, and say by what factor a row.

        maximise  G = Σ n_s·γ_s(a_s) / (μ + Σ n_s·a_s),   γ_s(a) = (a+1)^p₊ · a^p₀ · (a-1)^p₋
        and draw from stratum s in proportion to n_s·γ_s(a_s)

    n_s rows are `left` in a stratum, p are the `chances` of -1, 0 and 1 there as far as one can guess, and μ is the
    `most` that all rows left add up to if the claim to be refuted holds. G is the best expected growth that any bet
    on one row has which is fair under the claim; it is found by Dinkelbach's steps. Where no bet is worth it G is 1
    and every row is as likely as any other. Kelly (1956); Shekhar et al. (2023).

    >>> chances = np.array([[0.90, 0.05, 0.05], [0.2, 0.6, 0.2], [0.05, 0.05, 0.9]])
    >>> weights, growth = best_design(np.array([20, 40, 60]), chances, np.array(0.0))
    >>> weights.round(2).tolist(), round(float(growth), 3)
    ([0.03, 0.31, 0.66], 1.112)
    """
    n, p, most = np.asarray(left, dtype=float), np.asarray(chances, dtype=float), np.asarray(most, dtype=float)
    total, (minus, zero, plus) = n.sum(-1), (p[..., 0], p[..., 1], p[..., 2])
    # an audit asks for a design before every question, so all starts are tried at once and no logarithm is taken twice
    logs = START_LOGS.reshape(3, len(STARTS), *[1] * n.ndim)
    shares = np.exp(minus * logs[0] + zero * logs[1] + plus * logs[2])
    tried = (n * shares).sum(-1) / np.maximum(most + total * STARTS.reshape(len(STARTS), *[1] * total.ndim), 1e-9)
    growth = tried.max(0)
    worth = growth > FLAT
    growth = np.where(worth, growth, 1.01)
    for _ in range(ROUNDS):
        low, high = np.full(n.shape, -14.0), np.full(n.shape, 16.0)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            at = 1 + np.exp(middle)
            below, above = at - 1, at + 1
            gamma = np.exp(minus * np.log(below) + zero * np.log(at) + plus * np.log(above))
            rises = gamma * (minus / below + zero / at + plus / above) > growth[..., None]
            low, high = np.where(rises, middle, low), np.where(rises, high, middle)
        at = 1 + np.exp((low + high) / 2)
        share = n * _gamma(p, at)
        growth = np.where(worth, np.maximum(share.sum(-1) / (most + (n * at).sum(-1)), FLAT), 1.01)
    sums = np.where(worth, share.sum(-1), np.where(total > 0, total, 1.0))[..., None]
    return np.where(worth[..., None], share, n) / sums, np.where(worth, growth, 1.0)


def best_bet(left: Array, chances: Array, most: Array, weights: Array) -> Bet:
    """Compute the bet that grows fastest if strata are drawn with these weights.

        pay λ·n_s·(a_s + x) / w_s,   λ = 1 / (μ + Σ n_s·a_s),   p₋/(a_s-1) + p₀/a_s + p₊/(a_s+1) = λ·n_s/w_s

    It never pays less than nothing, and on average no more than 1 if the rows left add up to at most μ, whatever the
    guess. With the guess right its logarithm grows fastest. Kelly (1956); Waudby-Smith and Ramdas (2024).

    >>> chances = np.array([[0.1, 0.1, 0.8]])
    >>> bet = best_bet(np.array([10]), chances, np.array(2.0), np.array([1.0]))
    >>> (bet.pays + np.multiply.outer([-1, 0, 1], bet.per)).round(1).ravel().tolist()
    [0.3, 0.9, 1.5]
    """
    n, p, w = np.asarray(left, dtype=float), np.asarray(chances, dtype=float), np.asarray(weights, dtype=float)
    worth = (n * (p[..., 2] - p[..., 0])).sum(-1) > most + 1e-9
    drawable = (w > 0) & (n > 0)
    scale = np.where(drawable, n / np.where(drawable, w, 1.0), 1.0)
    minus, zero, plus = p[..., 0], p[..., 1], p[..., 2]
    lean = plus - minus

    def solved(rate: Array) -> Array:
        odds = rate[..., None] * scale
        # both starts lie left of the root of a convex falling function: Newton's steps approach it from there
        at = np.maximum(np.maximum(1 + minus / odds, 1 / odds - lean), 1 + 1e-9)
        for _ in range(NEWTON):
            below, above = at - 1, at + 1
            slope = minus / below**2 + zero / at**2 + plus / above**2
            at = at + (minus / below + zero / at + plus / above - odds) / slope
        return np.asarray(at)

    low, high = np.full(worth.shape, -25.0), np.full(worth.shape, 2.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rate = np.exp(middle)
        short = rate * (most + (n * solved(rate)).sum(-1)) < 1
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    at = solved(np.exp(low))
    rate = np.where(worth, 1 / np.maximum(most + (n * at).sum(-1), 1e-12), 0.0)
    per = rate[..., None] * scale
    return Bet(np.where(worth[..., None], per * at, 1.0), per, rate)


def _gamma(p: Array, at: Any) -> Array:
    """Return the geometric mean of a + x."""
    return np.asarray(np.exp(p[..., 0] * np.log(at - 1) + p[..., 1] * np.log(at) + p[..., 2] * np.log(at + 1)))
