"""Noise rates from items that were answered several times: answers to one item are not independent."""

from dataclasses import replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import CLUSTERS
from justesse.core.results import Alternative, Estimate, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.ends import z_value
from justesse.intervals.wilson import wilson
from justesse.measures.confusion import ratio
from justesse.noise.counted import counted
from justesse.noise.transition import NEVER_TRUE


def clustered_rates(
    tally: Tally, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> tuple[list[Estimate], int]:
    """Estimate the noise rate, overall and of each true class, if items were labelled several times.

        p = Σ_g w_g / Σ_g n_g,   v = G/(G-1) · Σ_g (w_g - p·n_g)² / n²
        n* = min(n, p(1-p)/v) · (z / t_{G-1})²,   Wilson's interval of p with n* rows

    Parameters
    ----------
    tally
        Counts by true × label × cluster, one cluster per item.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Returns
    -------
    list of Estimate, int
        The rates, and the number of clusters.

    Notes
    -----
    w_g of the n_g labels of item g are wrong, G items. If no label is wrong, or all are, n* is the number of
    clusters. Do not use it with only a few clusters. Korn and Graubard (1998).

    Examples
    --------
    >>> cells = [("a", "a", item, 5) for item in range(30)] + [("a", "b", 30, 5), ("b", "b", 31, 5)]
    >>> (result, *_), clusters = clustered_rates(Tally.of(("true", "label", "cluster"), cells))
    >>> round(result.value, 3), str(result.interval), clusters
    (0.031, '[0.0051, 0.1683]', 32)
    """
    rows = counted(tally, "true", "label", CLUSTERS)
    if None in rows.levels[rows.axis(CLUSTERS)]:
        raise InputError("Some rows have no value in the column of clusters. Fill them in or leave these rows out.")
    true, label, cluster = (rows.codes[:, rows.axis(axis)] for axis in ("true", "label", CLUSTERS))
    clusters = len(rows.levels[rows.axis(CLUSTERS)])
    if clusters < 2:
        raise OptionError(f"Cluster-robust intervals need at least two clusters; got {clusters}.")
    wrong, tails = rows.counts * (true != label), tail_levels(level, alternative)
    rates = []
    for at, name in enumerate((None, *rows.classes)):
        mine = np.ones(len(true), dtype=bool) if at == 0 else true == at - 1
        n_g, w_g = (np.bincount(cluster[mine], part[mine], minlength=clusters) for part in (rows.counts, wrong))
        n = float(n_g.sum())
        value = float(ratio(w_g.sum(), n))
        interval = None
        if n:
            worth = _worth(n_g[n_g > 0], w_g[n_g > 0], value, max(tails))
            ends = wilson(value * worth, worth, level=level, alternative=alternative)
            interval = replace(ends, method="wilson-cluster").intervals(alternative=alternative)[0]
        rates.append(Estimate("noise_rate", value, n, interval, None if n else NEVER_TRUE, name))
    return rates, clusters


def _worth(n_g: Array, w_g: Array, value: float, tail: float) -> float:
    """Compute the effective number of independent rows."""
    from scipy.special import stdtrit

    n, many = float(n_g.sum()), len(n_g)
    if many < 2:
        return 1.0
    spread = many / (many - 1) * float(((w_g - value * n_g) ** 2).sum()) / n**2
    rows = value * (1 - value) / spread if 0 < value < 1 and spread > 0 else many
    return float(min(n, rows) * (z_value(tail) / stdtrit(many - 1, 1 - tail)) ** 2)
