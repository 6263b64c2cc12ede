"""A page's reader is not told about options; whoever runs justesse is, in the last section."""

import re

import pytest

from justesse.core.results import Estimate, Interval
from justesse.report.audience import for_readers
from justesse.report.document import Column, Document, KeyFigure, Section, Table
from justesse.report.html import as_page


@pytest.mark.parametrize(
    ("text", "plain", "advice"),
    [
        ("Few rows.", "Few rows.", ""),
        ("Rows are left out (--missing drop). Complete them.", "Rows are left out. Complete them.", "Rows are left out (--missing drop)."),
        ("All numbers. Did you mean --regression?", "All numbers.", "Did you mean --regression?"),
        ("Not used: a; features=… (--features) chooses the columns.", "", "Not used: a; features=… (--features) chooses the columns."),
        ("Check the labels (justesse audit start).", "Check the labels.", "Check the labels (justesse audit start)."),
        ("See the table Calibration (--full).", "See the table Calibration.", ""),
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
    words = re.sub(r"<[^>]+>", "", after)
    assert "Did you mean --regression?" in words
    assert "Use --missing wrong." in words
    assert "--by site" in words
    assert '<span class="option">--regression</span>' in after  # no line ends within it


def test_the_first_five_cautions_are_shown_and_the_others_folded():
    text = page([f"Caution {at}." for at in range(8)])
    assert text.index("Caution 4.") < text.index("<summary>3 more</summary>") < text.index("Caution 5.")


def test_tiles_have_their_interval_and_come_before_any_section():
    text = page([])
    tile = re.search(r'<dl class="tiles">.*?</dl>', text, re.S)[0].replace("\N{NO-BREAK SPACE}", " ")
    assert "90.0 %" in tile
    assert "95 % CI 80.0 to 95.0 %" in tile
    assert text.index('class="tiles"') < text.index("<main")


def test_an_option_is_named_once_and_only_for_sentences_of_ours():
    """Cells of sentences are for readers; a class may have any name, also one that looks like an option."""
    head = ["class", "label", Column("what to do", "sentence")]
    rows = [["--a", "--b", "Label more (--half-width)."], ["c", "d", "Collect more (--half-width)."]]
    shown = as_page(Document("T", "Class --a is best.", [Section("s", "S", [Table("", head, rows)])], {}))
    before, after = shown.split("<body>")[1].split('id="data"')
    assert "Class --a is best." in before
    assert ">--a<" in before
    assert ">--b<" in before
    assert ">Label more.<" in before
    assert ">Collect more.<" in before
    assert '<li>Label more (<span class="option">--half-width</span>).</li>' in after
    assert after.count("--half-width") == 1


def test_a_terminal_spells_options_as_they_are_typed(capsys):
    from justesse.cli.output import complain, console
    from justesse.report.document import Document
    from justesse.report.terminal import show

    caution = "Check them with items whose true class is known (check=…, --check)."
    show(Document("t", "h", [], {}, cautions=[caution]), console())
    complain("Name the label column with label=… (--label).")
    shown = capsys.readouterr()
    assert "is known (--check)." in shown.out
    assert shown.err == "justesse: Name the label column with --label.\n"
