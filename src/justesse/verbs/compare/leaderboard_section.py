"""All classifiers of a comparison ranked by a re-checked sample, as a section."""

from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.report.document import Column, Figure, Section, Table, Words
from justesse.report.writing import Message, message

if TYPE_CHECKING:
    from justesse.noise.leaderboard import Leaderboard
    from justesse.verbs.compare.comparison import Comparison

FEW = 6  # classifiers that may be the best and can be listed in one sentence


def leaderboard_section(result: "Comparison") -> list[Section]:
    """Rank the incumbent and all candidates; nothing if no row was re-checked or there is one candidate only."""
    board = result.leaderboard
    if board is None:
        return []
    each = next((row.accuracy.interval.level for row in board.standings if row.accuracy.interval), board.level)
    pairs = next((lead.difference.interval.level for lead in board.leads if lead.difference.interval), board.level)
    head: list[str | Column] = [
        "classifier",
        "rank",
        Column("accuracy", "share"),
        Column(level_name(each), "share_interval"),
        Column("by the labels", "share", 1),
    ]
    rows: list[list[Any]] = [[row.name, row.rank, row.accuracy, row.accuracy, row.measured] for row in board.standings]
    note = message(
        "Accuracy against the true classes, from all labels and {n:count re-checked row}. All ranks hold together with "
        "{level:level}, and so do all intervals of this table.",
        n=board.standings[0].accuracy.n,
        level=board.level,
    )
    leads: list[str | Column] = [
        "more accurate",
        "less accurate",
        Column("difference", "difference"),
        Column(level_name(pairs), "difference_interval"),
        Column("sure", "text"),
    ]
    differences = [
        [lead.first, lead.second, lead.difference, lead.difference, "yes" if lead.ahead else "no"]
        for lead in board.leads
    ]
    together = message(
        "Corrected for all {pairs:count pair} of {tried:count classifier}: the intervals hold together with {level:level}.",
        pairs=board.tried * (board.tried - 1) // 2,
        tried=board.tried,
        level=board.level,
    )
    return [
        Section(
            "leaderboard",
            "Leaderboard",
            [
                Words([_best(board)]),
                Figure(partial(result.chart, "leaderboard")),
                Table("Classifiers by the re-checked rows", head, rows, note),
            ],
            "headline",
        ),
        Section(
            "pairs",
            "All pairs of classifiers",
            [Table("Differences of accuracy", leads, differences, together)],
            "full",
        ),
    ]


def _best(board: "Leaderboard") -> Message:
    """Say which classifier is the most accurate, or which may be."""
    names = board.contenders
    if len(names) == 1:
        return message("By the re-checked rows, {name} is the most accurate ({level:level}).", name=names[0], level=board.level)  # fmt: skip
    if len(names) == len(board.standings):
        return message("The re-checked rows do not tell which classifier is the most accurate.")
    listed = ", ".join(names[:FEW]) + (f" and {len(names) - FEW} more" if len(names) > FEW else "")
    return message(
        "By the re-checked rows, the most accurate is one of these {n}: {names} ({level:level}).",
        n=len(names),
        names=listed,
        level=board.level,
    )
