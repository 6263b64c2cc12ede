"""Bootstrap intervals of rows that come in clusters: whole clusters are drawn, with all their rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.core.resampling import CHUNK
from justesse.core.results import Alternative, tail_levels
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.bootstrap import bca_quantiles, stands_still
from justesse.intervals.clustered_measures import ClusterRows
from justesse.intervals.ends import Ends
from justesse.intervals.quantile import quantile
from justesse.measures import Confusion, Measure

MOST_CELLS = 200_000_000  # clusters × classes that are laid out
ClusterBootstrap = Literal["percentile", "bca"]


def clustered_bootstrap(
    tally: Tally,
    measures: Sequence[Measure],
    *,
    costs: Array | None = None,
    method: ClusterBootstrap = "percentile",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    draws: int = 2000,
    seed: int = 0,
) -> list[Ends]:
    """Compute bootstrap intervals of measures by drawing whole clusters with replacement.

    Parameters
    ----------
    tally
        Counts by label, prediction and cluster.
    measures
        Measures to compute.
    costs
        Cost of each prediction (columns) for each label (rows), if one of the measures is a cost.
    method
        "percentile", or "bca", which corrects for bias and skewness by leaving out one cluster after the other.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.
    draws
        Number of random draws.
    seed
        Seed of the random draws.

    Returns
    -------
    list of Ends
        One for each measure; NaN where all draws are alike.

    Notes
    -----
    Davison and Hinkley (1997), section 3.8. With fewer than about 30 clusters it is too narrow: the default,
    `clustered_ends`, is better there.

    Examples
    --------
    >>> from justesse.measures import accuracy
    >>> cells = [("a", "a", g, 4 if g % 3 else 1) for g in range(40)] + [("a", "b", g, 1) for g in range(0, 40, 3)]
    >>> ends = clustered_bootstrap(Tally.of(("label", "prediction", "cluster"), cells), [accuracy])[0]
    >>> ends.low.round(2).tolist(), ends.high.round(2).tolist()
    (0.83, 0.94)
    """
    tables = ClusterTables.of(tally, costs)
    many = tables.clusters
    drawn = [tables.batch(times) for times in cluster_draws(many, draws, seed)]
    resampled = [np.concatenate([np.asarray(measure.value(table)) for table in drawn]) for measure in measures]
    tails = tail_levels(level, alternative)
    shares: list[tuple[Array, Array]] = [(np.asarray(tails[0]), np.asarray(1 - tails[1])) for _ in measures]
    if method == "bca":
        whole, without = tables.batch(np.ones((1, many))), tables.without()
        shares = [
            bca_quantiles(values, measure.value(whole)[0], np.asarray(measure.value(without)), np.ones(many), tails)
            for values, measure in zip(resampled, measures, strict=True)
        ]
    ends = []
    for values, (low, high) in zip(resampled, shares, strict=True):
        hidden = np.where(stands_still(values), np.nan, 0.0)
        below = quantile(values, low) if tails[0] else np.full(hidden.shape, -np.inf)
        above = quantile(values, high) if tails[1] else np.full(hidden.shape, np.inf)
        ends.append(Ends(below + hidden, above + hidden, level, f"cluster-bootstrap-{method}"))
    return ends


@dataclass(frozen=True)
class ClusterTables:
    """What measures need of each cluster, so that clusters can be added up in any number.

    Parameters
    ----------
    tables
        Hits, labelled and predicted rows of each class, a row per cluster.
    paid
        Cost of each cluster, if there are costs.
    weighted, judged
        As `Confusion` takes them.
    """

    tables: Confusion
    paid: FloatArray | None
    weighted: bool
    judged: Array | None

    @classmethod
    def of(cls, tally: Tally, costs: Array | None = None) -> "ClusterTables":
        """Lay out a tally of label, prediction and cluster; refuse one that is too large for it."""
        rows, classes = ClusterRows.of(tally), len(tally.classes)
        if len(rows.sizes) * classes > MOST_CELLS:
            raise OptionError(
                f"{len(rows.sizes):,} clusters of {classes:,} classes are too many to resample. Leave out bootstrap "
                "(--bootstrap): the default interval needs no resamples."
            )
        paid = None if costs is None else rows.sums(costs[rows.label, rows.prediction])
        judged = tally.judged if tally.others else None
        return cls(rows.tables(range(classes)), paid, tally.weighted, judged)

    @property
    def clusters(self) -> int:
        return len(self.tables.hits)

    def batch(self, times: FloatArray) -> Confusion:
        """Add up clusters, each as often as a row of `times` says."""
        return self._confusion(
            times @ self.tables.hits,
            times @ self.tables.labelled,
            times @ self.tables.predicted,
            times @ self.tables.n,
            None if self.paid is None else times @ self.paid,
        )

    def without(self) -> Confusion:
        """Leave out one cluster after the other."""
        whole, tables = self.batch(np.ones((1, self.clusters))), self.tables
        return self._confusion(
            whole.hits - tables.hits,
            whole.labelled - tables.labelled,
            whole.predicted - tables.predicted,
            whole.n - tables.n,
            None if self.paid is None or whole.cost is None else whole.cost - self.paid,
        )

    def _confusion(self, hits: Array, labelled: Array, predicted: Array, n: Array, paid: Array | None) -> Confusion:
        return Confusion(hits, labelled, predicted, n, paid, self.weighted, self.judged)


def cluster_draws(clusters: int, draws: int, seed: int) -> Iterator[FloatArray]:
    """Draw how often each cluster is taken, some resamples at a time."""
    rng, size = stream(seed, "clusters"), max(1, CHUNK // max(clusters, 1))
    for start in range(0, draws, size):
        many = min(size, draws - start)
        yield rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=many).astype(float)
