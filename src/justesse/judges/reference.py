"""The reference judge: what would be decided if every label were right."""

from dataclasses import replace
from typing import Literal, get_args

from justesse.core.all_pairs import AllPairs
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.core.verdict import Verdict, VerdictBreakdown
from justesse.intervals.estimate import Resampling
from justesse.judges.classical import classical, classical_replaces
from justesse.judges.conclude import LABELS
from justesse.judges.evidence import Rule
from justesse.judges.paired import paired, paired_replaces
from justesse.judges.quantity import Quantity

Form = Literal["overlap", "paired"]
TRUE = "the true classes are right"
NO_LABELS = VerdictBreakdown(None, None, "the verdict is on the true classes, not on labels")


def reference(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    draws: int = 2000,
    bootstrap: Resampling = "none",
    form: Form = "overlap",
) -> Verdict:
    """Judge against the true classes, where they are known: what other judges are measured by.

    Form `overlap` is the thesis': `classical` on the true classes. Form `paired` is the sharper `paired` on them: it
    replaces more often. Wrong to use as the truth itself: both forms still keep the incumbent where the rows are too
    few. Benjelloun (2021), 6.5.4.

    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 0, 1, 1, 700), (1, 0, 1, 0, 20), (1, 1, 0, 1, 80), (1, 1, 0, 0, 200)]
    >>> found = reference(Case(Tally.of(("true", "label", "incumbent", "candidate"), cells)))
    >>> found.decision, round(found.difference.value, 3)
    ('replace', 0.06)
    """
    _check(form)
    against = case.against_truth
    if against is None:
        raise OptionError("the reference judge needs the true classes, apart from the labels: true=… (--true COL)")
    judge = classical if form == "overlap" else paired
    rule = {"level": level, "margin": margin, "alternative": alternative}
    result = judge(against, measure=measure, seed=seed, draws=draws, bootstrap=bootstrap, **rule)  # type: ignore[arg-type]
    return replace(on_truth(result), judge="reference")


def on_truth(verdict: Verdict) -> Verdict:
    """Give a verdict that was made with the true classes in the labels' place the assumptions that it rests on."""
    assumptions = tuple(TRUE if words == LABELS else words for words in verdict.assumptions)
    return replace(verdict, assumptions=assumptions, breakdown=NO_LABELS)


def reference_replaces(pairs: AllPairs, rule: Rule, *, form: Form = "overlap") -> Array:
    """Say for every ordered pair whether `reference` replaces."""
    _check(form)
    against = replace(pairs, labels=pairs.need("true", "the true classes"))
    return classical_replaces(against, rule) if form == "overlap" else paired_replaces(against, rule)


def _check(form: str) -> None:
    if form not in get_args(Form):
        raise OptionError(f"the form of the reference is one of {', '.join(get_args(Form))}; got {form!r}")
