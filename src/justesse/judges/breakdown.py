"""Breakdown rates: the smallest share of wrong labels that could change the sign or the verdict."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Case, Disagreement
from justesse.core.tally import Tally
from justesse.core.verdict import VerdictBreakdown

CHORDS = 6  # secant steps before bisection takes over


def sign_rows(table: Disagreement) -> Array:
    """Count the re-labelled rows that bring the difference to 0 or beyond; NaN if it is 0 already.

        ⌈|c - b| / 2⌉

    One row that only the better one gets right, given to the other, moves the difference by two rows.

    >>> float(sign_rows(Disagreement(80, 6, 11, 3, 0)))
    3.0
    """
    lead = np.abs(np.asarray(table.only_candidate, dtype=float) - table.only_incumbent)
    return np.where(lead > 0, np.ceil(lead / 2), np.nan)


def verdict_rows(table: Disagreement, lead: Callable[[Disagreement], Array]) -> Array:
    """Count the re-labelled rows that change between replace and not replace; NaN if no number does.

    `lead` is the judge, vectorised over pairs of classifiers: it replaces where the lead is above 0, and the lead grows
    with the labels that help the candidate. It is nearly linear in the number of rows, so a few secant steps suffice.
    """
    start = np.asarray(lead(table))
    now = start > 0

    def swapped(counts: Disagreement) -> Disagreement:
        """Swap the sides unless the verdict is replace: labels then always change in favour of the first."""
        first, other = counts.only_incumbent, counts.only_candidate
        return replace(counts, only_incumbent=np.where(now, first, other), only_candidate=np.where(now, other, first))

    facing = swapped(table)
    high = np.asarray(facing.only_candidate + facing.both_wrong_differently)
    low, at_low = np.zeros_like(high), start

    def after(rows: Array) -> Array:
        return np.asarray(lead(swapped(facing.relabelled(rows, towards="incumbent"))))

    at_high = after(high)
    possible = (at_high > 0) != now
    steps = 0
    while np.any(wide := (high - low > 1) & possible):
        chord = np.divide(at_low, at_low - at_high, out=np.full(now.shape, 0.5), where=at_low != at_high)
        ahead = np.floor((chord if steps < CHORDS else 0.5) * (high - low)).astype(high.dtype)
        middle = np.where(wide, np.clip(low + ahead, low + 1, high - 1), high)
        value = after(middle)
        changed = (value > 0) != now
        low, at_low = np.where(changed, low, middle), np.where(changed, at_low, value)
        high, at_high = np.where(changed, middle, high), np.where(changed, value, at_high)
        steps += 1
    return np.where(possible, high.astype(float), np.nan)


def breakdown_of_accuracy(table: Disagreement, lead: Callable[[Disagreement], Array]) -> VerdictBreakdown:
    """Compute both breakdown rates of one pair."""
    return rates(float(sign_rows(table)), float(verdict_rows(table, lead)), int(table.n))


def breakdown_of_sign(table: Disagreement) -> VerdictBreakdown:
    """Compute the breakdown rate of the sign alone, for judges that already allow for wrong labels."""
    sign_alone = rates(float(sign_rows(table)), np.nan, int(table.n))
    return replace(sign_alone, unknown="the verdict already allows for wrong labels")


def breakdown_of_cost(case: Case, costs: Array, replaces: Callable[[Tally], bool]) -> VerdictBreakdown:
    """Compute both breakdown rates for costs: rows that can move the difference most are re-labelled first.

    The cost is a sum over rows, so this order is optimal and the rate of the sign is exact.
    """
    label, first, other = (case.tally.codes[:, case.tally.axis(a)] for a in ("label", "incumbent", "candidate"))
    saved = costs[label, first] - costs[label, other]  # what the candidate saves in a row of this cell
    possible = costs[:, first] - costs[:, other]  # and what it would save with every other label
    total = float((case.tally.counts * saved).sum())
    lead = total if abs(total) > 1e-9 * np.abs(costs).max(initial=1.0) else 0.0
    sign, now = np.nan, replaces(case.tally)
    if lead:
        against = Relabelling.of(case.tally, saved, possible, helps_candidate=lead < 0)
        sign = against.rows_for(abs(lead))
    other_way = Relabelling.of(case.tally, saved, possible, helps_candidate=not now)
    low, high = 0, other_way.most
    if not high or replaces(other_way.after(high)) == now:
        return rates(sign, np.nan, case.n)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if replaces(other_way.after(middle)) != now else (middle, high)
    return rates(sign, float(high), case.n)


@dataclass(frozen=True)
class Relabelling:
    """For every cell the label that helps most, and the cells in order of what that gains."""

    tally: Tally
    best: Array
    gain: Array
    order: Array

    @classmethod
    def of(cls, tally: Tally, saved: Array, possible: Array, *, helps_candidate: bool) -> "Relabelling":
        best = possible.argmax(axis=0) if helps_candidate else possible.argmin(axis=0)
        gain = np.abs(possible[best, np.arange(len(saved))] - saved)
        order = np.argsort(-gain, kind="stable")
        return cls(tally, best, gain, order[gain[order] > 1e-12])

    @property
    def most(self) -> int:
        """Number of rows whose label matters."""
        return int(self.tally.counts[self.order].sum())

    def rows_for(self, lead: float) -> float:
        """Count the rows that together gain at least this much; NaN if all rows gain less."""
        rows, gain = self.tally.counts[self.order], self.gain[self.order]
        reached = np.cumsum(rows * gain)
        at = int(np.searchsorted(reached, lead * (1 - 1e-12)))
        if at == len(reached):
            return np.nan
        before = reached[at - 1] if at else 0.0
        return float(rows[:at].sum() + np.ceil((lead - before) / gain[at] - 1e-9))

    def after(self, rows: int) -> Tally:
        """Return the tally with so many rows re-labelled."""
        tally, counts = self.tally, self.tally.counts
        taken = np.zeros_like(counts)
        own = counts[self.order]
        taken[self.order] = np.clip(rows - (np.cumsum(own) - own), 0, own)
        codes = tally.codes.copy()
        codes[:, tally.axis("label")] = self.best
        return Tally.canonical(
            tally.axes, tally.levels, np.concatenate([tally.codes, codes]), np.concatenate([counts - taken, taken])
        )


def rates(sign: float, verdict: float, n: int) -> VerdictBreakdown:
    """Return both rates from numbers of rows; `None` where no number does."""
    first, second = (None if np.isnan(rows) else rows / n for rows in (sign, verdict))
    return VerdictBreakdown(first, second)
