"""`justesse.ab`: compare variants by outcomes that arrive over time."""

from collections.abc import Sequence
from typing import Any

from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.frames.count import opened_once
from justesse.frames.events import count_events
from justesse.frames.watched import watched
from justesse.verbs.ab.compared import compared
from justesse.verbs.ab.options import EventOptions, OnlineOptions
from justesse.verbs.ab.plan import OnlinePlan
from justesse.verbs.ab.result import OnlineComparison
from justesse.verbs.ab.shadow import in_shadow
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.recorded import recorded


@recorded
def ab(
    data: Any,
    *,
    variant: str | None = None,
    outcome: str | None = None,
    incumbent: str | None = None,
    candidate: str | Sequence[str] | None = None,
    id: str | None = None,
    time: str | None = None,
    shadow: bool = False,
    outcome_range: str | Sequence[float] = EventOptions.outcome_range,
    margin: float = OnlineOptions.margin,
    lower_is_better: bool = False,
    missing: OpenOutcomes = OnlineOptions.missing,
    noise_rate: float = OnlineOptions.noise_rate,
    ratio: str | Sequence[float] | None = None,
    method: OnlineMethod = OnlineOptions.method,
    steady: bool = False,
    guardrail: str | Sequence[str] | None = None,
    proxy: str | None = None,
    accept_mismatch: bool = False,
    level: float = ConfidenceOptions.level,
) -> OnlineComparison:
    """Decide whether a variant should replace the incumbent, from outcomes over time; you may look at any time.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each event, in the order in which they came.
    variant
        Column with the variant that handled each event. Default: the column variant or arm.
    outcome
        Column with the outcome of each event, such as 1 if it was right and 0 if not. Default: the column outcome,
        reward or success.
    incumbent
        Variant in use. Default: the one called incumbent, control, baseline or old, or else the first by name.
    candidate
        Variants that could replace it, such as new or b,c. Default: all others.
    id
        Column that identifies an event, so that events written twice count once. Default: every row is an event.
    time
        Column with the time of each event. Events are put in order. Default: the order of the file.
    shadow
        All variants answered every event: `incumbent` and `candidate` name the columns of their outcomes.
    outcome_range
        Smallest and largest outcome possible, such as 0,100. Default: 0,1.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    lower_is_better
        The outcomes are errors, costs or complaints.
    missing
        Outcomes that are still open (empty): refuse the file, take them as missing at random, or decide by the worst
        case. The last two show both intervals. Default: refuse.
    noise_rate
        Largest share of each variant's outcomes that may be wrong, such as 2%. Default: 0.
    ratio
        Planned traffic of the incumbent and the candidates, such as 9:1. Default: equal.
    method
        betting holds for any number of events, asymptotic for many only. Default: betting.
    steady
        The means do not change over time: what was excluded at one look stays excluded.
    guardrail
        What must hold for the candidate's mean minus the incumbent's, such as complaint<0.01, outcome>-0.02 or
        'latency<20 in 0..500'. A candidate that breaks it is stopped, at any look. Default: none.
    proxy
        Column with a stand-in for the outcome, known for every event, such as an automatic grade. Its bias is measured
        on the events whose outcome is known. Default: none.
    accept_mismatch
        Decide although traffic was not split as planned, because the cause is known and has nothing to do with the
        outcomes.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    OnlineComparison
        `verdict` is the best candidate's.

    Notes
    -----
    The interval of the difference holds at all looks together: the test may be looked at after every event and stopped
    as soon as it is decided. Later events never undo a decision, unless a guardrail breaks or traffic turns out not to
    be split as planned.

    Examples
    --------
    >>> events = {"variant": ["old", "new"] * 600, "outcome": [0, 1, 1, 1, 0, 1, 0, 0, 0, 1] * 120}
    >>> result = ab(events)
    >>> result.verdict.decision, round(result.verdict.difference.value, 2), result.verdict.decided_after
    ('replace', 0.6, 37)
    """
    plan = OnlinePlan.of(
        variant=variant, outcome=outcome, incumbent=incumbent, candidate=candidate, id=id, time=time,
        outcome_range=outcome_range, margin=margin, lower_is_better=lower_is_better, missing=missing,
        noise_rate=noise_rate, ratio=ratio, method=method, steady=steady, level=level, guardrail=guardrail, proxy=proxy,
    )  # fmt: skip
    data = watched(data)
    if shadow:
        unused = {
            "variant": variant, "outcome": outcome, "id": id, "time": time, "ratio": ratio, "proxy": proxy,
            "guardrail": guardrail, "accept_mismatch": accept_mismatch or None,
        }  # fmt: skip
        return in_shadow(data, plan.rule, plan.ends, incumbent, candidate, lower_is_better, unused)
    table = opened_once(data)[0]
    columns = plan.columns(table.columns, table.name)
    return compared(
        count_events(data, columns), plan, outcome=columns.outcome, where=table.name, source=data,
        accept_mismatch=accept_mismatch,
    )  # fmt: skip
