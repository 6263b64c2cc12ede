"""An expert's answer as a table shows it."""

from typing import Any

LONGEST = 60  # characters


def written_answer(answer: Any) -> Any:
    """Write a class or a text as it is, and speech as who speaks when.

    >>> written_answer("cat"), written_answer([["Ann", 0.0, 2.5], ["Ben", 2.5, 4.0]]), written_answer([])
    ('cat', 'Ann 0 to 2.5, Ben 2.5 to 4', 'nobody speaks')
    """
    if isinstance(answer, list):
        text = ", ".join(f"{speaker} {start:g} to {end:g}" for speaker, start, end in answer) or "nobody speaks"
    elif isinstance(answer, str):
        text = answer
    else:
        return answer
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
