"""Rows that are the same, or the same but for how they are written, found by 128-bit fingerprints in the engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import OptionError
from justesse.frames.sides import Side, beside

if TYPE_CHECKING:
    import duckdb

Alike = Literal["exact", "written alike"]
COPIES = 10  # rows for each value from which a column does not tell rows apart by itself
MOST_LEFT_OUT = 20  # columns left out in turn
ENOUGH_TO_KNOW = 1e-3  # pairs by chance below which more columns cannot matter


@dataclass(frozen=True, eq=False)
class Shared:
    """Test rows (counted from 0) that stand elsewhere too, the first place where they do, and how labels compare.

    `label_differs` marks rows none of whose copies bears the same label; `None` without labels.
    """

    rows: NDArray[np.int64]
    partners: NDArray[np.int64]
    label_differs: NDArray[np.bool_] | None


def normalised(column: str) -> str:
    """Say in SQL how a text is stripped of case, punctuation and spacing; what is nothing else stays as it is.

    >>> from justesse.frames.engine import connection
    >>> connection().sql("SELECT " + normalised("' Don''t  PANIC!! '")).fetchall()
    [('don t panic',)]
    """
    words = f"trim(regexp_replace(lower(nfc_normalize({column})), '[^\\p{{L}}\\p{{N}}]+', ' ', 'g'))"
    return f"coalesce(nullif({words}, ''), lower(trim({column})))"


def rounded(column: str, digits: int) -> str:
    """Say in SQL how a number is written with so many digits, and any other text normalised.

    >>> from justesse.frames.engine import connection
    >>> [connection().sql("SELECT " + rounded(text, 3)).fetchall()[0][0] for text in ("'3.14159'", "'3.1402'", "'Pi '")]
    ['3.14e+00', '3.14e+00', 'pi']
    """
    number = f"TRY_CAST({column} AS DOUBLE)"
    written = f"format('{{:.{digits - 1}e}}', {number} + 0.0)"  # -0.0 + 0.0 is 0.0
    return f"CASE WHEN coalesce(isfinite({number}), false) THEN {written} ELSE {normalised(column)} END"


def shared_rows(
    test: Side,
    train: Side,
    columns: Sequence[str],
    *,
    how: Alike = "exact",
    digits: int = 6,
    label: str | None = None,
) -> Shared:
    """Find the test rows whose columns also stand in the training rows.

    `exact` compares every value as it is written. `written alike` forgets case, punctuation and spacing of text and
    rounds numbers to `digits` digits: two numbers closer than that can still fall on two sides of a rounding step.
    Wrong to use on columns that tell few rows apart, such as sex and age group: equal rows then mean nothing, see
    `pairs_by_chance`.

    Parameters
    ----------
    test, train
        Test rows and training rows.
    columns
        Columns to compare.
    how
        "exact" or "written alike".
    digits
        Digits that numbers are rounded to if "written alike".
    label
        Column with labels, to see whether they differ.

    Examples
    --------
    >>> from justesse.frames.sides import side
    >>> test = side({"x": ["A cat.", "a dog"], "y": [1, 0]}, "test")
    >>> train = side({"x": ["a fox", "a cat"], "y": [1, 0]}, "train")
    >>> shared_rows(test, train, ["x"]).rows.tolist()
    []
    >>> result = shared_rows(test, train, ["x"], how="written alike", label="y")
    >>> result.rows.tolist(), result.partners.tolist(), result.label_differs.tolist()
    ([0], [1], [True])
    """
    own = label if label in test.columns and label in train.columns else None
    result = beside(
        (test, train),
        """
        SELECT t.place, r.first, NOT list_contains(r.labels, coalesce(t.label, '')) AS differs
        FROM ours t JOIN (
            SELECT print, min(place) AS first, list(DISTINCT coalesce(label, '')) AS labels FROM theirs GROUP BY print
        ) r ON t.print = r.print ORDER BY t.place
        """,
        _prints(test, columns, how, digits, own),
        _prints(train, columns, how, digits, own),
    )
    return _shared(result, own)


def repeated_rows(
    test: Side, columns: Sequence[str], *, how: Alike = "exact", digits: int = 6, label: str | None = None
) -> Shared:
    """Find the rows that repeat an earlier one of the same set; the first of each is not counted.

    >>> from justesse.frames.sides import side
    >>> result = repeated_rows(side({"x": ["a", "b", "a", "a"]}, "test"), ["x"])
    >>> result.rows.tolist(), result.partners.tolist()
    ([2, 3], [0, 0])
    """
    own = label if label in test.columns else None
    prints = _prints(test, columns, how, digits, own)
    result = beside(
        (test,),
        """
        SELECT t.place, r.first, coalesce(t.label, '') IS DISTINCT FROM r.label AS differs
        FROM ours t JOIN (
            SELECT print, min(place) AS first, coalesce(arg_min(label, place), '') AS label
            FROM ours GROUP BY print HAVING count(*) > 1
        ) r ON t.print = r.print WHERE t.place > r.first ORDER BY t.place
        """,
        prints,
        prints,
    )
    return _shared(result, own)


def pairs_by_chance(test: Side, train: Side, columns: Sequence[str], *, how: Alike = "exact", digits: int = 6) -> float:
    """Give how many pairs of equal rows chance alone would make, if columns had nothing to do with each other.

        n_test · n_train · Π_columns Σ_values p_test(value)·p_train(value)

    Within one set, each pair is counted twice. Columns that go together make more. For one column the product is what
    was observed, and says nothing: NaN.

    >>> from justesse.frames.sides import side
    >>> coarse = side({"sex": ["f", "m"] * 50, "old": [0, 0, 1, 1] * 25}, "test")
    >>> round(pairs_by_chance(coarse, coarse, ["sex", "old"]))
    2425
    """
    if len(columns) < 2 or (test is train and test.size < 2):
        return float("nan")
    # a row is always equal to itself, which is no pair
    itself = test.size if test is train else 0
    pairs = float(test.size) * train.size - itself
    expected = pairs
    for column in columns:
        if expected < ENOUGH_TO_KNOW:
            break
        expected *= (_equal_pairs(test, train, column, how, digits) - itself) / pairs
    return expected


def all_coarse(side: Side, columns: Sequence[str], *, how: Alike = "exact", digits: int = 6) -> bool:
    """Say whether no column tells rows apart by itself: ten rows or more for each value, on average.

    >>> from justesse.frames.sides import side
    >>> rows = side({"sex": ["f", "m"] * 50, "x": list(range(100))}, "test")
    >>> all_coarse(rows, ["sex"]), all_coarse(rows, ["sex", "x"])
    (True, False)
    """
    asked = [f"count(DISTINCT {_key(f'c{at}', how, digits)}) AS n{at}" for at in range(len(columns))]
    result = side.fetched(side.texts(columns).aggregate(", ".join(asked)))
    return all(side.size >= COPIES * int(many[0]) for many in result.values())


@dataclass(frozen=True, eq=False)
class Copies:
    """How many contents (`many`) stand so often in the test (`test`) and so often in the training rows (`train`)."""

    test: NDArray[np.int64]
    train: NDArray[np.int64]
    many: NDArray[np.int64]

    @property
    def pairs(self) -> int:
        """Count the pairs of a test row and an equal training row."""
        return int((self.test * self.train * self.many).sum())

    @property
    def repeated_in_training(self) -> float:
        """Give the share of training rows that equal another training row."""
        rows = self.train * self.many
        return float(rows[self.train > 1].sum() / max(rows.sum(), 1))


def copies(
    test: Side, train: Side | None, columns: Sequence[str], *, how: Alike = "exact", digits: int = 6, new: bool = False
) -> Copies:
    """Count how often contents stand on both sides; with `new`, of test rows that no training row equals exactly.

    Parameters
    ----------
    test, train
        Test rows and training rows; `None` if there are no training rows.
    columns
        Columns to compare.
    how
        "exact" or "written alike".
    digits
        Digits that numbers are rounded to if "written alike".
    new
        Whether to leave out test rows that a training row equals exactly.

    Examples
    --------
    >>> from justesse.frames.sides import side
    >>> test, train = side({"x": ["a", "b", "b"]}, "test"), side({"x": ["b", "c", "c"]}, "train")
    >>> result = copies(test, train, ["x"])
    >>> list(zip(result.test.tolist(), result.train.tolist(), result.many.tolist())), result.pairs
    ([(0, 2, 1), (1, 0, 1), (2, 1, 1)], 2)
    """
    ours = _prints(test, columns, how, digits, None)
    theirs = _prints(train, columns, how, digits, None) if train else ours.filter("false")
    kept = "WHERE NOT EXISTS (FROM theirs r WHERE r.exact = t.exact)" if new else ""
    result = beside(
        (test, train) if train else (test,),
        f"""
        SELECT a, b, count(*) AS many FROM (
            SELECT sum(ours)::BIGINT AS a, sum(theirs)::BIGINT AS b FROM (
                SELECT print, 1 AS ours, 0 AS theirs FROM ours t {kept} UNION ALL SELECT print, 0, 1 FROM theirs
            ) GROUP BY print
        ) GROUP BY a, b ORDER BY a, b
        """,
        ours,
        theirs,
    )
    return Copies(*(np.asarray(result[name], dtype=np.int64) for name in ("a", "b", "many")))


def pairs_but_for_one(
    test: Side, train: Side, columns: Sequence[str], *, how: Alike = "exact", digits: int = 6
) -> float:
    """Estimate how many equal pairs chance makes, from pairs of rows that are equal in all columns but one.

        max_c  #pairs equal but for c · P(two rows are equal in c)

    It needs no independence of the other columns. At most twenty columns are tried; NaN for one column.

    >>> from justesse.frames.sides import side
    >>> test, train = side({"x": [1, 2], "y": [1, 5]}, "test"), side({"x": [1, 4], "y": [2, 2]}, "train")
    >>> pairs_but_for_one(test, train, ["x", "y"])
    0.0
    """
    if len(columns) < 2:
        return float("nan")
    equal = copies(test, train, columns, how=how, digits=digits).pairs
    most = 0.0
    for column in columns[:: -(-len(columns) // MOST_LEFT_OUT)]:
        others = [name for name in columns if name != column]
        nearly = copies(test, train, others, how=how, digits=digits).pairs - equal
        share = _equal_pairs(test, train, column, how, digits) / (float(test.size) * train.size)
        most = max(most, nearly * share)
    return most


def _equal_pairs(test: Side, train: Side, column: str, how: Alike, digits: int) -> float:
    key = _key("c0", how, digits)
    ours, theirs = (
        item.texts([column]).project(f"{key} AS v").aggregate("v, count(*) AS n", "v") for item in (test, train)
    )
    sql = (
        "SELECT coalesce(sum(ours.n::DOUBLE * theirs.n), 0) AS pairs "
        "FROM ours JOIN theirs ON ours.v IS NOT DISTINCT FROM theirs.v"
    )
    return float(beside((test, train), sql, ours, theirs)["pairs"][0])


def check_digits(digits: int) -> None:
    """Refuse a number of digits that floating-point numbers do not have."""
    if not 1 <= digits <= 17:
        raise OptionError(f"Numbers can be rounded to 1 to 17 digits; got {digits!r}.")


def _key(column: str, how: Alike, digits: int) -> str:
    check_digits(digits)
    return column if how == "exact" else rounded(column, digits)


def _prints(
    side: Side, columns: Sequence[str], how: Alike, digits: int, label: str | None
) -> "duckdb.DuckDBPyRelation":
    """Give each row its number from 0, its fingerprint and its label; rows without any value have no fingerprint."""
    relation = side.numbered([*columns, *([label] if label else [])])
    # the length before each value keeps ('ab', 'c') and ('a', 'bc') apart, whatever they hold
    parts = [_key(f"c{at}", how, digits) for at in range(len(columns))]
    keys = ", ".join(f"coalesce(length({part}) || ':' || {part}, '-')" for part in parts)
    as_written = ", ".join(f"coalesce(length(c{at}) || ':' || c{at}, '-')" for at in range(len(columns)))
    empty = " AND ".join(f"c{at} IS NULL" for at in range(len(columns)))
    last = f"c{len(columns)}" if label else "NULL::VARCHAR"
    return relation.filter(f"NOT ({empty})").project(
        f"place, md5_number(concat({keys})) AS print, md5_number(concat({as_written})) AS exact, {last} AS label"
    )


def _shared(matches: dict[str, Any], label: str | None) -> Shared:
    differs = np.ma.filled(matches["differs"], False).astype(bool) if label else None
    return Shared(np.asarray(matches["place"], dtype=np.int64), np.asarray(matches["first"], dtype=np.int64), differs)
