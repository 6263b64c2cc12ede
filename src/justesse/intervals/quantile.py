"""Quantiles of resamples, one per column, with undefined draws left out."""

import numpy as np

from justesse.core.arrays import Array


def quantile(values: Array, share: Array) -> Array:
    """Compute one quantile per column, leaving NaN draws out; NaN where no draw is defined.

        x_(k) + (h - k)·(x_(k+1) - x_(k)),   h = share·(m - 1),   k = ⌊h⌋

    x_(k) is the k-th of the m defined draws in order, from 0: as `np.quantile`, which takes the columns one by one
    where their shares or numbers of draws differ.

    Parameters
    ----------
    values
        Draws, on the first axis.
    share
        Share of the draws below, one for all columns or one per column; NaN gives NaN.

    >>> quantile(np.array([[1.0, np.nan], [2.0, 5.0], [4.0, 7.0]]), np.array([0.5, 0.25]))
    array([2. , 5.5])
    """
    columns = np.sort(values.reshape(len(values), -1).T, axis=1)  # NaN comes last
    shares = np.broadcast_to(share, values.shape[1:]).reshape(-1)
    defined = len(values) - np.isnan(columns).sum(1)
    known = (defined > 0) & ~np.isnan(shares)
    place = np.where(known, shares, 0.0) * np.maximum(defined - 1, 0)
    below = np.floor(place).astype(np.intp)
    column = np.arange(len(columns))
    low = columns[column, below]
    high = columns[column, np.minimum(below + 1, np.maximum(defined - 1, 0))]
    part = place - below
    # from the nearer of both draws, so that a share of 1 gives the largest draw itself
    between = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))
    return np.where(known, between, np.nan).reshape(values.shape[1:])
