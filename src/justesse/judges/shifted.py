"""Judge by overlap, after shifting the intervals by the bias that wrong labels may cause."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.all_pairs import Judgeable, PairTable
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.core.results import Estimate
from justesse.core.verdict import Verdict
from justesse.intervals.estimate import Confidence
from justesse.judges.breakdown import breakdown_of_sign
from justesse.judges.classical import apart, gap
from justesse.judges.conclude import both_estimates, conclude, gap_n
from justesse.judges.evidence import UNKNOWN, Evidence, Rule
from justesse.judges.paired import paired_evidence
from justesse.judges.quantity import Quantity
from justesse.significance.normal import z_pvalue

NO_BIAS = "its bias is undefined: no row would truly be of the class"


@dataclass(frozen=True)
class Biases:
    """The biases to subtract, in the worst case for the candidate and in the best one."""

    incumbent: Array
    candidate: Array
    incumbent_at_best: Array
    candidate_at_best: Array


def table_of(case: Case, asked: Quantity) -> PairTable:
    """Return the counts that the measure needs."""
    return case.disagreement if asked.at is None else OneVsRestPair.of(case, asked.at)


def shifted_lead(table: PairTable, measure: Judgeable, rule: Rule, z: Array | float, biases: Biases) -> Array:
    """Return by how much the candidate's shifted interval clears the incumbent's and the margin."""
    return gap(table, measure, rule, z) - biases.candidate + biases.incumbent - rule.margin


def judge_shifted(
    case: Case,
    asked: Quantity,
    rule: Rule,
    z: float,
    biases: Biases,
    *,
    judge: str,
    labels: str,
    assumptions: Sequence[str],
) -> Verdict:
    """Judge one pair by its shifted intervals; their ends may leave the range, and are clipped when shown.

    The interval of the difference reaches from the worst case for the candidate to the best one.

    Parameters
    ----------
    case
        The two classifiers.
    asked
        The measure to judge by.
    rule
        Margin, level and alternative.
    z
        Number of standard errors to each side of an interval.
    biases
        How far wrong labels can move the measure of either.
    judge
        Name of the judge.
    labels
        What is known about the labels, for the verdict.
    assumptions
        What the verdict rests on.
    """
    first, other = both_estimates(case, asked, Confidence(1 - z_pvalue(z), draws=rule.draws, seed=rule.seed))
    value = asked.sign * (other.value - first.value)
    first = _shifted(first, asked.sign, biases.incumbent_at_best, biases.incumbent)
    other = _shifted(other, asked.sign, biases.candidate, biases.candidate_at_best)
    interval = apart(first, other, asked.sign, rule)
    worst, best = (
        value - biases.candidate + biases.incumbent,
        value - biases.candidate_at_best + biases.incumbent_at_best,
    )
    evidence = Evidence(
        interval,
        paired_evidence(case, asked, rule).outcome,
        breakdown_of_sign(case.disagreement) if asked.at is None else UNKNOWN,
        # more rows narrow the intervals, but do not take the biases away
        gap_n(interval, float(np.clip(rule.margin, worst, best)), case.n, rule),
        undefined=NO_BIAS if np.isnan(worst) else None,
        assumptions=(*assumptions, "the significance test assumes that the labels are right"),
    )
    return conclude(case, asked, evidence, (first, other), judge=judge, rule=rule, labels=labels)


def _shifted(estimate: Estimate, sign: int, low_bias: Array, high_bias: Array) -> Estimate:
    """Subtract a bias from each end; biases are those of a measure where higher is better."""
    if estimate.interval is None:
        return estimate
    if np.isnan(low_bias) or np.isnan(high_bias):
        return replace(estimate, interval=None, undefined=NO_BIAS)
    low, high = float(low_bias), float(high_bias)
    if sign < 0:
        low, high = -high, -low
    ends = replace(
        estimate.interval,
        unclipped_low=estimate.interval.unclipped_low - low,
        unclipped_high=estimate.interval.unclipped_high - high,
        method=f"{estimate.interval.method}, moved",
    )
    return replace(estimate, interval=ends)
