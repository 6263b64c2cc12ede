"""What the policy page shows: presets with small pictures, the curve, the ranking and where it flips."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.frames.count import opened
from justesse.lifelong.policy import Policy
from justesse.report.written_intervals import level_words, points, points_interval
from justesse.report.written_numbers import count, share
from justesse.verbs.lifelong.compare import lifelong_compare
from justesse.verbs.lifelong.ranking import TRAINED, RankedSystem, SystemScores

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 270, 60, 36, 16, 54
TOP_WEIGHT = 100.0
LABELS = 8  # names of periods that fit below the curve; the script knows the width and may choose others


@dataclass(frozen=True)
class Preset:
    """A policy to start from: its name, a sentence, its weights, and bars that show them."""

    name: str
    words: str
    weights: tuple[float, ...]
    bars: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True)
class PolicyPoint:
    """A period on the curve: where it is, its weight, and its name if there is room for it."""

    name: str
    weight: float
    share: str
    x: float
    y: float
    label: str


@dataclass(frozen=True)
class RankLine:
    """A system in the ranking, in words."""

    name: str
    accuracy: str
    n: str
    turn: str
    flips: str


def presets(periods: Sequence[str]) -> list[Preset]:
    """Make the policies to start from, as far as the number of periods allows."""
    many = len(periods)
    cycle = 12 if many >= 24 else 4 if many >= 4 else 2
    chosen = []
    for text in ("recent", "uniform", "past", f"cyclic:{cycle}"):
        policy = Policy.parse(text)
        weights = scaled(policy.weights(list(periods)))
        chosen.append(Preset(text, policy.words, weights, bars(weights)))
    return chosen


def scaled(weights: FloatArray) -> tuple[float, ...]:
    """Write weights so that the largest is 100.

    >>> scaled(np.array([0.25, 0.75]))
    (33.33, 100.0)
    """
    top = float(np.max(weights))
    return tuple(float(f"{TOP_WEIGHT * weight / top:.4g}") for weight in weights.tolist())


def bars(weights: Sequence[float]) -> tuple[tuple[float, float, float, float], ...]:
    """Place the bars of a small picture, 120 by 40: x, y, width, height."""
    step = 120 / len(weights)
    heights = [38 * weight / TOP_WEIGHT + 1 for weight in weights]
    return tuple(
        (round(at * step + step * 0.1, 2), round(40 - high, 2), round(step * 0.8, 2), round(high, 2))
        for at, high in enumerate(heights)
    )


def checked_weights(texts: Sequence[str], periods: Sequence[str]) -> tuple[float, ...]:
    """Read the weights of a form; refuse what is no policy."""
    if len(texts) != len(periods):
        raise OptionError(f"There are {len(periods)} periods, and {len(texts)} weights came. Load the page again.")
    weights = []
    for text, period in zip(texts, periods, strict=True):
        try:
            weight = float(text.strip() or "0")
        except ValueError:
            weight = math.nan
        if not (math.isfinite(weight) and 0 <= weight <= 1e9):
            raise OptionError(f"The weight of {period!r} must be a number of 0 or more; got {text[:40]!r}.")
        weights.append(weight)
    if not any(weights):
        raise OptionError("Give at least one period a weight above 0.")
    return tuple(weights)


def curve(periods: Sequence[str], weights: Sequence[float]) -> list[PolicyPoint]:
    """Place the points of the curve; the highest weight, at least 100, is at the top."""
    top, total = max(TOP_WEIGHT, *weights), sum(weights)
    step = (WIDTH - LEFT - RIGHT) / max(len(periods) - 1, 1)
    every = math.ceil(len(periods) / LABELS)
    return [
        PolicyPoint(
            name, weight, share(weight / total), round(LEFT + at * step, 2),
            round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - weight / top), 2),
            (name if len(name) <= 10 else f"{name[:9]}…") if at % every == 0 else "",
        )
        for at, (name, weight) in enumerate(zip(periods, weights, strict=True))
    ]  # fmt: skip


def rank_lines(scores: SystemScores, ranked: Sequence[RankedSystem]) -> list[RankLine]:
    """Write the ranking, and what would turn it."""
    leader = scores.systems[ranked[0].place]
    return [
        RankLine(
            scores.systems[row.place], share(row.accuracy), count(row.n),
            "" if at == 0 else _turn(scores, row, leader, level=row.accuracy == ranked[0].accuracy),
            "" if at == 0 else _flips(row.flips),
        )
        for at, row in enumerate(ranked)
    ]  # fmt: skip


def _turn(scores: SystemScores, row: RankedSystem, leader: str, *, level: bool) -> str:
    if level:
        return f"level with {leader}"
    if row.period is None or row.factor is None:
        return "no change of one weight does"
    return f"{scores.periods[row.period]} × {row.factor:.3g}"


def _flips(places: Sequence[float]) -> str:
    """Say where the order of two systems flips between past and recent.

    >>> _flips([]), _flips([0.0]), _flips([-0.5, 0.25])
    ('nowhere', 'at uniform', 'between past and uniform, between uniform and recent')
    """
    if not places:
        return "nowhere"
    words = ("between past and uniform", "at uniform", "between uniform and recent")
    return ", ".join(dict.fromkeys(words[1 if abs(at) < 1e-9 else 0 if at < 0 else 2] for at in places))


def compared(leader: Any, second: Any, weights: dict[str, float], period: str | float | None) -> str:
    """Say by how much the leader is better than the second, with an interval; or why that is not known."""
    try:
        trained = TRAINED if TRAINED in opened(leader)[0].columns else None
        result = lifelong_compare(second, leader, policy=weights, period=period, trained=trained)
    except InputError as error:
        return f"No interval of the difference: {error}"
    estimate = result.difference
    interval = f"{level_words(estimate)} {points_interval(estimate)}" if estimate.interval else "no interval"
    return f"Difference of the first two: {points(estimate)} ({interval}, n = {count(estimate.n)})."
