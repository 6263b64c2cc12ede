"""Who speaks when, as people write it: Ann 0-4.5; Ben 4.5-9."""

import re
from typing import Any

from justesse.core.errors import InputError

NOBODY = "nobody"
PART = re.compile(r"(?P<speaker>.*\S)\s+(?P<start>\d+(?:\.\d+)?)\s*-\s*(?P<end>\d+(?:\.\d+)?)")


def read_speech(text: str) -> list[list[Any]]:
    """Read speakers and their times in seconds.

    Parameters
    ----------
    text
        Speaker, start and end of each segment, with semicolons between them; nobody if there is no speech.

    >>> read_speech("Ann 0-4.5; Ben 4.5-9"), read_speech("nobody")
    ([['Ann', 0.0, 4.5], ['Ben', 4.5, 9.0]], [])
    """
    if text.strip().lower() == NOBODY:
        return []
    speech: list[list[Any]] = []
    for part in text.split(";"):
        read = PART.fullmatch(part.strip())
        if read is None or not float(read["start"]) < float(read["end"]):
            raise InputError(
                f"Cannot read {part.strip()!r} as a speaker and times. Write each segment as Ann 0-4.5, start before "
                "end, in seconds, with ; between segments; nobody if nobody speaks."
            )
        speech.append([read["speaker"], float(read["start"]), float(read["end"])])
    return speech


def write_speech(speech: list[list[Any]]) -> str:
    """Write speakers and their times, in the order of time.

    >>> write_speech([["Ben", 4.5, 9.0], ["Ann", 0, 4.5]]), write_speech([])
    ('Ann 0-4.5; Ben 4.5-9', 'nobody')
    """
    ordered = sorted(speech, key=lambda part: (part[1], part[2], str(part[0])))
    return "; ".join(f"{speaker} {start:.12g}-{end:.12g}" for speaker, start, end in ordered) or NOBODY
