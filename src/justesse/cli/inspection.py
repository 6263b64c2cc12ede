"""`justesse inspect`: can this test set be trusted?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.output import listed, patience

Names = Annotated[list[str] | None, Parameter(negative="")]


@Parameter(name="*", group="Columns")
@dataclass(frozen=True, kw_only=True)
class InspectedColumns:
    """The role of each column.

    Parameters
    ----------
    label
        Column with the labels. Default: guessed from label, y, y_true, target.
    id
        Column that identifies a case; no id may be in both sets.
    text
        Column with a text. It alone is compared, and near duplicates are searched for.
    annotator
        Column that names the annotator of a row.
    group
        Column that names what rows have in common, such as the patient.
    time
        Column with the time of a row.
    by
        Columns whose values should be as frequent as in the population, separated by commas.
    features
        Columns that make up a case. Default: all columns without another role.
    """

    label: str | None = None
    id: str | None = None
    text: str | None = None
    annotator: str | None = None
    group: str | None = None
    time: str | None = None
    by: Names = None
    features: Names = None


@Parameter(name="*", group="Requirements")
@dataclass(frozen=True, kw_only=True)
class InspectOptions:
    """What the test set must achieve.

    Parameters
    ----------
    half_width
        Required half-width of the confidence interval of the accuracy: 0.05 is ±5 points.
    class_half_width
        Required half-width of the confidence interval of the smallest class's recall.
    expected
        Expected accuracy; 0.5 is the worst case.
    difference
        Accuracy difference between two classifiers that must be detected.
    disagreement
        Share of rows on which exactly one of the two is right.
    power
        Probability of detecting that difference.
    near
        Share of 5-character pieces two texts have in common to be near duplicates, 0.5 to 1.
    digits
        Significant digits in which two numbers must agree to be equal.
    effect
        Cohen's w from which a difference in shares matters: 0.1 is small, 0.3 medium.
    level
        Confidence level.
    seed
        Seed of samples, splits and draws.
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
    level: float = 0.95
    seed: int = 0


def inspect(
    test: str | None = None,
    *,
    train: str | None = None,
    population: str | None = None,
    datasheet: Path | None = None,
    columns: InspectedColumns = InspectedColumns(),
    options: InspectOptions = InspectOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Check that a test set is disjoint from training, large enough, representative and documented.

    Every check has a code, a finding and a remedy. The exit code is 1 if a check fails.

    Examples:

      justesse inspect test.csv

      justesse inspect test.csv --train train.csv --text message

      justesse inspect test.csv --train train.csv --group patient --time date

      justesse inspect test.csv --population use.csv --by hospital,sex

      justesse inspect --datasheet test.yaml

    Parameters
    ----------
    test
        File with the test rows, or a pattern in quotes.
    train
        File with the rows the classifier was trained on.
    population
        File with rows as they occur in use, or a table with the columns column, value and share.
    datasheet
        Data sheet of the test set, .yaml. Created if it does not exist, checked if it does.
    """
    from justesse.verbs.inspect.inspection import inspect as run

    delivery.check(test, train, population, datasheet)
    done: list[float] = []
    lists = {"by": listed(columns.by), "features": listed(columns.features)}
    with patience("Inspecting", lambda: done[-1] if done else None):
        inspection = run(
            test,
            train=train,
            population=population,
            datasheet=datasheet,
            **{**vars(columns), **lists},
            **vars(options),
            progress=done.append,
        )
    delivery.deliver(inspection)
    return 0 if inspection.passed else 1
