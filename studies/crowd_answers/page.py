"""The table of docs/how-to/answers.md, and the recorded figures."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from studies.crowd_answers.run import FEWEST, KINDS, Judged
from studies.tables import table

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "answers.md"
RESULTS = Path(__file__).with_name("results.csv")


def parts(rows: Sequence[Judged]) -> dict[str, str]:
    """Make the table of crowds."""
    return {"crowds": crowds_table(rows)}


def crowds_table(rows: Sequence[Judged]) -> str:
    """Show how many intervals cover the truth, and how far the figures are from it."""
    heads = ["crowd", "classifiers", "number", "intervals that cover", "mean error", "of the vote: cover", "mean error"]
    lines = []
    for crowd in FEWEST:
        for kind, words in KINDS.items():
            some = [row for row in rows if row.crowd == crowd and row.kind == kind]
            if not some:
                continue
            error = 100 * np.mean([row.value - row.right for row in some])
            by_vote = 100 * np.mean([row.by_vote - row.right for row in some])
            lines.append(
                [
                    crowd, words, str(len(some)), f"**{sum(row.covers for row in some)}**", f"{error:+.1f} points",
                    str(sum(row.vote_covers for row in some)), f"{by_vote:+.1f} points",
                ]
            )  # fmt: skip
    return table(heads, lines, words=2)


def record(rows: Sequence[Judged]) -> None:
    """Write the figures that the test compares with."""
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Judged)], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _text(value) for name, value in asdict(row).items()})


def recorded() -> list[Judged]:
    """Read the figures as they were written."""
    with RESULTS.open(newline="") as file:
        return [Judged(**{name: _value(name, text) for name, text in row.items()}) for row in csv.DictReader(file)]


def _text(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def _value(name: str, text: str) -> Any:
    return text if name in ("crowd", "kind") else int(text) if name == "n" else float(text)
