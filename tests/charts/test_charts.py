"""Every chart has its data first, a title, axes and a text alternative."""

import importlib
import pkgutil

import numpy as np
import pytest
import vl_convert

import justesse.charts
from justesse import evaluate
from justesse.charts import FUNCTIONS
from justesse.charts.confusion import confusion_points
from justesse.charts.intervals import interval_points
from justesse.core.errors import OptionError

RNG = np.random.default_rng(0)
TRUE = RNG.random(300) < 0.4
SCORE = 1 / (1 + np.exp(-(RNG.normal(size=300) + 2 * TRUE - 1)))
FOUND = evaluate(
    {"label": TRUE.astype(int), "p": SCORE, "prediction": (SCORE > 0.5).astype(int), "site": ["x", "y", "z"] * 100},
    score="p",
    by="site",
)
NAMES = ["intervals", "confusion", "slices", "noise", "roc", "precision_recall", "calibration", "cost"]


def test_every_chart_file_is_in_the_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.charts.__path__)} - {
        "paint",
        "phone",
        "png",
        "renderer",
        "vega_lite",
    }
    assert set(FUNCTIONS.values()) == files
    for name in files:
        assert importlib.import_module(f"justesse.charts.{name}").__doc__


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_says_what_it_shows(name):
    spec = FOUND.chart(name).to_dict()
    assert len(str(spec["title"])) > 10
    assert len(spec["description"]) > 20
    assert "axis" in spec["config"]


def test_the_data_are_those_of_the_evaluation():
    points = {(p["class"], p["measure"]): p for p in interval_points(FOUND.estimates)}
    recall = FOUND["recall", 1]
    assert points["1", "recall"]["value"] == recall.value
    assert points["1", "recall"]["low"] == recall.interval.low
    cells = {(p["label"], p["prediction"]): p["n"] for p in confusion_points(FOUND.tally)}
    assert sum(cells.values()) == 300
    shares = confusion_points(FOUND.tally, "prediction")
    assert sum(p["share"] for p in shares if p["prediction"] == "1") == pytest.approx(1)


@pytest.mark.parametrize("strange", ["\x07", "\x00", "\u2028", "\n", '"', "\\", "</svg>", "\uffff"])
def test_names_that_cannot_be_drawn_are_spelt_out(strange):
    """The renderer ends the whole process on some of them, so that no test could catch it."""
    names = [f"a{strange}", "b"] * 10
    found = evaluate({"label": names, "prediction": names[:10] + ["b"] * 10, "site": names}, by="site")
    for name in ("intervals", "confusion", "slices"):
        assert "<text" in vl_convert.vegalite_to_svg(found.chart(name).to_dict())


def test_undefined_shares_are_left_blank():
    only = evaluate(y_true=["a", "a"], y_pred=["a", "b"])
    assert [p["share"] for p in confusion_points(only.tally) if p["label"] == "b"] == [None, None]


def test_unknown_charts_are_refused_with_those_there_are():
    with pytest.raises(OptionError, match="Charts: intervals, confusion"):
        evaluate(y_true=["a", "b"], y_pred=["a", "b"]).chart("roc")
