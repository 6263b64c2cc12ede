"""Who speaks when, from files in the formats of NIST's evaluations: RTTM for speech, UEM for times alone."""

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from justesse.core.errors import FileError, InputError

RTTM, UEM = ".rttm", ".uem"
LATEST = 1e9  # seconds, about 30 years: a later time is a slip, and sums of such times lose their digits
KINDS = {
    "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP", "SU", "CB",
    "A/P", "SPEAKER", "SPKR-INFO",
}  # fmt: skip
FIELDS = "SPEAKER recording channel start duration <NA> <NA> speaker <NA> <NA>"


@dataclass(frozen=True)
class SpokenTime:
    """A stretch of time in a recording, and who speaks in it; no speaker if only the time matters."""

    recording: str
    speaker: str
    start: float
    end: float
    line: int


def is_rttm(data: object) -> bool:
    """Say whether data is the path of an RTTM file.

    >>> is_rttm("speech.RTTM"), is_rttm("speech.csv")
    (True, False)
    """
    return isinstance(data, (str, os.PathLike)) and os.fspath(data).lower().endswith(RTTM)


def read_rttm(path: str | os.PathLike[str]) -> list[SpokenTime]:
    """Read the SPEAKER lines of an RTTM file; lines of other kinds and comments (;;) are skipped.

    Parameters
    ----------
    path
        The file. Every line has the kind, the recording, the channel, the start and the duration in seconds, two
        fields that do not matter here, and the speaker.
    """
    file, rows = Path(os.path.expanduser(path)), []
    channels: dict[str, str] = {}
    for number, words in _lines(file):
        where = f"{file}, line {number}"
        if words[0] not in KINDS:
            raise InputError(f"{where}: {words[0]!r} is no kind of RTTM line. Write {FIELDS}.")
        if words[0] != "SPEAKER":
            continue
        if not 8 <= len(words) <= 10:
            raise InputError(f"{where}: a SPEAKER line has 8 to 10 fields; got {len(words)}. Write {FIELDS}.")
        recording, channel, speaker = words[1], words[2], words[7]
        if channels.setdefault(recording, channel) != channel:
            raise InputError(
                f"{where}: recording {recording!r} has the channels {channels[recording]!r} and {channel!r}. Give each "
                "channel a recording name of its own."
            )
        if speaker == "<NA>":
            raise InputError(f"{where}: no speaker (field 8 is <NA>). Name the speaker.")
        start, duration = _number(words[3], "start", where), _number(words[4], "duration", where)
        if not (start >= 0 and duration > 0):
            raise InputError(
                f"{where}: the start must be 0 or more and the duration above 0; got {words[3]} and {words[4]}. Remove "
                "or correct the line."
            )
        rows.append(SpokenTime(recording, speaker, start, start + duration, number))
    if not rows:
        raise FileError(f"{file} has no SPEAKER line. Write {FIELDS}.")
    return rows


def read_uem(path: str | os.PathLike[str]) -> list[SpokenTime]:
    """Read the times of a UEM file: the recording, the channel, the start and the end in seconds on each line."""
    file, rows = Path(os.path.expanduser(path)), []
    for number, words in _lines(file):
        where = f"{file}, line {number}"
        if len(words) != 4:
            raise InputError(f"{where}: a UEM line has 4 fields, recording channel start end; got {len(words)}.")
        start, end = _number(words[2], "start", where), _number(words[3], "end", where)
        if not 0 <= start < end:
            raise InputError(f"{where}: the start must be 0 or more and before the end; got {words[2]} and {words[3]}.")
        rows.append(SpokenTime(words[0], "", start, end, number))
    if not rows:
        raise FileError(f"{file} has no line with a time. Write recording channel start end.")
    return rows


def _lines(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of every line that is neither empty nor a comment."""
    if not file.is_file():
        raise FileError(f"File {str(file)!r} not found. Check its name and path.")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        bad = file.read_bytes()[: error.start].count(b"\n") + 1
        raise FileError(f"{file}, line {bad} is not UTF-8 text. Save the file as UTF-8.") from error
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if words and not words[0].startswith(";;"):
            yield number, words


def _number(text: str, name: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{where}: the {name} must be a number of seconds; got {text!r}.")
    if abs(number) > LATEST:
        raise InputError(f"{where}: the {name} must be at most {LATEST:,.0f} seconds; got {text!r}. Correct the line.")
    return number
