"""pass@k and the majority of k samples, as a section."""

from typing import TYPE_CHECKING, Any

from justesse.report.document import Column, Section, Table
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Evaluation


def samples_section(result: "Evaluation", level: str) -> list[Section]:
    """List pass@k and the majority of k samples; nothing if they were not asked for."""
    if not result.samples:
        return []
    head: list[str | Column] = [
        "measure",
        Column("value", "value"),
        Column(level, "interval"),
        Column("method", drop=1),
    ]
    estimates = [(item.title, item.estimate) for item in result.samples]
    rows: list[list[Any]] = [
        [title, own, own, own.interval.method if own.interval else "–"] for title, own in estimates
    ]
    note = message(
        "pass@k: chance that at least one of k samples of a question is right. majority@k: chance that more than half are; "
        "a tie counts half. Means over {n:count} questions, each counts alike.",
        n=round(result.samples[0].estimate.n),
    )
    table = Table("k samples of each question", head, rows, note)
    return [Section("samples", "Several samples of a question", [table], "headline")]
