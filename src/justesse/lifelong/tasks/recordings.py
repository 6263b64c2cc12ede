"""Recordings in which several people speak: the diarization error rate."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.frames.rttm import LATEST
from justesse.lifelong.diarization_error import diarization_errors
from justesse.lifelong.item import Item
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_diarization import (
    ALL_SPEECH,
    DiarizationScoring,
    diarization_rate,
    penalised_diarization,
)
from justesse.lifelong.speaker_segment import Region, SpeakerSegment
from justesse.lifelong.spoken_times import inside, joined, outside
from justesse.lifelong.tasks.task import listed_replies, short

Speech = list[list[Any]]  # [speaker, start, end] of each segment: what JSON can hold
NOBODY = "unknown speaker"
TINY = 1e-9  # seconds
MOST_QUESTIONS = 100_000  # of all recordings together


@dataclass(frozen=True)
class RecordingTask:
    """Who speaks when, scored by the diarization error rate.

    Parameters
    ----------
    labels
        Who really speaks when in each recording, by id: lists of [speaker, start, end].
    scoring
        Collar and overlap.
    stretch
        Length of the stretch of time that a question is about. Default: the whole recording.

    >>> task = RecordingTask({"a": [["Ann", 0, 5], ["Ben", 5, 9]]}, stretch=4.0)
    >>> [question.id for _, question in task.questions([Item("a", "1")])]
    ['a@0-4', 'a@4-8', 'a@8-9']
    >>> task.truths["a@4-8"]
    [['Ann', 4.0, 5.0], ['Ben', 5.0, 8.0]]
    """

    labels: Mapping[str, Speech]
    scoring: DiarizationScoring = ALL_SPEECH
    stretch: float | None = None
    name: str = "der"
    words: str = "diarization error rate"
    unit: str = "recording"
    higher_is_better: bool = False

    def __post_init__(self) -> None:
        """Refuse stretches without a length, and those that make more questions than a run can handle."""
        if self.stretch is not None and not (math.isfinite(self.stretch) and self.stretch > 0):
            raise OptionError(f"stretch (--stretch) must be a time above 0, such as 30; got {self.stretch!r}.")
        if self.stretch is not None:
            ends = [max((part[2] for part in speech), default=0.0) for speech in self.labels.values()]
            made = sum(end / self.stretch for end in ends)
            if made > MOST_QUESTIONS:
                raise OptionError(
                    f"stretch (--stretch) {self.stretch:g} cuts the recordings into {made:,.0f} stretches; a run "
                    f"handles up to {MOST_QUESTIONS:,}. Choose a longer one, such as "
                    f"{_round_up(sum(ends) / MOST_QUESTIONS):g}."
                )

    @cached_property
    def windows(self) -> dict[str, tuple[str, float, float]]:
        """Recording and times of each question, by its id; the last one of a recording has no end."""
        made = {}
        for id, speech in self.labels.items():
            end = max((part[2] for part in speech), default=0.0)
            if self.stretch is None:
                made[id] = (id, 0.0, math.inf)
                continue
            starts = [at * self.stretch for at in range(max(1, math.ceil(end / self.stretch - TINY)))]
            for start in starts:
                stop = min(start + self.stretch, end)
                last = start == starts[-1]
                made[f"{id}@{start:.12g}-{stop:.12g}"] = (id, start, math.inf if last else start + self.stretch)
        return made

    @cached_property
    def truths(self) -> dict[str, Speech]:
        """Who really speaks when in the times of each question."""
        return {
            question: _plain(inside(_segments(self.labels[id]), [(start, end)]))
            for question, (id, start, end) in self.windows.items()
        }

    @cached_property
    def _of_recording(self) -> dict[str, list[str]]:
        made: dict[str, list[str]] = {}
        for question, (id, _, _) in self.windows.items():
            made.setdefault(id, []).append(question)
        return made

    def about(self) -> dict[str, Any]:
        return {"answers": "speech", "stretch": self.stretch}

    def checked(self, replies: Any, items: Sequence[Item], system: str) -> list[Any]:
        listed = listed_replies(replies, items, system, "list of segments")
        return [_checked_speech(reply, item, system) for item, reply in zip(items, listed, strict=True)]

    def questions(self, items: Sequence[Item]) -> list[tuple[int, Item]]:
        made = []
        for at, item in enumerate(items):
            for question in self._of_recording[item.id]:
                _, start, end = self.windows[question]
                times = {"recording": item.id, "start": start, "end": end if math.isfinite(end) else None}
                values = item.values if self.stretch is None else {**item.values, **times}
                made.append((at, Item(question, item.time, values)))
        return made

    def shown(self, question: Item, answer: Any) -> Speech:
        return _plain(inside(_segments(answer), [self._window(question.id)]))

    def differs(self, question: Item, answer: Any, belief: Any) -> bool:
        """Compare in the times of the question, with the speakers mapped as is best for the whole recording."""
        window = self._window(question.id)
        right, heard = _segments(self.labels[self.windows[question.id][0]]), _segments(answer)
        mapping = diarization_errors(right, heard, collar=self.scoring.collar, overlap=self.scoring.overlap).mapping
        believed = joined([*outside(right, [window]), *_segments(belief)])
        low, high = -1.0, 1.0 + max([part.end for part in (*believed, *heard)], default=0.0)
        others = [(low, window[0]), (min(window[1], high), high)]
        errors = diarization_errors(
            believed,
            heard,
            collar=self.scoring.collar,
            overlap=self.scoring.overlap,
            skipped=[part for part in others if part[0] < part[1]],
            mapping=mapping,
        )
        return errors.missed + errors.false_alarm + errors.confusion > TINY

    def wrong(self, question: str, draws: np.random.Generator) -> Speech:
        """Take the speakers for one another; let one speak where nobody does."""
        right = self.truths[question]
        id, start, end = self.windows[question]
        names = list(dict.fromkeys(str(part[0]) for part in self.labels[id]))
        if not right:
            last = max((part[2] for part in self.labels[id]), default=0.0)
            stop = end if math.isfinite(end) else max(last, start + (self.stretch or 1.0))
            return [[names[0] if names else NOBODY, start, stop]]
        if len(names) == 1:
            return [[NOBODY, *times] for _, *times in right]
        step = 1 + int(draws.integers(len(names) - 1))
        return [[names[(names.index(str(name)) + step) % len(names)], *times] for name, *times in right]

    def hypotheses(
        self, items: Sequence[Item], adapted: Sequence[Any], base: Sequence[Any] | None, answers: Mapping[str, Any]
    ) -> HypothesisCounts:
        reference = {item.id: _segments(self.labels[item.id]) for item in items}
        heard, first = (
            {item.id: _segments(part) for item, part in zip(items, parts, strict=True)}
            for parts in (adapted, base or adapted)
        )
        end = 1.0 + max(
            [part.end for parts in (reference, heard, first) for speech in parts.values() for part in speech],
            default=0.0,
        )
        touched: dict[str, list[Region]] = {}
        answered: dict[str, list[SpeakerSegment]] = {}
        for question, answer in answers.items():
            id, start, stop = self.windows[question]
            if id in reference:
                touched.setdefault(id, []).append((start, min(stop, max(end, start + 1.0))))
                answered.setdefault(id, []).extend(_segments(answer))
        return penalised_diarization(
            reference,
            heard,
            touched,
            base=None if base is None else first,
            answers=answered,
            scoring=self.scoring,
        )

    def own(self, items: Sequence[Item], answers: Sequence[Any]) -> FloatArray:
        reference = {item.id: _segments(self.labels[item.id]) for item in items}
        return self.scoring.counts(
            reference, {item.id: _segments(answer) for item, answer in zip(items, answers, strict=True)}
        )

    def value(self, sums: FloatArray) -> FloatArray:
        return diarization_rate(sums)

    def size(self, items: Sequence[Item]) -> float:
        speech = {item.id: _segments(self.labels[item.id]) for item in items}
        return float(self.scoring.counts(speech, {})[:, -1].sum())

    def _window(self, question: str) -> Region:
        _, start, end = self.windows[question]
        return start, end


def _segments(speech: Speech) -> list[SpeakerSegment]:
    return [SpeakerSegment(str(speaker), float(start), float(end)) for speaker, start, end in speech]


def _plain(segments: Sequence[SpeakerSegment]) -> Speech:
    return [[segment.speaker, segment.start, segment.end] for segment in segments]


def _checked_speech(reply: Any, item: Item, system: str) -> Speech:
    """Return the segments of a recording, or say which cannot be read."""
    if not isinstance(reply, (list, tuple)):
        raise InputError(
            f"The system {system!r} answered {short(reply)} for recording {item.id!r}. Reply with a list of segments "
            "[speaker, start, end], empty if nobody speaks."
        )
    speech: Speech = []
    for part in reply:
        parts = [part.get(key) for key in ("speaker", "start", "end")] if isinstance(part, Mapping) else part
        segment = _segment(parts)
        if segment is None:
            raise InputError(
                f"The system {system!r} answered the segment {short(part)} for recording {item.id!r}. A segment is "
                "[speaker, start, end], its start 0 or more and before its end, times up to "
                f"{LATEST:,.0f} seconds."
            )
        speech.append(segment)
    return speech


def _segment(parts: Any) -> list[Any] | None:
    """Read [speaker, start, end]; `None` if it is something else."""
    if not (isinstance(parts, (list, tuple)) and len(parts) == 3 and isinstance(parts[0], (str, int))):
        return None
    start, end = parts[1:]
    if not (isinstance(start, (int, float)) and isinstance(end, (int, float))):
        return None
    return [str(parts[0]), float(start), float(end)] if 0 <= start < end <= LATEST else None


def _round_up(number: float) -> float:
    """Round up to one digit.

    >>> _round_up(0.0123), _round_up(4.0)
    (0.02, 4.0)
    """
    unit = 10.0 ** math.floor(math.log10(number))
    return float(f"{math.ceil(number / unit - TINY) * unit:.1g}")
