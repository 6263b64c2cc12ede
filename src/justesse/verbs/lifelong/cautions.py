"""Warnings that several lifelong commands share."""

from collections.abc import Sequence

from justesse.core.results import ClassName
from justesse.report.writing import message
from justesse.verbs.unanswered import most_frequent


def no_classes(others: Sequence[tuple[ClassName, int]], whose: str = "") -> list[str]:
    """Warn of predictions that are no class of the labels: a misspelt class, for example.

    >>> no_classes([("Cat", 2)], "old")
    ["2 predictions of old are no class of the labels: 'Cat' (2). They count as wrong."]
    """
    if not others:
        return []
    template = (
        "{n:count prediction}{whose} {n:plural is|are} no class of the labels: {names}. {n:plural It counts|They count} as "
        "wrong."
    )
    return [
        str(
            message(
                template,
                n=sum(n for _, n in others),
                whose=f" of {whose}" if whose else "",
                names=most_frequent(others),
            )
        )
    ]


def single_times(alone: int, periods: int) -> list[str]:
    """Warn that items of periods with a single time count as independent.

    >>> single_times(2, 3)[0][:61]
    '2 of 3 periods have a single time: their items count as indep'
    """
    if not alone:
        return []
    template = (
        "{n:count} of {all:count period} {n:plural has|have} a single time: {n:plural its|their} items count as "
        "independent, so the interval is too narrow if they are alike."
    )
    return [str(message(template, n=alone, all=periods))]


def few_blocks(few: int, periods: int) -> list[str]:
    """Warn that an interval is wide because few blocks of time show how much days differ.

    >>> few_blocks(3, 4)[0][:62]
    '3 of 4 periods have only two or three blocks of time, so the i'
    """
    if not few:
        return []
    template = (
        "{n:count} of {all:count period} {n:plural has|have} only two or three blocks of time, so the interval is wide: few blocks "
        "show little of how much days differ. Longer periods have more blocks (--period)."
    )
    return [str(message(template, n=few, all=periods))]


def left_out(rows: int) -> list[str]:
    """Warn of rows without a label or prediction.

    >>> left_out(1)
    ['1 row without a label or prediction is left out.']
    """
    template = "{n:count row} without a label or prediction {n:plural is|are} left out."
    return [str(message(template, n=rows))] if rows else []


def missing_at_random(rows: int) -> list[str]:
    """Warn that rows without a label were left out as if they were like the others.

    >>> missing_at_random(3)[0][:60]
    '3 rows without a label are left out, as if they were like th'
    """
    template = (
        "{n:count row} without a label {n:plural is|are} left out, as if {n:plural it was|they were} like the others. If labels "
        "are late or were only asked for some rows, use --missing-labels bound, or --probability if it is known how they were "
        "asked."
    )
    return [str(message(template, n=rows))] if rows else []


def in_utc(zoned: bool) -> list[str]:
    """Say that days and months are those of UTC, if times have a zone.

    >>> in_utc(True)
    ['Times have a time zone: days, months and other periods are those of UTC.']
    """
    return ["Times have a time zone: days, months and other periods are those of UTC."] if zoned else []
