"""Score a classifier on the rows it was trained on, to show how much it over-fits."""

from collections.abc import Mapping
from typing import Any

from justesse.core.recording import remembered
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import HEADLINE
from justesse.measures import accuracy as accuracy_measure
from justesse.measures import error as error_measure
from justesse.verbs.evaluate.evaluation import TrainingFit
from justesse.verbs.evaluate.rows_to_evaluate import rows_to_evaluate


def training_fit(
    resubstitution: Any, data: Any, options: Mapping[str, Any], confidence: Confidence
) -> TrainingFit | None:
    """Score the training rows, if there are any, by accuracy, the error rate and the next headline figures."""
    if resubstitution is None:
        return None
    alike = {"by": (), "true": None, "policy": options["policy"]}
    if data is not None:
        alike = {**options, **alike, "classes": None}
    tally = remembered("training", rows_to_evaluate, resubstitution, alike).tally
    whole = [accuracy_measure, error_measure, *(item for item in HEADLINE[:3] if item != accuracy_measure)]
    return TrainingFit(tally.n, tuple(estimate(tally, whole, confidence)))
