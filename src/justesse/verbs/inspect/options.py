"""The options of `inspect` that no other verb has."""

from dataclasses import dataclass
from pathlib import Path

from justesse.verbs.options.columns import LabelOptions


@dataclass(frozen=True)
class OtherRowOptions:
    """What the test rows are compared with.

    Parameters
    ----------
    train
        File with the rows the classifier was trained on. Default: checks against training rows are skipped.
    population
        File with rows as they occur in use, or a table with the columns column, value and share. Default: checks
        against the population are skipped.
    datasheet
        Data sheet of the test set, .yaml. It is created if it does not exist, and checked if it does.
    """

    train: str | None = None
    population: str | None = None
    datasheet: Path | None = None


@dataclass(frozen=True)
class RoleOptions(LabelOptions):
    """The role of each column.

    Parameters
    ----------
    id
        Column that identifies a case. No id may be in both training and test.
    text
        Column with a text. Only this column is compared, also for near duplicates.
    annotator
        Column with the annotator of each row.
    group
        Column with what rows have in common, such as patient. No group may be in both training and test.
    time
        Column with the time of each row. Test rows should be later than training rows.
    by
        Columns whose values should be as frequent as in the population, such as hospital,sex.
    features
        Columns that make up a case, such as length,width. Default: all columns without another role.
    """

    id: str | None = None
    text: str | None = None
    annotator: str | None = None
    group: str | None = None
    time: str | None = None
    by: list[str] | None = None
    features: list[str] | None = None


@dataclass(frozen=True)
class RequirementOptions:
    """What the test set must achieve.

    Parameters
    ----------
    half_width
        Required half-width of the confidence interval of the accuracy, such as 0.02 for ±2 points. Default: 0.05.
    class_half_width
        Required half-width of the confidence interval of the smallest class's recall. Default: 0.1.
    expected
        Accuracy that you expect, such as 0.9. Default: 0.5, the worst case.
    difference
        Difference in accuracy between two classifiers that must be detected, such as 0.02. Default: 0.05.
    disagreement
        Share of rows on which exactly one of the two is right, such as 0.2. Default: 0.1.
    power
        Probability of detecting that difference, such as 0.9. Default: 0.8.
    near
        Share of 5-character pieces that two near duplicates have in common, from 0.5 to 1. Default: 0.7.
    digits
        Number of significant digits in which equal numbers agree, from 1 to 17. Default: 6.
    effect
        Smallest difference in shares that matters, as Cohen's w: 0.1 is small, 0.3 medium. Default: 0.1.
    """

    half_width: float = 0.05
    class_half_width: float = 0.1
    expected: float = 0.5
    difference: float = 0.05
    disagreement: float = 0.1
    power: float = 0.8
    near: float = 0.7
    digits: int = 6
    effect: float = 0.1
