"""`justesse.compare`: should the candidate replace the incumbent?"""

import functools
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from justesse import judges
from justesse.core.answer_policy import Missing, MissingLabels, Others
from justesse.core.case import Case
from justesse.core.choices import AnswersMethod, PairedResampling, Repeated, TransitionOf
from justesse.core.errors import OptionError
from justesse.core.levels import CLUSTERS, named_class
from justesse.core.recording import remembered
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.frames.costs import cost_table
from justesse.frames.watched import check_unchanged, watched
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.noise.difference_noise_report import difference_noise_report
from justesse.noise.label_knowledge import parse_rate
from justesse.noise.plausible_noise import plausible_noise as plausible_share
from justesse.significance.multiplicity import adjusted, simultaneous_level
from justesse.significance.selection import check_tried, luck_of_best
from justesse.verbs.answers.supported import check_no_answer_options, supported
from justesse.verbs.any_of import check_any_of
from justesse.verbs.compare.cautions import cautions
from justesse.verbs.compare.clustered import pair_cluster
from justesse.verbs.compare.comparison import Comparison
from justesse.verbs.compare.judge_options import judge_options
from justesse.verbs.compare.judged_pair import judged_pair
from justesse.verbs.compare.marked_rows import Marks, with_marks
from justesse.verbs.compare.options import DecisionOptions
from justesse.verbs.compare.paired_answers import Pair, put_together
from justesse.verbs.compare.read_pairs import ReadPairs, read_pairs
from justesse.verbs.compare.result_kinds import comparing
from justesse.verbs.fragile import option_of
from justesse.verbs.label_knowledge import label_knowledge
from justesse.verbs.log_input import log_choice, read_models
from justesse.verbs.log_words import comparison_cautions
from justesse.verbs.options.annotators import AnnotatorAnswerOptions
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.options.intervals import DifferenceIntervalOptions
from justesse.verbs.recorded import recorded

if TYPE_CHECKING:
    from justesse.verbs.answers.comparison import AnsweredComparison
    from justesse.verbs.unlabelled.comparison import UnlabelledComparison


@recorded
@comparing
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
    cluster: Any = None,
    by: str | Sequence[str] | None = None,
    classes: Sequence[ClassName] | None = None,
    measure: str | None = None,
    positive: ClassName = None,
    cost: Any = None,
    score: str | None = None,
    candidate_score: str | Sequence[str] | None = None,
    judge: str = DecisionOptions.judge,
    margin: float = DecisionOptions.margin,
    tried: int | None = None,
    level: float = DifferenceIntervalOptions.level,
    alternative: Alternative = DifferenceIntervalOptions.alternative,
    bootstrap: PairedResampling = DifferenceIntervalOptions.bootstrap,
    draws: int = DifferenceIntervalOptions.draws,
    seed: int = DifferenceIntervalOptions.seed,
    noise_rate: Any = None,
    transition: Any = None,
    transition_of: TransitionOf | None = None,
    audited: Any = None,
    hard: str | None = None,
    pc: float | None = None,
    cleaning: Sequence[float] | None = None,
    flagged: str | None = None,
    budget: int | None = None,
    futility: bool | None = None,
    reference: Any = None,
    plausible_noise: float | str | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = AnswerOptions.others,
    any_of: str | None = None,
    answers: Any = None,
    answers_method: AnswersMethod = AnnotatorAnswerOptions.answers_method,
    answers_only: bool = False,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    repeated: Repeated = AnnotatorAnswerOptions.repeated,
    metric: str | None = None,
    log_filter: str | None = None,
    task: str | None = None,
    log_model: str | None = None,
    right_from: float | None = None,
) -> "Comparison | AnsweredComparison | UnlabelledComparison":
    """Decide whether a candidate should replace the incumbent, and show what would change the verdict.

    Parameters
    ----------
    data
        Path or data frame of the incumbent, or of all classifiers; dict of arrays; `Tally` of label × incumbent ×
        candidate.
    candidates
        Paths or data frames of the candidates.
    incumbent
        Column of the incumbent's answers, if all answers are in one file.
    candidate
        Column of the candidate's answers, or a list of columns, if all answers are in one table.
    y_true
        Array of labels; `incumbent` and `candidate` are then arrays, several candidates a dict.
    on
        Column with an id that all files share. Default: rows in order, if all labels agree.
    common
        Use only the ids that all files have, instead of refusing files that differ.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    true
        Column with the true classes, if they are known as well as the labels. Default: the column named true, truth or
        actual, if there is one.
    cluster
        Column that says which rows belong together, such as patient: rows of one cluster may be alike. Default: all
        rows are independent.
    by
        Column to slice by, or a list of columns; with arrays, a dict of name → array. Default: no slices.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    measure
        Measure that decides, such as accuracy, error, cost, recall:CLASS, macro-f1, mcc or auc. Default: accuracy;
        `cost` with costs.
    positive
        Class of interest, such as spam: shown first, and used for scores and measures of one class. Default: none.
    cost
        CSV table of the cost of each prediction (columns) for each label (rows).
    score
        Column with scores of the class `positive`; with one file, of the incumbent.
    candidate_score
        Column of the candidate's scores, or a list of columns, if all are in one table.
    judge
        Who decides: the name of a judge, see `justesse.judges`. Default: paired.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    tried
        Number of candidates that were tried, if more than are given here. Default: as many as are given.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    bootstrap
        Interval of differences in measures that are not shares, such as macro-f1 or cost: resampled (percentile or
        bca), or by the delta method (none). Default: none.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %. Default: not known.
    transition
        CSV table of true classes (rows) by labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the transition table come from: a random sample, or exactly these rows. Default: sample.
    audited
        File of re-checked rows with the id (`on`) and a column true, drawn at random. For evaluate and compare also
        rows that plan labels listed; a column probability says how likely each was drawn.
    hard
        For prudent_v2: column that marks hard rows with 1, or gives the share of rows that are harder.
    pc
        For prudent_v2: share of the rows to doubt, such as 0.2, if `hard` is a share. Default: 0.1.
    cleaning
        For cleaned: (s, e) or (s, e, c), the chances to detect a wrong label, to suspect a right one, and to correct
        what was detected (without c, the row is removed).
    flagged
        For cleaned: column that marks rows whose label a filter holds to be wrong with 1, as justesse clean
        `cleaned_to` writes it. These rows are left out.
    budget
        For audited: number of rows to ask about at most. Default: 200.
    futility
        For audited: stop if the remaining questions settle it with less than 3 % probability. Default: yes;
        `futility=False` continues up to the budget.
    reference
        For unsupervised: table of the reference classifier, or its column if all are in one table; or a list. The first
        one judges; with two or more, independence is tested.
    plausible_noise
        Share of wrong labels to expect, such as 0.02: a warning says if fewer could change the result. Default: 1%, or
        the upper end of `noise_rate`.
    drop_missing
        Old name of `missing="drop"`.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    any_of
        Separator of labels that accept several classes, such as "|": cat|dog accepts both. Default: every label is one
        class.
    answers
        Annotators' answers instead of labels: file, data frame or dict of arrays with a row for each answer, with item,
        annotator and answer. The id of the predictions (`on`) is the item. Default: labels are read.
    answers_method
        Model of the annotators: hierarchical (one population of annotators), dawid-skene (each annotator alone), or
        majority (the vote counts as the truth). Default: hierarchical.
    answers_only
        Infer the true classes from the answers alone, for a classifier trained on these answers.
    item
        Column of the answers with the items. Default: the column named item, task or question.
    annotator
        Column of the answers with the annotators. Default: the column named annotator, worker or rater.
    answer
        Column of the answers with the classes. Default: the column named answer, label or class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    metric
        For evaluation logs: metric or scorer that says what is right, such as exact_match. Default: the first that
        scores with 0 and 1 only.
    log_filter
        For evaluation logs: how answers were extracted, such as strict-match; of HELM the split, such as valid.
        Default: the first in the log, of HELM test.
    task
        For evaluation logs: task to read, such as gsm8k. Default: all tasks.
    log_model
        For evaluation logs with several models: the model to read.
    right_from
        For evaluation logs: smallest score that counts as right, such as 0.5. Default: 1, and other scores than 0 and 1
        are refused.

    Returns
    -------
    Comparison
        `verdict` is the first candidate's; `passes` says whether it passes a gate.

    Notes
    -----
    The interval of the difference decides. With several candidates all intervals are widened so that they hold together.
    Averages are over the same classes for both. An answer that a label with several classes accepts is right: two
    accepted answers are a tie.

    Examples
    --------

    >>> result = compare(
    ...     y_true=[1, 0] * 200, incumbent=[1, 0] * 160 + [0, 1] * 40, candidate=[1, 0] * 190 + [0, 1] * 10
    ... )
    >>> result.verdict.decision, round(result.verdict.difference.value, 3)
    ('replace', 0.15)
    """
    settings = dict(locals())
    if answers is not None:
        from justesse.verbs.answers.compare import OPTIONS, compare_by_answers

        return compare_by_answers(**supported(compare, settings, OPTIONS))
    check_no_answer_options(settings)
    if reference is not None or judges.judge_named(judge).name == "unsupervised":
        judge_options(judges.judge_named(judge), reference=reference)
        from justesse.verbs.unlabelled import compare as unlabelled

        return unlabelled.compare_by_reference(**supported(compare, settings, unlabelled.OPTIONS, unlabelled.WHERE))
    files = [watched(item) for item in (data, *candidates)]
    logs = remembered("logs", read_models, files, log_choice(settings), incumbent, candidate, common=common)
    data, candidates = logs.sources[0], logs.sources[1:]
    if logs.paired:
        incumbent, candidate, on = None, None, on or "id"
    classes = logs.classes(classes)
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    cluster = pair_cluster(cluster, data, logs, settings)
    measure = measure or ("accuracy" if cost is None else "cost")
    logs.check_measure(measure)
    marks = Marks.of(hard, flagged)
    if data is None and marks is not None:
        raise OptionError(f"{marks.option} names a column, but arrays have none. Pass a dict of arrays as data.")
    policy = logs.policy(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of)
    check_any_of(policy, {"score": score, "transition": transition, "audited": audited})
    check = {"classes": classes, "policy": policy, "as_text": as_text}
    joins = on if candidates or audited is None else None  # in one table the id only finds re-checked rows
    column = cluster if isinstance(cluster, str) else CLUSTERS

    def read() -> ReadPairs:
        tables = put_together(
            data, candidates, incumbent, candidate, y_true, score, candidate_score,
            on=joins, common=common, label=label, prediction=prediction, true=true, by=with_marks(slices, marks),
            cluster=cluster, marks=None if marks is None else {marks.column: marks.option},
        )  # fmt: skip
        rechecked = {"audited": audited, "on": on, "policy": policy, "as_text": as_text}
        return read_pairs(tables, slices, marks, check, positive, column, rechecked)

    counted = remembered("pairs", read)
    own, pairs, drawn = counted.incumbent, counted.pairs, counted.drawn
    shown = len(pairs)
    total = max(shown, check_tried(tried)) if tried is not None else shown
    if tried is not None and tried < shown:
        raise OptionError(f"{shown} candidates are shown, so at least {shown} were tried; got tried={tried!r}.")
    rule = Rule(margin, simultaneous_level(level, total), alternative, draws, seed, bootstrap)
    chosen_judge = judges.judge_named(judge)
    own_options = judge_options(
        chosen_judge, hard=hard, pc=pc, cleaning=cleaning, flagged=flagged, budget=budget, futility=futility
    )
    plausible = plausible_share(plausible_noise, None if noise_rate is None else parse_rate(noise_rate))
    judged = []
    for pair in pairs:
        case = Case(pair.tally, pair.scores)
        named_class(positive, case.tally.classes)

        chosen = _positive(positive, measure, pair)
        ask = functools.partial(_asked, measure=measure, positive=chosen, cost=cost)
        knowledge = label_knowledge(
            case.tally.named_classes,
            noise_rate=noise_rate,
            transition=transition,
            transition_of=transition_of,
            sample=pair.sample,
            audited=audited,
            drawn=drawn,
        )
        part = judged_pair(pair, case, ask, chosen_judge, own_options, rule, level, knowledge)
        noise = difference_noise_report(case, part.verdict, knowledge, trusts_labels=chosen_judge.trusts_labels)
        if not logs.by_class:  # right and wrong are no classes
            part = replace(part, classes=(), measures=tuple(item for item in part.measures if item.counts_errors))
        judged.append(replace(part, noise=noise))
    pvalues = adjusted([entry.verdict.outcome.pvalue for entry in judged], tried=total)
    decisive = adjusted([entry.decisive.outcome.pvalue for entry in judged], tried=total)
    judged = [
        replace(part, adjusted_pvalue=float(p), decisive_pvalue=float(q), luck=_luck(part.decisive, total))
        for part, p, q in zip(judged, pvalues, decisive, strict=True)
    ]
    board, no_board = None, list[str]()
    if audited is not None and shown > 1:
        from justesse.verbs.compare.checked_board import candidate_pairs, checked_board

        between = remembered("candidate_pairs", candidate_pairs, counted.tables, check, counted.reading, absent=None)
        if between is not None:
            board, no_board = checked_board(own, pairs, between, level=level, tried=total + 1, design=knowledge.design)
    check_unchanged(*files)
    return Comparison(
        judged=tuple(judged),
        incumbent=own,
        tried=total,
        level=level,
        rule=rule,
        sources=_sources(files),
        on=joins,
        warnings=(
            *map(str, cautions(judged, total, level, chosen_judge, plausible, option_of(plausible_noise, noise_rate))),
            *no_board,
        ),
        logs=logs.facts,
        log_notes=tuple(comparison_cautions(logs, clustered=judged[0].clusters is not None)),
        cluster=column if judged[0].clusters else None,
        plausible_noise=plausible,
        leaderboard=board,
    )


def _asked(tally: Tally, *, measure: str, positive: ClassName, cost: Any) -> Quantity:
    costs = None if cost is None else remembered("costs", cost_table, cost, tally.classes, others=tally.others)
    return quantity(measure, tally.classes, positive=positive, costs=costs)


def _positive(positive: ClassName, measure: str, pair: Pair) -> ClassName:
    """Take the class the scores are about as the positive one, if none is named."""
    return pair.scores.class_name if positive is None and pair.scores else positive


def _luck(verdict: Verdict, tried: int) -> float | None:
    return luck_of_best(verdict.outcome.pvalue, verdict.difference.value, verdict.alternative, tried)


def _sources(files: Sequence[Any]) -> tuple[str, ...]:
    return tuple(os.fspath(item) for item in files if isinstance(item, (str, os.PathLike)))
