"""Streams: the prequential error, kappa and kappa-temporal, and the recent error, if neighbouring items are alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.lifelong.drift_alarms import alarm_figures, match_alarms
from justesse.lifelong.late_labels import known_after
from justesse.lifelong.periods import blocks_of
from justesse.lifelong.prequential_figures import prequential_figures
from studies.validity.case import Case, Hits, Setting, covered

ERROR, LATEST, KAPPA, TEMPORAL = (
    "prequential error",
    "prequential error, recent items count more",
    "kappa of a stream",
    "kappa-temporal",
)
LONGER = "longer streams, with more blocks of time"
FADING = 0.999


@dataclass(frozen=True)
class DailyStream:
    """Items of some days in one period: error rate, how often the label changes, and how alike the errors of a day are."""

    days: int
    a_day: int
    rate: float = 0.2
    change: float = 0.3
    alike: float = 0.0

    @property
    def n(self) -> int:
        return self.days * self.a_day

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw labels that last, and predictions; both classes are as frequent and answered as well."""
        labels = (rng.integers(2) + np.cumsum(rng.random(self.n) < self.change)) % 2
        rates = np.full(self.days, self.rate)
        if self.alike:
            spread = (1 - self.alike) / self.alike
            rates = rng.beta(self.rate * spread, (1 - self.rate) * spread, self.days)
        wrong = rng.random(self.n) < np.repeat(rates, self.a_day)
        return labels, np.where(wrong, 1 - labels, labels)


def figures(drawn: DailyStream, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Evaluate such streams, again and again."""
    rng = stream(seed, "streams")
    days = np.arange(drawn.days, dtype=float)
    period = np.zeros(drawn.n, dtype=np.int64)
    block = np.repeat(blocks_of(days, np.zeros(drawn.days, dtype=np.int64), True), drawn.a_day)
    truths = {ERROR: drawn.rate, LATEST: drawn.rate, KAPPA: 1 - 2 * drawn.rate, TEMPORAL: 1 - drawn.rate / drawn.change}
    intervals = {what: [] for what in truths}  # type: ignore[var-annotated]
    for _ in range(repetitions):
        labels, answers = drawn.draw(rng)
        made = prequential_figures(labels, answers, known_after(drawn.n), period, block, ["all"], fading=FADING)
        for what, estimate in (
            (ERROR, made.error),
            (LATEST, made.latest),
            (KAPPA, made.kappas["kappa"]),
            (TEMPORAL, made.kappas["kappa_temporal"]),
        ):
            intervals[what].append(estimate.interval)
    return {what: covered(intervals[what], truth) for what, truth in truths.items()}


def alarms(rate: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw false alarms at this rate, and delays that are exponential with mean 10; those above 40 are missed."""
    rng = stream(seed, "drift alarms")
    changes = np.arange(500.0, 10_000.0, 500.0)
    share = 1 - np.exp(-4)
    mean = 10 - 40 * np.exp(-4) / share  # of an exponential delay below 40
    intervals = {what: [] for what in ALARMS}  # type: ignore[var-annotated]
    for _ in range(repetitions):
        delays = rng.exponential(10.0, len(changes))
        false = rng.uniform(0, 10_000, rng.poisson(10_000 * rate))
        outside = (false % 500 > 40) | (false < 500)
        raised = np.concatenate([(changes + delays)[delays <= 40], false[outside]])
        measured = alarm_figures(match_alarms(raised, changes, max_delay=40, start=0, end=10_000))
        for what, name in zip(ALARMS, ("detected", "delay", "between_false"), strict=True):
            intervals[what].append(measured[name].interval)
    truths = (share, mean, 1 / rate)
    return {what: covered(intervals[what], float(truth)) for what, truth in zip(ALARMS, truths, strict=True)}


ALARMS = ("changes detected", "mean delay of alarms", "mean time between false alarms")
CASES = (
    Case(ERROR, instead=LONGER),
    Case(LATEST, about=("interval:wilson-design-effect",), instead=LONGER),
    Case(KAPPA, about=("interval:block-jackknife",), instead=LONGER),
    Case(TEMPORAL, about=("interval:block-jackknife",), instead=LONGER),
)
STREAMS = {
    "60 days of 20 items": DailyStream(60, 20),
    "60 days of 20 items, alike (0.1)": DailyStream(60, 20, alike=0.1),
    "400 days of 10 items, alike (0.1), labels that last": DailyStream(400, 10, change=0.15, alike=0.1),
    "10 days of 30 items, alike (0.1)": DailyStream(10, 30, alike=0.1),
    "60 days of 20 items, few errors": DailyStream(60, 20, rate=0.03),
}
ALARM_CASES = (
    Case(ALARMS[0], instead="more changes"),
    Case(ALARMS[1], instead="more changes"),
    Case(ALARMS[2], about=("interval:garwood",), instead="a longer time watched"),
)
SETTINGS = (
    *(Setting("streams", name, drawn.n, CASES, partial(figures, drawn)) for name, drawn in STREAMS.items()),
    *(
        Setting("streams", f"19 changes, a false alarm every {1 / rate:,.0f}", 19, ALARM_CASES, partial(alarms, rate))
        for rate in (0.01, 0.0005)
    ),
)
