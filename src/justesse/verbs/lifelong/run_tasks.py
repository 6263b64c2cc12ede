"""What the answers of a run are: its stream and its task, as options say."""

from typing import Any

from justesse.core.choices import PenaltyScore
from justesse.core.errors import InputError, OptionError
from justesse.frames.rttm import is_rttm, read_rttm
from justesse.frames.stream_rows import TimedRows
from justesse.lifelong.penalised_diarization import DiarizationScoring
from justesse.lifelong.scorers import ALL
from justesse.lifelong.stream import Stream
from justesse.lifelong.tasks.classes import ClassTask
from justesse.lifelong.tasks.recordings import RecordingTask, Speech
from justesse.lifelong.tasks.sentences import SentenceTask
from justesse.lifelong.tasks.task import RunTask

SCORERS = {scorer.name: scorer for scorer in ALL}


def run_task(
    stream: Stream,
    rows: TimedRows,
    score: PenaltyScore,
    scoring: DiarizationScoring,
    reference: Any,
    stretch: float | None,
) -> tuple[Stream, RunTask]:
    """Make the task of a run, and the stream with the right answers of the task.

    Parameters
    ----------
    stream
        The stream.
    rows
        Its rows.
    score
        Name of the score.
    scoring
        How recordings are scored.
    reference
        RTTM file of who speaks when, for recordings.
    stretch
        Length of the times that questions are about, for recordings.
    """
    task: RunTask
    if score == "error":
        return stream, ClassTask(stream.labels, stream.classes)
    if score == "der":
        speech = _speech(reference, rows)
        stream, task = stream.answered(speech), RecordingTask(speech, scoring, stretch)
    else:
        stream = stream.answered(stream.labels)
        task = SentenceTask(SCORERS[score], stream.labels)
    for batch in stream.batches:
        for items, name in ((batch.items, "items"), (batch.tests, "test items")):
            if items and not task.size(items) > 0:
                raise InputError(
                    f"The {name} of period {batch.period} in {rows.where} have nothing that the {task.words} is counted of "
                    "in their reference. Choose longer periods (period=…, --period), or another test_share=… (--test-share)."
                )
    return stream, task


def _speech(reference: Any, rows: TimedRows) -> dict[str, Speech]:
    """Read who speaks when in every recording of the stream."""
    if not is_rttm(reference):
        raise OptionError(f"reference (--reference) must be an RTTM file (.rttm); got {str(reference)!r}.")
    spoken: dict[str, Speech] = {}
    for row in read_rttm(reference):
        spoken.setdefault(row.recording, []).append([row.speaker, row.start, row.end])
    absent = next((id for id in rows.ids if id not in spoken), None)
    if absent is not None:
        raise InputError(
            f"Recording {absent!r} of {rows.where} has no SPEAKER line in {reference}. Recordings are named by the ids of the "
            "stream: name their column with on=… (--on), or add the recording."
        )
    return {id: spoken[id] for id in rows.ids}
