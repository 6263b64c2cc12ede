"""The default judge: the paired difference on the same rows, with its own interval."""

import math

import numpy as np

from justesse.core.all_pairs import AllPairs, Judgeable, PairTable, right_rows, shares
from justesse.core.arrays import Array
from justesse.core.case import Case, Disagreement
from justesse.core.choices import PairedResampling
from justesse.core.results import Alternative, Interval
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.intervals.delta import TINY
from justesse.intervals.estimate import Confidence
from justesse.judges.breakdown import breakdown_of_accuracy, breakdown_of_cost
from justesse.judges.clustered import clustered_evidence, clustered_interval, clustered_test
from justesse.judges.conclude import POWER, both_estimates, conclude, gap_n, scores_of
from justesse.judges.evidence import UNKNOWN, Evidence, Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.measures.cost import Cost
from justesse.significance.mcnemar import mcnemar
from justesse.significance.paired_difference import paired_difference, score_statistic
from justesse.significance.paired_measure import paired_bootstrap, paired_delta
from justesse.significance.paired_power import paired_n
from justesse.significance.permutation import permutation
from justesse.significance.share_spreads import spreads
from justesse.significance.two_areas import two_areas


def paired(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
) -> Verdict:
    """Judge by the interval of the paired difference on the same rows.

    Parameters
    ----------
    case
        The counted rows: labels, the answers of both classifiers, and the true classes if they are known.
    measure
        What to compare, by its name (`accuracy`, `recall:spam`) or as a `Quantity`. Default: accuracy.
    level
        Confidence level of the rule, such as 0.9. Default: 0.95.
    margin
        Smallest difference that matters, in the measure's unit, such as 0.01 for one point of accuracy. Default: 0.
    alternative
        `two-sided`; `greater` can only show that the candidate is better, `less` only that it is worse. Default:
        two-sided.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    draws
        Number of permutations and bootstrap resamples. Default: 2000.
    bootstrap
        How to resample differences that are not of shares; `none` uses the delta method. Default: none.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    The interval takes into account that both classifiers make many of the same mistakes. Accuracy, error, recall and
    specificity are shares of the same rows for both: they get Tango's score interval and McNemar's mid-p test. The area
    under the ROC curve gets DeLong's interval and test. Every other measure gets the delta method, or with `bootstrap`
    a paired bootstrap of the counts, and a permutation test. If rows come in clusters, all of them are cluster-robust
    (CR2), or whole clusters are drawn.

    Examples
    --------
    >>> cells = [(1, 1, 1, 460), (1, 0, 1, 30), (1, 1, 0, 10), (0, 0, 0, 500)]
    >>> verdict = paired(Case(Tally.of(("label", "incumbent", "candidate"), cells)))
    >>> verdict.decision, round(verdict.difference.value, 3), str(verdict.difference.interval)
    ('replace', 0.02, '[0.0080, 0.0336]')
    >>> verdict.breakdown
    VerdictBreakdown(sign=0.01, verdict=0.004, unknown=None)
    """
    asked = quantity(measure, case.tally.classes)
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    both = both_estimates(case, asked, Confidence(level, draws=draws, seed=seed))
    return conclude(case, asked, paired_evidence(case, asked, rule), both, judge="paired", rule=rule)


def paired_evidence(case: Case, asked: Quantity, rule: Rule) -> Evidence:
    """Compute the interval and the test that suit the measure."""
    if case.clustered:
        return clustered_evidence(case, asked, rule)
    look = _areas if asked.measure is None else _shares if asked.is_share else _resampled
    return look(case, asked, rule)


def paired_interval(case: Case, asked: Quantity, rule: Rule) -> Interval | None:
    """Compute only the interval of the difference."""
    if case.clustered:
        return clustered_interval(case, asked, rule)
    if asked.measure is None:
        scores = scores_of(case)
        area = two_areas(scores.positive, scores.incumbent, scores.candidate, **rule.sides).difference
        return area.interval if area else None
    if asked.is_share:
        table = _compared_rows(case, asked)
        ends = paired_difference(table.only_incumbent, table.only_candidate, table.n, **rule.sides)
        return ends.intervals(bounds=(-1.0, 1.0), alternative=rule.alternative)[0]
    tally = case.tally.marginal("label", "incumbent", "candidate")
    if rule.bootstrap == "none":
        return paired_delta(Case(tally), asked.compared, **rule.sides)
    how = {"method": rule.bootstrap, "draws": rule.enough_draws, "seed": rule.seed}
    return paired_bootstrap(tally, asked.compared, **how, **rule.sides)  # type: ignore[arg-type]


def exact_pvalue(case: Case, asked: Quantity, *, draws: int, seed: int) -> float:
    """Test a difference, two-sided, in a way that holds with few rows: exact McNemar for shares, else by permutation.

    With clusters it is the cluster-robust test.

    >>> cells = [(1, 1, 0, 9), (1, 0, 1, 1)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> round(exact_pvalue(case, quantity("accuracy", case.tally.classes), draws=100, seed=0), 4)
    0.0215
    """
    if case.clustered:
        return clustered_test(case, asked, Rule()).pvalue
    if asked.is_share:
        table = _compared_rows(case, asked)
        return mcnemar(table.only_incumbent, table.only_candidate, method="exact").pvalue
    return permutation(case.tally, asked.compared, draws=draws, seed=seed).pvalue


def lead(table: PairTable, rule: Rule, measure: Judgeable = "accuracy") -> Array:
    """Return by how much each pair clears the margin: above 0, its whole interval lies above the margin."""
    rows = right_rows(table)
    if rule.alternative == "less":
        return np.full(np.shape(rows.n), -1.0)
    if measure != "precision":
        return score_statistic(rows.only_incumbent, rows.only_candidate, rows.n, rule.margin) - rule.z
    error = spreads(table, measure).difference
    # no spread at all: no interval, and nothing is decided
    return shares(table, measure).difference - rule.margin - rule.z * np.where(error > TINY, error, np.nan)


def paired_replaces(pairs: AllPairs, rule: Rule) -> Array:
    """Return for every ordered pair whether `paired` replaces; precision uses the delta method.

    >>> right, only = np.array([[70, 60], [60, 80]]), np.array([[0, 10], [20, 0]])
    >>> pairs = AllPairs("accuracy", Disagreement(right, only, only.T, 10 + 0 * only, 0 * only))
    >>> paired_replaces(pairs, Rule(level=0.9)).tolist()
    [[False, True], [False, False]]
    """
    return lead(pairs.labels, rule, pairs.measure) > 0


def _areas(case: Case, asked: Quantity, rule: Rule) -> Evidence:
    scores = scores_of(case)
    outcome = two_areas(scores.positive, scores.incumbent, scores.candidate, **rule.sides)
    assert outcome.difference is not None
    interval = outcome.difference.interval
    needed = gap_n(interval, outcome.difference.value, case.n, rule)
    return Evidence(interval, outcome, UNKNOWN, needed, outcome.difference.undefined, outcome.assumptions[2:])


def _shares(case: Case, asked: Quantity, rule: Rule) -> Evidence:
    table = _compared_rows(case, asked)
    b, c, n = table.only_incumbent, table.only_candidate, table.n
    needed, breakdown = None, UNKNOWN
    if n:
        shares = {"difference": (c - b) / n, "disagreement": (b + c) / n, "margin": rule.margin, "power": POWER}
        total = paired_n(**shares, **rule.sides)
        # only some rows are about a class: the others come along
        needed = None if total is None else math.ceil((total - n) * case.n / n)
    if asked.at is None:
        breakdown = breakdown_of_accuracy(table, lambda changed: lead(changed, rule))
    return Evidence(paired_interval(case, asked, rule), mcnemar(b, c, alternative=rule.alternative), breakdown, needed)


def _compared_rows(case: Case, asked: Quantity) -> Disagreement:
    """Count who was right on the rows a share is about: all, those labelled with its class, or the others."""
    if asked.at is None:
        return case.disagreement
    tally = case.tally.marginal("label", "incumbent", "candidate")
    own = tally.codes == asked.at
    assert asked.measure is not None
    kept = own[:, 0] if asked.measure.same_rows == "labelled" else ~own[:, 0]
    label, first, other = own[kept].T
    return Disagreement.of(label, first, other, tally.counts[kept])


def _resampled(case: Case, asked: Quantity, rule: Rule) -> Evidence:
    tally = case.tally.marginal("label", "incumbent", "candidate")
    # enough that an adjusted p-value can fall below one minus the level
    draws = max(rule.draws, math.ceil(20 / (1 - rule.level)))
    outcome = permutation(tally, asked.compared, alternative=rule.alternative, draws=draws, seed=rule.seed)
    interval = paired_interval(case, asked, rule)
    needed = gap_n(interval, outcome.statistic, case.n, rule)
    breakdown = UNKNOWN
    if isinstance(asked.measure, Cost):

        def judged(changed: Tally) -> bool:
            result = paired_interval(Case(changed), asked, rule)
            return result is not None and result.unclipped_low > rule.margin

        breakdown = breakdown_of_cost(case, asked.measure.costs, judged)
    return Evidence(interval, outcome, breakdown, needed, assumptions=outcome.assumptions[1:2])
