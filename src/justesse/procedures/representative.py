"""Condition (iii): the test set represents the population where the classifier will be used."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import OptionError
from justesse.core.first_names import first_names
from justesse.core.results import ClassName, finite_or_none
from justesse.procedures.conditions import Check, percent, pvalue_words
from justesse.procedures.same_shares import SharesApart, same_shares
from justesse.significance.multiplicity import adjusted

SHOWN = 5


@dataclass(frozen=True)
class Spread:
    """How often each value of a column occurs in the test set and in the population."""

    code: str
    column: str
    test: Mapping[ClassName, int]
    population: Mapping[ClassName, float]
    counted: bool  # the population is counted rows, not known shares


def check_spreads(spreads: Sequence[Spread], *, effect: float = 0.1, level: float = 0.95, seed: int = 0) -> list[Check]:
    """Check that classes and slices are as frequent in the test set as in the population.

    A column fails if chance is excluded (p-values with Holm's correction over columns) and the difference is large enough
    to matter (Cohen's w of at least `effect`): with a million rows every difference has a small p-value.

    >>> checks = check_spreads([Spread("JU201", "label", {"a": 90, "b": 10}, {"a": 0.5, "b": 0.5}, False)])
    >>> checks[0].state, checks[0].sentence
    ('failed', "Shares of 'label' differ from the population (w = 0.80, p < 0.0001). Largest: 'a', 90.0 % here, 50.0 % there.")
    """
    if not 0 <= effect <= 10:
        raise OptionError(
            f"The effect size from which a difference matters is a number from 0 up, such as 0.1; got {effect!r}."
        )
    tests = [same_shares(spread.test, spread.population, counted=spread.counted, seed=seed) for spread in spreads]
    pvalues: Sequence[float] = adjusted([test.pvalue for test in tests], "holm").tolist() if tests else []
    return [
        _check_spread(spread, test, pvalue, effect, level)
        for spread, test, pvalue in zip(spreads, tests, pvalues, strict=True)
    ]


def _check_spread(spread: Spread, apart: SharesApart, pvalue: float, effect: float, level: float) -> Check:
    name, test_share, population_share = max(apart.cells, key=lambda cell: abs(cell[1] - cell[2]))
    figures = {
        "column": spread.column,
        "pvalue": apart.pvalue,
        "adjusted_pvalue": pvalue,
        "effect": finite_or_none(apart.effect),
        "wanted": effect,
        "moved": apart.moved,
        "statistic": finite_or_none(apart.statistic),
        "method": apart.method,
        "n": sum(spread.test.values()),
        "population": "rows" if spread.counted else "shares",
        "cells": [list(cell) for cell in apart.cells],
    }
    p = pvalue_words(pvalue)
    by_chance = pvalue > 1 - level
    if by_chance or apart.effect < effect:
        why = (
            f"no significant difference from the population (w = {apart.effect:.2f}, {p})"
            if by_chance
            else f"difference from the population too small to matter (w = {apart.effect:.2f}, below {effect:g})"
        )
        sentence = f"Shares of {spread.column!r}: {why}. Largest: {name!r}, {percent(test_share)} here, {percent(population_share)} there."
        return Check(spread.code, "passed", sentence, about=spread.column, figures=figures)
    size = "w is infinite" if math.isinf(apart.effect) else f"w = {apart.effect:.2f}"
    return Check(
        spread.code,
        "failed",
        f"Shares of {spread.column!r} differ from the population ({size}, {p}). Largest: {name!r}, {percent(test_share)} here, "
        f"{percent(population_share)} there.",
        "Draw the test rows at random from the population, or weight them by population share over test share "
        "(evaluate --weight), and report each slice separately.",
        spread.column,
        figures,
    )


def check_unseen(column: str, test: Mapping[ClassName, int], train: Mapping[ClassName, int]) -> Check:
    """Check that every class and slice of the test set occurs in training.

    >>> check_unseen("label", {"a": 5, "b": 5}, {"a": 9}).sentence
    "1 value of 'label' is not in the training rows ('b'), with 5 of 10 test rows (50.0 %)."
    """
    known = {str(name) for name in train}
    new = {name: size for name, size in test.items() if name is not None and str(name) not in known}
    rows, n = sum(new.values()), sum(test.values())
    figures = {"column": column, "unseen": [[name, size] for name, size in new.items()], "rows": rows, "n": n}
    if not new:
        return Check("JU203", "passed", f"Every value of {column!r} occurs in training.", about=column, figures=figures)
    single = len(new) == 1
    return Check(
        "JU203",
        "failed",
        f"{len(new):,} value{'' if single else 's'} of {column!r} {'is' if single else 'are'} not in the training rows "
        f"({first_names(list(new))}), with {rows:,} of {n:,} test rows ({percent(rows / n)}).",
        "Add such rows to training, or evaluate them separately (evaluate --by): the model could not learn about them.",
        column,
        figures,
    )


def check_lacking(
    column: str, test: Mapping[ClassName, int], population: Mapping[ClassName, float], *, level: float = 0.95
) -> Check:
    """Check that no value of the population is missing from the test set, unless by chance.

        P(absent) = (1 - π)^n

    >>> check_lacking("site", {"north": 200}, {"north": 0.9, "south": 0.1}).state
    'failed'
    """
    test_names, n, total = {str(name) for name in test}, sum(test.values()), sum(population.values())
    gone = {
        name: size / total
        for name, size in population.items()
        if size and name is not None and str(name) not in test_names
    }
    odd = {name: share for name, share in gone.items() if (1 - share) ** n < (1 - level) / max(len(population), 1)}
    figures = {"column": column, "absent": [[name, share] for name, share in gone.items()], "n": n}
    if odd:
        return Check(
            "JU204",
            "failed",
            f"{first_names(list(odd))} of {column!r} {'is' if len(odd) == 1 else 'are'} missing from the test set but "
            f"{'makes' if len(odd) == 1 else 'make'} up {percent(sum(odd.values()))} of the population.",
            "Label such rows too: without them nothing is known about the classifier there.",
            column,
            figures,
        )
    rare = (
        f", except rare ones ({first_names(list(gone))}, {percent(sum(gone.values()))} of the population)"
        if gone
        else ""
    )
    sentence = f"The test set has every value of {column!r} in the population{rare}."
    return Check("JU204", "passed", sentence, about=column, figures=figures)


def check_time_order(
    column: str, test: NDArray[np.float64], train: NDArray[np.float64], *, written: Sequence[str]
) -> Check:
    """Check that test rows are later than training rows; `written` are the first test and last training time.

    >>> order = check_time_order("day", np.array([3.0, 5.0]), np.array([1.0, 4.0]), written=["3", "4"])
    >>> order.sentence
    "1 of 2 test rows (50.0 %) is earlier by 'day' than the last training row (4); the first test row is at 3."
    """
    early = int((test < train.max()).sum())
    figures = {"column": column, "rows": early, "n": len(test), "test_starts": written[0], "training_ends": written[1]}
    if not early:
        sentence = f"No test row is earlier by {column!r} than the last training row ({written[1]})."
        return Check("JU205", "passed", sentence, about=column, figures=figures)
    return Check(
        "JU205",
        "failed",
        f"{early:,} of {len(test):,} test rows ({percent(early / len(test))}) {'is' if early == 1 else 'are'} earlier by "
        f"{column!r} than the last training row ({written[1]}); the first test row is at {written[0]}.",
        "Train on earlier rows and test on later ones, as in use. Otherwise the model learns from the future.",
        column,
        figures,
    )
