"""Evaluation logs among the data of a verb: opened, lined up, and handed on as tables."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.errors import OptionError
from justesse.core.recording import Gone
from justesse.core.results import ClassName
from justesse.frames.logs.first_bytes import may_be_log
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.logs.log_facts import LogFacts, LogTable
from justesse.measures import accuracy, error

if TYPE_CHECKING:
    from justesse.frames.logs.log_table import OpenedLog

WITHOUT_CLASSES = (accuracy.name, error.name)


@dataclass(frozen=True)
class LogInput:
    """What a verb reads instead of its paths: tables for logs, other data as it came; and how the runs differ."""

    sources: tuple[Any, ...]
    notes: tuple[str, ...] = ()

    def without_rows(self) -> "LogInput":
        """Give what is known about the logs, without any data."""
        kept = (source.without_rows() if isinstance(source, LogTable) else Gone() for source in self.sources)
        return replace(self, sources=tuple(kept))

    @property
    def tables(self) -> tuple[LogTable, ...]:
        return tuple(source for source in self.sources if isinstance(source, LogTable))

    @property
    def facts(self) -> tuple[LogFacts, ...]:
        return tuple(table.facts for table in self.tables)

    @property
    def paired(self) -> bool:
        """Whether ids mean the same in all sources, so that they join the samples."""
        return len(self.tables) == len(self.sources) > 1

    @property
    def repeated(self) -> bool:
        """Whether a question was asked several times."""
        return any(facts.epochs > 1 for facts in self.facts)

    @property
    def by_class(self) -> bool:
        """Whether labels are the targets of the logs; otherwise samples are just right or wrong."""
        return not self.tables or self.tables[0].facts.by_class

    def check_measure(self, measure: str) -> None:
        """Refuse measures of single classes if the logs only say right or wrong."""
        if not self.by_class and measure not in WITHOUT_CLASSES:
            raise OptionError(
                f"Measure {measure!r} needs classes, but these logs only say right or wrong. Use one of "
                f"{', '.join(WITHOUT_CLASSES)}."
            )

    def classes(self, asked: Sequence[ClassName] | None) -> Sequence[ClassName] | None:
        """Return the classes asked for, or right and wrong if that is all a log says."""
        own = max((table.classes or () for table in self.tables), key=len, default=())
        return asked if asked is not None or not own else list(own)

    def missing(self, asked: Missing | None, *, drop_missing: bool) -> Missing | None:
        """Count samples that failed as wrong, unless something else was asked for."""
        return "wrong" if self.tables and asked is None and not drop_missing else asked

    def any_of(self, asked: str | None) -> str | None:
        """Return what separates several right answers in the logs, or what was asked for."""
        return next((table.any_of for table in self.tables if table.any_of), asked)

    def policy(
        self,
        missing: Missing | None,
        missing_labels: MissingLabels | None,
        others: Others,
        *,
        drop_missing: bool,
        any_of: str | None,
    ) -> AnswerPolicy:
        """Return what happens to rows without an answer or a label, with the defaults of logs."""
        counted = self.missing(missing, drop_missing=drop_missing)
        return AnswerPolicy.of(counted, missing_labels, others, drop_missing=drop_missing, any_of=self.any_of(any_of))


def read_logs(sources: Sequence[Any], choice: LogChoice, *, common: bool = False) -> LogInput:
    """Open the logs among some data; options about logs are refused where there are none.

    >>> read_logs([{"label": [1]}], LogChoice()).tables
    ()
    >>> read_logs([{"label": [1]}], LogChoice(metric="acc"))
    Traceback (most recent call last):
        ...
    justesse.core.errors.OptionError: metric (--metric) is for evaluation logs, and the data are no log. Leave it out.
    """
    if choice.right_from is not None and not math.isfinite(choice.right_from):
        raise OptionError(f"right_from must be a number such as 0.5; got {choice.right_from!r}.")
    logs = [_opened(source, choice) for source in sources]
    opened = [log for log in logs if log is not None]
    if not opened:
        for name in choice.asked:
            option = name.replace("_", "-")
            raise OptionError(f"{name} (--{option}) is for evaluation logs, and the data are no log. Leave it out.")
        return LogInput(tuple(sources))
    from justesse.frames.logs.log_table import log_table
    from justesse.frames.logs.pairing import line_up

    if len(opened) == len(sources) > 1:
        tables, notes = line_up(opened, right_from=choice.right_from, common=common)
        return LogInput(tuple(tables), tuple(notes))
    read = {id(log): log_table(log, right_from=choice.right_from) for log in opened}
    return LogInput(tuple(source if log is None else read[id(log)] for source, log in zip(sources, logs, strict=True)))


def _opened(source: Any, choice: LogChoice) -> "OpenedLog | None":
    """Open a log; the readers of logs are loaded only for what may be one."""
    if not isinstance(source, (str, os.PathLike)) or not may_be_log(os.fspath(source)):
        return None
    from justesse.frames.logs.log_table import open_log

    return open_log(source, choice)


def models_of(source: Any) -> list[str]:
    """List the models of a log, in its order; none if it is no log."""
    if not isinstance(source, (str, os.PathLike)) or not may_be_log(os.fspath(source)):
        return []
    from justesse.frames.logs.formats import log_files, read_runs

    files = log_files(os.fspath(source))
    return list(dict.fromkeys(run.model for run in read_runs(files))) if files else []


def read_models(
    sources: Sequence[Any], choice: LogChoice, incumbent: Any, candidate: Any, *, common: bool = False
) -> LogInput:
    """Open the logs of several classifiers: a log each, or models of one log named as incumbent and candidates."""
    others = [candidate] if isinstance(candidate, str) else candidate if isinstance(candidate, list | tuple) else []
    named = [incumbent, *others]
    if len(sources) == 1 and len(named) > 1 and all(isinstance(name, str) for name in named) and models_of(sources[0]):
        return _models(sources[0], named, choice, common=common)
    return read_logs(sources, choice, common=common)


def read_entered(sources: Sequence[Any], choice: LogChoice, models: Sequence[str] | None) -> LogInput:
    """Open logs of one classifier each, or one log with several models: all of them, or those named."""
    if len(sources) == 1 and choice.model is None and len(every := models_of(sources[0])) > 1:
        return _models(sources[0], list(models or every), choice, common=False)
    return read_logs(sources, choice)


def _models(source: Any, names: Sequence[str], choice: LogChoice, *, common: bool) -> LogInput:
    if choice.model is not None:
        raise OptionError("log_model (--log-model) names one model, but several are asked for. Leave it out.")
    from justesse.frames.logs.pairing import line_up

    logs = [_opened(source, replace(choice, model=name)) for name in names]
    tables, notes = line_up([log for log in logs if log is not None], right_from=choice.right_from, common=common)
    named = [replace(table, facts=replace(table.facts, among_models=True)) for table in tables]
    return LogInput(tuple(named), tuple(notes))


def log_choice(options: Mapping[str, Any]) -> LogChoice:
    """Take the options about logs from those of a verb."""
    return LogChoice(
        metric=options["metric"],
        filter=options["log_filter"],
        task=options["task"],
        model=options["log_model"],
        right_from=options["right_from"],
    )
