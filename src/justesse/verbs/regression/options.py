"""The options of numeric predictions."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.choices import MissingLabels
from justesse.core.errors import OptionError
from justesse.measures.regression import ALL
from justesse.verbs.options.columns import PredictionOptions, SliceOptions
from justesse.verbs.options.pairs import GainOptions

MEASURES = tuple(measure.name for measure in ALL)
if TYPE_CHECKING:
    MeasureName = str
else:
    MeasureName = Literal[MEASURES]


@dataclass(frozen=True)
class NumericColumnOptions(SliceOptions, PredictionOptions):
    """Columns of labels, predictions and slices."""


@dataclass(frozen=True)
class NumericDecisionOptions(GainOptions):
    """What is compared.

    Parameters
    ----------
    margin
        Smallest gain that matters, in the measure's unit, such as 0.1. Default: 0.
    measure
        Measure that decides. Default: mae.
    """

    measure: MeasureName = "mae"


@dataclass(frozen=True)
class MissingNumberOptions:
    """Rows without a number.

    Parameters
    ----------
    missing
        Rows without a number: refuse the data, or drop the row. Default: refuse.
    drop_missing
        Old name of --missing drop.
    """

    missing: MissingLabels | None = None
    drop_missing: bool = False


def drops_rows(missing: MissingLabels | None, drop_missing: bool) -> bool:
    """Tell whether rows without a number are left out.

    >>> drops_rows("drop", False), drops_rows(None, False)
    (True, False)
    """
    if missing not in (None, *get_args(MissingLabels)):
        raise OptionError(f"missing must be one of {', '.join(get_args(MissingLabels))}; got {missing!r}.")
    return AnswerPolicy.of(missing, drop_missing=drop_missing).missing == "drop"
