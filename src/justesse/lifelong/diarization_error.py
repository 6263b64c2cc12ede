"""The diarization error rate: how much of the speech has the wrong speaker, or none, or one too many."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.lifelong.speaker_segment import Region, SpeakerSegment
from justesse.lifelong.spoken_times import joined


@dataclass(frozen=True)
class DiarizationErrors:
    """Speaking time by kind of error, in the unit of the times.

    Parameters
    ----------
    missed
        Speech of the reference that the hypothesis lacks.
    false_alarm
        Speech of the hypothesis that the reference lacks.
    confusion
        Speech with the wrong speaker.
    total
        All speech of the reference that is scored.
    mapping
        Speaker of the hypothesis → speaker of the reference.
    """

    missed: float
    false_alarm: float
    confusion: float
    total: float
    mapping: Mapping[str, str]

    @property
    def rate(self) -> float:
        """The diarization error rate; NaN if no speech is scored."""
        return (self.missed + self.false_alarm + self.confusion) / self.total if self.total > 0 else float("nan")


def diarization_errors(
    reference: Sequence[SpeakerSegment],
    hypothesis: Sequence[SpeakerSegment],
    *,
    collar: float = 0.0,
    overlap: bool = True,
    skipped: Iterable[Region] = (),
    mapping: Mapping[str, str] | None = None,
) -> DiarizationErrors:
    """Compute the diarization errors of one recording, with the best mapping of speakers.

        DER = (missed + false alarm + confusion) / speech of the reference

    Parameters
    ----------
    reference
        Who really speaks when.
    hypothesis
        Who speaks when, as a system found; its names of speakers are arbitrary.
    collar
        Time that is not scored on either side of each start and end in the reference, such as 0.25 s; segments of a
        speaker that overlap or meet are one. (pyannote.metrics counts both sides together: its collar is twice as
        large.)
    overlap
        Whether to score times when several speakers of the reference talk.
    skipped
        More times that are not scored.
    mapping
        Speaker of the hypothesis → speaker of the reference. Default: the mapping with the fewest errors.

    Notes
    -----
    NIST's definition (2009). Each speaker counts: while two talk, a second counts twice. Speakers are mapped one to one
    so that most time agrees (Kuhn 1955, Munkres 1957).

    >>> right = [SpeakerSegment("Ann", 0, 10), SpeakerSegment("Ben", 10, 20)]
    >>> errors = diarization_errors(right, [SpeakerSegment("1", 0, 12), SpeakerSegment("2", 12, 18)])
    >>> errors.confusion, errors.missed, errors.false_alarm, errors.rate
    (2.0, 2.0, 0.0, 0.2)
    """
    if not (np.isfinite(collar) and collar >= 0):
        raise OptionError(f"The collar must be a time of 0 or more, such as 0.25; got {collar!r}.")
    ends = [at for segment in joined(reference) for at in (segment.start, segment.end)]
    regions = [*skipped, *((at - collar, at + collar) for at in ends if collar)]
    cuts = np.unique([*ends, *(at for part in hypothesis for at in (part.start, part.end)), *np.ravel(regions)])
    if len(cuts) < 2:
        return DiarizationErrors(0.0, 0.0, 0.0, 0.0, {})
    names, speaks = _speaking(reference, cuts)
    heard, answers = _speaking(hypothesis, cuts)
    length = np.diff(cuts)
    for start, end in regions:
        length[np.searchsorted(cuts, start) : np.searchsorted(cuts, end)] = 0.0
    right, answered = speaks.sum(axis=0), answers.sum(axis=0)
    if not overlap:
        length[right > 1] = 0.0
    agreed = (speaks * length) @ answers.T
    pairs = _mapped(agreed) if mapping is None else _pairs(mapping, names, heard)
    common = float(sum(agreed[row, column] for row, column in pairs))
    return DiarizationErrors(
        float(np.maximum(right - answered, 0) @ length),
        float(np.maximum(answered - right, 0) @ length),
        max(0.0, float(np.minimum(right, answered) @ length) - common),
        float(right @ length),
        {heard[column]: names[row] for row, column in pairs},
    )


def _speaking(segments: Sequence[SpeakerSegment], cuts: FloatArray) -> tuple[list[str], FloatArray]:
    """Say for each speaker, and each piece of time between two cuts, whether he talks (1) or not (0)."""
    names = list(dict.fromkeys(segment.speaker for segment in segments))
    talks = np.zeros((len(names), len(cuts) - 1))
    for segment in segments:
        inside = slice(int(np.searchsorted(cuts, segment.start)), int(np.searchsorted(cuts, segment.end)))
        talks[names.index(segment.speaker), inside] = 1.0
    return names, talks


def _mapped(agreed: FloatArray) -> list[tuple[int, int]]:
    """Pair speakers so that most time agrees; pairs that share no time are left out."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(agreed, maximize=True)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True) if agreed[row, column] > 0]


def _pairs(mapping: Mapping[str, str], names: Sequence[str], heard: Sequence[str]) -> list[tuple[int, int]]:
    """Find the places of speakers that are mapped."""
    return [
        (names.index(name), heard.index(speaker))
        for speaker, name in mapping.items()
        if speaker in heard and name in names
    ]
