"""Every candidate against the incumbent, as a section, if there are several."""

from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.shares import percent_of
from justesse.noise.survives import survived
from justesse.report.document import Column, Figure, Part, Section, Table, Words
from justesse.report.writing import message
from justesse.verbs.compare.pictures import names_of

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Comparison


def candidates_section(result: "Comparison") -> list[Section]:
    """Give the verdict on each candidate, and how many wrong labels it survives; nothing for a single one."""
    if len(result.judged) == 1:
        return []
    shows_labels = bool(result.best.by_labels)
    survives = "Survives: wrong labels that cannot change the sign, or the choice to replace or not."
    if shows_labels:
        survives = "Survives: wrong labels that cannot change the sign, or the choice to replace or not, by the labels."
    head: list[str | Column] = ["candidate", Column("verdict", "decision")]
    head += [Column("by the labels", "decision")] if shows_labels else []
    head += [
        Column(result.verdict.title, "value", 3), Column("difference", "difference"),
        Column(level_name(result.rule.level, result.rule.alternative), "difference_interval"), Column("p (Holm)", "pvalue"),
        Column("sign survives", drop=2), Column("verdict survives", drop=1, note=survives),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for item in sorted(result.judged, key=lambda item: item.rank, reverse=True):
        verdict, labels = item.decisive, item.verdict
        rows.append([
            item.name, verdict.decision, *([labels.decision] if shows_labels else []),
            verdict.candidate, verdict.difference, verdict.difference, item.decisive_pvalue,
            _survived(labels.breakdown.sign, labels.disagreement.n),
            _survived(labels.breakdown.verdict, labels.disagreement.n, proven=not labels.breakdown.unknown),
        ])  # fmt: skip
    note = message(
        "{tried} candidates were tried; the intervals hold for all of them together with {level:level}.",
        tried=result.tried,
        level=result.level,
    )
    caption = message("Each candidate against {incumbent}", incumbent=result.incumbent)
    parts: list[Part] = [
        Table(str(caption), head, rows, note),
        Words([message("The other sections are about {best}.", best=result.best.name)]),
    ]
    if "verdicts" in names_of(result):
        parts.insert(0, Figure(partial(result.chart, "verdicts")))
    return [Section("candidates", "All candidates", parts, "headline")]


def _survived(rate: float | None, n: int, *, proven: bool = True) -> str | None:
    """Write the largest share of wrong labels that cannot overturn: one row fewer than the smallest that can.

    Where the smallest is not proven, it survives less than what was found to overturn it.
    """
    if rate is None:
        return None
    return survived(round(rate * n), n) if proven else f"below {percent_of(round(rate * n), n)}"
