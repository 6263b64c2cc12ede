"""The classical judge: do the intervals of the two overlap?"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.all_pairs import AllPairs, Judgeable, PairTable, shares
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.results import Alternative, Estimate, Interval
from justesse.core.verdict import Verdict
from justesse.intervals.ends import z_value
from justesse.intervals.estimate import Confidence
from justesse.intervals.wilson import score_end
from justesse.judges.breakdown import breakdown_of_accuracy
from justesse.judges.conclude import both_estimates, conclude, gap_n
from justesse.judges.evidence import UNKNOWN, Evidence, Rule
from justesse.judges.paired import paired_evidence
from justesse.judges.quantity import Quantity, quantity
from justesse.significance.normal import z_pvalue
from justesse.significance.overlap import overlap_z

OVERLAP = "overlap of"  # how the method of an interval begins that two intervals span


def classical(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
    correlation: float = 0.0,
    ratio: float = 1.0,
) -> Verdict:
    """Judge by whether the confidence intervals of the two classifiers overlap.

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
    correlation
        Assumed correlation of the two estimates.
    ratio
        Assumed ratio of their standard errors.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    ::

        replace if low end of the candidate - high end of the incumbent > margin

    The level of each interval is chosen so that the rule as a whole has `level` (Knol): with uncorrelated estimates and
    equal standard errors, a 95 % rule uses 83.4 % intervals. Two classifiers make many of the same mistakes on the same
    rows, so the rule is more cautious than its level: prefer `paired`. Benjelloun (2021), 6.5.4; Knol, Pestman and
    Grobbee (2011).

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 700), (1, 1, 0, 20), (1, 0, 1, 80), (1, 0, 0, 200)]
    >>> verdict = classical(Case(Tally.of(("label", "incumbent", "candidate"), cells)))
    >>> verdict.decision, str(verdict.incumbent.interval), str(verdict.candidate.interval)
    ('replace', '[0.6999, 0.7392]', '[0.7613, 0.7976]')
    """
    asked = quantity(measure, case.tally.classes)
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    own = own_level(rule, correlation=correlation, ratio=ratio)
    first, other = both_estimates(case, asked, Confidence(own, draws=draws, seed=seed))
    interval = apart(first, other, asked.sign, rule)
    breakdown = UNKNOWN
    if asked.counts_errors:
        breakdown = breakdown_of_accuracy(case.disagreement, lambda changed: lead(changed, rule, own))
        if breakdown.verdict is None:
            # labels of rows that both get right, or wrong, move both intervals: some choice of them may yet do it
            breakdown = replace(
                breakdown, unknown="no change of labels on rows where the two disagree changes the verdict"
            )
    evidence = Evidence(
        interval,
        paired_evidence(case, asked, rule).outcome,
        breakdown,
        gap_n(interval, asked.sign * (other.value - first.value), case.n, rule),
        assumptions=(
            f"the two estimates have correlation {correlation:g} and a ratio of standard errors of {ratio:g}; "
            f"each interval then has level {100 * own:.1f} %",
        ),
    )
    return conclude(case, asked, evidence, (first, other), judge="classical", rule=rule)


def lead(table: PairTable, rule: Rule, own: float, measure: Judgeable = "accuracy") -> Array:
    """Return by how much the candidate's interval clears the incumbent's and the margin, for one pair or for many."""
    return gap(table, measure, rule, z_value((1 - own) / 2)) - rule.margin


def gap(table: PairTable, measure: Judgeable, rule: Rule, z: ArrayLike) -> Array:
    """Return how far the candidate's low end lies above the incumbent's high one, both z deviations away."""
    result = shares(table, measure)
    if rule.alternative == "less":
        return np.full(np.shape(result.incumbent_of), -1.0)
    low = score_end(result.candidate_right, result.candidate_of, -np.asarray(z))
    return low - score_end(result.incumbent_right, result.incumbent_of, z)


def own_level(rule: Rule, *, correlation: float = 0.0, ratio: float = 1.0) -> float:
    """Return the level of each interval, so that the rule as a whole has its own (Knol)."""
    return 1 - z_pvalue(overlap_z(rule.level, correlation=correlation, ratio=ratio, alternative=rule.alternative))


def classical_replaces(pairs: AllPairs, rule: Rule, *, correlation: float = 0.0, ratio: float = 1.0) -> Array:
    """Return for every ordered pair whether `classical` replaces.

    >>> from justesse.core.case import Disagreement
    >>> right, only = np.array([[70, 60], [60, 90]]), np.array([[0, 10], [30, 0]])
    >>> pairs = AllPairs("accuracy", Disagreement(right, only, only.T, 10 + 0 * only, 0 * only))
    >>> classical_replaces(pairs, Rule()).tolist()
    [[False, True], [False, False]]
    """
    own = own_level(rule, correlation=correlation, ratio=ratio)
    return lead(pairs.labels, rule, own, pairs.measure) > 0


def apart(incumbent: Estimate, candidate: Estimate, sign: int, rule: Rule) -> Interval | None:
    """Return the interval of the difference that two intervals span."""
    if incumbent.interval is None or candidate.interval is None:
        return None
    better, worse = (candidate.interval, incumbent.interval) if sign > 0 else (incumbent.interval, candidate.interval)
    wide = better.bounds[1] - better.bounds[0]
    result = Interval(
        better.unclipped_low - worse.unclipped_high,
        better.unclipped_high - worse.unclipped_low,
        rule.level,
        f"{OVERLAP} {better.method}",
        (-wide, wide),
        rule.alternative,
    )
    if rule.alternative == "greater":
        return replace(result, unclipped_high=wide)
    return replace(result, unclipped_low=-wide) if rule.alternative == "less" else result
