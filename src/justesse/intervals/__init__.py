"""Confidence intervals, one method per file, and sample sizes.

Intervals of proportions (`wilson`, `clopper_pearson`, ..., `hypergeometric` of a known number of rows), of any
function of counts (`bootstrap`, `delta`), of balanced accuracy (`mover`), of areas under curves (`area_score`,
`delong`, `binormal_score`, `binormal_mean`), of mean losses (`skewed_mean`), of mean errors of numeric predictions
(`mean_error`) and of fold scores (`student`). `smoothing.py` draws resamples with mistakes not seen so far,
`bias_corrected.py` makes intervals of them. `estimate.py` gives each measure its interval. `planning/` computes how
many rows are needed.
"""

from justesse.core.choices import PlainMethod, ProportionMethod
from justesse.intervals.agresti_coull import agresti_coull
from justesse.intervals.bootstrap import bootstrap
from justesse.intervals.clopper_pearson import clopper_pearson
from justesse.intervals.delta import delta
from justesse.intervals.ends import Ends
from justesse.intervals.jeffreys import jeffreys
from justesse.intervals.mover import mover
from justesse.intervals.spread import spread
from justesse.intervals.student import student
from justesse.intervals.wald import wald
from justesse.intervals.wilson import wilson

PROPORTION = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "agresti-coull": agresti_coull,
    "jeffreys": jeffreys,
    "wald": wald,
}

__all__ = [
    "PROPORTION",
    "Ends",
    "PlainMethod",
    "ProportionMethod",
    "agresti_coull",
    "bootstrap",
    "clopper_pearson",
    "delta",
    "jeffreys",
    "mover",
    "spread",
    "student",
    "wald",
    "wilson",
]
