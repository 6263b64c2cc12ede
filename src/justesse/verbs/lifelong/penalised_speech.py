"""A penalised diarization error rate, from a table of segments or from RTTM files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.frames.corrected_rows import SpokenRow, spoken_rows
from justesse.frames.rttm import UEM, SpokenTime, is_rttm, read_rttm, read_uem
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_diarization import DiarizationScoring, penalised_diarization
from justesse.lifelong.speaker_segment import Region, SpeakerSegment
from justesse.verbs.lifelong.penalised_result import PenalisedSource

NEEDED = ("reference", "adapted")
FILES = (*NEEDED, "before", "touched", "answer")


@dataclass(frozen=True)
class SpokenParts:
    """Speech by part: the right one, what a system heard before and after help, what an expert answered and touched."""

    reference: dict[str, list[SpeakerSegment]]
    adapted: dict[str, list[SpeakerSegment]]
    base: dict[str, list[SpeakerSegment]] | None = None
    answers: dict[str, list[SpeakerSegment]] | None = None
    touched: dict[str, list[Region]] = field(default_factory=dict)
    unusable: tuple[str, ...] = ()


def penalised_speech(parts: SpokenParts, scoring: DiarizationScoring) -> tuple[HypothesisCounts, PenalisedSource]:
    """Count the hypotheses, and say what they are."""
    counts = penalised_diarization(
        parts.reference,
        parts.adapted,
        parts.touched,
        base=parts.base,
        answers=parts.answers,
        unusable=parts.unusable,
        scoring=scoring,
    )
    sums = counts.adapted.sum(axis=0)
    kinds = zip(("missed", "false alarm", "confusion"), (sums[:-1] / sums[-1]).tolist(), strict=True)
    source = PenalisedSource(
        "der",
        "diarization error rate",
        "recording",
        len(parts.reference),
        len(parts.touched.keys() | set(parts.unusable)),
        parts=dict(kinds),
        options={"collar": scoring.collar, "skip_overlap": not scoring.overlap},
    )
    return counts, source


def table_parts(data: Any) -> SpokenParts:
    """Read a table with the columns recording, part, speaker, start and end."""
    rows = spoken_rows(data)
    by_part: dict[str, list[SpokenRow]] = {}
    for row in rows:
        by_part.setdefault(row.part, []).append(row)
    reference, base, adapted, answers = (
        _segments(by_part.get(part, ())) for part in ("reference", "base", "adapted", "answer")
    )
    return SpokenParts(
        reference,
        adapted,
        base or None,
        answers or None,
        _times([row for row in rows if row.part in ("touched", "answer")]),
        tuple(row.recording for row in by_part.get("question", ())),
    )


def file_parts(files: Mapping[str, Any]) -> SpokenParts:
    """Read a file for each part: RTTM, or UEM for the times that the expert touched.

    Parameters
    ----------
    files
        Paths by name: reference, adapted, before, touched, answer.
    """
    for name, path in files.items():
        if name not in FILES:
            raise OptionError(f"{name} (--{name}) names a column of a table, and RTTM files have none. Leave it out.")
        if not (is_rttm(path) or (name == "touched" and str(path).lower().endswith(UEM))):
            kind = "an RTTM or UEM file (.rttm, .uem)" if name == "touched" else "an RTTM file (.rttm)"
            raise OptionError(f"Without a table, {name} (--{name}) must be {kind}; got {str(path)!r}.")
    missing = [name for name in NEEDED if name not in files]
    if missing:
        raise OptionError(f"RTTM files need reference and adapted; name the {missing[0]} file with --{missing[0]}.")
    read = {
        name: read_uem(path) if str(path).lower().endswith(UEM) else read_rttm(path) for name, path in files.items()
    }
    known = {row.recording for row in read["reference"]}
    for name, rows in read.items():
        stray = next((row for row in rows if row.recording not in known), None)
        if stray is not None:
            raise InputError(
                f"{files[name]}, line {stray.line}: recording {stray.recording!r} has no speech in {files['reference']}. "
                "Add it there, or remove its lines."
            )
    parts = {name: _segments(rows) for name, rows in read.items() if name != "touched"}
    touched = _times([*read.get("touched", ()), *read.get("answer", ())])
    return SpokenParts(parts["reference"], parts["adapted"], parts.get("before"), parts.get("answer"), touched)


def _segments(rows: Iterable[SpokenRow | SpokenTime]) -> dict[str, list[SpeakerSegment]]:
    recordings: dict[str, list[SpeakerSegment]] = {}
    for row in rows:
        recordings.setdefault(row.recording, []).append(SpeakerSegment(row.speaker, row.start, row.end))
    return recordings


def _times(rows: Iterable[SpokenRow | SpokenTime]) -> dict[str, list[Region]]:
    times: dict[str, list[Region]] = {}
    for row in rows:
        times.setdefault(row.recording, []).append((row.start, row.end))
    return times
