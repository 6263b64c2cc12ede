"""A leaderboard as a reader meets it: who may be the best, and what is not known; one function per section."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.report.document import Column, Detail, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.clusters import cluster_words
from justesse.verbs.tournament.board_pictures import diagram_picture, has_diagram, rank_picture, task_picture
from justesse.verbs.tournament.task_sections import task_sections

if TYPE_CHECKING:
    from justesse.judges.board import Board
    from justesse.verbs.tournament.boards import ModelBoard, RecheckedRow

MOST_ROWS = 30  # rows of a table on the terminal
MOST_BESIDE = 5  # the same, if judges were asked for
MOST_GROUPS = 8
HOW = (
    "Ranks: every pair of classifiers is compared on the same rows. McNemar's exact test; with clusters, the cluster-robust "
    "score test (CR2). The tests are corrected for all pairs together by the largest standardised difference (max-T). The "
    "best rank of a classifier is 1 plus the number of classifiers told apart as better. Its worst rank leaves those told "
    "apart as worse below it. All ranks hold together at the confidence level (Al Mohamad, Goeman and van Zwet 2022).",
    "Breakdown rate of an order: the smallest share of labels that, if they were wrong, could put the second classifier "
    "before the first. It is exact, and about the worst case.",
)


def rank_words(best: int, worst: int) -> str:
    """Write possible ranks.

    >>> rank_words(2, 2), rank_words(1, 4)
    ('2', '1 to 4')
    """
    return str(best) if best == worst else f"{best} to {worst}"


def board_headline(held: "ModelBoard") -> Message:
    """Say which classifiers may be the best, how much of the order is known, and how few wrong labels change it."""
    board = held.board
    first = board.whole.order[0]
    names, total = board.contenders, len(board.names)
    if len(names) == 1:
        best: Text = message("{name} is the most accurate.", name=names[0])
    elif len(names) == total:
        best = "Neither classifier is told apart from the other: both may be the more accurate."
        if total > 2:
            best = message("Any of the {n:count} classifiers may be the most accurate.", n=total)
    else:
        best = message(
            "{k:count} of {n:count} classifiers may be the most accurate: {names:and}.",
            k=len(names),
            n=total,
            names=names,
        )
    top = board.whole.scores[first]
    leader = message(
        "Highest accuracy: {name}, {top:share} ({level} {top:share_interval}, n = {n:count}).",
        name=board.names[first],
        top=top,
        level=level_name(board.whole.ranks.level),
        n=board.whole.n,
    )
    if top.interval is None:
        leader = message("Highest accuracy: {name}, {top:share}.", name=board.names[first], top=top)
    ranks = board.whole.ranks
    known = message(
        "{apart:count} of {pairs:count pair} {apart:plural is|are} told apart.",
        apart=int(ranks.ahead.sum()),
        pairs=ranks.pairs,
    )
    return paragraph(best, leader, known, _weakest(board))


def _weakest(board: "Board") -> Text:
    """Say how few wrong labels could swap the first two."""
    pair = board.neighbours[0]
    if pair.breakdown.labels is None:
        return ""
    return message(
        "{n:count wrong label} ({rate:rough_share}) could put {second} before {first}.",
        n=pair.breakdown.labels,
        rate=pair.breakdown.rate,
        first=board.names[pair.first],
        second=board.names[pair.second],
    )


def board_figures(held: "ModelBoard") -> list[KeyFigure]:
    """Show the accuracy of the first classifier, and the mean over tasks."""
    board = held.board
    first = board.whole.order[0]
    figures = [KeyFigure("Highest accuracy", board.whole.scores[first], "share", board.names[first])]
    if board.mean is not None:
        best = board.mean.order[0]
        figures.append(KeyFigure("Highest mean over tasks", board.mean.scores[best], "share", board.names[best]))
    return [figure for figure in figures if figure.estimate.interval]


def board_sections(boards: "Sequence[ModelBoard]", *, alone: bool) -> list[Section]:
    """List the sections of a leaderboard; beside judges, the terminal shows its first lines only."""
    held = boards[0]
    rest: Detail = "summary" if alone else "full"
    return [
        _board(held, alone=alone),
        *_groups(held.board, rest),
        *task_sections(held.board, rest),
        *_charts(held.board),
        *_bounds(held.board, rest),
        *_recheck(held, rest),
        _neighbours(held.board),
        *_others(boards),
    ]


def _board(held: "ModelBoard", *, alone: bool) -> Section:
    board = held.board
    ranks = board.whole.ranks
    head: list[str | Column] = [
        "classifier",
        Column("rank", "text"),
        Column("accuracy", "share"),
        Column(level_name(ranks.level), "share_interval"),
        Column("to swap with next", "rough_share", 1, "To swap with next: smallest share of wrong labels that could."),
        Column("labels", "count", 2),
    ]
    rows: list[list[Any]] = []
    for place, at in enumerate(board.whole.order):
        score = board.whole.scores[at]
        breakdown = board.neighbours[place].breakdown if place < len(board.neighbours) else None
        known = breakdown is not None and breakdown.labels is not None
        rows.append([
            board.names[at], rank_words(int(ranks.best[at]), int(ranks.worst[at])), score, score,
            breakdown.rate if breakdown is not None and known else None,
            breakdown.labels if breakdown is not None and known else None,
        ])  # fmt: skip
    note = message(
        "Accuracy by column {by:name}. Each interval holds alone. All ranks hold together with {level:level}, corrected "
        "for {pairs:count pair}.",
        by=board.by,
        level=ranks.level,
        pairs=ranks.pairs,
    )
    parts: list[Part] = [] if alone else [Words([board_headline(held)])]
    title = "" if alone else "Classifiers from the best down"
    parts.append(Table(title, head, rows, note, most=MOST_ROWS if alone else MOST_BESIDE, sortable=True))
    if held.summary is not None and held.cluster_column is not None:
        parts.append(Words([cluster_words(held.summary, held.cluster_column, "the highest accuracy")]))
    return Section("leaderboard", "Leaderboard", parts, "headline" if alone else "summary")


def _groups(board: "Board", detail: Detail) -> list[Section]:
    """List the sets of neighbours that are not told apart."""
    several = [group for group in board.groups if len(group) > 1]
    if not several:
        return []
    lines: list[Text] = [message("{names:and}", names=group) for group in several[:MOST_GROUPS]]
    if len(several) > MOST_GROUPS:
        lines.append(message("{n:count more set}, see the JSON.", n=len(several) - MOST_GROUPS))
    return [Section("not-told-apart", "Classifiers not told apart", [Words(lines, listed=True)], detail)]


def _charts(board: "Board") -> list[Section]:
    sections = [Section("ranks", "Possible ranks", [Figure(partial(rank_picture, board))])]
    if board.tasks:
        sections.append(
            Section("tasks", "Accuracy on each task", [Figure(partial(task_picture, board)), _matrix(board)])
        )
    if has_diagram(board):
        sections.append(Section("mean-ranks", "Mean ranks over tasks", [Figure(partial(diagram_picture, board))]))
    return sections


def _matrix(board: "Board") -> Table:
    order = board.whole.order if board.mean is None else board.mean.order
    head: list[str | Column] = ["classifier", *(Column(task.name, "share") for task in board.tasks)]
    rows = [[board.names[at], *(task.scores[at].value for task in board.tasks)] for at in order]
    return Table("Accuracy on each task, in numbers", head, rows, matrix=True)


def _bounds(board: "Board", detail: Detail) -> list[Section]:
    limits = board.bounds
    if limits is None:
        return []
    head: list[str | Column] = [
        "classifier", Column("rank", "text"), Column("lowest", "share"), Column("highest", "share"),
    ]  # fmt: skip
    rows = [
        [board.names[at], rank_words(int(limits.best[at]), int(limits.worst[at])), float(limits.low[at]), float(limits.high[at])]
        for at in board.whole.order
    ]  # fmt: skip
    labels = sum(limits.labels)
    if None in board.rates:
        which: Text = message("{rate:percent} of the labels", rate=board.rates[None])
    else:
        which = message("the given share of labels in each of {n:count task}", n=len(board.rates))
    note = message(
        "If at most {which} are wrong ({labels:count label}), whichever they are. About these rows: sampling error is not "
        "included.",
        which=which,
        labels=labels,
    )
    table = Table("", head, rows, note, most=MOST_ROWS, sortable=True)
    return [Section("bounds", "What wrong labels could change", [table], detail)]


def _instead(row: "RecheckedRow") -> str:
    return "any other" if row.instead is None else str(row.instead)


def _recheck(held: "ModelBoard", detail: Detail) -> list[Section]:
    if not held.recheck:
        return []
    named = any(row.id is not None for row in held.recheck)
    head: list[str | Column] = [
        *([Column("id", "text")] if named else []),
        Column("row", "count", 3 if named else 0),
        Column("label", "text"),
        Column("instead", "text", 0, "Instead: the class that would move the most orders if it was true."),
        Column("orders", "count"),
        Column("swaps", "count", 1, "Swaps: orders that this label alone would swap."),
        Column("right", "count", 2, "Right: classifiers that agree with the label."),
    ]
    rows: list[list[Any]] = [
        [*([row.id] if named else []), row.row, str(row.label), _instead(row), row.orders, row.swaps, row.right]
        for row in held.recheck
    ]
    note = message(
        "Rows whose label could move the most neighbouring orders of {models:count} classifiers. Close orders weigh more.",
        models=len(held.board.names),
    )
    return [Section("recheck", "Rows to re-check first", [Table("", head, rows, note, most=5)], detail)]


def _neighbours(board: "Board") -> Section:
    head: list[str | Column] = [
        "classifier",
        Column("next", "text"),
        Column("difference", "difference"),
        Column("p", "pvalue"),
        Column("told apart", "text"),
        Column("labels to swap", "count", 1),
        Column("share", "rough_share", 1),
    ]
    rows = [
        [
            board.names[pair.first], board.names[pair.second], pair.difference, pair.pvalue, "yes" if pair.apart else "no",
            pair.breakdown.labels, None if pair.breakdown.labels is None else pair.breakdown.rate,
        ]
        for pair in board.neighbours
    ]  # fmt: skip
    note = message("p-values are corrected for all {n:count pair}.", n=board.whole.ranks.pairs)
    return Section("neighbours", "Each classifier and the next", [Table("", head, rows, note, sortable=True)], "full")


def _others(boards: "Sequence[ModelBoard]") -> list[Section]:
    """Compare the ranks by all columns of labels and true classes."""
    if len(boards) < 2:
        return []
    head: list[str | Column] = ["classifier"]
    for held in boards:
        head += [Column(held.board.by, "share"), Column(f"rank by {held.board.by}", "text")]
    rows: list[list[Any]] = []
    for at in boards[0].board.whole.order:
        row: list[Any] = [boards[0].board.names[at]]
        for held in boards:
            whole = held.board.whole
            row += [whole.scores[at].value, rank_words(int(whole.ranks.best[at]), int(whole.ranks.worst[at]))]
        rows.append(row)
    table = Table(
        "", head, rows, "Accuracy and possible ranks by each column of labels or true classes.", sortable=True
    )
    return [Section("by-column", "Leaderboard by each column", [table], "full")]
