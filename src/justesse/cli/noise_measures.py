"""`justesse noise estimate | profile | bias | bounds | breakdown`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from justesse.cli import noise_groups as groups
from justesse.cli.answer_options import check_drop_missing
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.noise_app import app
from justesse.cli.output import check_places, patience, say

Sided = Literal["two-sided", "greater", "less"]
COLUMNS, LABELS = Parameter(group=groups.COLUMNS), Parameter(group=groups.LABELS)
True_ = Annotated[str | None, COLUMNS]
Cost = Annotated[Path | None, Parameter(group=groups.MEASURES)]


@Parameter(name="*", group=groups.COLUMNS)
@dataclass(frozen=True, kw_only=True)
class NoiseRows:
    """How the rows are read.

    Parameters
    ----------
    label
        Column with the labels. Default: guessed from label, y, y_true, target.
    prediction
        Column with the predictions. Default: guessed from prediction, pred, y_pred, yhat, predicted, y_hat.
    classes
        All classes, separated by commas, including those that do not occur.
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
    others: Annotated[Literal["wrong", "class", "missing"], Parameter(show_default=False)] = "wrong"
    drop_missing: bool = False
    as_text: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """As the library takes them."""
        check_drop_missing(self.drop_missing, self.missing)
        return {**vars(self), "classes": class_names(self.classes, self.as_text)}


@Parameter(name="*", group=groups.INTERVALS)
@dataclass(frozen=True, kw_only=True)
class NoiseIntervals:
    """Confidence level and side of the intervals.

    Parameters
    ----------
    level
        Confidence level, such as 0.9 or 90%. Default: 0.95.
    alternative
        two-sided, greater (lower bounds only) or less (upper bounds only). Default: two-sided.
    """

    level: Annotated[float, Parameter(show_default=False)] = 0.95
    alternative: Annotated[Sided, Parameter(show_default=False)] = "two-sided"


ROWS, INTERVALS, DELIVERY = NoiseRows(), NoiseIntervals(), Delivery()


@app.command
def bounds(
    file: str,
    *,
    noise_rate: Annotated[str | None, LABELS] = None,
    transition: Annotated[Path | None, LABELS] = None,
    transition_of: Annotated[Literal["sample", "these"] | None, LABELS] = None,
    cost: Cost = None,
    rows: NoiseRows = ROWS,
    delivery: Delivery = DELIVERY,
) -> None:
    """Bound every measure when only the noise rate or the transition table is known.

    The bounds hold for certain if the rate or the table is right, wherever the
    wrong labels are.

    Examples:

      justesse noise bounds predictions.csv --noise-rate 3%

      justesse noise bounds predictions.csv --transition t.csv --json

    Parameters
    ----------
    file
        File with labels and predictions, or a pattern in quotes.
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %.
    transition
        CSV of true classes (rows) and labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the table come from: a random sample, or exactly these rows. Default: sample.
    cost
        CSV with the cost of each prediction (columns) for each true class (rows).
    """
    from justesse.verbs.noise.bounds import noise_bounds

    _run(noise_bounds, file, rows, delivery, noise_rate=noise_rate, transition=transition,
         transition_of=transition_of, cost=cost)  # fmt: skip


@app.command
def breakdown(
    file: str,
    *,
    claim: Annotated[list[str] | None, Parameter(negative="", group=groups.LABELS)] = None,
    rows: NoiseRows = ROWS,
    delivery: Delivery = DELIVERY,
) -> int:
    """Count how many wrong labels a claim survives, whichever they are.

    Exit code 1 if a claim is false with the labels as they are.

    Examples:

      justesse noise breakdown predictions.csv --claim "accuracy>=0.9"

      justesse noise breakdown predictions.csv --claim "recall:spam>0.8"

    Parameters
    ----------
    file
        File with labels and predictions, or a pattern in quotes.
    claim
        Claim such as "accuracy>=0.9", "error<5%", "recall:spam>0.8" or "macro-f1>=0.7". Can be repeated.
        Default: accuracy is above the share of the most frequent label.
    """
    from justesse.verbs.noise.breakdown import noise_breakdown

    result = _run(noise_breakdown, file, rows, delivery, claim=claim)
    return 1 if claim and not result.claims_hold else 0


@app.command
def bias(
    file: str,
    *,
    true: True_ = None,
    cost: Cost = None,
    rows: NoiseRows = ROWS,
    delivery: Delivery = DELIVERY,
) -> None:
    """Compute how far wrong labels moved each measure, where the true classes are known.

    Example:

      justesse noise bias predictions.parquet --true checked

    Parameters
    ----------
    file
        File with labels, predictions and true classes.
    true
        Column with the true classes. Default: guessed from true, truth, actual.
    cost
        CSV with the cost of each prediction (columns) for each true class (rows).
    """
    from justesse.verbs.noise.bias import noise_bias

    _run(noise_bias, file, rows, delivery, true=true, cost=cost)


@app.command
def profile(
    file: str,
    *,
    true: True_ = None,
    rows: NoiseRows = ROWS,
    intervals: NoiseIntervals = INTERVALS,
    delivery: Delivery = DELIVERY,
) -> None:
    """Show what a classifier does where labels are wrong: repeat them, or find the true class.

    Example:

      justesse noise profile predictions.parquet --true checked

    Parameters
    ----------
    file
        File with labels, predictions and true classes.
    true
        Column with the true classes. Default: guessed from true, truth, actual.
    """
    from justesse.verbs.noise.profile import noise_profile

    _run(noise_profile, file, rows, delivery, true=true, **vars(intervals))


@app.command
def estimate(
    file: str,
    *,
    true: True_ = None,
    audited: Annotated[str | None, LABELS] = None,
    on: Annotated[str | None, LABELS] = None,
    cluster: Annotated[str | None, Parameter(alias="--group", group=groups.COLUMNS)] = None,
    rows: NoiseRows = ROWS,
    intervals: NoiseIntervals = INTERVALS,
    delivery: Delivery = DELIVERY,
    to: Annotated[Path | None, Parameter(group="Output")] = None,
) -> None:
    """Estimate how many labels are wrong, and which class is labelled as which.

    Needs true classes, or a random sample of re-checked rows.

    Examples:

      justesse noise estimate labels.csv --true checked --to t.csv

      justesse noise estimate rows.csv --audited checked.csv --on id

      justesse noise estimate answers.csv --true gold --cluster item

    Parameters
    ----------
    file
        File with labels.
    true
        Column with the true classes. Default: guessed from true, truth, actual.
    audited
        File of re-checked rows, a random sample, with an id and a column true.
    on
        Column with the id of the re-checked rows.
    cluster
        Column with the item, if items were labelled several times. Widens the intervals.
    to
        Also write the transition table as CSV, for --transition.
    """
    from justesse.verbs.noise.estimate import noise_estimate

    check_places([file, audited], output=delivery.output, report=delivery.report, charts=delivery.charts, to=to)
    _run(noise_estimate, file, rows, delivery, to, true=true, audited=audited, on=on, cluster=cluster,
         **vars(intervals))  # fmt: skip


def _run(verb: Any, file: str, rows: NoiseRows, delivery: Delivery, to: Path | None = None, **options: Any) -> Any:
    """Count, compute and deliver; `to` is where the transition table goes."""
    from justesse.frames.engine import progress

    delivery.check(file, *(options.get(name) for name in ("transition", "cost", "audited")))
    with patience("Counting", progress):
        result = verb(file, **rows.options, **options)
    if to:
        result.write_transition(to)
    delivery.deliver(result)
    if to and not delivery.json and delivery.format == "terminal":
        say(f"Written: {to}")
    return result
