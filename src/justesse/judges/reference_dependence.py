"""How far a reference classifier may side with one of two classifiers, before their order is in doubt."""

from dataclasses import dataclass
from typing import Any

from justesse.core.case import Case
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.judges.evidence import Rule
from justesse.significance.paired_difference import paired_difference


@dataclass(frozen=True)
class ReferenceDependence:
    """What the reference does on the rows where incumbent and candidate differ.

    Parameters
    ----------
    with_candidate
        Rows on which it gives the candidate's answer.
    with_incumbent
        Rows on which it gives the incumbent's answer.
    other
        Rows on which it gives a third answer.
    lean
        How much more often it gives the candidate's answer than the incumbent's, as a share of these rows.
    tolerated
        Largest dependence that leaves the order of the two as found; 0 if no order was found.
    """

    with_candidate: int
    with_incumbent: int
    other: int
    lean: Estimate
    tolerated: float

    @property
    def differ(self) -> int:
        """Number of rows on which incumbent and candidate differ."""
        return self.with_candidate + self.with_incumbent + self.other

    def to_dict(self) -> dict[str, Any]:
        return {
            "differ": self.differ,
            "with_candidate": self.with_candidate,
            "with_incumbent": self.with_incumbent,
            "other": self.other,
            "lean": finite_or_none(self.lean.value),
            "interval": self.lean.interval.to_dict() if self.lean.interval else None,
            "tolerated": self.tolerated,
        }


def reference_dependence(case: Case, rule: Rule) -> ReferenceDependence:
    """Compute the dependence that the order of incumbent and candidate tolerates.

    Parameters
    ----------
    case
        The counted rows, with the reference's answers as labels.
    rule
        Level and alternative of the interval.

    Notes
    -----
    On rows where the two differ, let p₁, p₂ and p₀ be the shares where the candidate, the incumbent and neither is
    right. On each kind of rows the reference leans to one side: g₁ is how much more often it gives the candidate's
    answer than the incumbent's where the candidate is right, g₂ the reverse where the incumbent is right, and g₀ its
    lean to the candidate where neither is right. Then the lean that is seen is ::

        D = p₁g₁ - p₂g₂ + p₀g₀ = (p₁ - p₂)·(g₁ + g₂)/2 + (p₁ + p₂)·(g₁ - g₂)/2 + p₀g₀

    A reference that errs independently of both has g₁ = g₂ and g₀ = 0. If |g₁ - g₂|/2 ≤ δ and |g₀| ≤ δ, the last two
    terms add up to δ at most. So the sign of D is that of p₁ - p₂ while δ < |D|, if the reference is better than chance
    (g₁ + g₂ > 0); for larger δ either order is possible. With two classes p₀ = 0 and g = 2r - 1, so δ bounds |r₁ - r₂|:
    how much more often the reference is right where the candidate is right than where the incumbent is. `tolerated` is
    the end of the interval of D that is nearer to 0.

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 850), (1, 0, 1, 90), (0, 0, 1, 50), (2, 0, 1, 10)]
    >>> result = reference_dependence(Case(Tally.of(("label", "incumbent", "candidate"), cells)), Rule())
    >>> result.differ, round(result.lean.value, 3), round(result.tolerated, 3)
    (150, 0.267, 0.113)
    """
    tally = case.tally
    label, first, other = (tally.codes[:, tally.axis(axis)] for axis in ("label", "incumbent", "candidate"))
    apart = first != other
    differ = int(tally.counts[apart].sum())
    ours = int(tally.counts[apart & (label == other)].sum())
    theirs = int(tally.counts[apart & (label == first)].sum())
    if not differ:
        lean = Estimate("lean", float("nan"), 0, undefined="the two give the same answer to every row")
        return ReferenceDependence(0, 0, 0, lean, 0.0)
    ends = paired_difference(theirs, ours, differ, **rule.sides)
    interval = Interval(float(ends.low), float(ends.high), rule.level, "tango", (-1.0, 1.0), rule.alternative)
    lean = Estimate("lean", (ours - theirs) / differ, differ, interval)
    low, high = interval.low, interval.high
    near = low if low > 0 and rule.alternative != "less" else -high if high < 0 and rule.alternative != "greater" else 0
    return ReferenceDependence(ours, theirs, differ - ours - theirs, lean, max(0.0, float(near)))
