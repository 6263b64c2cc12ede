"""`justesse.compare`: should the candidate replace the incumbent?"""

import functools
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from justesse import judges
from justesse.cleaning.simulated import Nett
from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others, judged_by
from justesse.core.case import Case
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import RANKS
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.frames.costs import cost_table
from justesse.frames.together import Together
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.estimate import Resampling
from justesse.judges.common_classes import on_common_classes, undefined_for_one
from justesse.judges.evidence import Rule
from justesse.judges.judge import Judge
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.reference import on_truth
from justesse.noise.difference_noise_report import difference_noise_report
from justesse.noise.label_knowledge import LabelKnowledge, parse_rate
from justesse.noise.plausible_noise import plausible_noise as plausible_share
from justesse.noise.transition import TransitionOf
from justesse.significance.multiplicity import adjusted, simultaneous_level
from justesse.significance.selection import best_by_luck, check_tried
from justesse.verbs.any_of import check_any_of
from justesse.verbs.compare.cautions import cautions
from justesse.verbs.compare.comparison import Comparison, Judged
from justesse.verbs.compare.differences import (
    MeasureDifference,
    class_differences,
    measure_differences,
    slice_differences,
)
from justesse.verbs.compare.paired_answers import Pair, counted_pair, put_together
from justesse.verbs.evaluate.evaluate import named_class
from justesse.verbs.label_knowledge import label_knowledge
from justesse.verbs.unanswered import UnansweredInPair, with_caution


def compare(
    data: Any = None,
    *candidates: Any,
    incumbent: Any = None,
    candidate: Any = None,
    y_true: Any = None,
    on: str | None = None,
    common: bool = False,
    label: str | None = None,
    prediction: str | None = None,
    true: str | None = None,
    by: str | Sequence[str] = (),
    classes: Sequence[ClassName] | None = None,
    measure: str = "accuracy",
    positive: ClassName = None,
    cost: Any = None,
    score: str | None = None,
    candidate_score: str | Sequence[str] | None = None,
    judge: str = judges.DEFAULT,
    margin: float = 0.0,
    tried: int | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    bootstrap: Resampling = "none",
    draws: int = 2000,
    seed: int = 0,
    noise_rate: Any = None,
    transition: Any = None,
    transition_of: TransitionOf | None = None,
    audited: Any = None,
    hard: str | None = None,
    pc: float | None = None,
    cleaning: Sequence[float] | None = None,
    budget: int | None = None,
    futility: bool | None = None,
    plausible_noise: float | str | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = "wrong",
    any_of: str | None = None,
) -> Comparison:
    """Say whether a candidate should replace the incumbent, with the evidence and what would change the verdict.

    Three ways to give the answers of both to the same rows: two or more paths or data frames, the incumbent's first,
    joined by the column `on` or in their order; one path or data frame with `incumbent` and `candidate` naming its
    columns (several candidates as a list); or arrays, `y_true`, `incumbent` and `candidate` (a dict for several). A
    `Tally` of `label × incumbent × candidate` will do, too. `measure` is what counts (`accuracy`, `error`, `cost`,
    `recall:CLASS`, `macro-f1`, `mcc`, `auc`, …), `margin` the smallest gain that matters. With several candidates all
    intervals are widened so that they hold together; `tried` says how many were tried if more than are shown.
    `score` names the column of scores of the class `positive`, for areas and curves; with one table,
    `candidate_score` that of the candidate. `noise_rate`, `transition` and `audited` (re-checked rows found by `on`) say
    what is known of wrong labels, as for `evaluate`: then what the true difference can be is said beside the verdict.
    The judges `prudent_v1` and `sharp` go by the noise rate, the transition table or `true`, `prudent_v2` by the rows
    that the column `hard` marks (`pc` is the share that is doubted), `reference` by `true`, `cleaned` by `true` after a
    simulated cleaning step (`cleaning`: the chances s, e, and c to correct), `audited` by asking `true` about at most
    `budget` rows, giving up when they will hardly settle it unless `futility` is False; a person is asked by
    `audit_start`.
    A row without an answer is refused, counted as `wrong` or dropped, as `missing` says; the result says whose answers
    are missing, how the other does there, and warns if the choice decides. `missing_labels` is about rows without a
    label, `others` about answers that no label has, as for `evaluate`; averages are over the same classes for both.
    With `any_of="|"` a label or true class `cat|dog` accepts both: answers that are both accepted are a tie.
    A warning says if fewer wrong labels than `plausible_noise` (1 % by
    default, or the noise rate given) could overturn the verdict; `passes` says whether it holds as a gate.

    >>> found = compare(
    ...     y_true=[1, 0] * 200, incumbent=[1, 0] * 160 + [0, 1] * 40, candidate=[1, 0] * 190 + [0, 1] * 10
    ... )
    >>> found.verdict.decision, round(found.verdict.difference.value, 3)
    ('replace', 0.15)
    """
    data, candidates = watched(data), tuple(map(watched, candidates))
    slices = (by,) if isinstance(by, str) else tuple(by)
    if data is None and hard is not None:
        raise OptionError("hard names a column, and arrays have none: give a dict of arrays as data")
    policy = AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of)
    check_any_of(policy, {"score": score, "transition": transition, "audited": audited})
    check = {"classes": classes, "policy": policy, "as_text": as_text}
    joins = on if candidates or audited is None else None  # in one table the id only finds re-checked rows
    tables = put_together(
        data, candidates, incumbent, candidate, y_true, score, candidate_score,
        on=joins, common=common, label=label, prediction=prediction, true=true, by=_with_hard(slices, hard),
    )  # fmt: skip
    if isinstance(tables, Tally):
        if audited is not None:
            raise InputError("re-checked rows are joined to the data by their id: give the data as paths or frames")
        marked = tables if hard is None else tables.renamed(**{tables.axes[tables.axis(hard)]: "hard"})
        marked, gaps = judged_by(marked, policy)
        pairs = [Pair("candidate", marked, {name: name for name in slices}, gaps)]
        own = "incumbent"
    else:
        own, named_tables = tables
        named_tables = [(name, _hard_as_text(table, hard)) for name, table in named_tables]
        pairs = [_hard_marked(counted_pair(name, table, check, positive), hard) for name, table in named_tables]
        if audited is not None:
            samples = [table.count_audited(audited, on=on, policy=policy, as_text=as_text) for _, table in named_tables]
            pairs = [replace(pair, sample=sample) for pair, sample in zip(pairs, samples, strict=True)]
    shown = len(pairs)
    total = max(shown, check_tried(tried)) if tried is not None else shown
    if tried is not None and tried < shown:
        raise OptionError(f"{shown} candidates are shown, so at least {shown} were tried; got {tried!r}")
    rule = Rule(margin, simultaneous_level(level, total), alternative, draws, seed, bootstrap)
    chosen_judge = judges.judge_named(judge)
    own_options = _own_options(chosen_judge, hard=hard, pc=pc, cleaning=cleaning, budget=budget, futility=futility)
    plausible = plausible_share(plausible_noise, None if noise_rate is None else parse_rate(noise_rate))
    judged = []
    for pair in pairs:
        case = Case(pair.tally, pair.scores)
        named_class(positive, case.tally.classes)

        chosen = _positive(positive, measure, pair)
        ask = functools.partial(_asked, measure=measure, positive=chosen, cost=cost)
        given = label_knowledge(
            case.tally.named_classes,
            noise_rate=noise_rate,
            transition=transition,
            transition_of=transition_of,
            sample=pair.sample,
            audited=audited,
        )
        one = _judged(pair, case, ask, chosen_judge, own_options, rule, level, given)
        noise = difference_noise_report(case, one.verdict, given, trusts_labels=chosen_judge.trusts_labels)
        judged.append(replace(one, noise=noise))
    pvalues = adjusted([one.verdict.outcome.pvalue for one in judged], tried=total)
    decisive = adjusted([one.decisive.outcome.pvalue for one in judged], tried=total)
    judged = [
        replace(one, adjusted_pvalue=float(p), decisive_pvalue=float(q), luck=_luck(one.decisive, total))
        for one, p, q in zip(judged, pvalues, decisive, strict=True)
    ]
    check_unchanged(data, *candidates)
    return Comparison(
        judged=tuple(judged),
        incumbent=own,
        tried=total,
        level=level,
        rule=rule,
        sources=_sources(data, candidates),
        on=joins,
        warnings=tuple(cautions(judged, total, level, chosen_judge, plausible)),
        plausible_noise=plausible,
    )


def _asked(tally: Tally, *, measure: str, positive: ClassName, cost: Any) -> Quantity:
    costs = None if cost is None else cost_table(cost, tally.classes, others=tally.others)
    return quantity(measure, tally.classes, positive=positive, costs=costs)


def _positive(positive: ClassName, measure: str, pair: Pair) -> ClassName:
    """Take the class the scores are about as the positive one, if none is named."""
    return pair.scores.class_name if positive is None and pair.scores else positive


def _with_hard(slices: tuple[str, ...], hard: str | None) -> tuple[str, ...]:
    """Have the column that marks hard rows counted like a slice."""
    if hard in slices:
        raise OptionError(f"column {hard!r} says which rows are hard: it cannot be a slice, too")
    return slices if hard is None else (*slices, hard)


def _hard_as_text(table: Together, hard: str | None) -> Together:
    """Have shares such as 0.25 counted: they are no class names, and there may be one for each row."""
    if hard is None:
        return table
    slices = {RANKS if axis == f"by {hard}" else axis: column for axis, column in table.slices.items()}
    return replace(table, slices=slices, texts=(hard,))


def _hard_marked(pair: Pair, hard: str | None) -> Pair:
    """Take the column that was counted like a slice for what it is."""
    if hard is None:
        return pair
    slices = {name: column for name, column in pair.slices.items() if name != RANKS}
    at = pair.tally.axis(RANKS)
    levels = tuple(_marks(names) if place == at else names for place, names in enumerate(pair.tally.levels))
    return replace(pair, tally=replace(pair.tally, levels=levels), slices=slices)


def _marks(names: Sequence[ClassName]) -> tuple[ClassName, ...]:
    """Read true, false and numbers; what is neither is left to the judge to refuse."""
    words = {"true": True, "false": False}
    try:
        return tuple(words[str(one).lower()] if str(one).lower() in words else float(str(one)) for one in names)
    except ValueError:
        return tuple(names)


def _own_options(judge: Judge, **given: Any) -> dict[str, Any]:
    """Return the options of the judge as it takes them; refuse those of another judge."""
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if name not in judge.options:
            owners = " and ".join(other.name for other in judges.ALL if name in other.options)
            raise OptionError(f"{name} is for the judge {owners}, not for {judge.name}")
    options.pop("hard", None)  # a column of the rows, counted with them
    if "cleaning" in options:
        chances = options.pop("cleaning")
        if len(chances) not in (2, 3):
            raise OptionError(f"a cleaning step has chances (s, e) or (s, e, c); got {chances!r}")
        options["cleaner"] = Nett(*chances)
    return options


def _judged(
    pair: Pair,
    case: Case,
    ask: Callable[[Tally], Quantity],
    judge: Judge,
    own_options: dict[str, Any],
    rule: Rule,
    level: float,
    given: LabelKnowledge,
) -> Judged:
    asked = ask(case.tally)
    own = {"measure": asked, "margin": rule.margin, "level": rule.level, "alternative": rule.alternative}
    options = {**own, "draws": rule.draws, "seed": rule.seed, "bootstrap": rule.bootstrap}
    wrong = dict(own_options)
    if judge.takes_noise:
        wrong |= {"rate": given.rate[1] if given.rate else None, "transition": given.transition}
    plain = replace(rule, level=level)
    plain_judge = judges.trusting(judge.compares)

    def judge_case(one: Case) -> Verdict:
        measure = ask(one.tally)
        return judge.decide(on_common_classes(one, measure), **{**options, **wrong, "measure": measure})

    def judge_truth(one: Case) -> Verdict | None:
        against, measure = one.against_truth, ask(one.tally)
        if against is None or asked.measure is None:
            return None
        return on_truth(plain_judge.decide(on_common_classes(against, measure), **{**options, "measure": measure}))

    def decide(one: Case) -> Verdict:
        return judge_truth(one) or judge_case(replace(one, scores=case.scores))

    unanswered = UnansweredInPair.of(pair.gaps, ask, decide)
    verdict, truth = judge_case(case), judge_truth(case)
    declared = pair.declared or pair.gaps.policy.others == "class"  # then slices have the classes of all rows
    truth_measures: tuple[MeasureDifference, ...] = ()
    if truth is not None and case.against_truth is not None:
        truth_measures = tuple(measure_differences(case.against_truth, asked, plain))
    return Judged(
        name=pair.name,
        case=case,
        verdict=with_caution(verdict, unanswered),
        truth=None if truth is None else with_caution(truth, unanswered),
        measures=tuple(measure_differences(case, asked, plain)),
        classes=tuple(class_differences(case, plain)),
        slices=tuple(slice_differences(case, asked, pair.slices, plain, declared=declared)),
        gaps=pair.gaps,
        unanswered=unanswered,
        left_out=undefined_for_one(case, asked),
        unmatched=dict(pair.unmatched or {}),
        truth_measures=truth_measures,
    )


def _luck(verdict: Verdict, tried: int) -> float | None:
    """Give the chance that the best of as many candidates, none better than the incumbent, looks this good."""
    pvalue = verdict.outcome.pvalue
    if tried == 1 or math.isnan(pvalue):
        return None
    if verdict.alternative == "two-sided":
        better = pvalue / 2 if verdict.difference.value > 0 else 1 - pvalue / 2
    else:
        better = pvalue if verdict.alternative == "greater" else 1 - pvalue
    return best_by_luck(better, tried)


def _sources(data: Any, candidates: Sequence[Any]) -> tuple[str, ...]:
    return tuple(os.fspath(one) for one in (data, *candidates) if isinstance(one, (str, os.PathLike)))
