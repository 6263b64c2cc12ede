"""Measures of scores and probabilities, and the curves behind them."""

import math

from justesse.measures.curves.score_measure import ScoreMeasure

ONE_SIDED = "both the positive class and the others must occur"
NO_POSITIVE = "the positive class never occurs"
INFINITE = "a row's own label was given probability 0, which is an infinite loss"

ROC_AUC = ScoreMeasure("roc_auc", "ROC AUC", ONE_SIDED, headline=1)
AVERAGE_PRECISION = ScoreMeasure("average_precision", "average precision", NO_POSITIVE)
ROC_AUC_OVO = ScoreMeasure("roc_auc_ovo", "one-vs-one ROC AUC", ONE_SIDED)
LOG_LOSS = ScoreMeasure("log_loss", "log loss", INFINITE, greater_is_better=False, bounds=(0.0, math.inf))
BRIER = ScoreMeasure("brier", "Brier score", INFINITE, greater_is_better=False)

ALL = (ROC_AUC, AVERAGE_PRECISION, ROC_AUC_OVO, LOG_LOSS, BRIER)
