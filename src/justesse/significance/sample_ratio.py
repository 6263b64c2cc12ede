"""Whether traffic was split as planned, tested at every look."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import TestResult

EVIDENCE = 10_000  # events' worth of the prior that traffic is split as planned


def sample_ratio(counts: ArrayLike, shares: Sequence[float]) -> TestResult:
    """Test whether each event went to its variant with the planned chances, at every look so far.

        K_t = Π_j Γ(a_j + n_j)/Γ(a_j) · Γ(a)/Γ(a + n) · Π_j share_j^(-n_j),   a_j = 10,000 · share_j;   p = 1/max K_t

    K_t is the odds of a Dirichlet mixture of all splits against the planned one, and not expected to grow if traffic
    is split as planned, so p ≤ 0.05 has a chance of at most 5 % however often one looks. Wrong to use if one person
    brings many events: then users are split, not events. Lindon and Malek (2022).

    Parameters
    ----------
    counts
        Events of each variant (columns) up to each look (rows), or at one look.
    shares
        Planned share of each variant.

    Examples
    --------
    >>> round(sample_ratio([5000, 5000], [0.5, 0.5]).pvalue, 3)
    1.0
    >>> sample_ratio([5400, 4600], [0.5, 0.5]).pvalue < 0.001
    True
    """
    events = np.atleast_2d(np.asarray(counts, dtype=float))
    planned = np.asarray(shares, dtype=float)
    if planned.shape != (events.shape[1],) or (planned <= 0).any():
        raise OptionError(
            f"Each of the {events.shape[1]} variants needs a planned share above 0; got {list(shares)!r}."
        )
    planned = planned / planned.sum()
    most = float(max(0.0, sample_ratio_log_odds(events, planned).max()))
    return TestResult(
        "sample-ratio",
        float(np.exp(min(most, 700.0))),
        float(np.exp(-most)),
        float(events[-1].sum()),
        "two-sided",
        ("each event is assigned independently of the others", "the planned shares do not change"),
    )


def sample_ratio_log_odds(events: Array, planned: Array) -> Array:
    """Return the log odds against the planned split at each look (rows of events)."""
    from scipy.special import gammaln

    prior = EVIDENCE * planned
    n = events.sum(axis=1)
    rising = (gammaln(prior + events) - gammaln(prior)).sum(axis=1) - (gammaln(prior.sum() + n) - gammaln(prior.sum()))
    return np.asarray(rising - events @ np.log(planned))
