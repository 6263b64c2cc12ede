"""Options of `evaluate_unlabelled`."""

from dataclasses import dataclass

from justesse.core.choices import Missing


@dataclass(frozen=True)
class UnlabelledColumnOptions:
    """How the answers of the classifiers are found.

    Parameters
    ----------
    models
        Columns of the classifiers, such as a,b,c, if all answers are in one file. Default: every other column.
    on
        Column with an id that all files share. Default: the column named id, item, task or question.
    common
        Use only the ids that all files have, instead of refusing files that differ.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    label
        Column with labels for some of the rows, to check the error rates with. Default: no labels are read; with
        --reference, the column of its labels, if the file has it, too.
    classes
        All classes, also those that do not occur, such as low,high. Default: those of the answers.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    missing
        Rows without an answer: refuse the data, or drop the row. Default: refuse.
    """

    models: list[str] | None = None
    on: str | None = None
    common: bool = False
    prediction: str | None = None
    label: str | None = None
    classes: str | None = None
    as_text: bool = False
    missing: Missing | None = None


@dataclass(frozen=True)
class ReferenceRowOptions:
    """One classifier, judged by its confidence.

    Parameters
    ----------
    reference
        File of rows with labels, predicted by the same classifier. Default: error rates come from the agreement of
        several classifiers.
    proba
        With --reference: start of the names of the columns with probabilities, one for each class, such as p_ for p_cat
        and p_dog.
    confidence
        With --reference: column with the probability of the predicted class, if there are no probabilities of all
        classes.
    """

    reference: str | None = None
    proba: str | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class AgreementModelOptions:
    """What is assumed of the mistakes.

    Parameters
    ----------
    dependence
        For the bounds: share of rows that two classifiers may get wrong together beyond chance, such as 2%. Default:
        0.04.
    coincidence
        How often two wrong answers are the same, such as 0.3. Default: 1 / (number of classes - 1).
    """

    dependence: float = 0.04
    coincidence: float | None = None


@dataclass(frozen=True)
class ErrorIntervalOptions:
    """Intervals of error rates.

    Parameters
    ----------
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    """

    level: float = 0.95
    draws: int = 2000
    seed: int = 0
