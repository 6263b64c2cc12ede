"""`justesse.ab`: compare variants by outcomes that arrive over time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.core.errors import InputError, OptionError
from justesse.core.event_blocks import EventBlocks
from justesse.core.results import check_level
from justesse.core.verdict import check_margin
from justesse.frames.columns import guess_column
from justesse.frames.count import opened_once
from justesse.frames.events import EventColumns, count_events
from justesse.frames.shadow_events import count_shadow_events
from justesse.frames.watched import watched
from justesse.judges.online import OnlineRule, judge_online, judge_shadow
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.sample_ratio import sample_ratio
from justesse.verbs.ab.options import EventOptions, OnlineOptions
from justesse.verbs.ab.result import OnlineComparison, VariantVerdict
from justesse.verbs.options.intervals import ConfidenceOptions

USUAL_INCUMBENTS = ("incumbent", "control", "baseline", "old", "current", "champion", "production")


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
    level: float = ConfidenceOptions.level,
) -> OnlineComparison:
    """Decide whether a variant should replace the incumbent, from outcomes over time; one may look at any time.

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
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    OnlineComparison
        `verdict` is the best candidate's.

    Notes
    -----
    The interval of the difference holds at all looks together: the test may be looked at after every event and stopped
    as soon as it is decided. Later events never undo a decision.

    Examples
    --------
    >>> events = {"variant": ["old", "new"] * 600, "outcome": [0, 1, 1, 1, 0, 1, 0, 0, 0, 1] * 120}
    >>> result = ab(events)
    >>> result.verdict.decision, round(result.verdict.difference.value, 2), result.verdict.decided_after
    ('replace', 0.6, 37)
    """
    low, high = read_range(outcome_range)
    check_online(margin, missing, noise_rate, method)
    check_level(level)
    data = watched(data)
    if shadow:
        return _in_shadow(
            data, OnlineRule(level, margin / (high - low), method, missing, noise_rate, steady=steady), (low, high),
            incumbent, candidate, lower_is_better, {"variant": variant, "outcome": outcome, "id": id, "time": time, "ratio": ratio},
        )  # fmt: skip
    table = opened_once(data)[0]
    columns = EventColumns(
        guess_column("variant", table.columns, table.name, variant),
        guess_column("outcome", table.columns, table.name, outcome),
        id,
        time,
        low,
        high,
        missing != "refuse",
    )
    if columns.variant == columns.outcome:
        raise OptionError(
            f"Column {columns.variant!r} cannot be both the variant and the outcome. Name another column."
        )
    blocks = count_events(data, columns)
    rule = OnlineRule(level, margin / (high - low), method, missing, noise_rate, steady=steady)
    return compared(
        blocks, rule, incumbent=incumbent, candidate=candidate, ratio=ratio, lower_is_better=lower_is_better,
        outcome=columns.outcome, ends=(low, high), where=table.name, source=data,
    )  # fmt: skip


def compared(
    blocks: EventBlocks,
    rule: OnlineRule,
    *,
    incumbent: str | None,
    candidate: str | Sequence[str] | None,
    ratio: str | Sequence[float] | None,
    lower_is_better: bool,
    outcome: str,
    ends: tuple[float, float],
    where: str,
    source: Any = None,
) -> OnlineComparison:
    """Judge every candidate against the incumbent, from counted events.

    Parameters
    ----------
    blocks
        The events, counted.
    rule
        How a difference is judged; its level is that of all candidates together.
    incumbent, candidate
        Variant in use, and those that could replace it.
    ratio
        Planned traffic.
    lower_is_better
        Whether outcomes are errors or costs.
    outcome
        Name of the outcome.
    ends
        Smallest and largest outcome.
    where
        Where the events come from, for errors.
    source
        The data, for the facts of the page.
    """
    names = roles(blocks.variants, incumbent, candidate, where)
    shares = read_ratio(ratio, len(names))
    level = simultaneous_level(rule.level, len(names) - 1)
    scale = ends[1] - ends[0]
    verdicts = []
    for at, name in enumerate(names[1:], start=1):
        own = OnlineRule(
            level, rule.margin, rule.method, rule.missing, rule.noise_rate, shares[at] / (shares[0] + shares[at]), rule.steady
        )  # fmt: skip
        judged = judge_online(blocks.of([names[0], name]), own, lower_is_better=lower_is_better)
        verdicts.append(VariantVerdict.of(names[0], name, judged, own, outcome, ends, lower_is_better))
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
        ratio_stated=ratio is not None,
        repeated=blocks.repeated,
        out_of_order=blocks.out_of_order,
        level=rule.level,
        margin=rule.margin * scale,
        missing=rule.missing,
        noise_rate=rule.noise_rate,
        lower_is_better=lower_is_better,
        steady=rule.steady,
        ends=ends,
        source=source,
    )


def _in_shadow(
    data: Any,
    rule: OnlineRule,
    ends: tuple[float, float],
    incumbent: str | None,
    candidate: str | Sequence[str] | None,
    lower_is_better: bool,
    unused: dict[str, Any],
) -> OnlineComparison:
    """Judge candidates that answered every event beside the incumbent."""
    named = [name for name, value in unused.items() if value is not None]
    if named:
        raise OptionError(
            f"In shadow mode each variant has its own column of outcomes. Leave out {named[0]} (--{named[0]})."
        )
    if rule.method != "betting":
        raise OptionError(f"Shadow mode uses the method betting; got {rule.method!r}. Leave out method (--method).")
    names = [] if candidate is None else [candidate] if isinstance(candidate, str) else list(candidate)
    if incumbent is None or not names:
        raise OptionError(
            "Shadow mode needs the columns with the outcomes of each variant. Name them with incumbent=… (--incumbent) and "
            "candidate=… (--candidate)."
        )
    level = simultaneous_level(rule.level, len(names))
    own = replace(rule, level=level)
    verdicts, counts, open_ = [], dict[str, int](), dict[str, int]()
    for name in names:
        blocks = count_shadow_events(
            data, incumbent, name, low=ends[0], high=ends[1], open_allowed=rule.missing != "refuse"
        )  # fmt: skip
        judged = judge_shadow(blocks, own, lower_is_better=lower_is_better)
        verdicts.append(VariantVerdict.of(incumbent, name, judged, own, "outcome", ends, lower_is_better))
        for at, variant in enumerate((incumbent, name)):
            counts[variant] = int((blocks.n[at] + blocks.open[at]).sum())
            open_[variant] = max(open_.get(variant, 0), int(blocks.open[at].sum()))
    return OnlineComparison(
        verdicts=tuple(verdicts),
        incumbent=incumbent,
        outcome="outcome",
        events=counts[incumbent],
        counts=counts,
        open=open_,
        sample_ratio=None,
        planned=(),
        ratio_stated=False,
        repeated=0,
        out_of_order=0,
        level=rule.level,
        margin=rule.margin * (ends[1] - ends[0]),
        missing=rule.missing,
        noise_rate=rule.noise_rate,
        lower_is_better=lower_is_better,
        steady=rule.steady,
        ends=ends,
        source=data,
    )


def roles(
    variants: Sequence[str], incumbent: str | None, candidate: str | Sequence[str] | None, where: str
) -> list[str]:
    """Return the incumbent, then the candidates."""
    own = usual_incumbent(variants) if incumbent is None else incumbent
    others = [name for name in variants if name != own] if candidate is None else candidate
    names = [own, *([others] if isinstance(others, str) else others)]
    for name in names:
        if name not in variants:
            raise InputError(
                f"No event of variant {name!r} in {where}. Variants: {', '.join(map(repr, variants))}. Check the names of "
                "the incumbent and the candidates."
            )
    if len(set(names)) < len(names):
        raise OptionError(f"Name each variant once; got {names!r}.")
    unheard = [name for name in variants if name not in names]
    if unheard:
        raise InputError(
            f"Variant {unheard[0]!r} in {where} is neither the incumbent nor a candidate. Name it with candidate=… "
            "(--candidate), or remove its rows."
        )
    if len(names) < 2:
        raise InputError(f"{where} has one variant only, {own!r}. Two are needed for a comparison.")
    return names


def usual_incumbent(variants: Sequence[str]) -> str:
    """Return the variant with a usual name of an incumbent, or else the first in the order of the alphabet.

    >>> usual_incumbent(["new", "old"]), usual_incumbent(["v2", "v1"])
    ('old', 'v1')
    """
    usual = [name for word in USUAL_INCUMBENTS for name in variants if name.lower() == word]
    return usual[0] if usual else min(variants)


def read_range(outcome_range: str | Sequence[float]) -> tuple[float, float]:
    """Read the smallest and largest outcome.

    >>> read_range("0,100")
    (0.0, 100.0)
    """
    parts = outcome_range.split(",") if isinstance(outcome_range, str) else list(outcome_range)
    try:
        numbers = [float(part) for part in parts]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 2 or not np.isfinite(numbers).all() or numbers[0] >= numbers[1]:
        raise OptionError(
            f"The range of outcomes is the smallest and the largest one, such as 0,1 or 0,100; got {outcome_range!r}."
        )
    return numbers[0], numbers[1]


def read_ratio(ratio: str | Sequence[float] | None, variants: int) -> list[float]:
    """Read the planned traffic as shares.

    >>> read_ratio("9:1", 2)
    [0.9, 0.1]
    """
    parts = [1.0] * variants if ratio is None else ratio.split(":") if isinstance(ratio, str) else list(ratio)
    try:
        numbers = [float(part) for part in parts]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != variants or not np.isfinite(numbers).all() or min(numbers, default=0) <= 0:
        raise OptionError(
            f"The planned traffic needs a number above 0 for each of the {variants} variants, the incumbent first, such as "
            f"{':'.join(['1'] * variants)}; got {ratio!r}."
        )
    return [number / sum(numbers) for number in numbers]


def check_online(margin: float, missing: str, noise_rate: float, method: str) -> None:
    """Refuse options that cannot be meant."""
    check_margin(margin)
    if missing not in get_args(OpenOutcomes):
        raise OptionError(f"missing must be one of {', '.join(get_args(OpenOutcomes))}; got {missing!r}.")
    if method not in get_args(OnlineMethod):
        raise OptionError(f"method must be one of {', '.join(get_args(OnlineMethod))}; got {method!r}.")
    if not 0 <= noise_rate < 1:
        raise OptionError(f"The share of wrong outcomes must be 0 or more and below 1; got {noise_rate!r}.")
