"""(e) Nothing is known about the labels: the smallest share of wrong ones that could make a claim false."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.measures import Confusion, error
from justesse.measures.averages import Averaged
from justesse.measures.ratio import Ratio, RatioCells
from justesse.noise.claim import BY_CLASS, OVERALL, Claim
from justesse.noise.counted import counted
from justesse.noise.macro import macro_range, macro_weights
from justesse.noise.relabelling import corners, linear_range
from justesse.noise.rung import NOTHING, Rung

ASSUMPTION = "any of these labels may be wrong, in any way"
FALSE_ALREADY = "the claim is false with the labels as they are"
NEVER = "no number of wrong labels could make the claim false"


@dataclass(frozen=True)
class Breakdown:
    """How many labels must be wrong before a claim can be false, and which share of all rows that is.

    `rate` and `count` are 0 if the claim is false already, `None` if nothing can overturn it. If not `sharp`, fewer
    wrong labels than `count` certainly leave the claim true, but it may take more to overturn it.
    """

    claim: Claim
    claim_holds: bool
    rate: float | None
    count: int | None
    n: int
    sharp: bool
    assumption: str = ASSUMPTION
    undefined: str | None = None

    @property
    def rung(self) -> Rung["Breakdown"]:
        """Its place on the ladder."""
        fails_when = "never for these rows; it is a worst case, not a forecast"
        return Rung(NOTHING, (self,), (self.assumption,), fails_when)

    def to_dict(self) -> dict[str, Any]:
        return {
            "claim": str(self.claim),
            "claim_holds": self.claim_holds,
            "rate": self.rate,
            "count": self.count,
            "n": self.n,
            "sharp": self.sharp,
            "assumption": self.assumption,
            "undefined": self.undefined,
        }


def breakdown(tally: Tally, claim: Claim | None = None) -> Breakdown:
    """Compute the breakdown rate of a claim: the smallest share of wrong labels that could make it false.

        min { m/n : some other true class for m of the n rows makes the claim false }

    Parameters
    ----------
    tally
        Counts by label × prediction.
    claim
        The claim. Default: accuracy is above the share of the most frequent label.

    Notes
    -----
    Exact in whole rows, except for macro averages of recall, F and specificity (`sharp` is False). A relabelling that
    leaves the measure undefined does not count. A high rate does not mean that the labels are right: it says how many
    would have to be wrong. Donoho and Huber (1983) for the idea.

    Examples
    --------
    >>> table = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
    >>> result = breakdown(table, Claim.parse("accuracy>=0.8"))
    >>> result.count, result.rate
    (6, 0.06)
    >>> breakdown(table).rate
    0.35
    """
    rows = counted(tally, "label", "prediction")
    claim = claim or Claim.beats_majority(rows)
    if not rows.n:
        raise OptionError("A claim needs at least one row.")
    furthest, sharp = _furthest(rows, claim)
    start = furthest(0)
    if np.isnan(float(start)):
        raise OptionError(f"The claim {claim} cannot be checked: its measure is undefined on these rows.")
    if not claim.holds(start):
        return Breakdown(claim, False, 0.0, 0, rows.n, sharp, undefined=FALSE_ALREADY)
    if len(rows.classes) < 2 or claim.holds(furthest(rows.n)):
        return Breakdown(claim, True, None, None, rows.n, sharp, undefined=NEVER)
    enough, short = rows.n, 0
    while enough - short > 1:
        middle = (enough + short) // 2
        enough, short = (enough, middle) if claim.holds(furthest(middle)) else (middle, short)
    return Breakdown(claim, True, enough / rows.n, enough, rows.n, sharp)


def _furthest(rows: Tally, claim: Claim) -> tuple[Callable[[int], Fraction | float], bool]:
    """Return the worst value for the claim when at most m rows are relabelled, and whether it is sharp."""
    table, n = Confusion.of(rows), rows.n
    worst = min if claim.wants_much else max
    if claim.measure in BY_CLASS:
        at, measure = claim.position(rows), BY_CLASS[claim.measure]

        def of_class(m: int) -> Fraction | float:
            hits, true = corners(table, fewest=0, most=m, at=slice(at, at + 1))
            values = [
                _share(measure, int(right), int(size), int(table.predicted[at]), n)
                for right, size in zip(hits[:, 0].tolist(), true[:, 0].tolist(), strict=True)
            ]
            return worst((value for value in values if value is not None), default=float("nan"))

        return of_class, True
    overall = OVERALL[claim.measure]
    side = 0 if claim.wants_much else 1
    if isinstance(overall, Averaged):
        weights = macro_weights(overall.class_measure, table)
        if weights:
            return lambda m: linear_range(rows, weights.by_row, fewest=0, most=m, start=weights.start)[side], True
        return lambda m: macro_range(overall.class_measure, table, m)[side], False
    counted_right = int(table.hits.sum())
    good = n - counted_right if overall is error else counted_right
    return lambda m: Fraction(max(good - m, 0) if claim.wants_much else min(good + m, n), n), True


def _share(measure: Ratio, hits: int, true: int, predicted: int, n: int) -> Fraction | None:
    """Divide exactly: a claim at the very threshold must not turn on rounding."""

    def total(cells: RatioCells) -> int:
        return int(cells.hits * hits + cells.labelled * true + cells.predicted * predicted + cells.n * n)

    below = total(measure.denominator)
    return Fraction(total(measure.numerator), below) if below else None
