"""What to do with missing labels, missing answers, and answers that are no class."""

from justesse.core.choices import Missing, MissingLabels, Others
from justesse.core.option_group import option_group


@option_group
class GapOptions:
    """Missing labels and predictions.

    Parameters
    ----------
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with --missing drop.
    """

    missing: Missing | None = None
    missing_labels: MissingLabels | None = None


@option_group
class MissingOptions(GapOptions):
    """Missing labels and answers.

    Parameters
    ----------
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    drop_missing
        Old name of --missing drop.
    """

    others: Others = "wrong"
    drop_missing: bool = False


@option_group
class AnswerOptions(MissingOptions):
    """Missing and stray answers, and labels that accept several classes.

    Parameters
    ----------
    any_of
        Separator of labels that accept several classes, such as "|": cat|dog accepts both. Default: every label is one
        class.
    """

    any_of: str | None = None
