"""`justesse assess DATA`."""

import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from justesse.cli.output import check_places, listed, patience, print_json, say
from justesse.cli.share import MaybeShare, Share

Flag = Parameter(negative="")
Several = Annotated[list[str] | None, Parameter(negative="")]


def assess(
    file: str,
    *,
    label: str | None = None,
    model: Several = None,
    models_file: Path | None = None,
    procedure: Literal[
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
    | None = None,
    k: Annotated[int | None, Parameter(name="--k")] = None,
    repeats: int | None = None,
    test_share: MaybeShare = None,
    draws: int | None = None,
    group: str | None = None,
    time: str | None = None,
    features: Several = None,
    text: Several = None,
    measure: Literal["accuracy", "balanced_accuracy", "f1", "precision", "recall", "mcc", "kappa"] = "accuracy",
    select: Annotated[bool, Flag] = False,
    learning_curve: Annotated[bool, Flag] = False,
    level: Share = 0.95,
    seed: int = 0,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    json: Annotated[bool, Flag] = False,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    predictions: Path | None = None,
    probabilities: Annotated[bool, Flag] = False,
    every_repetition: Annotated[bool, Flag] = False,
    report: Path | None = None,
    charts: Path | None = None,
) -> None:
    """How right would models be on new rows, and which is better? Train on a part, test on the rest, again and again.

    Models learn from numbers (gaps filled, scaled), names (zeros and ones) and texts (tf-idf), prepared inside each
    training set. Every figure is of rows the model was not trained on, with the interval its procedure calls for.

    Examples:

      justesse assess data.csv --label species --model tree --model forest

      justesse assess data.csv --label species --model tree,logistic \\
          --procedure stratified-kfold --k 10 --repeats 5

      justesse assess visits.csv --label outcome --group patient \\
          --model "neighbours(n_neighbors=1),sklearn.svm.SVC"

      justesse assess data.csv --label species --models-file models.py --select \\
          --learning-curve --report page.html

      justesse assess data.csv --label species --predictions out.parquet \\
          --checkpoint kept --jobs 4

    Parameters
    ----------
    file
        A file with a column of classes and columns to learn from.
    label
        Column with the classes to learn; guessed from: label, y, y_true, target.
    model
        tree, forest, logistic, neighbours, bayes, boosting, network, or the path of a scikit-learn estimator, as
        sklearn.svm.SVC(C=10); several separated by commas. Settings are plain values or other estimators, as
        sklearn.ensemble.BaggingClassifier(estimator=tree()). Default: tree, neighbours, logistic and bayes.
    models_file
        Python file with a dict models = {"name": model}. The file is run and can do anything that you can: name only
        files you trust.
    procedure
        By itself stratified-kfold; grouped with --group, by-time with --time.
    k
        Number of folds. Default: 10, fewer if there are fewer groups or times.
    repeats
        How often to repeat folds (1) or repeated-holdout (20).
    test_share
        The share of rows that holdouts test on; 0.2.
    draws
        How many draws the bootstrap makes; 200.
    group
        Column that says which rows belong together, as those of a patient: they are never on both sides.
    time
        Column with times, numbers or dates as 2024-05-17: models are tested on later rows only. Rows of one time stay
        together, so k folds need k + 1 different times or more.
    features
        Columns to learn from, separated by commas. Default: all but identifiers and columns that look like predictions,
        probabilities or the label under another name.
    text
        Columns to take as texts, word by word; by itself those of long texts.
    measure
        What models are compared and ranked by; f1, precision and recall are means over the classes.
    select
        Also evaluate the choice of the best model and settings, nested, beside what the choice says of itself.
    learning_curve
        Also say whether more rows would help, for each model.
    level
        Confidence level.
    seed
        Seed of splits and models.
    jobs
        How many models to train side by side.
    checkpoint
        Folder that keeps what is done: a run that was stopped goes on from there. Other data, options, models, model
        code or versions of the packages count as other work, which is done anew.
    json
        Print JSON instead of tables.
    output
        Also write the measures as a table, .csv or .parquet.
    predictions
        Also write the answers on rows not trained on, .csv or .parquet, for evaluate, compare and tournament.
    probabilities
        Put the probabilities of the classes beside the predictions, for evaluate --proba "MODEL: ".
    every_repetition
        Write predictions of all repetitions, not of the first alone; their rows are then not independent.
    report
        Also write a page to read, one .html file that opens offline.
    charts
        Also write every chart to this directory, as SVG and PNG.
    """
    from justesse.cli.assess_view import show_assessment
    from justesse.procedures.learners import USUAL
    from justesse.procedures.named_models import models_in, named_models
    from justesse.verbs.assess.assess import assess as run

    check_places([file, models_file], output=output, predictions=predictions, report=report)
    asked: dict[str, Any] = named_models(parted(model) or ([] if models_file else USUAL))
    if models_file:
        if models_file.is_file():
            say(f"Running the Python file {str(models_file)!r} (--models-file).", to_errors=True)
        asked |= models_in(models_file)
    done: list[float] = []
    # what a model prints is not the result
    with patience("Training models", lambda: done[-1] if done else None), redirect_stdout(sys.stderr):
        found = run(
            file,
            target=label,
            models=asked,
            procedure=procedure,
            k=k,
            repeats=repeats,
            test_share=test_share,
            draws=draws,
            group=group,
            time=time,
            features=listed(features) or None,
            text=listed(text),
            measure=measure,
            select=select,
            learning_curves=learning_curve,
            probabilities=probabilities,
            level=level,
            seed=seed,
            n_jobs=jobs,
            checkpoint=checkpoint,
            progress=lambda now, whole: done.append(now / whole),
        )
    with patience("Drawing"):
        if output:
            found.save(output)
        if predictions:
            found.save_predictions(predictions, every=every_repetition)
        if report:
            found.report(report, command=f"justesse {shlex.join(sys.argv[1:])}")
        if charts:
            found.charts(charts)
    if json:
        print_json(found.to_dict())
        return
    show_assessment(found)
    for written in (output, predictions, report, charts):
        if written:
            say(f"Written: {written}")


def parted(words: Sequence[str] | None) -> list[str]:
    """Take models apart at commas, except those between brackets or quotes.

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
