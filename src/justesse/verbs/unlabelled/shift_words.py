"""The ways to estimate accuracy without labels from a labelled reference, and what they assume, in words."""

from typing import Literal, cast

from justesse.intervals.confidence_accuracy import TITLES, ConfidenceMethod

ShiftMethod = Literal[ConfidenceMethod, "calibrated_classes", "prediction_powered", "labelled_rows"]
OTHER_TITLES: dict[str, str] = {
    "calibrated_classes": "calibrated classes (CBPE)",
    "prediction_powered": "prediction-powered",
    "labelled_rows": "labelled rows alone",
}
ASSUMPTION = "predictions of the same confidence are right as often in the target as in the reference"
ASSUMPTIONS = (
    ASSUMPTION,
    "the labels of the reference are right, and its rows were not used for training or for choosing the model",
    "rows of the reference and of the target are independent draws",
)
LABELLED_ASSUMPTIONS = ("the labels of the target are right", "rows of the target are independent draws")


def title_of(method: ShiftMethod) -> str:
    """Name a method in words.

    >>> title_of("average_confidence"), title_of("prediction_powered")
    ('average confidence', 'prediction-powered')
    """
    return OTHER_TITLES.get(method) or TITLES[cast("ConfidenceMethod", method)]
