"""The total of all rows, estimated from some that were drawn with known chances and without replacement."""

import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from justesse.core.arrays import Array


class DrawnTotal:
    """Follow the estimate of a total of values from -1 to 1, row after row; for one total or many (first axis).

        U_t = sum of the rows drawn before + Σ n_s·m_s + (x - m_s)·n_s / w_s;   estimate: mean of U_t, weighted by 1/V_t

    n_s rows are left in a stratum, drawn with chance w_s; m_s is the mean expected there by what came before, and V_t
    the variance of U_t expected then. Each U_t is unbiased whatever was expected. `prior` counts the values -1, 0 and 1
    one expects, as if so many had been seen; a value between them counts in part as each of its neighbours. With a
    `scale`, one per stratum, values lie between -scale and scale there, and the prior is about values over scale.
    Horvitz and Thompson (1952); Angelopoulos et al. (2023).

    >>> total = DrawnTotal([[5, 15]], prior=[[3, 1, 1], [1, 1, 3]])
    >>> round(float(total.estimate[0]), 6)
    4.0
    >>> total.draw(weights=[[0.2, 0.8]], stratum=[1], low=[0], high=[0])
    >>> round(float(total.estimate[0]), 6)
    -3.5
    """

    def __init__(self, sizes: Any, *, prior: Any, scale: Any = None) -> None:
        self.left = np.array(sizes, dtype=float)
        self.scale = np.ones(self.left.shape[-1]) if scale is None else np.asarray(scale, dtype=float)
        self.prior = np.broadcast_to(np.asarray(prior, dtype=float), (*self.left.shape, 3))
        self.seen = np.zeros((*self.left.shape, 3))
        self.drawn = 0
        self.sum = np.zeros(len(self.left))
        self._weighted, self._weight = np.zeros(len(self.left)), np.zeros(len(self.left))

    @property
    def mass(self) -> Array:
        """The most that the rows left in each stratum can add up to."""
        return np.asarray(self.left * self.scale)

    @property
    def chances(self) -> Array:
        """How likely -1, 0 and 1 are in each stratum, by what was expected and what was seen."""
        counts = self.seen + self.prior
        return np.asarray(counts / counts.sum(-1, keepdims=True))

    @property
    def expected(self) -> Array:
        """What all rows add up to if those left are as expected."""
        return np.asarray(self.sum + (self.mass * _moments(self.chances)[0]).sum(-1))

    @property
    def estimate(self) -> Array:
        """The estimate of the total: what is expected until a row is drawn, and exact once all are."""
        some = (self._weight > 0) & (self.left.sum(-1) > 0)
        room = self.mass.sum(-1)
        mean = np.where(some, self._weighted / np.where(some, self._weight, 1.0), self.expected)
        return np.clip(mean, self.sum - room, self.sum + room)

    def draw(self, *, weights: Any, stratum: Any, low: Any, high: Any) -> None:
        """Add one row of each total: its stratum, how likely each stratum was, and its value.

        `low` and `high` are the same unless the row cannot be judged, then the ends of what it may be; such a row is
        estimated to be as expected of its stratum.
        """
        weights, stratum = np.asarray(weights, dtype=float), np.asarray(stratum)
        low, high = np.asarray(low), np.asarray(high)
        every, judged = np.arange(len(stratum)), low == high
        mean, spread = _moments(self.chances)
        times = np.where(weights > 0, self.left / np.where(weights > 0, weights, 1.0), 0.0)
        usual = mean[every, stratum] * self.scale[stratum]
        value = np.where(judged, low, usual)
        item = self.expected + (value - usual) * times[every, stratum]
        precision = 1 / np.maximum((self.mass * self.scale * times * spread).sum(-1), 1e-12)
        self._weighted, self._weight = self._weighted + precision * item, self._weight + precision
        self.sum = self.sum + value
        self.seen[every[judged], stratum[judged]] += in_parts(low[judged] / self.scale[stratum[judged]])
        self.left[every, stratum] -= 1
        self.drawn += 1

    def take_in(self, rows: "DrawnRows") -> Array:
        """Add many rows of a single total, as `draw` would one by one, and return the estimate after each."""
        every = np.arange(len(rows.stratum))
        mean, spread = _moments(rows.chances)
        times = np.where(rows.weights > 0, rows.left / np.where(rows.weights > 0, rows.weights, 1.0), 0.0)
        mass = rows.left * self.scale
        expected = rows.sum + (mass * mean).sum(-1)
        usual = mean[every, rows.stratum] * self.scale[rows.stratum]
        item = expected + (rows.value - usual) * times[every, rows.stratum]
        precision = 1 / np.maximum((mass * self.scale * times * spread).sum(-1), 1e-12)
        weighted = np.cumsum(np.concatenate([self._weighted, precision * item]))[1:]
        weight = np.cumsum(np.concatenate([self._weight, precision]))[1:]
        self._weighted, self._weight = weighted[-1:], weight[-1:]
        self.sum = rows.sum[-1:] + rows.value[-1:]
        seen = in_parts(rows.low / self.scale[rows.stratum]) * rows.judged[:, None]
        for at, parts in zip(rows.stratum.tolist(), seen, strict=True):
            self.left[0, at] -= 1
            self.seen[0, at] += parts
        self.drawn += len(every)
        sums = np.append(rows.sum[1:], self.sum)
        expectations = np.append(expected[1:], self.expected)
        room, more = mass.sum(-1) - self.scale[rows.stratum], rows.left.sum(-1) > 1
        mean_of_all = np.where((weight > 0) & more, weighted / np.where(weight > 0, weight, 1.0), expectations)
        return np.clip(mean_of_all, sums - room, sums + room)

    def kept(self, which: Array) -> Self:
        """Go on with some of the totals."""
        kept_copy = copy.copy(self)
        for name in ("left", "prior", "seen", "sum", "_weighted", "_weight"):
            setattr(kept_copy, name, getattr(self, name)[which])
        return kept_copy


@dataclass(frozen=True)
class DrawnRows:
    """Rows of a single total in the order they were drawn, with what was known just before each (first axis)."""

    weights: Array
    stratum: Array
    low: Array
    high: Array
    left: Array
    chances: Array
    value: Array
    sum: Array

    @property
    def judged(self) -> Array:
        return np.asarray(self.low == self.high)

    @classmethod
    def after(cls, total: DrawnTotal, weights: Any, stratum: Any, low: Any, high: Any) -> "DrawnRows":
        """Work out what was known before each row, if the total is where they begin."""
        weights, stratum = np.asarray(weights, dtype=float), np.asarray(stratum)
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        every, judged = np.arange(len(stratum)), low == high
        drawn = np.zeros((len(stratum) + 1, total.left.shape[1]))
        drawn[every + 1, stratum] = 1
        seen = np.zeros((len(stratum) + 1, *total.seen.shape[1:]))
        scale = total.scale[stratum]
        seen[every[judged] + 1, stratum[judged]] = in_parts(low[judged] / scale[judged])
        left = total.left - np.cumsum(drawn, axis=0)[:-1]
        counts = total.seen + np.cumsum(seen, axis=0)[:-1] + total.prior
        chances = counts / counts.sum(-1, keepdims=True)
        value = np.where(judged, low, _moments(chances)[0][every, stratum] * scale)
        sums = np.cumsum(np.concatenate([total.sum, value]))[:-1]
        return cls(weights, stratum, low, high, left, chances, value, sums)


def in_parts(values: Any) -> Array:
    """Divide values from -1 to 1 between -1, 0 and 1, so that each keeps its mean.

    >>> in_parts([-1, 0.25]).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.75, 0.25]]
    """
    value = np.asarray(values, dtype=float)
    return np.stack([np.maximum(-value, 0.0), 1 - np.abs(value), np.maximum(value, 0.0)], -1)


def _moments(chances: Array) -> tuple[Array, Array]:
    """Compute the mean and the variance of values -1, 0 and 1."""
    mean = chances[..., 2] - chances[..., 0]
    return mean, chances[..., 2] + chances[..., 0] - mean**2
