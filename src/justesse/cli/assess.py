"""`justesse assess DATA`."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.output import check_places, listed, patience, say


@Parameter(name="*", group=Group("Columns", sort_key=1))
@dataclass(frozen=True)
class AssessColumns:
    """Columns of the data.

    Parameters
    ----------
    label
        Column with the classes to learn. Default: guessed from label, y, y_true, target.
    group
        Column of groups, such as patients. Rows of one group are never in both training and test.
    time
        Column of times: numbers, or dates such as 2024-05-17 or 17.05.2024. Models are tested on later rows only.
    features
        Columns to learn from, separated by commas. Default: all, except identifiers and columns that look like
        predictions, probabilities or the label under another name.
    text
        Columns to treat as texts, word by word. Default: columns of long texts.
    """

    label: str | None = None
    group: str | None = None
    time: str | None = None
    features: list[str] | None = None
    text: list[str] | None = None


@Parameter(name="*", group=Group("Models", sort_key=2))
@dataclass(frozen=True)
class Models:
    """Models to train.

    Parameters
    ----------
    model
        tree, forest, logistic, neighbours, bayes, boosting, network, or the path of a scikit-learn estimator with its
        settings, such as "sklearn.svm.SVC(C=10)". Several: separated by commas. Default: tree, neighbours, logistic,
        bayes.
    models_file
        Python file with a dict models = {"name": model}. The file is run: name only files you trust.
    select
        Also evaluate the choice of the best model and its settings, by nested cross-validation.
    learning_curve
        Also estimate for each model whether more rows would help.
    """

    model: list[str] | None = None
    models_file: Path | None = None
    select: bool = False
    learning_curve: bool = False


@Parameter(name="*", group=Group("Procedure", sort_key=3))
@dataclass(frozen=True)
class Splits:
    """How rows are split into training and test.

    Parameters
    ----------
    procedure
        How rows are split. Default: stratified-kfold; grouped with --group, by-time with --time.
    k
        Number of folds. Default: 10, fewer if there are fewer groups or times.
    repeats
        Repetitions. Default: 1 for folds, 20 for repeated-holdout.
    test_share
        Share of rows that a holdout tests on, such as 0.2 or 20%. Default: 0.2.
    draws
        Draws of the bootstrap. Default: 200.
    """

    procedure: (
        Literal[
            "stratified-kfold",
            "kfold",
            "grouped",
            "by-time",
            "holdout",
            "repeated-holdout",
            "leave-one-out",
            "5x2",
            "bootstrap",
        ]
        | None
    ) = None
    k: Annotated[int | None, Parameter(name="--k")] = None
    repeats: int | None = None
    test_share: float | None = None
    draws: int | None = None


@Parameter(name="*", group=Group("Measures and intervals", sort_key=4))
@dataclass(frozen=True)
class Figures:
    """What is computed.

    Parameters
    ----------
    measure
        Measure that ranks and compares the models, such as balanced_accuracy, f1 or mcc. Measures of a class (f1,
        precision, recall) are macro averages. Default: accuracy.
    level
        Confidence level. Default: 0.95.
    seed
        Seed of splits and models. Default: 0.
    """

    measure: str = "accuracy"
    level: float = 0.95
    seed: int = 0


@Parameter(name="*", group=Group("Long runs", sort_key=5))
@dataclass(frozen=True)
class Resources:
    """How the work is done.

    Parameters
    ----------
    jobs
        Models to train in parallel; -1 for one per core. Default: 1.
    checkpoint
        Folder that keeps finished work: the same command continues a stopped run. After a change of data, options,
        models, model code or package versions the work is done again.
    """

    jobs: int | None = None
    checkpoint: Path | None = None


@Parameter(name="*", group=Group("Predictions", sort_key=6))
@dataclass(frozen=True)
class Predictions:
    """Answers on rows not used for training.

    Parameters
    ----------
    predictions
        Also write the predictions on rows not used for training, .csv or .parquet: for evaluate, compare, tournament.
    probabilities
        Add the probability of each class to the predictions, for evaluate --proba "MODEL: ".
    every_repetition
        Write the predictions of all repetitions, not only the first. Their rows are not independent.
    """

    predictions: Path | None = None
    probabilities: bool = False
    every_repetition: bool = False


def assess(
    file: str,
    *,
    columns: AssessColumns = AssessColumns(),
    models: Models = Models(),
    splits: Splits = Splits(),
    figures: Figures = Figures(),
    resources: Resources = Resources(),
    predictions: Predictions = Predictions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Train and test models: how good are they on new rows, and which is better?

    Every figure is for rows the model was not trained on, with the interval that fits the procedure. Missing values,
    scaling, categories and texts are handled within each training set.

    Examples:

      justesse assess data.csv --label species
      justesse assess data.csv --model tree,logistic --k 10 --repeats 5
      justesse assess visits.csv --group patient --model sklearn.svm.SVC
      justesse assess sales.csv --time date --measure f1
      justesse assess data.csv --models-file models.py --select --report page.html
      justesse assess data.csv --learning-curve --jobs 4 --checkpoint kept

    Parameters
    ----------
    file
        Table with a column of classes and columns to learn from.
    columns
        Columns of the data.
    models
        Models to train.
    splits
        How rows are split into training and test.
    """
    from justesse.procedures.learners import USUAL
    from justesse.procedures.named_models import models_in, named_models
    from justesse.verbs.assess.assess import assess as run

    delivery.check(file, models.models_file)
    check_places(
        [file, models.models_file],
        output=delivery.output,
        report=delivery.report,
        charts=delivery.charts,
        predictions=predictions.predictions,
    )
    estimators: dict[str, Any] = named_models(parted(models.model) or ([] if models.models_file else USUAL))
    if models.models_file:
        if models.models_file.is_file():
            say(f"Running the Python file {str(models.models_file)!r} (--models-file).", to_errors=True)
        estimators |= models_in(models.models_file)
    shares: list[float] = []
    # what a model prints is not part of the result
    with patience("Training models", lambda: shares[-1] if shares else None), redirect_stdout(sys.stderr):
        result = run(
            file,
            model=estimators,
            select=models.select,
            learning_curve=models.learning_curve,
            probabilities=predictions.probabilities,
            progress=lambda done, total: shares.append(done / total),
            **asdict(columns) | {"features": listed(columns.features) or None, "text": listed(columns.text)},
            **asdict(splits),
            **asdict(figures),
            **asdict(resources),
        )
    if predictions.predictions:
        result.save_predictions(predictions.predictions, every_repetition=predictions.every_repetition)
    delivery.deliver(result)
    if predictions.predictions and not delivery.json and delivery.format == "terminal":
        say(f"Written: {predictions.predictions}")


def parted(words: Sequence[str] | None) -> list[str]:
    """Split a list of models at commas, except those inside brackets or quotes.

    >>> parted(["tree,neighbours(n_neighbors=1, p=1)", "bayes"])
    ['tree', 'neighbours(n_neighbors=1, p=1)', 'bayes']
    >>> parted(["a.B(c=tree(max_depth=1), d=')'),tree"])
    ["a.B(c=tree(max_depth=1), d=')')", 'tree']
    """
    return [model.strip() for word in words or () for model in _cut_at_commas(word)]


def _cut_at_commas(word: str) -> list[str]:
    pieces, depth, quote = [""], 0, ""
    for letter in word:
        if quote or letter in "'\"":
            quote = letter if not quote else "" if letter == quote else quote
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth <= 0:
            pieces.append("")
            continue
        pieces[-1] += letter
    return pieces
