"""`justesse tournament PREDICTIONS`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.output import chances, listed, numbers, patience
from justesse.core.errors import OptionError
from justesse.judges import ALL

COLUMNS = Parameter(group=Group("Columns", sort_key=1))
JUDGES = Parameter(group=Group("Judges", sort_key=2))
NOISE = Parameter(group=Group("Labels made wrong", sort_key=3))
INTERVALS = Parameter(group=Group("Intervals", sort_key=4))
ANSWERS = Parameter(group=Group("Missing and unknown predictions", sort_key=5))
NAMES = ", ".join(judge.name for judge in ALL if judge.in_tournaments)


def tournament(
    *files: str,
    label: Annotated[list[str] | None, COLUMNS] = None,
    true: Annotated[str | None, COLUMNS] = None,
    model: Annotated[list[str] | None, COLUMNS] = None,
    on: Annotated[str | None, COLUMNS] = None,
    prediction: Annotated[str | None, COLUMNS] = None,
    difficulty: Annotated[str | None, COLUMNS] = None,
    classes: Annotated[str | None, COLUMNS] = None,
    as_text: Annotated[bool, COLUMNS] = False,
    judge: Annotated[list[str] | None, JUDGES, Parameter(help=f"all, or some of {NAMES}. Default: all.")] = None,
    measure: Annotated[list[str] | None, JUDGES] = None,
    noise_rate: Annotated[float | None, JUDGES] = None,
    pc: Annotated[float, JUDGES] = 0.1,
    hard_by: Annotated[list[str] | None, JUDGES] = None,
    cleaning: Annotated[list[str] | None, JUDGES] = None,
    budget: Annotated[int, JUDGES] = 200,
    expert_error: Annotated[float, JUDGES] = 0.0,
    noise_rates: Annotated[list[str] | None, NOISE] = None,
    noise: Annotated[Literal["uniform", "pair-flip", "features"] | None, NOISE] = None,
    votes: Annotated[str | None, NOISE] = None,
    answers: Annotated[str | None, NOISE] = None,
    ranking: Annotated[Path | None, NOISE] = None,
    level: Annotated[float, INTERVALS] = 0.95,
    margin: Annotated[float, INTERVALS] = 0.0,
    alternative: Annotated[Literal["two-sided", "greater", "less"], INTERVALS] = "two-sided",
    seed: Annotated[int, INTERVALS] = 0,
    missing: Annotated[Literal["refuse", "wrong", "drop"] | None, ANSWERS] = None,
    missing_labels: Annotated[Literal["refuse", "drop"] | None, ANSWERS] = None,
    others: Annotated[Literal["wrong", "class", "missing"], ANSWERS] = "wrong",
    any_of: Annotated[str | None, ANSWERS] = None,
    drop_missing: Annotated[bool, ANSWERS] = False,
    delivery: Delivery = Delivery(),
) -> None:
    """Which judge errs how often? All ordered pairs of many classifiers.

    Every judge decides for each pair whether the second classifier should replace the first, by labels that may be
    wrong. References decide by the true classes. Type I error: the judge replaces, the reference keeps. Type II error:
    the judge keeps, the reference replaces.

    Examples:

      justesse tournament predictions.parquet --label label --true true

      justesse tournament predictions.csv --judge classical,paired

      justesse tournament predictions.csv --noise-rates 0.01,0.05,0.1

      justesse tournament predictions.csv --measure recall:cat --report page.html

      justesse tournament a.csv b.csv c.csv --on id --json

    Parameters
    ----------
    files
        A file with a column for each classifier, or one file per classifier (see --on).
    label
        Column of the labels; several versions separated by commas. Default: label, y, y_true or target.
    true
        Column of the true classes. Default: true, truth or actual.
    model
        Columns of the classifiers, separated by commas; quote a name that has a comma: 'a,"b,c"'. Default: every
        other column that holds classes.
    on
        Column with an id that all files share. Default: rows are joined in order, if all labels agree.
    prediction
        Column of the predictions, in files of one classifier each. Default: prediction, pred, y_pred, yhat, predicted
        or y_hat.
    difficulty
        Column with a number for each row, larger where it is harder, for --hard-by difficulty.
    classes
        All classes, separated by commas, including those that do not occur.
    as_text
        Read labels and predictions as text.
    measure
        accuracy, recall:CLASS or precision:CLASS; several separated by commas. recall alone: recall of every class.
        Quote a class that has a comma: 'recall:"a,b"'. Default: accuracy.
    noise_rate
        Share of wrong labels that judges may assume, such as 5%. Default: the true share.
    pc
        For prudent_v2: share of rows, the hardest, whose labels it doubts. Default: 0.1.
    hard_by
        For prudent_v2: how rows are ranked, by disagreement of the classifiers, random or difficulty; several separated
        by commas. Default: all that are possible.
    cleaning
        For cleaned: s:e or s:e:c, the chances to detect a wrong label, to suspect a right one and to correct what is
        detected (without c the row is removed); several separated by commas. Default: 0.6:0.1,0.6:0.1:0.75.
    budget
        For audited: answers it may ask for, per pair. Default: 200.
    expert_error
        For audited: share of answers that may be wrong. Default: 0.
    noise_rates
        Make these shares of the true classes wrong, instead of reading labels: 0.01,5%.
    noise
        How to make labels wrong. uniform: any other class; pair-flip: each class becomes the next; features: the
        hardest rows first. Default: uniform; features with --votes, --answers or --ranking.
    votes
        File with a column of votes for each class: rows with most votes against the true class go wrong first.
    answers
        File with a column for each annotator: rows they were most often wrong on go wrong first.
    ranking
        Parquet file of noise inject with the difficulty of the rows.
    level
        Confidence level of judges, references and intervals. Default: 0.95.
    margin
        Smallest gain that matters: 0.01 is one point. Default: 0.
    alternative
        greater: is the candidate better? less: is it worse? Default: two-sided.
    seed
        Seed of noise, random rankings, cleaning and questions. Default: 0.
    missing
        Rows without a prediction: refuse the file, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the file, or drop the row. Default: refuse; drop with --missing drop.
    others
        Predictions that no label has: wrong, a class of their own as in scikit-learn, or missing. Default: wrong.
    any_of
        Separator of labels and true classes that accept several: --any-of "|" reads cat|dog as either.
    drop_missing
        Old name of --missing drop.
    """
    from justesse.verbs.tournament.tournament import tournament as run

    if not files:
        raise OptionError(
            "no file given. Name a file with the predictions of the classifiers: justesse tournament FILE"
        )
    delivery.check(*files, votes, answers, ranking)
    check_drop_missing(drop_missing, missing)
    done: list[float] = []
    with patience("Judging all pairs", lambda: done[-1] if done else None):
        result = run(
            *files,
            label=listed(label) or None,
            true=true,
            models=listed(model) or None,
            on=on,
            prediction=prediction,
            measure=listed(measure) or "accuracy",
            judges=listed(judge) or "all",
            noise_rates=None if noise_rates is None else numbers("noise-rates", noise_rates),
            noise=noise,
            votes=votes,
            answers=answers,
            ranking=ranking,
            rate=noise_rate,
            pc=pc,
            hard_by=listed(hard_by) or None,
            difficulty=difficulty,
            **({} if cleaning is None else {"cleaning": [chances(step) for step in listed(cleaning)]}),
            budget=budget,
            expert_error=expert_error,
            level=level,
            margin=margin,
            alternative=alternative,
            seed=seed,
            classes=class_names(classes, as_text),
            missing=missing,
            missing_labels=missing_labels,
            others=others,
            any_of=any_of,
            drop_missing=drop_missing,
            as_text=as_text,
            progress=lambda now, whole: done.append(now / whole),
        )
    delivery.deliver(result)
