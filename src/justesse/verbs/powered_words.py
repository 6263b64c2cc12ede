"""What re-checked rows gain from the labels of all other rows, in words."""

import math

from justesse.core.results import Estimate
from justesse.intervals.prediction_powered import PredictionPowered
from justesse.report.writing import Message, message

WORTHWHILE = 1.05  # below, the labels narrow the interval too little to speak of a gain


def worth_words(powered: PredictionPowered, known: str = "labels") -> Message | None:
    """Say how many re-checked rows alone would be as precise; nothing for a one-sided bound or if all are re-checked.

    `known` is what is known of the other rows.

    >>> from justesse.intervals.prediction_powered import Stratum, prediction_powered
    >>> rows = Stratum([1, 0], [8600, 1400], [1, 0, 0, 1], [1, 1, 0, 0], [169, 3, 19, 9])
    >>> print(worth_words(prediction_powered([rows])))
    As precise as 353 re-checked rows without the labels of the others.
    """
    worth = powered.worth
    if not math.isfinite(worth) or powered.n == powered.rows:
        return None
    if not powered.at_random:
        return message("As precise as {worth:count} rows drawn at random.", worth=int(worth))
    if worth < WORTHWHILE * powered.n:
        return message(
            "The {known} of the other rows add nothing: the re-checked rows alone are as precise.", known=known
        )
    return message(
        "As precise as {worth:count} re-checked rows without the {known} of the others.", worth=int(worth), known=known
    )


def label_bias_words(powered: PredictionPowered) -> Message:
    """Say how far the labels are off on these rows, with an interval.

    >>> from justesse.intervals.prediction_powered import Stratum, prediction_powered
    >>> rows = Stratum([1, 0], [8600, 1400], [1, 0, 0, 1], [1, 1, 0, 0], [169, 3, 19, 9])
    >>> print(label_bias_words(prediction_powered([rows])))
    Measured against the labels minus true, on these rows: -3.0 points (95 % CI -7.0 to +0.7).
    """
    return message("Measured against the labels minus true, on these rows: {bias}.", bias=bias_words(powered))


def bias_words(powered: PredictionPowered) -> Message:
    """Write by how much proxies are off on these rows; it is known exactly if all rows were checked.

    >>> from justesse.intervals.prediction_powered import Stratum, prediction_powered
    >>> for labelled in ([60, 10, 10, 20], [30, 5, 5, 10]):
    ...     print(bias_words(prediction_powered([Stratum([1, 0], [70, 30], [1, 0, 1, 0], [1, 1, 0, 0], labelled)])))
    +0.0 points, exactly: the true class of every row is known
    +0.0 points (95 % CI -9.7 to +9.7)
    """
    bias = Estimate("bias", powered.bias, powered.n, powered.bias_interval)
    if powered.n == powered.rows:
        return message("{bias:points}, exactly: the true class of every row is known", bias=bias)
    return message("{bias:points} ({bias:level_name} {bias:points_interval})", bias=bias)


def always_valid_words(powered: PredictionPowered, *, difference: bool = False) -> Message | None:
    """Say what holds whenever labelling stops, if the order of the draws is known: of an accuracy or a difference."""
    if powered.always_valid is None:
        return None
    if difference:
        return message(
            "If you may stop labelling at any time: difference of accuracy on these rows {points:points_interval} points "
            "({points:level_name}, always valid).",
            points=Estimate("accuracy difference", powered.value, powered.n, powered.always_valid),
        )
    accuracy = Estimate("accuracy", powered.value, powered.n, powered.always_valid, is_share=True)
    return message(
        "If you may stop labelling at any time: accuracy of these rows {accuracy:share_interval} "
        "({accuracy:level_name}, always valid).",
        accuracy=accuracy,
    )
