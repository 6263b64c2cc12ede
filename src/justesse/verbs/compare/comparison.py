"""What `compare` hands back."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from justesse.core.answer_policy import NO_GAPS, Gaps
from justesse.core.case import Case
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.true_sets import wrong_label_share
from justesse.core.verdict import Verdict
from justesse.core.version import SCHEMA, __version__
from justesse.frames.logs.log_facts import LogFacts
from justesse.intervals.cluster_summary import ClusterSummary
from justesse.judges import judge_named
from justesse.judges.evidence import Rule
from justesse.judges.measure_differences import MeasureDifference
from justesse.noise.difference_noise_report import DifferenceNoiseReport
from justesse.noise.plausible_noise import USUAL, is_fragile
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.compare.answer import by_labels, headline, title
from justesse.verbs.compare.gates import Gate, gates, passes
from justesse.verbs.unanswered import UnansweredInPair

if TYPE_CHECKING:
    from justesse.noise.leaderboard import Leaderboard

ORDER = {"replace": 3, "equivalent": 2, "cannot_tell": 1, "keep": 0}


@dataclass(frozen=True)
class Judged:
    """One candidate: the verdict on the labels, the one on the true classes if they are known, and more beside them.

    `decisive` is the verdict that counts: the one on the true classes where they are known.
    """

    name: str
    case: Case
    verdict: Verdict
    truth: Verdict | None
    measures: tuple[MeasureDifference, ...]
    classes: tuple[MeasureDifference, ...]
    slices: tuple[MeasureDifference, ...]
    gaps: Gaps = NO_GAPS
    unanswered: UnansweredInPair | None = None
    left_out: tuple[ClassName, ...] = ()  # of an average, because one of the two has no value there
    unmatched: dict[Any, int] = field(default_factory=dict)
    noise: DifferenceNoiseReport | None = None
    adjusted_pvalue: float = math.nan
    luck: float | None = None
    truth_measures: tuple[MeasureDifference, ...] = ()
    decisive_pvalue: float = math.nan  # of the decisive verdict, adjusted for the number of candidates
    clusters: ClusterSummary | None = None  # by which difference rows of one cluster are alike

    @property
    def on_truth(self) -> bool:
        """Whether the judge's own verdict is about the true classes."""
        return judge_named(self.verdict.judge).on_truth

    @property
    def decisive(self) -> Verdict:
        """The verdict that counts."""
        return self.verdict if self.truth is None or self.on_truth else self.truth

    @property
    def which(self) -> Literal["true", "labels"]:
        """What the decisive verdict is about."""
        return "labels" if self.truth is None and not self.on_truth else "true"

    @property
    def by_labels(self) -> Verdict | None:
        """The verdict on the labels, if another one counts."""
        return None if self.decisive is self.verdict else self.verdict

    @property
    def wrong_labels(self) -> float:
        """The share of labels that are not the true class, or share no class with it; NaN where it is unknown."""
        return wrong_label_share(self.case.tally)

    @property
    def rank(self) -> tuple[int, float]:
        """How good a candidate it is: by its decisive verdict, then by its difference."""
        return ORDER[self.decisive.decision], self.gain

    @property
    def gain(self) -> float:
        """The difference of the decisive verdict, as a rank: minus infinity where it is undefined."""
        value = self.decisive.difference.value
        return -math.inf if math.isnan(value) else value

    @property
    def headline(self) -> dict[str, Any]:
        """The verdict that counts, for JSON."""
        written = self.decisive.to_dict()
        kept = ("verdict", "difference", "interval", "undefined", "n", "pvalue", "test")
        return {
            "which": self.which,
            **{key: written[key] for key in kept},
            "adjusted_pvalue": finite_or_none(self.decisive_pvalue),
            "reason": written["reason"],
        }

    def to_dict(self, incumbent: str, cluster: str | None = None) -> dict[str, Any]:
        result = self.verdict.to_dict()
        result["incumbent"] = {"name": incumbent, **result["incumbent"]}
        result["candidate"] = {"name": self.name, **result["candidate"]}
        truth = None
        if self.truth:
            truth = {
                **self.truth.to_dict(),
                "measures": [truth_measure.to_dict() for truth_measure in self.truth_measures],
            }
        return {
            "headline": self.headline,
            **result,
            "adjusted_pvalue": finite_or_none(self.adjusted_pvalue),
            "luck": self.luck,
            "classes": list(self.case.tally.named_classes),
            "counts": self.case.tally.marginal("label", "incumbent", "candidate").cells(),
            "measures": [measure.to_dict() for measure in self.measures],
            "per_class": [class_name.to_dict() for class_name in self.classes],
            "by": [slice_.to_dict() for slice_ in self.slices],
            "true": truth,
            "noise": self.noise.to_dict() if self.noise else None,
            "dropped": self.gaps.dropped,
            "missing": {**self.gaps.missing_dict(), **(self.unanswered.to_dict() if self.unanswered else {})},
            "others": self.gaps.others_dict(),
            "unmatched": self.unmatched or None,
            **({"clusters": {"column": cluster, **self.clusters.to_dict()}} if self.clusters else {}),
        }


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """The verdict on each candidate, the evidence, and what would change it.

    `decisive` is the verdict on the best candidate: on the true classes where they are known, otherwise on the labels.
    `verdict` is the one on the labels, `judged` has all candidates; `to_dict()` is exactly the `--json`, `replaces` says
    whether the decisive verdict is to replace. `leaderboard` ranks several candidates and the incumbent, if rows were
    re-checked.
    """

    judged: tuple[Judged, ...]
    incumbent: str
    tried: int
    level: float
    rule: Rule
    sources: tuple[str, ...]
    on: str | None
    warnings: tuple[str, ...]
    plausible_noise: float = USUAL
    leaderboard: "Leaderboard | None" = None
    logs: tuple[LogFacts, ...] = ()
    cluster: str | None = None  # column of the clusters
    log_notes: tuple[str, ...] = ()  # how the runs differ, and what may be misread in them

    @property
    def fragile(self) -> bool | None:
        """Whether a plausible share of wrong labels could overturn the verdict; `None` if that is not known.

        Known true classes cannot be wrong.
        """
        if self.robustness_unknown:
            return None
        return self.best.which == "labels" and is_fragile(self.verdict, self.plausible_noise)

    @property
    def robustness_unknown(self) -> str | None:
        """Why it is not known how many wrong labels the verdict survives; `None` if it is known."""
        return self.verdict.breakdown.unknown if self.best.which == "labels" else None

    def passes(self, gate: Gate = "better", *, robust: bool = False) -> bool:
        """Say whether the best candidate passes a gate.

        `better`: the verdict is to replace. `not-worse`: the interval of the difference excludes a loss as large as the
        margin (non-inferiority), so that an equally good candidate passes. With `robust` a verdict that a plausible
        share of wrong labels could overturn does not pass, nor one for which that is not known: the breakdown rate is
        known for accuracy and error, and with the judge paired for cost.

        >>> from justesse import compare
        >>> result = compare(y_true=[1, 0] * 500, incumbent=[1, 0] * 500, candidate=[1, 0] * 500, margin=0.01)
        >>> result.passes("better"), result.passes("not-worse")
        (False, True)
        """
        return passes(
            gate, self.decisive.decision, self.decisive.difference, self.decisive.margin, robust, self.fragile
        )

    def __bool__(self) -> bool:
        raise TypeError("A comparison is neither true nor false. Use .replaces or .passes('not-worse').")

    @property
    def best(self) -> Judged:
        """The candidate to look at first."""
        return max(self.judged, key=lambda item: item.rank)

    @property
    def verdict(self) -> Verdict:
        """The judge's verdict, on the labels."""
        return self.best.verdict

    @property
    def decisive(self) -> Verdict:
        """The verdict that counts: on the true classes where they are known, otherwise on the labels."""
        return self.best.decisive

    @property
    def noise(self) -> DifferenceNoiseReport | None:
        """What wrong labels could do to the difference of the best candidate."""
        return self.best.noise

    @property
    def replaces(self) -> bool:
        return self.decisive.replaces

    @property
    def title(self) -> str:
        """What to do."""
        return str(title(self))

    @property
    def headline(self) -> str:
        """The difference, what was decided and why, and what would change it."""
        return str(headline(self))

    @property
    def by_labels(self) -> str | None:
        """The verdict on the labels in words, if the true classes are known and count instead."""
        words = by_labels(self)
        return None if words is None else str(words)

    def to_dict(self) -> dict[str, Any]:
        best = self.best.to_dict(self.incumbent, self.cluster)
        warnings = [*self.log_notes, *best["warnings"], *self.warnings]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            **best,
            "warnings": warnings,
            "plausible_noise": self.plausible_noise,
            "gates": gates(self.decisive.decision, self.decisive.difference, self.decisive.margin, self.fragile),
            "tried": self.tried,
            "family_level": self.level,
            "comparisons": [item.to_dict(self.incumbent, self.cluster) for item in self.judged],
            "leaderboard": self.leaderboard.to_dict() if self.leaderboard else None,
            **({"logs": [log.to_dict() for log in self.logs]} if self.logs else {}),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the candidates out as columns, one row each."""
        verdicts = [item.verdict for item in self.judged]
        ends = [verdict.difference.interval for verdict in verdicts]
        return {
            "candidate": [item.name for item in self.judged],
            "headline": [item.decisive.decision for item in self.judged],
            "verdict": [verdict.decision for verdict in verdicts],
            "true_verdict": [item.truth.decision if item.truth else None for item in self.judged],
            "measure": [verdict.measure for verdict in verdicts],
            "incumbent_value": [finite_or_none(verdict.incumbent.value) for verdict in verdicts],
            "candidate_value": [finite_or_none(verdict.candidate.value) for verdict in verdicts],
            "difference": [finite_or_none(verdict.difference.value) for verdict in verdicts],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "level": [verdict.level for verdict in verdicts],
            "pvalue": [finite_or_none(verdict.outcome.pvalue) for verdict in verdicts],
            "adjusted_pvalue": [finite_or_none(item.adjusted_pvalue) for item in self.judged],
            **{
                name: [verdict.disagreement.to_dict()[name] for verdict in verdicts]
                for name in verdicts[0].disagreement.to_dict()
            },
            "breakdown_sign": [verdict.breakdown.sign for verdict in verdicts],
            "breakdown_verdict": [item.breakdown.verdict for item in verdicts],
            "needed_n": [verdict.needed_n for verdict in verdicts],
        }

    def document(self) -> Document:
        from justesse.verbs.compare.document import comparison_document

        return comparison_document(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse.verbs.compare.pictures import names_of, picture

        return {name: partial(picture, self, name) for name in names_of(self)}

    def differences(self) -> list[tuple[str, Estimate]]:
        """Name the difference of each candidate, for a chart."""
        return [(item.name, item.decisive.difference) for item in self.judged]
