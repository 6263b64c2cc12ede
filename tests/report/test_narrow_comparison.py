"""A narrow screen drops the incumbent's value before the candidate's: the difference gives the other."""

from justesse.core.results import Estimate, Interval
from justesse.judges.measure_differences import MeasureDifference
from justesse.report.document import Column, Document, Section, Table
from justesse.report.markdown import as_markdown
from justesse.report.terminal import table_lines
from justesse.verbs.compare.measures_section import differences_table


def test_the_candidate_stays_beside_the_difference():
    difference = Estimate("accuracy difference", 0.0678, 900, Interval(0.0258, 0.1098, 0.95, "tango"))
    rows = [MeasureDifference("balanced_accuracy", None, 0.7733, 0.8411, difference, words="balanced accuracy")]
    table = differences_table("Measures", ("measure", "old", "new"), rows, "95 % CI")
    head = next(text for text, _ in table_lines(table, 60) if "difference" in text)
    assert head.split()[:3] == ["measure", "new", "difference"]


def test_full_detail_loses_no_value():
    difference = Estimate("accuracy difference", 0.0678, 900, Interval(0.0258, 0.1098, 0.95, "tango"))
    rows = [MeasureDifference("balanced_accuracy", None, 0.7733, 0.8411, difference, words="balanced accuracy")]
    table = differences_table("Measures", ("measure", "old", "new"), rows, "95 % CI")
    lines = [text for text, _ in table_lines(table, 60, "full")]
    assert [line.split()[0] for line in lines[1:6]] == ["n", "old", "new", "difference", "95"]
    assert any("tango" in line for line in lines), "once stacked there is room for the method"


def test_a_column_that_is_left_out_is_not_explained():
    columns = ["name", Column("value", "value"), Column("answers", "count", 1, "Answers: how often one was asked.")]
    table = Table("", columns, [["accuracy", 0.9, 1234]], "About one judge.")
    assert table_lines(table, 60)[-1][0] == "About one judge. Answers: how often one was asked."
    assert [text for text, _ in table_lines(table, 18)][-2:] == ["About one judge.", "Hidden columns: answers."]
    assert "Answers: how often one was asked." in as_markdown(
        Document("t", "h", [Section("s", "S", [table])], {}), "full"
    )
