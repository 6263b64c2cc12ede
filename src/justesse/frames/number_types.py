"""Whole numbers and decimals in one Python list, where classes would differ but numbers do not."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from justesse.frames.rows import LARGEST_EXACT, check_exact


def one_number_type(values: Any, name: str) -> Any:
    """Return a list that mixes integers and decimals as decimals, and anything else unchanged.

    Parameters
    ----------
    values
        List, tuple, array or column.
    name
        What the user calls it, for an integer too large to be exact.

    Examples
    --------
    >>> one_number_type([1, 2.5, None], "incumbent"), one_number_type([1, 2], "incumbent")
    ([1.0, 2.5, None], [1, 2])
    """
    if not isinstance(values, (list, tuple)) and getattr(values, "dtype", None) != np.dtype(object):
        return values
    present = [value for value in values if value is not None]
    if not all(isinstance(value, Real) and not isinstance(value, bool) for value in present):
        return values
    whole = [isinstance(value, Integral) for value in present]
    if all(whole) or not any(whole):
        return values
    large = (
        (row, int(value))
        for row, value in enumerate(values, start=1)
        if isinstance(value, Integral) and abs(int(value)) >= LARGEST_EXACT
    )
    check_exact(large, "the arrays", name)
    return [None if value is None else float(value) for value in values]
