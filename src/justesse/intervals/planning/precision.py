"""How many rows to know a proportion to ± a half-width."""

from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.intervals import PROPORTION, PlainMethod
from justesse.intervals.planning.search import smallest


def check_half_width(half_width: float) -> None:
    if not 0 < half_width < 0.5:
        raise OptionError(f"The half-width must lie between 0 and 0.5, such as 0.01 for ±1 point; got {half_width!r}.")


def check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise OptionError(f"{name[:1].upper()}{name[1:]} must lie between 0 and 1; got {value!r}.")


def half_width_at(share: float, n: float, *, level: float = 0.95, method: PlainMethod = "wilson") -> float:
    """Return the half-width of the interval of a share observed on n rows.

    Parameters
    ----------
    share
        Observed share.
    n
        Number of rows or data sets.
    level
        Confidence level.
    method
        Interval method.

    Examples
    --------
    >>> round(half_width_at(0.9, 3461), 5)
    0.01
    """
    ends = PROPORTION[method](share * n, n, level=level)
    return float(ends.high - ends.low) / 2


def binomial_tail(k: int, n: int, p: float) -> float:
    """Return P(X >= k) for n draws of chance p; unlike SciPy's own binomial without a limit on n."""
    from scipy.special import betainc

    return 0.0 if k > n else 1.0 if k <= 0 else float(betainc(k, n - k + 1, p))


def precision_n(
    half_width: float,
    *,
    expected: float = 0.5,
    level: float = 0.95,
    method: PlainMethod = "wilson",
    assurance: float | None = None,
) -> int:
    """Compute the smallest n whose interval has at most this half-width.

    Without `assurance`, at the share expected: about half the time the share observed will be nearer to one half
    and the interval a little wider. With it, the half-width is kept with at least that probability. The default
    share, one half, is the worst case.

    Parameters
    ----------
    half_width
        Half-width wanted, such as 0.01 for ±1 point.
    expected
        Accuracy or share expected.
    level
        Confidence level.
    method
        Interval method.
    assurance
        Probability that the half-width is kept.

    Examples
    --------
    >>> precision_n(0.01, expected=0.9)
    3461
    >>> precision_n(0.01, expected=0.9, assurance=0.9)
    3656
    """
    check_half_width(half_width)
    check_share("the expected share", expected)
    check_level(level)
    if method == "wald" and expected in (0, 1):
        raise OptionError(f"Wald's interval has no width at {expected}. Choose another method.")
    if assurance is None:
        return smallest(lambda n: half_width_at(expected, n, level=level, method=method) <= half_width)
    if not 0 < assurance < 1:
        raise OptionError(f"The assurance must be a probability between 0 and 1; got {assurance!r}.")

    def reaches(n: int) -> bool:
        # an interval narrows as the share leaves one half: find where it is narrow enough, on both sides alike
        low, high = (n - 1) // 2, n + 1
        while high - low > 1:
            middle = (low + high) // 2
            narrow = half_width_at(middle / n, n, level=level, method=method) <= half_width
            low, high = (low, middle) if narrow else (middle, high)
        return binomial_tail(high, n, expected) + binomial_tail(high, n, 1 - expected) >= assurance

    rarer = max(min(expected, 1 - expected), 1e-3)
    return smallest(reaches, window=lambda n: int(3 / rarer) + 30)
