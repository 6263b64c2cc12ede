"""The first prudent judge: could the candidate still win if wrong labels had helped it as much as they can?"""

from typing import Literal

import numpy as np

from justesse.core.all_pairs import AllPairs, Judgeable, PairTable, shares
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.core.verdict import Verdict
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.shifted import Biases, judge_shifted, shifted_lead, table_of
from justesse.judges.wrong_labels import WrongLabels
from justesse.noise.extreme_bias import extreme_bias, worst_biases
from justesse.noise.transition import Transition
from justesse.significance.overlap import overlap_z
from justesse.significance.share_spreads import spreads

Observed = float | Literal["observed"]
SMALLEST = 1e-9  # intervals of two that never disagree have next to no width, but are intervals


def prudent_v1(
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
    correlation: Observed = 0.0,
    ratio: Observed = 1.0,
) -> Verdict:
    """Judge by overlap, with the least possible bias of the incumbent and the largest of the candidate.

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
    correlation
        Assumed correlation of the two estimates, or "observed".
    ratio
        Assumed ratio of their standard errors; "observed" if and only if `correlation` is.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    ::

        replace if (low end of the candidate - most bias) - (high end of the incumbent - least bias) > margin

    The biases are the extremes of `noise.extreme_bias`, ±P(N) for accuracy: from the true classes, a transition table
    or the share of wrong labels alone. Both extremes at once are usually impossible, so it refuses most real
    improvements: prefer `sharp`. The interval of the difference covers whatever the biases allow, in both directions.
    Benjelloun (2021), 6.5.4.

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 700), (1, 1, 0, 20), (1, 0, 1, 80), (1, 0, 0, 200)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> [prudent_v1(case, rate=rate).decision for rate in (0.01, 0.05)]
    ['replace', 'cannot_tell']
    """
    asked = quantity(measure, case.tally.classes)
    about = asked.judgeable("prudent_v1")
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    wrong = WrongLabels.of(case, "prudent_v1", rate, transition)
    table = table_of(case, asked)
    z = float(own_z(table, about, rule, correlation, ratio))
    assumptions = (
        "the bias of each classifier may be the largest possible, in either direction",
        f"each interval reaches {z:.4g} standard errors (correlation {correlation}, ratio {ratio})",
    )
    biases = extreme_biases(table, about, wrong, asked.at)
    return judge_shifted(case, asked, rule, z, biases, judge="prudent_v1", labels=wrong.words, assumptions=assumptions)


def prudent_v1_replaces(
    pairs: AllPairs, rule: Rule, *, rate: float | None = None, correlation: Observed = 0.0, ratio: Observed = 1.0
) -> Array:
    """Return for every ordered pair whether `prudent_v1` replaces, knowing the rate or else the true classes."""
    wrong = WrongLabels.of_pairs(pairs, "prudent_v1", rate)
    z = own_z(pairs.labels, pairs.measure, rule, correlation, ratio)
    biases = extreme_biases(pairs.labels, pairs.measure, wrong, pairs.at)
    return shifted_lead(pairs.labels, pairs.measure, rule, z, biases) > 0


def extreme_biases(table: PairTable, measure: Judgeable, wrong: WrongLabels, at: int | None) -> Biases:
    """Return each classifier's bias at the extreme that favours the incumbent, and at the other extreme."""
    if wrong.joint is None:
        least, most = worst_biases(table, measure, wrong.rate)
        least_of_other, most_of_one = worst_biases(table.swapped, measure, wrong.rate)
        return Biases(least, most, most_of_one, least_of_other)
    result = shares(table, measure)
    first, other = (
        extreme_bias(measure, wrong.joint, at=at, predicted=rows) for rows in (result.incumbent_of, result.candidate_of)
    )
    return Biases(first.low, other.high, first.high, other.low)


def own_z(table: PairTable, measure: Judgeable, rule: Rule, correlation: Observed, ratio: Observed) -> Array:
    """Return how many standard errors each interval reaches, so that the rule has its level (Knol).

        z·s_d / (s_1 + s_2)      s_d: of the difference, as the correlation and the ratio of s_1 and s_2 make it

    >>> from justesse.core.case import Disagreement
    >>> float(own_z(Disagreement(80, 4, 10, 3, 3), "accuracy", Rule(), "observed", "observed").round(4))
    1.0859
    """
    if "observed" not in (correlation, ratio):
        both = {"correlation": float(correlation), "ratio": float(ratio)}
        return np.asarray(overlap_z(rule.level, alternative=rule.alternative, **both))
    if correlation != ratio:
        raise OptionError(
            f"Give both correlation and ratio, or 'observed' for both; got {correlation!r} and {ratio!r}."
        )
    result = spreads(table, measure)
    total = np.asarray(result.incumbent + result.candidate)
    # two that are always right, or always wrong, show no spread: then as if unrelated and alike, as one alone varies
    part = np.divide(result.difference, total, out=np.ones_like(total), where=total > 0)
    return np.asarray(np.maximum(rule.z * part, SMALLEST))
