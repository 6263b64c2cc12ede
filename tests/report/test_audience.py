"""A page's reader is not told about options; whoever runs justesse is, in the last section."""

import re

import pytest

from justesse.core.results import Estimate, Interval
from justesse.report.audience import for_readers
from justesse.report.document import Document, KeyFigure
from justesse.report.html import as_page


@pytest.mark.parametrize(
    ("text", "plain", "advice"),
    [
        ("Few rows.", "Few rows.", ""),
        ("Rows are left out (--missing drop). Complete them.", "Rows are left out. Complete them.", ""),
        ("All numbers. Did you mean --regression?", "All numbers.", "Did you mean --regression?"),
        ("Not used: a; features=… (--features) chooses the columns.", "", "Not used: a; features=… (--features) chooses the columns."),
        ("Check the labels (justesse audit start).", "Check the labels.", ""),
        ("A class named 'a--b' and a - b.", "A class named 'a--b' and a - b.", ""),
    ],
)  # fmt: skip
def test_advice_is_told_apart(text, plain, advice):
    assert for_readers(text) == (plain, advice)


def page(cautions):
    estimate = Estimate("accuracy", 0.9, 100, Interval(0.8, 0.95, 0.95, "wilson"))
    return as_page(
        Document("T", "Accuracy 90 %.", [], {}, cautions=cautions, figures=[KeyFigure("Accuracy", estimate, "share")]),
        command="justesse evaluate a.csv --by site",
    )


def test_options_are_named_in_the_last_section_only():
    body = page(["The labels are numbers. Did you mean --regression?", "Use --missing wrong."]).split("<body>")[1]
    before, after = body.split('id="data"')
    assert not re.search(r">[^<]*--[a-z]", before)
    assert "The labels are numbers." in before
    assert "Did you mean --regression?" in after
    assert "Use --missing wrong." in after
    assert "--by site" in after


def test_the_first_five_cautions_are_shown_and_the_others_folded():
    text = page([f"Caution {at}." for at in range(8)])
    assert text.index("Caution 4.") < text.index("<summary>3 more</summary>") < text.index("Caution 5.")


def test_tiles_have_their_interval_and_come_before_any_section():
    text = page([])
    tile = re.search(r'<dl class="tiles">.*?</dl>', text, re.S)[0]
    assert "90.0 %" in tile
    assert "95 % CI 80.0 to 95.0 %" in tile
    assert text.index('class="tiles"') < text.index("<main")
