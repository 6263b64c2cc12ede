"""What wrong labels could do, in words and rows."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, Interval
from justesse.judges.words import percent_down
from justesse.noise.breakdown import Breakdown

if TYPE_CHECKING:
    from justesse.verbs.if_wrong import IfWrong

SHOWN = 60


def breakdown_sentence(noise: "IfWrong") -> str:
    """Say how many wrong labels the claim survives."""
    return breakdown_words(noise.breakdown, default=noise.known.claim is None)


def breakdown_words(found: Breakdown, *, default: bool) -> str:
    """Say it of one claim; `default` if nobody claimed it."""
    claim = str(found.claim)
    if not found.claim_holds:
        return f"The claim {claim} is false with the labels as they are, so no wrong label is needed to break it."
    if found.rate is None or found.count is None:
        return f"No wrong labels could break the claim {claim}."
    survived = found.count - 1
    up_to = f"up to {percent_down(survived / found.n)}" if survived else "not even one"
    means = " (better than always answering the most frequent label)" if default else ""
    enough = f"{found.count:,} of {found.n:,} could break it"
    return f"The claim {claim}{means} survives {up_to} wrong labels, whichever they are; {enough}."


def corrected_rows(noise: "IfWrong") -> list[list[str]]:
    """List what each rung says of each measure: measured, assumption, value, interval or bounds."""
    rows = []
    for measure in noise.to_dict()["measures"][:SHOWN]:
        key = (measure["name"], measure["class"], measure["average"])
        title = Estimate(key[0], 0.0, 0, class_name=key[1], average=key[2]).title
        apparent = "undefined" if measure["apparent"] is None else f"{measure['apparent']:.4f}"
        if measure["bias"] and measure["bias"]["bias"] is not None:
            true, moved = measure["bias"]["true"], measure["bias"]["bias"]
            rows.append([title, apparent, "the true classes are known", f"{true:.4f}", f"bias {moved:+.4f}"])
        for bounds in (one for one in noise.bounds if (one.name, one.class_name, one.average) == key):
            kind = "for these rows" if bounds.sharp else "at the widest"
            ends = "undefined" if math.isnan(bounds.low) else f"{bounds.low:.4f} to {bounds.high:.4f} {kind}"
            rows.append([title, apparent, bounds.assumption, "", ends])
        for rung, one in noise.corrected(key):
            value = "undefined" if math.isnan(one.value) else f"{one.value:.4f}"
            rows.append([title, apparent, f"({rung.letter}) {rung.name}", value, _ends(one.interval, one.undefined)])
    return rows


def noise_lines(noise: "IfWrong") -> list[str]:
    """Say in a few lines how much the claim survives, and what each rung makes of the accuracy."""
    rows = [row for row in corrected_rows(noise) if row[0] == "accuracy"]
    return [breakdown_sentence(noise), *(" ".join(f"Accuracy if {row[2]}: {row[3]} {row[4]}".split()) for row in rows)]


def rung_rows(noise: "IfWrong") -> list[list[str]]:
    """List what each rung takes for granted, and when that fails."""
    return [[f"({rung.letter}) {rung.name}", "; ".join(rung.assumptions), rung.fails_when] for rung in noise.rungs]


def table_of(found: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Lay a list of objects out as columns; an interval becomes its two ends, classes text.

    >>> table_of([{"name": "a", "class": 1, "interval": {"low": 0.1, "high": 0.2, "level": 0.95, "method": "wilson"}}])
    {'name': ['a'], 'class': ['1'], 'low': [0.1], 'high': [0.2]}
    """
    flat = []
    for one in found:
        row = dict(one)
        if "interval" in row:
            interval = row.pop("interval") or {"low": None, "high": None}
            row |= {"low": interval["low"], "high": interval["high"]}
        if row.get("class") is not None:
            row["class"] = str(row["class"])
        flat.append(row)
    names = list(dict.fromkeys(name for row in flat for name in row))
    return {name: [row.get(name) for row in flat] for name in names}


def _ends(interval: Interval | None, reason: str | None) -> str:
    if interval is None:
        return reason or "–"
    return f"{interval.low:.4f} to {interval.high:.4f} ({100 * interval.level:g} %)"
