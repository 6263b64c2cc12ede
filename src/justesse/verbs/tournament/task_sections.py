"""A leaderboard over several tasks: mean accuracies, mean ranks, and chances on new tasks."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.report.document import Column, Detail, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph
from justesse.significance.bayesian_signed_rank import FEWEST

if TYPE_CHECKING:
    from justesse.judges.board import Board
    from justesse.judges.task_mean import TaskMean

MOST_ROWS = 30


def task_sections(board: "Board", detail: Detail) -> list[Section]:
    """Show the mean over tasks and what it says; nothing without tasks."""
    mean = board.mean
    if mean is None:
        return []
    head: list[str | Column] = [
        "classifier", Column("rank", "text"), Column("mean accuracy", "share"),
        Column(level_name(mean.ranks.level), "share_interval"),
    ]  # fmt: skip
    if mean.friedman is not None:
        head.append(Column("mean rank", "ratio", 1, "Mean rank: over tasks, 1 is best."))
    rows: list[list[Any]] = []
    for at in mean.order:
        best, worst = int(mean.ranks.best[at]), int(mean.ranks.worst[at])
        rank = str(best) if best == worst else f"{best} to {worst}"
        row = [board.names[at], rank, mean.scores[at], mean.scores[at]]
        rows.append([*row, mean.friedman.ranks[at]] if mean.friedman is not None else row)
    note = message(
        "Mean over {n:count task}, each weighing the same. Each interval holds alone, all ranks hold together, for these "
        "tasks.",
        n=len(board.tasks),
    )
    parts: list[Part] = [Table("", head, rows, note, most=MOST_ROWS, sortable=True)]
    if lines := _over_new_tasks(board, mean):
        parts.append(Words(lines))
    return [Section("over-tasks", "Mean over tasks", parts, detail), *_challenges(board, mean)]


def _over_new_tasks(board: "Board", mean: "TaskMean") -> list[Text]:
    """Say whether ranks differ from task to task by more than chance."""
    if mean.friedman is None or mean.nemenyi is None:
        return [message("Friedman's test and mean ranks: {why}.", why=mean.undefined)]
    return [
        message(
            "Friedman's test over {n:count task}: {p:p}. Mean ranks are told apart from a difference of {cd:ratio} "
            "(Nemenyi). Both take the tasks as a sample of tasks.",
            n=len(board.tasks),
            p=mean.friedman.f_pvalue,
            cd=mean.nemenyi.critical_difference,
        )
    ]


def _challenges(board: "Board", mean: "TaskMean") -> list[Section]:
    head: list[str | Column] = [
        "classifier", Column("better", "share"), Column("equivalent", "share", 1), Column("worse", "share"),
    ]  # fmt: skip
    rows = [
        [board.names[at], posterior.candidate_better, posterior.equivalent, posterior.incumbent_better]
        for at, posterior in mean.challenges
    ]
    if not rows:
        return []
    note = message(
        "Probability that each is better or worse than {leader} on new tasks (Bayesian signed-rank test). Tasks are taken "
        "as a random sample.",
        leader=board.names[mean.order[0]],
    )
    if len(board.tasks) < FEWEST:
        note = paragraph(note, message("With only {n:count task} it is too sure.", n=len(board.tasks)))
    return [Section("new-tasks", "On new tasks", [Table("", head, rows, note)], "full")]
