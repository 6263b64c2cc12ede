"""What `compare_folds` hands back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, TestResult, finite_or_none
from justesse.core.verdict import Decision, VerdictBreakdown
from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.significance.friedman import Friedman
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.nemenyi import Nemenyi
from justesse.significance.posterior import Posterior
from justesse.verbs.compare.comparison import ORDER
from justesse.verbs.compare.gates import Gate, passes
from justesse.verbs.compare_folds.answer import headline, title


@dataclass(frozen=True)
class FoldVerdict:
    """One candidate against the incumbent, over folds."""

    name: str
    decision: Decision
    incumbent: Estimate
    candidate: Estimate
    difference: Estimate
    margin: float
    alternative: Alternative
    outcome: TestResult
    posterior: Posterior | None
    equivalence: TestResult | None
    assumptions: tuple[str, ...]
    reason: str
    warnings: tuple[str, ...]

    @property
    def replaces(self) -> bool:
        return self.decision == "replace"

    @property
    def rank(self) -> tuple[int, float]:
        return ORDER[self.decision], self.difference.value

    def to_dict(self, incumbent: str) -> dict[str, Any]:
        interval = self.difference.interval

        def figures(name: str, estimate: Estimate) -> dict[str, Any]:
            fields = estimate.to_dict()
            return {"name": name, **{key: fields[key] for key in ("value", "n", "interval", "undefined")}}

        return {
            "verdict": self.decision,
            "judge": "folds",
            "measure": self.difference.name.removesuffix(" difference"),
            "incumbent": figures(incumbent, self.incumbent),
            "candidate": figures(self.name, self.candidate),
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
            "undefined": self.difference.undefined,
            "margin": self.margin,
            "alternative": self.alternative,
            "n": int(self.difference.n),
            "disagreement": None,
            "pvalue": finite_or_none(self.outcome.pvalue),
            "test": self.outcome.test,
            "breakdown_rate": VerdictBreakdown(None, None, "fold scores do not show the labels").to_dict(),
            "needed_n": None,
            "assumptions": list(self.assumptions),
            "reason": self.reason,
            "warnings": list(self.warnings),
            "posterior": self.posterior.to_dict() if self.posterior else None,
            "equivalence": self.equivalence.to_dict() if self.equivalence else None,
        }


def _headline(verdict: FoldVerdict, adjusted: float) -> dict[str, Any]:
    """Give the verdict that counts, as `compare` does with rows."""
    interval = verdict.difference.interval
    return {
        "which": "scores",
        "verdict": verdict.decision,
        "difference": finite_or_none(verdict.difference.value),
        "interval": interval.to_dict() if interval else None,
        "undefined": verdict.difference.undefined,
        "n": int(verdict.difference.n),
        "pvalue": finite_or_none(verdict.outcome.pvalue),
        "test": verdict.outcome.test,
        "adjusted_pvalue": finite_or_none(adjusted),
        "reason": verdict.reason,
    }


@dataclass(frozen=True, repr=False)
class FoldComparison(Result):
    """The verdict on each candidate from scores over folds, and tests over all of them."""

    verdicts: tuple[FoldVerdict, ...]
    adjusted_pvalues: tuple[float, ...]
    incumbent: str
    scores: dict[str, list[float]]
    measure: str
    lower_is_better: bool
    tried: int
    level: float
    seed: int
    source: Any
    warnings: tuple[str, ...]
    anova: TestResult | None = None
    friedman: Friedman | None = None
    nemenyi: Nemenyi | None = None

    @property
    def verdict(self) -> FoldVerdict:
        """The candidate to look at first."""
        return max(self.verdicts, key=lambda verdict: verdict.rank)

    @property
    def replaces(self) -> bool:
        return self.verdict.replaces

    def passes(self, gate: Gate = "better", *, robust: bool = False) -> bool:
        """Say whether the best candidate passes a gate: better, not-worse (than the margin) or none."""
        if robust:
            raise OptionError(
                "robust (--robust) is about wrong labels, but fold scores do not show the labels. Leave it out."
            )
        return passes(gate, self.verdict.decision, self.verdict.difference, self.verdict.margin)

    def __bool__(self) -> bool:
        raise TypeError("A comparison is neither true nor false. Use .replaces or .passes('not-worse').")

    @property
    def each_level(self) -> float:
        """The level of each interval, so that all hold together with `level`."""
        return simultaneous_level(self.level, self.tried)

    @property
    def title(self) -> str:
        """What to do."""
        return str(title(self))

    @property
    def headline(self) -> str:
        """The difference, and why it was decided so."""
        return str(headline(self))

    def to_dict(self) -> dict[str, Any]:
        compared = [
            {
                "headline": _headline(verdict, p),
                **verdict.to_dict(self.incumbent),
                "level": self.each_level,
                "adjusted_pvalue": finite_or_none(p),
                "seed": self.seed,
            }
            for verdict, p in zip(self.verdicts, self.adjusted_pvalues, strict=True)
        ]
        best = compared[self.verdicts.index(self.verdict)]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            **best,
            "warnings": list(self.warnings),
            "gates": {
                "better": self.passes(),
                "better_robust": None,
                "not_worse": self.passes("not-worse") if self.verdict.margin else None,
            },
            "tried": self.tried,
            "family_level": self.level,
            "lower_is_better": self.lower_is_better,
            "scores": self.scores,
            "anova": self.anova.to_dict() if self.anova else None,
            "friedman": self.friedman.to_dict() if self.friedman else None,
            "nemenyi": self.nemenyi.to_dict() if self.nemenyi else None,
            "comparisons": compared,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the candidates out as columns, one row each."""
        ends = [verdict.difference.interval for verdict in self.verdicts]
        return {
            "candidate": [verdict.name for verdict in self.verdicts],
            "verdict": [verdict.decision for verdict in self.verdicts],
            "incumbent_mean": [verdict.incumbent.value for verdict in self.verdicts],
            "candidate_mean": [verdict.candidate.value for verdict in self.verdicts],
            "difference": [verdict.difference.value for verdict in self.verdicts],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "test": [verdict.outcome.test for verdict in self.verdicts],
            "pvalue": [finite_or_none(verdict.outcome.pvalue) for verdict in self.verdicts],
            "adjusted_pvalue": [finite_or_none(p) for p in self.adjusted_pvalues],
        }

    @property
    def native(self) -> Any:
        return self.source

    def document(self) -> Document:
        from justesse.verbs.compare_folds.document import fold_document

        return fold_document(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse.verbs.compare_folds.pictures import fold_picture, fold_pictures

        return {name: partial(fold_picture, self, name) for name in fold_pictures(self)}

    def chart(self, name: str | None = None) -> Any:
        """Give an Altair chart: difference, pairs, boxes; critical_difference of three models on independent data sets."""
        from justesse.verbs.compare_folds.pictures import fold_picture

        return fold_picture(self, name or "difference")
