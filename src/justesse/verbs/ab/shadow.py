"""Variants that all answered every event: outcomes side by side."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from justesse.core.errors import OptionError
from justesse.frames.shadow_events import count_shadow_events
from justesse.judges.online import OnlineRule, judge_shadow
from justesse.significance.multiplicity import simultaneous_level
from justesse.verbs.ab.result import OnlineComparison, VariantVerdict


def in_shadow(
    data: Any,
    rule: OnlineRule,
    ends: tuple[float, float],
    incumbent: str | None,
    candidate: str | Sequence[str] | None,
    lower_is_better: bool,
    unused: dict[str, Any],
) -> OnlineComparison:
    """Judge candidates that answered every event beside the incumbent.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each event.
    rule
        How a difference is judged; its level is that of all candidates together.
    ends
        Smallest and largest outcome.
    incumbent, candidate
        Columns of their outcomes.
    lower_is_better
        Whether outcomes are errors or costs.
    unused
        Options that mean nothing here, by name; `None` if they were not given.
    """
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
