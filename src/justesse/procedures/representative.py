"""Condition (iii): the test is a fair picture of where the classifier will be used."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import OptionError
from justesse.core.results import ClassName, finite_or_none
from justesse.procedures.conditions import Check, percent
from justesse.procedures.same_shares import SharesApart, same_shares
from justesse.significance.multiplicity import adjusted

SHOWN = 5


@dataclass(frozen=True)
class Spread:
    """How the rows of a column are spread over its values in the test and in the population."""

    code: str
    column: str
    test: Mapping[ClassName, int]
    population: Mapping[ClassName, float]
    counted: bool  # the population is counted rows, not known shares


def check_spreads(spreads: Sequence[Spread], *, effect: float = 0.1, level: float = 0.95, seed: int = 0) -> list[Check]:
    """Check that classes and slices are as frequent in the test as in the population.

    A column fails if chance does not explain the difference (p-values corrected for the number of columns by Holm's
    method) and the difference matters (Cohen's w of at least `effect`): of a million rows every difference is found.

    >>> found = check_spreads([Spread("JU201", "label", {"a": 90, "b": 10}, {"a": 0.5, "b": 0.5}, False)])
    >>> found[0].state, found[0].sentence
    ('failed', "'label' is spread otherwise than in the population: w = 0.80, p < 0.0001; 'a' is 90.0 % here and 50.0 % there.")
    """
    if not 0 <= effect <= 10:
        raise OptionError(
            f"the effect from which a difference matters is a number from 0 up, such as 0.1; got {effect!r}"
        )
    found = [same_shares(one.test, one.population, counted=one.counted, seed=seed) for one in spreads]
    pvalues: Sequence[float] = adjusted([one.pvalue for one in found], "holm").tolist() if found else []
    return [
        _check_spread(one, apart, pvalue, effect, level)
        for one, apart, pvalue in zip(spreads, found, pvalues, strict=True)
    ]


def _check_spread(one: Spread, apart: SharesApart, pvalue: float, effect: float, level: float) -> Check:
    name, here, there = max(apart.cells, key=lambda cell: abs(cell[1] - cell[2]))
    figures = {
        "column": one.column,
        "pvalue": apart.pvalue,
        "adjusted_pvalue": pvalue,
        "effect": finite_or_none(apart.effect),
        "wanted": effect,
        "moved": apart.moved,
        "statistic": finite_or_none(apart.statistic),
        "method": apart.method,
        "n": sum(one.test.values()),
        "population": "rows" if one.counted else "shares",
        "cells": [list(cell) for cell in apart.cells],
    }
    p = "p < 0.0001" if pvalue < 0.0001 else f"p = {pvalue:.4f}"
    by_chance = pvalue > 1 - level
    if by_chance or apart.effect < effect:
        why = (
            f"as chance would make it (w = {apart.effect:.2f}, {p})"
            if by_chance
            else f"too little to matter (w = {apart.effect:.2f}, below {effect:g})"
        )
        said = f"{one.column!r} differs from the population {why}; largest for {name!r}: {percent(here)} here, {percent(there)} there."
        return Check(one.code, "passed", said, about=one.column, figures=figures)
    size = "w is infinite" if math.isinf(apart.effect) else f"w = {apart.effect:.2f}"
    return Check(
        one.code,
        "failed",
        f"{one.column!r} is spread otherwise than in the population: {size}, {p}; {name!r} is {percent(here)} here and "
        f"{percent(there)} there.",
        "Draw the test at random from the population, or weigh its rows by population share over test share (--weight of "
        "evaluate), and look at each slice by itself.",
        one.column,
        figures,
    )


def check_unseen(column: str, test: Mapping[ClassName, int], train: Mapping[ClassName, int]) -> Check:
    """Check that the test has no class and no slice that training never saw.

    >>> check_unseen("label", {"a": 5, "b": 5}, {"a": 9}).sentence
    "1 value of 'label' stands in the test and never in training ('b'), with 5 of 10 test rows (50.0 %)."
    """
    known = {str(name) for name in train}
    new = {name: size for name, size in test.items() if name is not None and str(name) not in known}
    rows, n = sum(new.values()), sum(test.values())
    figures = {"column": column, "unseen": [[name, size] for name, size in new.items()], "rows": rows, "n": n}
    if not new:
        return Check("JU203", "passed", f"Training saw every value of {column!r}.", about=column, figures=figures)
    one = len(new) == 1
    return Check(
        "JU203",
        "failed",
        f"{len(new):,} value{'' if one else 's'} of {column!r} {'stands' if one else 'stand'} in the test and never in "
        f"training ({_shown(list(new))}), with {rows:,} of {n:,} test rows ({percent(rows / n)}).",
        "Add such rows to training, or judge them apart (--by of evaluate): nothing could be learnt about them.",
        column,
        figures,
    )


def check_lacking(
    column: str, test: Mapping[ClassName, int], population: Mapping[ClassName, float], *, level: float = 0.95
) -> Check:
    """Check that no value of the population is absent from the test for another reason than chance.

        P(absent) = (1 - π)^n

    >>> check_lacking("site", {"north": 200}, {"north": 0.9, "south": 0.1}).state
    'failed'
    """
    here, n, total = {str(name) for name in test}, sum(test.values()), sum(population.values())
    gone = {
        name: size / total for name, size in population.items() if size and name is not None and str(name) not in here
    }
    odd = {name: share for name, share in gone.items() if (1 - share) ** n < (1 - level) / max(len(population), 1)}
    figures = {"column": column, "absent": [[name, share] for name, share in gone.items()], "n": n}
    if odd:
        return Check(
            "JU204",
            "failed",
            f"{_shown(list(odd))} of {column!r} never {'stands' if len(odd) == 1 else 'stand'} in the test, and "
            f"{'is' if len(odd) == 1 else 'are'} {percent(sum(odd.values()))} of the population.",
            "Label such rows too: the test says nothing about them.",
            column,
            figures,
        )
    rare = f", but for rare ones ({_shown(list(gone))}, {percent(sum(gone.values()))} of it)" if gone else ""
    said = f"The test has every value of {column!r} that the population has{rare}."
    return Check("JU204", "passed", said, about=column, figures=figures)


def check_time_order(
    column: str, test: NDArray[np.float64], train: NDArray[np.float64], *, written: Sequence[str]
) -> Check:
    """Check that the test comes after training, as use will; `written` are the first test and last training time.

    >>> order = check_time_order("day", np.array([3.0, 5.0]), np.array([1.0, 4.0]), written=["3", "4"])
    >>> order.sentence
    "1 of 2 test rows (50.0 %) is earlier by 'day' than the last training row (4); the test starts at 3."
    """
    early = int((test < train.max()).sum())
    figures = {"column": column, "rows": early, "n": len(test), "test_starts": written[0], "training_ends": written[1]}
    if not early:
        said = f"No test row is earlier by {column!r} than the last training row ({written[1]})."
        return Check("JU205", "passed", said, about=column, figures=figures)
    return Check(
        "JU205",
        "failed",
        f"{early:,} of {len(test):,} test rows ({percent(early / len(test))}) {'is' if early == 1 else 'are'} earlier by "
        f"{column!r} than the last training row ({written[1]}); the test starts at {written[0]}.",
        "Train on earlier rows only and test on later ones: that is how a classifier is used; otherwise it is helped by "
        "what came later.",
        column,
        figures,
    )


def _shown(names: Sequence[ClassName]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more
