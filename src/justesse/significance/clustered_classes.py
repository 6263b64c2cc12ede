"""The difference of a measure between two classifiers, for every class, if rows come in clusters."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.levels import CLUSTERS
from justesse.core.results import Interval
from justesse.measures.ratio import Ratio
from justesse.significance.clustered_difference import clustered_difference
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.clustered_measure import clustered_delta, clustered_paired_bootstrap
from justesse.significance.paired_measure import Compared


def clustered_classes(
    case: Case, measure: Ratio, *, level: float, bootstrap: PairedResampling, draws: int, seed: int
) -> tuple[list[Interval | None], list[float | None], Array]:
    """Compare a measure of every class over whole clusters: intervals, p-values and numbers of rows.

    Parameters
    ----------
    case
        Answers of both classifiers, counted by cluster.
    measure
        Measure of a class, such as recall.
    level
        Confidence level of each interval.
    bootstrap
        Whether to resample measures that are not shares of the same rows.
    draws, seed
        Number of resamples, and their seed.

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> from justesse.measures import recall
    >>> cells = [(1, 1, 1, g, 3) for g in range(12)] + [(1, 0, 1, g, 1 + g % 3) for g in range(12)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate", "cluster"), [*cells, (0, 0, 0, 1, 9)]))
    >>> intervals, pvalues, sizes = clustered_classes(
    ...     case, recall, level=0.95, bootstrap="none", draws=2000, seed=0
    ... )
    >>> str(intervals[1]), sizes.tolist()
    ('[0.2730, 0.5421]', [9.0, 60.0])
    """
    size = len(case.tally.classes)
    pvalues: list[float | None] = [None] * size
    if measure.same_rows:
        rows = _ClassRows.of(case)
        own = measure.same_rows == "labelled"
        parts = [rows.labelled(k) if own else rows.others(k) for k in range(size)]
        ends = [clustered_difference(*part, level=level).intervals(bounds=(-1.0, 1.0))[0] for part in parts]
        tests = [clustered_mcnemar(*part).pvalue if len(part[2]) > 1 else None for part in parts]
        return ends, tests, np.array([part[2].sum() for part in parts])
    ends = []
    for k, judged in enumerate(case.tally.judged):
        compared = Compared(measure, k)
        if not judged:
            ends.append(None)
        elif bootstrap == "none":
            ends.append(clustered_delta(case, compared, level=level))
        else:
            how = {"method": bootstrap, "draws": draws, "seed": seed}
            ends.append(clustered_paired_bootstrap(case, compared, level=level, **how))  # type: ignore[arg-type]
    return ends, pvalues, np.full(size, case.n)


Parts = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True)
class _ClassRows:
    label: Array
    incumbent: Array
    candidate: Array
    cluster: Array
    counts: Array
    sizes: FloatArray

    @classmethod
    def of(cls, case: Case) -> "_ClassRows":
        tally = case.tally.marginal("label", "incumbent", "candidate", CLUSTERS)
        label, first, other, cluster = tally.codes.T
        cluster = np.unique(cluster, return_inverse=True)[1]
        return cls(label, first, other, cluster, tally.counts, np.bincount(cluster, tally.counts).astype(float))

    def labelled(self, k: int) -> Parts:
        """Count who is right on the rows labelled with a class."""
        kept = self.label == k
        return self._present(
            self._sums(kept & (self.incumbent == k) & (self.candidate != k)),
            self._sums(kept & (self.incumbent != k) & (self.candidate == k)),
            self._sums(kept),
        )

    def others(self, k: int) -> Parts:
        """Count who is right not to call rows of other classes by this one's name."""
        kept = self.label != k
        return self._present(
            self._sums(kept & (self.incumbent != k) & (self.candidate == k)),
            self._sums(kept & (self.incumbent == k) & (self.candidate != k)),
            self.sizes - self._sums(self.label == k),
        )

    def _sums(self, where: Array) -> FloatArray:
        return np.bincount(self.cluster[where], self.counts[where], minlength=len(self.sizes)).astype(float)

    @staticmethod
    def _present(b: FloatArray, c: FloatArray, n: FloatArray) -> Parts:
        there = n > 0
        return b[there], c[there], n[there]
