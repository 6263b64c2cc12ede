"""The page of a tournament in a real browser: offline, dark, on a phone, printable, accessible, four colours."""

import numpy as np
import pytest

from justesse import tournament
from justesse.charts.decision_matrix import PAINTS

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
LONG = "results/2024-05-17/" + "_".join(["a_network_whose_name_never_ends"] * 3)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Few classifiers and one judge, cell by cell; and many, with several measures and versions of the labels."""
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    true = rng.choice(["cat <b>", "dog"], 400)
    columns = {"true": true, "label": np.where(rng.random(400) < 0.15, rng.permutation(true), true)}
    names = [LONG, "<i>net</i>", *(f"net {at}" for at in range(38))]
    for at, name in enumerate(names):
        columns[name] = np.where(rng.random(400) < 0.5 + at / 90, true, rng.permutation(true))
    few = tournament(columns, models=names[:6], judges="paired")
    many = tournament(
        columns, noise_rates=[0.05, 0.2], measure=["accuracy", "recall:dog"], judges=["classical", "prudent_v1", "prudent_v2"]
    )  # fmt: skip
    command = f"justesse tournament predictions.parquet --models {','.join([LONG] * 9)}"
    return {"few": few.report(folder / "few.html"), "many": many.report(folder / "many.html", command=command)}


@pytest.mark.parametrize(("name", "figures"), [("few", 3), ("many", 9)])
def test_it_opens_offline_and_says_what_was_found_on_top(visit, name, figures):
    page = visit(name)
    assert page.trouble == []
    assert "ordered pairs" in page.inner_text(".headline")
    assert page.locator("figure").count() == figures
    assert page.locator("main b, main i").count() == 0


def test_a_leaderboard_is_sorted_by_any_column(visit):
    page = visit("few")
    table = page.locator("table.sortable").first
    assert table.locator("thead th").nth(1).inner_text().startswith("rank")

    def column(at):
        return [row.locator("th, td").nth(at).inner_text() for row in table.locator("tbody tr").all()]

    before = column(0)
    table.locator("thead button").nth(2).click()
    assert table.locator("thead th").nth(2).get_attribute("aria-sort") == "ascending"
    values = [float(text.split()[0]) for text in column(2)]
    assert values == sorted(values)
    table.locator("thead button").nth(2).click()
    assert [float(text.split()[0]) for text in column(2)] == sorted(values, reverse=True)
    assert sorted(column(0)) == sorted(before)
    table.locator("thead button").nth(0).click()
    assert page.trouble == []


def test_the_reference_is_switched_without_a_script(visit):
    page = visit("many")
    first = page.locator("fieldset").first
    assert [figure.is_visible() for figure in first.locator("figure").all()] == [True, False]
    first.get_by_label("overlap", exact=True).check()
    assert [figure.is_visible() for figure in first.locator("figure").all()] == [False, True]
    others = page.locator("fieldset").nth(1)
    assert [figure.is_visible() for figure in others.locator("figure").all()] == [True, False]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_four_colours_are_the_same_in_both_shades(visit, scheme):
    page = visit("few", color_scheme=scheme)
    drawn = page.evaluate(
        "[...new Set([...document.querySelectorAll('figure svg path')].map(one => getComputedStyle(one).fill))]"
    )
    for paint in PAINTS[:2]:
        assert f"rgb({', '.join(str(int(paint[at : at + 2], 16)) for at in (1, 3, 5))})" in drawn


def test_cells_stay_sharp_when_a_matrix_is_a_picture(visit):
    image = visit("many").locator("fieldset figure image").first
    assert image.evaluate("one => getComputedStyle(one).imageRendering") == "pixelated"


@pytest.mark.parametrize("name", ["few", "many"])
@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_pushes_the_page_sideways(visit, name, width):
    page = visit(name, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(serious, scheme):
    assert serious("many", color_scheme=scheme) == []


def test_it_prints(visit, tmp_path):
    visit("many").pdf(path=tmp_path / "page.pdf", format="A4")
    assert (tmp_path / "page.pdf").stat().st_size > 20_000
