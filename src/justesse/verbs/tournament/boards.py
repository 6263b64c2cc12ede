"""Leaderboards of the classifiers of a tournament: from answers to counts, and from counts to boards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.recording import remembered
from justesse.core.results import ClassName
from justesse.frames.board_rows import board_counts, decisive_rows, neighbour_rows
from justesse.frames.columns import check_column
from justesse.frames.entrant_codes import Entrants
from justesse.frames.rate_table import rate_table
from justesse.frames.row_groups import RowGroups, row_groups, row_names
from justesse.intervals.cluster_summary import ClusterSummary
from justesse.judges.board import Board, board
from justesse.noise.models import check_rate
from justesse.noise.order_bounds import order_breakdown
from justesse.significance.rank_sets import score_order

MOST_RECHECKED = 20
MOST_TASKS = 1000


@dataclass(frozen=True)
class BoardOptions:
    """What a leaderboard takes besides the answers."""

    level: float
    rope: float
    seed: int
    cluster: str | None = None
    task_column: str | None = None
    rate: float | None = None
    task_rates: Any = None
    on: str | None = None

    @property
    def columns(self) -> list[str]:
        """Columns that are read beside the answers."""
        return [name for name in (self.cluster, self.task_column) if name is not None]


@dataclass(frozen=True)
class RecheckedRow:
    """A row to re-check first: what it is labelled, and which class would move the most neighbouring orders.

    `row` counts from 1; `instead` is None if any other class would move them; `orders` are neighbouring orders that the class would move, `swaps` those it would swap alone,
    `right` the models that agree with the label.
    """

    row: int
    id: str | None
    label: ClassName
    instead: ClassName | None
    orders: int
    swaps: int
    weight: float
    right: int

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self)}


@dataclass(frozen=True, eq=False)
class ModelBoard:
    """A leaderboard, the rows to re-check first, and the columns that tasks and clusters come from."""

    board: Board
    recheck: tuple[RecheckedRow, ...]
    task_column: str | None
    cluster_column: str | None
    summary: ClusterSummary | None

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.board.to_dict(),
            "task_column": self.task_column,
            "cluster": None
            if self.cluster_column is None or self.summary is None
            else {"column": self.cluster_column, **self.summary.to_dict()},
            "recheck": [row.to_dict() for row in self.recheck],
        }


def model_boards(entrants: Entrants, columns: Sequence[str], options: BoardOptions) -> tuple[ModelBoard, ...]:
    """Make a leaderboard by each of these columns of labels or true classes.

    Parameters
    ----------
    entrants
        Answers of the classifiers.
    columns
        Columns to judge by.
    options
        Level, clusters, tasks and assumed noise rates.
    """
    for name in columns:
        if name in options.columns:
            raise OptionError(f"Column {name!r} has the labels, so it cannot have clusters or tasks as well.")
    clusters = _groups(entrants, options.cluster, "cluster")
    tasks = _groups(entrants, options.task_column, "task")
    if tasks is not None and len(tasks.names) > MOST_TASKS:
        raise InputError(
            f"Column {tasks.column!r} has {len(tasks.names):,} different tasks; at most {MOST_TASKS:,} can be compared. "
            "Name a column with fewer."
        )
    rates = _rates(options, tasks)
    return tuple(_board(entrants, name, clusters, tasks, rates, options) for name in columns)


def _groups(entrants: Entrants, column: str | None, what: str) -> RowGroups | None:
    if column is None:
        return None
    return remembered(what, _read_groups, entrants, column, what)


def _read_groups(entrants: Entrants, column: str, what: str) -> RowGroups:
    check_column(entrants.source[0].columns, entrants.source[0].name, what, column)
    return row_groups(entrants.source, column, entrants.kept, what)


def _rates(options: BoardOptions, tasks: RowGroups | None) -> dict[str | None, float]:
    """Read the shares of wrong labels assumed: one for all rows, or one for each task."""
    if options.task_rates is None:
        return {} if options.rate is None else {None: check_rate(options.rate)}
    if options.rate is not None:
        raise OptionError("Give one noise rate for all rows (--noise-rate) or one per task (--task-rates), not both.")
    if tasks is None:
        raise OptionError("task_rates (--task-rates) needs the task of each row. Name its column with --task-column.")
    written = rate_table(options.task_rates, key="task")
    if strangers := [name for name in written if name not in tasks.names]:
        raise InputError(f"No row has the task {strangers[0]!r} of the table of rates. Tasks: {_first(tasks.names)}.")
    if absent := [name for name in tasks.names if name not in written]:
        raise InputError(
            f"The table of rates has no rate for task {absent[0]!r} ({len(absent):,} of {len(tasks.names):,} tasks "
            "without one). Write a row with the columns task and rate for every task."
        )
    return {name: check_rate(_share(written[name], name)) for name in tasks.names}


def _first(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:5])) + (", …" if len(names) > 5 else "")


def _share(text: str, task: str) -> float:
    """Read a rate such as 0.05 or 5%."""
    number = text.strip()
    try:
        return float(number[:-1]) / 100 if number.endswith("%") else float(number)
    except ValueError:
        raise InputError(f"The rate of task {task!r} must be a share such as 0.05 or 5%; got {text!r}.") from None


def _board(
    entrants: Entrants,
    column: str,
    clusters: RowGroups | None,
    tasks: RowGroups | None,
    rates: Mapping[str | None, float],
    options: BoardOptions,
) -> ModelBoard:
    labels = entrants.labels.get(column, entrants.true)
    answers = entrants.judged_by(column)
    own = None if clusters is None else clusters.codes
    counts = board_counts(labels, answers, own)
    order = score_order(counts.right / counts.n)
    answered = np.arange(len(entrants.coded) + 1) < len(entrants.coded)
    neighbours = neighbour_rows(labels, answers, order, answered)
    breakdowns = [order_breakdown(pair.lead, pair.double, pair.single, counts.n) for pair in neighbours]
    by_task = {}
    for at, name in enumerate(tasks.names if tasks is not None and len(tasks.names) > 1 else ()):
        rows = np.flatnonzero(tasks.rows(at)) if tasks is not None else np.empty(0, dtype=int)
        by_task[name] = board_counts(
            labels[rows], np.take(answers, rows, axis=1), None if own is None else own[rows]
        )  # fmt: skip
    if rates and not by_task:
        rates = {None: next(iter(rates.values()))}
    leads = np.array([pair.lead for pair in neighbours])
    result = board(
        column, entrants.names, counts, breakdowns, tasks=by_task or None, rates=rates, level=options.level,
        rope=options.rope, seed=options.seed,
    )  # fmt: skip
    decisive = decisive_rows(labels, answers, order, answered, leads, most=MOST_RECHECKED)
    rows_of = [int(entrants.kept[item.row]) for item in decisive]
    ids = remembered("ids", _ids, entrants, options.on, rows_of)
    recheck = tuple(
        RecheckedRow(
            row + 1, name, entrants.coded[int(labels[item.row])], None if item.instead is None else entrants.coded[item.instead], item.orders, item.swaps,
            item.weight, item.right,
        )
        for row, name, item in zip(rows_of, ids, decisive, strict=True)
    )  # fmt: skip
    summary = None
    if counts.clusters is not None:
        summary = ClusterSummary.of_counts(counts.clusters.right[:, order[0]], counts.clusters.sizes)
    return ModelBoard(result, recheck, options.task_column, options.cluster, summary)


def _ids(entrants: Entrants, on: str | None, rows: Sequence[int]) -> list[str | None]:
    """Read the ids of some rows, if a column has them."""
    columns: Array | Sequence[str] = entrants.source[0].columns
    name = on if on is not None else next((column for column in columns if column.lower() == "id"), None)
    return [None] * len(rows) if name is None or not rows else row_names(entrants.source, name, rows)
