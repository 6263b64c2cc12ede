"""Labels that accept several classes: what a result says about them, and what they rule out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from justesse.core.answer_policy import AnswerPolicy, Gaps
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.report.writing import message

USUAL = "|"


def any_of_words(gaps: Gaps, classes: Sequence[ClassName], *, apart: bool = False) -> Iterator[str]:
    """Say how labels that accept several classes were counted, or that there seem to be some.

    `apart` says that two classifiers were judged by labels and by true classes separately.

    >>> list(any_of_words(Gaps(), ["cat", "dog", "cat|dog"]))
    ["1 label such as 'cat|dog' is made of other classes. If it accepts any of them, count each as right (any_of='|', --any-of '|')."]
    """
    for axis, rows in gaps.several.items():
        if rows:
            yield str(
                message(
                    "{n:count} {what} accept several classes: an accepted answer is counted as right, and its row as one of "
                    "that class; otherwise the row counts for the first class named. Accuracy is exact, measures of single "
                    "classes follow this convention.",
                    n=rows,
                    what="true classes" if axis == "true" else "labels",
                )
            )
    if apart:
        yield (
            "Each classifier is judged by the labels and, apart from that, by the true classes; two different answers that "
            "are both accepted are a tie. A label counts as wrong if it has no class in common with the true classes."
        )
    elif "true" in gaps.several and any(gaps.several.values()):
        yield (
            "Where labels or true classes accept several classes, a label counts as wrong if it judges the answer otherwise "
            "than the true class does, or if the two have no class in common."
        )
    if gaps.policy.any_of is None:
        known = set(classes)
        sets = [
            name
            for name in classes
            if isinstance(name, str) and USUAL in name and _parts(name) <= known and _parts(name)
        ]
        if sets:
            yield str(
                message(
                    "{n:count label} such as {name:name} {n:plural is|are} made of other classes. If "
                    "{n:plural it accepts|they accept} any of them, count each as right (any_of={separator:name}, --any-of "
                    "{separator:name}).",
                    n=len(sets),
                    name=sets[0],
                    separator=USUAL,
                )
            )


def _parts(name: str) -> set[str]:
    return {part.strip() for part in name.split(USUAL)} - {""}


def check_any_of(policy: AnswerPolicy, options: Mapping[str, Any]) -> None:
    """Refuse options that need one class per row.

    >>> check_any_of(AnswerPolicy(any_of="|"), {"transition": "table.csv"})
    Traceback (most recent call last):
        ...
    justesse.core.errors.OptionError: transition needs one class per label, but any_of accepts several. Use one of them.
    """
    in_use = [name for name, value in options.items() if value is not None]
    if policy.any_of is not None and in_use:
        raise OptionError(f"{in_use[0]} needs one class per label, but any_of accepts several. Use one of them.")
