"""Every chart that a test of this folder draws is held against Altair's schema of Vega-Lite."""

import altair
import pytest

from justesse.charts.vega_lite import Chart

written = Chart.to_dict


@pytest.fixture(autouse=True)
def _checked_against_the_schema(monkeypatch):
    def to_dict(chart):
        spec = written(chart)
        altair.Chart.from_dict(spec)  # raises ValidationError
        return spec

    monkeypatch.setattr(Chart, "to_dict", to_dict)
