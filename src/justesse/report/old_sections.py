"""The sections of an evaluation's page, each made of plain results."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.charts import (
    calibration_chart,
    confusion_chart,
    cost_chart,
    interval_chart,
    precision_recall_chart,
    roc_chart,
    slice_chart,
)
from justesse.charts.confusion import NAMED
from justesse.core.levels import shown_name
from justesse.core.results import Estimate
from justesse.core.tally import Tally
from justesse.report.old_document import Choice, Figure, Part, Section, Table, Words
from justesse.report.old_pixels import pixel_figure
from justesse.report.old_render import figure

MOST_ROWS = 200
WORST = 20
NORMALISATIONS = {"label": "of each label", "prediction": "of each prediction", "all": "of all rows"}


def number(value: float, digits: int = 4) -> str:
    """Show a number, or that it is undefined."""
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def ends(one: Estimate) -> str:
    """Show an interval, or why there is none."""
    if one.interval is None:
        return one.undefined or "–"
    shown = (f"{end:.4f}" if math.isfinite(end) else "…" for end in (one.interval.low, one.interval.high))
    return " to ".join(shown)


def measured(facts: Sequence[tuple[str, str]], title: str = "What was measured") -> Section:
    """Say what was measured: the file, its fingerprint, n, classes, settings."""
    return Section(
        "measured",
        title,
        [Table("The data and the settings", ["what", "value"], list(facts), words=True)],
    )


def estimates_table(caption: str, estimates: Sequence[Estimate], level: str) -> Table:
    """List estimates with their intervals, n and method."""
    rows = [
        [one.title, number(one.value), ends(one), f"{one.n:,.0f}", one.interval.method if one.interval else "–"]
        for one in estimates
    ]
    return Table(caption, ["measure", "value", level, "n", "method"], rows)


def measures(main: Sequence[Estimate], estimates: Sequence[Estimate], level: str, first: int) -> Section:
    """Show the measures of the whole, then each class as a picture and as a table."""
    listed = {one.title for one in main}
    averages = [
        one
        for one in estimates
        if one.average in ("macro", "weighted")
        and one.name in ("precision", "recall", "f1")
        and one.title not in listed
    ]
    parts: list[Part] = [estimates_table("All classes together", [*main, *averages], level)]
    of_classes = [one for one in estimates if one.class_name is not None]
    names = list(dict.fromkeys(one.class_name for one in of_classes))
    parts.append(figure(interval_chart(estimates), first))
    wanted = ("precision", "recall", "specificity", "npv", "f1")
    table_of = {(one.class_name, one.name): one for one in of_classes}
    rows = []
    for name in names[:MOST_ROWS]:
        found = [table_of[name, measure] for measure in wanted if (name, measure) in table_of]
        rows.append([str(name), *(f"{number(one.value)} ({ends(one)})" for one in found)])
    note = f"The first {MOST_ROWS} of {len(names)} classes; the JSON has all." if len(names) > MOST_ROWS else ""
    parts.append(Table(f"Each class: value ({level})", ["class", *wanted], rows, note))
    return Section("measures", "How right it is", parts)


def confusions(tally: Tally, first: int) -> Section:
    """Show the table three ways, to be switched, and list the worst confusions of many classes."""
    shown: list[tuple[str, Figure]] = []
    for at, (by, name) in enumerate(NORMALISATIONS.items()):
        if len(tally.classes) <= NAMED:
            shown.append((name, figure(confusion_chart(tally, by), first + at)))
        else:
            said = f"Confusion table of {len(tally.classes)} classes as shares {name}: labels down, predictions across."
            shown.append((name, pixel_figure(tally.normalise(by=by), said)))  # type: ignore[arg-type]
    parts: list[Part] = [Choice("Shares", shown)]
    wrong = tally.codes[:, 0] != tally.codes[:, 1]
    worst = np.argsort(-tally.values * wrong, kind="stable")[:WORST]
    labelled = tally.sums("label")
    rows = []
    for at in worst[wrong[worst]].tolist():
        label, answer = tally.codes[at].tolist()
        share = tally.values[at] / labelled[label] if labelled[label] else math.nan
        names = (str(tally.classes[label]), shown_name(tally.classes[answer]))
        rows.append([*names, f"{tally.values[at]:,.6g}", number(share)])
    if rows:
        parts.append(Table("The most frequent confusions", ["label", "taken for", "rows", "share of the label"], rows))
    return Section("confusions", "What is taken for what", parts)


def scores(
    classes: Sequence[dict[str, Any]], thresholds: Sequence[dict[str, Any]], estimates: Sequence[Estimate], level: str,
    shares: Sequence[float], first: int,
) -> Section:  # fmt: skip
    """Show the measures of scores and, for up to three classes, their curves."""
    parts: list[Part] = [estimates_table("Measures of scores", estimates, level)]
    at = first
    for scored, share in list(zip(classes, shares, strict=True))[:3]:
        drawn = [roc_chart(scored), precision_recall_chart(scored)]
        drawn += [calibration_chart(scored)] if scored["calibration"] else []
        for chart in [*drawn, cost_chart(scored, share)]:
            parts.append(figure(chart, at, zoom=True))
            at += 1
        if scored["calibration"]:
            mass, brier = scored["calibration"]["mass"], scored["calibration"]["brier_parts"]
            parts.append(
                Words([
                    f"Probabilities of {scored['class']!r} are off by {mass['ece']:.4f} on average (ECE, ten bins of equal mass). "
                    f"Even right probabilities would show {mass['ece_if_calibrated']:.4f} by chance. Its Brier score is "
                    f"{brier['reliability']:.4f} for reliability, less {brier['resolution']:.4f} for resolution, plus "
                    f"{brier['uncertainty']:.4f} for the uncertainty of the labels and {brier['within']:.4f} within bins."
                ])
            )  # fmt: skip
    if thresholds:
        rows = []
        for row in thresholds:
            cells = [
                "undefined"
                if row[name] is None
                else f"{row[name]:.4f} ({row[f'{name}_low']:.3f} to {row[f'{name}_high']:.3f})"
                for name in ("recall", "specificity", "precision")
            ]
            value = "above all" if row["threshold"] is None else f"{row['threshold']:.4g}"
            rows.append([value, "" if row["why"] == "at" else row["why"], *cells])
        note = "A threshold chosen on these rows flatters when evaluated on them."
        parts.append(Table("Thresholds", ["threshold", "for", "recall", "specificity", "precision"], rows, note))
    return Section("scores", "What the scores tell", parts)


def slices(
    parts: Sequence[tuple[str, Estimate, Estimate]],
    whole: Estimate,
    level: str,
    first: int,
    areas: Sequence[Estimate] = (),
) -> Section:
    """Show accuracy and macro F1 of each slice, and the area under its ROC curve where there are scores."""
    drawn = figure(slice_chart([(name, accuracy) for name, accuracy, _ in parts][:60], whole), first)
    rows = [
        [name, f"{accuracy.n:,.0f}", number(accuracy.value), ends(accuracy), number(f1.value), ends(f1)]
        for name, accuracy, f1 in parts[:MOST_ROWS]
    ]
    heads = ["slice", "n", "accuracy", level, "macro f1", level]
    if areas:
        heads += [f"{'macro ' if areas[0].average else ''}ROC AUC", level]
        rows = [[*row, number(area.value), ends(area)] for row, area in zip(rows, areas, strict=False)]
    note = "With many slices some look good or bad by chance alone." if len(parts) >= 10 else ""
    return Section("slices", "Slices", [drawn, Table("Each slice", heads, rows, note)])


def baselines(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> Section:
    """Show what an answer scores that never looks at the case."""
    note = "Random answers are as expected on these rows."
    return Section("baselines", "Against answers that ignore the input", [Table("Baselines", heads, rows, note)])


def resubstitution(rows: Sequence[Estimate], training: Sequence[Estimate], level: str) -> Section:
    """Set the figures on the training rows beside those on the test rows."""
    table = [
        [
            test.title,
            number(test.value),
            ends(test),
            number(train.value),
            ends(train),
            f"{train.value - test.value:+.4f}",
        ]
        for test, train in zip(rows, training, strict=True)
    ]
    heads = ["measure", "test", level, "training", level, "difference"]
    note = "What is better on the training rows than here was learnt by heart, not learnt."
    return Section("resubstitution", "On the rows it was trained on", [Table("Over-fitting", heads, table, note)])


def careful(warnings: Sequence[str]) -> Section:
    """List the warnings, or say that there are none."""
    words = Words(list(warnings), listed=True) if warnings else Words(["Nothing stood out."])
    return Section("careful", "What to be careful about", [words])


MEASURES = (
    "Proportions (accuracy, precision, recall, …) have intervals of their own n; macro averages, MCC and kappa are "
    "resampled from the counts or, where the table says delta, linearised. Undefined values are left out of averages."
)


def method(assumptions: Sequence[str], level: float, command: str, how: Sequence[str] = (MEASURES,)) -> Section:
    """Say how it was done, what it rests on, and how to do it again."""
    lines = [
        f"Every interval is made by a procedure that covers the true value in {100 * level:.4g} % of repetitions. It is not "
        "a statement about this one interval.",
        *how,
        f"All of it assumes that {'; '.join(assumptions)}.",
        f"To make this page again: {command}",
    ]
    return Section("method", "How it was done, and what it rests on", [Words(lines)])
