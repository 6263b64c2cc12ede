"""(d) Only the noise rate or the transition table is known: bounds of the true difference of two classifiers."""

from collections.abc import Sequence

import numpy as np

from justesse.core.case import Case, Disagreement
from justesse.core.results import Alternative, tail_levels
from justesse.noise.bounds import NOT_SAMPLING, Bounds
from justesse.noise.counted import on_classes, padded
from justesse.noise.counted_bounds import counted_rung, one_sided
from justesse.noise.counted_rate import counted_rate, is_of_these, may_be_of_these
from justesse.noise.coupling import difference_range
from justesse.noise.rate_range import Rate, rate_range, rate_words, whole_rows
from justesse.noise.rung import FROM_RATE, FROM_TABLE, Rung
from justesse.noise.transition import Transition

NAME = "accuracy difference"


def difference_at(table: Disagreement, rate: float) -> tuple[float, float]:
    """Compute the lowest and highest true difference if at most this share of labels is wrong.

        d ∓ [2·min(ε, share that only the other gets right) + min(what is left of ε, share both wrong differently)]

    Sharp in whole rows: every row in these cells can be re-labelled so.

    >>> [round(end, 4) for end in difference_at(Disagreement(80, 4, 10, 3, 3), 0.05)]
    [-0.04, 0.15]
    """
    rows = whole_rows(0.0, rate, int(table.n))[1]
    low = table.relabelled(rows, towards="incumbent").difference
    high = table.relabelled(rows, towards="candidate").difference
    return float(low), float(high)


def difference_band(table: Disagreement, rates: Sequence[float]) -> tuple[tuple[float, float, float], ...]:
    """Compute (share of wrong labels, lowest, highest true difference) for shares that are whole rows.

    >>> difference_band(Disagreement(80, 4, 10, 3, 3), [0.0, 0.05])
    ((0.0, 0.06, 0.06), (0.05, -0.04, 0.15))
    """
    rows = np.rint(np.asarray(rates) * int(table.n)).astype(np.int64)
    low = table.relabelled(rows, towards="incumbent").difference
    high = table.relabelled(rows, towards="candidate").difference
    return tuple(zip(rates, low.tolist(), high.tolist(), strict=True))


def difference_from_rate(table: Disagreement, rate: Rate) -> Rung[Bounds]:
    """Bound the true difference of accuracy when only the noise rate is known; of a range its high end counts.

    >>> result = difference_from_rate(Disagreement(80, 4, 10, 3, 3), 0.05).figures[0]
    >>> round(result.apparent, 2), round(result.low, 2), round(result.high, 2), result.sharp
    (0.06, -0.04, 0.15, True)
    """
    low, high = rate_range(rate if isinstance(rate, tuple) else (0.0, rate))
    words = f"{rate_words(0.0, high)} of the labels are wrong"
    ends = difference_at(table, whole_rows(low, high, int(table.n))[1] / table.n)
    bounds = Bounds(NAME, None, None, float(table.difference), *ends, True, words, int(table.n))
    return Rung(
        FROM_RATE,
        (bounds,),
        (words, NOT_SAMPLING),
        "the noise rate is higher than given",
    )


def difference_from_transition(case: Case, transition: Transition) -> Rung[Bounds]:
    """Bound the true difference of accuracy when only the transition table is known: a flow per label.

        given label a: the law of the true class and that of the two answers are known, only their coupling is not

    For a table counted on other rows use `difference_from_counted`.

    >>> from justesse.core.tally import Tally
    >>> cells = [("a", "a", "a", 40), ("a", "b", "a", 8), ("a", "a", "b", 2), ("b", "b", "b", 50)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> result = difference_from_transition(case, Transition.from_table([[9, 1], [1, 9]], ["a", "b"])).figures[0]
    >>> round(result.apparent, 2), round(result.low, 2), round(result.high, 2)
    (0.06, -0.04, 0.1)
    """
    tally = case.tally.marginal("label", "incumbent", "candidate")
    rows = on_classes(tally, transition.classes, what="the transition table")
    joint = transition.joint(rows.sums("label")[: len(transition.classes)])
    low, high = difference_range(rows, padded(joint, len(rows.classes)))
    apparent = float(case.disagreement.difference)
    bounds = Bounds(NAME, None, None, apparent, low, high, True, "the transition table is right", tally.n)
    return Rung(
        FROM_TABLE,
        (bounds,),
        ("the transition table is exact for these rows",),
        "the table was counted on too few rows, or on different rows",
    )


def difference_from_counted(
    case: Case,
    transition: Transition,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    seed: int = 0,
) -> Rung[Bounds]:
    """Bound the true difference of accuracy by a transition table that was counted on a random sample of rows.

        the bounds from the rate, for the share of wrong labels that the counts allow

    Parameters
    ----------
    case
        Counts of both classifiers' answers.
    transition
        The transition table with its counts. A table of shares, or one counted on exactly these rows, is exact:
        `difference_from_transition` is used.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.
    seed
        Seed of the draws.

    Notes
    -----
    The ends hold with about `level` or more, not for certain. Do not use it if the rows of the table were not drawn
    at random. Clopper and Pearson (1934).

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [("a", "a", "a", 400), ("a", "b", "a", 80), ("a", "a", "b", 20), ("b", "b", "b", 500)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> result = difference_from_counted(case, Transition.from_table([[45, 5], [5, 45]], ["a", "b"])).figures[0]
    >>> result.low < -0.04 < 0.1 <= result.high, result.sharp
    (True, False)
    """
    tally = case.tally.marginal("label", "incumbent", "candidate")
    rows = on_classes(tally, transition.classes, what="the transition table")
    labels = rows.sums("label")[: len(transition.classes)]
    if is_of_these(labels, transition):
        return difference_from_transition(case, transition)
    rate = counted_rate(labels, transition, level=level, alternative=alternative, seed=seed)
    bounds = difference_from_rate(case.disagreement, rate).figures[0]
    ends = one_sided(bounds, tail_levels(level, alternative), (-1.0, 1.0))
    return counted_rung([ends], transition, level, may_be_of_these(labels, transition))
