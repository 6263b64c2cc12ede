"""Whether trainings and test periods alternate as an evaluation over time wants; reported, not refused."""

from collections.abc import Sequence

import numpy as np


def chronology(next_period: Sequence[int], periods: int) -> list[str]:
    """List what is not as it should be in the order of trainings l_1 … l_T and test periods t_1 … t_N.

    Wanted: l_1 < t_1, t_N < l_T, and exactly one test period between two trainings (Prokopalo et al. 2020, section
    3.1).

    Parameters
    ----------
    next_period
        First test period after each training, from 0, in the order of training.
    periods
        Number of test periods.

    >>> chronology([0, 1, 2], 2)
    []
    >>> chronology([0, 2], 3)
    ['1 test period comes after the last training.',
     'Trainings and test periods do not alternate: 2 periods between trainings 1 and 2.']
    """
    findings = []
    first, last = next_period[0], next_period[-1]
    if first > 0:
        findings.append(f"{_periods(first)} before the first training.")
    if last < periods:
        findings.append(f"{_periods(periods - last)} after the last training.")
    gaps = np.diff(next_period)
    odd = np.flatnonzero(gaps != 1)
    if len(odd):
        at, between = int(odd[0]), int(gaps[odd[0]])
        many = "no period" if not between else f"{between} periods"
        more = f", and {len(odd) - 1} more such places" if len(odd) > 1 else ""
        findings.append(
            f"Trainings and test periods do not alternate: {many} between trainings {at + 1} and {at + 2}{more}."
        )
    return findings


def _periods(n: int) -> str:
    return "1 test period comes" if n == 1 else f"{n} test periods come"
