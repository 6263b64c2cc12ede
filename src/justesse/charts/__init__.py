"""Charts: plain data first, drawing second; every function returns an Altair chart that a notebook shows."""

from justesse.charts.calibration import calibration_chart
from justesse.charts.confidence_sequence import confidence_sequence_chart
from justesse.charts.confusion import confusion_chart
from justesse.charts.cost import cost_chart
from justesse.charts.critical_difference import critical_difference_chart
from justesse.charts.decision_matrix import decision_matrix_chart
from justesse.charts.difference import difference_chart
from justesse.charts.difference_band import difference_band_chart
from justesse.charts.disagreement import disagreement_chart
from justesse.charts.fold_boxes import fold_boxes_chart
from justesse.charts.fold_pairs import fold_pairs_chart
from justesse.charts.intervals import interval_chart
from justesse.charts.learning_curve import learning_curve_chart
from justesse.charts.noise_band import noise_band_chart
from justesse.charts.overlay import overlay_chart
from justesse.charts.precision_recall import precision_recall_chart
from justesse.charts.predicted_against_true import predicted_chart
from justesse.charts.rates_by_noise import rates_by_noise_chart
from justesse.charts.residuals import residual_chart
from justesse.charts.resistance import resistance_chart
from justesse.charts.roc import roc_chart
from justesse.charts.slices import slice_chart
from justesse.charts.train_test_gap import train_test_gap_chart
from justesse.charts.verdicts import verdict_chart

ALL = (
    interval_chart,
    confusion_chart,
    roc_chart,
    precision_recall_chart,
    calibration_chart,
    cost_chart,
    slice_chart,
    difference_chart,
    disagreement_chart,
    overlay_chart,
    fold_pairs_chart,
    fold_boxes_chart,
    critical_difference_chart,
    verdict_chart,
    noise_band_chart,
    difference_band_chart,
    resistance_chart,
    decision_matrix_chart,
    rates_by_noise_chart,
    confidence_sequence_chart,
    train_test_gap_chart,
    learning_curve_chart,
    predicted_chart,
    residual_chart,
)

__all__ = [
    "ALL",
    "calibration_chart",
    "confidence_sequence_chart",
    "confusion_chart",
    "cost_chart",
    "critical_difference_chart",
    "decision_matrix_chart",
    "difference_band_chart",
    "difference_chart",
    "disagreement_chart",
    "fold_boxes_chart",
    "fold_pairs_chart",
    "interval_chart",
    "learning_curve_chart",
    "noise_band_chart",
    "overlay_chart",
    "precision_recall_chart",
    "predicted_chart",
    "rates_by_noise_chart",
    "residual_chart",
    "resistance_chart",
    "roc_chart",
    "slice_chart",
    "train_test_gap_chart",
    "verdict_chart",
]
