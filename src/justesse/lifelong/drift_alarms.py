"""Alarms of a drift detector against annotated changes: found, missed, false, and how late."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval
from justesse.intervals.clopper_pearson import clopper_pearson

FALSE_METHOD, DELAY_METHOD = "garwood", "student"


@dataclass(frozen=True)
class AlarmMatches:
    """Which alarm found which change.

    Parameters
    ----------
    changes
        Times of the changes, in order.
    found_at
        Time of the first alarm in time for each change; NaN if it was missed.
    false
        Times of the false alarms.
    repeated
        Number of further alarms for a change that was found already.
    exposure
        Length of time in which an alarm is false.
    """

    changes: FloatArray
    found_at: FloatArray
    false: FloatArray
    repeated: int
    exposure: float

    @property
    def delays(self) -> FloatArray:
        """Time from each change that was found to its alarm."""
        late = self.found_at - self.changes
        return np.asarray(late[~np.isnan(late)])


def match_alarms(alarms: ArrayLike, changes: ArrayLike, *, max_delay: float, start: float, end: float) -> AlarmMatches:
    """Match alarms to changes: the first alarm from a change on, at most so late and before the next change, finds it.

    Further alarms in that time are repeated; all others are false.

    Parameters
    ----------
    alarms, changes
        Times.
    max_delay
        Longest time after a change in which an alarm finds it.
    start, end
        First and last time that was watched.

    >>> matches = match_alarms([5, 12, 13, 40], [10, 30], max_delay=8, start=0, end=50)
    >>> matches.found_at.tolist(), matches.false.tolist(), matches.repeated, matches.exposure
    ([12.0, nan], [5.0, 40.0], 1, 34.0)
    """
    if not 0 < max_delay < math.inf:
        raise OptionError(f"The longest delay must be a finite number above 0; got {max_delay!r}.")
    if not end > start:
        raise OptionError(f"The time watched must end after its start; got {start:g} to {end:g}.")
    alarm_times, change_times = np.sort(np.asarray(alarms, dtype=float)), np.unique(np.asarray(changes, dtype=float))
    for times, what in ((alarm_times, "alarms"), (change_times, "changes")):
        if len(times) and not start <= times[0] <= times[-1] <= end:
            odd = times[0] if times[0] < start else times[-1]
            raise OptionError(
                f"One of the {what}, at {odd:g}, lies outside the time watched, {start:g} to {end:g}. Correct start "
                "and end (--start, --end)."
            )
    stop = np.minimum(change_times + max_delay, np.append(change_times[1:], math.inf))
    first = np.searchsorted(alarm_times, change_times, side="left")
    # up to and including the longest delay, but before the next change
    whole = change_times + max_delay < np.append(change_times[1:], math.inf)
    last = np.searchsorted(alarm_times, np.where(whole, np.nextafter(stop, math.inf), stop), side="left")
    inside = np.zeros(len(alarm_times), dtype=bool)
    for low, high in zip(first.tolist(), last.tolist(), strict=True):
        inside[low:high] = True
    some = last > first
    found_at = np.full(len(change_times), math.nan)
    found_at[some] = alarm_times[first[some]]
    watched = float(end - start - np.sum(np.minimum(stop, end) - change_times))
    return AlarmMatches(change_times, found_at, alarm_times[~inside], int(inside.sum() - some.sum()), watched)


def alarm_figures(matches: AlarmMatches, *, level: float = 0.95) -> dict[str, Estimate]:
    """Compute the share of changes found, the mean delay and the mean time between false alarms, with intervals.

    Parameters
    ----------
    matches
        Which alarm found which change.
    level
        Confidence level.

    Returns
    -------
    dict
        Estimates `detected`, `delay` and `between_false`.

    Notes
    -----
    Bifet et al. (2013) call 1 - detected, delay and between_false MDR, MTD and MTFA. Intervals: Clopper-Pearson for the
    share, Student's t for the delay, Garwood's exact interval of a Poisson rate for false alarms.

    >>> figures = alarm_figures(match_alarms([5, 12, 33, 60], [10, 30], max_delay=8, start=0, end=100))
    >>> {name: round(figure.value, 2) for name, figure in figures.items()}
    {'detected': 1.0, 'delay': 2.5, 'between_false': 42.0}
    """
    delays, changes = matches.delays, len(matches.changes)
    return {
        "detected": _detected(len(delays), changes, level),
        "delay": _delay(delays, level),
        "between_false": _between_false(len(matches.false), matches.exposure, level),
    }


def _detected(hits: int, changes: int, level: float) -> Estimate:
    words = "Changes detected"
    if not changes:
        return Estimate("detected", math.nan, 0, undefined="no change is annotated", words=words, is_share=True)
    ends = clopper_pearson(np.array([hits]), np.array([changes]), level=level)
    interval = Interval(float(ends.low[0]), float(ends.high[0]), level, ends.method, (0.0, 1.0))
    return Estimate("detected", hits / changes, changes, interval, words=words, is_share=True)


def _delay(delays: FloatArray, level: float) -> Estimate:
    from scipy.special import stdtrit

    n, words = len(delays), "Mean delay"
    if not n:
        return Estimate("delay", math.nan, 0, undefined="no change was detected", words=words)
    value = float(delays.mean())
    if n < 2:
        return Estimate("delay", value, n, undefined="one delay has no interval", words=words)
    reach = float(stdtrit(n - 1, (1 + level) / 2) * delays.std(ddof=1) / math.sqrt(n))
    interval = Interval(value - reach, value + reach, level, DELAY_METHOD, (0.0, math.inf))
    return Estimate("delay", value, n, interval, words=words)


def _between_false(n: int, exposure: float, level: float) -> Estimate:
    """Divide the time by the number of false alarms; without any, only a lower bound exists."""
    from scipy.special import gammaincinv

    words, tail = "Mean time between false alarms", (1 - level) / 2
    if not exposure > 0:
        return Estimate("between_false", math.nan, n, undefined="no time is left outside the delays", words=words)
    low = exposure / float(gammaincinv(n + 1, 1 - tail))
    high = exposure / float(gammaincinv(n, tail)) if n else math.inf
    interval = Interval(low, high, level, FALSE_METHOD, (0.0, math.inf))
    if not n:
        return Estimate("between_false", math.nan, 0, interval, undefined="there is no false alarm", words=words)
    return Estimate("between_false", exposure / n, n, interval, words=words)


def detection_ratio(figures: dict[str, Estimate]) -> float:
    """Compute Bifet's mean time ratio: MTFA / MTD · (1 - MDR); higher is better.

    >>> round(detection_ratio(alarm_figures(match_alarms([5, 12, 33, 60], [10, 30], max_delay=8, start=0, end=100))), 2)
    16.8
    """
    delay = figures["delay"].value
    if not delay > 0:
        return math.nan
    return figures["between_false"].value / delay * figures["detected"].value
