"""From the interval of a difference to a verdict: shared by all judges."""

import math
from dataclasses import replace

from justesse.core.case import Case, PairedScores
from justesse.core.errors import InputError
from justesse.core.results import Estimate, Interval
from justesse.core.verdict import Decision, Verdict, decide
from justesse.intervals.area_score import area_score
from justesse.intervals.clustered_areas import clustered_area
from justesse.intervals.ends import z_value
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.planning.search import LARGEST
from justesse.judges.evidence import Evidence, Rule
from justesse.judges.quantity import Quantity
from justesse.judges.words import reason
from justesse.measures.curves import ROC_AUC
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.significance.paired_measure import STILL

POWER = 0.8
INDEPENDENT = (
    "the rows are independent draws from the population of interest, and were not used for training or model selection"
)
CLUSTERS_INDEPENDENT = (
    "the clusters of rows are independent draws from the population of interest, and were not used for training or "
    "model selection; rows of one cluster may be alike"
)
LABELS = "the labels are right"


def both_estimates(case: Case, asked: Quantity, confidence: Confidence) -> tuple[Estimate, Estimate]:
    """Estimate the measure of the incumbent and of the candidate."""
    if asked.measure is None:
        scores = scores_of(case)
        results = []
        for values in (scores.incumbent, scores.candidate):
            table = ScoreCounts.of(values, scores.positive)
            if scores.cluster is None:
                both = area_score(table, **confidence.sides)
            else:
                both = clustered_area(scores.positive, values, scores.cluster, **confidence.sides)
            ends = both.intervals(alternative=confidence.alternative)[0]
            undefined = ROC_AUC.reason if math.isnan(auc(table)) else None
            results.append(Estimate("auc", auc(table), case.n, ends, undefined, asked.class_name, words="AUC"))
        return results[0], results[1]
    sides = (
        estimate(case.side(side), [asked.measure], confidence, all_classes=True) for side in ("incumbent", "candidate")
    )
    first, other = (side[asked.at or 0] for side in sides)
    return first, other


def scores_of(case: Case) -> PairedScores:
    """Return the scores an area is computed from; raise if they are missing."""
    if case.scores is None:
        raise InputError(
            "The area under the ROC curve needs the scores of both classifiers. Name their column with score=… "
            "(--score)."
        )
    return case.scores


def gap_n(interval: Interval | None, value: float, n: int, rule: Rule) -> int | None:
    """Return how many more rows bring the interval clear of the margin with 80 % power, if its width falls as 1/√n.

    N = n·(w·(1 + z_β/z) / |d - m|)²      w: from the difference to the end that must clear the margin
    """
    gap = value - rule.margin
    if interval is None or not abs(gap) > 1e-12:
        return None
    if rule.alternative == ("less" if gap > 0 else "greater"):
        return None
    reach = value - interval.unclipped_low if gap > 0 else interval.unclipped_high - value
    total = n * (reach * (1 + z_value(1 - POWER) / rule.z) / gap) ** 2
    return math.ceil(total) - n if total < LARGEST else None


def conclude(
    case: Case,
    asked: Quantity,
    evidence: Evidence,
    both: tuple[Estimate, Estimate],
    *,
    judge: str,
    rule: Rule,
    labels: str = LABELS,
) -> Verdict:
    """Derive the verdict from the interval of the difference, and add the evidence.

    Parameters
    ----------
    case
        The counted rows.
    asked
        The measure compared.
    evidence
        The interval, the significance test, the breakdown rate and what else supports the decision.
    both
        The estimates of the incumbent and of the candidate.
    judge
        Name of the judge.
    rule
        Margin, level and alternative.
    labels
        What is assumed about the labels, in words.

    Returns
    -------
    Verdict
        The decision with everything it rests on.
    """
    asked.check_margin(rule.margin)
    first, other = both
    value, interval, undefined = asked.sign * (other.value - first.value), evidence.interval, evidence.undefined
    outcome = evidence.outcome
    if math.isnan(value):
        interval, undefined = None, first.undefined if math.isnan(first.value) else other.undefined
        outcome = replace(outcome, pvalue=math.nan, undefined=undefined)
    elif interval is None:
        undefined = undefined or STILL
    difference = Estimate(f"{asked.title} difference", value, first.n, interval, undefined, asked.class_name)
    ends = (interval.unclipped_low, interval.unclipped_high) if interval else (math.nan, math.nan)
    decision: Decision = decide(*ends, rule.margin).item()
    needed = 0 if decision != "cannot_tell" else evidence.needed_n
    draws = CLUSTERS_INDEPENDENT if case.clustered else INDEPENDENT
    return Verdict(
        decision=decision,
        judge=judge,
        measure=asked.title,
        class_name=asked.class_name,
        incumbent=first,
        candidate=other,
        difference=difference,
        margin=rule.margin,
        level=rule.level,
        alternative=rule.alternative,
        disagreement=case.disagreement,
        outcome=outcome,
        breakdown=evidence.breakdown,
        needed_n=max(1, needed) if needed else needed,
        assumptions=(labels, draws, "both classifiers answered the same rows", *evidence.assumptions),
        reason=reason(decision, difference, rule.margin, rule.alternative),
        seed=rule.seed,
        greater_is_better=asked.sign > 0,
        counts_errors=asked.counts_errors,
        title=asked.words,
        unit=asked.unit,
        warnings=evidence.outcome.warnings,
    )
