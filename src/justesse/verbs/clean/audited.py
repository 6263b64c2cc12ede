"""What people answered about a list of labels: from a table with a column true, or from a file of `justesse recheck`."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from justesse.cleaning.recheck import STRATA, RecheckList
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName
from justesse.frames.table import read_table
from justesse.store.recheck_file import ENDING, loaded_recheck, open_recheck
from justesse.verbs.clean.read import ROW, CleaningRows


@dataclass(frozen=True, eq=False)
class PeoplesAnswers:
    """The rows that people answered.

    Parameters
    ----------
    listed
        The rows, their strata, and the chance each had to be answered.
    wrong
        1 if the label is wrong, 0 if it is right, NaN without an answer.
    codes
        Code of the true class, -1 without an answer.
    signed
        Row → who answered and when, where that is known.
    """

    listed: RecheckList
    wrong: FloatArray
    codes: Array
    signed: Mapping[int, tuple[str, str]] = field(default_factory=dict)


def audited_rows(source: Any, rows: CleaningRows, flagged: Array) -> PeoplesAnswers:
    """Read the answers of a re-check. A table without a column `stratum` is a random sample of all rows."""
    if isinstance(source, str | os.PathLike) and Path(source).suffix == ENDING:
        return _from_file(source, rows, flagged)
    return _from_table(source, rows, flagged)


def _from_file(source: str | os.PathLike[str], rows: CleaningRows, flagged: Array) -> PeoplesAnswers:
    file = open_recheck(source)
    with file.reading() as connection:
        record = loaded_recheck(connection, file.path)
    where = file.path.name
    if record.asks != "labels":
        raise InputError(
            f"{where} was made by justesse lifelong run: its rows are the answers of a system, not labels. Give a list "
            "made by justesse clean --recheck-to."
        )
    numbers = _numbers([row.id for row in record.rows], rows, where, rows.id or ROW)
    codes, signed = [], {}
    for at, own in enumerate(record.rows):
        if not spelt_alike(rows.evidence.classes[rows.evidence.labels[numbers[at]]], own.label):
            raise InputError(
                f"Row {own.id!r} had the label {own.label!r} when {where} was made, and has another now. Use the labels "
                "that the list was made with."
            )
        settled = record.settled(at)
        entry = None if settled is None else settled.counts
        codes.append(-1 if entry is None else _code(entry.answer, rows.evidence.classes, where))
        if entry is not None and codes[-1] >= 0:
            signed[int(numbers[at])] = (", ".join(dict.fromkeys(person.by for person in settled.people)), entry.at)  # type: ignore[union-attr]
    stratum = np.array([row.stratum for row in record.rows])
    return _answers(numbers, np.array(codes), stratum, rows, flagged, where, signed)


def _from_table(source: Any, rows: CleaningRows, flagged: Array) -> PeoplesAnswers:
    table = read_table(source)
    name = rows.id or ROW
    for column in (name, "true"):
        if column not in table.columns:
            raise ColumnError(
                f"No column {column!r} in {table.name}. Columns: {', '.join(map(repr, table.columns[:20]))}. Re-checked "
                f"rows need {name!r} and 'true'."
            )
    numbers = _numbers([str(value) for value in table.typed[name].to_pylist()], rows, table.name, name)
    classes = rows.evidence.classes
    codes = np.array([_code(value, classes, table.name) for value in table.raw["true"].to_pylist()])
    if "stratum" in table.columns:
        names = table.raw["stratum"].to_pylist()
        if bad := [value for value in names if value not in STRATA]:
            raise InputError(
                f"Stratum {bad[0]!r} in {table.name} is not one of {', '.join(STRATA)}. Keep it as written."
            )
        stratum = np.array([STRATA.index(value) for value in names])
    else:
        stratum = np.where(flagged[numbers], 1, 2)
    return _answers(numbers, codes, stratum, rows, flagged, table.name)


def _numbers(ids: Sequence[str], rows: CleaningRows, where: str, column: str) -> Array:
    """Find the rows of ids."""
    place = {str(value): at for at, value in enumerate(rows.ids)}
    if unknown := [value for value in ids if value not in place]:
        raise InputError(f"Row {unknown[0]!r} of {where} is not among the rows. Check the column {column!r}.")
    if len(set(ids)) < len(ids):
        raise InputError(f"A row occurs twice in {where}. Keep one answer for each row.")
    return np.array([place[value] for value in ids])


def _answers(
    numbers: Array, codes: Array, stratum: Array, rows: CleaningRows, flagged: Array, where: str,
    signed: Mapping[int, tuple[str, str]] | None = None,
) -> PeoplesAnswers:  # fmt: skip
    if not (codes >= 0).any():
        remedy = "Fill in the column 'true' first" if signed is None else f"Answer first: justesse recheck next {where}"
        raise InputError(f"No row of {where} has a true class. {remedy}.")
    wrong = np.where(codes < 0, np.nan, codes != rows.evidence.labels[numbers])
    sizes = np.array([(stratum == 0).sum(), flagged.sum() - (stratum == 0).sum(), (~flagged).sum()])
    answered = np.bincount(stratum[codes >= 0], minlength=3)
    with np.errstate(divide="ignore", invalid="ignore"):
        chances = np.where(answered > 0, answered / np.maximum(sizes, 1), 1.0)
    return PeoplesAnswers(RecheckList(numbers, stratum, chances[stratum]), wrong.astype(float), codes, signed or {})


def _code(value: Any, classes: tuple[ClassName, ...], where: str) -> int:
    if value is None or value == "" or value != value:
        return -1
    for at, name in enumerate(classes):
        if name is not None and spelt_alike(name, value):
            return at
    raise InputError(
        f"True class {value!r} in {where} is not among the classes {', '.join(map(repr, classes[:20]))}. Correct it, or leave it "
        "empty if nobody knows."
    )
