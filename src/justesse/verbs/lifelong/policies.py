"""`justesse.lifelong_policies`: what each policy means, as a sentence, a small picture, and a table of weights."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.frames.columns import guess_column
from justesse.frames.native import TABLES, check_place
from justesse.frames.read_times import read_times
from justesse.frames.table import read_table
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.periods import Periods, grouped
from justesse.lifelong.policy import Policy, WeightFunction
from justesse.verbs.lifelong.policies_result import NamedPolicy, PolicyList
from justesse.verbs.lifelong.timeline import chosen_policy, policy_times
from justesse.verbs.recorded import recorded

PRESETS = ("recent", "uniform", "past", "cyclic:4", "window:3")
SHOWN, MOST = 8, 1000  # periods


@recorded
def lifelong_policies(
    data: Any = None,
    *,
    policies: Sequence[str | Policy | Mapping[str, float] | WeightFunction] | None = None,
    periods: int | None = None,
    time: str | None = None,
    period: str | float | None = None,
    half_life: float | None = None,
    to: str | Path | None = None,
) -> PolicyList:
    """List policies: how much each period of time matters, in a sentence and a small picture.

    Parameters
    ----------
    data
        Path, data frame or dict with a column of times, whose periods are weighed. Default: periods 1, 2, 3, ..., or
        those of a table of weights.
    policies
        Policies to list: recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), or a CSV
        with the columns period and weight. Default: an example of each.
    periods
        Number of periods of the pictures, without data. Default: 8.
    time
        Column with the times: dates or numbers. Default: the column named time, date, period or day.
    period
        Length of a period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default: each
        time if there are 60 or fewer, else the shortest that gives 60 or fewer.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    to
        Write the weights of one policy, such as weights.csv, to change them and use the file as a policy.

    Returns
    -------
    PolicyList
        Each policy with its sentence and its weights.

    Examples
    --------
    >>> listed = lifelong_policies(policies=["recent", "window:2"], periods=4)
    >>> [(policy.title, policy.picture) for policy in listed.policies]
    [('recent', '▁▂▄█'), ('window:2', '··██')]
    """
    if to is not None:
        check_place(Path(to), endings=TABLES, read=(data,))
    data = watched(data)
    names = list(PRESETS) if policies is None else list(policies)
    if not names:
        raise OptionError("Name at least one policy, such as recent.")
    chosen = [chosen_policy(policy, half_life if policy in ("recent", "past") else None) for policy in names]
    table = next((list(policy.table) for policy in chosen if policy.table), None)
    named = _numbered(table) if data is None and periods is None and table else _periods(data, periods, time, period)
    check_unchanged(data)
    listed = []
    for typed, policy in zip(names, chosen, strict=True):
        weights = policy.weights(named.names, policy_times(named, policy))
        listed.append(NamedPolicy(typed if isinstance(typed, str) else policy.name, policy, tuple(weights.tolist())))
    if half_life is not None and all(policy.policy.half_life is None for policy in listed):
        raise OptionError("half_life (--half-life) belongs to the policies recent and past. Leave it out, or name one.")
    result = PolicyList(tuple(named.names), tuple(listed), data)
    if to is not None:
        result.write(to)
    return result


def _periods(data: Any, many: int | None, time: str | None, period: str | float | None) -> Periods:
    """Take the periods of a table, or number some."""
    if data is None:
        if time is not None or period is not None:
            raise OptionError(
                "time and period (--time, --period) need a table with times. Name one, or leave them out."
            )
        n = SHOWN if many is None else many
        if not 1 <= n <= MOST:
            raise OptionError(f"periods (--periods) must be a number from 1 to {MOST}; got {many!r}.")
        return _numbered([str(at + 1) for at in range(n)])
    if many is not None:
        raise OptionError("periods (--periods) is for pictures without a table. Leave it out.")
    table = read_table(data)
    column = guess_column("time", table.columns, table.name, time)
    written = [str(value) for value in table.raw[column].to_pylist() if value not in (None, "")]
    if not written:
        raise OptionError(f"Column {column!r} of {table.name} has no times. Name another with time=… (--time).")
    distinct = list(dict.fromkeys(written))
    numbers, dated = read_times(distinct, column, table.name)
    order = np.argsort(numbers, kind="stable")
    moments, first = np.unique(numbers[order], return_index=True)
    return grouped(moments, [distinct[int(order[at])] for at in first.tolist()], dated, period)


def _numbered(names: Sequence[str]) -> Periods:
    """Take periods as they are named, one unit of time apart."""
    n = len(names)
    return Periods(tuple(names), np.arange(n), np.arange(n, dtype=float), "moment")
