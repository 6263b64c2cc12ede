"""`justesse assess DATA`."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.groups import INPUT, INTERVALS, MEASURES, MODELS, PREDICTIONS, SPLITS, TRAINING
from justesse.cli.output import listed, patience, say, say_written
from justesse.report.writing import message
from justesse.verbs.assess.options import (
    LearningColumnOptions,
    LongRunOptions,
    ModelFileOptions,
    RankingMeasureOptions,
    SavedPredictionOptions,
    SplitOptions,
)
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions

ONLY_HERE = ("models_file", "predictions", "every_repetition")  # options that the function has no keyword for


def assess(
    file: str,
    /,
    *,
    columns: Annotated[LearningColumnOptions, INPUT] = LearningColumnOptions(),
    models: Annotated[ModelFileOptions, MODELS] = ModelFileOptions(),
    splits: Annotated[SplitOptions, SPLITS] = SplitOptions(),
    ranking: Annotated[RankingMeasureOptions, MEASURES] = RankingMeasureOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    seed: Annotated[SeedOptions, INTERVALS] = SeedOptions(),
    running: Annotated[LongRunOptions, TRAINING] = LongRunOptions(),
    predictions: Annotated[SavedPredictionOptions, PREDICTIONS] = SavedPredictionOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Train models, test them on rows they have not seen, and compare them.

    Every figure is for rows the model was not trained on, with an interval that fits the procedure. Missing values,
    scaling, categories and texts are handled within each training set.

    For example:

      justesse assess data.csv --label species

      justesse assess data.csv --model tree,logistic --k 10 --repeats 5

      justesse assess visits.csv --group patient --model sklearn.svm.SVC

      justesse assess sales.csv --time date --measure f1

      justesse assess data.csv --models-file models.py --select --report page.html

      justesse assess data.csv --learning-curve --jobs 4 --checkpoint kept

    Parameters
    ----------
    file
        File with a column of classes and columns to learn from.
    """
    from justesse.procedures.learners import USUAL
    from justesse.procedures.named_models import models_in, named_models
    from justesse.verbs.assess.assess import assess as run

    delivery.check(file, models.models_file, predictions=predictions.predictions)
    estimators: dict[str, Any] = named_models(parted(models.model) or ([] if models.models_file else USUAL))
    if models.models_file:
        if models.models_file.is_file():
            words = message("Running the Python file {file:name} (--models-file).", file=str(models.models_file))
            say(words, to_errors=True)
        estimators |= models_in(models.models_file)
    groups = (columns, models, splits, ranking, intervals, seed, running, predictions)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    for name in ONLY_HERE:
        del options[name]
    options |= {"model": estimators, "features": listed(columns.features) or None, "text": listed(columns.text) or None}
    shares: list[float] = []
    # what a model prints is not part of the result
    with patience("Training models", lambda: shares[-1] if shares else None), redirect_stdout(sys.stderr):
        result = run(file, progress=lambda done, total: shares.append(done / total), **options)
    if predictions.predictions:
        result.save_predictions(predictions.predictions, every_repetition=predictions.every_repetition)
    delivery.deliver(result)
    if predictions.predictions and delivery.to_terminal:
        say_written(predictions.predictions)


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
