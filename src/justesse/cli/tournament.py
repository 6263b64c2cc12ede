"""`justesse tournament PREDICTIONS`."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.evaluate import class_names
from justesse.cli.output import chances, check_places, listed, numbers, patience, print_json, say
from justesse.cli.share import MaybeShare, Share
from justesse.cli.whole import Whole
from justesse.core.errors import OptionError

Flag = Parameter(negative="")
Several = Annotated[list[str] | None, Parameter(negative="")]


def tournament(
    *files: str,
    label: Several = None,
    true: str | None = None,
    model: Several = None,
    on: str | None = None,
    prediction: str | None = None,
    measure: Several = None,
    judge: Several = None,
    noise_rates: Several = None,
    noise: Literal["uniform", "pair-flip", "features"] | None = None,
    votes: str | None = None,
    answers: str | None = None,
    ranking: Path | None = None,
    noise_rate: MaybeShare = None,
    pc: Share = 0.1,
    hard_by: Several = None,
    difficulty: str | None = None,
    cleaning: Several = None,
    budget: Whole = 200,
    expert_error: Share = 0.0,
    level: Share = 0.95,
    margin: Share = 0.0,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    seed: Whole = 0,
    classes: str | None = None,
    missing: Literal["refuse", "wrong", "drop"] | None = None,
    missing_labels: Literal["refuse", "drop"] | None = None,
    others: Literal["wrong", "class", "missing"] = "wrong",
    any_of: str | None = None,
    drop_missing: Annotated[bool, Flag] = False,
    as_text: Annotated[bool, Flag] = False,
    json: Annotated[bool, Flag] = False,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    report: Path | None = None,
    charts: Path | None = None,
) -> None:
    """Which judge errs how often? All ordered pairs of many classifiers, decided on labels that may be wrong.

    Every judge says for each pair whether the second classifier should replace the first, by the labels; the references
    decide by the true classes. Type I: replaced although the reference keeps. Type II: kept although it replaces.

    Examples:

      justesse tournament predictions.parquet --label label --true true

      justesse tournament predictions.csv --model net_a,net_b,net_c \\
          --judge classical,paired --report page.html

      justesse tournament predictions.csv --noise-rates 0.01,0.05,0.1,0.2 \\
          --charts pictures

      justesse tournament predictions.csv --noise-rates 0.05,0.1 --votes votes.csv \\
          --on id --measure recall:cat

      justesse tournament a.csv b.csv c.csv --on id --json

    Parameters
    ----------
    files
        A file with a column for each classifier; or several files of one classifier each, see --on.
    label
        Column with the labels, guessed from: label, y, y_true, target; several versions separated by commas.
    true
        Column with the true classes; guessed from: true, truth, actual.
    model
        Columns of the classifiers, separated by commas; a name with a comma stands in double quotes: 'a,"b,c"'.
        Default: every other column that holds classes.
    on
        Column with an id that all files share; without it rows are taken in order, if all labels agree.
    prediction
        Column with the answers, in files of one classifier each; guessed from: prediction, pred, y_pred, yhat,
        predicted, y_hat.
    measure
        accuracy, recall:CLASS, precision:CLASS; several separated by commas; recall alone is that of every class.
        A class with a comma: 'recall:"a,b"'.
    judge
        all, or some of classical, paired, prudent_v1, prudent_v2, sharp, cleaned, audited, separated by commas.
    noise_rates
        Make labels wrong at these rates, from the true classes, instead of taking a column of labels.
    noise
        uniform: every wrong class alike; pair-flip: each class as the next; features: the hardest rows first.
    votes
        File with a column of votes for each class: rows with most votes against the true class are made wrong first.
    answers
        File with a column for each annotator: rows they were most wrong on are made wrong first.
    ranking
        Parquet file that noise inject wrote: the difficulty of the rows.
    noise_rate
        The share of wrong labels that prudent judges are told; by itself the true one.
    pc
        The share of the rows, the hardest, that prudent_v2 doubts.
    hard_by
        What is hard for prudent_v2: disagreement of the classifiers, random, difficulty; several separated by commas.
    difficulty
        Column with a number for each row, larger where it is harder; for --hard-by difficulty.
    cleaning
        For cleaned: s:e or s:e:c, the chances to detect a wrong label, to suspect a right one, to correct what is found
        (without c rows are removed); several separated by commas; by itself 0.6:0.1 and 0.6:0.1:0.75.
    budget
        How many answers audited may ask for each pair.
    expert_error
        How often the answers audited gets may be wrong.
    level
        Confidence level, of judges, references and intervals.
    margin
        The smallest gain that matters: 0.01 is one point.
    alternative
        greater asks only whether the candidate is better.
    seed
        Seed of the noise, of random rankings, of cleaning and of questions.
    classes
        All classes, separated by commas, also those that do not occur.
    missing
        Rows without an answer: refuse the file, count each as a wrong answer, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the file, or drop the row. Default: refuse; drop with --missing drop.
    others
        Answers that no label has: wrong answers, a class each as in scikit-learn, or missing answers. Default: wrong.
    any_of
        Separator of labels and true classes that accept several: --any-of "|" reads cat|dog as either of them.
    drop_missing
        Old name of --missing drop.
    as_text
        Read all labels and answers as text.
    json
        Print JSON instead of tables.
    output
        Also write the rates as a table, .csv or .parquet.
    report
        Also write a page to read, one .html file that opens offline.
    charts
        Also write every chart to this directory, as SVG and PNG.
    """
    from justesse.cli.tournament_view import show_tournament
    from justesse.verbs.tournament.tournament import tournament as run

    if not files:
        raise OptionError("give a file with the answers of the classifiers; see justesse tournament --help")
    check_places([*files, votes, answers, ranking], output=output, report=report, charts=charts)
    done: list[float] = []
    check_drop_missing(drop_missing, missing)
    with patience("Judging all pairs", lambda: done[-1] if done else None):
        found = run(
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
            **({} if cleaning is None else {"cleaning": [chances(one) for one in listed(cleaning)]}),
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
    with patience("Drawing"):
        if output:
            found.save(output)
        if report:
            found.report(report, command=f"justesse {shlex.join(sys.argv[1:])}")
        if charts:
            found.charts(charts)
    if json:
        print_json(found.to_dict())
        return
    show_tournament(found)
    for written in (output, report, charts):
        if written:
            say(f"Written: {written}")
