"""What wrong labels do to the scores of all versions, from the rows."""

from typing import Any

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import InputError
from justesse.core.quantity import quantity
from justesse.frames.columns import check_column
from justesse.frames.placed_versions import VersionColumns
from justesse.frames.rows import Rows
from justesse.frames.versions import VersionCounts, count_versions
from justesse.lifelong.item_patterns import ItemPatterns
from justesse.lifelong.periods import Periods
from justesse.lifelong.policy_score import PolicyScore, policy_scores
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.transfer_noise import TransferNoise, transfer_noise
from justesse.verbs.lifelong.label_noise import (
    NoiseOverTime,
    TrueScore,
    by_place,
    read_claim,
    read_noise_rate,
    version_noise,
)
from justesse.verbs.lifelong.score_cells import score_matrix
from justesse.verbs.lifelong.score_items import item_column, item_patterns


def noise_over_time(
    data: Any,
    table: Rows,
    columns: VersionColumns,
    counts: VersionCounts,
    periods: Periods,
    matrix: ScoreMatrix,
    scores: list[PolicyScore],
    *,
    noise_rate: Any,
    claim: str | None,
    true: str | None,
    on: str | None,
    policy: AnswerPolicy,
    as_text: bool,
    scoring: dict[str, Any],
) -> NoiseOverTime | None:
    """Work out what wrong labels can do, as far as the user's knowledge allows; `None` if nothing is known or asked.

    Parameters
    ----------
    data, table
        The rows, and the first table of them.
    columns
        Columns of version and time.
    counts, periods, matrix, scores
        Errors of every version, the test periods, the matrix of errors and the scores under the policy.
    noise_rate
        Share of wrong labels: one, a range, or one for each period.
    claim
        Claim about the error or accuracy under the policy.
    true
        Column with the true classes.
    on
        Column with the id of each item. Default: the column named id, if there is one.
    policy
        What to do with missing labels and predictions.
    as_text
        Whether to compare classes as text.
    scoring
        Policy, convention, times and level, as the scores were computed.
    """
    rate, asked = read_noise_rate(noise_rate, matrix.periods), read_claim(claim)
    if rate is None and asked is None and true is None:
        return None
    name = item_column(table, on)
    truths: list[TrueScore | None] = [None] * len(scores)
    if true is not None:
        check_column(table.columns, table.name, "true", true)
        if counts.no_label:
            raise InputError(
                f"The bias of the labels is that of labelled rows, and {quantity(counts.no_label, 'row')} of {table.name} "
                f"{'has' if counts.no_label == 1 else 'have'} no label. Remove rows without a label, or leave out true=… "
                "(--true)."
            )
        truths = list(_true_scores(data, columns, counts, periods, matrix, scores, true, policy, as_text, scoring))
    patterns = None
    if rate is not None or asked is not None:
        patterns = item_patterns(data, columns, counts, periods, on=name, policy=policy, as_text=as_text)
    classes = patterns.classes if patterns else 2
    return NoiseOverTime(
        rate,
        asked,
        tuple(
            version_noise(matrix, score, rate, asked, truth, classes=classes)
            for score, truth in zip(scores, truths, strict=True)
        ),
        tuple(_transfer(matrix, patterns, rate)) if patterns is not None and rate is not None else (),
        name is not None,
    )


def _transfer(matrix: ScoreMatrix, patterns: ItemPatterns, rate: Any) -> list[TransferNoise]:
    if not matrix.alternates:
        return []
    merged = ItemPatterns.of_items(
        patterns.period, patterns.label, patterns.answers, many=patterns.many, classes=patterns.classes,
        periods=patterns.periods, shared=patterns.shared,
    )  # fmt: skip
    return transfer_noise(merged, by_place(rate, matrix.periods))


def _true_scores(
    data: Any,
    columns: VersionColumns,
    counts: VersionCounts,
    periods: Periods,
    matrix: ScoreMatrix,
    scores: list[PolicyScore],
    true: str,
    policy: AnswerPolicy,
    as_text: bool,
    scoring: dict[str, Any],
) -> list[TrueScore]:
    """Score every version by the true classes, and find the share of wrong labels among its items."""
    label, prediction = counts.columns
    by_truth = count_versions(data, columns, label=true, prediction=prediction, policy=policy, as_text=as_text)
    labels = count_versions(data, columns, label=true, prediction=label, policy=policy, as_text=as_text)
    truths = policy_scores(score_matrix(by_truth, periods, list(matrix.next_period)), **scoring)
    wrong = policy_scores(score_matrix(labels, periods, list(matrix.next_period)), **scoring)
    return [
        TrueScore(truth.value, truth.interval, score.value - truth.value, noisy.value)
        for score, truth, noisy in zip(scores, truths, wrong, strict=True)
    ]
