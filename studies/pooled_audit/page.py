"""The table of docs/explanation/pooled-audit.md, and the figures as they were measured."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from statistics import mean

from studies.pages import fill
from studies.pooled_audit.run import SEEDS, Audited
from studies.tables import table

RESULTS = Path(__file__).with_name("results.csv")
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "pooled-audit.md"
TITLES = {
    "pairs": "all 435 pairs",
    "winner": "the winner",
    "top:3": "the best three",
    "incumbent": "29 candidates against the first network",
}
COUNTS = ("seed", "answers", "rows", "pairs", "settled", "wrong")
WAYS = {
    "pool": "one pool",
    "separate audits": "separate audits, 5 % risk each",
    "separate audits, corrected": "separate audits, 5 % risk together",
}


def recorded() -> list[Audited]:
    """Read the figures of the last run."""
    with RESULTS.open(newline="") as stream:
        return [
            Audited(row["way"], row["goal"], *(int(row[name]) for name in COUNTS)) for row in csv.DictReader(stream)
        ]


def record(results: Sequence[Audited]) -> None:
    """Write the figures, and the page."""
    with RESULTS.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, [item.name for item in fields(Audited)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(result) for result in results)
    fill(PAGE, {"answers": answers_table(results)})


def answers_table(results: Sequence[Audited]) -> str:
    """Show the answers that each way of auditing needs for each goal; pools as mean and range over seeds."""
    rows = []
    for goal in SEEDS:
        for way, title in WAYS.items():
            mine = [result for result in results if (result.way, result.goal) == (way, goal)]
            if not mine:
                continue
            counts = [result.answers for result in mine]
            spread = f" ({min(counts):,} to {max(counts):,})" if len(counts) > 1 else ""
            rows.append(
                [
                    TITLES[goal] if way == "pool" else "",
                    title,
                    f"{mean(counts):,.0f}{spread}",
                    f"{mean(result.rows for result in mine):,.0f}",
                    f"{min(result.settled for result in mine):,} of {mine[0].pairs:,}",
                    f"{sum(result.wrong for result in mine):,}",
                ]
            )
    return table(["goal", "audits", "answers", "different rows", "pairs settled", "false claims"], rows, words=2)
