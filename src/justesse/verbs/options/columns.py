"""Which columns are read, and which classes there are."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnOptions:
    """Columns of labels and answers.

    Parameters
    ----------
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predicted classes. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    true
        Column with the true classes, if they are known apart from the labels. Default: the column named true, truth or
        actual, if there is one.
    by
        Columns to slice by, such as hospital or hospital,sex. A name with a comma: '"a,b"'. Default: no slices.
    classes
        All classes in order, also those that do not occur, such as low,mid,high. A name with a comma: 'a,"b,c"'.
        Default: the classes of the labels.
    positive
        Class of interest, such as spam: shown first, and what scores and measures of one class are about. Default: none.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    """

    label: str | None = None
    prediction: str | None = None
    true: str | None = None
    by: list[str] | None = None
    classes: str | None = None
    positive: str | None = None
    as_text: bool = False


@dataclass(frozen=True)
class WeightedColumnOptions(ColumnOptions):
    """Columns of labels and answers, and row weights.

    Parameters
    ----------
    weight
        Column with row weights, numbers from 0 up. Default: every row counts once.
    """

    weight: str | None = None
