"""`justesse noise estimate | profile | bias | bounds | breakdown`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.gate import say_exit_code
from justesse.cli.groups import ANSWERS, INPUT, INTERVALS, LABELS, MEASURES
from justesse.cli.noise_app import app
from justesse.cli.output import patience, say_written
from justesse.verbs.noise.options import (
    ClaimOptions,
    ClusterOptions,
    CostOptions,
    ModelRateOptions,
    NoiseSource,
    PredictedColumnOptions,
    TrueColumnOptions,
)
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.options.intervals import SidedOptions
from justesse.verbs.options.label_noise import NoiseRateOptions, RecheckedOptions


@app.command
def bounds(
    file: str,
    /,
    *,
    columns: Annotated[PredictedColumnOptions, INPUT] = PredictedColumnOptions(),
    measures: Annotated[CostOptions, MEASURES] = CostOptions(),
    labels: Annotated[NoiseRateOptions, LABELS] = NoiseRateOptions(),
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Bound every measure when only the noise rate or the transition table is known.

    The bounds hold for certain if the rate or the table is right, whichever labels are wrong.

    For example:

      justesse noise bounds predictions.csv --noise-rate 3%

      justesse noise bounds predictions.csv --transition t.csv --json

    Parameters
    ----------
    file
        File with labels and predictions, or a pattern in quotes such as 'day-*.csv'.
    """
    from justesse.verbs.noise.bounds import noise_bounds

    _run(noise_bounds, file, delivery, columns, measures, labels, answers)


@app.command
def breakdown(
    file: str,
    /,
    *,
    columns: Annotated[PredictedColumnOptions, INPUT] = PredictedColumnOptions(),
    measures: Annotated[ClaimOptions, MEASURES] = ClaimOptions(),
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Count how many wrong labels a claim survives, whichever they are.

    Exit code 1 if a claim is false with the labels as they are; otherwise 0, or 2 for bad input.

    For example:

      justesse noise breakdown predictions.csv --claim "accuracy>=0.9"

      justesse noise breakdown predictions.csv --claim "recall:spam>0.8"

    Parameters
    ----------
    file
        File with labels and predictions, or a pattern in quotes such as 'day-*.csv'.
    """
    from justesse.verbs.noise.breakdown import noise_breakdown

    result = _run(noise_breakdown, file, delivery, columns, measures, answers)
    if measures.claim:
        say_exit_code(delivery, "Claim" if len(measures.claim) == 1 else "Claims", result.claims_hold)
    return 1 if measures.claim and not result.claims_hold else 0


@app.command
def bias(
    file: str,
    /,
    *,
    columns: Annotated[TrueColumnOptions, INPUT] = TrueColumnOptions(),
    measures: Annotated[CostOptions, MEASURES] = CostOptions(),
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compute how far wrong labels moved each measure, where the true classes are known.

    For example:

      justesse noise bias predictions.parquet --true checked

    Parameters
    ----------
    file
        File with labels, predictions and true classes, or a pattern in quotes such as 'day-*.csv'.
    """
    from justesse.verbs.noise.bias import noise_bias

    _run(noise_bias, file, delivery, columns, measures, answers)


@app.command
def profile(
    file: str,
    /,
    *,
    columns: Annotated[TrueColumnOptions, INPUT] = TrueColumnOptions(),
    intervals: Annotated[SidedOptions, INTERVALS] = SidedOptions(),
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Show how often a classifier repeats wrong labels, and how often it predicts the true class instead.

    For example:

      justesse noise profile predictions.parquet --true checked

    Parameters
    ----------
    file
        File with labels, predictions and true classes, or a pattern in quotes such as 'day-*.csv'.
    """
    from justesse.verbs.noise.profile import noise_profile

    _run(noise_profile, file, delivery, columns, intervals, answers)


@dataclass(frozen=True)
class NamedClusterOptions(ClusterOptions):
    """Rows that are not independent; --group is an older name."""

    cluster: Annotated[str | None, Parameter(alias="--group")] = ClusterOptions.cluster


@dataclass(frozen=True)
class NamedModelRateOptions(ModelRateOptions):
    """The share of wrong labels by a model: --from clean."""

    source: Annotated[NoiseSource | None, Parameter(alias="--from")] = ModelRateOptions.source


@app.command
def estimate(
    file: str,
    /,
    *,
    columns: Annotated[TrueColumnOptions, INPUT] = TrueColumnOptions(),
    clusters: Annotated[NamedClusterOptions, INPUT] = NamedClusterOptions(),
    intervals: Annotated[SidedOptions, INTERVALS] = SidedOptions(),
    labels: Annotated[RecheckedOptions, LABELS] = RecheckedOptions(),
    model: Annotated[NamedModelRateOptions, LABELS] = NamedModelRateOptions(),
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    to: Annotated[Path | None, Parameter(group="Output")] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Estimate how many labels are wrong, and which class is labelled as which.

    Needs true classes, a random sample of re-checked rows, or a model's probabilities.

    For example:

      justesse noise estimate labels.csv --true checked --to t.csv

      justesse noise estimate rows.csv --audited checked.csv --on id

      justesse noise estimate answers.csv --true gold --cluster item

      justesse noise estimate rows.csv --from clean --proba p_ \\
          --audited checked.csv --on id

    Parameters
    ----------
    file
        File with labels, or a pattern in quotes such as 'day-*.csv'.
    to
        Write the transition table as CSV, too, for --transition of other commands.
    """
    from justesse.verbs.noise.estimate import noise_estimate

    delivery.check(file, labels.audited, to=to)
    _run(noise_estimate, file, delivery, columns, clusters, intervals, labels, model, answers, to=to)
    if to and delivery.to_terminal:
        say_written(to)


def _run(
    verb: Any, file: str, delivery: Delivery, columns: PredictedColumnOptions, *groups: Any, to: Path | None = None
) -> Any:
    """Count, compute and deliver; `to` is where the transition table goes."""
    from justesse.frames.engine import progress

    options = {name: value for group in (columns, *groups) for name, value in asdict(group).items()}
    delivery.check(file, *(options.get(name) for name in ("transition", "cost", "audited")))
    options["classes"] = class_names(columns.classes, columns.as_text)
    with patience("Counting", progress):
        result = verb(file, **options)
    if to:
        result.write_transition(to)
    delivery.deliver(result)
    return result
