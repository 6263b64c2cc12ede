"""`justesse evaluate FILE`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.delivery import Delivery
from justesse.cli.output import listed, patience
from justesse.cli.share import MaybeShare, Share
from justesse.cli.split_names import split_names
from justesse.cli.whole import MaybeWhole, Whole
from justesse.core.errors import OptionError
from justesse.intervals import ProportionMethod

Flag = Parameter(negative="")


def evaluate(
    file: str,
    *,
    label: str | None = None,
    prediction: str | None = None,
    true: str | None = None,
    weight: str | None = None,
    by: Annotated[list[str] | None, Parameter(negative="")] = None,
    positive: str | None = None,
    classes: str | None = None,
    cost: Path | None = None,
    class_weight: Path | None = None,
    resubstitution: str | None = None,
    score: str | None = None,
    proba: str | None = None,
    threshold: MaybeShare = None,
    wanted_recall: MaybeShare = None,
    wanted_specificity: MaybeShare = None,
    score_bins: MaybeWhole = None,
    regression: Annotated[bool, Flag] = False,
    beta: float = 1.0,
    level: Share = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    method: ProportionMethod = "wilson",
    bootstrap: Literal["percentile", "bca", "none"] | None = None,
    draws: Whole = 2000,
    seed: Whole = 0,
    half_width: MaybeShare = None,
    noise_rate: str | None = None,
    transition: Path | None = None,
    transition_of: Literal["sample", "these"] | None = None,
    audited: str | None = None,
    on: str | None = None,
    claim: str | None = None,
    require: Annotated[list[str] | None, Parameter(negative="")] = None,
    plausible_noise: MaybeShare = None,
    missing: Literal["refuse", "wrong", "drop"] | None = None,
    missing_labels: Literal["refuse", "drop"] | None = None,
    others: Literal["wrong", "class", "missing"] = "wrong",
    any_of: str | None = None,
    drop_missing: Annotated[bool, Flag] = False,
    as_text: Annotated[bool, Flag] = False,
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> int:
    """Every measure of a file of labels and predictions, with its interval, beside the naive baselines.

    Exit code 1 if a requirement (--require) is not met or a claim (--claim) is false; otherwise 0, or 2 for bad input.

    The file is csv, tsv, json lines, parquet or arrow, gzip or not, and may be larger than memory. A pattern in
    quotes takes several files.

    Examples:

      justesse evaluate predictions.csv

      justesse evaluate predictions.parquet --label y --prediction model_b \\
          --positive spam

      justesse evaluate 'day-*.csv.gz' --by hospital --json

      justesse evaluate scores.parquet --score p_spam --positive spam \\
          --wanted-recall 0.95

      justesse evaluate predictions.csv --cost costs.csv --level 0.9 \\
          --output measures.csv

      justesse evaluate predictions.csv --report page.html

      justesse evaluate predictions.csv --noise-rate 1%:5% --claim "accuracy>=0.9"

      justesse evaluate predictions.csv --require "accuracy>=90%" \\
          --require "recall:spam>=0.8"

      justesse evaluate predictions.csv --audited checked.csv --on id

    Parameters
    ----------
    file
        A file, or a pattern in quotes such as 'day-*.csv'.
    label
        Column with the labels; guessed from: label, y, y_true, target.
    prediction
        Column with the predicted classes; guessed from: prediction, pred, y_pred, yhat, predicted, y_hat.
    true
        Column with the true classes, where they are known apart from the labels; guessed from: true, truth, actual.
    weight
        Column with row weights.
    by
        Column to slice by; several separated by commas, or given several times. A name with a comma: '"a,b"'.
    positive
        The class to say first what became of: its recall and precision in words.
    classes
        All classes, separated by commas, also those that do not occur; their order is kept. A name with a comma is
        written in double quotes: 'a,"b,c"'.
    cost
        CSV with the cost of each prediction (columns) for each label (rows).
    class_weight
        CSV with two columns, class and weight, for the class-weighted error.
    resubstitution
        File with the answers on the rows the classifier was trained on: the gap is over-fitting.
    score
        Column with a score or probability of the positive class (see --positive).
    proba
        What the columns of probabilities, one per class, start with: --proba p_ for p_cat, p_dog.
    threshold
        From this score on a row means the positive class; 0.5 for probabilities.
    wanted_recall
        Say which threshold keeps this recall.
    wanted_specificity
        Say which threshold keeps this specificity.
    score_bins
        Count scores in so many bins instead of reading them; 10,000 by itself for files of more than 4 GB.
    regression
        Labels and predictions are numbers, not classes.
    beta
        Adds the F measure that counts recall beta times as much as precision.
    level
        Confidence level of all intervals.
    alternative
        greater gives lower bounds only, less upper bounds only.
    method
        Interval of proportions (accuracy, precision, recall, ...); delta for weights that follow classes or results.
    bootstrap
        Interval of everything else; none is the delta method. Default: percentile, or none for very large tables.
    draws
        Number of resamples.
    seed
        Seed of the resamples.
    half_width
        The precision you need, such as 0.01: a warning says if the rows do not give it.
    noise_rate
        The share of wrong labels: 0.03 for at most 3 %, 0.01:0.05 for a range, 0.03:0.03 for exactly 3 %.
    transition
        CSV of true classes (rows) and labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the table come from: a random sample, or exactly these rows. Default: sample.
    audited
        File of re-checked rows, a random sample: the id and a column true.
    on
        Column with the id that finds re-checked rows.
    claim
        What must stay true, such as "accuracy>=0.9" or "recall:spam>0.8": how many wrong labels break it? Exit code 1
        if it is false with the labels as they are.
    require
        A measure that the confidence bound must reach, such as "accuracy>=0.9" or "error<=5%": the lower end of the
        interval for >=, the upper end for <=. May be given several times. Exit code 1 if one is not met.
    plausible_noise
        Share of wrong labels to expect, such as 1%: a warning says if fewer could make the claim false. Default: 1%, or
        the upper end of --noise-rate.
    missing
        Rows without a prediction: refuse the file, count each as a wrong answer, or drop the row. Default: refuse.
    missing_labels
        Rows without a label: refuse the file, or drop the row. Default: refuse; drop with --missing drop.
    others
        Predictions that no label has: wrong answers, a class each as in scikit-learn, or missing answers.
        Default: wrong.
    any_of
        What separates the classes of a label or true class that accepts several, such as "|": cat|dog accepts both.
        Default: every label is one class.
    drop_missing
        Old name of --missing drop.
    as_text
        Read all labels and predictions as text.
    """
    # imported here so that `justesse --help` and `--version` stay light
    from justesse.frames.engine import progress

    delivery.check(file, cost, class_weight, resubstitution, transition, audited)
    check_drop_missing(drop_missing, missing)
    if regression:
        classes_only = {"score": score, "proba": proba, "cost": cost, "class-weight": class_weight,
                        "threshold": threshold, "half-width": half_width, "true": true, "positive": positive,
                        "classes": classes, "bootstrap": bootstrap, "noise-rate": noise_rate, "transition": transition,
                        "transition-of": transition_of, "audited": audited, "on": on, "claim": claim,
                        "require": require, "plausible-noise": plausible_noise,
                        "missing-labels": missing_labels, "missing wrong": missing == "wrong" or None,
                        "others": None if others == "wrong" else others, "any-of": any_of}  # fmt: skip
        given = [name for name, value in classes_only.items() if value is not None]
        if given or alternative != "two-sided":
            raise OptionError(f"--{(given or ['alternative'])[0]} is about classes, and --regression about numbers")
        from justesse.verbs.regression.evaluate import evaluate_regression

        with patience("Adding up", progress):
            numbers = evaluate_regression(
                file,
                label=label,
                prediction=prediction,
                weight=weight,
                by=listed(by),
                level=level,
                draws=draws,
                seed=seed,
                drop_missing=drop_missing or missing == "drop",
            )
        delivery.deliver(numbers)
        return 0
    from justesse.verbs.evaluate.evaluate import evaluate as run

    with patience("Counting and measuring", progress):
        found = run(
            file,
            label=label,
            prediction=prediction,
            true=true,
            weight=weight,
            by=listed(by),
            positive=positive,
            classes=class_names(classes, as_text),
            cost=cost,
            class_weight=class_weight,
            resubstitution=resubstitution,
            score=score,
            proba=proba,
            threshold=threshold,
            wanted_recall=wanted_recall,
            wanted_specificity=wanted_specificity,
            score_bins=score_bins,
            beta=beta,
            level=level,
            alternative=alternative,
            method=method,
            bootstrap=bootstrap,
            draws=draws,
            seed=seed,
            half_width=half_width,
            noise_rate=noise_rate,
            transition=transition,
            transition_of=transition_of,
            audited=audited,
            on=on,
            claim=claim,
            require=require or (),
            plausible_noise=plausible_noise,
            missing=missing,
            missing_labels=missing_labels,
            others=others,
            any_of=any_of,
            drop_missing=drop_missing,
            as_text=as_text,
        )
    delivery.deliver(found)
    return 0 if found.passes else 1


def class_names(typed: str | None, as_text: bool) -> list[bool | int | float | str | None] | None:
    """Read a list of classes as a file's column would be.

    >>> class_names("0,1,2", False), class_names("low,high", False), class_names(None, False)
    ([0, 1, 2], ['low', 'high'], None)
    >>> class_names('"a,b",c', False)
    ['a,b', 'c']
    """
    if typed is None:
        return None
    import numpy as np

    from justesse.frames.values import named

    words = np.array(split_names(typed), dtype=object)
    if "" in words:
        raise OptionError(f"--classes has an empty name in {typed!r}; separate names by single commas")
    return list(named(words, form="text", column="--classes", as_text=as_text).names)
