"""`justesse plan …`."""

from typing import TYPE_CHECKING, Any, Literal

from cyclopts import App

from justesse.cli.delivery import Delivery
from justesse.cli.output import patience
from justesse.cli.share import MaybeShare, Share
from justesse.cli.whole import MaybeWhole, Whole
from justesse.intervals import PlainMethod

if TYPE_CHECKING:
    from collections.abc import Callable

    from justesse.verbs.plan import Plan

app = App(name="plan", help="How many rows are enough, before they are gathered.", help_format="plaintext")


@app.command
def precision(
    *,
    half_width: Share,
    expected: Share = 0.5,
    level: Share = 0.95,
    method: PlainMethod = "wilson",
    assurance: MaybeShare = None,
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> None:
    """How many rows to know accuracy, or any share, to ± a half-width.

    Example:

      justesse plan precision --expected 0.9 --half-width 0.01

    Parameters
    ----------
    half_width
        The precision wanted: 0.01 is ±1 point.
    expected
        The accuracy you expect; 0.5 is the worst case.
    level
        Confidence level.
    method
        Interval that will be used.
    assurance
        Keep the half-width with this probability, not only at the expected accuracy.
    """
    _plan(
        delivery,
        "plan_precision",
        half_width=half_width,
        expected=expected,
        level=level,
        method=method,
        assurance=assurance,
    )


@app.command
def difference(
    *,
    difference: Share,
    disagreement: Share,
    power: Share = 0.8,
    level: Share = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> None:
    """How many rows two classifiers must both answer for a difference to be seen.

    Example:

      justesse plan difference --difference 0.02 --disagreement 0.08

    Parameters
    ----------
    difference
        How much better the candidate is, in accuracy: 0.02 is 2 points.
    disagreement
        How often exactly one of the two is right.
    power
        Probability of finding the difference.
    level
        Confidence level.
    alternative
        greater or less for a one-sided test.
    """
    _plan(
        delivery,
        "plan_difference",
        difference=difference,
        disagreement=disagreement,
        power=power,
        level=level,
        alternative=alternative,
    )


@app.command
def noise(
    *,
    half_width: Share,
    noise_rate: Share = 0.05,
    population: MaybeWhole = None,
    level: Share = 0.95,
    method: PlainMethod = "wilson",
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> None:
    """How many labels to re-check to know which share of them is wrong.

    Example:

      justesse plan noise --half-width 0.01 --noise-rate 0.05 --population 10000

    Parameters
    ----------
    half_width
        The precision wanted: 0.01 is ±1 point.
    noise_rate
        The share of wrong labels you expect.
    population
        How many labels there are; fewer need re-checking when there are few.
    level
        Confidence level.
    method
        Interval that will be used.
    """
    _plan(
        delivery,
        "plan_noise",
        half_width=half_width,
        noise_rate=noise_rate,
        population=population,
        level=level,
        method=method,
    )


@app.command
def labels(
    *,
    half_width: Share,
    noise_rate: Share,
    expected: Share = 0.9,
    classes: Whole = 2,
    expert_price: float = 1.0,
    cheap_price: float = 1.0,
    level: Share = 0.95,
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> None:
    """A few labels by an expert, or many cheap ones with mistakes?

    Example:

      justesse plan labels --half-width 0.02 --noise-rate 0.05 --expert-price 5 \\
          --cheap-price 1

    Parameters
    ----------
    half_width
        The precision wanted for the accuracy.
    noise_rate
        The share of cheap labels that are wrong.
    expected
        The accuracy you expect.
    classes
        Number of classes.
    expert_price
        Price of one expert label.
    cheap_price
        Price of one cheap label.
    level
        Confidence level.
    """
    _plan(
        delivery,
        "plan_labels",
        half_width=half_width,
        noise_rate=noise_rate,
        expected=expected,
        classes=classes,
        expert_price=expert_price,
        cheap_price=cheap_price,
        level=level,
    )


@app.command
def error(
    *,
    half_width: float,
    sd: float,
    level: Share = 0.95,
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> None:
    """How many rows to know the mean error of numeric predictions to ± a half-width.

    Example:

      justesse plan error --half-width 0.1 --sd 1.3

    Parameters
    ----------
    half_width
        Half-width of the confidence interval, in the unit of the labels.
    sd
        Standard deviation of the errors of single rows, from a pilot.
    level
        Confidence level. Default: 0.95.
    """
    _plan(delivery, "plan_error", half_width=half_width, sd=sd, level=level)


@app.command
def error_difference(
    *,
    difference: float,
    sd: float,
    power: Share = 0.8,
    level: Share = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> None:
    """How many rows to detect a difference in mean error between two models that predict numbers.

    Example:

      justesse plan error-difference --difference 0.1 --sd 0.8

    Parameters
    ----------
    difference
        Difference in mean error that must be detected, in the unit of the labels.
    sd
        Standard deviation of the paired differences between row errors, from a pilot.
    power
        Probability of detecting the difference. Default: 0.8.
    level
        Confidence level. Default: 0.95.
    alternative
        greater asks only whether the candidate is better. Default: two-sided.
    """
    _plan(
        delivery,
        "plan_error_difference",
        difference=difference,
        sd=sd,
        power=power,
        level=level,
        alternative=alternative,
    )


def _plan(delivery: Delivery, verb: str, **options: Any) -> None:
    from justesse.verbs import plan

    make: Callable[..., Plan] = getattr(plan, verb)
    delivery.check()
    with patience("Planning"):
        result = make(**options)
    delivery.deliver(result)
