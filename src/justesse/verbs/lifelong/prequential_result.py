"""A prequential evaluation, as `justesse lifelong prequential` gives it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.periods import moment_name
from justesse.lifelong.prequential_figures import PrequentialFigures, StreamPeriod
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.lifelong.assumptions import STREAM_ASSUMPTIONS
from justesse.verbs.lifelong.cautions import few_blocks, in_utc, left_out, no_classes, single_times


@dataclass(frozen=True, repr=False)
class PrequentialEvaluation(Result):
    """Error over time and overall, beside the baselines, with kappa, kappa-temporal and kappa-m."""

    figures: PrequentialFigures
    times: tuple[float, ...]
    dated: bool
    fading: float | None
    window: int | None
    delay: int
    tied: bool
    pending: int
    dropped: int
    untrained: int
    superseded: int
    length: str
    level: float
    columns: Mapping[str, str]
    source: Any = field(default=None, repr=False)
    zoned: bool = False
    others: tuple[tuple[ClassName, int], ...] = ()

    @property
    def error(self) -> Estimate:
        """Error of all items alike."""
        return self.figures.error

    @property
    def latest(self) -> Estimate:
        """Error at the end of the stream, recent items counting more."""
        return self.figures.latest

    @property
    def baselines(self) -> Mapping[str, Estimate]:
        """Errors of the baselines: no_change and majority."""
        return self.figures.baselines

    @property
    def kappas(self) -> Mapping[str, Estimate]:
        """Estimates of kappa, kappa_temporal and kappa_majority."""
        return self.figures.kappas

    @property
    def periods(self) -> tuple[StreamPeriod, ...]:
        """Errors in each period."""
        return self.figures.periods

    @property
    def curve(self) -> dict[str, list[float]]:
        """The error over time: columns time, error, low, high, no_change and majority."""
        curve = self.figures.curve
        lines = {name: getattr(curve, name).tolist() for name in ("error", "low", "high", "no_change", "majority")}
        return {"time": list(self.times), **lines}

    @property
    def memory(self) -> str:
        """How recent items are weighted, in words."""
        if self.window is not None:
            return str(message("mean of the last {n:count item}", n=self.window))
        return str(message("fading factor {factor:general}", factor=self.fading))

    @property
    def beats_no_change(self) -> bool | None:
        """Whether the system is better than repeating the last label; `None` if that cannot be told."""
        temporal = self.kappas["kappa_temporal"].interval
        if temporal is not None:
            return None if temporal.low <= 0 <= temporal.high else temporal.low > 0
        own, theirs = (
            self.error.interval,
            self.baselines["no_change"].interval,
        )  # kappa-temporal needs errors of no change
        if own is None or theirs is None or (own.low <= theirs.high and theirs.low <= own.high):
            return None
        return own.high < theirs.low

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        alone = sum(period.blocks == 1 for period in self.periods)
        lines = [
            message("{n:count item} {n:plural is|are} left out: no version was trained before.", n=self.untrained)
            if self.untrained
            else None,
            message("{n:count item} {n:plural is|are} left out: the label is not known yet.", n=self.pending)
            if self.pending
            else None,
            *left_out(self.dropped),
            *no_classes(self.others),
            "Several items have the same time: they are taken in the order of the table, each label known before the next "
            "item. If labels come later, give a delay (--delay) or the time at which each was known (--known)."
            if self.tied and not self.delay
            else None,
            *single_times(alone, len(self.periods)),
            *few_blocks(sum(period.blocks in (2, 3) for period in self.periods), len(self.periods)),
            *in_utc(self.zoned),
        ]
        return tuple(str(line) for line in lines if line is not None)

    def to_dict(self) -> dict[str, Any]:
        curve = self.curve
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "error": self.error.to_dict(),
            "latest": self.latest.to_dict(),
            "baselines": {name: estimate.to_dict() for name, estimate in self.baselines.items()},
            "kappa": self.kappas["kappa"].to_dict(),
            "kappa_temporal": self.kappas["kappa_temporal"].to_dict(),
            "kappa_majority": self.kappas["kappa_majority"].to_dict(),
            "beats_no_change": self.beats_no_change,
            "periods": [
                {
                    "name": period.name,
                    "n": period.error.n,
                    "error": finite_or_none(period.error.value),
                    "interval": period.error.interval.to_dict() if period.error.interval else None,
                    "no_change": finite_or_none(period.no_change.value),
                    "majority": finite_or_none(period.majority.value),
                    "kappa_temporal": finite_or_none(period.kappa_temporal),
                    "blocks": period.blocks,
                }
                for period in self.periods
            ],
            "curve": {
                "time": [moment_name(moment, self.dated) for moment in curve["time"]] if self.dated else curve["time"],
                **{name: [finite_or_none(value) for value in curve[name]] for name in curve if name != "time"},
            },
            "fading": self.fading,
            "window": self.window,
            "delay": self.delay,
            "design_effect": self.figures.design_effect,
            "left_out": {
                "pending": self.pending,
                "missing": self.dropped,
                "untrained": self.untrained,
                "superseded": self.superseded,
            },
            "period_length": self.length,
            "level": self.level,
            "columns": dict(self.columns),
            "warnings": list(self.warnings),
            "assumptions": list(STREAM_ASSUMPTIONS),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        ends = [period.error.interval for period in self.periods]
        return {
            "period": [period.name for period in self.periods],
            "n": [period.error.n for period in self.periods],
            "error": [finite_or_none(period.error.value) for period in self.periods],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "no_change": [finite_or_none(period.no_change.value) for period in self.periods],
            "majority": [finite_or_none(period.majority.value) for period in self.periods],
            "kappa_temporal": [finite_or_none(period.kappa_temporal) for period in self.periods],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        title = self.columns.get("time", "items")
        return {
            "error": partial(charts.error_over_time_chart, self.curve, dated=self.dated, memory=self.memory, time=title)
        }

    def document(self) -> Document:
        from justesse.verbs.lifelong.prequential_document import prequential_document

        return prequential_document(self)
