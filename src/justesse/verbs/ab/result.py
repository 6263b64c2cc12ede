"""What `ab` hands back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from justesse.core.choices import OpenOutcomes
from justesse.core.results import Estimate, Interval, TestResult, finite_or_none
from justesse.core.verdict import Decision, decide
from justesse.core.version import SCHEMA, __version__
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.mean_sequence import mean_bounds
from justesse.judges.guardrails import GuardrailLooks
from justesse.judges.online import PROXIES, SHADOW, LookIntervals, OnlineJudgement, OnlineRule
from justesse.judges.proxied import ProxyArm
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.ab.guarded import GuardrailState, ProxyState
from justesse.verbs.compare.comparison import ORDER
from justesse.verbs.compare.gates import Gate, passes

Look = tuple[int, float, float, float]


@dataclass(frozen=True)
class VariantVerdict:
    """One candidate against the incumbent, in the unit of the outcomes.

    `interval` decides. `random` takes open outcomes as missing at random, `worst` holds whatever they turn out to be.
    `contradicted` tells that the interval now says the opposite of what was decided at an earlier look.
    """

    name: str
    decision: Decision
    decided_after: int | None
    incumbent: Estimate
    candidate: Estimate
    difference: Estimate
    random: Interval
    worst: Interval | None
    more_events: int | None
    breakdown: float | None
    changed: bool
    looks: tuple[Look, ...]
    guardrails: tuple[GuardrailState, ...] = ()
    proxy: ProxyState | None = None
    contradicted: bool = False

    @classmethod
    def of(
        cls,
        incumbent: str,
        name: str,
        judged: OnlineJudgement,
        rule: OnlineRule,
        outcome: str,
        ends: tuple[float, float],
        lower_is_better: bool,
    ) -> "VariantVerdict":
        """Translate a judgement into the unit of the outcomes.

        Parameters
        ----------
        incumbent, name
            Names of both variants.
        judged
            The judgement, on the scale of 0 to 1.
        rule
            How it was judged.
        outcome
            Name of the outcome.
        ends
            Smallest and largest outcome.
        lower_is_better
            Whether outcomes are errors or costs.
        """
        scale = ends[1] - ends[0]

        def interval(sequence: LookIntervals) -> Interval:
            return Interval(
                scale * float(sequence.low[-1]), scale * float(sequence.high[-1]), rule.level, sequence.method,
                (-scale, scale),
            )  # fmt: skip

        def mean(arm: ArmSums | ProxyArm, whose: str) -> Estimate:
            own = arm.at(-1).mirrored if lower_is_better else arm.at(-1)
            bounds = own.bounds(1 - rule.level) if isinstance(own, ProxyArm) else mean_bounds(own, 1 - rule.level)
            low, high = (ends[0] + scale * end for end in bounds)
            why = None if own.n[0] else "no outcome is known yet"
            method = PROXIES[rule.method] if isinstance(own, ProxyArm) else "betting-mean"
            between = Interval(low, high, rule.level, method, ends) if own.n[0] else None
            return Estimate(
                f"mean {outcome} of {whose}", float(ends[0] + scale * own.mean[0]), int(own.n[0]), between, why
            )

        differences = scale * judged.difference
        why = None if np.isfinite(differences[-1]) else "one of the variants has no outcome yet"
        both = judged.random.method != SHADOW  # in shadow mode both have the same events
        n = int(judged.incumbent.n[-1] + (judged.candidate.n[-1] if both else 0))
        now: Decision = decide(judged.decisive.low[-1], judged.decisive.high[-1], rule.margin).item()
        both_decide = "cannot_tell" not in (now, judged.decision)
        contradicted = both_decide and (now == "replace") != (judged.decision == "replace")
        return cls(
            name,
            judged.decision,
            None if judged.decided is None else int(judged.events[judged.decided]),
            mean(judged.incumbent, incumbent),
            mean(judged.candidate, name),
            Estimate(f"difference in {outcome}", float(differences[-1]), n, interval(judged.decisive), why),
            interval(judged.random),
            interval(judged.worst) if judged.worst is not None else None,
            judged.more_events,
            None if contradicted else judged.breakdown,
            judged.changed,
            tuple(
                (int(events), float(value), scale * float(low), scale * float(high))
                for events, value, low, high in zip(
                    judged.events, differences, judged.decisive.low, judged.decisive.high, strict=True
                )
            ),
            proxy=ProxyState.of(judged, rule, scale),
            contradicted=contradicted,
        )

    def guarded(self, guardrails: Sequence[GuardrailLooks]) -> "VariantVerdict":
        """Add guardrails: a candidate that breaks one is not taken, nor one that cannot be checked yet."""
        states = tuple(map(GuardrailState.of, guardrails))
        broken = [state.broken_after for state in states if state.broken_after is not None]
        checked = replace(self, guardrails=states)
        if broken:
            return replace(
                checked, decision="keep", decided_after=min(broken), more_events=0, breakdown=None, contradicted=False
            )
        return checked.undecided if self.replaces and checked.unchecked else checked

    @property
    def undecided(self) -> "VariantVerdict":
        """The same figures without a decision, because something else makes them doubtful."""
        return replace(
            self, decision="cannot_tell", decided_after=None, more_events=None, breakdown=None, contradicted=False
        )

    @property
    def broken(self) -> GuardrailState | None:
        """The guardrail that was broken first, `None` if none was."""
        states = [state for state in self.guardrails if state.broken_after is not None]
        return min(states, key=lambda state: state.broken_after or 0, default=None)

    @property
    def unchecked(self) -> GuardrailState | None:
        """A guardrail without values for one of the variants, `None` if all have some."""
        return next((state for state in self.guardrails if state.unknown), None)

    @property
    def replaces(self) -> bool:
        return self.decision == "replace"

    @property
    def rank(self) -> tuple[int, float]:
        value = self.difference.value
        return ORDER[self.decision], value if np.isfinite(value) else -np.inf

    @property
    def at_decision(self) -> Look | None:
        """What was seen when it was decided."""
        return next((look for look in self.looks if look[0] == self.decided_after), None)

    def to_dict(self, incumbent: str) -> dict[str, Any]:
        interval = self.difference.interval
        assert interval is not None
        return {
            "verdict": self.decision,
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict(),
            "undefined": self.difference.undefined,
            "n": int(self.difference.n),
            "incumbent": _mean(incumbent, self.incumbent),
            "candidate": _mean(self.name, self.candidate),
            "decided_after": self.decided_after,
            "more_events": self.more_events,
            "breakdown_rate": self.breakdown,
            "missing_at_random": self.random.to_dict(),
            "worst_case": self.worst.to_dict() if self.worst else None,
            "changed_over_time": self.changed,
            "contradicted": self.contradicted,
            "stopped_by": str(self.broken.guardrail) if self.broken else None,
            "guardrails": [state.to_dict() for state in self.guardrails],
            "proxy": self.proxy.to_dict() if self.proxy else None,
            "looks": [[look[0], *map(finite_or_none, look[1:])] for look in self.looks],
        }


def _mean(name: str, estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "name": name,
        "mean": finite_or_none(estimate.value),
        "n": int(estimate.n),
        "interval": interval.to_dict() if interval else None,
    }


@dataclass(frozen=True, repr=False)
class OnlineComparison(Result):
    """The verdict on each candidate so far, and whether traffic was split as planned."""

    verdicts: tuple[VariantVerdict, ...]
    incumbent: str
    outcome: str
    events: int
    counts: dict[str, int]
    open: dict[str, int]
    sample_ratio: TestResult | None
    planned: tuple[float, ...]
    ratio_stated: bool
    repeated: int
    out_of_order: int
    level: float
    margin: float
    missing: OpenOutcomes
    noise_rate: float
    lower_is_better: bool
    steady: bool
    ends: tuple[float, float]
    proxy: str | None = None
    source: Any = None
    accept_mismatch: bool = False

    @property
    def verdict(self) -> VariantVerdict:
        """The candidate to look at first."""
        return max(self.verdicts, key=lambda verdict: verdict.rank)

    @property
    def replaces(self) -> bool:
        return self.verdict.replaces

    @property
    def shadow(self) -> bool:
        """Whether every variant answered every event."""
        return self.sample_ratio is None

    @property
    def mismatch(self) -> bool:
        """Whether traffic was surely not split as planned."""
        return self.sample_ratio is not None and self.sample_ratio.pvalue <= 1 - self.level

    @property
    def doubted(self) -> bool:
        """Whether no difference decides, because traffic was not split as planned and nobody knows why."""
        return self.mismatch and not self.accept_mismatch

    def checked(self) -> "OnlineComparison":
        """Take back decisions if the split of traffic is in doubt; a candidate that breaks a guardrail stays stopped."""
        if not self.doubted:
            return self
        return replace(
            self, verdicts=tuple(verdict if verdict.broken else verdict.undecided for verdict in self.verdicts)
        )

    def passes(self, gate: Gate = "better") -> bool:
        """Say whether the best candidate passes a gate: better, not-worse (than the margin) or none."""
        best = self.verdict
        if gate != "none" and (self.doubted or best.broken or best.unchecked or best.contradicted):
            return False
        return passes(gate, self.verdict.decision, self.verdict.difference, self.margin)

    @property
    def warnings(self) -> tuple[str, ...]:
        from justesse.verbs.ab.cautions import cautions

        return tuple(map(str, cautions(self)))

    @property
    def assumptions(self) -> tuple[str, ...]:
        from justesse.verbs.ab.cautions import assumptions

        return tuple(map(str, assumptions(self)))

    def to_dict(self) -> dict[str, Any]:
        from justesse.verbs.ab.answer import reason_of

        compared = [verdict.to_dict(self.incumbent) for verdict in self.verdicts]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            **compared[self.verdicts.index(self.verdict)],
            "reason": str(reason_of(self)),
            "outcome": self.outcome,
            "outcome_range": list(self.ends),
            "lower_is_better": self.lower_is_better,
            "margin": self.margin,
            "family_level": self.level,
            "missing": self.missing,
            "noise_rate": self.noise_rate,
            "steady": self.steady,
            "proxy_column": self.proxy,
            "events": self.events,
            "repeated_events": self.repeated,
            "out_of_order": self.out_of_order,
            "variants": [
                {"name": name, "events": n, "open": self.open[name], "planned_share": share}
                for (name, n), share in zip(self.counts.items(), self.planned or [None] * len(self.counts), strict=True)
            ],
            "shadow": self.shadow,
            "sample_ratio": {**self.sample_ratio.to_dict(), "mismatch": self.mismatch} if self.sample_ratio else None,
            "gates": {"better": self.passes(), "not_worse": self.passes("not-worse") if self.margin else None},
            "assumptions": list(self.assumptions),
            "warnings": list(self.warnings),
            "comparisons": compared,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the candidates out as columns, one row each."""
        ends = [verdict.difference.interval for verdict in self.verdicts]
        return {
            "candidate": [verdict.name for verdict in self.verdicts],
            "verdict": [verdict.decision for verdict in self.verdicts],
            "incumbent_mean": [finite_or_none(verdict.incumbent.value) for verdict in self.verdicts],
            "candidate_mean": [finite_or_none(verdict.candidate.value) for verdict in self.verdicts],
            "difference": [finite_or_none(verdict.difference.value) for verdict in self.verdicts],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "n": [int(verdict.difference.n) for verdict in self.verdicts],
            "decided_after": [verdict.decided_after for verdict in self.verdicts],
            "more_events": [verdict.more_events for verdict in self.verdicts],
        }

    @property
    def native(self) -> Any:
        return self.source

    def document(self) -> Document:
        from justesse.verbs.ab.document import online_document

        return online_document(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return {f"sequence_{at}": partial(self._draw, at) for at in range(len(self.verdicts))}

    def _draw(self, at: int) -> Any:
        from justesse.charts.difference_over_events import difference_over_events_chart

        verdict = self.verdicts[at]
        return difference_over_events_chart(
            verdict.looks, level=self.level, margin=self.margin, name=verdict.name, incumbent=self.incumbent,
            decided_after=verdict.decided_after, outcome=self.outcome,
        )  # fmt: skip
