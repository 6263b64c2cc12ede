"""Simulated experts, one kind per file (`ALL`); they are seeded and answer every system alike."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.lifelong.experts.costly import COSTLY
from justesse.lifelong.experts.delayed import DELAYED
from justesse.lifelong.experts.expert import ExpertKind, SimulatedExpert
from justesse.lifelong.experts.noisy import NOISY
from justesse.lifelong.experts.perfect import PERFECT
from justesse.lifelong.experts.refusing import REFUSING
from justesse.lifelong.experts.tiring import TIRING
from justesse.lifelong.tasks.classes import ClassTask

ALL: tuple[ExpertKind, ...] = (PERFECT, NOISY, REFUSING, DELAYED, TIRING, COSTLY)


def expert_kinds(text: str) -> tuple[tuple[ExpertKind, float], ...]:
    """Read kinds of experts as they are typed, such as noisy:0.1 or noisy+costly:3.

    >>> [(kind.name, strength) for kind, strength in expert_kinds("noisy:0.2+costly")]
    [('noisy', 0.2), ('costly', 5.0)]
    """
    kinds = tuple(_kind(part.strip()) for part in text.split("+"))
    names = [kind.name for kind, _ in kinds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"expert (--expert) names {twice} twice: {text!r}. Name each kind once, with one number.")
    if len(kinds) > 1 and PERFECT.name in names:
        raise OptionError(f"expert (--expert) perfect cannot be joined with other kinds; got {text!r}. Leave it out.")
    return kinds


def simulated_expert(
    text: str,
    labels: Mapping[str, Any],
    classes: tuple[ClassName, ...] = (),
    *,
    wrong: Callable[[str, np.random.Generator], Any] | None = None,
    seed: int = 0,
    cost: float = 1.0,
) -> SimulatedExpert:
    """Make a simulated expert.

    Parameters
    ----------
    text
        Its kind, such as noisy:0.1; several are joined by +.
    labels
        Right answer to each question, such as its class, by id.
    classes
        All classes, from which wrong answers are drawn.
    wrong
        Draws a wrong answer to a question instead, given its id and a generator.
    seed
        Seed of all that is drawn.
    cost
        Price of a question.

    >>> simulated_expert("perfect", {"7": "cat"}, ("cat", "dog")).reply("7").label
    'cat'
    """
    if not (math.isfinite(cost) and cost >= 0):
        raise OptionError(f"cost (--cost), the price of a question, must be a number, 0 or more; got {cost!r}.")
    return SimulatedExpert(labels, wrong or ClassTask(labels, classes).wrong, expert_kinds(text), seed, cost)


def _kind(text: str) -> tuple[ExpertKind, float]:
    name, _, written = text.partition(":")
    kind = next((kind for kind in ALL if kind.name == name.strip().lower()), None)
    if kind is None:
        raise OptionError(
            f"expert (--expert) must be one of {', '.join(kind.name for kind in ALL)}, such as noisy:0.1 or "
            f"noisy+costly, or a file that people answer, such as ask.recheck; got {text!r}."
        )
    if not written:
        return kind, kind.strength or 0.0
    low, high = kind.range
    try:
        strength = float(written)
    except ValueError:
        strength = math.nan
    if kind.strength is None or not low <= strength <= high:
        takes = "takes no number" if kind.strength is None else f"takes a number from {low:g} to {high:g}"
        raise OptionError(f"The expert {kind.name} {takes}; got {written!r}.")
    return kind, strength
