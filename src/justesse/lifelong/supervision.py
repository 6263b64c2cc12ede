"""Minimal supervision: an oracle corrects the first wrong item, the system answers again, until all is right."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from justesse.core.errors import InputError
from justesse.core.results import ClassName
from justesse.lifelong.item import Item
from justesse.lifelong.system import LearningSystem


def corrections(
    items: Sequence[Item],
    predict: Callable[[], Sequence[Any]],
    believed: Callable[[Item, int], Any],
    differs: Callable[[Item, Any, Any], bool] = lambda item, answer, belief: bool(answer != belief),
) -> Iterator[tuple[Item, Any]]:
    """Yield the corrections of an expert: the first item in order that differs from what the expert believes.

    After each, the system answers again. An item is corrected at most once, so a system that ignores corrections pays
    for each of its errors.

    Parameters
    ----------
    items
        The items, or parts of them, in order.
    predict
        Returns what the system answers now, for each of them.
    believed
        Returns what the expert believes about an item after a number of corrections; `None` if nothing.
    differs
        Says whether the answer to an item is not what the expert believes.
    """
    corrected: set[str] = set()
    while True:
        for item, answer in zip(items, predict(), strict=True):
            if item.id in corrected:
                continue
            belief = believed(item, len(corrected))
            if belief is not None and differs(item, answer, belief):
                break
        else:
            return
        corrected.add(item.id)
        yield item, belief


def minimal_supervision_cost(
    system: LearningSystem, items: Sequence[Item], labels: Sequence[ClassName], *, cost: float = 1.0
) -> float:
    """Compute what it costs to lead a system to right answers on all items, one correction after the other.

    Parameters
    ----------
    system
        The system; it adapts to every correction.
    items
        Items in order.
    labels
        Their right classes.
    cost
        Cost of a correction.

    Returns
    -------
    float
        Cost of all corrections. Without adaptation it is the number of errors, times the cost.

    Notes
    -----
    Geoffrois (2016), as described by Prokopalo et al. (2020), section 2.2.

    >>> class Constant:
    ...     def predict(self, items): return ["cat"] * len(items)
    ...     def adapt(self, items, because): pass
    >>> minimal_supervision_cost(Constant(), [Item("1", "a"), Item("2", "a")], ["cat", "dog"])
    1.0
    """
    if len(labels) != len(items):
        raise InputError(f"{len(items)} items need as many labels; got {len(labels)}.")
    right = {item.id: label for item, label in zip(items, labels, strict=True)}
    total = 0.0
    for item, label in corrections(items, lambda: system.predict(items), lambda item, _: right[item.id]):
        system.adapt([item.labelled(label)], "correction")
        total += cost
    return total
