"""What the judge paired rests on if rows come in clusters: rows of one cluster may be alike."""

import math
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.case import Case, Disagreement, Side
from justesse.core.levels import CLUSTERS
from justesse.core.results import Interval, TestResult, tail_levels
from justesse.core.verdict import VerdictBreakdown
from justesse.judges.breakdown import rates, sign_rows
from justesse.judges.conclude import gap_n, scores_of
from justesse.judges.evidence import UNKNOWN, Evidence, Rule
from justesse.judges.quantity import Quantity
from justesse.significance.clustered_difference import ONE_CLUSTER, ClusterWorth, clustered_difference
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.clustered_measure import clustered_delta, clustered_paired_bootstrap
from justesse.significance.clustered_t import clustered_t
from justesse.significance.clustered_two_areas import clustered_two_areas

FEWER_MAY_DO = "with clusters, fewer wrong labels than those counted may change the verdict"
WITHOUT_CLUSTERS = replace(
    UNKNOWN, unknown="with clusters, the breakdown rate is available for accuracy and error only"
)


@dataclass(frozen=True)
class ClusteredRows:
    """Rows of each cluster that only one classifier gets right, that both get wrong differently or right, and all."""

    only_incumbent: FloatArray
    only_candidate: FloatArray
    wrong_differently: FloatArray
    both_right: FloatArray
    sizes: FloatArray

    @classmethod
    def of(cls, case: Case, asked: Quantity) -> "ClusteredRows":
        """Count the rows that a share is about: all, those labelled with its class, or the others.

        >>> from justesse.core.tally import Tally
        >>> from justesse.judges.quantity import quantity
        >>> cells = [(1, 1, 0, "a", 3), (1, 0, 1, "b", 2), (0, 0, 0, "b", 4)]
        >>> case = Case(Tally.of(("label", "incumbent", "candidate", "cluster"), cells))
        >>> rows = ClusteredRows.of(case, quantity("accuracy", case.tally.classes))
        >>> rows.only_incumbent.tolist(), rows.only_candidate.tolist(), rows.sizes.tolist()
        ([3.0, 0.0], [0.0, 2.0], [3.0, 6.0])
        """
        tally = case.tally.marginal("label", "incumbent", "candidate", CLUSTERS)
        label, first, other, cluster = tally.codes.T
        counts = tally.counts
        if asked.at is not None and asked.measure is not None:
            kept = (label == asked.at) == (asked.measure.same_rows == "labelled")
            label, first, other, cluster = (part[kept] for part in (label, first, other, cluster))
            label, first, other = (part == asked.at for part in (label, first, other))
            counts = counts[kept]
        names, cluster = np.unique(cluster, return_inverse=True)
        mine, theirs = first == label, other == label

        def rows(where: Array) -> FloatArray:
            return np.bincount(cluster, counts * where, minlength=len(names)).astype(float)

        return cls(
            rows(mine & ~theirs), rows(~mine & theirs), rows(~mine & ~theirs & (first != other)), rows(mine & theirs),
            rows(mine | ~mine),
        )  # fmt: skip

    @property
    def difference(self) -> float:
        """How much more often the candidate is right; NaN without rows."""
        n = float(self.sizes.sum())
        return float((self.only_candidate - self.only_incumbent).sum()) / n if n else math.nan

    @property
    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What the tests of clusters take."""
        return self.only_incumbent, self.only_candidate, self.sizes


def clustered_evidence(case: Case, asked: Quantity, rule: Rule) -> Evidence:
    """Compute the interval and the test of the difference, over whole clusters."""
    if asked.measure is None:
        return _areas(case, rule)
    interval, outcome = clustered_interval(case, asked, rule), clustered_test(case, asked, rule)
    breakdown = WITHOUT_CLUSTERS
    if asked.is_share:
        rows = ClusteredRows.of(case, asked)
        value = rows.difference
        if asked.counts_errors and len(rows.sizes) > 1:
            breakdown = clustered_breakdown(rows, rule)
    else:
        value = outcome.difference.value if outcome.difference else math.nan
    needed = gap_n(interval, value, case.n, rule)
    undefined = ONE_CLUSTER if interval is None and one_cluster(case) else None
    return Evidence(interval, outcome, breakdown, needed, undefined)


def _areas(case: Case, rule: Rule) -> Evidence:
    scores = scores_of(case)
    assert scores.cluster is not None
    outcome = clustered_two_areas(scores.positive, scores.incumbent, scores.candidate, scores.cluster, **rule.sides)
    assert outcome.difference is not None
    interval = outcome.difference.interval
    needed = gap_n(interval, outcome.difference.value, case.n, rule)
    return Evidence(interval, outcome, UNKNOWN, needed, outcome.difference.undefined, outcome.assumptions[2:])


def one_cluster(case: Case) -> bool:
    """Whether all rows are of one cluster, so that nothing shows how much clusters vary."""
    return case.clustered and len(np.unique(case.tally.codes[:, case.tally.axis(CLUSTERS)])) < 2


def clustered_interval(case: Case, asked: Quantity, rule: Rule) -> Interval | None:
    """Compute only the interval of the difference."""
    if asked.measure is None:
        return _areas(case, rule).interval
    if asked.is_share:
        rows = ClusteredRows.of(case, asked)
        ends = clustered_difference(*rows.parts, both_right=_seen(rows, asked), **rule.sides)
        return ends.intervals(bounds=(-1.0, 1.0), alternative=rule.alternative)[0]
    if rule.bootstrap == "none":
        return clustered_delta(case, asked.compared, **rule.sides)
    how = {"method": rule.bootstrap, "draws": rule.enough_draws, "seed": rule.seed}
    return clustered_paired_bootstrap(case, asked.compared, **how, **rule.sides)  # type: ignore[arg-type]


def clustered_test(case: Case, asked: Quantity, rule: Rule) -> TestResult:
    """Test the difference over whole clusters."""
    if asked.is_share:
        rows = ClusteredRows.of(case, asked)
        return clustered_mcnemar(*rows.parts, both_right=_seen(rows, asked), alternative=rule.alternative)
    return clustered_t(case, asked.compared, alternative=rule.alternative)


def _seen(rows: ClusteredRows, asked: Quantity) -> FloatArray | None:
    """Return the rows both get right if all rows are judged; the table of classes does not consider them either."""
    return rows.both_right if asked.counts_errors else None


def clustered_breakdown(rows: ClusteredRows, rule: Rule) -> VerdictBreakdown:
    """Compute both breakdown rates of the accuracy of rows in clusters.

    That of the sign is exact. That of the verdict depends on the clusters of the wrong labels: several ways to spread
    them are tried, and the fewest labels that change the verdict in one of them are counted. Fewer may do.
    """
    tail = max(tail_levels(rule.level, rule.alternative))
    table = Disagreement(0, rows.only_incumbent.sum(), rows.only_candidate.sum(), 0, 0)

    def replaces(changed: ClusteredRows) -> bool:
        if rule.alternative == "less":
            return False
        return ClusterWorth.of(*changed.parts, changed.both_right).lead(rule.margin, tail) > 0

    now = replaces(rows)
    towards: Side = "incumbent" if now else "candidate"
    helped = rows.only_candidate if now else rows.only_incumbent
    most = int(helped.sum() + rows.wrong_differently.sum())

    def changes(many: int) -> bool:
        return any(replaces(changed) != now for changed in _relabelled(rows, many, towards))

    verdict = np.nan
    if most and changes(most):
        low, high = 0, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if changes(middle) else (middle, high)
        verdict = float(high)
    both = rates(float(sign_rows(table)), verdict, int(rows.sizes.sum()))
    return replace(both, unknown=FEWER_MAY_DO)


def _relabelled(rows: ClusteredRows, many: int, towards: Side) -> list[ClusteredRows]:
    """Change so many labels in the way that helps one side most, spread over the clusters in several ways."""
    lost = rows.only_candidate if towards == "incumbent" else rows.only_incumbent
    apart = (rows.only_candidate - rows.only_incumbent) / rows.sizes
    orders = [np.argsort(apart, kind="stable"), np.argsort(-apart, kind="stable"), np.argsort(-lost, kind="stable")]
    turned = min(many, int(lost.sum()))
    gained = many - turned
    results = []
    for order in (*orders, None):
        double, single = _spread(lost, turned, order), _spread(rows.wrong_differently, gained, order)
        won, left = double + single, rows.wrong_differently - single
        b, c = rows.only_incumbent, rows.only_candidate
        b, c = (b + won, c - double) if towards == "incumbent" else (b - double, c + won)
        results.append(ClusteredRows(b, c, left, rows.both_right, rows.sizes))
    return results


def _spread(there: FloatArray, many: int, order: Array | None) -> FloatArray:
    """Take so many rows: cluster after cluster in this order, or the same share of every cluster."""
    if order is None:
        total = there.sum()
        share = np.floor(there * (many / total)) if total else np.zeros_like(there)
        left = many - share.sum()
        return np.asarray(share + _spread(there - share, int(left), np.argsort(share - there, kind="stable")))
    taken = np.zeros_like(there)
    own = there[order]
    taken[order] = np.clip(many - (np.cumsum(own) - own), 0, own)
    return taken
