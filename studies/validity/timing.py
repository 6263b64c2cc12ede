"""`python -m studies.validity --time`: how long the whole simulation takes, estimated from a few repetitions of each setting."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from studies.validity.case import Setting

CORES = 2
BRIEFLY, MOST = 0.1, 20  # seconds and repetitions that a setting is tried for, about
LONG, WORTHWHILE = 1.0, 20.0  # seconds: of the longest trial, and of a setting that is worth more trials


@dataclass(frozen=True)
class Timed:
    """Seconds that a setting takes on one core: once at the start, for each chunk, and for each repetition."""

    setting: Setting
    start: float
    chunk: float
    each: float

    @property
    def seconds(self) -> float:
        """Seconds for all repetitions on one core.

        >>> Timed(Setting("p", "s", 5, (), lambda many, seed: {}, repetitions=2000, chunk=500), 1.0, 0.5, 0.01).seconds
        23.0
        """
        many = self.setting.repetitions
        return self.start + self.chunk * -(-many // self.setting.chunk) + self.each * many


def timed(setting: Setting, *, clock: Callable[[], float] = time.process_time) -> Timed:
    """Run one repetition, which also pays for what is computed once, one more, and some; processor time is counted.

    Some settings simulate all repetitions of a chunk together, so a repetition costs less the more there are. As many are
    run as take about a tenth of a second. A setting that seems to take long is run with four times as many, until they
    take a second or are a chunk.
    """

    def seconds(repetitions: int) -> float:
        begin = clock()
        setting.run(repetitions, 0)
        return clock() - begin

    first = seconds(1)
    if not setting.repetitions:
        return Timed(setting, first, 0.0, 0.0)
    less, few = seconds(1), 1
    some = min(max(int(BRIEFLY / max(less, 1e-6)), 1), MOST) + 1
    more = seconds(some)
    while more < LONG and some < setting.chunk and more / some * setting.repetitions > WORTHWHILE:
        less, few, some = more, some, min(4 * some, setting.chunk)
        more = seconds(some)
    each = max((more - less) / (some - few), 0.0)
    chunk = max(more - some * each, 0.0)
    return Timed(setting, max(first - chunk - each, 0.0), chunk, each)


def estimates(settings: Iterable[Setting]) -> Iterator[str]:
    """Write a line for each setting, the sum of each part, and the whole on two cores."""
    parts: dict[str, float] = {}
    for setting in settings:
        if not setting.possible:
            yield f"{'':>18}{setting.part}: {setting.name}, n = {setting.n}: needs {setting.needs}"
            continue
        measured = timed(setting)
        parts[setting.part] = parts.get(setting.part, 0.0) + measured.seconds
        words = f"{setting.part}: {setting.name}, n = {setting.n}"
        yield f"{1000 * measured.each:9.2f} ms{measured.seconds:6.0f} s  {words}"
    for part, seconds in sorted(parts.items(), key=lambda item: -item[1]):
        yield f"{part}: {seconds / CORES / 60:.1f} min on {CORES} cores"
    yield f"all: {sum(parts.values()) / CORES / 60:.1f} min on {CORES} cores"
