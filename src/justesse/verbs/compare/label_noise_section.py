"""What wrong labels do to a comparison, as rows of a table."""

from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.report.document import Text
from justesse.report.writing import message, written

if TYPE_CHECKING:
    from justesse.noise.difference_noise_report import DifferenceNoiseReport


def rung_rows(report: "DifferenceNoiseReport") -> list[list[str]]:
    """List the true difference on each rung: assumption, value, interval or bounds, when it fails."""
    rows = []
    for rung in report.rungs:
        for figure in rung.figures:
            if isinstance(figure, Estimate):
                interval = figure.interval
                reach: Text = figure.undefined or "–"
                if interval:
                    reach = message(
                        "{difference:difference_interval} ({level:level})", difference=figure, level=interval.level
                    )
                rows.append([rung.name, written("difference", figure), str(reach), rung.fails_when])
            else:
                reach = message(
                    "{low:difference} to {high:difference} for these rows", low=figure.low, high=figure.high
                )
                rows.append([figure.assumption, "bounds only", str(reach), rung.fails_when])
    return rows
