"""`justesse.lifelong_score`: every version of a system under a policy over time."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.choices import BoundedLabels, LeakedAnswer, LifelongConvention, Missing
from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.frames.count import opened
from justesse.frames.open_items import with_shared_labels
from justesse.frames.placed_versions import VersionColumns
from justesse.frames.version_items import check_once
from justesse.frames.version_labels import count_labels
from justesse.frames.versions import count_versions, score_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.chronology import chronology
from justesse.lifelong.missing_transfer import missing_transfer
from justesse.lifelong.penalised_policy import policy_gains
from justesse.lifelong.policy import Policy, WeightFunction
from justesse.lifelong.policy_score import policy_scores
from justesse.lifelong.transfer import TransferFigure
from justesse.verbs.lifelong.complete_rows import bound_advice
from justesse.verbs.lifelong.label_gaps import bounds_labels, scores_with_gaps
from justesse.verbs.lifelong.leakage import check_leaked, guarded
from justesse.verbs.lifelong.options import PolicyOptions, TrainingOptions
from justesse.verbs.lifelong.result import LifelongScores
from justesse.verbs.lifelong.score_cells import base_errors, given_matrix, score_matrix
from justesse.verbs.lifelong.score_items import item_column, item_patterns, open_patterns
from justesse.verbs.lifelong.score_noise import noise_over_time
from justesse.verbs.lifelong.score_transfer import (
    check_references,
    memory_of,
    reference_counts,
    transfer_of,
    without_labels,
)
from justesse.verbs.lifelong.scored import check_other_scores, scored_columns
from justesse.verbs.lifelong.timeline import chosen_policy, next_periods, periods_of, policy_times, version_columns
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.recorded import recorded


@recorded
def lifelong_score(
    data: Any,
    *,
    version: str | None = None,
    time: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    trained: str | None = None,
    period: str | float | None = None,
    as_text: bool = False,
    policy: str | Policy | Mapping[str, float] | WeightFunction = PolicyOptions.policy,
    half_life: float | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
    noise_rate: Any = None,
    claim: str | None = None,
    true: str | None = None,
    on: str | None = None,
    training: Any = None,
    features: Sequence[str] | None = None,
    tolerance: float = TrainingOptions.tolerance,
    text: str | None = None,
    near: float = TrainingOptions.near,
    leaked: LeakedAnswer = TrainingOptions.leaked,
    missing: Missing | None = None,
    missing_labels: BoundedLabels | None = None,
    probability: str | None = None,
    score: str | None = None,
    higher_is_better: bool = False,
    touched: str | None = None,
    before: str | None = None,
    untrained: Any = None,
    joint: Any = None,
    level: float = ConfidenceOptions.level,
) -> LifelongScores:
    """Score every version of a system that keeps learning, under a policy that says how much each period matters.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each test item and version.
    version
        Column with the version of the system that answered. Default: the column named version or model.
    time
        Column with the time of each test item: dates or numbers. Default: the column named time, date, period or day.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    trained
        Column with the time at which the version was trained. Default: version 1 just before the first test period,
        version 2 just before the second, and so on.
    period
        Length of a test period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default:
        all items between two trainings if the times of training are known. Otherwise each time if there are 60 or
        fewer, else the shortest that gives 60 or fewer.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    policy
        recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), a CSV with the columns
        period and weight, a `Policy`, a dict of weights by period, or a function of the times and the last time.
        Default: uniform.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %, or a CSV with the columns
        period and rate. Default: not known.
    claim
        Claim about the error or accuracy under the policy, such as error<=0.2: says how many wrong labels could make
        it false.
    true
        Column with the true classes, if they are known: shows the bias of each score.
    on
        Column with the id of each test item: all versions share the label of an item. Default: the column named id,
        if there is one.
    training
        Table of the items that each version was trained on, with the columns version and id. A test item among them is
        refused. Default: not checked.
    features
        Columns that are equal for the same item, if items have no id.
    tolerance
        Numbers among the features may differ by this share of the standard deviation of their column, such as 0.01.
        Default: 0, equal to six digits.
    text
        Column with a text that is nearly the same for the same item.
    near
        Similarity from which texts are nearly the same, from 0.5 to 1. Default: 0.8.
    leaked
        Test items that their version was trained on: refuse the data, drop the rows, or allow them. Default: refuse.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label: refuse the data, drop the row, or bound the figures over all labels it could have.
        Default: refuse; drop with --missing drop; estimated with --probability.
    probability
        Column with the probability with which the label of each row was asked, above 0 and at most 1: figures are
        weighted by it. Default: not known.
    score
        Column with given scores, in a table with a row for each version and time instead of labels and predictions.
    higher_is_better
        A higher given score is better, as for accuracy. Default: lower is better, as for error rates.
    touched
        Column that says whether an expert touched the item, yes or no: scores are penalised for the help. Predictions
        are those after adaptation, each period starting from the version itself.
    before
        Column with the predictions before any help: adds the gain by generalisation.
    untrained
        Table with the answers of the system before any training to the same items, with the same columns: adds the
        forward transfer of GEM. Default: not known.
    joint
        Table with the answers of a model trained on all data up to each period at once, with the same columns and
        versions, or one version for all periods: adds intransigence. Default: not known.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    LifelongScores
        `scores` has a figure for each version, `matrix` the error rate of every version in every period.

    Notes
    -----
    Prokopalo et al. (2020), equation 2, with weights that add up to 1 over the periods that count for a version; with
    `touched` equation 3, where the error rate of a period becomes S_adapt + (S_false - S_cor).

    Examples
    --------
    >>> rows = {"version": ["a"] * 40 + ["b"] * 40, "time": ([1] * 20 + [2] * 20) * 2,
    ...         "label": ["x"] * 80, "prediction": ["x"] * 15 + ["y"] * 45 + ["x"] * 20}
    >>> result = lifelong_score(rows, policy="recent")
    >>> [(score.version, round(score.value, 3)) for score in result.scores]
    [('a', 0.25), ('b', 0.333)]
    """
    check_level(level)
    if convention not in get_args(LifelongConvention):
        raise OptionError(f"convention must be one of {', '.join(get_args(LifelongConvention))}; got {convention!r}.")
    check_other_scores(
        score, higher_is_better, touched, before,
        (label, prediction, noise_rate, claim, true, training, missing, missing_labels, probability),
    )  # fmt: skip
    bounding = bounds_labels(missing, missing_labels, probability, (noise_rate, claim, true, touched, score))
    answers = AnswerPolicy.of(missing, None if missing_labels == "bound" else missing_labels)
    source = watched(data)
    columns = version_columns(opened(source)[0], version, time, trained)
    check_leaked(leaked, training)
    data, leakage = guarded(
        source,
        training,
        columns.version,
        on=on,
        features=features,
        tolerance=tolerance,
        text=text,
        near=near,
        leaked=leaked,
    )
    table = opened(data)[0]
    id = None if score is not None else item_column(table, on)
    if id is not None:
        check_once(data, columns.version, id)
    reading: dict[str, Any] = {"label": label, "prediction": prediction, "policy": answers, "as_text": as_text}
    if score is not None:
        counts = score_versions(data, columns, score)
    elif bounding:
        data = with_shared_labels(data, label, prediction, id)
        counts, gaps = count_labels(data, columns, **reading, probability=probability)
    else:
        with bound_advice() if touched is None else nullcontext():
            counts = count_versions(data, columns, **reading, touched=touched, before=before)
    periods = periods_of(counts, period)
    after = next_periods(counts, periods)
    matrix = score_matrix(counts, periods, after)
    if score is not None:
        matrix = given_matrix(counts, periods, after, higher_is_better=higher_is_better)
    chosen = chosen_policy(policy, half_life)
    scoring: dict[str, Any] = {
        "policy": chosen, "convention": convention, "times": policy_times(periods, chosen), "level": level,
    }  # fmt: skip
    unlabelled = None
    if bounding:
        matrix, scores, unlabelled = scores_with_gaps(matrix, counts, gaps, periods, probability, scoring)
    else:
        scores = policy_scores(matrix, **scoring)
    base = base_errors(counts, periods)
    gains = policy_gains(scores, matrix.blocks, base, level=level) if base is not None and matrix.blocks else []
    noise = None
    if score is None and touched is None and not bounding:
        noise = noise_over_time(
            data, table, columns, counts, periods, matrix, scores,
            noise_rate=noise_rate, claim=claim, true=true, on=on, policy=answers, as_text=as_text, scoring=scoring,
        )  # fmt: skip
    tables = {"start": untrained, "joint": joint}
    check_references(tables, matrix, touched)
    at = VersionColumns(columns.version, columns.time)
    references = {
        kind: reference_counts(
            kind,
            score_versions(part, at, score) if score is not None else count_versions(part, at, **reading),
            counts,
            periods,
        )
        for kind, part in tables.items()
        if part is not None
    }
    transfer: list[TransferFigure] = []
    paired, unsettled = True, False
    if bounding:  # of the values that are shown, whose counts are not those behind them
        accuracies = replace(matrix, values=1 - matrix.values, blocks=None, higher_is_better=True)
        errors = {kind: replace(part, errors=part.sizes - part.errors) for kind, part in references.items()}
        transfer = transfer_of(accuracies, counts, periods, errors, level=level)
        if (unsettled := probability is None and unlabelled is not None and unlabelled.rows > 0) and transfer:
            items = open_patterns(data, columns, counts, periods, on=id, policy=answers, as_text=as_text)
            transfer = [
                without_labels(figure, ends) for figure, ends in zip(transfer, missing_transfer(items), strict=True)
            ]
    elif touched is None:
        patterns = None
        if matrix.alternates and matrix.blocks is not None and (np.bincount(matrix.blocks.period) == 1).any():
            paired = id is not None
            if id is not None:
                patterns = item_patterns(data, columns, counts, periods, on=id, policy=answers, as_text=as_text)
        transfer = transfer_of(matrix, counts, periods, references, level=level, items=patterns)
    check_unchanged(source)
    return LifelongScores(
        matrix=matrix,
        policy=chosen,
        convention=convention,
        scores=tuple(scores),
        chronology=tuple(chronology(after, len(periods.names))),
        trained_known=counts.trained is not None,
        length=periods.length,
        level=level,
        columns={
            "version": columns.version,
            "time": columns.time,
            **scored_columns(counts.columns, score, touched, before),
        },
        source=source,
        leakage=leakage,
        dropped=counts.dropped,
        label_noise=noise,
        scored="given" if score is not None else "penalised" if touched is not None else "error",
        gains=tuple(gains),
        transfer=tuple(transfer),
        memory=(
            tuple(memory_of(replace(matrix, blocks=None) if bounding else matrix, level))
            if touched is None and not unsettled
            else ()
        ),
        missing_labels=unlabelled,
        no_label=counts.no_label,
        zoned=counts.zoned,
        others=counts.others,
        paired=paired,
    )
