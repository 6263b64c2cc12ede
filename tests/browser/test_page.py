"""The page in a real browser: offline, switchable, dark, printable, accessible."""

import numpy as np
import pandas as pd
import pytest

from justesse import compare, evaluate

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages with scores and slices, of 200 classes, interactive, and with what wrong labels could do."""
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    positive = rng.random(500) < 0.4
    score = np.round(1 / (1 + np.exp(-(rng.normal(size=500) + 2 * positive - 1))), 3)
    answers = np.where(score > 0.5, "spam", "ham <b>")
    frame = pd.DataFrame(
        {
            "label": np.where(positive, "spam", "ham <b>"),
            "prediction": answers,
            "p": score,
            "site": rng.choice(["a", "b"], 500),
        }
    )
    found = evaluate(frame, score="p", positive="spam", by="site", wanted_recall=0.9)
    many = rng.integers(200, size=6000)
    large = evaluate(y_true=many, y_pred=np.where(rng.random(6000) < 0.7, many, rng.integers(200, size=6000)))
    doubted = frame.drop(columns="p").assign(id=range(500), old=rng.permutation(answers))
    checked = doubted[::5][["id", "label"]].rename(columns={"label": "true"})
    known = {"noise_rate": "0.01:0.05", "transition": [[95, 5], [10, 90]], "audited": checked, "on": "id"}
    doubtful = evaluate(doubted, claim="accuracy>=0.7", **known)
    versus = compare(doubted, incumbent="old", candidate="prediction", **known)
    return {
        "noise": doubtful.report(folder / "noise.html"),
        "versus": versus.report(folder / "versus.html"),
        "scores": found.report(folder / "scores.html"),
        "many": large.report(folder / "many.html"),
        "live": found.report(folder / "live.html", interactive=True),
    }


@pytest.mark.parametrize("name", ["scores", "many", "live"])
def test_it_opens_offline_without_an_error_or_a_request(visit, name):
    page = visit(name)
    page.wait_for_timeout(300)
    assert page.trouble == []
    assert "Accuracy " in page.inner_text(".headline")
    assert page.locator("figure svg").count() >= 4


def test_names_are_shown_not_run(visit):
    page = visit("scores")
    assert "ham <b>" in page.inner_text("main")
    assert page.locator("main b").count() == 0


def test_the_normalisation_switches(visit):
    page = visit("scores")
    shown = page.locator("fieldset > figure:visible")
    assert shown.count() == 1
    first = shown.inner_html()
    page.get_by_label("of each prediction").check()
    assert shown.count() == 1
    assert shown.inner_html() != first


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dark_mode_follows_the_reader_and_can_be_switched(visit, scheme):
    page = visit("scores", color_scheme=scheme)
    paper = "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('figure svg text')).fill"
    before = page.evaluate(paper), page.evaluate(ink)
    page.get_by_label("Dark mode").check()
    after = page.evaluate(paper), page.evaluate(ink)
    assert before[0] != after[0]
    assert before[1] != after[1]
    brightness = sum(map(int, before[0].removeprefix("rgb(").removesuffix(")").split(",")))
    assert (brightness > 600) == (scheme == "light")


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("name", ["scores", "noise", "versus"])
def test_nothing_overflows_a_phone_or_a_desk(visit, width, name):
    page = visit(name, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


LEGIBLE = """() => [...document.querySelectorAll('figure svg')].filter(svg => svg.getClientRects().length).flatMap(svg => {
    const box = svg.getBoundingClientRect(), scale = box.width / (svg.viewBox.baseVal.width || box.width);
    return [...svg.querySelectorAll('text')].filter(text => text.textContent.trim())
        .filter(text => parseFloat(getComputedStyle(text).fontSize) * scale < 10.9).map(text => text.textContent);
})"""
CUT = """() => [...document.querySelectorAll('figure .narrow svg')].filter(svg => svg.getClientRects().length).flatMap(svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(text => text.textContent.trim()).filter(text => {
        const own = text.getBoundingClientRect();
        return own.left < box.left - 1 || own.right > box.right + 1;
    }).map(text => text.textContent);
})"""


@pytest.mark.parametrize("name", ["scores", "noise", "versus", "many"])
def test_charts_are_legible_on_a_phone_and_nothing_of_them_is_cut(visit, name):
    page = visit(name, viewport={"width": 375, "height": 800})
    assert page.evaluate(LEGIBLE) == []
    assert page.evaluate(CUT) == []


def test_key_figures_are_above_the_fold_and_the_chart_that_matters_is_next(visit):
    page = visit("scores", viewport={"width": 1400, "height": 900})
    tiles = page.locator(".tiles").bounding_box()
    assert tiles["y"] + tiles["height"] < 450
    chart, table = (
        page.locator("main section").first.locator(name).first.bounding_box() for name in ("figure", "table")
    )
    assert chart["x"] < table["x"] or chart["y"] < table["y"]


def test_tables_fit_a_desk_and_on_a_phone_say_that_they_go_on(visit):
    page = visit("many", viewport={"width": 1400, "height": 900})
    wide = "() => [...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert page.evaluate(wide) == 0
    page = visit("many", viewport={"width": 375, "height": 800})
    assert page.evaluate(wide) >= 1
    assert page.get_by_text("Swipe to see all").first.is_visible()
    assert page.get_by_text("scroll inside the table").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_interactive_page_follows_the_shade(visit, scheme):
    page = visit("live", color_scheme=scheme)
    page.wait_for_selector("figure.live .vega-embed svg", timeout=15_000)
    fills = page.evaluate(
        "() => [...new Set([...document.querySelectorAll('.vega-embed svg text')].map(one => getComputedStyle(one).fill))]"
    )
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert ink in fills
    dark = {"rgb(34, 34, 34)", "rgb(0, 0, 0)"}
    assert not (scheme == "dark" and dark & set(fills))


@pytest.mark.parametrize("name", ["noise", "versus"])
def test_what_wrong_labels_could_do_is_a_section_with_a_picture(visit, name):
    part = visit(name).locator("section:has(h2#noise)")
    assert part.locator("h2").inner_text() == "If some labels are wrong"
    assert part.locator("figure svg:visible").count() == 1
    assert "of the labels are wrong" in part.inner_text()
    picture = part.locator("figure svg:visible").bounding_box()
    for text in part.locator("figure .wide svg text").all():
        box = text.bounding_box()
        assert picture["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= picture["x"] + picture["width"] + 1


def test_it_prints(visit, tmp_path):
    page = visit("scores")
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert (tmp_path / "page.pdf").stat().st_size > 20_000
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden()
    assert page.locator("fieldset > figure:visible").count() == 1  # one confusion matrix is enough on paper


@pytest.mark.parametrize("name", ["scores", "many", "noise", "versus"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(serious, name, scheme):
    assert serious(name, color_scheme=scheme) == []


def test_the_json_can_be_downloaded_from_the_page(visit, tmp_path):
    import gzip
    import json

    for name in ("scores", "many"):
        page = visit(name)
        with page.expect_download() as waiting:
            page.get_by_text("Download all of this as JSON").click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        raw = path.read_bytes()
        data = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
        assert data["schema"] == 2


def test_the_interactive_page_draws_with_its_script(visit):
    page = visit("live")
    page.wait_for_selector("figure.live .vega-embed svg", timeout=15_000)
    assert page.trouble == []
