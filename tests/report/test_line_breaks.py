"""A line never ends between a number and its unit, within a relation or within a short interval."""

import pytest

from justesse.core.results import Estimate, Interval
from justesse.report.document import Document, KeyFigure, Section, Table, Words
from justesse.report.html import as_page
from justesse.report.line_breaks import SPACE, unbroken
from justesse.report.notebook import as_card


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("72.6 %", "72.6_%"),
        ("p < 0.0001 and p = 0.012", "p_<_0.0001 and p_=_0.012"),
        ("0.91 to 0.95", "0.91_to_0.95"),
        ("-1.5 to +2.5 %", "-1.5_to_+2.5_%"),
        ("+2.1 points", "+2.1_points"),
        ("at least ≥ 0.95", "at least ≥_0.95"),
        ("95 % CI 94.9 to 97.4 %", "95_%_CI 94.9_to_97.4_%"),
        ("-0.123456 to +0.123456", "-0.123456 to_+0.123456"),
        ("12 rows to 15 columns, 3 of 4", "12 rows to 15 columns, 3 of 4"),
        ("a < b", "a < b"),
    ],
)
def test_no_break_within_a_quantity(text, kept):
    assert unbroken(text).replace(SPACE, "_") == kept


@pytest.mark.parametrize("medium", [as_page, as_card])
def test_every_text_of_a_page_and_a_card_is_kept_together(medium):
    quantity = "72.6 % (p < 0.0001)"
    table = Table(f"Caption {quantity}", ["name", "x"], [[f"cell {quantity}", "y"]], f"Note {quantity}")
    estimate = Estimate("accuracy", 0.9, 100, Interval(0.8, 0.95, 0.95, "wilson"))
    section = Section("s", f"Title {quantity}", [Words([f"Sentence {quantity}"]), table])
    shown = medium(
        Document(
            "T",
            f"Headline {quantity}",
            [section],
            {},
            verdict=f"Verdict {quantity}",
            figures=[KeyFigure("Accuracy", estimate, "share", f"figure {quantity}")],
            cautions=[f"Caution {quantity}"],
        )
    )
    for name in ("Headline", "Verdict", "Caution", "Sentence", "Caption", "Note", "Title", "cell", "figure"):
        assert f"{name} 72.6{SPACE}% (p{SPACE}&lt;{SPACE}0.0001)" in shown, name
    assert f"80.0{SPACE}to{SPACE}95.0{SPACE}%" in shown
    assert "72.6 %" not in shown


def test_a_command_can_be_copied_from_a_page():
    document = Document("t", "h", [], {})
    page = as_page(document, command="justesse evaluate a.csv --claim 'accuracy >= 0.9' --level 95 %")
    assert "&gt;= 0.9" in page
    assert "95 %" in page
