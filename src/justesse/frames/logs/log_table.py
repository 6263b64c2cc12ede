"""Logs as tables of labels and predictions, which every verb reads."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from justesse.core.errors import OptionError
from justesse.frames.logs.conflicts import score_conflicts
from justesse.frames.logs.formats import log_files, read_runs
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.logs.log_facts import LogFacts, LogTable, Reply, TaskFacts
from justesse.frames.logs.replies import LONGEST_NAME, reply_kind, shown_answer
from justesse.frames.logs.run import Sample
from justesse.frames.logs.selection import SelectedRun, select

RIGHT, WRONG = "right", "wrong"
EMPTY, REFUSED, NO_CLASS, COUNTED_WRONG = "(empty)", "(refused)", "(no class)", "(scored as wrong)"
MARKERS: dict[Reply, str] = {"empty": EMPTY, "refused": REFUSED}
FEW_TARGETS = 20  # different targets that are classes without a list of choices
MOST_CHOICES = 100
SEPARATORS = ("|", ";", "/", "¦", "‖", "␟")  # between several right answers: the first that no answer contains
EXAMPLES = 10
FIRST = LogChoice()


@dataclass(frozen=True)
class OpenedLog:
    """A log with its task, filter and metric chosen."""

    source: str
    runs: tuple[SelectedRun, ...]
    graded: bool = False  # whether answers and scores are read as they are

    @property
    def model(self) -> str:
        return self.runs[0].run.model

    @cached_property
    def looks_like_classes(self) -> bool:
        """Whether targets are classes: choices, or few different texts that repeat."""
        samples = [sample for part in self.runs for sample in part.samples]
        if not all(sample.targets for sample in samples):
            return False
        targets = {target for sample in samples for target in sample.targets}
        if max(map(len, targets)) > LONGEST_NAME:
            return False
        with_choices = sum(bool(sample.choices) for sample in samples)
        if 2 * with_choices >= len(samples):
            return len(targets) <= MOST_CHOICES
        return len(targets) <= FEW_TARGETS and 2 * len(targets) <= len(samples)


def open_log(data: Any, choice: LogChoice = FIRST) -> OpenedLog | None:
    """Open a path, folder or pattern if it names logs; `None` if it is a table or no path.

    >>> open_log({"label": [1]}) is None
    True
    """
    if not isinstance(data, (str, os.PathLike)):
        return None
    source = os.fspath(data)
    files = log_files(source)
    if not files:
        return None
    return OpenedLog(source, tuple(select(read_runs(files), choice, source)), choice.graded)


def log_table(log: OpenedLog, *, by_class: bool | None = None, right_from: float | None = None) -> LogTable:
    """Make the table of one log: by class, or with right and wrong only. Default: by class if targets are classes."""
    by_class = log.looks_like_classes if by_class is None else by_class
    samples = [sample for part in log.runs for sample in part.samples]
    several = len(log.runs) > 1
    epochs = max(Counter((part.run.task, sample.id) for part in log.runs for sample in part.samples).values())
    repeated = epochs > 1 or any(sample.epoch > 1 for sample in samples)
    class_of = _known_classes(samples if by_class else ())
    separator = _separator(samples) if by_class else None
    columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *(GRADED if log.graded else ()))}
    examples: Counter[str] = Counter()
    contradictions = 0
    scored: list[tuple[str, str | None, bool, str]] = []
    _check_reached(log, right_from)
    for part in log.runs:
        for sample in part.samples:
            mark = part.mark(sample)
            right = part.is_right(sample, right_from)
            answer = part.answer(sample)
            text = (answer or "").strip()
            own = class_of(text)
            kind: Reply = "answered"
            if mark.score is None:
                kind = "failed"
            elif not right:
                kind = reply_kind(answer, sample.response, known=own is not None)
                if by_class and kind == "answered" and own is None:
                    kind = "unparseable"
                if kind != "answered":
                    examples[shown_answer(answer or sample.response or "") or EMPTY] += 1
                contradictions += (own if by_class else text) in sample.targets
            question = f"{part.run.task}/{sample.id}" if several else sample.id
            if repeated and kind != "failed":
                scored.append((question, answer, right, log.source))
            values = {
                "id": f"{question}#{sample.epoch}" if repeated else question,
                "question": question,
                "epoch": sample.epoch,
                "task": part.run.task,
                "label": separator.join(sample.targets) if separator else sample.targets[0] if by_class else RIGHT,
                "prediction": _prediction(sample, text, own, right, kind) if by_class else _outcome(right, kind),
                "right": None if kind == "failed" else right,
                "reply": kind,
                "content": sample.content,
            }
            if log.graded:
                values |= {
                    "answer": None if kind == "failed" else text,
                    "score": mark.score,
                    "targets": TARGETS.join(sample.targets),
                }
            for name, value in values.items():
                columns[name].append(value)
    rescored = score_conflicts(scored)
    facts = LogFacts(
        log.source,
        log.runs[0].run.format,
        log.model,
        tuple(map(_task_facts, log.runs)),
        len(samples),
        len(set(columns["question"])),
        epochs,
        by_class,
        all(sample.targets for sample in samples),
        Counter(columns["reply"]),
        tuple(examples.most_common(EXAMPLES)),
        contradictions,
        rescored.questions if rescored else 0,
        sum(part.duplicates for part in log.runs),
    )
    return LogTable(facts, columns, None if by_class else (RIGHT, WRONG), separator)


GRADED = ("answer", "score", "targets")
TARGETS = " or "  # between several right answers that people read
COLUMNS = ("id", "question", "epoch", "task", "label", "prediction", "right", "reply", "content")


def _check_reached(log: OpenedLog, right_from: float | None) -> None:
    """Refuse a threshold above every score: no answer could be right."""
    marks = [part.mark(sample).score for part in log.runs for sample in part.samples]
    scores = [score for score in marks if score is not None]
    if right_from is not None and scores and right_from > max(scores):
        raise OptionError(
            f"No answer could be right: right_from={right_from:g} (--right-from) is above every score of {log.source}, "
            f"of which the highest is {max(scores):g}. Lower it."
        )


def _known_classes(samples: Sequence[Sample]) -> Callable[[str], str | None]:
    """Return a function that finds the class of an answer; capitals do not matter unless two classes differ in them."""
    names = list(dict.fromkeys(name for sample in samples for name in (*sample.targets, *sample.choices)))
    fold = str.casefold if len({name.casefold() for name in names}) == len(names) else str
    known = {fold(name): name for name in names}
    return lambda text: known.get(fold(text))


def _separator(samples: Sequence[Sample]) -> str | None:
    if not any(len(sample.targets) > 1 for sample in samples):
        return None
    texts = {target for sample in samples for target in sample.targets}
    return next((mark for mark in SEPARATORS if not any(mark in text for text in texts)), SEPARATORS[-1])


def _prediction(sample: Sample, text: str, own: str | None, right: bool, kind: Reply) -> str | None:
    """Write the answer as a class that is right exactly where the log says so."""
    if kind == "failed":
        return None
    if right:
        return own if own in sample.targets else sample.targets[0]
    if own is not None:
        return COUNTED_WRONG if own in sample.targets else own
    return MARKERS.get(kind) or (text if 0 < len(text) <= LONGEST_NAME else NO_CLASS)


def _outcome(right: bool, kind: Reply) -> str | None:
    return None if kind == "failed" else RIGHT if right else WRONG


def _task_facts(part: SelectedRun) -> TaskFacts:
    run = part.run
    return TaskFacts(
        run.task, len(part.samples), part.metric, part.metrics, part.filter, part.filters, run.version, run.shots,
        run.settings, run.status, run.expected, run.scored_by, part.made_here,
    )  # fmt: skip
