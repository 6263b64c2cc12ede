"""`justesse lifelong alarms ALARMS --changes CHANGES --max-delay 30`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.groups import INPUT, INTERVALS
from justesse.cli.output import patience
from justesse.verbs.lifelong.options import AlarmOptions
from justesse.verbs.options.intervals import ConfidenceOptions


def alarms(
    table: str,
    /,
    *,
    changes: str,
    max_delay: float,
    columns: Annotated[AlarmOptions, INPUT] = AlarmOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Score the alarms of drift detectors against annotated changes.

    The first alarm from a change on, at most --max-delay later and before the next change, detects it. Further alarms
    in that time are repeated. All others are false.

    For example:

      justesse lifelong alarms alarms.csv --changes changes.csv --max-delay 30

      justesse lifelong alarms a.csv --changes c.csv --max-delay 500 --detector name

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a row for each alarm.
    changes
        Table with a row for each annotated change.
    max_delay
        Longest time after a change in which an alarm detects it, in days for dates, such as 30.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.alarms import lifelong_alarms

    delivery.check(table, changes)
    options: dict[str, Any] = {**asdict(columns), **asdict(intervals)}
    with patience("Matching", progress):
        result = lifelong_alarms(table, changes, max_delay=max_delay, **options)
    delivery.deliver(result)
