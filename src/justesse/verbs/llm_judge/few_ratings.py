"""When ratings of people are too few for one figure, so that only the interval says something."""

from justesse.core.results import Estimate

FEW = 30  # rated units below which biases and rates are little more than a guess
WIDE = 0.1  # half-width of an interval that says little


def are_too_few(estimate: Estimate, rated: int) -> bool:
    """Tell whether a corrected figure rests on so few ratings that it should not be read without its interval.

    >>> from justesse.core.results import Interval
    >>> wide = Estimate("win_rate", 0.94, 5, Interval(0.3, 1, 0.95, "betting"))
    >>> are_too_few(wide, 5), are_too_few(wide, 200)
    (True, False)
    """
    return rated < FEW and estimate.interval is not None and estimate.interval.half_width > WIDE
