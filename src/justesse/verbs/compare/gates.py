"""Gates for pipelines: may this candidate pass?"""

from typing import Any, get_args

from justesse.core.choices import Gate as Gate
from justesse.core.errors import OptionError
from justesse.core.results import Estimate
from justesse.core.verdict import Decision


def check_gate(gate: str, margin: float, robust: bool) -> None:
    """Refuse a gate that cannot be meant."""
    if gate not in get_args(Gate):
        raise OptionError(f"gate must be one of {', '.join(get_args(Gate))}; got {gate!r}.")
    if gate == "not-worse" and not margin:
        raise OptionError("The gate not-worse needs the largest acceptable loss. Give a margin, such as --margin 1%.")
    if robust and gate != "better":
        raise OptionError(f"robust (--robust) works with the gate 'better' only; got {gate!r}.")


def passes(
    gate: Gate,
    decision: Decision,
    difference: Estimate,
    margin: float,
    robust: bool = False,
    fragile: bool | None = False,
) -> bool:
    """Say whether a verdict passes a gate.

    Parameters
    ----------
    gate
        better, not-worse (than the margin) or none.
    decision
        What was decided.
    difference
        Candidate minus incumbent, with its interval.
    margin
        Smallest gain that matters; for not-worse, the largest acceptable loss.
    robust
        Refuse a fragile verdict.
    fragile
        Whether plausible wrong labels could overturn the verdict. If it is not known (`None`), the verdict does not
        pass as robust.

    >>> from justesse.core.results import Interval
    >>> alike = Estimate("accuracy difference", 0.0, 1000, Interval(-0.004, 0.004, 0.95, "tango"))
    >>> passes("better", "equivalent", alike, 0.01), passes("not-worse", "equivalent", alike, 0.01)
    (False, True)
    >>> ahead = Estimate("macro f1 difference", 0.02, 1000, Interval(0.01, 0.03, 0.95, "delta"))
    >>> passes("better", "replace", ahead, 0.0), passes("better", "replace", ahead, 0.0, robust=True, fragile=None)
    (True, False)
    """
    check_gate(gate, margin, robust)
    if gate == "none":
        return True
    if gate == "better":
        return decision == "replace" and (not robust or fragile is False)
    return difference.interval is not None and difference.interval.low > -margin


def gates(decision: Decision, difference: Estimate, margin: float, fragile: bool | None) -> dict[str, Any]:
    """Say for every gate whether it passes; `not_worse` is `None` without a margin, `fragile` is `None` if not known."""
    return {
        "better": passes("better", decision, difference, margin),
        "better_robust": passes("better", decision, difference, margin, True, fragile),
        "not_worse": passes("not-worse", decision, difference, margin) if margin else None,
    }
