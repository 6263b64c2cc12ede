"""Condition (i): the test rows had no part in training."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError
from justesse.frames.fingerprints import (
    Alike,
    all_coarse,
    pairs_by_chance,
    repeated_rows,
    share_repeated,
    shared_rows,
)
from justesse.frames.near_duplicates import near_duplicates
from justesse.frames.sides import Side, beside
from justesse.procedures.conditions import Check, not_applicable, percent

SHOWN = 5
COARSE = 0.05  # pairs by chance for each test row from which equal rows mean nothing
REMOVE = "Take these rows out of the training rows and train again, or out of the test; rows: see the JSON."
CODES: dict[Alike, str] = {"exact": "JU001", "written alike": "JU002"}


def check_shared(
    test: Side, train: Side, columns: Sequence[str], *, how: Alike, digits: int, label: str | None, level: float = 0.95
) -> Check:
    """Check that no test row stands among the training rows, as it is or but for how it is written.

    It fails if there are more equal rows than chance would make between columns that have nothing to do with each other
    (a Poisson bound). It is not applicable where chance alone makes many, as with a few coarse columns; nor where every
    column is coarse and test rows equal training rows no oftener than those equal each other: these may be other cases
    that look alike.

    >>> from justesse.frames.sides import side
    >>> test, train = side({"x": ["a b c", "d e f"]}, "test"), side({"x": ["A b c!", "x y z"]}, "train")
    >>> check_shared(test, train, ["x"], how="written alike", digits=6, label=None).sentence
    '1 of 2 test rows (50.0 %) also stands in the training rows, but for how it is written (row 1).'
    """
    code = CODES[how]
    chance = pairs_by_chance(test, train, columns, how=how, digits=digits)
    if chance >= COARSE * test.size:
        return not_applicable(
            code,
            f"The {len(columns)} columns tell too few rows apart: chance alone would make some {chance:,.0f} pairs of equal "
            "rows. Name an id (--id), or more columns (--features).",
            pairs_by_chance=chance,
        )
    found = shared_rows(test, train, columns, how=how, digits=digits, label=label)
    figures = _figures(found.rows, found.partners, test.size, chance)
    but = "" if how == "exact" else ", but for how {} written"
    most = 0 if math.isnan(chance) else _poisson_bound(chance, level)
    if len(found.rows) <= most:
        said = f"No test row stands in the training rows{but.format('it is')}."
        if len(found.rows):
            said = f"{_of(len(found.rows), test.size)} equal a training row{but.format('they are')}, as chance alone would make."
        return Check(code, "passed", said, figures=figures)
    if all_coarse(train, columns, how=how, digits=digits):
        within = share_repeated(train, columns, how=how, digits=digits)
        if len(found.rows) <= _poisson_bound(within * test.size, level):
            return not_applicable(
                code,
                f"{_of(len(found.rows), test.size)} equal a training row, not clearly oftener than training rows equal each other "
                f"({percent(within)}), and no column tells rows apart by itself: they may be other cases that look alike. "
                "Name an id (--id), or more columns (--features).",
                **figures,
                repeated_in_training=within,
            )
    differ = None if found.label_differs is None else int(found.label_differs.sum())
    other = f" {differ:,} of them bear another label there: one of the two is wrong." if differ else ""
    return Check(
        code,
        "failed",
        f"{_of(len(found.rows), test.size)} also {'stands' if len(found.rows) == 1 else 'stand'} in the training rows"
        f"{but.format('it is' if len(found.rows) == 1 else 'they are')} ({row_words(found.rows)}).{other}",
        REMOVE,
        figures={**figures, "label_differs": differ},
    )


def check_near(test: Side, train: Side, text: str, *, near: float) -> Check:
    """Check that no text of the test is nearly one of the training texts.

    >>> from justesse.frames.sides import side
    >>> test = side({"x": ["the quick brown fox jumps over the lazy dogs"]}, "test")
    >>> train = side({"x": ["the quick brown fox jumps over the lazy dog"]}, "train")
    >>> check_near(test, train, "x", near=0.8).state
    'failed'
    """
    found = near_duplicates(test, train, text, near=near)
    figures = _figures(found.rows, found.partners, test.size, math.nan, found.similarity) | {"near": near}
    if not len(found.rows):
        return Check(
            "JU003",
            "passed",
            f"No text shares {100 * near:g} % or more of its pieces with a training text.",
            figures=figures,
        )
    identical = int((found.similarity == 1).sum())
    same = f" {identical:,} of them are the same but for case and punctuation." if identical else ""
    return Check(
        "JU003",
        "failed",
        f"{_of(len(found.rows), test.size)} {'has' if len(found.rows) == 1 else 'have'} a text that shares {100 * near:g} % "
        f"or more of its pieces with a training text ({row_words(found.rows)}).{same}",
        REMOVE,
        figures=figures | {"identical": identical},
    )


def check_repeated(test: Side, columns: Sequence[str], *, digits: int, label: str | None, level: float = 0.95) -> Check:
    """Check that the test does not count the same case twice: its rows would then not be independent.

    >>> from justesse.frames.sides import side
    >>> check_repeated(side({"x": ["a", "b", "a"]}, "test"), ["x"], digits=6, label=None).sentence
    '1 of 3 test rows (33.3 %) repeats an earlier one (row 3).'
    """
    chance = pairs_by_chance(test, test, columns, how="written alike", digits=digits) / 2
    found = repeated_rows(test, columns, how="written alike", digits=digits, label=label)
    figures = _figures(found.rows, found.partners, test.size, chance)
    most = 0 if math.isnan(chance) else _poisson_bound(chance, level)
    many = len(found.rows)
    if chance >= COARSE * test.size or (many > most and all_coarse(test, columns, how="written alike", digits=digits)):
        names = ", ".join(map(repr, columns[:SHOWN]))
        why = f"{names} {'tell' if len(columns) > 1 else 'tells'} too few rows apart for equal rows to mean anything."
        return not_applicable("JU004", why, **figures)
    if many <= most:
        said = (
            f"{many:,} test rows repeat another, as chance alone would make" if many else "No test row repeats another"
        )
        return Check("JU004", "passed", f"{said}.", figures=figures)
    differ = None if found.label_differs is None else int(found.label_differs.sum())
    other = f" {differ:,} of them bear another label than the first: at least one is wrong." if differ else ""
    return Check(
        "JU004",
        "failed",
        f"{_of(len(found.rows), test.size)} {'repeats' if len(found.rows) == 1 else 'repeat'} an earlier one "
        f"({row_words(found.rows)}).{other}",
        "Keep one row of each: repeated rows count double, and intervals are then too narrow.",
        figures={**figures, "label_differs": differ},
    )


def check_common(code: str, test: Side, train: Side, column: str) -> Check:
    """Check that an id, a group or an annotator is on one side only.

    >>> from justesse.frames.sides import side
    >>> test, train = side({"patient": [1, 2, 2]}, "test"), side({"patient": [2, 3]}, "train")
    >>> check_common("JU006", test, train, "patient").sentence
    "1 of 2 values of 'patient' in the test is on both sides ('2'), with 2 of 3 test rows (66.7 %)."
    """
    counted = [
        one.texts([column]).filter("c0 IS NOT NULL").aggregate("c0 AS v, count(*) AS n", "c0") for one in (test, train)
    ]
    found = beside(
        (test, train),
        "SELECT ours.v, ours.n, theirs.v IS NOT NULL AS both FROM ours LEFT JOIN theirs USING (v) ORDER BY ours.v",
        *counted,
    )
    if not len(found["v"]):
        raise ColumnError(f"column {column!r} of {test.name} has no values; name another, or leave it out")
    both = np.ma.filled(found["both"], False).astype(bool)
    values, rows = np.ma.filled(found["v"], "")[both], int(found["n"][both].sum())
    figures = {
        "column": column,
        "common": len(values),
        "values": len(both),
        "rows": rows,
        "n": test.size,
        "examples": [str(value) for value in values[:SHOWN]],
    }
    if not len(values):
        return Check(code, "passed", f"No value of {column!r} is on both sides.", figures=figures)
    shown = ", ".join(repr(str(value)) for value in values[:SHOWN]) + (", …" if len(values) > SHOWN else "")
    remedies = {
        "JU005": REMOVE,
        "JU006": f"Split so that all rows of one {column!r} are on one side, or say that only known ones are to be judged.",
        "JU007": "Let other people annotate the test than the training rows: a model may learn the annotator, not the task.",
    }
    return Check(
        code,
        "failed",
        f"{len(values):,} of {len(both):,} values of {column!r} in the test {'is' if len(values) == 1 else 'are'} on both "
        f"sides ({shown}), with {rows:,} of {test.size:,} test rows ({percent(rows / test.size)}).",
        remedies[code],
        figures=figures,
    )


def row_words(rows: NDArray[np.int64]) -> str:
    """Name the first rows, counted from 1.

    >>> row_words(np.array([0, 4]))
    'rows 1, 5'
    """
    shown = ", ".join(str(int(row) + 1) for row in rows[:SHOWN])
    return f"row{'s' if len(rows) > 1 else ''} {shown}{', …' if len(rows) > SHOWN else ''}"


def _of(some: int, whole: int) -> str:
    return f"{some:,} of {whole:,} test rows ({percent(some / whole)})"


def _poisson_bound(mean: float, level: float) -> int:
    """Give what a Poisson count exceeds with a chance of at most 1 - level."""
    from scipy.special import pdtr

    bound = math.floor(mean)
    while pdtr(bound, mean) < level:
        bound += 1
    return bound


def _figures(
    rows: NDArray[np.int64], partners: NDArray[np.int64], n: int, chance: float, similarity: Any = None
) -> dict[str, Any]:
    pairs = zip(rows[:1000].tolist(), partners[:1000].tolist(), strict=True)
    found = {
        "rows": len(rows),
        "n": n,
        "share": len(rows) / n,
        "pairs_by_chance": None if math.isnan(chance) else chance,
        "examples": [[row + 1, partner + 1] for row, partner in pairs],
    }
    if similarity is not None:
        found["similarity"] = similarity[:1000].tolist()
    return found
