"""`justesse.plan_noise`: how many labels to re-check to know how many are wrong."""

from justesse.core.choice import check_choice
from justesse.core.choices import PlainMethod
from justesse.intervals.planning.noise import noise_n
from justesse.report.writing import message
from justesse.verbs.plan.options import NoisePlanOptions
from justesse.verbs.plan.plan import Need, Plan
from justesse.verbs.recorded import recorded


@recorded
def plan_noise(
    *,
    half_width: float,
    noise_rate: float = NoisePlanOptions.noise_rate,
    population: int | None = None,
    level: float = NoisePlanOptions.level,
    method: PlainMethod = NoisePlanOptions.method,
) -> Plan:
    """Compute how many labels to re-check, drawn at random, to know which share of them is wrong.

    Parameters
    ----------
    half_width
        Precision you need, such as 0.01 for ±1 point.
    noise_rate
        Share of wrong labels that you expect, such as 0.02. Default: 0.05.
    population
        Number of labels in all, such as 10000: fewer need re-checking if there are few. Default: unlimited.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    method
        Interval that will be used. Default: wilson.

    Returns
    -------
    Plan
        `n` is the number of labels.

    Examples
    --------

    >>> plan_noise(half_width=0.01, noise_rate=0.05, population=10_000).n
    1553
    """
    check_choice("method", method, PlainMethod)
    n = noise_n(half_width, rate=noise_rate, population=population, level=level, method=method)
    alternatives = tuple(
        {
            "half_width": width,
            "rate": share,
            "n": noise_n(width, rate=share, population=population, level=level, method=method),
        }
        for width in (2 * half_width, half_width, half_width / 2)
        if width < 0.5
        for share in sorted({noise_rate / 2, noise_rate, min(2 * noise_rate, 0.5)})
    )
    words = (
        "Re-check {n:count} labels drawn at random: a noise rate around {rate:number} is then known to ±{half_width:number} "
        "({level:percent} CI, {method})."
    )
    if population:
        words = (
            "Re-check {n:count} of {population:count} labels drawn at random: a noise rate around {rate:number} is then "
            "known to ±{half_width:number} ({level:percent} CI, {method})."
        )
    inputs = {"half_width": half_width, "rate": noise_rate, "population": population, "level": level, "method": method}
    return Plan(
        "noise",
        n,
        message(words, n=n, **inputs),
        (Need("Labels to re-check", n, message("for ±{half_width:number}, {level:percent} CI", **inputs)),),
        inputs,
        alternatives,
        ("labels to re-check are drawn at random, not because they look suspicious", "whoever re-checks them is right"),
        {},
    )
