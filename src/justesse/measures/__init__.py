"""Measures: functions of counts, one per file. A measure is NaN where it is undefined.

`confusion.py` is the table they are computed from; `measure.py`, `ratio.py` and `averages.py` hold what they share.
Measures of scores are in `curves/`, measures of numeric predictions in `regression/`.
A measure knows its direction, its unit, its name in words and its place among the headline figures (`Measure`). Adding
one is its file, a line in `OVERALL` or `PER_CLASS`, and its test.
"""

from justesse.measures.accuracy import accuracy
from justesse.measures.averages import averaged
from justesse.measures.balanced_accuracy import balanced_accuracy
from justesse.measures.class_weighted_error import class_weighted_error
from justesse.measures.confusion import Confusion
from justesse.measures.cost import cost
from justesse.measures.error import error
from justesse.measures.fbeta import f1, fbeta
from justesse.measures.kappa import kappa
from justesse.measures.mcc import mcc
from justesse.measures.measure import Measure
from justesse.measures.npv import npv
from justesse.measures.precision import precision
from justesse.measures.ratio import Ratio
from justesse.measures.recall import recall
from justesse.measures.specificity import specificity

OVERALL: tuple[Measure, ...] = (accuracy, error, balanced_accuracy, mcc, kappa)
PER_CLASS: tuple[Ratio, ...] = (precision, recall, specificity, npv, f1)
ALL = (*OVERALL, *PER_CLASS)
PARAMETRISED = (cost, fbeta, class_weighted_error)
HEADLINE: tuple[Measure, ...] = tuple(
    sorted(
        (item for item in (*OVERALL, *(averaged(measure, "macro") for measure in PER_CLASS)) if item.headline),
        key=lambda measure: measure.headline,
    )
)
MAIN_PER_CLASS: tuple[Ratio, ...] = tuple(item for item in PER_CLASS if item.headline or item.class_headline)
CLASS_HEADLINE: tuple[Ratio, ...] = tuple(
    sorted((item for item in PER_CLASS if item.class_headline), key=lambda measure: measure.class_headline)
)

__all__ = [
    "ALL",
    "CLASS_HEADLINE",
    "HEADLINE",
    "MAIN_PER_CLASS",
    "OVERALL",
    "PARAMETRISED",
    "PER_CLASS",
    "Confusion",
    "Measure",
    "accuracy",
    "averaged",
    "balanced_accuracy",
    "class_weighted_error",
    "cost",
    "error",
    "f1",
    "fbeta",
    "kappa",
    "mcc",
    "npv",
    "precision",
    "recall",
    "specificity",
]
