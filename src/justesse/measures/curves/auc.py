"""Area under the ROC curve: the chance that a positive row scores above a negative one, ties counting half.

    AUC = P(s⁺ > s⁻) + P(s⁺ = s⁻)/2

Undefined when one side is empty. It says nothing about calibration nor about any one threshold, and a class a
thousand times rarer than the other can have a high AUC and a useless precision. Hanley and McNeil (1982).

>>> round(auc(ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0])), 4)
0.7778
"""

from justesse.measures.curves.score_counts import ScoreCounts


def auc(table: ScoreCounts) -> float:
    """Return the area, NaN if one side is empty."""
    if not (table.n_positive and table.n_negative):
        return float("nan")
    beaten = table.n_negative - table.false_positives  # negatives with a lower score
    return float((table.positives * (beaten + table.negatives / 2)).sum() / (table.n_positive * table.n_negative))


def auc_error(table: ScoreCounts) -> float:
    """Return the largest error of the area when rows of one bin count as tied: half the mixed pairs."""
    if not (table.width and table.n_positive and table.n_negative):
        return 0.0
    return float((table.positives * table.negatives).sum() / (2 * table.n_positive * table.n_negative))
