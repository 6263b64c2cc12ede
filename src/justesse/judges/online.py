"""Judge two variants by outcomes that arrive over time; one may look, and stop, at any time."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.core.event_blocks import EventBlocks
from justesse.core.verdict import Decision, decide
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.asymptotic_sequence import asymptotic_half_width
from justesse.intervals.difference_sequence import lower_difference
from justesse.intervals.mean_sequence import lower_mean
from justesse.judges.proxied import ProxyArm, ProxyIntervals, proxy_arms, proxy_intervals

METHODS: dict[OnlineMethod, str] = {"betting": "betting-two-arms", "asymptotic": "asymptotic-two-arms"}
WORST_CASE, SHADOW = "betting-worst-case", "betting-paired"
PROXIES: dict[OnlineMethod, str] = {"betting": "betting-proxy", "asymptotic": "asymptotic-proxy"}
MOST_TIMES = 2.0**24
PRECISION = 0.02  # of the forecast
FEWEST_EACH = 30  # outcomes of each variant before an asymptotic interval is given


@dataclass(frozen=True)
class OnlineRule:
    """How a difference is judged.

    Parameters
    ----------
    level
        Confidence level of the interval, at all looks together.
    margin
        Smallest gain that matters, as a share of the range of outcomes.
    method
        "betting" holds for any number of events, "asymptotic" for many.
    missing
        What decides if outcomes are open: the interval that takes them as missing at random, or the worst case.
    noise_rate
        Largest share of each variant's outcomes that may be wrong.
    share
        Planned share of the candidate in the events of both.
    steady
        Whether the means do not change, so that what one look excludes stays excluded.
    """

    level: float = 0.95
    margin: float = 0.0
    method: OnlineMethod = "betting"
    missing: OpenOutcomes = "refuse"
    noise_rate: float = 0.0
    share: float = 0.5
    steady: bool = False


DEFAULT = OnlineRule()


@dataclass(frozen=True)
class LookIntervals:
    """An interval at every look."""

    low: Array
    high: Array
    method: str

    def widened(self, by: float) -> "LookIntervals":
        """Allow for outcomes that are wrong."""
        return LookIntervals(np.maximum(self.low - by, -1.0), np.minimum(self.high + by, 1.0), self.method)

    @property
    def intersected(self) -> "LookIntervals":
        """What no look so far has excluded; empty intersections keep the interval of the look."""
        low, high = np.maximum.accumulate(self.low), np.minimum.accumulate(self.high)
        empty = low > high
        return LookIntervals(np.where(empty, self.low, low), np.where(empty, self.high, high), self.method)


@dataclass(frozen=True)
class OnlineJudgement:
    """What was decided about a candidate, when, and by which intervals (all on the scale of 0 to 1).

    `decided` is the look of the decision, `None` if there is none yet. `random` is the interval if open outcomes are
    missing at random, `worst` the one that holds whatever they turn out to be, `None` if there are none. `proxy` has
    the parts of an interval that rests on a proxy of the outcome, `known` is what known outcomes alone say at last.
    """

    decision: Decision
    decided: int | None
    incumbent: ArmSums | ProxyArm
    candidate: ArmSums | ProxyArm
    events: Array
    random: LookIntervals
    worst: LookIntervals | None
    decisive: LookIntervals
    more_events: int | None
    breakdown: float | None
    proxy: ProxyIntervals | None = None
    known: LookIntervals | None = None

    @property
    def difference(self) -> Array:
        """Mean of the candidate minus that of the incumbent, at each look."""
        return np.asarray(self.candidate.mean - self.incumbent.mean)

    @property
    def changed(self) -> bool:
        """Whether the intervals of two looks exclude each other: the difference changed over time."""
        low, high = np.maximum.accumulate(self.random.low), np.minimum.accumulate(self.random.high)
        return bool((low > high).any())


def judge_online(blocks: EventBlocks, rule: OnlineRule = DEFAULT, *, lower_is_better: bool = False) -> OnlineJudgement:
    """Judge the second variant of the blocks, the candidate, against the first.

    The first look whose interval decides is the decision: later events cannot undo it. They may add to a decision to
    keep the incumbent that the two are equivalent.

    >>> blocks = EventBlocks(("old", "new"), *np.array([[[900], [900]], [[300], [420]], [[300], [420]], [[0], [0]]]))
    >>> judged = judge_online(blocks)
    >>> judged.decision, judged.random.low.round(2).tolist(), judged.random.high.round(2).tolist()
    ('replace', [0.05], [0.21])
    """
    incumbent, candidate = (_arm(blocks, at, lower_is_better) for at in (0, 1))
    open_ = np.cumsum(blocks.open, axis=1)

    def at_times(times: float) -> LookIntervals:
        first, second = incumbent.scaled(times), candidate.scaled(times)
        if rule.missing == "worst-case" and open_[:, -1].any():
            return _worst(first, second, open_[:, -1:] * times, rule)
        return difference_sequence(first, second, rule)

    random = difference_sequence(incumbent, candidate, rule)
    worst = _worst(incumbent, candidate, open_, rule) if open_[:, -1].any() else None
    return _judged(incumbent, candidate, blocks.events, random, worst, at_times, rule)


def judge_shadow(blocks: EventBlocks, rule: OnlineRule = DEFAULT, *, lower_is_better: bool = False) -> OnlineJudgement:
    """Judge a candidate that answered every event beside the incumbent, by their differences.

    The third row of the blocks is the difference, scaled to 0 to 1.

    >>> counts = np.array([[[900]] * 3, [[300], [420], [510]], [[300], [420], [285]], [[0]] * 3])
    >>> judged = judge_shadow(EventBlocks(("old", "new", "difference"), *counts))
    >>> judged.decision, judged.random.low.round(2).tolist(), judged.random.high.round(2).tolist()
    ('replace', [0.11], [0.16])
    """
    incumbent, candidate, gain = (_arm(blocks, at, lower_is_better) for at in (0, 1, 2))
    open_ = np.cumsum(blocks.open[2])
    risk = (1 - rule.level) / 2

    def ends(worst: ArmSums, best: ArmSums, method: str) -> LookIntervals:
        low, high = 2 * lower_mean(worst, risk=risk) - 1, 1 - 2 * lower_mean(best.mirrored, risk=risk)
        return LookIntervals(low, high, method)

    def worst_ends(sums: ArmSums, missing: Array) -> LookIntervals:
        return ends(sums.filled(missing, 0.0), sums.filled(missing, 1.0), SHADOW)

    def at_times(times: float) -> LookIntervals:
        later = gain.scaled(times)
        missing = open_[-1:] * times if rule.missing == "worst-case" else np.zeros(1)
        return worst_ends(later, missing)

    random = ends(gain, gain, SHADOW)
    worst = worst_ends(gain, open_) if open_[-1] else None
    events = np.cumsum(blocks.n[2] + blocks.open[2])
    return _judged(incumbent, candidate, events, random, worst, at_times, rule)


def judge_proxied(
    blocks: EventBlocks, proxy: str, rule: OnlineRule = DEFAULT, *, lower_is_better: bool = False
) -> OnlineJudgement:
    """Judge the second variant against the first by a proxy of the outcome, corrected where the outcome is known.

    Parameters
    ----------
    blocks
        The events of incumbent and candidate; `tracked` has the proxy and its errors.
    proxy
        Name of the proxy.
    rule
        How the difference is judged.
    lower_is_better
        Whether outcomes are errors or costs.
    """
    tuned = rule.method == "asymptotic"
    incumbent, candidate = proxy_arms(blocks, proxy, tuned=tuned, lower_is_better=lower_is_better)
    risk, method = 1 - rule.level, PROXIES[rule.method]

    def at_times(times: float) -> LookIntervals:
        later = proxy_intervals(incumbent.scaled(times), candidate.scaled(times), risk=risk, share=rule.share)
        return LookIntervals(*later.corrected, method)

    intervals = proxy_intervals(incumbent, candidate, risk=risk, share=rule.share)
    corrected = LookIntervals(*intervals.corrected, method)
    judged = _judged(incumbent, candidate, blocks.events, corrected, None, at_times, rule)
    known = difference_sequence(incumbent.known.at(-1), candidate.known.at(-1), rule)
    return replace(judged, proxy=intervals, known=known)


def _arm(blocks: EventBlocks, at: int, lower_is_better: bool) -> ArmSums:
    sums = ArmSums.of_blocks(blocks.n[at], blocks.total[at], blocks.squares[at])
    return sums.mirrored if lower_is_better else sums


def _judged(
    incumbent: ArmSums | ProxyArm,
    candidate: ArmSums | ProxyArm,
    events: Array,
    random: LookIntervals,
    worst: LookIntervals | None,
    at_times: Callable[[float], LookIntervals],
    rule: OnlineRule,
) -> OnlineJudgement:
    """Decide by the intervals of all looks."""
    used = worst if worst is not None and rule.missing == "worst-case" else random
    decisive = used.widened(2 * rule.noise_rate)
    decisive = decisive.intersected if rule.steady else decisive
    decisions = decide(decisive.low, decisive.high, rule.margin)
    settled = np.flatnonzero(decisions != "cannot_tell")
    decided = int(settled[0]) if len(settled) else None
    if decided is not None and decisions[decided] == "keep" and (alike := decisions == "equivalent").any():
        decided = int(alike.argmax())  # no gain as large as the margin, and no loss either
    decision: Decision = "cannot_tell" if decided is None else decisions[decided].item()
    known = min(incumbent.n[-1], candidate.n[-1]) >= 1
    return OnlineJudgement(
        decision,
        decided,
        incumbent,
        candidate,
        events,
        random,
        worst,
        decisive,
        0 if decided is not None else _more_events(at_times, float(events[-1]), rule) if known else None,
        None if decided is None else _breakdown(decision, used, rule),
    )


def difference_sequence(incumbent: ArmSums, candidate: ArmSums, rule: OnlineRule) -> LookIntervals:
    """Return the interval of the difference at every look."""
    risk = 1 - rule.level
    if rule.method == "asymptotic":
        return _asymptotic(incumbent, candidate, risk)
    low = lower_difference(candidate, incumbent, risk=risk / 2, share=rule.share)
    high = -lower_difference(incumbent, candidate, risk=risk / 2, share=1 - rule.share)
    return LookIntervals(low, high, METHODS["betting"])


def _asymptotic(incumbent: ArmSums, candidate: ArmSums, risk: float) -> LookIntervals:
    events = incumbent.n + candidate.n
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = sum(arm.spread / arm.n**2 for arm in (incumbent, candidate))
        half = asymptotic_half_width(events, np.sqrt(events * variance), risk=risk)
        middle = candidate.mean - incumbent.mean
    few = np.minimum(incumbent.n, candidate.n) < FEWEST_EACH
    low, high = (np.where(few, end, middle + end * half) for end in (-1.0, 1.0))
    return LookIntervals(np.maximum(low, -1.0), np.minimum(high, 1.0), METHODS["asymptotic"])


def _worst(incumbent: ArmSums, candidate: ArmSums, open_: Array, rule: OnlineRule) -> LookIntervals:
    """Return the interval that holds whatever the open outcomes turn out to be.

    Bounds by sums fall with the candidate's sum and with the incumbent's rise, so filling in the worst is enough.
    """
    risk = (1 - rule.level) / 2
    worst_candidate, worst_incumbent = candidate.filled(open_[1], 0.0), incumbent.filled(open_[0], 1.0)
    best_candidate, best_incumbent = candidate.filled(open_[1], 1.0), incumbent.filled(open_[0], 0.0)
    low = lower_difference(worst_candidate, worst_incumbent, risk=risk, share=rule.share)
    high = -lower_difference(best_incumbent, best_candidate, risk=risk, share=1 - rule.share)
    return LookIntervals(low, high, WORST_CASE)


def _breakdown(decision: Decision, sequence: LookIntervals, rule: OnlineRule) -> float:
    """Return the share of wrong outcomes, in each variant, up to which some look decides the same."""
    low, high, margin = sequence.low, sequence.high, rule.margin
    rooms = {
        "replace": low - margin,
        "equivalent": np.minimum(margin + low, margin - high),
        "keep": margin - high,
    }
    return max(float(rooms[decision].max()), 0.0) / 2


def _more_events(at_times: Callable[[float], LookIntervals], events: float, rule: OnlineRule) -> int | None:
    """Forecast how many more events decide, if the means stay as they are; `None` if no number does."""

    def settles(times: float) -> bool:
        ends = at_times(times).widened(2 * rule.noise_rate)
        return bool(decide(ends.low, ends.high, rule.margin)[0] != "cannot_tell")

    times = 1.0
    while not settles(times):
        times *= 4
        if times > MOST_TIMES:
            return None
    low, high = max(times / 4, 1.0), times
    while high / low > 1 + PRECISION:
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if settles(middle) else (middle, high)
    return max(int(np.ceil((high - 1) * events)), 1)
