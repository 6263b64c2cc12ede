"""`justesse audit start INCUMBENT CANDIDATE`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.evaluate import class_names
from justesse.cli.output import patience, print_json
from justesse.cli.share import Share
from justesse.cli.whole import Whole

Flag = Parameter(negative="")


def start(
    *files: str,
    on: str,
    to: Path,
    budget: Whole = 200,
    incumbent: str | None = None,
    candidate: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    common: Annotated[bool, Flag] = False,
    show: list[str] | None = None,
    image: str | None = None,
    suspicion: str | None = None,
    true: str | None = None,
    any_of: str | None = None,
    question: Literal["test-set", "population"] = "test-set",
    method: Annotated[str, Parameter(show=False)] = "betting",
    level: Share = 0.95,
    margin: Share = 0.0,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    expert_error: Share = 0.0,
    futility: Annotated[bool, Parameter(negative="--no-futility")] = True,
    seed: Whole = 0,
    classes: str | None = None,
    missing: Literal["refuse", "wrong", "drop"] | None = None,
    missing_labels: Literal["refuse", "drop"] | None = None,
    others: Literal["wrong", "class", "missing"] = "wrong",
    drop_missing: Annotated[bool, Flag] = False,
    as_text: Annotated[bool, Flag] = False,
    json: Annotated[bool, Flag] = False,
) -> None:
    """Make an audit file: all rows on which the two disagree, to be asked in an order that keeps the verdict honest.

    The file needs the data no more. It must not exist: answers are never overwritten.

    Examples:

      justesse audit start incumbent.csv candidate.csv --on id --to my.audit \\
          --budget 200 --show text

      justesse audit start predictions.parquet --incumbent old --candidate new \\
          --on id --to my.audit --image path

      justesse audit start incumbent.csv candidate.csv --on id --to trial.audit \\
          --true true_class

    Parameters
    ----------
    files
        The incumbent's file and the candidate's, or one file with --incumbent and --candidate.
    on
        Column with the id of each row, by which files are joined and questions are answered.
    to
        The audit file to make.
    budget
        How many questions may be asked at most.
    incumbent
        Column of the incumbent's answers, in one file.
    candidate
        Column of the candidate's answers, in one file.
    label
        Column with the labels; guessed from: label, y, y_true, target.
    prediction
        Column with the answers, in files of one classifier each; guessed from: prediction, pred, y_pred, yhat,
        predicted, y_hat.
    common
        Compare on the ids that both files have, instead of refusing files that differ.
    show
        Column with the text that the expert is shown. Repeat it for several columns: --show title --show text
    image
        Column with the path of the image that the expert is shown.
    suspicion
        Column of numbers, higher where the label is more likely wrong: a good one saves answers, a bad one costs some.
    true
        Column that plays the expert: the audit is run at once to its end. Several right classes: B|C
    any_of
        Separator of several right classes, in that column and in answers. Default: |
        If given, labels such as cat|dog accept any of their classes, too.
    question
        Better on this test set, or in the population it was drawn from.
    method
        How evidence is weighed: betting, the only method there is.
    level
        Confidence level, held at all looks together.
    margin
        The smallest gain that matters: 0.01 is one point.
    alternative
        greater asks only whether the candidate is better.
    expert_error
        The chance, at most, that the expert is wrong about a row: 0.02 widens the interval by as much.
    futility
        Give up when the questions left have a chance of less than 3 % to settle it; --no-futility goes on.
    seed
        Seed of the draw of questions.
    classes
        All classes, separated by commas, also those that do not occur.
    missing
        Rows without an answer: refuse the file, count each as a wrong answer, or drop the row. Default: refuse.
    missing_labels
        Rows without a label: refuse the file, or drop the row. Default: refuse; drop with --missing drop.
    others
        Answers that no label has: wrong answers, a class each as in scikit-learn, or missing answers.
        Default: wrong.
    drop_missing
        Old name of --missing drop.
    as_text
        Read all labels and answers as text.
    json
        Print JSON instead of words.
    """
    # imported here so that `justesse --help` stays light
    from justesse.cli.audit_view import show_status
    from justesse.frames.engine import progress
    from justesse.verbs.audit.start import audit_start

    check_drop_missing(drop_missing, missing)
    with patience("Looking for disagreements", progress):
        found = audit_start(
            *files,
            on=on,
            to=to,
            budget=budget,
            incumbent=incumbent,
            candidate=candidate,
            label=label,
            prediction=prediction,
            common=common,
            show=show,
            image=image,
            suspicion=suspicion,
            truth=true,
            any_of=any_of,
            question="population" if question == "population" else "test set",
            method=method,
            level=level,
            margin=margin,
            alternative=alternative,
            expert_error=expert_error,
            futility=futility,
            seed=seed,
            classes=class_names(classes, as_text),
            missing=missing,
            missing_labels=missing_labels,
            others=others,
            drop_missing=drop_missing,
            as_text=as_text,
        )
    if json:
        print_json(found.to_dict())
    else:
        show_status(found)
