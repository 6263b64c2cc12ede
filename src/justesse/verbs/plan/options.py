"""The options of plans: how many rows are enough."""

from dataclasses import dataclass
from pathlib import Path

from justesse.core.choices import Alternative, PlainMethod


@dataclass(frozen=True)
class PrecisionPlanOptions:
    """Rows needed to know a share to ± a half-width.

    Parameters
    ----------
    half_width
        Precision you need, such as 0.01 for ±1 point.
    expected
        Accuracy, or other share, that you expect, such as 0.9. Default: 0.5, the worst case.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    method
        Interval that will be used. Default: wilson.
    assurance
        Probability that the interval is at least that narrow, such as 0.9. Default: it is if the share is as expected.
    """

    half_width: float
    expected: float = 0.5
    level: float = 0.95
    method: PlainMethod = "wilson"
    assurance: float | None = None


@dataclass(frozen=True)
class ClusterPlanOptions:
    """Rows that come in clusters, such as several samples of one question.

    Parameters
    ----------
    correlation
        Intraclass correlation of rows of one cluster, such as 0.3; evaluate --cluster and compare --cluster estimate it.
        Default: rows are independent.
    cluster_size
        Rows of each cluster, such as 4 samples per question. Default: the cheapest size if prices are given, otherwise
        that of the first design of --clusters, or 1.
    clusters
        Designs to compare, as clusters x rows of each: 500x4,2000x1. Default: none.
    cluster_price
        Price of a further cluster without its rows, such as 2 for writing a question.
    row_price
        Price of a further row, such as 0.05 for one more sample.
    """

    correlation: float | None = None
    cluster_size: int | None = None
    clusters: list[str] | None = None
    cluster_price: float | None = None
    row_price: float | None = None


@dataclass(frozen=True)
class DifferencePlanOptions:
    """Rows needed to detect a difference in accuracy.

    Parameters
    ----------
    difference
        Difference in accuracy to detect, such as 0.02 for 2 points.
    disagreement
        Share of rows on which exactly one of the two is right, such as 0.08.
    power
        Probability of detecting the difference, such as 0.9. Default: 0.8.
    level
        Confidence level of the test, such as 0.9. Default: 0.95.
    alternative
        Side of the test: greater or less for a one-sided test. Default: two-sided.
    """

    difference: float
    disagreement: float
    power: float = 0.8
    level: float = 0.95
    alternative: Alternative = "two-sided"


@dataclass(frozen=True)
class ErrorPlanOptions:
    """Rows needed to know the mean error of numeric predictions.

    Parameters
    ----------
    half_width
        Half-width of the confidence interval, in the unit of the labels, such as 0.1.
    sd
        Standard deviation of the errors of single rows, from a pilot, such as 1.3.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    """

    half_width: float
    sd: float
    level: float = 0.95


@dataclass(frozen=True)
class ErrorDifferencePlanOptions:
    """Rows needed to detect a difference in mean error.

    Parameters
    ----------
    difference
        Difference in mean error to detect, in the unit of the labels, such as 0.1.
    sd
        Standard deviation of the paired differences between row errors, from a pilot, such as 0.8.
    power
        Probability of detecting the difference, such as 0.9. Default: 0.8.
    level
        Confidence level of the test, such as 0.9. Default: 0.95.
    alternative
        Side of the test: greater or less for a one-sided test. Default: two-sided.
    """

    difference: float
    sd: float
    power: float = 0.8
    level: float = 0.95
    alternative: Alternative = "two-sided"


@dataclass(frozen=True)
class NoisePlanOptions:
    """Labels to re-check to know which share of them is wrong.

    Parameters
    ----------
    half_width
        Precision you need, such as 0.01 for ±1 point.
    noise_rate
        Share of wrong labels that you expect, such as 0.02. Default: 0.05.
    population
        Number of labels in all, such as 10000: fewer need re-checking if there are few. Default: unlimited.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    method
        Interval that will be used. Default: wilson.
    """

    half_width: float
    noise_rate: float = 0.05
    population: int | None = None
    level: float = 0.95
    method: PlainMethod = "wilson"


@dataclass(frozen=True)
class ActiveLabelOptions:
    """Which rows to label.

    Parameters
    ----------
    active
        List rows to label, with known probabilities, more of those where a label tells most. Needs a file.
    budget
        Number of rows to label, at least 20. Default: 200.
    on
        Column with the id of each row. Default: the column named id.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    label
        Column with pseudo-labels, such as those of a language model. Default: none.
    proba
        Prefix of the columns of probabilities, one per class: p_ for p_cat and p_dog. Default: none.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    """

    active: bool = False
    budget: int = 200
    on: str | None = None
    prediction: str | None = None
    label: str | None = None
    proba: str | None = None
    seed: int = 0


@dataclass(frozen=True)
class LabelListOptions:
    """Where the rows to label go.

    Parameters
    ----------
    to
        CSV or Parquet file for the rows to label, with --active.
    """

    to: Path | None = None


@dataclass(frozen=True)
class LabelPlanOptions:
    """A few expert labels, or many cheap ones.

    Parameters
    ----------
    half_width
        Precision you need for the accuracy, such as 0.02 for ±2 points. Required without --active.
    noise_rate
        Share of cheap labels that are wrong, such as 0.05. Required without --active.
    expected
        Accuracy that you expect, such as 0.8. Default: 0.9.
    classes
        Number of classes, such as 10. Default: 2.
    expert_price
        Price of one expert label, in any currency, such as 5. Default: 1.
    cheap_price
        Price of one cheap label, in the same currency, such as 0.1. Default: 1.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    """

    half_width: float | None = None
    noise_rate: float | None = None
    expected: float = 0.9
    classes: int = 2
    expert_price: float = 1.0
    cheap_price: float = 1.0
    level: float = 0.95
