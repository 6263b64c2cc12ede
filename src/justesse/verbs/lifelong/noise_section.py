"""What wrong labels can do to scores over time, as a reader meets it."""

import math
from typing import TYPE_CHECKING, Any

from justesse.report.document import Column, Part, Section, Table, Text, Words
from justesse.report.writing import message, written

if TYPE_CHECKING:
    from justesse.verbs.lifelong.label_noise import NoiseOverTime
    from justesse.verbs.lifelong.result import LifelongScores


def noise_sections(result: "LifelongScores") -> list[Section]:
    """Describe bounds, claim and bias of every version, and bounds of forgetting; nothing if labels are not in doubt."""
    noise = result.label_noise
    if noise is None:
        return []
    parts: list[Part] = [Words(_lines(noise), listed=True), _versions(noise)]
    if noise.transfer:
        parts.append(_forgetting(noise))
    return [Section("wrong-labels", "If labels are wrong", parts, "headline")]


def _lines(noise: "NoiseOverTime") -> list[Text]:
    last = next((version for version in reversed(noise.versions) if version.n), None)
    if last is None:
        return []
    lines: list[Text] = []
    if noise.rate is not None:
        template = (
            "If {words}, the true error of version {name} lies between {low:share} and {high:share}. Both ends can be "
            "reached: the wrong labels may be where the policy weighs most."
        )
        lines.append(message(template, words=noise.words, name=last.version, low=last.low, high=last.high))
    if noise.claim is not None:
        templates = {
            (
                True,
                True,
            ): "The claim {claim} holds for version {name}: {count:count wrong label} ({rate:rough_share}) could "
            "make it false.",
            (True, False): "The claim {claim} holds for version {name}; no number of wrong labels could make it false.",
            (
                False,
                True,
            ): "The claim {claim} is false for version {name}: {count:count wrong label} ({rate:rough_share}) "
            "could make it true.",
            (
                False,
                False,
            ): "The claim {claim} is false for version {name}; no number of wrong labels could make it true.",
        }
        turned = last.turned_by
        template = templates[bool(last.claim_holds), turned is not None]
        rate = 0.0 if turned is None else turned / last.n
        lines.append(message(template, claim=str(noise.claim), name=last.version, count=turned or 0, rate=rate))
    if last.true is not None:
        template = (
            "By the true classes the error of version {name} is {value:share}: the labels shift it by {bias:points}, as "
            "{wrong:share} of them are wrong."
        )
        true = last.true
        lines.append(message(template, name=last.version, value=true.value, bias=true.bias, wrong=true.wrong_labels))
    return lines


def _versions(noise: "NoiseOverTime") -> Table:
    head: list[str | Column] = ["version", Column("error", "share")]
    if noise.rate is not None:
        head += [Column("lowest", "share"), Column("highest", "share")]
    if noise.claim is not None:
        head.append(Column("labels that turn the claim", "words"))
    if any(version.true for version in noise.versions):
        head += [Column("true error", "share"), Column("bias", "points"), Column("wrong labels", "share", 1)]
    rows: list[list[Any]] = []
    for version in noise.versions:
        row: list[Any] = [version.version, version.apparent]
        if noise.rate is not None:
            row += [version.low, version.high]
        if noise.claim is not None:
            row.append(_labels(version.turned_by) if version.n else "–")
        if any(other.true for other in noise.versions):
            true = version.true
            row += [true.value, true.bias, true.wrong_labels] if true else [math.nan] * 3
        rows.append(row)
    return Table("Error under the policy if labels are wrong", head, rows)


def _forgetting(noise: "NoiseOverTime") -> Table:
    head: list[str | Column] = [
        "figure", Column("by", "words"), Column("value", "value"), Column("lowest", "value"), Column("highest", "value"),
        Column("labels that turn its sign", "words", 1),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            result.name,
            result.source,
            result.apparent,
            result.low,
            result.high,
            _labels(result.turned_by) if result.signed else "–",
        ]
        for result in noise.transfer
    ]
    note = "Bounds of accuracy figures; every item has one label for all versions."
    if not noise.shared:
        note = "The rows have no ids: each label may be wrong on its own, so the bounds are wider than with ids (--on)."
    if not all(result.sharp for result in noise.transfer):
        note += " With so many items, the bounds of the fall from the best version may not be reached."
    return Table("Forgetting and transfer if labels are wrong", head, rows, note, most=len(rows))


def _labels(count: int | None) -> str:
    return "none could" if count is None else written("count", count)
