"""A narrow screen drops the incumbent's value before the candidate's: the difference gives the other."""

from justesse.core.results import Estimate, Interval
from justesse.judges.measure_differences import MeasureDifference
from justesse.report.terminal import table_lines
from justesse.verbs.compare.document import differences_table


def test_the_candidate_stays_beside_the_difference():
    difference = Estimate("accuracy difference", 0.0678, 900, Interval(0.0258, 0.1098, 0.95, "tango"))
    rows = [MeasureDifference("balanced_accuracy", None, 0.7733, 0.8411, difference, words="balanced accuracy")]
    table = differences_table("Measures", ("measure", "old", "new"), rows, "95 % CI")
    head = next(text for text, _ in table_lines(table, 60) if "difference" in text)
    assert head.split()[:3] == ["measure", "new", "difference"]
