"""How far chance moves two shares on the same rows, and their difference."""

from dataclasses import dataclass

import numpy as np

from justesse.core.all_pairs import Judgeable, PairTable, right_rows, shares
from justesse.core.arrays import Array
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.measures.confusion import ratio


@dataclass(frozen=True)
class Spreads:
    """Standard errors of the incumbent's share, the candidate's and of their difference; NaN where undefined."""

    incumbent: Array
    candidate: Array
    difference: Array


def spreads(table: PairTable, measure: Judgeable) -> Spreads:
    """Compute the standard errors of two shares and of their difference, for one pair or for many (delta method).

        s² = p(1-p)/n,   s_d² = s_1² + s_2² - 2·Σ_rows both are about (y - p_1)(y' - p_2) / (n_1·n_2)

    y and y' are 1 where the incumbent, the candidate is right. For accuracy and recall both are about the same rows,
    for precision about those that both predict as the class. Wrong to use with few rows or shares near 0 or 1, where
    the spread is skewed: use the score statistic there.

    Parameters
    ----------
    table
        Who is right on how many rows, for one pair or many.
    measure
        Share to compare: accuracy, recall or precision.

    Examples
    --------
    >>> from justesse.core.case import Disagreement
    >>> result = spreads(Disagreement(80, 4, 10, 3, 3), "accuracy")
    >>> float(result.incumbent.round(4)), float(result.difference.round(4))
    (0.0367, 0.0369)
    """
    counted, rows = shares(table, measure), right_rows(table)
    incumbent = ratio(counted.incumbent_right, counted.incumbent_of)
    candidate = ratio(counted.candidate_right, counted.candidate_of)
    both = rows.both_right
    if measure == "precision":
        assert isinstance(table, OneVsRestPair)
        # a row that both call so is right or wrong for both
        together = both * (1 - incumbent) * (1 - candidate) + table.others.both_right * incumbent * candidate
    else:
        together = both - rows.n * incumbent * candidate
    variances = (
        ratio(incumbent * (1 - incumbent), counted.incumbent_of),
        ratio(candidate * (1 - candidate), counted.candidate_of),
    )
    shared = ratio(together, np.multiply(counted.incumbent_of, counted.candidate_of, dtype=float))
    apart = np.maximum(variances[0] + variances[1] - 2 * shared, 0.0)
    return Spreads(*(np.sqrt(variance) for variance in (*variances, apart)))
