"""`justesse.evaluate_unlabelled(…, reference=…)`: how right is one classifier on rows without labels?"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.core.choice import check_choice
from justesse.core.choices import Missing
from justesse.core.errors import InputError
from justesse.core.resampling import check_draws
from justesse.core.results import ClassName, Estimate, check_level
from justesse.core.seeds import check_seed
from justesse.frames.confidences import ConfidenceRows, reference_and_target
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.confidence_accuracy import checked_accuracy, confidence_accuracy
from justesse.intervals.expected_confusion import ExpectedConfusion, expected_confusion
from justesse.intervals.wilson import wilson
from justesse.measures.curves.confidence_counts import ConfidenceCounts
from justesse.procedures.same_shares import SharesApart, same_shares
from justesse.significance.carried_calibration import carried_calibration
from justesse.verbs.unlabelled.shifted import CheckedPart, ShiftedEvaluation

OPTIONS = (
    "tables", "reference", "proba", "confidence", "prediction", "label", "as_text", "missing", "level", "draws", "seed",
)  # fmt: skip
WHERE = "with a labelled reference (--reference). Leave it out, or estimate from the agreement of several classifiers"
MOST_CLASSES = 100  # beyond, a matrix of expected counts has too few rows in each cell
LEAST = 20  # labelled rows of the reference
CHECKED_AT_LEAST = 2


def evaluate_by_reference(
    tables: Sequence[Any],
    *,
    reference: Any,
    proba: str | None,
    confidence: str | None,
    prediction: str | None,
    label: str | None,
    as_text: bool,
    missing: Missing | None,
    level: float,
    draws: int,
    seed: int,
) -> ShiftedEvaluation:
    """Estimate the accuracy of a classifier on rows without labels, from its confidence and a labelled reference.

    Parameters
    ----------
    tables
        The one table of rows without labels.
    reference
        Table with labels and the same columns of probabilities.
    proba, confidence, prediction, label, as_text, missing, level, draws, seed
        As in `evaluate_unlabelled`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sure = rng.uniform(0.5, 1, 1000)
    >>> rows = {"prediction": ["a"] * 1000, "sure": sure, "label": np.where(rng.random(1000) < sure, "a", "b")}
    >>> import justesse
    >>> target = {"prediction": ["a"] * 500, "sure": rng.uniform(0.5, 0.8, 500)}
    >>> justesse.evaluate_unlabelled(target, reference=rows, confidence="sure", draws=200).accuracy
    Estimate(accuracy 66.4 %, 95 % CI 63.0 to 70.0 %, n = 500)
    """
    check_level(level)
    check_draws(draws)
    check_seed(seed)
    if missing is not None:
        check_choice("missing", missing, Missing)
    if len(tables) != 1:
        raise InputError(
            f"With a labelled reference, one table of rows without labels is evaluated at a time; got {len(tables)}."
        )
    target, labelled = watched(tables[0]), watched(reference)
    rows = reference_and_target(
        labelled, target, label=label, prediction=prediction, proba=proba, confidence=confidence, as_text=as_text,
        missing=missing,
    )  # fmt: skip
    check_unchanged(target, labelled)
    ours, theirs = rows.reference, rows.target
    if len(ours.confidence) < LEAST:
        raise InputError(
            f"The reference has {len(ours.confidence)} labelled rows; its calibration needs at least {LEAST}, and better "
            "hundreds. Label more rows."
        )
    known = theirs.labelled
    counts = ConfidenceCounts.of(
        ours.confidence, ours.right, theirs.confidence, theirs.confidence[known], theirs.right[known]
    )
    by_confidence = confidence_accuracy(counts, level=level, draws=draws, seed=seed)
    return ShiftedEvaluation(
        rows=rows,
        counts=counts,
        by_confidence=by_confidence,
        by_classes=_by_classes(ours, theirs, rows.classes, level=level, draws=draws, seed=seed),
        reference_accuracy=_accuracy(counts.right, counts.wrong, level),
        checked=_checked(counts, by_confidence.fitted, level, seed),
        predicted=_predicted(ours, theirs, rows.classes, seed),
        level=level,
        draws=draws,
        seed=seed,
        sources=tuple(source for source in (labelled, target) if isinstance(source, str)),
    )


def _by_classes(
    ours: ConfidenceRows, theirs: ConfidenceRows, classes: Sequence[ClassName], *, level: float, draws: int, seed: int
) -> ExpectedConfusion | None:
    """Compute the expected confusion matrix, if there are probabilities of all classes and not too many classes."""
    if ours.probabilities is None or theirs.probabilities is None or len(classes) > MOST_CLASSES:
        return None
    return expected_confusion(
        ours.probabilities, ours.labels, theirs.probabilities, theirs.predictions, classes, level=level, draws=draws,
        seed=seed,
    )  # fmt: skip


def _checked(counts: ConfidenceCounts, fitted: Any, level: float, seed: int) -> CheckedPart | None:
    if counts.labelled.sum() < CHECKED_AT_LEAST:
        return None
    return CheckedPart(
        _accuracy(counts.labelled_right, counts.labelled_wrong, level),
        carried_calibration(counts, seed=seed),
        checked_accuracy(counts, fitted, level=level),
    )


def _accuracy(right: Any, wrong: Any, level: float) -> Estimate:
    hits, n = float(right.sum()), float(right.sum() + wrong.sum())
    [ends] = wilson(np.array([hits]), np.array([n]), level=level).intervals(bounds=(0.0, 1.0))
    return Estimate("accuracy", hits / n, n, ends, is_share=True)


def _predicted(ours: ConfidenceRows, theirs: ConfidenceRows, classes: Sequence[ClassName], seed: int) -> SharesApart:
    """Compare how often each class is predicted."""
    before, now = (
        dict(zip(classes, np.bincount(part.predictions, minlength=len(classes)).tolist(), strict=True))
        for part in (ours, theirs)
    )
    return same_shares(now, before, counted=True, seed=seed)
