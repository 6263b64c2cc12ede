"""All candidates against one incumbent, and what is expected of the whole study."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import justesse
from justesse.verbs.compare.comparison import Comparison
from studies.cifar10_networks.answers import NOT_NETWORKS, Settings
from studies.expected import short
from studies.tables import table

HERE = Path(__file__).parent
EXPECTED = {"candidates": HERE / "expected.csv", "figures": HERE / "expected_figures.csv"}
SOURCE = "answers: Recht et al. 2018; true classes: Peterson et al. 2019; computed by this study"
SIMULATED = {"z of max-T": 0.05}  # another stream of random numbers moves it so far
Row = Mapping[str, Any]


def candidates(settings: Settings) -> Comparison:
    """Judge all other networks against the incumbent, with intervals that hold together."""
    columns = pq.read_schema(settings.path).names
    return justesse.compare(
        settings.path,
        incumbent=settings.incumbent,
        candidate=[name for name in columns if name not in (*NOT_NETWORKS, settings.incumbent)],
        level=settings.level,
        margin=settings.margin,
        draws=100,  # accuracy is not resampled, and nothing else is looked at
        seed=settings.seed,
    )


def candidate_rows(found: Comparison) -> list[dict[str, Any]]:
    """Lay out two rows per candidate, the best first: by the labels and by the true classes."""
    rows = []
    for one in sorted(found.judged, key=lambda one: -one.verdict.candidate.value):
        for against, verdict in (("label", one.verdict), ("true", one.truth)):
            assert verdict is not None
            assert verdict.difference.interval is not None
            rows.append(
                {
                    "candidate": one.name,
                    "against": against,
                    "accuracy": verdict.candidate.value,
                    "verdict": verdict.decision,
                    "difference": verdict.difference.value,
                    "low": verdict.difference.interval.low,
                    "high": verdict.difference.interval.high,
                    "breakdown_sign": verdict.breakdown.sign,
                    "breakdown_verdict": verdict.breakdown.verdict,
                    "needed_n": verdict.needed_n,
                    "tolerance": 1e-6,
                    "source": SOURCE,
                }
            )
    return rows


def figure_rows(figures: Mapping[str, float]) -> list[dict[str, Any]]:
    """Lay out one row per figure."""
    return [
        {"figure": name, "value": value, "tolerance": SIMULATED.get(name, 1e-6), "source": SOURCE}
        for name, value in figures.items()
    ]


def surprises(rows: Sequence[Row], expected: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Say where results are not as expected, within the tolerance of each row."""
    found = {_key(row): row for row in rows}
    for wanted in expected:
        row = found.pop(_key(wanted), None)
        if row is None:
            yield f"{_key(wanted)}: was expected, and is missing"
            continue
        for name, text in wanted.items():
            if not _as_expected(row[name], text, float(wanted["tolerance"])):
                yield f"{_key(wanted)}: {name} {text} was expected; got {row[name]}"
    yield from (f"{key}: was not expected" for key in found)


def candidate_table(rows: Sequence[Row]) -> str:
    """Show one line per candidate, in percentage points and per cent, with the verdict by the true classes beside it."""
    heads = ("candidate", "verdict", "by the true classes", "difference", "interval", "breakdown rate, sign",
             "breakdown rate, verdict",
             "rows needed")  # fmt: skip
    lines = []
    for row, truth in zip(rows[::2], rows[1::2], strict=True):
        points = [100 * float(row[key]) for key in ("difference", "low", "high")]
        lines.append(
            [
                f"`{row['candidate']}`",
                row["verdict"].replace("_", " "),
                "the same" if row["verdict"] == truth["verdict"] else f"**{truth['verdict'].replace('_', ' ')}**",
                f"{points[0]:+.2f}",
                f"{points[1]:+.2f} to {points[2]:+.2f}",
                f"{100 * float(row['breakdown_sign']):.2f} %",
                f"{100 * float(row['breakdown_verdict']):.2f} %",
                f"{int(row['needed_n']):,}" if int(row["needed_n"]) else "",
            ]
        )
    return table(heads, lines, words=3)


def figure_table(rows: Sequence[Row]) -> str:
    """Show one line per figure."""
    return table(("figure", "value"), [[str(row["figure"]), f"{short(float(row['value'])):,}"] for row in rows])


def _key(row: Row) -> str:
    return ", ".join(str(row[name]) for name in ("figure", "candidate", "against") if name in row)


def _as_expected(value: Any, text: str, tolerance: float) -> bool:
    if isinstance(value, (int, float)):
        return math.isclose(value, float(text), rel_tol=tolerance, abs_tol=tolerance)
    return ("" if value is None else str(value)) == text
