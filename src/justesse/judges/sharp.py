"""The sharp judge: paired, against the worst placing of wrong labels on the rows where the two disagree."""

from typing import Literal, get_args

import numpy as np

from justesse.core.all_pairs import AllPairs, Judgeable, PairTable, right_rows, shares
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.errors import OptionError
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.core.results import Alternative, Interval, tail_levels
from justesse.core.verdict import Verdict
from justesse.intervals.delta import TINY
from justesse.intervals.estimate import Confidence
from justesse.judges.breakdown import breakdown_of_sign
from justesse.judges.conclude import both_estimates, conclude, gap_n
from justesse.judges.evidence import UNKNOWN, Evidence, Rule
from justesse.judges.paired import lead, paired_evidence
from justesse.judges.placing import Budget, placings, worst_placing
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.shifted import table_of
from justesse.judges.wrong_labels import WrongLabels
from justesse.noise.transition import Transition
from justesse.significance.paired_difference import paired_difference
from justesse.significance.share_spreads import spreads

Variance = Literal["worst", "observed"]


def sharp(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
    rate: float | None = None,
    transition: Transition | None = None,
    variance: Variance = "worst",
) -> Verdict:
    """Judge as `paired` does, allowing for wrong labels in the worst places.

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
    rate
        Largest share of wrong labels, for judges that allow for them. Default: from the true classes.
    transition
        Transition table of true classes and labels, used instead of `rate`.
    variance
        `worst` uses the standard error against the corrected labels, `observed` that against the labels.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    ::

        replace if the lower end of the paired difference > margin for every way to re-label ⌊rate·n⌋ rows

    With the true classes or a transition table, no more labels of a class are changed than these show to be wrong. A
    label matters only on rows where the two disagree. With few such rows, `sharp` replaces more often than
    `prudent_v1`; with many more of them than wrong labels, it is nearly as strict. With `variance="observed"` it
    replaces wherever `prudent_v1` does with the observed correlation and ratio. The interval reaches from the worst
    placing of the wrong labels to the best one. Do not use it if the rate may be higher than `rate`. It ignores which
    rows are likely to be wrong.

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 700), (1, 1, 0, 20), (1, 0, 1, 80), (1, 0, 0, 200)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> [sharp(case, rate=rate).decision for rate in (0.01, 0.02, 0.05)]
    ['replace', 'replace', 'cannot_tell']
    """
    asked = quantity(measure, case.tally.classes)
    about = asked.judgeable("sharp")
    _check(variance)
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    wrong = WrongLabels.of(case, "sharp", rate, transition)
    table, most = table_of(case, asked), wrong.budget(case.n, asked.at)
    both = both_estimates(case, asked, Confidence(level, draws=draws, seed=seed))
    low, worst = _least(table, about, most, rule, variance)
    high, best = (-end for end in _least(table.swapped, about, most, rule, variance))
    bounds = (-1.0, 1.0)
    ends = {"greater": (low, 1.0), "less": (-1.0, high)}.get(alternative, (low, high))
    interval = (
        None if np.isnan(low + high) else Interval(*ends, level, "worst placing of wrong labels", bounds, alternative)
    )
    evidence = Evidence(
        interval,
        paired_evidence(case, asked, rule).outcome,
        breakdown_of_sign(case.disagreement) if asked.at is None else UNKNOWN,
        # more rows narrow the interval, but leave as large a share of them wrong
        gap_n(interval, float(np.clip(margin, worst, best)), case.n, rule),
        assumptions=(
            f"at most {most.rows:,} wrong labels matter here, and they may be anywhere",
            "the standard error is that against the labels"
            if variance == "observed"
            else "the standard error is that against the corrected labels",
            "the significance test assumes that the labels are right",
        ),
    )
    return conclude(case, asked, evidence, both, judge="sharp", rule=rule, labels=wrong.words)


def sharp_replaces(pairs: AllPairs, rule: Rule, *, rate: float | None = None, variance: Variance = "worst") -> Array:
    """Return for every ordered pair whether `sharp` replaces, knowing the rate or else the true classes."""
    _check(variance)
    wrong = WrongLabels.of_pairs(pairs, "sharp", rate)
    table, measure = pairs.labels, pairs.measure
    if rule.alternative == "less":
        return np.zeros(np.shape(right_rows(table).n), dtype=bool)
    most = wrong.budget(int(np.max(table.n)), pairs.at)
    if variance == "worst" and measure != "precision":
        return lead(worst_placing(table, measure, most), rule, measure) > 0
    z = 0.0 if variance == "observed" else rule.z

    def replaces(compared: PairTable, budget: Budget) -> Array:
        placed = worst_placing(compared, measure, budget, z=z)
        return np.asarray(_low_ends(compared, placed, measure, rule, variance) > rule.margin)

    if measure != "precision":
        return replaces(table, most)
    assert isinstance(table, OneVsRestPair)
    result = replaces(table, Budget.of(0))
    some = table.at(result)  # pairs that would be replaced with all labels right
    # the search is long, and needed only for pairs that one bad placing does not keep
    result[result] = _low_ends(some, worst_placing(some, "recall", most), measure, rule, variance) > rule.margin
    result[result] = replaces(table.at(result), most)
    return result


def _least(table: PairTable, measure: Judgeable, most: Budget, rule: Rule, variance: Variance) -> tuple[float, float]:
    """Return the lowest lower end over the placings, and the lowest difference."""
    if measure == "recall" and 0 < right_rows(table).n <= most.leaving:
        return -1.0, -1.0  # no row may be truly of the class
    z = 0.0 if variance == "observed" else rule.z
    ends, differences = [], []
    for changed in placings(table, measure, most, z=z):
        who = right_rows(changed)
        if variance == "worst" and measure != "precision":
            # one-sided or not, the end is as many deviations away
            end = paired_difference(
                who.only_incumbent,
                who.only_candidate,
                who.n,
                level=1 - max(tail_levels(**rule.sides)),
                alternative="greater",
            ).low
        else:
            end = _low_ends(table, changed, measure, rule, variance)
        ends.append(np.min(end))
        differences.append(np.min(shares(changed, measure).difference))
    return float(np.min(ends)), float(np.min(differences))


def _low_ends(table: PairTable, changed: PairTable, measure: Judgeable, rule: Rule, variance: Variance) -> Array:
    """Return difference - z·error after re-labelling, for precision or with the observed standard error."""
    seen = spreads(table, measure).difference
    if variance == "observed":
        return np.asarray(shares(changed, measure).difference - rule.z * seen)
    # what never varies on these rows has no interval, as for the paired judge
    error = np.where(seen > TINY, spreads(changed, measure).difference, np.nan)
    return np.asarray(shares(changed, measure).difference - rule.z * error)


def _check(variance: str) -> None:
    if variance not in get_args(Variance):
        raise OptionError(f"The variance must be one of {', '.join(get_args(Variance))}; got {variance!r}.")
