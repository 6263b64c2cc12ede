"""An evaluation on the terminal: the answer first, then the tables, then what to be careful about."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from justesse.cli.output import console, table
from justesse.cli.score_view import score_tables
from justesse.core.levels import shown_name
from justesse.core.results import ClassName, Estimate
from justesse.verbs.evaluation import Evaluation
from justesse.verbs.noise_words import breakdown_sentence, corrected_note, corrected_table, rung_rows
from justesse.verbs.words import interval_words, level_words, number_words

if TYPE_CHECKING:
    from rich.table import Table

MOST_CLASSES = 20
MOST_COLUMNS = 12
MOST_RUNGS = 7  # columns of rungs that fit a line
WIDE = 100  # columns of a terminal that hold every measure of a class


def show(found: Evaluation, output: Path | None) -> None:
    """Print it."""
    screen = console()
    screen.print(found.headline + "\n", style="bold")
    for required in found.requirements:
        screen.print(required.words, style="green" if required.met else "bold red")
    if found.requirements:
        screen.print()
    level = level_words(found.confidence)
    names = [one.name for one in found.estimates if one.average == "micro"]
    if screen.width < WIDE:
        names = [name for name in names if name not in ("specificity", "npv")]
    tables = [_truth(found, level)] if found.truth else []
    tables += [_measures(found, level), _averages(found, names), _per_class(found, names)]
    if len(found.tally.classes) <= MOST_COLUMNS:
        tables.append(_confusion(found))
    tables.append(_baselines(found, level))
    if found.scores:
        tables += score_tables(found, level)
    if found.slices:
        tables.append(_slices(found, level))
    for one in tables:
        screen.print(one.title, style="bold")
        one.title = None  # printed by itself, it is not squeezed into the width of a small table
        one.columns[0].min_width = min(24, max(len(str(cell)) for cell in one.columns[0].cells))
        screen.print(one)
    if found.noise:
        screen.print("If some labels are wrong", style="bold")
        screen.print(breakdown_sentence(found.noise) + "\n")
        heads, rows = corrected_table(found.noise)
        if rows:
            few = f"The first {MOST_CLASSES} of {len(rows)} rows; --json has all. " if len(rows) > MOST_CLASSES else ""
            screen.print(_if_wrong(heads, rows[:MOST_CLASSES]))
            screen.print(f"{few}{corrected_note(found.noise, rows)}".strip())
        for name, _, fails_when in rung_rows(found.noise):
            screen.print(f"{name}: fails when {fails_when}.")
    for warning in found.warnings:
        screen.print(f"! {warning}", style="yellow")
    screen.print(f"Assumes that {'; '.join(found.assumptions)}. Seed {found.confidence.seed}.", style="dim")
    if output:
        screen.print(f"All measures are in {output}.")


def _if_wrong(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    if len(heads) > MOST_RUNGS and "bias" in heads:  # it is the difference of two others
        at = heads.index("bias")
        heads, rows = [*heads[:at], *heads[at + 1 :]], [[*row[:at], *row[at + 1 :]] for row in rows]
    shown = table("", *(head.replace(", ", ",\n") for head in heads))
    shown.title = None
    shown.columns[0].min_width = 16
    for row in rows:
        shown.add_row(*(cell.replace(" (", "\n(") for cell in row))
    return shown


def _measures(found: Evaluation, level: str) -> "Table":
    against = ", against the labels" if found.truth else ""
    shown = table(f"All classes together{against}", "measure", "value", level, "n", "method")
    for one in found.main:
        shown.add_row(one.title, number_words(one), _interval(found, one), _n(one), _method(one))
    return shown


def _interval(found: Evaluation, one: Estimate) -> str:
    """Show the interval, or a dash; why there is none is among the warnings, and in the JSON."""
    return interval_words(one, found.confidence.alternative) if one.interval else "–"


def _averages(found: Evaluation, names: Sequence[str]) -> "Table":
    averages = {(one.name, one.average): one for one in found.estimates if one.average}
    shown = table("Averages over classes, with their intervals", "measure", "micro", "macro", "weighted")
    for name in names:
        title = averages[name, "macro"].title.removeprefix("macro ")
        shown.add_row(title, *(_cell(averages[name, how]) for how in ("micro", "macro", "weighted")))
    return shown


def _cell(one: Estimate) -> str:
    return f"{number_words(one)}  {_short(one):<11}"


def _n(one: Estimate) -> str:
    return f"{one.n:,.0f}" if float(one.n).is_integer() else f"{one.n:,.1f}"


def _method(one: Estimate) -> str:
    return one.interval.method if one.interval else ""


def _per_class(found: Evaluation, names: Sequence[str]) -> "Table":
    table_of: dict[tuple[ClassName, str], Estimate] = {
        (one.class_name, one.name): one for one in found.estimates if one.class_name is not None
    }
    classes = list(found.tally.named_classes)
    labelled, predicted = (
        dict(zip(found.tally.classes, found.tally.sums(axis, found.tally.counts).tolist(), strict=True))
        for axis in ("label", "prediction")
    )
    title = "Each class, with its interval"
    if found.positive is not None:
        classes.sort(key=lambda name: name != found.positive)
        title += ", the positive class first"
    if len(classes) > MOST_CLASSES:

        def worst(name: ClassName) -> float:
            value = table_of[name, "f1"].value
            return math.inf if math.isnan(value) else value

        classes = sorted(classes, key=worst)[:MOST_CLASSES]
        every = len(found.tally.named_classes)
        title = f"The {MOST_CLASSES} classes with the lowest f1, of {every:,} (--json or --output has all)"
    shown = table(title, "class", "labelled", "predicted", *names)
    for name in classes:
        cells = [_cell(table_of[name, measure]).replace("  ", "\n", 1).rstrip() for measure in names]
        shown.add_row(str(name), f"{labelled[name]:,}", f"{predicted[name]:,}", *cells)
    return shown


def _short(one: Estimate) -> str:
    """Show both ends small enough for a table of many columns."""
    if one.interval is None:
        return "–"
    ends = (one.interval.low, one.interval.high)
    return "–".join("…" if not math.isfinite(end) else "1" if end == 1 else f"{end:.3f}".lstrip("0") for end in ends)


def _confusion(found: Evaluation) -> "Table":
    tally = found.tally
    what = "Sums of weights" if tally.weighted else "Counts"
    shown = table(f"{what}: labels down, predictions across", "", *map(shown_name, tally.classes))
    for name, row, judged in zip(tally.classes, tally.dense("label", "prediction"), tally.judged, strict=True):
        if not judged:  # an answer that no label is has a column, but no row
            continue
        shown.add_row(str(name), *(f"{count:,.6g}" if tally.weighted else f"{count:,}" for count in row))
    return shown


def _baselines(found: Evaluation, level: str) -> "Table":
    """Show what an answer scores that never looks at the case."""
    others = {"balanced_accuracy": None, "f1": "macro"} | ({"cost": None} if "cost" in _overall(found) else {})
    heads = [f"{average or ''} {name}".strip() for name, average in others.items()]
    shown = table(
        "Baselines that ignore the input; random ones as expected on these rows", "answer", "accuracy", level, *heads
    )
    wanted = {"majority": "always {!r}", "frequency": "at random, by frequency", "uniform": "at random, uniformly"}
    for naive in found.baselines:
        scores: dict[tuple[str, str | None], Estimate] = {(one.name, one.average): one for one in naive.measures}
        accuracy = scores["accuracy", None]
        shown.add_row(
            wanted[naive.name].format(naive.class_name),
            number_words(accuracy),
            _interval(found, accuracy) if accuracy.interval else "expected",
            *(number_words(scores[name, average]) for name, average in others.items()),
        )
    return shown


def _overall(found: Evaluation) -> set[str]:
    return {one.name for one in found.main}


def _slices(found: Evaluation, level: str) -> "Table":
    areas = [one for part in found.slices for one in part.estimates if one.name == "roc_auc"]
    area_heads = (f"{'macro ' if areas[0].average else ''}ROC AUC", level) if areas else ()
    shown = table("Slices", "slice", "n", "accuracy", level, "macro f1", level, *area_heads)
    for part in found.slices:
        scores = {(one.name, one.average): one for one in part.estimates if one.class_name is None}
        accuracy, f1 = scores["accuracy", None], scores["f1", "macro"]
        cells = [number_words(accuracy), _interval(found, accuracy), number_words(f1), _interval(found, f1)]
        for area in (one for one in part.estimates if one.name == "roc_auc"):
            cells += [number_words(area), _interval(found, area)]
        shown.add_row(f"{part.column} = {part.value if part.value is not None else '(missing)'}", f"{part.n:,}", *cells)
    return shown


def _truth(found: Evaluation, level: str) -> "Table":
    assert found.truth is not None
    shown = table("Against the true classes", "measure", "value", level, "n", "method")
    noise = found.truth.noise
    shown.add_row("labels that are wrong", number_words(noise), _interval(found, noise), _n(noise), _method(noise))
    for one in found.true_main:
        shown.add_row(one.title, number_words(one), _interval(found, one), _n(one), _method(one))
    return shown
