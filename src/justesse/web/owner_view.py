"""What an owner sees of an audit: the verdict so far, its interval after every answer, the people and their answers."""

from dataclasses import dataclass
from typing import Any

from justesse.report.writing import message
from justesse.verbs.audit.agreement import expert_agreement
from justesse.verbs.audit.pooled_document import pair_verdict, rank_span
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.status_result import AuditStatus

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 8.0, 10.0, 34.0
MOST_POINTS = 400
MOST_PAIRS = 200
PARTS = ("incumbent", "candidate")


@dataclass(frozen=True)
class LookChart:
    """The difference and its interval after each answer, as points of a drawing."""

    band: str
    line: str
    zero: float
    marks: tuple[tuple[float, str], ...]
    ends: tuple[tuple[float, str], ...]
    alt: str


def look_chart(status: AuditStatus) -> LookChart | None:
    """Lay out the confidence sequence; `None` before the first answer."""
    looks = status.drawn_looks()
    if len(looks) < 2:
        return None
    step = max(1, len(looks) // MOST_POINTS)
    kept = [*looks[:-1:step], looks[-1]]
    low, high = min(0.0, *(look[2] for look in kept)), max(0.0, *(look[3] for look in kept))
    span = (high - low) or 1.0

    def x(answers: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * answers / looks[-1][0]

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / span

    above = [f"{x(look[0]):.1f},{y(look[3]):.1f}" for look in kept]
    below = [f"{x(look[0]):.1f},{y(look[2]):.1f}" for look in reversed(kept)]
    values = sorted({low, 0.0, high})
    written = "{value:signed}" if status.audit.compares_costs else "{value:points}"
    # labels that would overlap are left out; zero stays
    marks = [value for value in values if value == 0 or abs(y(value) - y(0)) > 20]
    return LookChart(
        band=" ".join([*above, *below]),
        line=" ".join(f"{x(look[0]):.1f},{y(look[1]):.1f}" for look in kept),
        zero=y(0.0),
        marks=tuple(
            (y(value), str(message(written, value=value)).replace(" points", "") if value else "0") for value in marks
        ),
        ends=((x(0), "0"), (x(looks[-1][0]), str(message("{n:count answer}", n=looks[-1][0])))),
        alt=status.difference_words(status.audit.state.finding),
    )


def owner_view(status: AuditStatus | PooledStatus) -> dict[str, Any]:
    """Collect what the page of an owner shows, of an audit of two classifiers or of several."""
    audit, state = status.audit, status.audit.state
    own = _of_pool(status) if isinstance(status, PooledStatus) else _of_two(status)
    return own | {
        "title": status.title,
        "decision": status.decision,
        "headline": status.headline,
        "answered": state.answered,
        "waiting": state.waiting,
        "stopped": bool(state.stop),
        "paused": audit.paused,
        "agreement": expert_agreement(audit),
        "instructions": audit.instructions,
    }


def _of_two(status: AuditStatus) -> dict[str, Any]:
    audit, difference = status.audit, status.audit.state.finding.difference
    return {
        "names": message("{candidate} against {incumbent}", **{part: audit.about[part] for part in PARTS}),
        "figure": {
            "name": audit.plan.difference,
            "value": str(message(f"{{value:{status.value_kind}}}", value=difference)),
            "interval": str(message(f"{{value:level_name}} {{value:{status.interval_kind}}}", value=difference)),
        },
        "most": audit.state.most,
        "expected": audit.state.expected_more,
        "chart": look_chart(status),
        "order": (),
        "pairs": (),
        "cautions": status.warnings,
        "history": status.history,
    }


def _order(status: PooledStatus) -> list[tuple[str, int, str]]:
    """List the classifiers as they seem to be, from the best down: name, tier and possible ranks."""
    tier_of = {name: at for at, tier in enumerate(status.tiers, 1) for name in tier}
    return [(name, tier_of[name], rank_span(best, worst)) for name, best, worst in status.standing]


def _pair_rows(status: PooledStatus) -> list[tuple[str, str, str, str, str]]:
    """List what is known of each pair, open ones first: both names, which is better, difference and bounds."""
    ordered = sorted(status.pairs, key=lambda pair: pair.verdict != "open")
    return [
        (
            pair.first,
            pair.second,
            pair_verdict(pair),
            str(message("{value:points}", value=pair.difference)).replace(" points", ""),
            str(message("{value:points_interval}", value=pair.difference)),
        )
        for pair in ordered[:MOST_PAIRS]
    ]


def _of_pool(status: PooledStatus) -> dict[str, Any]:
    pairs = {"settled": status.settled_pairs, "n": len(status.pairs)}
    return {
        "names": message("{names:and}", names=status.audit.models),
        "figure": {
            "name": "pairs settled",
            "value": str(message("{settled:count}", **pairs)),
            "interval": str(message("of {n:count pair}", **pairs)),
        },
        "most": min(status.audit.plan.budget, len(status.audit.disputes)),
        "expected": status.expected_more,
        "chart": None,
        "order": _order(status),
        "pairs": _pair_rows(status),
        "cautions": list(map(str, status.document().cautions)),
        "history": [],
    }
