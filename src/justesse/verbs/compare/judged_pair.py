"""One candidate beside the incumbent, judged: by the labels, and by the true classes where they are known."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from justesse import judges
from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.intervals.cluster_summary import ClusterSummary
from justesse.judges.common_classes import on_common_classes, undefined_for_one
from justesse.judges.evidence import Rule
from justesse.judges.judge import Judge
from justesse.judges.measure_differences import (
    MeasureDifference,
    differences_per_class,
    measure_differences,
    slice_differences,
)
from justesse.judges.quantity import Quantity
from justesse.judges.reference import on_truth
from justesse.noise.label_knowledge import LabelKnowledge
from justesse.verbs.compare.comparison import Judged
from justesse.verbs.compare.paired_answers import Pair
from justesse.verbs.unanswered import UnansweredInPair, with_caution


def judged_pair(
    pair: Pair,
    case: Case,
    ask: Callable[[Tally], Quantity],
    judge: Judge,
    own_options: dict[str, Any],
    rule: Rule,
    level: float,
    knowledge: LabelKnowledge,
) -> Judged:
    """Judge a pair by its labels and, if they are known, by the true classes; add all differences and missing answers.

    Parameters
    ----------
    pair
        The answers of both, counted, with slices and gaps.
    case
        The pair as judges take it: counts and, where there are any, scores.
    ask
        Function of a tally that returns what is compared.
    judge
        Judge that decides.
    own_options
        Options that only this judge has.
    rule
        Margin, level and intervals of the decision.
    level
        Level of the differences of slices and classes, not corrected for several candidates.
    knowledge
        What the user knows about the labels.
    """
    asked = ask(case.tally)
    own = {"measure": asked, "margin": rule.margin, "level": rule.level, "alternative": rule.alternative}
    options = {**own, "draws": rule.draws, "seed": rule.seed, "bootstrap": rule.bootstrap}
    wrong = dict(own_options)
    if judge.takes_noise:
        wrong |= {"rate": knowledge.rate[1] if knowledge.rate else None, "transition": knowledge.transition}
    plain = replace(rule, level=level)
    plain_judge = judges.trusting(judge.compares)

    def judge_case(part: Case) -> Verdict:
        measure = ask(part.tally)
        return judge.decide(on_common_classes(part, measure), **{**options, **wrong, "measure": measure})

    def judge_truth(part: Case) -> Verdict | None:
        against, measure = part.against_truth, ask(part.tally)
        if against is None or asked.measure is None:
            return None
        return on_truth(plain_judge.decide(on_common_classes(against, measure), **{**options, "measure": measure}))

    def decide(part: Case) -> Verdict:
        return judge_truth(part) or judge_case(replace(part, scores=case.scores))

    unanswered = UnansweredInPair.of(pair.gaps, ask, decide)
    verdict, truth = judge_case(case), judge_truth(case)
    declared = pair.declared or pair.gaps.policy.others == "class"  # then slices have the classes of all rows
    truth_measures: tuple[MeasureDifference, ...] = ()
    if truth is not None and case.against_truth is not None:
        truth_measures = tuple(measure_differences(case.against_truth, asked, rule))
    return Judged(
        name=pair.name,
        case=case,
        verdict=with_caution(verdict, unanswered),
        truth=None if truth is None else with_caution(truth, unanswered),
        measures=tuple(measure_differences(case, asked, rule)),
        classes=tuple(differences_per_class(case, plain)),
        slices=tuple(slice_differences(case, asked, pair.slices, plain, declared=declared)),
        gaps=pair.gaps,
        unanswered=unanswered,
        left_out=undefined_for_one(case, asked),
        unmatched=dict(pair.unmatched or {}),
        truth_measures=truth_measures,
        clusters=ClusterSummary.of_pair(case.tally) if case.clustered else None,
    )
