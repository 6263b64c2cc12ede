"""The share of wrong labels by confident learning, with an interval for the draw of the rows."""

import math

import numpy as np

from justesse.cleaning.confident_joint import confident_joint
from justesse.cleaning.evidence import LabelEvidence
from justesse.core.errors import InputError
from justesse.core.results import Alternative, Estimate, Interval, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.wilson import wilson

BLOCKS = 40  # parts of the rows, each left out once
JACKKNIFE = "block jackknife"


def confident_rates(
    evidence: LabelEvidence, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> list[Estimate]:
    """Estimate the share of wrong labels by confident learning, overall and of each label.

    Parameters
    ----------
    evidence
        Labels and out-of-sample probabilities.
    level
        Confidence level.
    alternative
        `two-sided`; `greater` gives lower bounds only, `less` upper bounds only.

    Returns
    -------
    list of Estimate
        The share of all rows, then of each label.

    Notes
    -----
    ::

        rate = 1 - trace(Q) / n,   Q: the confident joint
        se² = (g-1)/g · Σ (rate without block j - their mean)²,   interval: rate ± t(g-1)·se

    The rows are divided at random into g = 40 blocks. With few wrong labels leaving out blocks changes little or
    nothing, so the interval always contains Wilson's of rate·n of n rows, for a label of the rows with that label. It
    is about the draw of the rows, with the same model.
    It does not cover the share of wrong labels that people would find if the model is biased. Northcutt, Jiang and
    Chuang (2021); Shao and Tu (1995); Wilson (1927).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(2, size=1000)
    >>> p = np.where(true == 1, 0.9, 0.1) + rng.uniform(-0.05, 0.05, 1000)
    >>> labels = np.where(rng.random(1000) < 0.1, 1 - true, true)
    >>> rate = confident_rates(LabelEvidence(labels, ("a", "b"), probabilities=np.stack([1 - p, p], -1)))[0]
    >>> round(rate.value, 3), str(rate.interval)
    (0.119, '[0.1004, 0.1405]')
    """
    from scipy.stats import t

    probabilities = evidence.probabilities
    if probabilities is None:
        raise InputError(
            "Confident learning needs out-of-sample probabilities. Name their columns with proba=… (--proba p_)."
        )
    whole = confident_joint(evidence.labels, probabilities)
    blocks = min(BLOCKS, evidence.n)
    block = stream(evidence.seed, "confident rate").permutation(evidence.n) % blocks
    parts = [confident_joint(evidence.labels[block != at], probabilities[block != at]) for at in range(blocks)]
    values = np.array([whole.rate, *whole.rates])
    without = np.array([[part.rate, *part.rates] for part in parts])
    spread = np.sqrt((blocks - 1) / blocks * ((without - without.mean(0)) ** 2).sum(0))
    tails = tail_levels(level, alternative)
    rows = [evidence.n, *np.bincount(evidence.labels, minlength=len(evidence.classes)).tolist()]
    results = []
    for name, value, error, n in zip([None, *evidence.classes], values.tolist(), spread.tolist(), rows, strict=True):
        if math.isnan(value) or math.isnan(error):
            results.append(Estimate("wrong labels", value, n, None, "no row has this label", name))
            continue
        low, high = (float(t.isf(tail, blocks - 1)) * error if tail > 0 else math.inf for tail in tails)
        least = wilson(min(max(value, 0.0), 1.0) * n, n, level=level, alternative=alternative)
        ends = max(min(value - low, float(least.low)), 0.0), min(max(value + high, float(least.high)), 1.0)
        results.append(
            Estimate("wrong labels", value, n, Interval(*ends, level, JACKKNIFE, (0.0, 1.0), alternative), None, name)
        )
    return results
