"""What all lifelong commands read first: the columns, the periods of time, and the policy."""

from collections.abc import Mapping

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.core.recording import Gone
from justesse.frames.columns import guess_column
from justesse.frames.placed_versions import VersionColumns
from justesse.frames.policy_table import policy_table
from justesse.frames.rows import Rows
from justesse.frames.versions import VersionCounts
from justesse.lifelong.periods import Periods, between_trainings, grouped
from justesse.lifelong.policy import Policy, WeightFunction


def version_columns(table: Rows, version: str | None, time: str | None, trained: str | None) -> VersionColumns:
    """Take the columns named, and guess the usual names of version and time."""
    return VersionColumns(
        guess_column("version", table.columns, table.name, version),
        guess_column("time", table.columns, table.name, time),
        trained,
    )


def periods_of(counts: VersionCounts, period: str | float | None) -> Periods:
    """Make the test periods: what lies between two trainings if they are known and no length is asked for."""
    if period is None and counts.trained is not None:
        return between_trainings(counts.moments, counts.written, counts.trained)
    return grouped(counts.moments, counts.written, counts.dated, period)


def chosen_policy(policy: str | Policy | Mapping[str, float] | WeightFunction, half_life: float | None) -> Policy:
    """Take a policy as it is given: its name, an object, weights by period, or a function of the times.

    >>> chosen_policy({"2024": 1.0}, None).name, chosen_policy(lambda at, last: at, None).name
    ('table', 'function')
    """
    if isinstance(policy, (str, Gone)):
        return read_policy(policy, half_life)
    if half_life is not None:
        raise OptionError("half_life belongs to the names recent and past. Give it in the policy itself.")
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Mapping):
        return Policy("table", table={str(name): float(weight) for name, weight in policy.items()})
    return Policy("function", function=policy)


def read_policy(text: str | Gone, half_life: float | None) -> Policy:
    """Read a policy as it is typed, or a CSV of periods and weights."""
    if isinstance(text, Gone) or text.lower().endswith((".csv", ".tsv", ".parquet")):
        if half_life is not None:
            raise OptionError("A table of weights takes no half-life. Leave out half_life (--half-life).")
        return Policy("table", table=policy_table(text))
    return Policy.parse(text, half_life=half_life)


def policy_times(periods: Periods, policy: Policy) -> FloatArray:
    """Take real times for a half-life or a function of times, positions otherwise."""
    if policy.needs_times:
        return periods.times
    return np.arange(len(periods.names), dtype=float)


def next_periods(counts: VersionCounts, periods: Periods) -> list[int]:
    """Find the first test period after the training of each version."""
    if counts.trained is None:
        if len(counts.versions) > len(periods.names) + 1:
            raise InputError(
                f"{counts.where} has {len(counts.versions)} versions and {len(periods.names)} test periods: it is not clear "
                "when each was trained. Add a column with the time of training and name it (trained=…, --trained), or "
                "choose shorter periods (period=…, --period)."
            )
        return list(range(len(counts.versions)))
    starts = np.array([counts.moments[periods.of_moment == at].min() for at in range(len(periods.names))])
    # an item at the moment of training counts as before it, as in `between_trainings`
    return [int(np.searchsorted(starts, moment, side="right")) for moment in counts.trained.tolist()]
