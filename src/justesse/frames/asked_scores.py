"""What was asked about scores, and where it is found: columns of a file or frame, or an array."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import Gaps
from justesse.core.errors import InputError, OptionError, ScoreError, WeightError
from justesse.core.levels import CLUSTERS
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.columns import Roles, guess_column, has_column
from justesse.frames.count import Counted, check_clusters, opened
from justesse.frames.predicted_tally import predicted_tally
from justesse.frames.read import bytes_on_disk
from justesse.frames.rows import Rows
from justesse.frames.score_bins import ScoreBins, count_score_bins
from justesse.frames.scores import ScoreRows, arranged, check_weights, labels_of, read_scores

TOO_LARGE = 4 << 30  # bytes of files past which scores are counted in bins rather than read
USUAL_BINS = 10_000


@dataclass(frozen=True)
class ScoreRequest:
    """The words of `evaluate` that are about scores."""

    score: str | None = None
    proba: str | None = None
    y_score: Any = None
    threshold: float | None = None
    wanted_recall: float | None = None
    wanted_specificity: float | None = None
    score_bins: int | None = None


@dataclass(frozen=True)
class AskedScores:
    """The scores read and the column of predictions or, where there is none, the counts of what the scores predict."""

    rows: ScoreRows | ScoreBins
    counted: Counted | None = None
    bins: int | None = None
    prediction: str | None = None


def read_asked(data: Any, asked: ScoreRequest, positive: ClassName, options: Mapping[str, Any]) -> AskedScores | None:
    """Read the scores asked for, if any."""
    sources = [source for source in (asked.score, asked.proba, asked.y_score) if source is not None]
    if not sources:
        extra = (asked.threshold, asked.wanted_recall, asked.wanted_specificity, asked.score_bins)
        if any(value is not None for value in extra):
            raise OptionError("Thresholds and score bins need scores. Name the score column with score=… (--score).")
        return None
    if len(sources) > 1:
        raise OptionError("Pass only one of score, proba and y_score.")
    for name in ("threshold", "wanted_recall", "wanted_specificity"):
        value = getattr(asked, name)
        if value is not None and (isinstance(value, str) or not math.isfinite(value)):
            raise OptionError(f"Option {name} must be a finite number; got {value!r}.")
    if not all(isinstance(name, (str, type(None))) for name in (asked.score, asked.proba)):
        raise OptionError("Pass score and proba as names of columns, and arrays as y_score.")
    if asked.threshold is not None and asked.score is None and np.ndim(asked.y_score) != 1:
        raise OptionError(
            "A threshold needs scores of one class; with probabilities of several, the most likely class is "
            "predicted. Leave the threshold out."
        )
    if asked.y_score is not None and data is not None:
        raise OptionError("Pass y_score together with y_true. With data, name the columns with score=… or proba=….")
    if isinstance(data, Tally):
        raise InputError("A Tally has no scores. Evaluate the rows instead.")
    if options["cluster"] is not None and (options["weight"] is not None or asked.score_bins is not None):
        name, option = ("weight", "--weight") if options["weight"] is not None else ("score_bins", "--score-bins")
        raise OptionError(
            f"{name} ({option}) takes scored rows as independent, so it cannot be combined with clusters (--cluster). "
            "Leave one of them out."
        )
    if data is None:
        return _from_array(asked, positive, options)
    tables = opened(data)
    prediction = options["prediction"] or _guessed_prediction(tables[0], asked)
    plain = options["weight"] is None and options["cluster"] is None
    if asked.score_bins is None and asked.score and plain and bytes_on_disk(data) > TOO_LARGE:
        asked = replace(asked, score_bins=USUAL_BINS)
    if asked.score_bins is not None:
        if asked.score is None or options["weight"] is not None:
            raise OptionError(
                "Score bins need a score column and no weights. Name the column with score=… (--score) and leave "
                "the weights out."
            )
        bins = count_score_bins(
            tables,
            label=options["label"],
            score=asked.score,
            positive=positive,
            bins=asked.score_bins,
            as_text=options["as_text"],
        )
        return AskedScores(bins, bins=asked.score_bins, prediction=prediction)
    rows = read_scores(
        tables,
        label=options["label"],
        score=asked.score,
        proba=asked.proba,
        weight=options["weight"],
        positive=positive,
        drop_labels=options["policy"].drops_labels,
        as_text=options["as_text"],
        by=_columns_of(options["by"]),
        cluster=options["cluster"],
    )
    if prediction is not None:
        return AskedScores(
            rows, prediction=prediction
        )  # that the same rows were left out is checked once both are counted
    return AskedScores(rows, _predicted(rows, asked, options, options["label"] or "label"))


def _guessed_prediction(table: Rows, asked: ScoreRequest) -> str | None:
    """Find the column of predictions among those that hold no scores."""
    scores = [name for name in table.columns if name == asked.score or (asked.proba and name.startswith(asked.proba))]
    others = [name for name in table.columns if name not in scores]
    if not has_column("prediction", others, table.name):
        return None
    return guess_column("prediction", others, table.name, None)


def _predicted(rows: ScoreRows, asked: ScoreRequest, options: Mapping[str, Any], label: str) -> Counted:
    by = _columns_of(options["by"])
    if options["true"] or len(by) > len(rows.slices):
        raise OptionError(
            "True classes, and slices of arrays, need predictions besides the scores. Pass the predictions too."
        )
    cluster = None
    if rows.clusters:
        cluster = options["cluster"] if isinstance(options["cluster"], str) else "cluster"
    roles = Roles(label, asked.score or asked.proba or "y_score", by=by, cluster=cluster)
    axes = {axis: rows.slices[column] for axis, column in roles.slices.items()}
    if rows.clusters:
        axes[CLUSTERS] = rows.clusters
    tally = predicted_tally(rows, asked.threshold, axes)
    if cluster:
        check_clusters(tally, cluster)
    # the columns of scores declare the classes
    gaps = Gaps(options["policy"], labels=rows.dropped, dropped=rows.dropped)
    return Counted(tally, roles, gaps)


def _columns_of(by: Any) -> tuple[str, ...]:
    return (by,) if isinstance(by, str) else tuple(by or ())


def _from_array(asked: ScoreRequest, positive: ClassName, options: Mapping[str, Any]) -> AskedScores:
    if options["label"] is None:
        raise InputError("Pass y_true together with y_score.")
    try:
        scores = np.asarray(asked.y_score, dtype=float)
    except (TypeError, ValueError) as error:
        raise ScoreError(f"Scores (y_score) must be numbers, one per row or one per row and class: {error}.") from error
    scores = scores[:, None] if scores.ndim == 1 else scores
    labels = labels_of(options["label"])
    if scores.ndim != 2 or len(scores) != len(labels[0]) or not scores.shape[1]:
        raise ScoreError(
            f"Scores (y_score) need one row for each of the {len(labels[0]):,} labels; got shape "
            f"{np.shape(asked.y_score)}."
        )
    if not np.isfinite(scores).all():
        row = int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])
        raise ScoreError(
            f"Scores must be finite numbers. Row {row + 1} has {scores[row].tolist()}. Correct or remove it."
        )
    several = scores.shape[1] > 1
    names: Sequence[Any] = ["y_score"]
    if several:
        names = (
            list(options["classes"])
            if options["classes"] is not None
            else sorted(labels[1], key=lambda n: (str(type(n)), n))
        )
        if len(names) != scores.shape[1]:
            raise ScoreError(
                f"Got {scores.shape[1]} columns of scores (y_score) for {len(names)} classes. List the classes in "
                "their order with classes=…."
            )
    weights = None
    if options["weight"] is not None:
        try:
            weights = np.asarray(options["weight"], dtype=float)
        except (TypeError, ValueError) as error:
            raise WeightError(f"Weights must be numbers, one per row: {error}.") from error
        if weights.shape != labels[0].shape:
            raise WeightError(
                f"Weights need one value for each of the {len(labels[0]):,} rows; got shape {weights.shape}."
            )
        check_weights(weights, "The array of weights")
    if hasattr(asked.y_score, "columns") and several:
        names = list(asked.y_score.columns)
    rows = arranged(labels, scores, names, positive=positive, several=several, weights=weights)
    if options["cluster"] is not None:
        clusters = labels_of(options["cluster"], "cluster")
        if len(clusters[0]) != rows.n:
            raise InputError(
                f"Clusters need one value for each of the {rows.n:,} rows; got {len(clusters[0]):,}. Pass an array of "
                "that length."
            )
        rows = replace(rows, clusters=clusters)
    if options["prediction"] is not None:
        return AskedScores(rows)
    return AskedScores(rows, _predicted(rows, asked, options, "y_true"))
