"""The page of a comparison in a real browser: offline, dark, on a phone, printable, accessible."""

import numpy as np
import pandas as pd
import pytest

from justesse import compare, compare_folds

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
LONG = "results/2024-05-17/" + "_".join(["a_candidate_whose_name_never_ends"] * 3) + ".parquet"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Two classifiers with scores and slices, several with long names, fold scores, and one that is interactive."""
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    positive = rng.random(500) < 0.4
    frame = pd.DataFrame({"label": np.where(positive, "spam", "ham <b>"), "site": rng.choice(["a", "<i>b</i>"], 500)})
    for name, shift in (("old", 1.0), ("new", 2.5)):
        frame[f"p_{name}"] = np.round(1 / (1 + np.exp(-(rng.normal(size=500) + shift * positive - 1))), 3)
        frame[name] = np.where(frame[f"p_{name}"] > 0.5, "spam", "ham <b>")
    frame["true"] = np.where(rng.random(500) < 0.97, frame["label"], "spam")
    two = compare(
        frame, incumbent="old", candidate="new", score="p_old", candidate_score="p_new", positive="spam", by="site", margin=0.01
    )  # fmt: skip
    many = compare(
        y_true=frame["label"],
        incumbent=frame["old"],
        candidate={LONG: frame["new"], **{f"candidate_{at}": frame["old"].sample(frac=1, random_state=at) for at in range(5)}},
    )  # fmt: skip
    base = rng.normal(0.8, 0.02, 10)
    folds = {
        name: (base + rng.normal(shift, 0.01, 10)).tolist()
        for name, shift in (("old", 0), ("new <b>", 0.03), (LONG, -0.02))
    }
    command = f"justesse compare predictions.parquet --incumbent old --candidate {','.join([LONG] * 9)}"
    return {
        "two": two.report(folder / "two.html"),
        "many": many.report(folder / "many.html", command=command),
        "folds": compare_folds(folds, margin=0.005).report(folder / "folds.html"),
        "live": compare(frame, incumbent="old", candidate="new").report(folder / "live.html", interactive=True),
    }


@pytest.mark.parametrize(
    ("name", "verdict", "figures"),
    [
        ("two", "Replace the incumbent with the candidate.", 7),
        ("many", f"Replace the incumbent with {LONG}.", 4),
        ("folds", "Replace the incumbent with new <b>.", 3),
        ("live", "Replace the incumbent with the candidate.", 3),
    ],
)
def test_it_opens_offline_with_the_verdict_on_top(visit, name, verdict, figures):
    page = visit(name)
    page.wait_for_timeout(300)
    assert page.trouble == []
    assert page.inner_text(".verdict") == verdict
    assert page.locator("figure svg").count() >= figures
    top = page.locator(".verdict").bounding_box()
    assert top["y"] + top["height"] < 400


def test_names_are_shown_not_run(visit):
    page = visit("two")
    assert "ham <b>" in page.inner_text("main")
    assert "site = <i>b</i>" in page.inner_text("main")
    assert page.locator("main b, main i").count() == 0


@pytest.mark.parametrize("name", ["two", "many", "folds"])
@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_pushes_the_page_sideways(visit, name, width):
    page = visit(name, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = page.evaluate(
        """width => [...document.querySelectorAll('header *, main p, main li, main figure')]
            .filter(one => one.getClientRects().length && !one.classList.contains('skip'))
            .filter(one => one.getBoundingClientRect().right > width + 1).map(one => one.outerHTML.slice(0, 120))""",
        width,
    )
    assert outside == []


@pytest.mark.parametrize("name", ["two", "folds"])
def test_the_dark_follows_the_reader(visit, name):
    shades = []
    for scheme in ("light", "dark"):
        page = visit(name, color_scheme=scheme)
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        ink = page.evaluate("getComputedStyle(document.querySelector('figure svg text')).fill")
        shades.append((paper, ink))
        brightness = sum(map(int, paper.removeprefix("rgb(").removesuffix(")").split(",")))
        assert (brightness > 600) == (scheme == "light")
    assert shades[0][0] != shades[1][0]
    assert shades[0][1] != shades[1][1]


@pytest.mark.parametrize("name", ["two", "many", "folds"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(serious, name, scheme):
    assert serious(name, color_scheme=scheme) == []


@pytest.mark.parametrize("name", ["two", "folds"])
def test_it_prints(visit, name, tmp_path):
    page = visit(name)
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert (tmp_path / "page.pdf").stat().st_size > 20_000


def test_the_interactive_page_draws_with_its_script(visit):
    page = visit("live")
    page.wait_for_selector("figure.live .vega-embed svg", timeout=15_000)
    assert page.trouble == []
