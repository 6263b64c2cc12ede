"""What a transition table that was counted on some rows tells of others: shares of many rows, not single cells."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.resampling import check_needed_draws, needed_draws
from justesse.core.results import Alternative, tail_levels
from justesse.core.seeds import stream
from justesse.noise.transition import Transition

DRAWS = 500
SAME_LABELS = (
    "The transition table has as many rows of each label as the evaluated rows. If it was counted on exactly these "
    "rows, say so, and the bounds are exact (--transition-of these)."
)
BEYOND = 12  # draws past each end, at least


def is_of_these(labels: ArrayLike, transition: Transition) -> bool:
    """Return whether a table is exact for these rows: shares, or counts declared to be of exactly these rows.

    Equal numbers of each label prove nothing: a balanced sample of the same size has them too.

    >>> table = Transition.from_table([[45, 5], [5, 45]], ["a", "b"])
    >>> is_of_these([50, 50], table), is_of_these([50, 50], table.counted_on("these"))
    (False, True)
    """
    if transition.counts is None:
        return True
    if not transition.of_these_rows:
        return False
    for name, counted, labelled in zip(
        transition.classes, transition.counts.sum(axis=0), np.asarray(labels), strict=True
    ):
        if counted != labelled:
            raise OptionError(
                f"The transition table counts {counted:,} rows labelled {name!r}, but {labelled:,.0f} rows are "
                "evaluated: it was not counted on these rows. Leave out transition_of (--transition-of)."
            )
    return True


def may_be_of_these(labels: ArrayLike, transition: Transition) -> list[str]:
    """Warn if a table not declared to be of these rows has as many of each label.

    >>> len(may_be_of_these([50, 50], Transition.from_table([[45, 5], [5, 45]], ["a", "b"])))
    1
    """
    alike = transition.counts is not None and np.array_equal(transition.counts.sum(axis=0), np.asarray(labels))
    return [SAME_LABELS] if alike and not transition.of_these_rows else []


@dataclass(frozen=True)
class CountedShares:
    """How many of some rows are so, where a share of others, worth so many rows, was seen to be so; arrays alike.

        P ~ Beta(x + e, w - x + 1 - e),   rows ~ Binomial(n, P),   e = 1 for the most and 0 for the fewest

    One more row than was counted, on the side that is feared: Clopper and Pearson's (1934) ends, for rows still to be
    seen instead of a share. Do not use it if the rows were not drawn at random.
    """

    share: Array
    worth: Array
    rows: Array

    def padded(self, size: int) -> "CountedShares":
        """Add entries without rows, for answers outside the classes."""
        more = (0, max(0, size - len(self.rows)))
        return self if not more[1] else CountedShares(*(np.pad(part, more) for part in vars(self).values()))

    def drawn(self, extra: float, draws: int, generator: np.random.Generator) -> Array:
        """Draw numbers of rows, draws first."""
        seen = self.share * self.worth
        yes = generator.standard_gamma(seen + extra, size=(draws, *self.share.shape))
        no = generator.standard_gamma(self.worth - seen + 1 - extra, size=yes.shape)
        return generator.binomial(self.rows.astype(np.int64), yes / (yes + no)).astype(float)


def shares_by_class(labels: ArrayLike, transition: Transition) -> tuple[CountedShares, CountedShares, CountedShares]:
    """Return the share of wrong labels and, for each class, P(true class | label) and P(true class | other label).

        share = Σ_a labelled_a·P(k | a) / Σ_a labelled_a
        worth = p(1-p)·(Σ_a labelled_a)² / Σ_a (labelled_a²·p_a(1-p_a) / counted_a),   without p at the most

    Labels may have been counted more or less often than they occur. p_a = (seen_a + ½) / (counted_a + 1), and p is
    their mean: a label that is often wrong and seldom counted makes the share less certain than one rate for all
    labels would. Labels counted as often as they occur are worth all the rows counted.

    >>> wrong, own, other = shares_by_class([600, 400], Transition.from_table([[54, 4], [6, 36]], ["a", "b"]))
    >>> wrong.share.round(3).tolist(), wrong.worth.round(1).tolist(), own.share.tolist(), other.share.tolist()
    ([0.1], [100.0], [0.9, 0.9], [0.1, 0.1])
    """
    assert transition.counts is not None
    labelled = np.asarray(labels, dtype=float)
    if not labelled.any():
        raise OptionError("Bounds need at least one row.")
    joint = transition.joint(labelled)
    counted = np.maximum(transition.counts.sum(axis=0), 1)
    seen = transition.counts
    apart = ~np.eye(len(labelled), dtype=bool)

    def shares(so: Array, hits: Array, over: Array) -> CountedShares:
        """Share of rows that are so; `hits` counts them by label, `over` says which labels each share is about."""
        rows, spread = over @ labelled, over @ (labelled**2 / counted)
        some = rows > 0
        share = np.clip(np.where(some, so / np.where(some, rows, 1.0), 0.0), 0.0, 1.0)
        by_label = (hits + 0.5) / (counted + 1)
        mean = np.where(some, (over * by_label) @ labelled / np.where(some, rows, 1.0), 0.5)
        own = (over * by_label * (1 - by_label)) @ (labelled**2 / counted)
        spread = np.maximum(spread, own / (mean * (1 - mean)))
        return CountedShares(share, np.where(some, rows**2 / np.where(some, spread, 1.0), 0.0), rows)

    right = np.diagonal(joint)
    return (
        shares(
            labelled.sum(keepdims=True) - right.sum(), counted - np.diagonal(seen), np.ones((1, len(labelled)), bool)
        ),
        shares(right, seen, ~apart),
        shares(joint.sum(axis=1) - right, seen, apart),
    )


def enough_draws(tails: tuple[float, float]) -> int:
    """Return the number of draws that these tails need."""
    return max(DRAWS, check_needed_draws(needed_draws(tails, beyond=BEYOND), 1 - sum(tails)))


def counted_rate(
    labels: ArrayLike,
    transition: Transition,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    seed: int = 0,
) -> tuple[float, float]:
    """Compute the range of the share of wrong labels here, from a table counted on other rows.

    Both ends hold with as much certainty as the bounds of a measure that is asked for: one-sided ones use either.

    >>> low, high = counted_rate([500, 500], Transition.from_table([[45, 5], [5, 45]], ["a", "b"]))
    >>> round(low, 2), round(high, 2)
    (0.05, 0.18)
    """
    tails = tail_levels(level, alternative)
    wrong, generator = shares_by_class(labels, transition)[0], stream(seed, "counted-rate")
    draws = 20 * enough_draws(tails)  # of one number they cost little
    fewest, most = (wrong.drawn(extra, draws, generator) / wrong.rows for extra in (0.0, 1.0))
    low, high = np.quantile(fewest, max(tails)), np.quantile(most, 1 - max(tails))
    n = float(wrong.rows[0])  # labels are wrong in whole rows
    return math.floor(low * n + 1e-9) / n, math.ceil(high * n - 1e-9) / n
