"""What wrong labels do to a comparison, as rows of a table."""

import math
from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.report.writing import written

if TYPE_CHECKING:
    from justesse.noise.difference_noise_report import DifferenceNoiseReport


def rung_rows(report: "DifferenceNoiseReport") -> list[list[str]]:
    """List the true difference on each rung: assumption, value, interval or bounds, when it fails."""
    rows = []
    for rung in report.rungs:
        for figure in rung.found:
            if isinstance(figure, Estimate):
                value = "undefined" if math.isnan(figure.value) else f"{figure.value:+.4f}"
                interval = figure.interval
                level = f" ({100 * interval.level:.4g} %)" if interval else ""
                reach = written("difference_interval", figure) + level if interval else figure.undefined or "–"
                rows.append([rung.name, value, reach, rung.fails_when])
            else:
                reach = f"{figure.low:+.4f} to {figure.high:+.4f} for these rows"
                rows.append([figure.assumption, "bounds only", reach, rung.fails_when])
    return rows
