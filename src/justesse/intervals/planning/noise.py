"""How many labels to re-check to know the share of wrong ones."""

from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.intervals import PlainMethod
from justesse.intervals.planning.precision import check_half_width, check_share, half_width_at
from justesse.intervals.planning.search import smallest


def noise_n(
    half_width: float,
    *,
    rate: float = 0.05,
    population: int | None = None,
    level: float = 0.95,
    method: PlainMethod = "wilson",
) -> int:
    """Return the smallest random sample of labels to re-check, out of `population` if it is known.

    Drawn without replacement, n of N labels tell as much as n·(N-1)/(N-n) drawn from an endless supply. The sample
    must be random: re-checking only suspicious labels says nothing of the rate.

    Parameters
    ----------
    half_width
        Half-width wanted, such as 0.01 for ±1 point.
    rate
        Share of wrong labels expected.
    population
        Number of labels to draw from; `None` if very many.
    level
        Confidence level.
    method
        Interval method.

    Examples
    --------
    >>> noise_n(0.01, rate=0.05)
    1838
    >>> noise_n(0.01, rate=0.05, population=10_000)
    1553
    """
    check_half_width(half_width)
    check_share("the noise rate", rate)
    check_level(level)
    if method == "wald" and rate in (0, 1):
        raise OptionError(f"Wald's interval has no width at {rate}. Choose another method.")
    if population is not None and population < 1:
        raise OptionError(f"The population is the number of labels and must be at least 1; got {population!r}.")

    def reaches(n: int) -> bool:
        if population is None:
            return half_width_at(rate, n, level=level, method=method) <= half_width
        if n >= population:
            return True
        worth = n * (population - 1) / (population - n)
        return half_width_at(rate, worth, level=level, method=method) <= half_width

    return smallest(reaches)
