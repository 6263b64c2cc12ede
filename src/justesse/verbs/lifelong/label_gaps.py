"""Labels that are late, or were only asked for some rows: bounds, and estimates if it is known how they were asked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.choices import BoundedLabels
from justesse.core.errors import OptionError
from justesse.core.results import Interval, finite_or_none
from justesse.frames.version_labels import LabelGaps
from justesse.frames.versions import VersionCounts
from justesse.lifelong.asked_labels import AskedRows, asked_scores
from justesse.lifelong.missing_labels import ScoreBounds, completed, score_bounds, within_bounds
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.policy_score import PolicyScore
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.report.writing import message


@dataclass(frozen=True)
class VersionBounds:
    """One version: its score on labelled rows, bounds over all missing labels, and what the latter rest on.

    Parameters
    ----------
    version
        Name of the version.
    labelled
        Error on the rows that have a label, under the policy; NaN without any.
    low, high
        Lowest and highest error.
    interval
        Interval that covers both.
    unlabelled
        Rows without a label in the periods that count.
    horvitz_thompson
        Horvitz and Thompson's estimate; NaN if the probabilities are not known.
    """

    version: str
    labelled: float
    low: float
    high: float
    interval: Interval | None
    unlabelled: int
    horvitz_thompson: float = math.nan


@dataclass(frozen=True)
class UnlabelledRows:
    """What missing labels can do to the scores of all versions.

    Parameters
    ----------
    rows, total
        Rows without a label, and all rows.
    probability
        Column with the probabilities of being asked, if there is one.
    certain
        Rows without a label although it was asked with probability 1.
    versions
        A figure for each version.
    low, high
        Lowest and highest error of every version in every period.
    """

    rows: int
    total: int
    probability: str | None
    certain: int
    versions: tuple[VersionBounds, ...]
    low: FloatArray
    high: FloatArray

    @property
    def is_bound(self) -> bool:
        """Whether only bounds are known: labels are missing, and not how they were asked."""
        return self.rows > 0 and self.probability is None

    @property
    def warnings(self) -> list[str]:
        """What may be misread."""
        return gap_warnings(self.rows, self.total, self.probability, self.certain)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "total": self.total,
            "method": "bounds" if self.probability is None else "inverse-probability",
            "probability": self.probability,
            "certain": self.certain,
            "score": [
                {
                    "version": part.version,
                    "labelled": finite_or_none(part.labelled),
                    "low": finite_or_none(part.low),
                    "high": finite_or_none(part.high),
                    "interval": part.interval.to_dict() if part.interval else None,
                    "unlabelled": part.unlabelled,
                    "horvitz_thompson": finite_or_none(part.horvitz_thompson),
                }
                for part in self.versions
            ],
            "low": [[finite_or_none(value) for value in row] for row in self.low.tolist()],
            "high": [[finite_or_none(value) for value in row] for row in self.high.tolist()],
        }


def gap_warnings(rows: int, total: int, probability: str | None, certain: int) -> list[str]:
    """Warn of what missing labels do to a figure.

    >>> gap_warnings(2, 10, None, 0)[0][:62]
    '2 of 10 rows have no label, and it is not known how labels wer'
    """
    lines = []
    if rows and probability is None:
        template = (
            "{n:count} of {all:count row} {n:plural has|have} no label, and it is not known how labels were asked: intervals "
            "cover every label these rows could have. If the probabilities are known, name their column (--probability)."
        )
        lines.append(str(message(template, n=rows, all=total)))
    if certain:
        template = (
            "{n:count row} without a label {n:plural was|were} asked with probability 1: if {n:plural its label is|their labels "
            "are} late or refused, the estimate may be biased. --missing-labels bound allows for it."
        )
        lines.append(str(message(template, n=certain)))
    return lines


def bounds_labels(
    missing: str | None, missing_labels: str | None, probability: str | None, others: Sequence[Any]
) -> bool:
    """Say whether rows without a label are kept, and refuse options that do not go with that.

    Parameters
    ----------
    missing
        What to do with rows without a prediction.
    missing_labels
        What to do with rows without a label.
    probability
        Column with the probabilities of being asked.
    others
        Options about wrong labels, touched items and given scores.
    """
    if missing_labels is not None and missing_labels not in get_args(BoundedLabels):
        raise OptionError(
            f"missing_labels must be one of {', '.join(get_args(BoundedLabels))}; got {missing_labels!r}."
        )
    if probability is not None and missing_labels is not None:
        raise OptionError(
            "probability (--probability) estimates figures from how labels were asked, so rows without a label count. Leave "
            "out missing_labels (--missing-labels), or probability for bounds."
        )
    kept = missing_labels == "bound" or probability is not None
    if kept and any(part is not None for part in others):
        raise OptionError(
            "Missing labels are bounded or weighted for error rates only, and not together with wrong labels. Leave out "
            "noise_rate, claim, true, touched and score, or missing_labels='bound' and probability."
        )
    if kept and missing == "wrong":
        raise OptionError(
            "Rows without a prediction cannot count as wrong while labels are missing. Drop them with missing='drop' "
            "(--missing drop)."
        )
    return kept


def scores_with_gaps(
    matrix: ScoreMatrix,
    counts: VersionCounts,
    gaps: LabelGaps,
    periods: Periods,
    probability: str | None,
    scoring: dict[str, Any],
) -> tuple[ScoreMatrix, list[PolicyScore], UnlabelledRows]:
    """Score every version where labels are missing.

    Parameters
    ----------
    matrix
        Error rates of the rows that have a label.
    counts, gaps
        Errors and items of labelled rows, rows without a label, and how labels were asked.
    periods
        The test periods.
    probability
        Column with the probabilities of being asked, if there is one.
    scoring
        Policy, convention, times and level.

    Returns
    -------
    tuple
        The matrix to show, the score of every version with its interval, and the bounds.
    """
    block = blocks_of(counts.moments, periods.of_moment, counts.dated)
    unlabelled = np.array([np.bincount(block, row) for row in gaps.unlabelled])
    bounds = score_bounds(matrix, unlabelled, **scoring)
    low, high = completed(matrix, unlabelled)
    scores, shown, totals = [bound.score for bound in bounds], matrix, [math.nan] * len(bounds)
    if gaps.asked is not None:
        asked = gaps.asked
        rows = AskedRows(
            asked.version, periods.of_moment[asked.moment], block[asked.moment], asked.value, 1 / asked.probability,
            asked.many,
        )  # fmt: skip
        scores, values, totals = asked_scores(rows, low, **scoring)
        values = np.clip(values, low.values, high.values)
        scores = [_inside(score, bound) for score, bound in zip(scores, bounds, strict=True)]
        shown = replace(matrix, values=values)
    return shown, scores, UnlabelledRows(
        int(gaps.unlabelled.sum()),
        int((gaps.unlabelled + counts.sizes).sum()),
        probability,
        gaps.certain,
        tuple(
            VersionBounds(
                bound.score.version, bound.score.value, bound.low, bound.high, bound.score.interval, bound.unlabelled, total
            )
            for bound, total in zip(bounds, totals, strict=True)
        ),
        low.values,
        high.values,
    )  # fmt: skip


def _inside(score: PolicyScore, bound: ScoreBounds) -> PolicyScore:
    """Keep an estimated score and its interval inside what the missing labels allow."""
    if score.interval is None or bound.score.interval is None:
        return score
    value, interval = within_bounds(score.value, score.interval, bound.low, bound.high, bound.score.interval)
    return replace(score, value=value, interval=interval)
