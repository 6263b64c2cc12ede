"""The charts of a leaderboard, by name."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from justesse import charts
from justesse.judges.board import Board
from justesse.verbs.tournament.boards import ModelBoard

MOST_IN_DIAGRAM = 30


def board_drawings(boards: Sequence[ModelBoard]) -> dict[str, Callable[[], Any]]:
    """List the charts of the first leaderboard: possible ranks; with tasks, the heat map and the mean ranks."""
    if not boards:
        return {}
    board = boards[0].board
    drawings: dict[str, Callable[[], Any]] = {"ranks": partial(rank_picture, board)}
    if board.tasks:
        drawings["tasks"] = partial(task_picture, board)
    if has_diagram(board):
        drawings["mean_ranks"] = partial(diagram_picture, board)
    return drawings


def has_diagram(board: Board) -> bool:
    """Tell whether mean ranks over tasks are drawn."""
    return board.mean is not None and board.mean.nemenyi is not None and len(board.names) <= MOST_IN_DIAGRAM


def rank_picture(board: Board) -> Any:
    """Draw the possible ranks of each model."""
    order, ranks = board.whole.order, board.whole.ranks
    return charts.model_ranks_chart([board.names[at] for at in order], ranks.best[order], ranks.worst[order])


def task_picture(board: Board) -> Any:
    """Draw the accuracy of each model on each task."""
    order = board.whole.order if board.mean is None else board.mean.order
    scores = [[task.scores[at].value for task in board.tasks] for at in order]
    return charts.task_scores_chart([board.names[at] for at in order], [task.name for task in board.tasks], scores)


def diagram_picture(board: Board) -> Any:
    """Draw mean ranks over tasks, and the critical difference."""
    assert board.mean is not None
    assert board.mean.nemenyi is not None
    result = board.mean.nemenyi
    ranks = dict(zip(board.names, result.ranks, strict=True))
    groups = [[board.names[at] for at in group] for group in result.groups]
    return charts.critical_difference_chart(ranks, result.critical_difference, groups)
