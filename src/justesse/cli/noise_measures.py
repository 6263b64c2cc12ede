"""`justesse noise estimate | profile | bias | bounds | breakdown`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.evaluate import class_names
from justesse.cli.noise_app import app
from justesse.cli.output import check_places, patience, print_json, say, show_lines
from justesse.cli.share import Share

Flag = Annotated[bool, Parameter(negative="")]
Output = Annotated[Path | None, Parameter(alias="-o")]
Sided = Literal["two-sided", "greater", "less"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class NoiseRows:
    """How the rows are read.

    Parameters
    ----------
    label
        Column with the labels.
    prediction
        Column with the predicted classes.
    classes
        All classes, separated by commas, also those that do not occur.
    missing
        Rows without a prediction: refuse the file, count each as a wrong answer, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the file, or drop the row. Default: refuse; drop with --missing drop.
    others
        Predictions that no label has: wrong answers, a class each as in scikit-learn, or missing answers.
        Default: wrong.
    drop_missing
        Old name of --missing drop.
    as_text
        Read all classes as text.
    """

    label: str | None = None
    prediction: str | None = None
    classes: str | None = None
    missing: Literal["refuse", "wrong", "drop"] | None = None
    missing_labels: Literal["refuse", "drop"] | None = None
    others: Literal["wrong", "class", "missing"] = "wrong"
    drop_missing: Flag = False
    as_text: Flag = False

    @property
    def options(self) -> dict[str, Any]:
        """As the library takes them."""
        check_drop_missing(self.drop_missing, self.missing)
        return {**vars(self), "classes": class_names(self.classes, self.as_text)}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Printed:
    """Where the answer goes.

    Parameters
    ----------
    json
        Print JSON instead of a table.
    output
        Also write the table, .csv or .parquet.
    """

    json: Flag = False
    output: Output = None


READ, SHOWN = NoiseRows(), Printed()


@app.command
def bounds(
    file: str,
    *,
    noise_rate: str | None = None,
    transition: Path | None = None,
    transition_of: Literal["sample", "these"] | None = None,
    cost: Path | None = None,
    rows: NoiseRows = READ,
    printed: Printed = SHOWN,
) -> None:
    """What every measure can be, for sure, if only the noise rate or only the transition table is known.

    Examples:

      justesse noise bounds predictions.csv --noise-rate 0.03

      justesse noise bounds predictions.csv --transition t.csv --json

    Parameters
    ----------
    file
        A file with labels and predictions, or a pattern in quotes.
    noise_rate
        0.03 for at most 3 % wrong labels, 0.01:0.05 for a range, 0.03:0.03 for exactly 3 %.
    transition
        CSV of true classes (rows) and labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the table come from: a random sample, or exactly these rows. Default: sample.
    cost
        CSV with the cost of each prediction (columns) for each true class (rows).
    """
    _found(
        "noise_bounds",
        file,
        rows,
        printed,
        noise_rate=noise_rate,
        transition=transition,
        transition_of=transition_of,
        cost=cost,
    )


@app.command
def breakdown(
    file: str,
    *,
    claim: Annotated[list[str] | None, Parameter(negative="")] = None,
    rows: NoiseRows = READ,
    printed: Printed = SHOWN,
) -> int:
    """How many wrong labels it would take to break a claim, whichever they are.

    Exit code 1 if a claim is false with the labels as they are.

    Examples:

      justesse noise breakdown predictions.csv --claim "accuracy>=0.9"

      justesse noise breakdown predictions.csv --claim "recall:spam>0.8" \\
          --claim "precision:spam>0.9"

    Parameters
    ----------
    file
        A file with labels and predictions, or a pattern in quotes.
    claim
        Such as "accuracy>=0.9", "error<5%", "recall:spam>0.8", "macro-f1>=0.7"; may be given several times. Default:
        accuracy above the share of the most frequent label.
    """
    found = _found("noise_breakdown", file, rows, printed, claim=claim)
    return 1 if claim and not all(one["claim_holds"] for one in found.found) else 0


@app.command
def bias(
    file: str,
    *,
    true: str | None = None,
    cost: Path | None = None,
    rows: NoiseRows = READ,
    printed: Printed = SHOWN,
) -> None:
    """How far wrong labels moved each measure, where the true classes are known.

    Example:

      justesse noise bias predictions.parquet --true checked

    Parameters
    ----------
    file
        A file with labels, predictions and true classes.
    true
        Column with the true classes; guessed from: true, truth, actual.
    cost
        CSV with the cost of each prediction (columns) for each true class (rows).
    """
    _found("noise_bias", file, rows, printed, true=true, cost=cost)


@app.command
def profile(
    file: str,
    *,
    true: str | None = None,
    rows: NoiseRows = READ,
    level: Share = 0.95,
    alternative: Sided = "two-sided",
    printed: Printed = SHOWN,
) -> None:
    """What a classifier did with wrong labels: right where they are right, repeated them, saw through them.

    Example:

      justesse noise profile predictions.parquet --true checked

    Parameters
    ----------
    file
        A file with labels, predictions and true classes.
    true
        Column with the true classes; guessed from: true, truth, actual.
    level
        Confidence level.
    alternative
        greater gives lower bounds only, less upper bounds only.
    """
    _found("noise_profile", file, rows, printed, true=true, level=level, alternative=alternative)


@app.command
def estimate(
    file: str,
    *,
    true: str | None = None,
    audited: str | None = None,
    on: str | None = None,
    cluster: Annotated[str | None, Parameter(alias="--group")] = None,
    rows: NoiseRows = READ,
    level: Share = 0.95,
    alternative: Sided = "two-sided",
    printed: Printed = SHOWN,
    to: Path | None = None,
) -> None:
    """How many labels are wrong, and which are written for which: from true classes or re-checked rows.

    Examples:

      justesse noise estimate labels.csv --true checked --to t.csv

      justesse noise estimate predictions.csv --audited checked.csv --on id

      justesse noise estimate answers.csv --true gold --cluster item

    Parameters
    ----------
    file
        A file with labels.
    true
        Column with the true classes; guessed from: true, truth, actual.
    audited
        File of re-checked rows, a random sample: the id and a column true.
    on
        Column with the id that finds re-checked rows.
    cluster
        Column with the item, if items were answered several times: answers to one item are not independent.
    level
        Confidence level.
    alternative
        greater gives lower bounds only, less upper bounds only.
    to
        Also write the transition table as CSV, which --transition takes.
    """
    _found(
        "noise_estimate",
        file,
        rows,
        printed,
        to,
        true=true,
        audited=audited,
        on=on,
        cluster=cluster,
        level=level,
        alternative=alternative,
    )


def _found(verb: str, file: str, rows: NoiseRows, printed: Printed, to: Path | None = None, **options: Any) -> Any:
    from justesse.frames.engine import progress
    from justesse.verbs.noise import parts

    read = (options.get(name) for name in ("transition", "cost", "audited"))
    check_places([file, *read], output=printed.output, to=to)
    with patience("Counting", progress):
        found = getattr(parts, verb)(file, **rows.options, **options)
        if printed.output:
            found.save(printed.output)
        if to:
            found.write_transition(to)
    if printed.json:
        print_json(found.to_dict())
        return found
    show_lines(repr(found))
    for written in (printed.output, to):
        if written:
            say(f"Written: {written}")
    return found
