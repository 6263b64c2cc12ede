"""Where logs contradict each other: an answer right in one place and wrong in another, and other right answers."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from justesse.frames.logs.run import Sample

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class ScoreConflicts:
    """Questions with an answer that is right in one place and wrong in another.

    Parameters
    ----------
    questions
        Their number.
    answer
        Such an answer to the first of them.
    right, wrong
        Where it is right, and where it is wrong.
    """

    questions: int
    answer: str
    right: str
    wrong: str


def plain(text: str | None) -> str:
    """Write an answer so that equal ones are equal: no capitals, single spaces.

    >>> plain(" New  York "), plain(None)
    ('new york', '')
    """
    return " ".join((text or "").casefold().split())


def score_conflicts(answers: Iterable[tuple[Hashable, str | None, bool, str]]) -> ScoreConflicts | None:
    """Find answers with two scores, from (question, answer, whether it is right, where); empty answers do not count.

    >>> score_conflicts([("q1", "Rome", True, "a"), ("q1", "rome", False, "b"), ("q2", "Rome", False, "b")])
    ScoreConflicts(questions=1, answer='rome', right='a', wrong='b')
    >>> score_conflicts([("q1", "Rome", True, "a"), ("q2", "Rome", False, "a")]) is None
    True
    """
    places: dict[tuple[Hashable, str], dict[bool, str]] = {}
    for question, answer, right, where in answers:
        if text := plain(answer):
            places.setdefault((question, text), {}).setdefault(right, where)
    apart = {key: own for key, own in places.items() if len(own) == 2}
    if not apart:
        return None
    (_, text), own = next(iter(apart.items()))
    return ScoreConflicts(len({question for question, _ in apart}), text, own[True], own[False])


def other_targets(first: Mapping[Key, Sample], second: Mapping[Key, Sample]) -> set[Key]:
    """List the samples of both logs whose right answers differ, in any order and with any capitals."""
    return {
        key
        for key in first.keys() & second.keys()
        if (mine := set(map(plain, first[key].targets))) and (theirs := set(map(plain, second[key].targets)))
        if mine != theirs
    }
