"""The tables and the picture of docs/explanation/human-judges.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from justesse.charts.paint import BLUE, GREEN, INK, ORANGE, styled
from justesse.charts.vega_lite import altair
from studies.human_judges.run import VOTE, Found, Row
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "human-judges.md", DOCS / "images" / "human-judges.png"
AUDIT = "audited, test set, risk 0.05, strata by label and votes of the other networks"
DRAWN = {
    "classical": ("classical", ORANGE),
    "prudent_v1": ("prudent_v1", INK),
    "prudent_v2, the networks' disagreement": ("prudent_v2", BLUE),
    AUDIT: ("audited", GREEN),
}

ASKED = {
    AUDIT: ("on this test set", GREEN),
    AUDIT.replace("test set", "population"): ("in the population", BLUE),
}


def parts(found: Found) -> dict[str, str]:
    """Make every table of the page."""
    versions = [name for name in dict.fromkeys(row["labels"] for row in found.judged) if name != VOTE]
    return {
        "judges, one vote": judge_table([row for row in found.judged if row["labels"] == VOTE]),
        "audits, one vote": audit_table([row for row in found.audited if row["labels"] == VOTE]),
        "judges, versions": version_table(found, versions),
        "audits, versions": cost_table([row for row in found.audited if row["labels"] != VOTE], versions),
    }


def judge_table(rows: Sequence[Row]) -> str:
    """Show how often each judge errs, mean over the draws."""
    heads = ("judge", "type I", "type II", "agreement", "type II, paired reference", "worse accepted", "at most")
    names = ("type I", "type II", "agreement", "type II, paired", "worse accepted")
    lines = [
        [judge, *(percent(_mean(some, name)) for name in names), percent(max(row["worse accepted"] for row in some))]
        for judge, some in _by(rows, "judge")
    ]
    return table(heads, lines)


def audit_table(rows: Sequence[Row]) -> str:
    """Show what audits find and cost, mean over the draws."""
    heads = ("question, risk, strata", "worse accepted", "at most", "a point or more better: found", "at least", "any better: found",
             "answers, mean", "median")  # fmt: skip
    lines = [
        [
            audit.removeprefix("audited, "),
            percent(_mean(some, "worse accepted")),
            percent(max(row["worse accepted"] for row in some)),
            percent(_mean(some, "clear found")),
            percent(min(row["clear found"] for row in some)),
            percent(_mean(some, "better found")),
            f"{_mean(some, 'answers, mean'):.0f}",
            f"{_mean(some, 'answers, median'):.0f}",
        ]
        for audit, some in _by(rows, "audit")
    ]
    return table(heads, lines)


def version_table(found: Found, versions: Sequence[str]) -> str:
    """Show type I and type II errors against the overlap reference for each share of wrong labels."""
    rows = [*found.judged, *({**row, "judge": row["audit"]} for row in found.audited if row["audit"] == AUDIT)]
    lines = []
    for judge, some in _by([row for row in rows if row["labels"] != VOTE], "judge"):
        by_label = {row["labels"]: row for row in some}
        lines.append(
            [judge, *(f"{percent(by_label[one]['type I'])} / {percent(by_label[one]['type II'])}" for one in versions)]
        )
    return table(("judge, type I / type II", *versions), lines)


def cost_table(rows: Sequence[Row], versions: Sequence[str]) -> str:
    """Show worse accepted, clear differences found and answers for each share of wrong labels."""
    lines = []
    for audit, some in _by(rows, "audit"):
        by_label = {row["labels"]: row for row in some}
        lines.append(
            [
                audit.removeprefix("audited, "),
                *(
                    f"{percent(by_label[one]['worse accepted'])} / {percent(by_label[one]['clear found'])} / "
                    f"{by_label[one]['answers, mean']:.0f}"
                    for one in versions
                ),
            ]
        )
    return table(("question, risk: worse accepted / clear found / answers", *versions), lines)


def chart(found: Found) -> Any:
    """Draw what judges refuse, and what audits ask, against the share of wrong labels."""
    alt = altair()
    rows = [*found.judged, *({**row, "judge": row["audit"]} for row in found.audited)]
    rows = [row for row in rows if row["labels"] != VOTE and row["judge"] in DRAWN]
    refused = [
        {"of": DRAWN[row["judge"]][0], "wrong": 100 * row["wrong labels"], "y": 100 * row["type II"]} for row in rows
    ]
    asked = [
        {"of": row["audit"], "wrong": 100 * row["wrong labels"], "y": row["answers, mean"]}
        for row in found.audited
        if row["labels"] != VOTE and row["audit"] in ASKED
    ]
    said = (
        "Against the share of wrong labels, from 1 to 30 per cent. Left: the share of real improvements that four judges "
        "refuse; prudent_v1 refuses all from 10 per cent on, classical up to 56, audited less than 1. Right: the answers "
        "that an audit asks on average, from about 40 to about 110."
    )
    return styled(
        alt.hconcat(
            _lines(alt, refused, "real improvements refused, type II (%)", dict(DRAWN.values())),
            _lines(
                alt, [{**one, "of": ASKED[one["of"]][0]} for one in asked], "answers asked, mean", dict(ASKED.values())
            ),
            spacing=24,
        ).resolve_scale(color="independent"),
        "Judges and audits on thirty networks, the images people find hardest mislabelled first",
        said,
        below=("870 ordered pairs. Real improvements: intervals on the true classes do not overlap.",),
    )


def _lines(alt: Any, rows: Sequence[Row], title: str, colours: dict[str, str]) -> Any:
    scale = {"domain": list(colours), "range": list(colours.values())}
    return (
        alt.Chart(alt.Data(values=list(rows)), width=300, height=240)
        .mark_line(point=True)
        .encode(
            alt.X("wrong:Q", title="wrong labels (%)"),
            alt.Y("y:Q", title=title),
            alt.Color("of:N", title=None, scale=alt.Scale(**scale), legend=alt.Legend(orient="bottom", columns=2)),
        )
    )


def percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share == share else "–"


def _mean(rows: Sequence[Row], name: str) -> float:
    return float(np.mean([row[name] for row in rows]))


def _by(rows: Sequence[Row], name: str) -> list[tuple[str, list[Row]]]:
    return [(one, [row for row in rows if row[name] == one]) for one in dict.fromkeys(row[name] for row in rows)]
