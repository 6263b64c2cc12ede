"""What wrong labels could do, in words and rows."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate
from justesse.core.shares import percent_down
from justesse.intervals.estimate import Confidence
from justesse.noise.bounds import Bounds
from justesse.noise.breakdown import Breakdown
from justesse.verbs.words import level_words

if TYPE_CHECKING:
    from justesse.verbs.label_noise import Key, LabelNoiseReport

SHORT = {
    "only the noise rate is known": "rate",
    "only the transition table is known": "table",
    "wrong labels have nothing to do with being right": "unrelated",
    "labels are independent of predictions once the true class is known": "inverted",
    "a random sample was re-checked": "re-checked",
}
OUTER = "* wider than need be or, of a table that was counted on other rows, not for sure but at the same level"


def breakdown_sentence(noise: "LabelNoiseReport") -> str:
    """Say how many wrong labels the claim survives."""
    return breakdown_words(noise.breakdown, default=noise.known.claim is None)


def breakdown_words(found: Breakdown, *, default: bool) -> str:
    """Say it of one claim; `default` if nobody claimed it."""
    claim = str(found.claim)
    if not found.claim_holds:
        return f"The claim {claim} is false with the labels as they are, so no wrong label is needed to break it."
    if found.rate is None or found.count is None:
        return f"No wrong labels could break the claim {claim}."
    means = " (better than always answering the most frequent label)" if default else ""
    if found.count == 1:
        return f"One wrong label, if it is the wrong one, could break the claim {claim}{means}."
    survived = percent_down((found.count - 1) / found.n)
    enough = f"{found.count:,} of {found.n:,} could break it"
    return f"The claim {claim}{means} survives up to {survived} wrong labels, whichever they are; {enough}."


def corrected_table(noise: "LabelNoiseReport") -> tuple[list[str], list[list[str]]]:
    """Lay out what each rung says of each measure: heads, and a row per measure; no rows if no rung was climbed."""
    heads = ["measure", "measured"]
    columns: list[Mapping[Key, str]] = []
    if noise.biases:
        heads += ["true", "bias"]
        columns += [
            {_key(one): _number(one.true) for one in noise.biases},
            {_key(one): _number(one.bias, "+") for one in noise.biases},
        ]
    for rung in noise.rungs:
        heads.append(f"({rung.letter}) {SHORT[rung.name]}")
        shown: Callable[[Any], str] = _bounds if rung.letter == "d" else partial(_estimate, confidence=noise.confidence)
        columns.append({_key(one): shown(one) for one in rung.found})
    if not columns:
        return heads, []
    rows = []
    for key in noise.keys:
        title = Estimate(key[0], 0.0, 0, class_name=key[1], average=key[2]).title
        measured = _number(noise.measured[key].value) if key in noise.measured else "undefined"
        rows.append([title, measured, *(column.get(key, "") for column in columns)])
    return heads, rows


def corrected_note(noise: "LabelNoiseReport", rows: Sequence[Sequence[str]]) -> str:
    """Say what stands in the cells of that table."""
    cells = [cell for row in rows for cell in row[2:]]
    said = [f"In brackets: {level_words(noise.confidence)}"] if any("(" in cell for cell in cells) else []
    said += [OUTER] if any(cell.endswith("*") for cell in cells) else []
    return "".join(f"{one}. " for one in said).strip()


def noise_lines(noise: "LabelNoiseReport") -> list[str]:
    """Say in a few lines how much the claim survives, and what each rung makes of the accuracy."""
    heads, rows = corrected_table(noise)
    cells = next((row for row in rows if row[0] == "accuracy"), [])
    return [breakdown_sentence(noise), *(f"accuracy, {h}: {c}" for h, c in zip(heads[1:], cells[1:], strict=False))]


def rung_rows(noise: "LabelNoiseReport") -> list[list[str]]:
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


def _key(found: Any) -> "Key":
    return found.name, found.class_name, found.average


def _number(value: float, sign: str = "") -> str:
    return "undefined" if math.isnan(value) else f"{value:{sign}.4f}"


def _bounds(found: Bounds) -> str:
    if math.isnan(found.low):
        return "undefined"
    return f"{found.low:.3f}–{found.high:.3f}{'' if found.sharp else '*'}"


def _estimate(found: Estimate, confidence: Confidence) -> str:
    ends = ""
    if found.interval:
        low, high = f"{found.interval.low:.3f}", f"{found.interval.high:.3f}"
        ends = {"two-sided": f" ({low}–{high})", "greater": f" (≥ {low})", "less": f" (≤ {high})"}[
            confidence.alternative
        ]
    return f"{_number(found.value)}{ends}"
