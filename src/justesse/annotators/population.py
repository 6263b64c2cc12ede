"""What annotators have in common: how often they are right, what they answer instead, how alike the classes are."""

from typing import Protocol

import numpy as np
from scipy.special import gammaln

from justesse.core.arrays import FloatArray

STEP, AT_ONCE = 0.5, 10  # spread of Metropolis steps of habits, and how many answers are moved at once
STEPS = (0.3, 1.0, 2.0)  # spreads of the other steps: one fits annotators with many answers, one those with few


class Parameters(Protocol):
    """Dirichlet parameters of the rows of annotators' tables, annotator × class × answer, which may be drawn, too."""

    @property
    def values(self) -> FloatArray: ...

    def draw(self, counts: FloatArray) -> None:
        """Move them, given the answers of each annotator to the items of each class."""


class Fixed:
    """The same parameters for all: 1 more on the diagonal than elsewhere.

    >>> Fixed(2).values[0].tolist()
    [[1.5, 0.5], [0.5, 1.5]]
    """

    def __init__(self, k: int) -> None:
        self.values: FloatArray = (np.full((k, k), 1 / k) + np.eye(k))[None]

    def draw(self, counts: FloatArray) -> None:
        """Leave them as they are."""


class Population:
    """Parameters drawn from a population: annotator j's row for class k is Dirichlet(c (a_j e_k + (1 - a_j) h_k)).

    The ability a_j is Beta with mean m and size s, the wrong answers h_k to a class are common to all, and c says how
    alike an annotator's rows are. So an annotator with few answers is treated as a typical one, and answers to one
    class say something about the others. Priors: m and h_k uniform; log c and log s logistic, centred at 0.
    """

    def __init__(self, people: int, k: int, rng: np.random.Generator) -> None:
        self.k, self.rng = k, rng
        self.ability = np.full(people, 0.75)
        self.weights = np.ones((k, k)) - np.eye(k)
        self.log_c, self.mean, self.log_s = np.log(5.0), np.log(3.0), np.log(4.0)  # mean as logit

    @property
    def values(self) -> FloatArray:
        return self._values(self.ability, self.weights, self.log_c)

    def draw(self, counts: FloatArray) -> None:
        total = counts.sum(axis=2)
        logs = self._draw_abilities(counts, total, self._logs(self.values, counts, total))
        logs = self._draw_alikeness(counts, total, logs)
        self._draw_habits(counts, total, logs)
        for _ in range(3):
            self._draw_mean_and_size()

    def _values(self, ability: FloatArray, weights: FloatArray, log_c: float) -> FloatArray:
        share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        wrong = (1 - ability)[:, None, None] * share
        wrong[:, np.arange(self.k), np.arange(self.k)] = ability[:, None]
        return np.asarray(np.exp(log_c) * wrong + 1e-9)

    @staticmethod
    def _logs(values: FloatArray, counts: FloatArray, total: FloatArray) -> FloatArray:
        """Give the log probability of the counts of each annotator and class, up to a constant."""
        whole = values.sum(axis=2)
        cells = gammaln(values + counts) - gammaln(values)
        return np.asarray(gammaln(whole) - gammaln(whole + total) + cells.sum(axis=2))

    def _beta_logs(self, ability: FloatArray, mean: float, log_s: float) -> FloatArray:
        share = 1 / (1 + np.exp(-mean))
        first, second = np.exp(log_s) * share + 1e-9, np.exp(log_s) * (1 - share) + 1e-9
        constant = gammaln(first + second) - gammaln(first) - gammaln(second)
        # the density of the logit: one more power of each
        return np.asarray(constant + first * np.log(ability) + second * np.log1p(-ability))

    def _draw_abilities(self, counts: FloatArray, total: FloatArray, logs: FloatArray) -> FloatArray:
        logit = np.log(self.ability) - np.log1p(-self.ability)
        logit = logit + self.rng.choice(STEPS) * self.rng.standard_normal(len(logit))
        proposed = np.clip(1 / (1 + np.exp(-logit)), 1e-6, 1 - 1e-6)
        others = self._logs(self._values(proposed, self.weights, self.log_c), counts, total)
        gain = (others - logs).sum(axis=1)
        gain += self._beta_logs(proposed, self.mean, self.log_s) - self._beta_logs(self.ability, self.mean, self.log_s)
        accepted = np.log(self.rng.random(len(gain))) < gain
        self.ability = np.where(accepted, proposed, self.ability)
        return np.where(accepted[:, None], others, logs)

    def _draw_alikeness(self, counts: FloatArray, total: FloatArray, logs: FloatArray) -> FloatArray:
        proposed = self.log_c + self.rng.choice(STEPS) * self.rng.standard_normal()
        others = self._logs(self._values(self.ability, self.weights, proposed), counts, total)
        gain = float((others - logs).sum()) + _logistic(proposed) - _logistic(self.log_c)
        if np.log(self.rng.random()) >= gain:
            return logs
        self.log_c = proposed
        return others

    def _draw_habits(self, counts: FloatArray, total: FloatArray, logs: FloatArray) -> None:
        """Move the weights of some answers, for all classes at once; each class accepts or not."""
        moved = self.rng.permutation(self.k)[:AT_ONCE]
        step = np.zeros((self.k, self.k))
        step[:, moved] = STEP * self.rng.standard_normal((self.k, len(moved)))
        proposed = self.weights * np.exp(step)
        gain = (self._logs(self._values(self.ability, proposed, self.log_c), counts, total) - logs).sum(axis=0)
        off = ~np.eye(self.k, dtype=bool)
        gain += ((step - proposed + self.weights) * off).sum(axis=1)  # exponential weights are uniform shares
        accepted = np.log(self.rng.random(self.k)) < gain
        self.weights = np.where(accepted[:, None], proposed, self.weights)

    def _draw_mean_and_size(self) -> None:
        mean, log_s = np.array([self.mean, self.log_s]) + self.rng.choice(STEPS) * self.rng.standard_normal(2)
        gain = float(
            (self._beta_logs(self.ability, mean, log_s) - self._beta_logs(self.ability, self.mean, self.log_s)).sum()
        )
        gain += _logistic(mean) - _logistic(self.mean) + _logistic(log_s) - _logistic(self.log_s)
        if np.log(self.rng.random()) < gain:
            self.mean, self.log_s = mean, log_s


def _logistic(value: float) -> float:
    """Give the log density of a logistic variable: that of the logit of a uniform one, too."""
    return float(-abs(value) - 2 * np.log1p(np.exp(-abs(value))))
