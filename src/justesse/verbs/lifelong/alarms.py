"""`justesse.lifelong_alarms`: alarms of drift detectors against annotated changes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError
from justesse.core.results import Estimate, check_level, finite_or_none, level_name
from justesse.core.version import SCHEMA, __version__
from justesse.frames.event_times import check_same_kind, event_times
from justesse.frames.read_times import read_times
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.drift_alarms import AlarmMatches, alarm_figures, detection_ratio, match_alarms
from justesse.lifelong.periods import moment_name
from justesse.report.document import Column, Document, KeyFigure, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import file_facts
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.recorded import recorded

ASSUMPTIONS = (
    "the changes are annotated rightly and completely",
    "changes are independent of each other, and so are false alarms (Poisson)",
)
HOW: tuple[Text, ...] = (
    "The first alarm from a change on, at most the longest delay later and before the next change, detects it. Further "
    "alarms in that time are repeated. All other alarms are false.",
    "Time between false alarms: the time watched outside those delays, divided by the number of false alarms. Time ratio: "
    "time between false alarms / delay · share detected (Bifet et al. 2013); higher is better.",
    "Intervals: Clopper-Pearson for the share detected, Student's t for the delay, Garwood's for false alarms.",
)


@dataclass(frozen=True)
class DetectorAlarms:
    """One detector: its matches and figures."""

    name: str
    matches: AlarmMatches
    figures: dict[str, Estimate]


@dataclass(frozen=True, repr=False)
class AlarmEvaluation(Result):
    """How well drift detectors found annotated changes."""

    detectors: tuple[DetectorAlarms, ...]
    max_delay: float
    watched: tuple[float, float]
    watched_known: bool
    dated: bool
    level: float
    sources: tuple[Any, Any] = field(default=(None, None), repr=False)
    repeated_changes: int = 0

    def __getitem__(self, name: str) -> DetectorAlarms:
        """Return the figures of the detector with this name."""
        return next(detector for detector in self.detectors if detector.name == name)

    @property
    def unit(self) -> str:
        """Unit of delays."""
        return "days" if self.dated else "units of time"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        lines = []
        if self.repeated_changes:
            template = (
                "{n:count change} {n:plural has|have} the same time as another one: changes at one time count once. If they "
                "differ, write their exact times."
            )
            lines.append(str(message(template, n=self.repeated_changes)))
        if not self.watched_known:
            lines.append(
                "The time watched is taken to run from the first to the last time of both tables. If it was longer, give "
                "--start and --end: false alarms are then rarer."
            )
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "detectors": [
                {
                    "name": detector.name,
                    "changes": len(detector.matches.changes),
                    "detected": detector.figures["detected"].to_dict(),
                    "missed": [
                        moment_name(moment, self.dated)
                        for moment in detector.matches.changes[np.isnan(detector.matches.found_at)].tolist()
                    ],
                    "delay": detector.figures["delay"].to_dict(),
                    "false": len(detector.matches.false),
                    "repeated": detector.matches.repeated,
                    "between_false": detector.figures["between_false"].to_dict(),
                    "ratio": finite_or_none(detection_ratio(detector.figures)),
                }
                for detector in self.detectors
            ],
            "max_delay": self.max_delay,
            "watched": [moment_name(moment, self.dated) for moment in self.watched],
            "unit": self.unit,
            "level": self.level,
            "warnings": list(self.warnings),
            "assumptions": list(ASSUMPTIONS),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = {"detector": [detector.name for detector in self.detectors]}
        for name in ("detected", "delay", "between_false"):
            columns[name] = [finite_or_none(detector.figures[name].value) for detector in self.detectors]
        columns["false"] = [len(detector.matches.false) for detector in self.detectors]
        return columns

    def document(self) -> Document:
        first = self.detectors[0]
        name = level_name(self.level)
        head: list[str | Column] = [
            "detector", Column("detected", "share"), Column(name, "share_interval"), Column("delay", "number"),
            Column("false alarms", "count"), Column("time between", "number"), Column("repeated", "count", 1),
        ]  # fmt: skip
        rows: list[list[Any]] = [
            [
                detector.name or "all alarms",
                detector.figures["detected"],
                detector.figures["detected"],
                detector.figures["delay"].value,
                len(detector.matches.false),
                detector.figures["between_false"].value,
                detector.matches.repeated,
            ]
            for detector in self.detectors
        ]
        note = message(
            "{n:count annotated change}; an alarm up to {late:number} {unit} later detects one.",
            n=len(first.matches.changes),
            late=self.max_delay,
            unit=self.unit,
        )
        table = Table("Alarms against annotated changes", head, rows, note)
        return Document(
            "Drift alarms",
            self._headline(first),
            [Section("alarms", "Every detector", [table], "headline")],
            self.to_dict(),
            name="drift-alarms",
            figures=[
                KeyFigure("Changes detected", first.figures["detected"], "share"),
                KeyFigure("Mean delay", first.figures["delay"], "digits", self.unit),
                KeyFigure("Time between false alarms", first.figures["between_false"], "digits", self.unit),
            ],
            cautions=self.warnings,
            assumptions=ASSUMPTIONS,
            how=HOW,
            facts=[
                (
                    "time watched",
                    message(
                        "{first} to {last}", **dict(zip(("first", "last"), self.to_dict()["watched"], strict=True))
                    ),
                ),
                ("longest delay", written("number", self.max_delay)),
                *(fact for source in self.sources for fact in file_facts(source)),
                ("confidence level", written("level", self.level)),
                ("justesse", __version__),
            ],
        )

    def _headline(self, detector: DetectorAlarms) -> Text:
        false = len(detector.matches.false)
        return paragraph(
            message(
                "{who}{hits:count} of {n:count change} detected ({share:level_name} {share:share_interval}).",
                who=message("{name}: ", name=detector.name) if detector.name else "",
                hits=len(detector.matches.delays),
                n=len(detector.matches.changes),
                share=detector.figures["detected"],
            ),
            message(
                "{n:count false alarm} in {time:number} {unit}.",
                n=false,
                time=detector.matches.exposure,
                unit=self.unit,
            ),
        )


@recorded
def lifelong_alarms(
    alarms: Any,
    changes: Any,
    *,
    max_delay: float,
    time: str | None = None,
    detector: str | None = None,
    start: str | float | None = None,
    end: str | float | None = None,
    level: float = ConfidenceOptions.level,
) -> AlarmEvaluation:
    """Score the alarms of drift detectors against annotated changes.

    Parameters
    ----------
    alarms
        Path, data frame or dict with a row for each alarm; without rows, there was none.
    changes
        The same with a row for each annotated change.
    max_delay
        Longest time after a change in which an alarm detects it, in days for dates, such as 30.
    time
        Column with the times in both tables: dates or numbers. Default: the column named time, date, period or day.
    detector
        Column with the name of the detector that raised the alarm. Default: one detector.
    start
        First time that was watched, such as 2024-01-01. Default: the first time in both tables.
    end
        Last time that was watched. Default: the last time in both tables.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    AlarmEvaluation
        `detectors` has the matches and figures of each detector.

    Notes
    -----
    Bifet, Read, Pfahringer, Holmes and Žliobaitė (2013), "CD-MOA: change detection framework".

    Examples
    --------
    >>> result = lifelong_alarms({"time": [12, 35, 60]}, {"time": [10, 30]}, max_delay=8, start=0, end=100)
    >>> result.detectors[0].figures["delay"].value, len(result.detectors[0].matches.false)
    (3.5, 1)
    """
    check_level(level)
    sources = watched(alarms), watched(changes)
    raised, annotated = event_times(sources[0], time, detector), event_times(sources[1], time)
    dated = check_same_kind(raised, annotated)
    truths = annotated.times.get("", np.empty(0))
    if not len(truths):
        raise InputError(f"{annotated.where} has no change. Annotate at least one.")
    every = np.concatenate([truths, *raised.times.values()])
    ends = [
        _moment(moment, dated, name, float(default))
        for moment, name, default in ((start, "start", every.min()), (end, "end", every.max()))
    ]
    detectors = []
    for name, times in (raised.times or {"": np.empty(0)}).items():
        matches = match_alarms(times, truths, max_delay=max_delay, start=ends[0], end=ends[1])
        detectors.append(DetectorAlarms(name, matches, alarm_figures(matches, level=level)))
    for source in sources:
        check_unchanged(source)
    return AlarmEvaluation(
        tuple(detectors),
        max_delay,
        (ends[0], ends[1]),
        start is not None and end is not None,
        dated,
        level,
        sources,
        len(truths) - len(np.unique(truths)),
    )


def _moment(text: str | float | None, dated: bool, name: str, default: float) -> float:
    if text is None:
        return default
    times, is_date = read_times([str(text)], name, "the options")
    if is_date != dated:
        kind = "a date" if dated else "a number"
        raise OptionError(f"{name} must be {kind}, as the times are; got {text!r}.")
    return float(times[0])
