"""Tails of the normal distribution."""

from statistics import NormalDist

from justesse.core.results import Alternative


def z_pvalue(z: float, alternative: Alternative = "two-sided") -> float:
    """Return the chance of a value at least this far out: on both sides, above ("greater") or below ("less").

    >>> round(z_pvalue(1.959964), 4), round(z_pvalue(1.644854, "greater"), 4)
    (0.05, 0.05)
    """
    tail = {"two-sided": -abs(z), "greater": -z, "less": z}[alternative]
    return NormalDist().cdf(tail) * (2 if alternative == "two-sided" else 1)
