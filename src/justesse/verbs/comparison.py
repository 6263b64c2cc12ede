"""What `compare` hands back."""

import html
import math
import os
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from justesse.core.case import Case
from justesse.core.results import Estimate, finite_or_none
from justesse.core.verdict import Verdict
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.judges.evidence import Rule
from justesse.judges.words import banner, title
from justesse.verbs.difference_if_wrong import DifferenceIfWrong
from justesse.verbs.differences import Beside

ORDER = {"replace": 3, "equivalent": 2, "cannot_tell": 1, "keep": 0}


def number(value: float, sign: str = "") -> str:
    """Show a value, or that there is none."""
    return "undefined" if math.isnan(value) else f"{value:{sign}.4f}"


@dataclass(frozen=True)
class Judged:
    """One candidate: its verdict and what lies beside it."""

    name: str
    case: Case
    verdict: Verdict
    truth: Verdict | None
    measures: tuple[Beside, ...]
    classes: tuple[Beside, ...]
    slices: tuple[Beside, ...]
    dropped: int = 0
    unmatched: dict[Any, int] = field(default_factory=dict)
    noise: DifferenceIfWrong | None = None
    adjusted_pvalue: float = math.nan
    luck: float | None = None

    @property
    def rank(self) -> tuple[int, float]:
        """How good a candidate it is: by its verdict, then by its difference."""
        value = self.verdict.difference.value
        return ORDER[self.verdict.decision], value if value == value else -math.inf

    def to_dict(self, incumbent: str) -> dict[str, Any]:
        found = self.verdict.to_dict()
        found["incumbent"] = {"name": incumbent, **found["incumbent"]}
        found["candidate"] = {"name": self.name, **found["candidate"]}
        return {
            **found,
            "adjusted_pvalue": finite_or_none(self.adjusted_pvalue),
            "luck": self.luck,
            "classes": list(self.case.tally.classes),
            "counts": self.case.tally.marginal("label", "incumbent", "candidate").cells(),
            "measures": [one.to_dict() for one in self.measures],
            "per_class": [one.to_dict() for one in self.classes],
            "by": [one.to_dict() for one in self.slices],
            "true": self.truth.to_dict() if self.truth else None,
            "noise": self.noise.to_dict() if self.noise else None,
            "dropped": self.dropped,
            "unmatched": self.unmatched or None,
        }


@dataclass(frozen=True, repr=False)
class Comparison:
    """The verdict on each candidate, the evidence, and what would change it.

    `verdict` is that of the best candidate, `judged` has all; `to_dict()` is exactly the `--json`, `replaces` what the
    command's exit code says.
    """

    judged: tuple[Judged, ...]
    incumbent: str
    tried: int
    level: float
    rule: Rule
    sources: tuple[str, ...]
    on: str | None
    warnings: tuple[str, ...]

    @property
    def best(self) -> Judged:
        """The candidate to look at first."""
        return max(self.judged, key=lambda one: one.rank)

    @property
    def verdict(self) -> Verdict:
        return self.best.verdict

    @property
    def noise(self) -> DifferenceIfWrong | None:
        """What wrong labels could do to the difference of the best candidate."""
        return self.best.noise

    @property
    def replaces(self) -> bool:
        return self.verdict.replaces

    @property
    def title(self) -> str:
        """What to do."""
        if len(self.judged) == 1:
            return title(self.verdict)
        better = [one.name for one in self.judged if one.verdict.replaces]
        if not better:
            return f"None of the {len(self.judged)} candidates should replace the incumbent."
        others = f" ({len(better)} of {len(self.judged)} candidates are better than it)" if len(better) > 1 else ""
        return f"Replace the incumbent by {self.best.name}{others}."

    @property
    def headline(self) -> str:
        """What was found, what was decided and why, and what would change it."""
        said = banner(self.verdict)
        return said if len(self.judged) == 1 else f"{self.best.name}: {said}"

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints: the best candidate's object, then all of them."""
        best = self.best.to_dict(self.incumbent)
        warnings = [*best["warnings"], *self.warnings]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            **best,
            "warnings": warnings,
            "tried": self.tried,
            "family_level": self.level,
            "comparisons": [one.to_dict(self.incumbent) for one in self.judged],
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the candidates out as columns, one row each."""
        verdicts = [one.verdict for one in self.judged]
        ends = [one.difference.interval for one in verdicts]
        return {
            "candidate": [one.name for one in self.judged],
            "verdict": [one.decision for one in verdicts],
            "measure": [one.measure for one in verdicts],
            "incumbent_value": [finite_or_none(one.incumbent.value) for one in verdicts],
            "candidate_value": [finite_or_none(one.candidate.value) for one in verdicts],
            "difference": [finite_or_none(one.difference.value) for one in verdicts],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "level": [one.level for one in verdicts],
            "pvalue": [finite_or_none(one.outcome.pvalue) for one in verdicts],
            "adjusted_pvalue": [finite_or_none(one.adjusted_pvalue) for one in self.judged],
            **{
                name: [one.disagreement.to_dict()[name] for one in verdicts]
                for name in verdicts[0].disagreement.to_dict()
            },
            "breakdown_sign": [one.breakdown.sign for one in verdicts],
            "breakdown_verdict": [one.breakdown.verdict for one in verdicts],
            "needed_n": [one.needed_n for one in verdicts],
        }

    def to_frame(self) -> Any:
        """Give one row per candidate, as an Arrow table."""
        return native_frame(self.to_columns(), like=None)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write one row per candidate: csv or parquet, by the ending."""
        return write_table(self.to_columns(), Path(path))

    def report(self, path: str | os.PathLike[str], *, interactive: bool = False, command: str | None = None) -> Path:
        """Write a page that opens offline."""
        from justesse.verbs.comparison_page import write_page

        return write_page(self, Path(path), interactive=interactive, command=command)

    def chart(self, name: str = "difference") -> Any:
        """Give an Altair chart: difference, disagreement, classes, slices, verdicts; with scores roc and others."""
        from justesse.verbs.comparison_pictures import picture

        return picture(self, name)

    def charts(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every chart as SVG and PNG."""
        from justesse.report.chart_files import write_charts
        from justesse.verbs.comparison_pictures import names_of

        return write_charts({name: self.chart(name) for name in names_of(self)}, Path(folder))

    def differences(self) -> list[tuple[str, Estimate]]:
        """Name the difference of each candidate, for a chart."""
        return [(one.name, one.verdict.difference) for one in self.judged]

    def __repr__(self) -> str:
        rows = [("measure", self.incumbent, self.best.name, "difference", f"{100 * self.level:g} % interval")]
        rows += [
            (
                one.title,
                number(one.incumbent),
                number(one.candidate),
                number(one.difference.value, "+"),
                str(one.difference.interval or one.difference.undefined),
            )
            for one in self.best.measures
        ]
        wide = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
        table = ["  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip() for row in rows]
        notes = ["", *(f"! {warning}" for warning in self.warnings)] if self.warnings else []
        return "\n".join([self.title, *textwrap.wrap(self.headline, 110), "", *table, *notes])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(one.title)}</td><td>{number(one.incumbent)}</td><td>{number(one.candidate)}</td>"
            f"<td>{number(one.difference.value, '+')}</td>"
            f"<td>{html.escape(str(one.difference.interval or '–'))}</td></tr>"
            for one in self.best.measures
        )
        heads = ("measure", self.incumbent, self.best.name, "difference", f"{100 * self.level:g} % interval")
        head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
        notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.warnings)
        return (
            f"<p><b>{html.escape(self.title)}</b> {html.escape(self.headline)}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            + (f"<ul>{notes}</ul>" if notes else "")
        )
