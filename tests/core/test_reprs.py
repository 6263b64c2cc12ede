"""In a notebook or a debugger, a number, an interval, a verdict and a tally take one short line."""

import math

import pytest

from justesse import compare, evaluate
from justesse.core.results import Estimate, Interval

CI = Interval(0.91, 0.97, 0.95, "wilson", (0, 1))


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (
            Estimate("accuracy", 0.947, 228, CI, is_share=True),
            "Estimate(accuracy 94.7 %, 95 % CI 91.0 to 97.0 %, n = 228)",
        ),
        (Estimate("f1", 0.5, 10, average="macro", words="macro F1"), "Estimate(macro F1 0.5000, n = 10)"),
        (Estimate("rmse", 123.456, 1234, words="RMSE"), "Estimate(RMSE 123.5, n = 1,234)"),
        (Estimate("recall", math.nan, 0, undefined="no row"), "Estimate(recall undefined: no row)"),
        (CI, "Interval(95 % CI 0.9100 to 0.9700, wilson)"),
        (Interval(0.9, 1, 0.95, "wilson", (0, 1), "greater"), "Interval(95 % lower bound 0.9000, wilson)"),
    ],
)
def test_numbers_and_intervals(shown, words):
    assert repr(shown) == words


def test_verdicts_and_tallies():
    judged = compare(y_true=["a", "b"] * 200, incumbent=["a"] * 400, candidate=["a", "b"] * 200)
    shown = repr(judged.verdict)
    assert shown.startswith("Verdict(replace: difference in accuracy +0.5000, 95 % CI +0.4")
    assert shown.endswith("n = 400, judge paired)")
    tally = repr(evaluate(y_true=["a", "b"], y_pred=["a", "a"]).tally)
    for one in (shown, tally):
        assert "\n" not in one
        assert len(one) < 160
