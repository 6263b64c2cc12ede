"""Charts of an assessment: their data first, then what they draw."""

import numpy as np
import pytest
import vl_convert
from sklearn.naive_bayes import GaussianNB

from justesse.charts import learning_curve_chart, train_test_gap_chart
from justesse.charts.learning_curve import BEYOND, learning_curve_laws, learning_curve_points
from justesse.charts.train_test_gap import train_test_gap_points
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval
from justesse.procedures.holdout import Holdout
from justesse.procedures.learning_curve import learning_curve
from justesse.procedures.score import ModelScore


def scored(name, train, test, low=None):
    interval = None if low is None else Interval(low, 2 * test - low, 0.95, "student")
    return ModelScore(name, Estimate("error", test, 5, interval), (), "", 9, train, test, "", 0, (), ())


TWO = [scored("tree", 0.0, 0.2, 0.1), scored("bad\x07", 0.25, 0.3), scored("failed", np.nan, np.nan)]


def test_models_without_figures_are_left_out_of_the_gap():
    points = train_test_gap_points(TWO)
    assert [(one["model"], one["train"], one["test"], one["low"]) for one in points] == [
        ("tree", 0.0, 0.2, 0.1),
        ("bad\\x07", 0.25, 0.3, None),
    ]
    with pytest.raises(OptionError, match="At least one model"):
        train_test_gap_chart(TWO[2:])


@pytest.mark.parametrize(
    ("naive", "words"),
    [(0.4, "grey line: baseline"), (0.9, "baseline beyond the right edge"), (None, "")],
)
def test_the_naive_error_is_a_line_unless_it_is_far_off(naive, words):
    spec = train_test_gap_chart(TWO, naive=naive).to_dict()
    drawn = [layer for layer in spec["layer"] if layer["encoding"]["x"].get("field") == "naive"]
    assert len(drawn) == (naive == 0.4)
    assert words in str(spec["title"])
    assert "tree 0.0% and 20.0%" in spec["description"]
    assert ">error rate</text>" in vl_convert.vegalite_to_svg(spec)


@pytest.fixture(scope="module")
def curve():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    x = y[:, None] + rng.normal(size=(200, 2))
    return learning_curve(GaussianNB(), x, y, Holdout(0.2, 4), sizes=[10, 20, 40, 80, 160])


def test_the_curve_has_what_was_measured_and_what_lies_beyond(curve):
    points, laws = learning_curve_points(curve), learning_curve_laws(curve)
    assert [one["rows"] for one in points if one["kind"] == "test error"] == [10, 20, 40, 80, 160]
    assert all(one["low"] is None or one["low"] >= 0 for one in points)
    assert {one["beyond"] for one in laws if one["rows"] > 160.001} == {True}
    assert max(one["rows"] for one in laws) == pytest.approx(BEYOND * 160)
    at_the_seam = [one["law"] for one in laws if one["rows"] == 160 and one["kind"] == "test error"]
    assert len(at_the_seam) == 2
    assert at_the_seam[0] == at_the_seam[1] == pytest.approx(float(curve.law.test(160.0)[0]))


def test_the_curve_says_whether_more_rows_would_help(curve):
    spec = learning_curve_chart(curve, "my <model>").to_dict()
    assert spec["title"]["text"].startswith("my <model>: ")
    assert "rows" in spec["title"]["text"]
    assert curve.words in spec["description"]
    drawn = vl_convert.vegalite_to_svg(spec)
    assert ">error rate</text>" in drawn
    assert ">training rows</text>" in drawn
