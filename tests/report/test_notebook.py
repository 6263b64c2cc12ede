"""The card in a notebook: tabs without a script, charts inside, ids of its own, offline, in both shades."""

import re

import numpy as np
import pytest

from justesse import compare, evaluate

RNG = np.random.default_rng(0)
LABELS = RNG.integers(3, size=300)
ANSWERS = np.where(RNG.random(300) < 0.8, LABELS, RNG.integers(3, size=300))
FOUND = evaluate({"label": LABELS, "prediction": ANSWERS, "site": ["x", "y"] * 150}, by="site")


def test_every_section_is_a_tab_and_the_first_is_open():
    card = FOUND._repr_html_()
    titles = re.findall(r"<label for='[^']+'>([^<]+)</label>", card)
    assert titles == [section.title for section in FOUND.document().sections]
    assert card.count(" checked>") == 1
    assert card.count("<div class='panel'") == len(titles)


def test_charts_are_inside_as_svg_and_nothing_is_fetched_or_run():
    card = FOUND._repr_html_()
    assert card.count("<svg") >= 3
    assert "<script" not in card
    assert not re.search(r"(?:src|href)=['\"](?!#|data:)", card)
    assert "var(--ink)" in card  # text follows the notebook's colour
    assert not re.search(r'<text[^>]* fill="#(?!fefefe)', card)  # white on the dark cells of a matrix


def test_two_cards_in_one_notebook_share_no_id():
    cards = [FOUND._repr_html_(), FOUND._repr_html_(), evaluate(y_true=LABELS, y_pred=LABELS)._repr_html_()]
    ids = [name for card in cards for name in re.findall(r"\bid=['\"]([^'\"]+)['\"]", card)]
    assert len(ids) == len(set(ids))
    for card in cards:
        own = set(re.findall(r"\bid=['\"]([^'\"]+)['\"]", card))
        assert set(re.findall(r"for='([^']+)'", card)) <= own
        assert set(re.findall(r"url\(#([^)]+)\)", card)) <= own


@pytest.mark.parametrize("many", [0, 3, 9])
def test_cautions_past_the_fifth_are_folded(many):
    from dataclasses import replace

    from justesse.report.notebook import as_card

    card = as_card(replace(FOUND.document(), cautions=[f"Caution {at}." for at in range(many)]))
    assert card.count("<li>Caution") == many
    assert ("<details>" in card) == (many > 5)


def test_a_comparison_has_a_card_too():
    card = compare(y_true=LABELS, incumbent=ANSWERS, candidate=LABELS)._repr_html_()
    assert "Replace the incumbent with the candidate." in card
    assert "<svg" in card


@pytest.mark.parametrize(("size", "scrolls"), [(14, False), (15, True)])
def test_a_table_that_scrolls_says_so(size, scrolls):
    from justesse.report.document import Document, Section, Table
    from justesse.report.notebook import as_card

    card = as_card(Document("T", "Fine.", [Section("s", "S", [Table("", ["a"], [["x"]] * size)])], {}))
    assert ("<div class='rows tall'>" in card) == scrolls
    assert (f"{size} rows: scroll inside the table" in card) == scrolls
