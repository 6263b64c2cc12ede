"""Shares and means of rows that come in groups, as after one split by group."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.clustered import clustered_positive_mean, clustered_share
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
SHARE, MEAN = "share of rows in groups", "mean error of rows in groups"
MORE_GROUPS = "more groups"
BETWEEN = 0.5  # variance of the mean error of a group, if that of its rows is 1


def _sizes(groups: int, uneven: bool) -> Any:
    """Give ten rows to each group; if uneven, as many to the first as to all others together."""
    sizes = np.full(groups, 10)
    if uneven:
        sizes[0] = 10 * (groups - 1)
    return sizes


def _shares(groups: int, uneven: bool, rate: float, alike: float, side: Any) -> Run:
    """Draw the chance of an error of each group from a beta distribution whose mean is the rate."""
    sizes, shape = _sizes(groups, uneven), (rate / alike, (1 - rate) / alike)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "shares of groups", str(groups), str(uneven), str(rate), str(alike))
        wrong = rng.binomial(sizes, rng.beta(*shape, size=(repetitions, groups)))
        ends = [clustered_share(row, sizes, alternative=side).intervals(alternative=side)[0] for row in wrong]
        return {SHARE: covered(ends, rate)}

    return run


def _large(groups: int, large: float, sizes: tuple[int, int], rate: float) -> Run:
    """Draw small and large groups; only large groups have errors, and then all of their rows are wrong."""
    small, big = sizes
    truth = large * big * rate / (large * big + (1 - large) * small)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "large groups", str(groups), str(large), str(sizes), str(rate))
        is_large = rng.random((repetitions, groups)) < large
        wrong = np.where(is_large & (rng.random(is_large.shape) < rate), big, 0)
        both = zip(wrong, np.where(is_large, big, small), strict=True)
        return {SHARE: covered([clustered_share(row, own).intervals()[0] for row, own in both], truth)}

    return run


def _skewed(groups: int, slope: float) -> Run:
    """Draw log-normal sizes of groups; the chance of an error rises with the size."""

    def drawn(rng: np.random.Generator, repetitions: int) -> tuple[Any, Any]:
        sizes = np.ceil(np.exp(rng.normal(1.5, 1.2, (repetitions, groups)))).astype(int)
        chance = 1 / (1 + 9 * (sizes / 6.0) ** -slope)
        return sizes, chance

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "skewed groups", str(groups), str(slope))
        many, rate = drawn(rng, 200_000 // groups * 10)
        truth = float((many * rate).sum() / many.sum())
        sizes, chance = drawn(rng, repetitions)
        wrong = rng.binomial(sizes, rng.beta(chance, 1 - chance))
        both = zip(wrong, sizes, strict=True)
        return {SHARE: covered([clustered_share(row, own).intervals()[0] for row, own in both], truth)}

    return run


def _means(groups: int, uneven: bool, side: Any) -> Run:
    """Draw squared errors of groups that differ in their mean and in their spread; their mean is known."""
    sizes, truth = _sizes(groups, uneven), 1 + BETWEEN
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "means of groups", str(groups), str(uneven))
        ends: list[Interval | None] = []
        for _ in range(repetitions):
            shift, spread = rng.normal(0, BETWEEN**0.5, groups), np.sqrt(rng.gamma(4, 1 / 4, groups))
            errors = np.repeat(shift, sizes) + np.repeat(spread, sizes) * rng.normal(size=sizes.sum())
            found = clustered_positive_mean(np.add.reduceat(errors**2, starts), sizes, alternative=side)
            ends.append(found.intervals(bounds=(0.0, np.inf), alternative=side)[0])
        return {MEAN: covered(ends, truth)}

    return run


def _words(uneven: bool, side: str) -> str:
    return f"{'one group has half of the rows' if uneven else 'groups of ten rows'}" + ("" if side == "two-sided" else f", one-sided ({side})")  # fmt: skip


SETTINGS = (
    *(
        Setting("clusters", f"{100 * rate:g} % errors, groups {'much alike' if alike < 0.1 else 'unlike each other'}, {_words(uneven, side)}", groups, (Case(SHARE, instead=MORE_GROUPS),), _shares(groups, uneven, rate, alike, side))
        for groups, uneven, rate, alike, side in (
            (5, False, 0.3, 0.05, "two-sided"),
            (5, False, 0.3, 0.5, "two-sided"),
            (10, False, 0.1, 0.5, "two-sided"),
            (10, True, 0.1, 0.05, "two-sided"),
            (30, False, 0.02, 0.05, "two-sided"),
            (30, False, 0.1, 0.5, "two-sided"),
            (30, True, 0.1, 0.5, "two-sided"),
            (30, False, 0.1, 0.5, "greater"),
            (30, False, 0.1, 0.5, "less"),
        )
    ),
    *(
        Setting("clusters", f"{ADVERSARIAL}group size goes with the outcome: {100 * large:g} % of the groups have {sizes[1]} rows, {100 * rate:g} % of these only errors; the others {sizes[0]}, none", groups, (Case(SHARE, instead=MORE_GROUPS),), _large(groups, large, sizes, rate))
        for groups, large, sizes, rate in ((300, 0.1, (2, 20), 0.3), (500, 0.02, (1, 30), 0.5), (200, 0.1, (1, 20), 0.3))
    ),
    *(
        Setting("clusters", f"{ADVERSARIAL}group size goes with the outcome: log-normal sizes from 1 to hundreds of rows, the odds of an error rise as the size to the power of {slope:g}", groups, (Case(SHARE, instead=MORE_GROUPS),), _skewed(groups, slope))
        for groups, slope in ((40, 1.0), (200, 1.0), (60, 0.5))
    ),
    *(
        Setting("clusters", f"squared errors, {_words(uneven, side)}", groups, (Case(MEAN, instead=MORE_GROUPS),), _means(groups, uneven, side))
        for groups, uneven, side in (
            (5, False, "two-sided"),
            (10, False, "two-sided"),
            (30, False, "two-sided"),
            (30, True, "two-sided"),
            (30, False, "greater"),
            (30, False, "less"),
        )
    ),
)  # fmt: skip
