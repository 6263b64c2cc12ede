"""The section of an evaluation that lists pass@k and the majority of k samples."""

from typing import TYPE_CHECKING, Any

from justesse.report.document import Column, Part, Section, Table, Words
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Evaluation


def samples_section(result: "Evaluation", level: str) -> list[Section]:
    """List pass@k and the majority of k samples."""
    if not result.samples:
        return []
    head: list[str | Column] = [
        "measure",
        Column("value", "value"),
        Column(level, "interval"),
        Column("method", drop=1),
    ]
    rows: list[list[Any]] = []
    parts: list[Part] = []
    for item in result.samples:
        own = item.estimate
        rows.append([item.title, own, own, own.interval.method if own.interval else "–"])
        if own.undefined:
            parts.append(Words([message("{title} is undefined: {reason}.", title=item.title, reason=own.undefined)]))
    note = message(
        "pass@k: chance that at least one of k samples of a question is right. majority@k: chance that more than half are. "
        "Means over {n:count} questions, each counts alike.",
        n=round(result.samples[0].estimate.n),
    )
    return [Section("samples", "Several samples of a question", [Table("k samples of each question", head, rows, note), *parts], "headline")]  # fmt: skip
