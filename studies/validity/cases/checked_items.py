"""Stopping an annotation by checks: bounds on the share of right classes, looked at after every check."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.annotators.checked_share import METHOD, least_right, share_bounds
from justesse.core.arrays import Array
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting

Run = Callable[[int, int], Mapping[str, Hits]]
STOPS, MISSES = "stop: the target share is right", "cannot: the target share is not right"
RISK = 0.05


def looks(
    items: int, target: float, right: int, repetitions: int, seed: int, *, expected: float | None = None
) -> tuple[Array, Array]:
    """Check all items in random order and look after each: was it ever shown that the target is reached, or missed?"""
    rng = stream(seed, "checked items", str(items), str(target), str(right))
    values = np.full((repetitions, items), -1)
    values[:, :right] = 1
    values = rng.permuted(values, axis=1)
    bounds = share_bounds(items, target, repetitions, expected=target if expected is None else expected)
    weights, stratum = np.ones((repetitions, 1)), np.zeros(repetitions, dtype=int)
    for value in values.T:
        bounds.draw(weights=weights, stratum=stratum, low=value, high=value)
    reached, missed = bounds.refuted(RISK)
    return reached[:, 0], missed[:, 0]


def _stopping(items: int, target: float, short: int, expected: float | None) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        right = least_right(target, items) - short
        reached, missed = looks(items, target, right, repetitions, seed, expected=expected)
        wrong, name = (reached, STOPS) if short else (missed, MISSES)
        return {name: Hits(int(wrong.sum()), repetitions, 0, (METHOD,))}

    return run


def _versions(items: int, target: float, versions: int) -> Run:
    """Use the same checks for several consensuses, each one right item short: is any shown to reach the target?

    Between two consensuses a fifth of the wrong items become right and as many others wrong.
    """

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "versions", str(items), str(target))
        wrong = items - least_right(target, items) + 1
        moved = max(wrong // 5, 1)
        order = rng.permuted(np.tile(np.arange(items), (repetitions, 1)), axis=1)
        weights, stratum = np.ones((repetitions, 1)), np.zeros(repetitions, dtype=int)
        stopped = np.zeros(repetitions, dtype=bool)
        for version in range(versions):
            first = version * moved  # the same items for everybody: which are wrong does not depend on the checks
            values = np.where((order >= first) & (order < first + wrong), -1, 1)
            bounds = share_bounds(items, target, repetitions, expected=target)
            for value in values[:, : items // 2].T:
                bounds.draw(weights=weights, stratum=stratum, low=value, high=value)
            stopped |= bounds.refuted(RISK / versions)[0][:, 0]
        return {STOPS: Hits(int(stopped.sum()), repetitions, 0, (METHOD,))}

    return run


SETTINGS = tuple(
    Setting(
        "annotators",
        f"target {100 * target:g} %, {'one right item too few' if short else 'just reached'}"
        + ("" if expected is None else f", {100 * expected:g} % expected by the model")
        + ", at all looks together",
        items,
        (Case(STOPS if short else MISSES, "size"),),
        _stopping(items, target, short, expected),
    )
    for items, target, short, expected in (
        (200, 0.98, 1, None),
        (500, 0.98, 1, None),
        (500, 0.98, 1, 0.995),
        (500, 0.98, 0, None),
        (200, 0.9, 1, None),
        (200, 0.9, 0, None),
    )
)
SETTINGS += (
    Setting(
        "annotators",
        "target 90 %, one right item too few, six consensuses with the same checks, `--versions 6`",
        500,
        (Case(STOPS, "size"),),
        _versions(500, 0.9, 6),
    ),
)
