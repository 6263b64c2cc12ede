"""Judge every candidate against the incumbent, from counted events."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from justesse.core.event_blocks import EventBlocks
from justesse.judges.guardrails import GuardrailLooks, watch_guardrail
from justesse.judges.online import OnlineRule, judge_online, judge_proxied
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.sample_ratio import sample_ratio
from justesse.verbs.ab.plan import OnlinePlan, read_ratio
from justesse.verbs.ab.result import OnlineComparison, VariantVerdict
from justesse.verbs.ab.roles import roles


def compared(
    blocks: EventBlocks,
    plan: OnlinePlan,
    *,
    outcome: str,
    where: str,
    source: Any = None,
    accept_mismatch: bool = False,
) -> OnlineComparison:
    """Judge every candidate against the incumbent, from counted events.

    Parameters
    ----------
    blocks
        The events, counted.
    plan
        What is decided and how; its level is that of all candidates together.
    outcome
        Name of the outcome.
    where
        Where the events come from, for errors.
    source
        The data, for the facts of the page.
    accept_mismatch
        Decide although traffic was not split as planned.
    """
    names = roles(blocks.variants, plan.incumbent, plan.candidate, where)
    shares = read_ratio(plan.ratio, len(names))
    rule, ends = plan.rule, plan.ends
    verdicts = []
    for at, name in enumerate(names[1:], start=1):
        own = replace(
            rule, level=simultaneous_level(rule.level, len(names) - 1), share=shares[at] / (shares[0] + shares[at])
        )
        pair = blocks.of([names[0], name])
        if plan.proxy is None:
            judged = judge_online(pair, own, lower_is_better=plan.lower_is_better)
        else:
            judged = judge_proxied(pair, plan.proxy, own, lower_is_better=plan.lower_is_better)
        verdict = VariantVerdict.of(names[0], name, judged, own, outcome, ends, plan.lower_is_better)
        verdicts.append(verdict.guarded(_guardrails(pair, plan, own, outcome, len(names) - 1)))
    kept = blocks.of(names)
    return OnlineComparison(
        verdicts=tuple(verdicts),
        incumbent=names[0],
        outcome=outcome,
        events=int(kept.events[-1]),
        counts={name: int(n) for name, n in zip(names, kept.by_variant[-1], strict=True)},
        open={name: int(n) for name, n in zip(names, kept.open.sum(axis=1), strict=True)},
        sample_ratio=sample_ratio(kept.by_variant, shares),
        planned=tuple(shares),
        ratio_stated=plan.ratio is not None,
        repeated=blocks.repeated,
        out_of_order=blocks.out_of_order,
        level=rule.level,
        margin=rule.margin * (ends[1] - ends[0]),
        missing=rule.missing,
        noise_rate=rule.noise_rate,
        lower_is_better=plan.lower_is_better,
        steady=rule.steady,
        ends=ends,
        proxy=plan.proxy,
        source=source,
        accept_mismatch=accept_mismatch,
    ).checked()


def _guardrails(
    pair: EventBlocks, plan: OnlinePlan, rule: OnlineRule, outcome: str, candidates: int
) -> Sequence[GuardrailLooks]:
    """Check the guardrails of one candidate; all guardrails of all candidates share the risk."""
    if not plan.guardrails:
        return ()
    risk = (1 - plan.rule.level) / (len(plan.guardrails) * candidates)
    looks = []
    for guard in plan.guardrails:
        own = replace(guard, low=plan.ends[0], high=plan.ends[1]) if guard.name == outcome else guard
        counted = pair if guard.name == outcome else pair.tracked[guard.name]
        looks.append(watch_guardrail(counted, own, risk=risk, share=rule.share))
    return looks
