"""`justesse plan …`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from justesse.cli.delivery import Delivery, PageDelivery
from justesse.cli.groups import INPUT, OUTPUT, PLAN
from justesse.cli.output import patience, say_written
from justesse.core.errors import OptionError
from justesse.verbs.plan.options import (
    ActiveLabelOptions,
    ClusterPlanOptions,
    DifferencePlanOptions,
    ErrorDifferencePlanOptions,
    ErrorPlanOptions,
    LabelListOptions,
    LabelPlanOptions,
    NoisePlanOptions,
    PrecisionPlanOptions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from justesse.verbs.plan.plan import Plan


@dataclass(frozen=True)
class LabelListFileOptions(LabelListOptions):
    """Where the rows to label go; -o is short for --to."""

    to: Annotated[Path | None, Parameter(alias=("--output", "-o"))] = None


app = App(name="plan", help="Plan a test: how many rows are enough.", help_format="plaintext")


@app.command
def precision(
    *,
    options: Annotated[PrecisionPlanOptions, PLAN],
    clusters: Annotated[ClusterPlanOptions, PLAN] = ClusterPlanOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compute how many rows are needed to know accuracy, or any share, to ± a half-width.

    For example:

      justesse plan precision --expected 0.9 --half-width 0.01

      justesse plan precision --half-width 0.02 --correlation 0.4 \\
        --clusters 500x4,2000x1

      justesse plan precision --half-width 0.02 --correlation 0.4 \\
        --cluster-price 2 --row-price 0.05
    """
    _plan(delivery, "plan_precision", options, clusters)


@app.command
def difference(
    *,
    options: Annotated[DifferencePlanOptions, PLAN],
    clusters: Annotated[ClusterPlanOptions, PLAN] = ClusterPlanOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compute how many rows are needed to detect a difference in accuracy.

    For example:

      justesse plan difference --difference 0.02 --disagreement 0.08

      justesse plan difference --difference 0.02 --disagreement 0.08 \\
        --correlation 0.2 --cluster-size 4
    """
    _plan(delivery, "plan_difference", options, clusters)


@app.command
def noise(*, options: Annotated[NoisePlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compute how many labels to re-check to know which share of them is wrong.

    For example:

      justesse plan noise --half-width 0.01 --noise-rate 0.05 --population 10000
    """
    _plan(delivery, "plan_noise", options)


@app.command
def labels(
    file: str | None = None,
    /,
    *,
    options: Annotated[LabelPlanOptions, PLAN] = LabelPlanOptions(),
    rows: Annotated[ActiveLabelOptions, INPUT] = ActiveLabelOptions(),
    written: Annotated[LabelListFileOptions, OUTPUT] = LabelListFileOptions(),
    delivery: PageDelivery = PageDelivery(),
) -> None:
    """Compare the price of a few expert labels with that of many cheap ones, or list the rows to label.

    With --active, --to gets the rows to label in order, with the probability of each. Add a column true, and pass the
    file to evaluate or compare with --audited.

    For example:

      justesse plan labels --half-width 0.02 --noise-rate 0.05 --expert-price 5

      justesse plan labels rows.csv --active --budget 300 --proba p_ --to label.csv

    Parameters
    ----------
    file
        With --active: file with the rows to choose from.
    """
    import justesse

    if rows.active and written.to is None:
        raise OptionError("Name the file for the rows to label, such as --to to_label.csv.")
    delivery.check(*([file] if file else []), to=written.to)
    with patience("Planning"):
        result = justesse.plan_labels(file, to=written.to, **asdict(options), **asdict(rows))
    delivery.deliver(result)
    if written.to is not None and delivery.to_terminal:
        say_written(written.to)


@app.command
def error(*, options: Annotated[ErrorPlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compute how many rows are needed to know the mean error of numeric predictions.

    For example:

      justesse plan error --half-width 0.1 --sd 1.3
    """
    _plan(delivery, "plan_error", options)


@app.command
def error_difference(*, options: Annotated[ErrorDifferencePlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compute how many rows are needed to detect a difference in mean error.

    For example:

      justesse plan error-difference --difference 0.1 --sd 0.8
    """
    _plan(delivery, "plan_error_difference", options)


def _plan(delivery: Delivery, verb: str, *options: Any) -> None:
    import justesse

    make: Callable[..., Plan] = getattr(justesse, verb)
    delivery.check()
    with patience("Planning"):
        result = make(**{name: value for group in options for name, value in asdict(group).items()})
    delivery.deliver(result)
