"""The score of every model on every task, as a heat map."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import clipped_labels, styled
from justesse.charts.score_matrix import DARK
from justesse.core.printable import printable

MOST_MODELS, MOST_TASKS, WRITTEN = 40, 60, 12


def task_score_points(
    names: Sequence[str], tasks: Sequence[str], scores: Sequence[Sequence[float]]
) -> list[dict[str, Any]]:
    """Lay out the score of each model on each task.

    >>> task_score_points(["a"], ["law", "art"], [[0.5, 0.75]])[1]
    {'model': 'a', 'task': 'art', 'score': 0.75}
    """
    return [
        {"model": printable(name), "task": printable(task), "score": float(score)}
        for name, row in list(zip(names, scores, strict=True))[:MOST_MODELS]
        for task, score in list(zip(tasks, row, strict=True))[:MOST_TASKS]
    ]


def task_scores_chart(names: Sequence[str], tasks: Sequence[str], scores: Sequence[Sequence[float]]) -> vl.Chart:
    """Draw models down, best first, and tasks across; darker is more accurate."""
    points = task_score_points(names, tasks, scores)
    models = [printable(name) for name in names[:MOST_MODELS]]
    columns = [printable(name) for name in tasks[:MOST_TASKS]]
    few = len(columns) <= WRITTEN
    x = vl.X(
        "task:N",
        sort=columns,
        title="task",
        axis=vl.Axis(labelExpr=clipped_labels(columns), labelAngle=-45, labelLimit=90),
    )
    y = vl.Y("model:N", sort=models, title=None, axis=vl.Axis(labelExpr=clipped_labels(models), labelLimit=120))
    colour = vl.Color("score:Q", title="accuracy", scale=vl.Scale(scheme="blues"), legend=vl.Legend(format="~%"))
    layers = [
        vl.Chart(points).mark_rect().encode(x=x, y=y, color=colour, tooltip=["model:N", "task:N", "score:Q"]),
    ]
    every = [point["score"] for point in points]
    dark_from = min(every, default=0.0) + 0.6 * (max(every, default=0.0) - min(every, default=0.0))
    if few:
        for dark, ink in ((False, DARK), (True, "#ffffff")):
            some = [point for point in points if (point["score"] > dark_from) == dark]
            text = vl.Text("score:Q", format=".0%")
            layers.append(vl.Chart(some).mark_text(fontSize=11, color=ink).encode(x=x, y=y, text=text))
    chart = vl.layer(*layers).properties(width=vl.Step(40 if few else 14), height=vl.Step(24 if few else 14))
    words = f"Accuracy of {len(models)} models on {len(columns)} tasks."
    if points:
        low, high = (pick(points, key=lambda point: point["score"]) for pick in (min, max))
        words += (
            f" Highest: {high['model']} on {high['task']}, {high['score']:.1%}."
            f" Lowest: {low['model']} on {low['task']}, {low['score']:.1%}."
        )
    below = []
    if len(models) < len(names) or len(columns) < len(tasks):
        below = [f"the first {len(models)} of {len(names)} models and {len(columns)} of {len(tasks)} tasks"]
    return styled(chart, "Accuracy on each task", words, below=below)
