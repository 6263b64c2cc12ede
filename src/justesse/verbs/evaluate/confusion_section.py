"""The confusion matrix of an evaluation: three pictures, the most frequent confusions, and all counts."""

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.levels import shown_name
from justesse.report.document import Choice, Column, Figure, Part, Section, Table
from justesse.verbs.most_frequent import most_frequent

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Evaluation

COUNTED = 25  # classes up to which the counts of all cells are a table
WORST = 20
NORMALISATIONS = {"label": "of each label", "prediction": "of each prediction", "all": "of all rows"}


def confusion_section(result: "Evaluation") -> Section:
    """Show the confusion matrix as three pictures, the most frequent confusions, and the counts of all cells."""
    from justesse import charts

    tally = result.tally
    figures: list[tuple[str, Figure]] = []
    for by, name in NORMALISATIONS.items():
        figures.append((name, Figure(partial(charts.confusion_chart, tally, by))))
    parts: list[Part] = [Choice("Shares", figures)]
    if len(tally.classes) <= COUNTED:
        kind = "general" if tally.weighted else "count"
        head: list[str | Column] = ["label", *(Column(shown_name(name), kind) for name in tally.classes)]
        dense = tally.dense("label", "prediction")
        rows = [
            [shown_name(name), *row.tolist()]
            for name, row, judged in zip(tally.classes, dense, tally.judged, strict=True)
            if judged  # an answer that no label is has a column, but no row
        ]
        caption = "Counts: labels down, predictions across"
        if tally.weighted:
            caption = "Sums of weights: labels down, predictions across"
        counts = Table(caption, head, rows, most=COUNTED, matrix=True)
        parts.append(counts)
    parts[1:1] = _most_frequent(result)
    return Section("confusions", "Confusion matrix", parts)


def _most_frequent(result: "Evaluation") -> list[Part]:
    tally = result.tally
    wrong = tally.codes[:, 0] != tally.codes[:, 1]
    worst = np.argsort(-tally.values * wrong, kind="stable")[:WORST]
    labelled = tally.sums("label")
    rows = []
    for at in worst[wrong[worst]].tolist():
        label, answer = tally.codes[at].tolist()
        share = tally.values[at] / labelled[label] if labelled[label] else math.nan
        rows.append(
            [shown_name(tally.classes[label]), shown_name(tally.classes[answer]), tally.values[at].item(), share]
        )
    head: list[str | Column] = [
        "label",
        "predicted as",
        Column("rows", "general"),
        Column("share of the label", "share"),
    ]
    note = most_frequent(len(rows), int(np.count_nonzero(tally.values[wrong])))
    return [Table("Most frequent confusions", head, rows, note)] if rows else []
