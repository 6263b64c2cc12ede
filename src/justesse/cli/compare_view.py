"""A comparison on the terminal: the verdict first, then the tables, then what to be careful about."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from justesse.cli.output import console, short, table
from justesse.judges.words import ends, p_words, percent_down
from justesse.verbs.comparison import Comparison, Judged, number
from justesse.verbs.difference_if_wrong import rung_sentences
from justesse.verbs.differences import Beside

if TYPE_CHECKING:
    from rich.table import Table

MOST = 20
STYLES = {"replace": "bold green", "keep": "bold red", "equivalent": "bold", "cannot_tell": "bold yellow"}


def show_comparison(found: Comparison) -> None:
    """Print it."""
    screen = console()
    screen.print(found.title, style=STYLES[found.decisive.decision])
    best = found.best
    test = best.decisive.outcome
    several = len(found.judged) > 1
    beside = f"p-value {p_words(best.decisive_pvalue if several else test.pvalue)}{' (Holm)' if several else ''}"
    screen.print(f"{found.headline} Beside it: {test.test}, {beside}.\n")
    if found.by_labels:
        screen.print(f"{found.by_labels}\n")
    level = f"{100 * found.level:g} % interval"
    tables = [_candidates(found)] if len(found.judged) > 1 else []
    if best.by_labels:
        tables.append(_measures(found, best, level, of=best.truth_measures, against="the true classes"))
    tables.append(_measures(found, best, level, of=best.measures, against="the labels" if best.truth else ""))
    tables.append(_disagreement(best))
    if best.classes:
        tables.append(_classes(best))
    if best.slices:
        tables.append(_slices(best))
    for one in tables:
        screen.print(one.title, style="bold")
        one.title = None
        one.columns[0].min_width = min(24, max(len(str(cell)) for cell in one.columns[0].cells))
        screen.print(one)
    if best.noise and best.noise.rungs:
        shown = table("", "if some labels are wrong", "true difference of accuracy", "interval or bounds")
        shown.title = None
        for row in rung_sentences(best.noise):
            shown.add_row(*row[:3])
        screen.print(shown)
    for warning in (*best.decisive.warnings, *found.warnings):
        screen.print(f"! {warning}", style="yellow")
    screen.print(f"Assumes that {'; '.join(best.decisive.assumptions)}. Seed {found.rule.seed}.", style="dim")


def _candidates(found: Comparison) -> "Table":
    level = f"{100 * found.rule.level:.4g} % interval"
    many = len(found.judged)
    shown = table(
        f"Each candidate against {found.incumbent}"
        if many <= MOST
        else f"The {MOST} best of {many} candidates against {found.incumbent} (--json has all)",
        "candidate",
        "verdict",
        *(["by labels"] if found.best.by_labels else []),
        "difference",
        level,
        "p (Holm)",
        "sign survives",
    )
    for one in sorted(found.judged, key=lambda one: one.rank, reverse=True)[:MOST]:
        verdict, sign = one.decisive, one.verdict.breakdown.sign
        survives = "–" if sign is None else percent_down(sign - 1 / verdict.disagreement.n)
        shown.add_row(
            one.name,
            verdict.decision,
            *([one.verdict.decision] if found.best.by_labels else []),
            number(verdict.difference.value, "+"),
            ends(verdict.difference.interval),
            p_words(one.decisive_pvalue),
            survives,
        )
    return shown


def _measures(found: Comparison, best: Judged, level: str, *, of: Sequence[Beside], against: str) -> "Table":
    where = f" against {against}" if against else ""
    shown = table(
        f"Measures of both{where}; a positive difference means that the candidate is better",
        "measure", short(found.incumbent), short(best.name), "difference", level, "method",
    )  # fmt: skip
    _fill(shown, of)
    return shown


def _fill(shown: "Table", rows: Sequence[Beside]) -> None:
    for one in rows:
        interval = one.difference.interval
        shown.add_row(
            one.title,
            number(one.incumbent),
            number(one.candidate),
            number(one.difference.value, "+"),
            ends(interval),
            interval.method if interval else "",
        )


def _disagreement(best: Judged) -> "Table":
    counts, n = best.decisive.disagreement, best.decisive.disagreement.n
    shown = table(
        "Who is right where" + (", against the true classes" if best.by_labels else ""), "rows", "number", "share"
    )
    names = {
        "both_right": "both right",
        "only_incumbent": "only the incumbent right",
        "only_candidate": "only the candidate right",
        "both_wrong_alike": "both wrong, same answer",
        "both_wrong_differently": "both wrong, different answers",
    }
    for key, value in counts.to_dict().items():
        shown.add_row(names[key], f"{value:,}", f"{100 * value / n:.2f} %")
    return shown


def _classes(best: Judged) -> "Table":
    level = next((one.difference.interval.level for one in best.classes if one.difference.interval), 0.95)
    every = {one.class_name for one in best.classes}
    shown = table(
        f"Each class{_against(best)}; intervals of {100 * level:.4g} % hold for all {len(every)} classes together",
        "measure", "incumbent", "candidate", "difference", "interval", "method",
    )  # fmt: skip
    rows = best.classes
    if len(rows) > MOST:
        rows = tuple(
            sorted(
                rows, key=lambda one: -abs(one.difference.value) if one.difference.value == one.difference.value else 0
            )
        )
        shown.title = f"The {MOST} largest of {len(best.classes)} differences by class (--json has all)"
    _fill(shown, rows[:MOST])
    return shown


def _against(best: Judged) -> str:
    return ", against the labels" if best.truth else ""


def _slices(best: Judged) -> "Table":
    most = 3 * MOST
    few = "" if len(best.slices) <= most else f" (the first {most} of {len(best.slices)}; --json has all)"
    shown = table(
        f"Each slice{_against(best)}; intervals hold for all slices of a column together{few}",
        "slice", "n", "incumbent", "candidate", "difference", "interval",
    )  # fmt: skip
    for one in best.slices[:most]:
        shown.add_row(
            one.title,
            f"{one.difference.n:,.0f}",
            number(one.incumbent),
            number(one.candidate),
            number(one.difference.value, "+"),
            ends(one.difference.interval),
        )
    return shown
