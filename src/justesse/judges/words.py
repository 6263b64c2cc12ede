"""A verdict in words."""

import math
from itertools import pairwise

from justesse.core.results import Alternative, Estimate, Interval, level_percent
from justesse.core.shares import percent_of
from justesse.core.verdict import Decision, Verdict, VerdictBreakdown, decide
from justesse.noise.survives import survives


def reason(decision: Decision, difference: Estimate, margin: float, alternative: Alternative) -> str:
    """Write the reason of a decision in one sentence.

    Parameters
    ----------
    decision
        What was decided.
    difference
        Candidate minus incumbent, with its interval.
    margin
        Smallest gain that matters.
    alternative
        Which ends of the interval were computed.

    >>> difference = Estimate("difference", 0.02, 100, Interval(0.01, 0.03, 0.95, "tango"))
    >>> reason("replace", difference, 0.0, "two-sided")
    'The whole interval of the difference lies above 0: the candidate is better.'
    """
    if difference.interval is None:
        why = (difference.undefined or "nothing varies").removeprefix("no interval: ")
        return f"The difference has no confidence interval ({why}): no decision."
    high = difference.interval.high
    if decision == "replace":
        if margin:
            return f"Even the low end of the interval is above the margin of {margin:g}."
        return "The whole interval of the difference lies above 0: the candidate is better."
    if decision == "equivalent":
        return f"The whole interval lies within ±{margin:g}: any difference is too small to matter."
    if decision == "keep":
        if high < 0:
            return "The whole interval of the difference lies below 0: the incumbent is better."
        return f"Even the high end of the interval is below the margin of {margin:g}."
    if alternative == "less":
        return "The upper bound of the difference does not exclude a better candidate."
    if alternative == "greater":
        return "The lower bound of the difference does not exclude a candidate that is no better" + (
            f", or better by less than {margin:g}." if margin else "."
        )
    if margin:
        return f"The interval includes gains above and below the margin of {margin:g}: not enough evidence."
    return "The interval of the difference includes 0: it cannot tell which of the two is better."


def banner(verdict: Verdict) -> str:
    """Write the difference, the reason of the decision, and what would change it."""
    parts = [_measured(verdict), _decided(verdict), _settled(verdict), breakdown_words(verdict.breakdown, verdict)]
    return " ".join(part for part in parts if part)


TITLES: dict[Decision, str] = {
    "replace": "Replace the incumbent with the candidate.",
    "keep": "Keep the incumbent.",
    "equivalent": "Equivalent: keep the incumbent.",
    "cannot_tell": "Cannot tell: keep the incumbent for now.",
}


def title(verdict: Verdict) -> str:
    """Write what to do."""
    return TITLES[verdict.decision]


def _measured(verdict: Verdict) -> str:
    difference, interval = verdict.difference, verdict.difference.interval
    value = difference.value
    if value != value:
        return f"The difference of {verdict.title} is undefined: {difference.undefined}."
    ends = f" ({interval_words(interval, verdict)})" if interval else ""
    if verdict.counts_errors:
        if value == 0 and interval and not verdict.disagreement.only_incumbent + verdict.disagreement.only_candidate:
            most = f", by up to {_hundred(interval.high, verdict)} errors per 100 cases"
            return (
                f"Both are right on the same rows and wrong on the same rows (n = {verdict.disagreement.n:,}). On "
                f"other rows they may differ{most if verdict.alternative == 'two-sided' else ''}{ends}."
            )
        if value == 0:
            return f"Both make equally many errors{ends}."
        fewer = "fewer" if value > 0 else "more"
        return f"The candidate makes {_hundred(abs(value), verdict)} {fewer} errors per 100 cases{ends}."
    if value == 0:
        return f"Both have the same {verdict.title}{ends}."
    lower = "lower" if (value < 0) == verdict.greater_is_better else "higher"
    return f"The candidate's {verdict.title} is {abs(value):.4f} {lower}{ends}."


def interval_words(interval: Interval, verdict: Verdict) -> str:
    """Write the interval of a difference in its unit: errors per 100 cases, or that of the measure.

    If lower is better, it is written from the side of the classifier with the lower value.
    """
    kind = {"two-sided": "CI", "greater": "lower bound", "less": "upper bound"}[verdict.alternative]
    low, high = interval.low, interval.high
    fewer_is_better = verdict.counts_errors or not verdict.greater_is_better
    if fewer_is_better and verdict.difference.value < 0:
        low, high = -high, -low
        kind = {"lower bound": "upper bound", "upper bound": "lower bound"}.get(kind, kind)
    shown = [_hundred(end, verdict) if verdict.counts_errors else f"{end:.4f}" for end in (low, high)]
    written = {"CI": f"{shown[0]} to {shown[1]}", "lower bound": shown[0], "upper bound": shown[1]}[kind]
    return f"{level_percent(interval.level)} {kind} {written}"


def _hundred(share: float, verdict: Verdict) -> str:
    digits = 1 if verdict.disagreement.n < 20_000 else 2
    value, interval = verdict.difference.value, verdict.difference.interval
    ends = (value - interval.low, interval.high - value) if interval else ()
    reach = min(
        (apart for apart in ends if apart > 1e-12), default=math.inf
    )  # an end at the bound is the middle itself
    # what is not 0 is not written as 0, and the ends of an interval are not written as its middle
    while digits < 6 and (100 * reach < 10**-digits or (share and not float(f"{100 * share:.{digits}f}"))):
        digits += 1
    return f"{100 * share:.{digits}f}"


def _decided(verdict: Verdict) -> str:
    if not verdict.margin:
        return verdict.reason
    matters = f"{100 * verdict.margin:g} per 100" if verdict.counts_errors else f"{verdict.margin:g}"
    interval = verdict.difference.interval
    if interval is None:
        return verdict.reason
    return (
        f"Margin: {matters}. "
        + {
            "replace": "Even the low end of the interval is above it.",
            "equivalent": "The whole interval is within it, either way: the two are equivalent.",
            "keep": "The interval includes no gain as large as that.",
            "cannot_tell": "The upper bound does not exclude a gain as large as that."
            if verdict.alternative == "less"
            else "The interval includes smaller gains: not enough evidence.",
        }[verdict.decision]
    )


def margin_words(verdict: Verdict) -> str:
    """Say which other margins would lead to another verdict, from the ends of the interval.

    >>> from justesse.core.case import Case
    >>> from justesse.core.tally import Tally
    >>> from justesse.judges.paired import paired
    >>> cells = [(1, 1, 1, 800), (1, 0, 1, 130), (1, 1, 0, 70)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> margin_words(paired(case, margin=0.01))
    'Verdict by margin: below 0.0326 "replace"; up to 0.0878 "cannot tell"; above that "equivalent".'
    """
    interval = verdict.difference.interval
    if interval is None:
        return ""
    low, high = interval.unclipped_low, interval.unclipped_high
    if decide(low, high, verdict.margin).item() != verdict.decision:
        return ""  # this judge does not decide by the interval alone
    edges = [0.0, *sorted({abs(end) for end in (low, high) if math.isfinite(end)}), math.inf]
    segments: list[tuple[Decision, float]] = []  # each verdict, and the margin up to which it holds
    for start, stop in pairwise(edges):
        inside = start + 1 if math.isinf(stop) else (start + stop) / 2
        decision: Decision = decide(low, high, inside).item()
        if segments and segments[-1][0] == decision:
            segments.pop()
        segments.append((decision, stop))
    if len(segments) == 1:
        return "No other margin would change the verdict."
    parts: list[str] = []
    for decision, stop in segments:
        where = "above that" if math.isinf(stop) else f"up to {stop:.4f}" if parts else f"below {stop:.4f}"
        parts.append(f'{where} "{decision.replace("_", " ")}"')
    return f"Verdict by margin: {'; '.join(parts)}."


def _settled(verdict: Verdict) -> str:
    if verdict.needed_n == 0:
        return ""
    if verdict.needed_n is None:
        if verdict.decision != "cannot_tell":
            return ""
        return "More cases would not settle it, if the two are as they look here."
    cases = "case" if verdict.needed_n == 1 else "cases"
    more = f"About {rounded(verdict.needed_n)} more labelled {cases} would settle it"
    if verdict.counts_errors and not verdict.disagreement.only_incumbent + verdict.disagreement.only_candidate:
        return f"{more}, if the two never differ there either."
    return f"{more} with a probability of 80 %."


def rounded(number: int) -> str:
    """Write a large number with two significant digits.

    >>> rounded(2417), rounded(87)
    ('2,400', '87')
    """
    if number < 100:
        return f"{number}"
    size = 10 ** (len(str(number)) - 2)
    return f"{round(number / size) * size:,}"


def breakdown_words(breakdown: VerdictBreakdown, verdict: Verdict) -> str:
    """Write how many wrong labels the sign and the verdict survive."""
    n = verdict.disagreement.n
    parts = []
    if breakdown.sign is not None:
        parts.append(f"The sign of the difference {survives(round(breakdown.sign * n), n)}.")
    if breakdown.verdict is not None:
        write = _labels_that_change if breakdown.unknown else _verdict_survives
        parts.append(write(round(breakdown.verdict * n), n, verdict))
    return " ".join(parts)


def _labels_that_change(breaking: int, n: int, verdict: Verdict) -> str:
    """Write how many wrong labels are known to change the verdict, where fewer may do."""
    labels = f"{breaking:,} wrong label{'s' if breaking > 1 else ''} ({percent_of(breaking, n)})"
    turned = "" if verdict.replaces else ' to "replace"'
    return f"{labels} could change this verdict{turned}{'; fewer may be enough' if breaking > 1 else ''}."


def _verdict_survives(breaking: int, n: int, verdict: Verdict) -> str:
    if verdict.replaces:
        return f"The verdict {survives(breaking, n)}."
    if breaking == 1:
        return f'One wrong label ({percent_of(1, n)}) could change this verdict to "replace".'
    # another verdict that does not replace, such as equivalent instead of keep, may take fewer
    return f'Not replacing {survives(breaking, n)}; one more could change the verdict to "replace".'
