"""The shape that every reader of evaluation logs returns: a run of one model on one task, and its samples."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class MetricMark(NamedTuple):
    """What a metric says about a sample: its score, and the answer it saw, if the log has it."""

    score: float | None
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer to one question.

    Parameters
    ----------
    id
        Id of the question within its task.
    marks
        Score and answer by the name of the metric.
    targets
        Right answers, any of which is accepted; none if the log has no target.
    response
        What the model wrote, if the log has it.
    epoch
        Number of the repetition, from 1.
    filter
        How the answer was extracted, or which version of the question it is; empty if the log has no such thing.
    content
        Hash of the question.
    prompt
        Hash of what the model was shown, examples and instructions included.
    choices
        Answers that the question allows, if it lists them.
    failed
        Whether the model or the harness failed on this sample.
    """

    id: str
    marks: Mapping[str, MetricMark]
    targets: tuple[str, ...] = ()
    response: str | None = None
    epoch: int = 1
    filter: str = ""
    content: str | None = None
    prompt: str | None = None
    choices: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True)
class LogRun:
    """A run of one model on one task, as its log has it.

    Parameters
    ----------
    source
        File or folder it was read from.
    format
        Name of the format.
    task, model
        Their names.
    samples
        The samples, in the order of the log.
    version
        Version of the task.
    shots
        Number of examples in the prompt.
    settings
        Further settings that can change the answers, such as the temperature.
    status
        "success", or what the log says instead.
    expected
        Number of samples that the run should have.
    lower_is_better
        Metrics where a lower value is better.
    scored_by
        Model that scored the answers, if one did.
    """

    source: str
    format: str
    task: str
    model: str
    samples: Sequence[Sample]
    version: str | None = None
    shots: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    status: str = "success"
    expected: int | None = None
    lower_is_better: frozenset[str] = frozenset()
    scored_by: str | None = None


def content_hash(*parts: Any) -> str:
    """Return a short fingerprint of a question, equal wherever the same text is asked.

    >>> content_hash("2 + 2?", ["3", "4"]) == content_hash("2 + 2?", ["3", "4"])
    True
    >>> len(content_hash("2 + 2?"))
    16
    """
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def as_texts(value: Any) -> tuple[str, ...]:
    """Return the texts of a target: one or several, without spaces around them; empty ones are left out.

    >>> as_texts(" Yes"), as_texts(["4", "four"]), as_texts(None), as_texts(3)
    (('Yes',), ('4', 'four'), (), ('3',))
    """
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(dict.fromkeys(text for item in value for text in as_texts(item)))
    text = as_text(value)
    return (text,) if text else ()


def as_text(value: Any) -> str:
    """Write a value of a log as text without spaces around it.

    >>> as_text(" A "), as_text(True), as_text({"a": 1})
    ('A', 'true', '{"a": 1}')
    """
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def as_score(value: Any) -> float | None:
    """Read a score: numbers, booleans, and the letters and words that harnesses write; `None` for anything else.

    C, I, P and N are inspect_ai's correct, incorrect, partly correct and no answer.

    >>> [as_score(value) for value in (1, True, "C", "P", "0.25", "maybe", [1, 2], float("nan"))]
    [1.0, 1.0, 1.0, 0.5, 0.25, None, None, None]
    """
    if isinstance(value, bool | int | float):
        return float(value) if value == value else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    words = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
    if text in words:
        return words[text]
    plain = {"true": 1.0, "yes": 1.0, "correct": 1.0, "false": 0.0, "no": 0.0, "incorrect": 0.0}
    if text.lower() in plain:
        return plain[text.lower()]
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number else None
