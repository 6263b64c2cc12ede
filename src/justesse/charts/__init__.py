"""Charts: plain data first, drawing second; every function returns an Altair chart that a notebook shows."""

from justesse.charts.calibration import calibration_chart
from justesse.charts.confusion import confusion_chart
from justesse.charts.cost import cost_chart
from justesse.charts.intervals import interval_chart
from justesse.charts.precision_recall import precision_recall_chart
from justesse.charts.roc import roc_chart
from justesse.charts.slices import slice_chart

ALL = (
    interval_chart,
    confusion_chart,
    roc_chart,
    precision_recall_chart,
    calibration_chart,
    cost_chart,
    slice_chart,
)

__all__ = [
    "ALL",
    "calibration_chart",
    "confusion_chart",
    "cost_chart",
    "interval_chart",
    "precision_recall_chart",
    "roc_chart",
    "slice_chart",
]
