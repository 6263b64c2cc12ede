"""Condition (i): the test rows were not used for training."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError
from justesse.frames.fingerprints import (
    Alike,
    Copies,
    all_coarse,
    copies,
    pairs_but_for_one,
    pairs_by_chance,
    repeated_rows,
    shared_rows,
)
from justesse.frames.near_duplicates import NearDuplicates, near_duplicates, near_within
from justesse.frames.sides import Side, beside
from justesse.frames.table import row_words
from justesse.procedures.conditions import Check, not_applicable, percent, pvalue_words
from justesse.procedures.duplicate_words import (
    different_cases,
    duplicate_figures,
    may_be_different,
    share_words,
)
from justesse.procedures.random_split import as_many_repeated, as_many_shared

SHOWN = 5
TESTS = 3  # of equal rows, rows written alike and repeated rows; together they err as often as one
TELLING = 0.05  # pairs by chance below which a single equal row is a copy
REMOVE = "Remove these rows from the training rows and train again, or remove them from the test set."
CODES: dict[Alike, str] = {"exact": "JU001", "written alike": "JU002"}


def check_shared(
    test: Side,
    train: Side,
    columns: Sequence[str],
    *,
    how: Alike,
    digits: int,
    label: str | None,
    level: float = 0.95,
    known: Sequence[int] = (),
    known_by: Collection[str] = (),
) -> Check:
    """Check that no test row is also a training row, exactly or after normalising case, punctuation and digits.

    One equal row counts as a copy if the columns are so distinctive that chance produces none, and no two training rows
    are equal. Otherwise the check fails if a random split of all rows would hardly ever put as many equal rows in both
    sets; if it would, these may be different cases that look alike, and the check does not apply.

    Parameters
    ----------
    test, train
        The two sets of rows.
    columns
        Columns compared.
    how
        `"exact"`, or `"written alike"` for equality after normalising.
    digits
        Significant digits of numbers compared after normalising.
    label
        Column with the labels, to count copies whose label differs.
    level
        Confidence level of the comparison with a random split.
    known
        Test rows (from 0) that an earlier check reported; they are left out.
    known_by
        Options the user gave already (`"id"`, `"time"`, `"features"`); they are not advised again.

    >>> from justesse.frames.sides import side
    >>> test, train = side({"x": ["a b c", "d e f"]}, "test"), side({"x": ["A b c!", "x y z"]}, "train")
    >>> check_shared(test, train, ["x"], how="written alike", digits=6, label=None).sentence
    '1 of 2 test rows (50.0 %) is also in the training rows after normalising (row 1).'
    """
    code = CODES[how]
    options: Any = {"how": how, "digits": digits}
    shared = shared_rows(test, train, columns, **options, label=label)
    new = ~np.isin(shared.rows, known)
    rows, partners = shared.rows[new], shared.partners[new]
    figures = duplicate_figures(rows, partners, test.size)
    normalised = "" if how == "exact" else " after normalising"
    if not len(rows):
        if len(known):
            covered = f"Covered by JU001: apart from its rows, no test row is in the training rows{normalised}."
            return not_applicable(code, covered, **figures)
        return Check(code, "passed", f"No test row is in the training rows{normalised}.", figures=figures)
    counted = copies(test, train, columns, **options, new=len(known) > 0)
    verdict = _by_split(test, train, columns, counted, as_many_shared, **options)
    figures |= verdict
    if verdict["pvalue"] is not None and verdict["pvalue"] > (1 - level) / TESTS:
        return not_applicable(
            code,
            f"{share_words(len(rows), test.size)} {'equals' if len(rows) == 1 else 'equal'} a training row{normalised} "
            f"({row_words(rows)}), not clearly more often than training rows equal each other "
            f"({percent(counted.repeated_in_training)}; random split: {pvalue_words(verdict['pvalue'])}). "
            f"{different_cases(len(rows), known_by)}",
            **figures,
        )
    differ = None if shared.label_differs is None else int(shared.label_differs[new].sum())
    other = f" {differ:,} of them {'has' if differ == 1 else 'have'} a different label there." if differ else ""
    within = ""
    if counted.repeated_in_training:
        within = f" {percent(counted.repeated_in_training)} of the training rows equal each other."
    return Check(
        code,
        "failed",
        f"{share_words(len(rows), test.size)} {'is' if len(rows) == 1 else 'are'} also in the training rows{normalised} "
        f"({row_words(rows)}).{other}{within}",
        REMOVE,
        figures={**figures, "label_differs": differ},
        rows=rows,
    )


def _by_split(
    test: Side, train: Side, columns: Sequence[str], counted: Copies, chance_of: Any, *, how: Alike, digits: int
) -> dict[str, Any]:
    """Return the p-value under a random split (`None` if one equal row counts as a copy) and what decided that."""
    within, by_chance, coarse = counted.repeated_in_training, math.nan, False
    if not within:
        options: Any = {"how": how, "digits": digits}
        by_chance = float(
            np.fmax(
                pairs_by_chance(test, train, columns, **options), pairs_but_for_one(test, train, columns, **options)
            )
        )
        coarse = len(columns) == 1 and all_coarse(train, columns, **options)
    telling = not within and not coarse and not by_chance >= TELLING
    return {
        "pvalue": None if telling else chance_of(counted.test, counted.train, counted.many),
        "pairs_by_chance": None if math.isnan(by_chance) else by_chance,
        "repeated_in_training": within,
    }


def check_near(
    test: Side, train: Side, text: str, *, near: float, level: float = 0.95, known: Sequence[int] = (), seed: int = 0
) -> Check:
    """Check that no test text is a near duplicate of a training text.

    If training texts are near duplicates of each other too, the check fails only if test texts are so clearly more
    often (Fisher's exact test, one-sided).

    Parameters
    ----------
    test, train
        Test rows and training rows.
    text
        Column with text.
    near
        Similarity from which texts count as near duplicates, between 0 and 1.
    level
        Confidence level.
    known
        Rows that an earlier check reported; they are left out.
    seed
        Seed of the sample of training texts.

    Examples
    --------
    >>> from justesse.frames.sides import side
    >>> test = side({"x": ["the quick brown fox jumps over the lazy dogs"]}, "test")
    >>> train = side({"x": ["the quick brown fox jumps over the lazy dog"]}, "train")
    >>> check_near(test, train, "x", near=0.8).state
    'failed'
    """
    pairs = near_duplicates(test, train, text, near=near)
    new = ~np.isin(pairs.rows, known)
    pairs = NearDuplicates(pairs.rows[new], pairs.partners[new], pairs.similarity[new])
    rows = pairs.rows
    figures = duplicate_figures(rows, pairs.partners, test.size, pairs.similarity) | {"near": near}
    if not len(rows):
        shares = f"shares {100 * near:g} % or more of its 5-character pieces with a training text"
        if len(known):
            return not_applicable(
                "JU003", f"Covered by JU001 or JU002: apart from their rows, no text {shares}.", **figures
            )
        return Check("JU003", "passed", f"No text {shares}.", figures=figures)
    alike, looked_at = near_within(train, text, near=near, seed=seed)
    pvalue = _more_often(len(rows), test.size - len(known), alike, looked_at) if alike else None
    figures |= {"pvalue": pvalue, "near_within_training": [alike, looked_at]}
    verb = "shares" if len(rows) == 1 else "share"
    shares = f"{verb} {100 * near:g} % or more of the text's 5-character pieces with a training text"
    if pvalue is not None and pvalue > 1 - level:
        return not_applicable(
            "JU003",
            f"{share_words(len(rows), test.size)} {shares} ({row_words(rows)}), not clearly more often than training texts do with "
            f"each other ({alike:,} of {looked_at:,}; {pvalue_words(pvalue)}). {may_be_different(len(rows))} in similar words.",
            **figures,
        )
    identical = int((pairs.similarity == 1).sum())
    same = f" {identical:,} of them differ only in case and punctuation." if identical else ""
    return Check(
        "JU003",
        "failed",
        f"{share_words(len(rows), test.size)} {shares} ({row_words(rows)}).{same}",
        REMOVE,
        figures=figures | {"identical": identical},
        rows=rows,
    )


def _more_often(ours: int, test: int, theirs: int, train: int) -> float:
    """Return Fisher's one-sided p-value: `ours` of the test rows are more than `theirs` of the training rows."""
    from scipy.stats import hypergeom

    return float(hypergeom.sf(ours - 1, test + train, ours + theirs, test))


def check_repeated(
    test: Side,
    columns: Sequence[str],
    *,
    digits: int,
    label: str | None,
    level: float = 0.95,
    train: Side | None = None,
    known_by: Collection[str] = (),
) -> Check:
    """Check that the test set has no duplicate rows: its rows would then not be independent.

    One duplicate counts if the columns are so distinctive that chance produces none. Otherwise equal rows are compared
    with those of a random split, if there are training rows; without them the check does not apply.

    Parameters
    ----------
    test
        Test rows.
    columns
        Columns to compare.
    digits
        Digits that numbers are rounded to.
    label
        Column with labels, to see whether they differ.
    level
        Confidence level.
    train
        Training rows, to compare with.
    known_by
        Options the user gave already (`"id"`, `"time"`, `"features"`); they are not advised again.

    Examples
    --------
    >>> from justesse.frames.sides import side
    >>> check_repeated(side({"x": ["a", "b", "a"]}, "test"), ["x"], digits=6, label=None).sentence
    '1 of 3 test rows (33.3 %) duplicates an earlier row (row 3).'
    """
    options: Any = {"how": "written alike", "digits": digits}
    repeated = repeated_rows(test, columns, **options, label=label)
    many = len(repeated.rows)
    figures = duplicate_figures(repeated.rows, repeated.partners, test.size)
    if not many:
        return Check("JU004", "passed", "The test set has no duplicate rows.", figures=figures)
    if train is None:
        by_chance = pairs_by_chance(test, test, columns, **options) / 2
        figures["pairs_by_chance"] = None if math.isnan(by_chance) else by_chance
        unclear = by_chance >= TELLING or all_coarse(test, columns, **options)
    else:
        counted = copies(test, train, columns, **options)
        figures |= _by_split(test, train, columns, counted, as_many_repeated, **options)
        unclear = figures["pvalue"] is not None and figures["pvalue"] > (1 - level) / TESTS
    if unclear:
        names = ", ".join(map(repr, columns[:SHOWN])) + (", …" if len(columns) > SHOWN else "")
        why = f"{'a column' if len(columns) == 1 else 'columns'} with too few distinct values to detect duplicates"
        if train is not None:
            why = f"not clearly more often than in a random split of all rows ({pvalue_words(figures['pvalue'])})"
        return not_applicable(
            "JU004",
            f"{share_words(many, test.size)} {'duplicates' if many == 1 else 'duplicate'} an earlier row in {names} "
            f"({row_words(repeated.rows)}), {why}. {different_cases(many, known_by)}",
            **figures,
        )
    differ = None if repeated.label_differs is None else int(repeated.label_differs.sum())
    other = (
        f" {differ:,} of them {'has' if differ == 1 else 'have'} a different label than the earlier row."
        if differ
        else ""
    )
    return Check(
        "JU004",
        "failed",
        f"{share_words(many, test.size)} {'duplicates' if many == 1 else 'duplicate'} an earlier row ({row_words(repeated.rows)}).{other}",
        "Keep one row of each. Duplicates count twice, which makes intervals too narrow.",
        figures={**figures, "label_differs": differ},
    )


def check_common(
    code: str, test: Side, train: Side, column: str, *, reported: Mapping[str, NDArray[np.int64]] | None = None
) -> Check:
    """Check that no id, group or annotator is in both sets.

    `reported` gives the test rows (from 0) that other checks report, by their codes. Only further rows are counted; if
    there are none, the check does not apply.

    >>> from justesse.frames.sides import side
    >>> test, train = side({"patient": [1, 2, 2]}, "test"), side({"patient": [2, 3]}, "train")
    >>> check_common("JU006", test, train, "patient").sentence
    "1 of 2 values of 'patient' in the test set is also in training ('2'), with 2 of 3 test rows (66.7 %)."
    """
    counted = [
        item.texts([column]).filter("c0 IS NOT NULL").aggregate("c0 AS v, count(*) AS n", "c0")
        for item in (test, train)
    ]
    counts = beside(
        (test, train),
        "SELECT ours.v, ours.n, theirs.v IS NOT NULL AS both FROM ours LEFT JOIN theirs USING (v) ORDER BY ours.v",
        *counted,
    )
    many = len(counts["v"])
    if not many:
        raise ColumnError(f"Column {column!r} of {test.name} has no values. Name another column, or leave it out.")
    both = np.ma.filled(counts["both"], False).astype(bool)
    values, rows = np.ma.filled(counts["v"], "")[both], int(counts["n"][both].sum())
    if not len(values):
        known, by = 0, ""
    else:
        values, rows, known, by = _further(test, train, column, values, rows, reported or {})
    figures: dict[str, Any] = {
        "column": column,
        "common": len(values),
        "values": many,
        "rows": rows,
        "n": test.size,
        "examples": [str(value) for value in values[:SHOWN]],
        "rows_of_other_checks": known,
    }
    if known and not rows:
        single = known == 1
        return not_applicable(
            code,
            f"{known:,} test row{'' if single else 's'} {'has' if single else 'have'} a value of {column!r} that is also in "
            f"training, already reported by {by}.",
            **figures,
        )
    if not len(values):
        return Check(code, "passed", f"No value of {column!r} is in both sets.", figures=figures)
    shown = ", ".join(repr(str(value)) for value in values[:SHOWN]) + (", …" if len(values) > SHOWN else "")
    remedies = {
        "JU005": REMOVE,
        "JU006": f"Split so that all rows of one {column!r} are in one set, or state that results hold for known ones only.",
        "JU007": "Use different annotators for the test and training rows: a model may learn the annotator, not the task.",
    }
    more = " more" if known else ""
    beyond = f", in addition to the {known:,} reported by {by}" if known else ""
    return Check(
        code,
        "failed",
        f"{len(values):,}{more} of {many:,} values of {column!r} in the test set {'is' if len(values) == 1 else 'are'} also in "
        f"training ({shown}), with {rows:,}{more} of {test.size:,} test rows ({percent(rows / test.size)}){beyond}.",
        remedies[code],
        figures=figures,
    )


def _further(
    test: Side, train: Side, column: str, values: Any, rows: int, reported: Mapping[str, NDArray[np.int64]]
) -> tuple[Any, int, int, str]:
    """Leave out reported rows; return the other values, their rows, how many were left out, and the checks' codes."""
    reported = {code: known for code, known in reported.items() if len(known)}
    if not reported:
        return values, rows, 0, ""
    common = beside(
        (test, train),
        "SELECT c0 AS v, place FROM ours WHERE c0 IN (SELECT c0 FROM theirs) ORDER BY v, place",
        test.numbered([column]),
        train.texts([column]),
    )
    places = np.asarray(common["place"], dtype=np.int64)
    known = np.isin(places, np.concatenate(list(reported.values())))
    by = " and ".join(code for code, own in reported.items() if np.isin(places, own).any())
    return np.unique(np.ma.filled(common["v"], "")[~known].astype(str)), int((~known).sum()), int(known.sum()), by
