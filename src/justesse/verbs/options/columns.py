"""Which columns are read, and which classes there are."""

from justesse.core.option_group import option_group


@option_group
class LabelOptions:
    """The column of labels.

    Parameters
    ----------
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    """

    label: str | None = None


@option_group
class PredictionOptions(LabelOptions):
    """The columns of labels and predictions.

    Parameters
    ----------
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    """

    prediction: str | None = None


@option_group
class SliceOptions:
    """Columns to slice by.

    Parameters
    ----------
    by
        Columns to slice by, such as hospital or hospital,sex. A name with a comma: '"a,b"'. Default: no slices.
    """

    by: list[str] | None = None


@option_group
class ClassOptions:
    """The list of classes.

    Parameters
    ----------
    classes
        All classes in order, also those that do not occur, such as low,mid,high. A name with a comma: 'a,"b,c"'.
        Default: the classes of the labels.
    """

    classes: str | None = None


@option_group
class ClassReadingOptions(ClassOptions):
    """The list of classes, and how their names are read.

    Parameters
    ----------
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    """

    as_text: bool = False


@option_group
class ColumnOptions(ClassReadingOptions, SliceOptions, PredictionOptions):
    """Columns of labels and answers.

    Parameters
    ----------
    true
        Column with the true classes, if they are known as well as the labels. Default: the column named true, truth or
        actual, if there is one.
    positive
        Class of interest, such as spam: shown first, and used for scores and measures of one class. Default: none.
    """

    true: str | None = None
    positive: str | None = None


@option_group
class ClusteredColumnOptions(ColumnOptions):
    """Columns of labels and answers, and clusters of rows.

    Parameters
    ----------
    cluster
        Column that says which rows belong together, such as patient: rows of one cluster may be alike. Default: all
        rows are independent.
    """

    cluster: str | None = None


@option_group
class WeightedColumnOptions(ClusteredColumnOptions):
    """Columns of labels and answers, row weights, and clusters of rows.

    Parameters
    ----------
    weight
        Column with row weights, numbers from 0 up. Default: every row counts once.
    """

    weight: str | None = None
