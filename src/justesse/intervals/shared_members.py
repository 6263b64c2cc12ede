"""A share of the pairs of some members, such as classifiers: pairs that share a member are not independent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.results import Interval
from justesse.intervals.wilson import wilson

METHOD = "wilson, pairs that share members"


def shared_members(hits: NDArray[Any], among: NDArray[Any], *, level: float = 0.95) -> Interval | None:
    """Compute an interval for the share of pairs that are hits among those that count, over members like these.

        r = Σ hits / Σ among,   u_i = Σ_j (e_ij + e_ji),   e = hits - r·among
        Var = Σ u_i² / (Σ among)² + 1/M²,   n = r̃(1 - r̃)/Var,   r̃ = (rM + 1)/(M + 2),   then Wilson's with n pairs

    `hits` and `among` are M × M, true or false, hits only where `among` is; `None` if nothing counts. The term 1/M² and
    r̃ are what one more member would bring that hits every other time: without it no hits at all would pass for
    certainty. Rows of the data are taken as they are. Wrong to use for members that were chosen by their hits.
    Fafchamps and Gubert (2007); Aronow, Samii and Assenova (2015); Wilson (1927).

    Parameters
    ----------
    hits
        Which pairs are hits, as an M × M table.
    among
        Which pairs count, as an M × M table.
    level
        Confidence level.

    Returns
    -------
    Interval or None
        The interval; `None` if nothing varies.

    Examples
    --------
    >>> none = np.zeros((30, 30), dtype=bool)
    >>> print(shared_members(none, ~np.eye(30, dtype=bool)))
    [0.0000, 0.1236]
    """
    count, n, members = float(np.sum(hits)), float(np.sum(among)), int(np.sum(np.any(among | among.T, axis=0)))
    if not n:
        return None
    share = count / n
    apart = hits.astype(float) - share * among
    each = apart.sum(axis=0) + apart.sum(axis=1)
    variance = float(each @ each) / n**2 + 1 / members**2
    near = (share * members + 1) / (members + 2)
    effective = min(n, near * (1 - near) / variance)
    ends = wilson(share * effective, effective, level=level)
    return Interval(float(ends.low), float(ends.high), level, METHOD, (0.0, 1.0))
