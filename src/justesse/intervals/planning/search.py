"""The smallest n that reaches a goal."""

from collections.abc import Callable

from justesse.core.errors import OptionError

LARGEST = 1 << 40


def smallest(reaches: Callable[[int], bool], *, window: Callable[[int], int] = lambda n: 0, start: int = 1) -> int:
    """Compute the smallest n that reaches the goal, at and after which the goal stays reached.

    Power and assurance go up and down a little as n grows by one (they depend on whole counts), so a lucky n is
    not enough: the goal must also hold for the next `window(n)` values of n.

    >>> smallest(lambda n: n * n >= 50)
    8
    >>> smallest(lambda n: n >= 10 and n not in (13, 14), window=lambda n: 3)
    15
    """
    high = start
    while not reaches(high):
        high *= 2
        if high > LARGEST:
            raise OptionError(
                "No sample of up to 10¹² rows is enough. Allow a wider interval, a larger difference or a lower level."
            )
    low = start - 1 if high == start else high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    at = high + window(high)
    while at > high:
        if reaches(at):
            at -= 1
            continue
        high = at + 1
        while not reaches(high):
            high += 1
        at = high + window(high)
    while high > start and reaches(high - 1):
        high -= 1
    return high
