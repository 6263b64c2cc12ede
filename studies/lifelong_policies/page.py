"""The tables of docs/explanation/lifelong.md, and the figures as they were measured."""

import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from studies.lifelong_policies.run import (
    COMPARED,
    ERROR,
    FLIP,
    LABELS,
    MAPPED,
    NO_CHANGE,
    POLICIES,
    PREQUENTIAL,
    Figure,
)
from studies.pages import fill
from studies.tables import table

RESULTS = Path(__file__).parent / "results.csv"
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "lifelong.md"


def recorded() -> list[Figure]:
    """Read the figures of the last run."""
    with RESULTS.open() as stream:
        return [_read(row) for row in csv.DictReader(stream)]


def record(figures: Sequence[Figure]) -> None:
    """Write the figures, and the page."""
    with RESULTS.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(asdict(figures[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(figure) for figure in figures)
    fill(PAGE, parts(figures))


def parts(figures: Sequence[Figure]) -> dict[str, str]:
    """Lay out every table of the page."""
    return {
        "errors": errors(figures),
        "pairs": pairs(figures),
        "versions": versions(figures),
        "no change": no_change(figures),
    }


def errors(figures: Sequence[Figure]) -> str:
    """Show the error of each system at the last version, in percent."""
    labels = {(figure.data, figure.about): figure.value for figure in figures if figure.figure == LABELS}
    rows = []
    for (data, system), cells in _by_policy(figures, ERROR, "about").items():
        shown = [f"{100 * cell.value:.1f} ({100 * cell.low:.1f} to {100 * cell.high:.1f})" for cell in cells]  # type: ignore[operator]
        rows.append([data, system, f"{labels[data, system]:,.0f}", *shown])
    return table(["data", "system", "labels", *POLICIES], rows, words=2)


def pairs(figures: Sequence[Figure]) -> str:
    """Show the difference of every two systems at the last version, and where their ranking flips."""
    rows = []
    for (data, about), cells in _by_policy(figures, MAPPED, "about").items():
        flips = [f"{item.value:.2f}" for item in figures if (item.data, item.figure, item.about) == (data, FLIP, about)]
        rows.append([data, about, *map(_points, cells), ", ".join(flips) or "no flip"])
    return table(["data", "systems", *POLICIES, "flips at"], rows, words=2)


def versions(figures: Sequence[Figure]) -> str:
    """Show the difference of two systems at each version."""
    rows = [
        [data, version, *map(_points, cells)]
        for (data, version), cells in _by_policy(figures, COMPARED, "version").items()
    ]
    return table(["data", "version", *POLICIES], rows, words=2)


def no_change(figures: Sequence[Figure]) -> str:
    """Show the error of the latest version on each item, beside that of repeating the last label."""
    rows = []
    for data in dict.fromkeys(figure.data for figure in figures):
        mine = [figure for figure in figures if figure.data == data]
        repeated = next(figure for figure in mine if figure.figure == NO_CHANGE)
        shown = [f"{100 * figure.value:.1f}" for figure in (*(f for f in mine if f.figure == PREQUENTIAL), repeated)]
        rows.append([data, *shown])
    systems = dict.fromkeys(figure.about for figure in figures if figure.figure == PREQUENTIAL)
    return table(["data", *systems, "repeating the last label"], rows)


def _read(row: dict[str, str]) -> Figure:
    low, high = (float(row[end]) if row[end] else None for end in ("low", "high"))
    names = (row["data"], row["figure"], row["about"], row["version"], row["policy"])
    return Figure(*names, float(row["value"]), low, high, row["answer"])


def _by_policy(figures: Sequence[Figure], name: str, key: str) -> dict[tuple[str, str], list[Figure]]:
    """Group figures of one name by data and another field; each group has one figure per policy."""
    groups: dict[tuple[str, str], list[Figure]] = {}
    for figure in figures:
        if figure.figure == name:
            groups.setdefault((figure.data, getattr(figure, key)), []).append(figure)
    return groups


def _points(figure: Figure) -> str:
    """Show a difference of accuracies in points, bold if it is sure."""
    assert figure.low is not None
    assert figure.high is not None
    value, low, high = (
        f"{100 * number:+z.1f}".replace("+0.0", "0.0") for number in (figure.value, figure.low, figure.high)
    )
    shown = f"{value} ({low} to {high})"
    return f"**{shown}**" if figure.low > 0 or figure.high < 0 else shown
