"""The scores of an evaluation, from rows to estimates."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate
from justesse.core.tally import Tally
from justesse.frames.asked_scores import AskedScores, ScoreRequest
from justesse.frames.score_bins import ScoreBins
from justesse.frames.scores import ScoreRows
from justesse.intervals.clustered_scores import RowClusters
from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import (
    estimate_clustered_scores,
    estimate_probabilities,
    estimate_scores,
)
from justesse.intervals.score_evaluation import ScoreEvaluation, evaluate_binary, evaluate_several
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.report.writing import message
from justesse.verbs.evaluate.evaluation import Slice


def evaluate_asked(
    asked_scores: AskedScores,
    asked: ScoreRequest,
    costs: Array | None,
    classes: Sequence[ClassName],
    confidence: Confidence,
) -> ScoreEvaluation:
    """Evaluate what was read."""
    rows = asked_scores.rows
    if isinstance(rows, ScoreRows) and len(rows.columns) > 1:
        if asked.wanted_recall is not None or asked.wanted_specificity is not None:
            raise OptionError(
                "A threshold for a recall or specificity is for one class. Name its score column with score (--score)."
            )
        return evaluate_several(rows.scores, rows.labels, rows.classes, rows.weights, confidence, row_clusters(rows))
    positive = rows.positive
    pair = None
    if costs is not None and len(classes) == 2:
        k = list(classes).index(positive)
        # what a mistake adds to the cost of being right, which a threshold cannot change
        pair = (float(costs[k, 1 - k] - costs[k, k]), float(costs[1 - k, k] - costs[1 - k, 1 - k]))
        pair = pair if any(pair) else None
    return evaluate_binary(
        binary_table(rows),
        positive,
        confidence,
        threshold=asked.threshold,
        wanted_recall=asked.wanted_recall,
        wanted_specificity=asked.wanted_specificity,
        costs=pair,
        bins=asked_scores.bins,
        rows=_clustered_rows(rows),
    )


def row_clusters(rows: ScoreRows | ScoreBins) -> RowClusters | None:
    """Number the clusters of the rows, if they come in clusters."""
    return RowClusters.of(rows.clusters[0]) if isinstance(rows, ScoreRows) and rows.clusters else None


def _clustered_rows(rows: ScoreRows | ScoreBins) -> tuple[Array, Array, RowClusters] | None:
    """Return score, class and cluster of each row, if rows come in clusters."""
    cluster = row_clusters(rows)
    if cluster is None or not isinstance(rows, ScoreRows):
        return None
    return rows.scores[:, 0], _is_positive(rows), cluster


def _is_positive(rows: ScoreRows) -> Array:
    return np.asarray(rows.labels == rows.classes.index(rows.columns[0]))


def unused_threshold(threshold: float | None, tally: Tally, column: str | None, scored: ScoreEvaluation) -> list[str]:
    """Warn that the main figures are about a column of predictions, not about the threshold asked for.

    Nothing needs saying where both predict alike: then the figures are the same.
    """
    if threshold is None:
        return []
    chosen = scored.thresholds[0][1]
    if len(tally.classes) == 2:
        k = tally.classes.index(scored.classes[0].class_name)
        table = tally.dense("label", "prediction")
        if np.allclose([table[k, k], table[1 - k, k]], [chosen.tp, chosen.fp]):
            return []
    warning = message(
        "Accuracy and the other main figures evaluate the predictions in column {column:name}, not the threshold "
        "{threshold:number}. The threshold has its own row among the thresholds. To evaluate it, leave that column out of "
        "the data.",
        column=column,
        threshold=threshold,
    )
    return [str(warning)]


def rounded_words(asked_scores: AskedScores) -> list[str]:
    """Warn that probabilities were rounded and had to be normalised."""
    rows = asked_scores.rows
    return [rows.rounded.words] if isinstance(rows, ScoreRows) and rows.rounded else []


def binary_table(rows: ScoreRows | ScoreBins) -> ScoreCounts:
    """Gather the rows of a column of scores, or what the engine has gathered in bins."""
    if isinstance(rows, ScoreBins):
        p, n = rows.positives, rows.negatives
        return ScoreCounts(rows.scores, p, n, p, n, rows.width, rows.edges)
    return ScoreCounts.of(rows.scores[:, 0], _is_positive(rows), rows.weights)


def with_areas(slices: Sequence[Slice], asked_scores: AskedScores, confidence: Confidence) -> list[Slice]:
    """Add the areas of each slice; scores counted in bins have no slices."""
    rows = asked_scores.rows
    if not isinstance(rows, ScoreRows):
        return list(slices)
    areas = [slice_areas(rows, part.column, part.value, confidence) for part in slices]
    return [replace(part, estimates=(*part.estimates, *own)) for part, own in zip(slices, areas, strict=True)]


def slice_areas(rows: ScoreRows, column: str, value: ClassName, confidence: Confidence) -> list[Estimate]:
    """Estimate the areas under the ROC and precision-recall curves of the rows with one value of a column.

    With probabilities of several classes, these are the macro means over the classes for which an area is defined there.
    """
    here = rows.of_slice(column, value)
    weights = None if rows.weights is None else rows.weights[here]
    cluster = row_clusters(rows)
    cluster = cluster.select(here) if cluster else None
    if rows.positive is None:
        several = estimate_probabilities(
            rows.scores[here], rows.labels[here], rows.classes, weights, confidence, cluster
        )
        return [estimate for estimate in several.estimates if estimate.average == "macro"]
    positive = _is_positive(rows)[here]
    if cluster:
        alike: dict[str, Any] = {"class_name": rows.positive, "probabilities": False}
        return estimate_clustered_scores(rows.scores[here, 0], positive, cluster, confidence, **alike)[0]
    table = ScoreCounts.of(rows.scores[here, 0], positive, weights)
    return estimate_scores(table, confidence, class_name=rows.positive, probabilities=False)
