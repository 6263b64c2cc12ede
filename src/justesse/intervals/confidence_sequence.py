"""Bounds on a total that hold at every look: rows are drawn without replacement, and one bets on what they show."""

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from justesse.core.arrays import Array
from justesse.intervals.bets import Bet, best_bet
from justesse.intervals.drawn_total import DrawnRows, DrawnTotal

MAIN = 0.9  # of the stake follows the claim that matters, the rest the ends of the interval
BLOCK = 64  # rows that are followed at once: what they need fits in a processor's cache
ROUNDING = 1e-9  # of a row: what sums of numbers that are not whole may be off by
CAP = 0.5  # of what was staked on the ends is the most that one row may lose


class ConfidenceSequence(DrawnTotal):
    """Follow always-valid bounds of totals of values from -1 to 1, row after row; for one total or many (first axis).

        K_t(θ) = 0.9·Π pay_main(θ) + 0.1·Π pay_ends(θ);    T > θ as soon as K_t(θ) ≥ 1/risk, once and for all

    The rows of each stratum are drawn in random order without replacement, the stratum of each next row with chances
    (`weights`) that may depend on all that was drawn before. If T ≤ θ, K_t(θ) is not expected to grow, whatever the
    bets, so that it ever reaches 1/risk with a chance of at most the risk (Ville, 1939). The first so many thresholds
    of each side (`aims`) are those the main bets are made for; what is owned against the others follows from the same
    bets, and falls as θ rises. The upper side is the mirror image. A row that cannot be judged counts against whichever
    side is being shown. With a `scale`, one per stratum, values lie between -scale and scale there. Only the range of
    values is used: a bet is linear in the value, never pays less than nothing between its ends, and is fair if the
    values left have the mean that the claim gives them. If the totals are no whole numbers (`whole=False`), bounds are
    thresholds rather than the next whole number. Wrong to use if rows were picked for what their answer would be.
    Waudby-Smith and Ramdas (2020, 2024).

    >>> sequence = ConfidenceSequence([[5, 0, 15]], prior=[[8, 1, 1], [1, 2, 1], [1, 1, 8]], lower=[[0]], upper=[[0]])
    >>> for _ in range(9):
    ...     sequence.draw(weights=[[0.1, 0, 0.9]], stratum=[2], low=[1], high=[1])
    >>> low, high = sequence.bounds(0.05)
    >>> int(low[0]), int(high[0])
    (1, 20)
    """

    def __init__(
        self,
        sizes: Any,
        *,
        prior: Any,
        lower: Any,
        upper: Any,
        aims: tuple[int, int] = (1, 1),
        scale: Any = None,
        whole: bool = True,
    ) -> None:
        super().__init__(sizes, prior=prior, scale=scale)
        # upper bounds are lower bounds of the total of -x
        above, below = ((lower, aims[0]), (-np.asarray(upper), aims[1]))
        self.sides = (
            BettingSide(self.mass, *above, self.scale, whole),
            BettingSide(self.mass, *below, self.scale, whole),
        )

    def draw(self, *, weights: Any, stratum: Any, low: Any, high: Any) -> None:
        weights, stratum, chances = np.asarray(weights, dtype=float), np.asarray(stratum), self.chances
        for side, seen, value in zip(
            self.sides, (chances, chances[..., ::-1]), (np.asarray(low), -np.asarray(high)), strict=True
        ):
            side.draw(self.mass, seen, weights, stratum, value, self.drawn + 1)
        super().draw(weights=weights, stratum=stratum, low=low, high=high)

    def follow(self, *, weights: Any, stratum: Any, low: Any, high: Any, risks: Iterable[float]) -> tuple[Array, Array]:
        """Draw many rows of a single total, one after the other; give the estimate and the bounds after each.

        The same as `draw` row by row, but all rows are worked out together: what was known before each follows from
        those that came before it. The bounds have the axes row, risk, end.
        """
        rows = DrawnRows.after(self, weights, stratum, low, high)
        numbers = self.drawn + 1 + np.arange(len(rows.stratum))
        seen = (rows.chances, rows.chances[..., ::-1])
        lower, upper = (
            side.follow(rows, chances, value, numbers, risks)
            for side, chances, value in zip(self.sides, seen, (rows.low, -rows.high), strict=True)
        )
        least, most = lower.least[:, None], -upper.least[:, None]
        ends = np.stack([np.clip(lower.bounds, least, most), np.clip(-upper.bounds, least, most)], -1)
        return self.take_in(rows), ends

    def wealth(self) -> tuple[Array, Array]:
        """Return the logarithm of the most that was ever owned against each lower and each upper threshold."""
        return self.sides[0].best, self.sides[1].best

    def refuted(self, risk: float) -> tuple[Array, Array]:
        """Return which lower thresholds the total surely exceeds, and below which upper ones it surely stays."""
        lower, upper = (side.refuted(risk) for side in self.sides)
        return lower, upper

    def risks(self, lower: float, upper: float) -> tuple[float, float]:
        """Return the smallest risks at which the first total is known to exceed `lower`, and to stay below `upper`."""
        above, below = (side.risk(end) for side, end in zip(self.sides, (lower, -upper), strict=True))
        return above, below

    def bounds(self, risk: float) -> tuple[Array, Array]:
        """Return the smallest and the largest total that are not refuted at this risk on each side."""
        low, high = (side.bound(risk) for side in self.sides)
        least, most = self.sides[0].least, -self.sides[1].least
        # what is certain comes first: in the cases that the risk allows, bets refute what is seen to be so in the end
        return np.clip(low, least, most), np.clip(-high, least, most)

    def kept(self, which: Array) -> Self:
        kept_copy = super().kept(which)
        lower, upper = (side.kept(which) for side in self.sides)
        kept_copy.sides = (lower, upper)
        return kept_copy


class BettingSide:
    """The lower bounds: what is owned against each claim that the total is at most θ."""

    def __init__(self, left: Array, thresholds: Any, aims: int, scale: Array, whole: bool) -> None:
        self.aims, self.scale, self.whole = aims, scale, whole
        self.slack = 0.0 if whole else ROUNDING
        self.thresholds = np.broadcast_to(np.asarray(thresholds, dtype=float), (len(left), np.shape(thresholds)[-1]))
        self.sum, self.rows = np.zeros(len(left)), left.sum(-1)
        self.main, self.ends, self.best = (np.zeros(self.thresholds.shape) for _ in range(3))

    def kept(self, which: Array) -> "BettingSide":
        kept_copy = copy.copy(self)
        for name in ("thresholds", "sum", "rows", "main", "ends", "best"):
            setattr(kept_copy, name, getattr(self, name)[which])
        return kept_copy

    def put(self, which: Array, part: "BettingSide") -> None:
        """Restore the state of some of many, as `kept` returned it."""
        for name in ("sum", "rows", "main", "ends", "best"):
            getattr(self, name)[which] = getattr(part, name)

    def draw(
        self, left: Array, chances: Array, weights: Array, stratum: Array, value: Array, drawn: int | Array
    ) -> None:
        """Add one row to each total.

        Parameters
        ----------
        left
            Rows left by total and stratum, in units of the scale.
        chances
            Expected share of the gains -1, 0 and 1, by total and stratum.
        weights
            Chance that the row comes from each stratum.
        stratum
            Stratum of the row of each total.
        value
            Gain of the row, for each total.
        drawn
            Number of rows drawn so far, this one included; for all totals or for each.
        """
        room = left.sum(-1)
        # a claim that the rows left cannot meet any more is refuted without betting
        most = np.maximum(self._aim(left, chances) - self.sum, 1e-6 - room)
        for owned, bet in (
            (self.main, best_bet(left, chances, most, weights)),
            (self.ends, _bet_on_ends(left, chances, most, weights, drawn)),
        ):
            owned += np.log(np.maximum(self._payments(bet, most, weights, stratum, value), 1e-300))
        self.sum = self.sum + value
        self.rows = room - self.scale[stratum]
        self.best = np.maximum(self.best, self.wealth)

    def follow(
        self, rows: DrawnRows, chances: Array, value: Array, numbers: Array, risks: Iterable[float]
    ) -> "_Followed":
        """Add many rows, and return the bounds after each."""
        before = self.sum + np.concatenate([[0.0], np.cumsum(value)])
        mass = rows.left * self.scale
        room = mass.sum(-1)
        after = room - self.scale[rows.stratum]
        least = before[1:] - after - self.slack
        parts = []
        limits = [np.log(1 / risk) for risk in risks]
        for start in range(0, len(value), BLOCK):
            at = slice(start, start + BLOCK)
            now = copy.copy(self)
            now.sum = before[at.start : at.start + len(value[at])]
            now.thresholds = np.broadcast_to(self.thresholds, (len(now.sum), self.thresholds.shape[1]))
            left, seen, weights = mass[at], chances[at], rows.weights[at]
            most = np.maximum(now._aim(left, seen) - now.sum, 1e-6 - room[at])
            owned = []
            for first, bet in (
                (self.main, best_bet(left, seen, most, weights)),
                (self.ends, _bet_on_ends(left, seen, most, weights, numbers[at])),
            ):
                paid = np.log(np.maximum(now._payments(bet, most, weights, rows.stratum[at], value[at]), 1e-300))
                paid[0] += first[0]
                owned.append(np.cumsum(paid, axis=0, out=paid))
            best = np.logaddexp(owned[0] + np.log(MAIN), owned[1] + np.log(1 - MAIN))
            best = np.maximum.accumulate(np.maximum(best, self.best[0], out=best), axis=0, out=best)
            sure = least[at, None] > now.thresholds
            highest = [np.where(sure | (best >= limit), now.thresholds, -np.inf).max(-1) for limit in limits]
            parts.append(self._above(np.stack(highest, -1)))
            self.main, self.ends, self.best = (every[-1:].copy() for every in (*owned, best))
        self.sum, self.rows = before[-1:], after[-1:]
        return _Followed(np.concatenate(parts), least)

    def _aim(self, left: Array, chances: Array) -> Array:
        """Return the first threshold aimed at that the total is expected to exceed, or else the last."""
        total = self.sum + (left * (chances[..., 2] - chances[..., 0])).sum(-1)
        within = total[:, None] > self.thresholds[:, : self.aims]
        within[:, -1] = True
        return np.asarray(self.thresholds[np.arange(len(total)), within.argmax(-1)])

    def _payments(self, bet: Bet, most: Array, weights: Array, stratum: Array, value: Array) -> Array:
        """Return what a bet made for one threshold pays against all: less against higher ones, never below 0."""
        every = np.arange(len(stratum))
        paid = bet.pays[every, stratum] + bet.per[every, stratum] * value / self.scale[stratum]
        worst = np.where(weights > 0, bet.pays - bet.per, np.inf).min(-1)
        shift = bet.rate[:, None] * (most[:, None] - (self.thresholds - self.sum[:, None]))
        risked = 1 - worst[:, None] - shift
        return np.asarray(1 + np.minimum(1, 1 / np.maximum(risked, 1e-12)) * (paid[:, None] - 1 + shift))

    @property
    def wealth(self) -> Array:
        """The logarithm of what is owned now against each threshold."""
        return np.asarray(np.logaddexp(self.main + np.log(MAIN), self.ends + np.log(1 - MAIN)))

    @property
    def least(self) -> Array:
        """The total if all rows left are as low as they can be."""
        return np.asarray(self.sum - self.rows - self.slack)

    def refuted(self, risk: float) -> Array:
        return np.asarray((self.least[:, None] > self.thresholds) | (self.best >= np.log(1 / risk)))

    def risk(self, threshold: float) -> float:
        if self.least[0] > threshold:
            return 0.0
        at = np.flatnonzero(self.thresholds[0] == threshold)[0]
        return float(np.exp(-self.best[0, at]))

    def bound(self, risk: float) -> Array:
        highest = np.where(self.refuted(risk), self.thresholds, -np.inf).max(-1)
        return self._above(highest)

    def _above(self, threshold: Array) -> Array:
        """Return the least total above a threshold."""
        return np.asarray(np.floor(threshold + 1) if self.whole else threshold + self.slack)


@dataclass(frozen=True)
class _Followed:
    """Lower bounds after each row (by risk), and the least that the total can be."""

    bounds: Array
    least: Array


def _bet_on_ends(left: Array, chances: Array, most: Array, weights: Array, drawn: int | Array) -> Bet:
    """Bet so that the interval narrows, whatever the threshold: the less, the more the values spread.

    λ = sqrt(2·log 20 / (V·t·log(1+t)))     V: the expected variance of one row's estimate of the total
    """
    scale = np.where(weights > 0, left / np.where(weights > 0, weights, 1.0), 0.0)
    # a stratum that is not drawn from may hold nothing but -1
    mean = np.where(weights > 0, chances[..., 2] - chances[..., 0], -1.0)
    spread = chances[..., 2] + chances[..., 0] - mean**2
    variance = (left * scale * spread).sum(-1)
    lead = (left * mean).sum(-1) - most
    lowest = lead - np.where(weights > 0, (1 + mean) * scale, 0.0).max(-1)
    rate = np.sqrt(2 * np.log(20) / np.maximum(variance * drawn * np.log1p(drawn), 1e-12))
    rate = np.minimum(rate, CAP / np.maximum(-lowest, 1e-12))
    per = rate[..., None] * scale
    return Bet(1 + rate[..., None] * lead[..., None] - per * mean, per, rate)
