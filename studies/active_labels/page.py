"""The table of docs/explanation/active-labels.md, and the figures as they were measured."""

import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from studies.active_labels.run import WAYS, Measured
from studies.pages import fill
from studies.tables import table

RESULTS = Path(__file__).parent / "results.csv"
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "active-labels.md"


def recorded() -> list[Measured]:
    """Read the figures of the last run."""
    with RESULTS.open() as stream:
        return [
            Measured(
                row["pseudo"],
                int(row["labels"]),
                row["way"],
                float(row["width"]),
                int(row["covered"]),
                int(row["draws"]),
            )
            for row in csv.DictReader(stream)
        ]


def record(figures: Sequence[Measured]) -> None:
    """Write the figures, and the page."""
    with RESULTS.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(asdict(figures[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(figure) for figure in figures)
    fill(PAGE, {"widths": widths(figures)})


def widths(figures: Sequence[Measured]) -> str:
    """Show the mean width of each way, and the labels needed as a share of those of a random sample."""
    by = {(figure.pseudo, figure.labels, figure.way): figure for figure in figures}
    rows = []
    for pseudo, n in dict.fromkeys((figure.pseudo, figure.labels) for figure in figures):
        alone, with_labels, active = (by[pseudo, n, way] for way in WAYS)
        rows.append(
            [pseudo, f"{n:,}", *(f"{100 * figure.width:.2f}" for figure in (alone, with_labels, active)),
             *(f"{100 * (active.width / other.width) ** 2:.0f} %" for other in (alone, with_labels)),
             f"{active.covered} of {active.draws}"]
        )  # fmt: skip
    heads = ["pseudo-labels", "labels", *WAYS, "labels, of random alone", "of random with pseudo-labels", "covered"]
    return table(heads, rows)
