"""The tables of docs/explanation/no-labels.md about confidence, and the figures as they were measured."""

import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from studies.pages import fill
from studies.shifted_confidence.run import LABELLED, METHODS, Figure
from studies.tables import table

RESULTS = Path(__file__).parent / "results.csv"
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "no-labels.md"


def recorded() -> list[Figure]:
    """Read the figures of the last run."""
    with RESULTS.open() as stream:
        return [Figure(row["shift"], row["figure"], float(row["value"])) for row in csv.DictReader(stream)]


def record(figures: Sequence[Figure]) -> None:
    """Write the figures, and the page."""
    with RESULTS.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(asdict(figures[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(figure) for figure in figures)
    fill(PAGE, {"confidence": off(figures), "calibration test": warned(figures)})


def off(figures: Sequence[Figure]) -> str:
    """Show how far off each method is on average, in points, and how often its 95 % interval covers."""
    by = {(figure.shift, figure.figure): figure.value for figure in figures}
    rows = []
    for shift in dict.fromkeys(figure.shift for figure in figures):
        cells = [
            f"{100 * by[shift, f'off: {name}']:+.1f} ({100 * by[shift, f'covered: {name}']:.0f} %)" for name in METHODS
        ]
        rows.append([shift, f"{100 * by[shift, 'accuracy']:.1f} %", *cells])
    return table(["more of", "accuracy", *METHODS], rows)


def warned(figures: Sequence[Figure]) -> str:
    """Show how often the test rejects, and how often the prediction-powered interval covers."""
    by = {(figure.shift, figure.figure): figure.value for figure in figures}
    rows = [
        [
            shift,
            *(f"{100 * by[shift, f'rejected: {n} labels']:.0f} %" for n in LABELLED),
            *(f"{100 * by[shift, f'covered: prediction-powered, {n} labels']:.0f} %" for n in LABELLED),
        ]
        for shift in dict.fromkeys(figure.shift for figure in figures)
    ]
    heads = [f"{what}, {n} labels" for what in ("rejected", "prediction-powered covers") for n in LABELLED]
    return table(["more of", *heads], rows)
