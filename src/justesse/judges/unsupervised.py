"""The judge without labels: the paired difference of the agreements with a reference classifier."""

import math
from dataclasses import replace

from justesse.core.all_pairs import AllPairs
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate
from justesse.core.verdict import Decision, Verdict, VerdictBreakdown
from justesse.intervals.estimate import Confidence, estimate
from justesse.judges.conclude import INDEPENDENT, both_estimates, conclude
from justesse.judges.evidence import Rule
from justesse.judges.paired import lead, paired_evidence
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.reference_dependence import ReferenceDependence, reference_dependence
from justesse.measures import kappa

INDEPENDENCE = (
    "the reference errs independently of both: where they differ, it is right as often if the candidate is right as if "
    "the incumbent is, and favours neither where both are wrong"
)
BETTER = "the reference is better than chance on the rows where the two differ"
NO_BREAKDOWN = VerdictBreakdown(None, None, "there are no labels")
TITLE = "agreement with the reference"


def unsupervised(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
) -> Verdict:
    """Judge without labels, by the agreement of both classifiers with a reference classifier.

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

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    The labels of the case are the answers of the reference R. If R is right with probability r, independently of a
    classifier that is right with probability p, they agree with probability ::

        pr + (1 - p)(1 - r)s        s: how often two wrong answers are the same (1 for two classes)

    This rises with p if r > (1 - r)s. McNemar's test compares N(A = R ≠ B) with N(B = R ≠ A). The difference of the
    agreements is the difference of the accuracies times r - (1 - r)s, which is below 1: the accuracies differ by at
    least as much. So a small difference of agreements does not show that the two are equivalent, and this judge never
    says so.

    Three classifiers cannot show whether R is independent of the other two. R usually sides with the classifier it
    resembles, whether that is right or not: see `reference_dependence` for how much of this the verdict tolerates. Do
    not use it if R has the architecture or the training data of one of the two. Raj, Singh and Baker (2011).

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 400), (0, 0, 0, 400), (1, 0, 1, 90), (0, 0, 1, 50), (0, 1, 1, 60)]
    >>> verdict = unsupervised(Case(Tally.of(("label", "incumbent", "candidate"), cells)))
    >>> verdict.decision, round(verdict.difference.value, 3), verdict.title
    ('replace', 0.04, 'agreement with the reference')
    """
    asked = quantity(measure, case.tally.classes)
    if asked.name != "accuracy":
        raise OptionError(
            f"The judge unsupervised compares accuracy, by the agreement with a reference classifier, not "
            f"{asked.words}. Other measures need labels."
        )
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    both = both_estimates(case, asked, Confidence(level, draws=draws, seed=seed))
    first, other = (replace(side, name="agreement", words=TITLE) for side in both)
    evidence = replace(
        paired_evidence(case, asked, rule), breakdown=NO_BREAKDOWN, assumptions=(INDEPENDENCE, BETTER), needed_n=None
    )
    plain = conclude(case, asked, evidence, (first, other), judge="unsupervised", rule=rule)
    decision, reason = _decided(case, plain, rule, reference_dependence(case, rule))
    return replace(
        plain,
        decision=decision,
        reason=reason,
        title=TITLE,
        measure="agreement",
        difference=replace(plain.difference, name="agreement difference"),
        needed_n=0 if decision in ("replace", "keep") else None,
        assumptions=(INDEPENDENCE, BETTER, INDEPENDENT, "all classifiers answered the same rows"),
        outcome=replace(plain.outcome, assumptions=(plain.outcome.assumptions[0], INDEPENDENCE)),
    )


def agreement_beyond_chance(case: Case, rule: Rule) -> tuple[Estimate, Estimate]:
    """Return Cohen's kappa of the reference with the incumbent and with the candidate.

    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 40), (0, 0, 0, 40), (1, 0, 1, 12), (0, 0, 1, 8)]
    >>> first, other = agreement_beyond_chance(Case(Tally.of(("label", "incumbent", "candidate"), cells)), Rule())
    >>> round(first.value, 2), round(other.value, 2)
    (0.76, 0.84)
    """
    confidence = Confidence(rule.level, draws=rule.draws, seed=rule.seed)
    first, other = (estimate(table, [kappa], confidence)[0] for table in (case.incumbent, case.candidate))
    return first, other


def _decided(case: Case, plain: Verdict, rule: Rule, dependence: ReferenceDependence) -> tuple[Decision, str]:
    """Decide by the interval, unless the reference may be no better than chance; never say equivalent."""
    interval = plain.difference.interval
    if interval is None:
        return "cannot_tell", plain.reason
    if not dependence.differ:
        return "cannot_tell", "Both give the same answer to every row, so no reference can order them."
    chance = agreement_beyond_chance(case, rule)
    for side, name in zip(chance, ("incumbent", "candidate"), strict=True):
        if math.isnan(side.value) or side.interval is None or not side.interval.low > 0:
            return "cannot_tell", (
                f"The reference does not agree with the {name} more than chance would explain: it may be no better "
                "than chance, and then the order is not identified."
            )
    if interval.unclipped_low > rule.margin:
        return "replace", "The reference agrees more often with the candidate, beyond chance."
    if interval.unclipped_high < 0:
        return "keep", "The reference agrees more often with the incumbent, beyond chance."
    if interval.unclipped_high < rule.margin:
        return "cannot_tell", (
            "The agreements differ by less than the margin. The accuracies may differ by more, because the reference "
            "errs too: without labels this cannot be settled."
        )
    return "cannot_tell", (
        "The agreements with the reference do not differ beyond chance: it cannot tell which of the two is better."
    )


def unsupervised_replaces(pairs: AllPairs, rule: Rule) -> Array:
    """Return for every ordered pair whether `unsupervised` replaces, if the reference is better than chance.

    >>> import numpy as np
    >>> from justesse.core.case import Disagreement
    >>> right, only = np.array([[70, 60], [60, 80]]), np.array([[0, 10], [20, 0]])
    >>> pairs = AllPairs("accuracy", Disagreement(right, only, only.T, 10 + 0 * only, 0 * only))
    >>> unsupervised_replaces(pairs, Rule(level=0.9)).tolist()
    [[False, True], [False, False]]
    """
    return lead(pairs.labels, rule, pairs.measure) > 0
