"""`justesse audit start INCUMBENT CANDIDATE`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.output import patience

COLUMNS = Parameter(group=Group("Columns", sort_key=1))
EXPERT = Parameter(group=Group("The expert", sort_key=2))
VERDICT_GROUP = Group("The verdict", sort_key=3)
VERDICT = Parameter(group=VERDICT_GROUP)
ANSWERS = Parameter(group=Group("Classes and missing answers", sort_key=4))


def start(
    *files: str,
    on: Annotated[str, COLUMNS],
    to: Path,
    budget: int | None = None,
    incumbent: Annotated[str | None, COLUMNS] = None,
    candidate: Annotated[str | None, COLUMNS] = None,
    label: Annotated[str | None, COLUMNS] = None,
    prediction: Annotated[str | None, COLUMNS] = None,
    common: Annotated[bool, COLUMNS] = False,
    show: Annotated[list[str] | None, EXPERT] = None,
    image: Annotated[str | None, EXPERT] = None,
    suspicion: Annotated[str | None, EXPERT] = None,
    true: Annotated[str | None, EXPERT] = None,
    expert_error: Annotated[float, EXPERT] = 0.0,
    question: Annotated[Literal["test-set", "population"], VERDICT] = "test-set",
    method: Annotated[str, Parameter(show=False)] = "betting",
    level: Annotated[float, VERDICT] = 0.95,
    margin: Annotated[float, VERDICT] = 0.0,
    alternative: Annotated[Literal["two-sided", "greater", "less"], VERDICT] = "two-sided",
    futility: Annotated[bool, Parameter(group=VERDICT_GROUP, negative="--no-futility")] = True,
    seed: Annotated[int, VERDICT] = 0,
    classes: Annotated[str | None, ANSWERS] = None,
    any_of: Annotated[str | None, ANSWERS] = None,
    missing: Annotated[Literal["refuse", "wrong", "drop"] | None, ANSWERS] = None,
    missing_labels: Annotated[Literal["refuse", "drop"] | None, ANSWERS] = None,
    others: Annotated[Literal["wrong", "class", "missing"], ANSWERS] = "wrong",
    drop_missing: Annotated[bool, Parameter(show=False)] = False,
    as_text: Annotated[bool, ANSWERS] = False,
    delivery: Delivery = Delivery(),
) -> None:
    """Make an audit file with all rows on which the two classifiers disagree.

    The file holds all that is needed: the data may be moved or deleted. An existing file is never overwritten.

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
        Column with the id of each row, to join files and to answer questions.
    to
        The audit file to make. It must not exist.
    budget
        Questions at most. Default: 200, or all disputed rows if there are fewer.
    incumbent
        Column of the incumbent's answers, in one file.
    candidate
        Column of the candidate's answers, in one file.
    label
        Column with the labels. Default: label, y, y_true or target.
    prediction
        Column with the answers, in files of one classifier each. Default: prediction, pred, y_pred, yhat, predicted or
        y_hat.
    common
        Use the ids that both files have, instead of refusing files that differ.
    show
        Column with the text the expert sees. Repeat it for several columns: --show title --show text.
    image
        Column with the path of the image the expert sees.
    suspicion
        Column of numbers, higher where the label is more likely wrong. A good one saves answers, a bad one costs some.
    true
        Column that plays the expert: the audit runs to its end at once. Several right classes: B|C.
    expert_error
        Probability, at most, that the expert is wrong about a row. 0.02 widens the interval accordingly. Default: 0.
    question
        Is the candidate better on this test set, or in the population it was drawn from? Default: test-set.
    method
        How evidence is weighed. Only betting is available.
    level
        Confidence level, held at all looks together. Default: 0.95.
    margin
        The smallest gain that matters: 0.01 is one point of accuracy. Default: 0.
    alternative
        greater asks only whether the candidate is better. Default: two-sided.
    futility
        Stop when the remaining questions have a chance of less than 3 % to settle it. Default: --futility.
    seed
        Seed of the draw of questions. Default: 0.
    classes
        All classes, separated by commas, also those that do not occur.
    any_of
        Separator of several right classes, in the column --true and in answers. Default: |. If given, labels such as
        cat|dog accept any of their classes, too.
    missing
        Rows without an answer: refuse the file, count them as wrong, or drop them. Default: refuse.
    missing_labels
        Rows without a label: refuse the file, or drop them. Default: refuse; drop with --missing drop.
    others
        Answers that no label has: wrong, a class each (as in scikit-learn), or missing. Default: wrong.
    drop_missing
        Old name of --missing drop.
    as_text
        Read all labels and answers as text.
    """
    # imported here so that `justesse --help` stays light
    from justesse.frames.engine import progress
    from justesse.verbs.audit.start import audit_start

    check_drop_missing(drop_missing, missing)
    delivery.check(*files, to=to)
    with patience("Looking for disagreements", progress):
        status = audit_start(
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
            true=true,
            any_of=any_of,
            question=question,
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
    delivery.deliver(status)
