"""The reference judge: what would be decided if every label were right."""

from dataclasses import replace
from typing import Literal, get_args

from justesse.core.all_pairs import AllPairs
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.core.verdict import Verdict, VerdictBreakdown
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
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
    form: Form = "overlap",
) -> Verdict:
    """Judge against the true classes, the standard for all other judges.

    Parameters
    ----------
    case
        The counted rows: labels, the answers of both classifiers, and the true classes if they are known.
    measure
        What to compare, by its name (`accuracy`, `recall:spam`) or as a `Quantity`. Default: accuracy.
    level
        Confidence level of the rule, such as 0.9. Default: 0.95.
    margin
        Smallest difference that matters, in the measure's unit, such as 0.01 for one point of accuracy. Default: 0.
    alternative
        `two-sided`; `greater` can only show that the candidate is better, `less` only that it is worse. Default:
        two-sided.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    draws
        Number of permutations and bootstrap resamples. Default: 2000.
    bootstrap
        How to resample differences that are not of shares; `none` uses the delta method. Default: none.
    form
        `overlap` is `classical` on the true classes, as in the thesis; `paired` is `paired` on them.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    The form `paired` is more powerful: it replaces more often. The reference is not the truth itself: with too few
    rows, both forms keep the incumbent. Benjelloun (2021), 6.5.4.

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 0, 1, 1, 700), (1, 0, 1, 0, 20), (1, 1, 0, 1, 80), (1, 1, 0, 0, 200)]
    >>> verdict = reference(Case(Tally.of(("true", "label", "incumbent", "candidate"), cells)))
    >>> verdict.decision, round(verdict.difference.value, 3)
    ('replace', 0.06)
    """
    _check(form)
    against = case.against_truth
    if against is None:
        raise OptionError(
            "The reference judge needs the true classes in a column of their own. Name it with true=… (--true COL)."
        )
    judge = classical if form == "overlap" else paired
    rule = {"level": level, "margin": margin, "alternative": alternative}
    result = judge(against, measure=measure, seed=seed, draws=draws, bootstrap=bootstrap, **rule)  # type: ignore[arg-type]
    return replace(on_truth(result), judge="reference")


def on_truth(verdict: Verdict) -> Verdict:
    """Correct the assumptions of a verdict that was computed with the true classes in place of the labels."""
    assumptions = tuple(TRUE if words == LABELS else words for words in verdict.assumptions)
    return replace(verdict, assumptions=assumptions, breakdown=NO_LABELS)


def reference_replaces(pairs: AllPairs, rule: Rule, *, form: Form = "overlap") -> Array:
    """Return for every ordered pair whether `reference` replaces."""
    _check(form)
    against = replace(pairs, labels=pairs.need("true", "the true classes"))
    return classical_replaces(against, rule) if form == "overlap" else paired_replaces(against, rule)


def _check(form: str) -> None:
    if form not in get_args(Form):
        raise OptionError(f"The form of the reference must be one of {', '.join(get_args(Form))}; got {form!r}.")
