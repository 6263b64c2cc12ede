"""Questions that were asked several times: pass@k and the majority of k samples, with intervals over questions."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate
from justesse.core.tally import Tally
from justesse.intervals.clustered import clustered_share
from justesse.intervals.clustered_measures import ClusterRows

SampleRule = Literal["pass", "majority"]


@dataclass(frozen=True)
class SampleEstimate:
    """The share of questions answered right by some rule with k samples each."""

    rule: SampleRule
    k: int
    estimate: Estimate

    @property
    def title(self) -> str:
        """Its usual name: pass@5."""
        return f"{self.rule}@{self.k}"

    def to_dict(self) -> dict[str, Any]:
        written = self.estimate.to_dict()
        return {"k": self.k, **{name: written[name] for name in ("value", "interval", "undefined", "n")}}


def pass_at(right: ArrayLike, samples: ArrayLike, k: int) -> FloatArray:
    """Compute for each question the chance that at least one of k of its samples is right.

        pass@k = 1 - C(n-c, k) / C(n, k)

    Parameters
    ----------
    right
        Number of right samples of each question, c.
    samples
        Number of samples of each question, n.
    k
        Number of samples to draw.

    Returns
    -------
    array
        Unbiased estimates; NaN for questions with fewer than k samples.

    Notes
    -----
    Chen and others (2021), Evaluating large language models trained on code. 1 - (1 - c/n)^k is biased.

    Examples
    --------
    >>> pass_at([0, 1, 3], [5, 5, 5], 2).round(4).tolist()
    [0.0, 0.4, 0.9]
    """
    c, n, k = _checked(right, samples, k)
    return np.asarray(np.where(n >= k, 1 - _drawn(np.zeros_like(c), c, n, k), np.nan))


def majority_at(right: ArrayLike, samples: ArrayLike, k: int) -> FloatArray:
    """Compute for each question the chance that more than half of k of its samples are right; a tie counts half.

        Σ_{j > k/2} C(c, j)·C(n-c, k-j) / C(n, k)

    Where wrong answers differ, the most frequent of k answers can be right with fewer: this is a lower bound then.

    Parameters
    ----------
    right
        Number of right samples of each question, c.
    samples
        Number of samples of each question, n.
    k
        Number of samples to draw.

    Returns
    -------
    array
        Unbiased estimates; NaN for questions with fewer than k samples.

    Examples
    --------
    >>> majority_at([0, 2, 3, 5], [5, 5, 5, 5], 3).round(4).tolist()
    [0.0, 0.3, 0.7, 1.0]
    """
    c, n, k = _checked(right, samples, k)
    total = np.zeros_like(c)
    for many in range(k // 2, k + 1):
        if 2 * many >= k:
            total += _drawn(np.full_like(c, many), c, n, k) * (0.5 if 2 * many == k else 1.0)
    return np.asarray(np.where(n >= k, total, np.nan))


RULES: dict[SampleRule, Callable[[ArrayLike, ArrayLike, int], FloatArray]] = {"pass": pass_at, "majority": majority_at}


def estimate_samples(
    tally: Tally,
    rule: SampleRule,
    k: int,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> SampleEstimate:
    """Estimate pass@k or the majority of k samples as a mean over questions, each of which counts alike.

    Parameters
    ----------
    tally
        Counts by label, prediction and cluster: a cluster is a question.
    rule
        "pass" or "majority".
    k
        Number of samples to draw of each question.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    SampleEstimate
        The mean and its interval; undefined if a question has fewer than k samples.

    Notes
    -----
    Questions are independent draws. The interval is Wilson's with the number of rows that give the variance over
    questions, and Student's t (`clustered_share`).

    Examples
    --------
    >>> cells = [("a", "a", g, 1 + g % 4) for g in range(40)]
    >>> cells += [("a", "b", g, 3 - g % 4) for g in range(40) if g % 4 < 3]
    >>> result = estimate_samples(Tally.of(("label", "prediction", "cluster"), cells), "pass", 2)
    >>> result.title, round(result.estimate.value, 3), str(result.estimate.interval)
    ('pass@2', 0.833, '[0.7573, 0.8890]')
    """
    rows = ClusterRows.of(tally)
    right, many = rows.sums(rows.label == rows.prediction), len(rows.sizes)
    name = f"{rule}@{k}"
    values = RULES[rule](right, rows.sizes, k)
    few = int(np.isnan(values).sum())
    if few:
        reason = f"{few:,} of {many:,} questions have fewer than {k} samples"
        return SampleEstimate(rule, k, Estimate(name, math.nan, many, undefined=reason))
    size = float(rows.sizes.mean())
    totals = np.clip(values * size, 0.0, size)
    ends = clustered_share(totals, np.full(many, size), level=level, alternative=alternative)
    interval = ends.intervals(alternative=alternative)[0]
    return SampleEstimate(rule, k, Estimate(name, float(values.mean()), many, interval))


def _checked(right: ArrayLike, samples: ArrayLike, k: int) -> tuple[FloatArray, FloatArray, int]:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise OptionError(f"k must be a whole number of samples, at least 1; got {k!r}.")
    c, n = np.broadcast_arrays(np.asarray(right, dtype=float), np.asarray(samples, dtype=float))
    if np.any(c < 0) or np.any(c > n):
        raise OptionError("The number of right samples must lie between 0 and the number of samples.")
    return c, n, int(k)


def _drawn(many: FloatArray, right: FloatArray, samples: FloatArray, k: int) -> FloatArray:
    """Compute the chance that exactly `many` of k samples drawn without replacement are right."""
    from scipy.special import gammaln

    wrong, rest = samples - right, k - many
    possible = (many <= right) & (rest <= wrong) & (k <= samples)

    def ways(whole: FloatArray, part: FloatArray) -> FloatArray:
        part = np.where(possible, part, 0.0)
        return np.asarray(gammaln(whole + 1) - gammaln(part + 1) - gammaln(whole - part + 1))

    drawn = ways(right, many) + ways(wrong, rest) - ways(samples, np.full_like(samples, k))
    return np.asarray(np.where(possible, np.exp(drawn), 0.0))
