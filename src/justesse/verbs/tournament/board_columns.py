"""A leaderboard as columns of a table, one row for each classifier."""

from typing import Any

from justesse.core.results import finite_or_none
from justesse.verbs.tournament.boards import ModelBoard


def board_columns(held: ModelBoard) -> dict[str, list[Any]]:
    """Lay out scores, ranks, breakdown, tasks and bounds, best first."""
    board = held.board
    columns: dict[str, list[Any]] = {}
    for place, at in enumerate(board.whole.order):
        score, ranks = board.whole.scores[at], board.whole.ranks
        pair = board.neighbours[place] if place < len(board.neighbours) else None
        row: dict[str, Any] = {
            "model": board.names[at],
            "place": place + 1,
            "rank_best": int(ranks.best[at]),
            "rank_worst": int(ranks.worst[at]),
            "accuracy": score.value,
            "accuracy_low": score.interval.low if score.interval else None,
            "accuracy_high": score.interval.high if score.interval else None,
            "n": int(score.n),
            "told_apart_from_next": pair.apart if pair else None,
            "breakdown_labels": pair.breakdown.labels if pair else None,
            "breakdown_rate": finite_or_none(pair.breakdown.rate) if pair else None,
        }
        if board.mean is not None:
            mean = board.mean.scores[at]
            row |= {
                "task_mean": mean.value,
                "task_mean_low": mean.interval.low if mean.interval else None,
                "task_mean_high": mean.interval.high if mean.interval else None,
                "task_mean_rank_best": int(board.mean.ranks.best[at]),
                "task_mean_rank_worst": int(board.mean.ranks.worst[at]),
            }
        if board.bounds is not None:
            limits = board.bounds
            row |= {"bound_low": float(limits.low[at]), "bound_high": float(limits.high[at]),
                    "bound_rank_best": int(limits.best[at]), "bound_rank_worst": int(limits.worst[at])}  # fmt: skip
        row |= {f"task {task.name}": task.scores[at].value for task in board.tasks}
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns
