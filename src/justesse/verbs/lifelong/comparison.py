"""Two systems under one policy, as `justesse lifelong compare` gives them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from justesse.core.choices import Gate, LifelongConvention
from justesse.core.results import ClassName, Estimate
from justesse.core.verdict import Decision, decide
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_breakdown import PolicyBreakdown
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.compare.gates import passes
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS
from justesse.verbs.lifelong.cautions import few_blocks, in_utc, missing_at_random, no_classes, single_times
from justesse.verbs.lifelong.comparison_gaps import UnlabelledPairs
from justesse.verbs.lifelong.comparison_noise import ComparisonNoise
from justesse.verbs.lifelong.leakage import Leakage


@dataclass(frozen=True)
class PeriodDifference:
    """One period: its weight, the accuracy of the candidate minus that of the incumbent, and the number of items."""

    name: str
    weight: float
    difference: float
    n: int


@dataclass(frozen=True, repr=False)
class LifelongComparison(Result):
    """The difference of two systems under a policy, what would turn it, and how many wrong labels would."""

    difference: Estimate
    margin: float
    versions: tuple[str, str]
    periods: tuple[PeriodDifference, ...]
    policy: Policy
    convention: LifelongConvention
    breakdown: PolicyBreakdown
    flips: tuple[float, ...]
    change: tuple[str, float] | None
    leanings: tuple[tuple[float, float, float, float], ...]
    on: str
    sources: tuple[Any, Any] = field(default=(None, None), repr=False)
    label_noise: ComparisonNoise | None = None
    unmatched: int = 0
    alone: int = 0
    few: int = 0
    leakage: tuple[Leakage | None, Leakage | None] = (None, None)
    missing_labels: UnlabelledPairs | None = None
    no_label: int = 0
    zoned: bool = False
    others: tuple[tuple[str, ClassName, int], ...] = ()

    @property
    def decision(self) -> Decision:
        """Replace, keep, equivalent or cannot tell."""
        interval = self.difference.interval
        assert interval is not None
        decided: Decision = str(decide(interval.low, interval.high, self.margin))  # type: ignore[assignment]
        return decided

    def passes(self, gate: Gate = "better") -> bool:
        """Say whether a pipeline may go on: better, not-worse (than the margin) or none (always)."""
        return passes(gate, self.decision, self.difference, self.margin)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        lines = [line for leak in self.leakage if leak for line in leak.warnings]
        for side in ("incumbent", "candidate"):
            lines += no_classes([(name, n) for axis, name, n in self.others if axis == side], f"the {side}")
        lines += missing_at_random(self.no_label)
        lines += self.missing_labels.warnings if self.missing_labels else []
        if self.versions[0] != self.versions[1]:
            lines.append(
                str(
                    message(
                        "Version {first} of the incumbent is compared with version {second} of the candidate. Name a version "
                        "of both (--at).",
                        first=self.versions[0],
                        second=self.versions[1],
                    )
                )
            )
        noise = self.label_noise
        if noise is not None and noise.low < 0 < noise.high:
            lines.append(
                str(
                    message(
                        "If {words}, the true difference lies between {low:points} and {high:points}: either system may be "
                        "better.",
                        words=noise.words,
                        low=noise.low,
                        high=noise.high,
                    )
                )
            )
        if self.unmatched:
            template = "{n:count item} that only one system answered {n:plural is|are} left out."
            lines.append(str(message(template, n=self.unmatched)))
        lines += single_times(self.alone, len(self.periods))
        lines += few_blocks(self.few, len(self.periods))
        lines += in_utc(self.zoned)
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "decision": self.decision,
            "difference": self.difference.to_dict(),
            "margin": self.margin,
            "versions": {"incumbent": self.versions[0], "candidate": self.versions[1]},
            "policy": {
                "name": self.policy.name,
                "length": self.policy.length,
                "half_life": self.policy.half_life,
                "convention": self.convention,
                "words": self.policy.words,
                "weights": {period.name: period.weight for period in self.periods},
            },
            "periods": [
                {"name": period.name, "weight": period.weight, "difference": period.difference, "n": period.n}
                for period in self.periods
            ],
            "breakdown": {"count": self.breakdown.count, "rate": self.breakdown.rate, "n": self.breakdown.n},
            "flips": list(self.flips),
            "smallest_change": None if self.change is None else {"period": self.change[0], "factor": self.change[1]},
            "leanings": [list(row) for row in self.leanings],
            "label_noise": self.label_noise.to_dict() if self.label_noise else None,
            "missing_labels": self.missing_labels.to_dict() if self.missing_labels else None,
            "unmatched": self.unmatched,
            "leakage": {
                side: leak.to_dict() if leak else None
                for side, leak in zip(("incumbent", "candidate"), self.leakage, strict=True)
            },
            "columns": {"on": self.on},
            "warnings": list(self.warnings),
            "assumptions": list(ASSUMPTIONS),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        return {
            "period": [period.name for period in self.periods],
            "weight": [period.weight for period in self.periods],
            "difference": [period.difference for period in self.periods],
            "n": [period.n for period in self.periods],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        made: dict[str, Callable[[], Any]] = {}
        if len(self.periods) > 1:
            made["leanings"] = partial(charts.policy_leaning_chart, self.leanings, self.flips)
        return made

    def document(self) -> Document:
        from justesse.verbs.lifelong.comparison_document import comparison_document

        return comparison_document(self)
