"""The options of `assess` that no other verb has."""

from dataclasses import dataclass
from pathlib import Path

from justesse.core.choices import Procedure
from justesse.verbs.options.jobs import JobOptions


@dataclass(frozen=True)
class LearningColumnOptions:
    """Columns to learn from, and what to learn.

    Parameters
    ----------
    label
        Column with the classes to learn. Default: the column named label, y, y_true or target.
    group
        Column of groups, such as patient. Rows of one group are never in both training and test. Default: no groups.
    time
        Column of times: numbers, or dates such as 2024-05-17 or 17.05.2024. Models are tested on later rows only.
        Default: no order.
    features
        Columns to learn from, such as length,width. Default: all, except identifiers and columns that look like
        predictions, probabilities or the label under another name.
    text
        Columns to treat as texts (tf-idf of their words), such as subject,body. Default: columns of long texts.
    """

    label: str | None = None
    group: str | None = None
    time: str | None = None
    features: list[str] | None = None
    text: list[str] | None = None


@dataclass(frozen=True)
class ModelOptions:
    """Models to train.

    Parameters
    ----------
    model
        Models: tree, forest, logistic, neighbours, bayes, boosting or network, or a scikit-learn estimator with its
        settings, such as "sklearn.svm.SVC(C=10)". Several as tree,bayes. Default: tree,neighbours,logistic,bayes.
    select
        Also evaluate the choice of the best model and its settings, by nested cross-validation.
    learning_curve
        Also estimate for each model whether more rows would help.
    """

    model: list[str] | None = None
    select: bool = False
    learning_curve: bool = False


@dataclass(frozen=True)
class ModelFileOptions(ModelOptions):
    """Models to train, also from a file.

    Parameters
    ----------
    models_file
        Python file with a dict models = {"name": model}. The file is run: name only files you trust.
    """

    models_file: Path | None = None


@dataclass(frozen=True)
class SplitOptions:
    """How rows are split into training and test.

    Parameters
    ----------
    procedure
        How rows are split. Default: stratified-kfold; grouped with --group, by-time with --time.
    k
        Number of folds, such as 5. Default: 10, fewer if there are fewer groups or times.
    repeats
        Number of repetitions with other splits, such as 5. Default: 1 for folds, 20 for repeated-holdout.
    test_share
        Share of rows that a holdout tests on, such as 0.3. Default: 0.2.
    draws
        Number of resamples of the procedure bootstrap. Default: 200.
    """

    procedure: Procedure | None = None
    k: int | None = None
    repeats: int | None = None
    test_share: float | None = None
    draws: int | None = None


@dataclass(frozen=True)
class RankingMeasureOptions:
    """The measure that ranks models.

    Parameters
    ----------
    measure
        Measure that ranks and compares the models, such as balanced_accuracy, f1 or mcc. Measures of a class (f1,
        precision, recall) are macro averages. Default: accuracy.
    """

    measure: str = "accuracy"


@dataclass(frozen=True)
class LongRunOptions(JobOptions):
    """How long runs are done.

    Parameters
    ----------
    checkpoint
        Directory for finished work, so that a run that was stopped continues. After a change of data, options, models,
        model code or package versions, the work is done again.
    """

    checkpoint: Path | None = None


@dataclass(frozen=True)
class ProbabilityOptions:
    """Probabilities of the predictions.

    Parameters
    ----------
    probabilities
        Add the probability of each class to the predictions, for evaluate --proba "MODEL: ".
    """

    probabilities: bool = False


@dataclass(frozen=True)
class PredictionFileOptions:
    """Where the predictions on rows not used for training go.

    Parameters
    ----------
    predictions
        Write the predictions on rows not used for training, too, .csv or .parquet. evaluate, compare and tournament
        read them.
    every_repetition
        Write the predictions of all repetitions, not only the first. Their rows are not independent.
    """

    predictions: Path | None = None
    every_repetition: bool = False


@dataclass(frozen=True)
class SavedPredictionOptions(ProbabilityOptions, PredictionFileOptions):
    """What is kept of the predictions on rows not used for training."""
