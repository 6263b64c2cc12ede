"""Two systems where labels are missing: the difference, bounded or estimated from the labels that were asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Interval
from justesse.frames.version_pair_labels import PairGaps
from justesse.frames.versions import VersionCounts
from justesse.lifelong.asked_labels import AskedRows, asked_difference
from justesse.lifelong.missing_labels import difference_bounds, within_bounds
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.verbs.lifelong.label_gaps import gap_warnings

Difference = Callable[[FloatArray], tuple[float, Interval]]


@dataclass(frozen=True)
class UnlabelledPairs:
    """What missing labels can do to the difference of two systems.

    Parameters
    ----------
    rows, differing, total
        Items without a label, those of them with different answers, and all items, in the periods that count.
    low, high
        Lowest and highest difference, whatever the missing labels are.
    interval
        Interval that covers both.
    probability
        Column with the probabilities of being asked, if there is one.
    certain
        Items without a label although it was asked with probability 1.
    """

    rows: int
    differing: int
    total: int
    low: float
    high: float
    interval: Interval
    probability: str | None = None
    certain: int = 0

    @property
    def warnings(self) -> list[str]:
        """What may be misread."""
        return gap_warnings(self.rows, self.total, self.probability, self.certain)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "differing": self.differing,
            "total": self.total,
            "method": "bounds" if self.probability is None else "inverse-probability",
            "probability": self.probability,
            "low": self.low,
            "high": self.high,
            "interval": self.interval.to_dict(),
        }


@dataclass(frozen=True)
class BlockGaps:
    """Items without a label in each block of time, those with different answers, labels that were asked, and those asked in vain."""

    unlabelled: FloatArray
    differing: FloatArray
    asked: AskedRows | None
    certain: FloatArray


def block_gaps(gaps: PairGaps, counts: VersionCounts, periods: Periods) -> BlockGaps:
    """Add up items without a label by block of time.

    Parameters
    ----------
    gaps
        Items without a label at each moment, and how labels were asked.
    counts
        Moments of the incumbent.
    periods
        The test periods.
    """
    place = {name: at for at, name in enumerate(counts.written)}
    moment = np.array([place[name] for name in gaps.written], dtype=np.int64)
    block = blocks_of(counts.moments, periods.of_moment, counts.dated)
    many = int(block.max()) + 1
    sure = np.zeros(len(moment)) if gaps.certain is None else gaps.certain
    unlabelled, differing, certain = (
        np.bincount(block[moment], part, minlength=many).astype(float)
        for part in (gaps.unlabelled, gaps.differing, sure)
    )
    rows = None
    if (asked := gaps.asked) is not None:
        at = moment[asked.moment]
        rows = AskedRows(
            asked.version, periods.of_moment[at], block[at], asked.value, 1 / asked.probability, asked.many
        )
    return BlockGaps(unlabelled, differing, rows, certain)


def difference_with_gaps(
    pairs: PairedBlocks, gaps: BlockGaps, seen: Sequence[int], names: Sequence[str], *, level: float
) -> Difference:
    """Return the function of the weights of periods that gives the difference and its interval.

    Parameters
    ----------
    pairs
        Items with a label that both answered.
    gaps
        Items without a label, and how labels were asked.
    seen
        Periods that count.
    names
        Names of all periods.
    level
        Confidence level.

    Notes
    -----
    Without probabilities, the value is the centre of the bounds: items without a label count as no difference. The
    interval covers every label that they could have. With probabilities, the estimate and its interval stay inside.
    """
    if gaps.asked is not None:
        rows = gaps.asked
        if silent := [j for j in seen if not rows.many[rows.period == j].any()]:
            raise InputError(
                f"No label was asked in period {names[silent[0]]!r}, so that the difference cannot be estimated. Leave the "
                "period out of the policy (policy=…, --policy), or bound the difference with missing_labels='bound' "
                "(--missing-labels bound) and without probabilities."
            )

        def estimated(weights: FloatArray) -> tuple[float, Interval]:
            bounds = difference_bounds(pairs, gaps.unlabelled, gaps.differing, seen, weights, level=level)
            value, interval = asked_difference(rows, seen, weights, level=level)
            return within_bounds(value, interval, *bounds)

        return estimated
    values = centres(pairs, gaps, seen)

    def bounded(weights: FloatArray) -> tuple[float, Interval]:
        interval = difference_bounds(pairs, gaps.unlabelled, gaps.differing, seen, weights, level=level)[2]
        return float(weights @ values), interval

    return bounded


def centres(pairs: PairedBlocks, gaps: BlockGaps, seen: Sequence[int]) -> FloatArray:
    """Difference in each period if items without a label make none."""
    values = []
    for period in seen:
        inside = pairs.period == period
        gap = pairs.only_second[inside].sum() - pairs.only_first[inside].sum()
        values.append(gap / (pairs.sizes[inside] + gaps.unlabelled[inside]).sum())
    return np.array(values, dtype=float)
