"""What may be misread in an assessment, the most important first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment

REASONS = 3  # different reasons of failure listed for each model
NAMES = 5  # names listed before the rest are counted


def cautions(result: "Assessment") -> list[str]:
    """List the warnings of the run, of each model, and of figures without an interval."""
    lines = []
    for name, scored in result.scored.items():
        if not result.runs.answered(name):
            lines.append(f"{name} failed in every split: it has no figures.")
        lines += [f"{name}: {warning}" for warning in scored.warnings]
        reasons = dict.fromkeys(fit.failure for fit in result.runs.fits[name] if fit.failure)
        lines += [f"{name} failed: {reason}." for reason in list(reasons)[:REASONS]]
    lines += result.run_warnings
    lines += _without_interval(result)
    if result.anova:
        lines += result.anova.warnings
    if result.selections and result.plan.group:
        lines.append("Searches choose in inner folds that ignore groups; the outer figures keep groups together.")
    return list(dict.fromkeys(lines))


def _without_interval(result: "Assessment") -> list[str]:
    """Explain missing intervals, where a table has room for a dash only."""
    reasons: dict[str, list[str]] = {}
    for name in result.ranked:
        estimate = result[name, "accuracy"]
        if estimate.interval is None and estimate.undefined:
            reasons.setdefault(estimate.undefined, []).append(f"the accuracy of {name}")
    for pair in result.pairs:
        if pair.difference.interval is None and pair.difference.undefined:
            reasons.setdefault(pair.difference.undefined, []).append(f"{pair.better} vs {pair.worse}")
    return [
        f"No interval for {listed(names)}: {reason.removeprefix('no interval: ')}." for reason, names in reasons.items()
    ]


def listed(names: Sequence[str]) -> str:
    """List names in a sentence; count those after the fifth.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(list("abcdefgh"))
    ('a', 'a, b and c', 'a, b, c, d, e and 3 others')
    """
    if len(names) > NAMES + 1:
        return f"{', '.join(names[:NAMES])} and {len(names) - NAMES} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
