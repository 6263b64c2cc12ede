"""Whether a reference classifier sides with one of two classifiers for other reasons than being right."""

import math
from collections.abc import Sequence

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import TestResult
from justesse.significance.mcnemar import mcnemar
from justesse.significance.normal import z_pvalue

NAME = "reference-independence"
ASSUMPTIONS = ("the rows with labels are a random part of all rows", "their labels are right")


def reference_independence(
    candidate_right: Sequence[int], incumbent_right: Sequence[int], neither_right: Sequence[int] = (0, 0, 0)
) -> TestResult:
    """Test on labelled rows that a reference favours neither of two classifiers, apart from being right.

        z² = (N - 1)·r²,   r: correlation of the side the reference takes (+1, 0, -1) with who is right

    Each argument counts the rows on which the two classifiers differ, by the reference's answer: that of the right
    classifier, a third one, that of the wrong classifier; where neither is right: the candidate's, a third one, the
    incumbent's. Where one is right, the reference must take the right side equally often (Mantel's test for trend).
    Where neither is right, it must take both sides equally often (McNemar's mid-p test). The p-value is twice the
    smaller one. Mantel (1963).

    Parameters
    ----------
    candidate_right
        Rows where the candidate is right.
    incumbent_right
        Rows where the incumbent is right.
    neither_right
        Rows where neither is right. Default: none, as with two classes.

    Returns
    -------
    TestResult
        Statistic, p-value and assumptions; `statistic` is half the difference of the two leans.

    Examples
    --------
    >>> result = reference_independence((80, 0, 20), (60, 0, 40))
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (0.2, 0.0021)
    """
    tables = [np.asarray(part, dtype=float) for part in (candidate_right, incumbent_right, neither_right)]
    if any(part.shape != (3,) or (part < 0).any() or (part != np.floor(part)).any() for part in tables):
        raise OptionError("Each argument counts rows by the three sides a reference can take: three whole numbers.")
    first, second, neither = tables
    total = float(sum(part.sum() for part in tables))
    side = np.array([1.0, 0.0, -1.0])
    pvalues = []
    lean = math.nan
    if first.sum() and second.sum():
        lean = float(first @ side / first.sum() - second @ side / second.sum()) / 2
        who = np.repeat([1.0, 0.0], 3)
        taken, counts = np.tile(side, 2), np.concatenate([first, second])
        size = counts.sum()
        spread_who = counts @ who**2 / size - (counts @ who / size) ** 2
        spread_side = counts @ taken**2 / size - (counts @ taken / size) ** 2
        shared = counts @ (who * taken) / size - (counts @ who) * (counts @ taken) / size**2
        z = math.sqrt(size - 1) * shared / math.sqrt(spread_who * spread_side) if spread_side > 0 else 0.0
        pvalues.append(z_pvalue(z))
    if neither[0] + neither[2]:
        pvalues.append(mcnemar(int(neither[2]), int(neither[0])).pvalue)
    if not pvalues or math.isnan(lean):
        why = "too few labelled rows: each of the two must be right alone on some of them"
        return TestResult(NAME, math.nan, math.nan, total, "two-sided", ASSUMPTIONS, undefined=why)
    return TestResult(NAME, lean, min(1.0, len(pvalues) * min(pvalues)), total, "two-sided", ASSUMPTIONS)
