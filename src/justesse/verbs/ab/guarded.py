"""A guardrail and a proxy as they stand at the last look, in the unit of their numbers."""

from dataclasses import dataclass
from typing import Any

from justesse.core.arrays import Array
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.intervals.arm_sums import ArmSums
from justesse.judges.guardrails import Guardrail, GuardrailLooks
from justesse.judges.online import METHODS, PROXIES, OnlineJudgement, OnlineRule
from justesse.judges.proxied import ProxyArm

Ends = tuple[Array, Array]


@dataclass(frozen=True)
class GuardrailState:
    """A guardrail of one candidate: the difference so far, its bound on the harmful side, and when it was broken."""

    guardrail: Guardrail
    difference: Estimate
    bound: float
    risk: float
    broken_after: int | None
    missing: int = 0

    @classmethod
    def of(cls, looks: GuardrailLooks) -> "GuardrailState":
        """Take the last look, and the first that showed harm."""
        why = "one of the variants has no value yet"
        value = float(looks.difference[-1])
        name = f"difference in {looks.guardrail.name}"
        return cls(
            looks.guardrail,
            Estimate(name, value, looks.n, undefined=why if value != value else None),
            float(looks.bound[-1]),
            looks.risk,
            None if looks.breached is None else int(looks.events[looks.breached]),
            looks.missing,
        )

    @property
    def unknown(self) -> bool:
        """Whether one of the variants has no value yet."""
        return self.difference.undefined is not None

    def to_dict(self) -> dict[str, Any]:
        return {
            "guardrail": str(self.guardrail),
            "column": self.guardrail.name,
            "side": self.guardrail.side,
            "limit": self.guardrail.limit,
            "range": [self.guardrail.low, self.guardrail.high],
            "difference": finite_or_none(self.difference.value),
            "n": int(self.difference.n),
            "missing": self.missing,
            "bound": self.bound,
            "level": 1 - self.risk,
            "broken": self.broken_after is not None,
            "broken_after": self.broken_after,
        }


@dataclass(frozen=True)
class ProxyState:
    """What the proxy says alone, by how much it favours one of the variants, and what known outcomes alone say."""

    alone: Estimate
    bias: Estimate
    known: Estimate

    @classmethod
    def of(cls, judged: OnlineJudgement, rule: OnlineRule, scale: float) -> "ProxyState | None":
        """Take the last look of a judgement by a proxy; `None` for others."""
        if judged.proxy is None or judged.known is None:
            return None
        first, second = judged.incumbent, judged.candidate
        assert isinstance(first, ProxyArm)
        assert isinstance(second, ProxyArm)

        def estimate(name: str, arms: tuple[ArmSums, ArmSums], times: float, ends: Ends, method: str) -> Estimate:
            value, n = times * float(arms[1].mean[-1] - arms[0].mean[-1]), int(arms[0].n[-1] + arms[1].n[-1])
            most = abs(times) * scale
            interval = Interval(
                scale * float(ends[0][-1]), scale * float(ends[1][-1]), rule.level, method, (-most, most)
            )
            why = "one of the variants has no outcome yet" if value != value else None
            return Estimate(name, scale * value, n, interval, why)

        ends = judged.proxy.bias
        known = judged.known
        return cls(
            estimate("difference by the proxy alone", (first.proxy, second.proxy), 1, judged.proxy.proxy, PROXIES["betting"]),
            estimate("bias of that difference", (first.errors, second.errors), -2, (-ends[1], -ends[0]), PROXIES["betting"]),
            estimate("difference of known outcomes", (first.known, second.known), 1, (known.low, known.high), METHODS[rule.method]),
        )  # fmt: skip

    @property
    def differs(self) -> bool:
        """Whether the proxy surely favours one of the variants."""
        interval = self.bias.interval
        return interval is not None and (interval.low > 0 or interval.high < 0)

    def to_dict(self) -> dict[str, Any]:
        def part(estimate: Estimate) -> dict[str, Any]:
            assert estimate.interval is not None
            return {
                "value": finite_or_none(estimate.value),
                "n": int(estimate.n),
                "interval": estimate.interval.to_dict(),
            }

        return {
            "alone": part(self.alone),
            "bias": part(self.bias),
            "known_alone": part(self.known),
            "bias_differs": self.differs,
        }
