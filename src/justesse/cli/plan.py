"""`justesse plan …`."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App

from justesse.cli.delivery import Delivery
from justesse.cli.groups import PLAN
from justesse.cli.output import patience
from justesse.verbs.plan.options import (
    DifferencePlanOptions,
    ErrorDifferencePlanOptions,
    ErrorPlanOptions,
    LabelPlanOptions,
    NoisePlanOptions,
    PrecisionPlanOptions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from justesse.verbs.plan.plan import Plan

app = App(name="plan", help="Plan a test: how many rows are enough.", help_format="plaintext")


@app.command
def precision(*, options: Annotated[PrecisionPlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compute how many rows are needed to know accuracy, or any share, to ± a half-width.

    For example:

      justesse plan precision --expected 0.9 --half-width 0.01
    """
    _plan(delivery, "plan_precision", options)


@app.command
def difference(*, options: Annotated[DifferencePlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compute how many rows are needed to detect a difference in accuracy.

    For example:

      justesse plan difference --difference 0.02 --disagreement 0.08
    """
    _plan(delivery, "plan_difference", options)


@app.command
def noise(*, options: Annotated[NoisePlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compute how many labels to re-check to know which share of them is wrong.

    For example:

      justesse plan noise --half-width 0.01 --noise-rate 0.05 --population 10000
    """
    _plan(delivery, "plan_noise", options)


@app.command
def labels(*, options: Annotated[LabelPlanOptions, PLAN], delivery: Delivery = Delivery()) -> None:
    """Compare the price of a few expert labels with that of many cheap ones.

    For example:

      justesse plan labels --half-width 0.02 --noise-rate 0.05 --expert-price 5
    """
    _plan(delivery, "plan_labels", options)


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


def _plan(delivery: Delivery, verb: str, options: Any) -> None:
    import justesse

    make: Callable[..., Plan] = getattr(justesse, verb)
    delivery.check()
    with patience("Planning"):
        result = make(**asdict(options))
    delivery.deliver(result)
