"""The options of `lifelong policies`."""

from pathlib import Path

from justesse.core.option_group import option_group


@option_group
class PolicyPeriodOptions:
    """Which policies are listed, for which periods.

    Parameters
    ----------
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
    """

    policies: list[str] | None = None
    periods: int | None = None
    time: str | None = None
    period: str | None = None
    half_life: float | None = None
    to: Path | None = None
