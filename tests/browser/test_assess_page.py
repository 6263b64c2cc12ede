"""The page of an assessment in a real browser: offline, dark, on a phone, accessible."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from justesse import assess

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
LONG = "results/2024-05-17/" + "_".join(["a_network_whose_name_never_ends"] * 3)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """One model after one split; and several, one with a long name, with a choice and learning curves."""
    folder = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    frame = pd.DataFrame({"a": y + rng.normal(size=120), "b": rng.normal(size=120), "y": np.where(y, "cat <b>", "dog")})
    one = assess(frame, label="y", model={"<i>net</i>": GaussianNB()}, procedure="holdout")
    models = {LONG: KNeighborsClassifier(9), "<i>net</i>": GaussianNB(), "nearest": KNeighborsClassifier(1)}
    many = assess(frame, label="y", model=models, k=4, select=True, learning_curve=True)
    command = f"justesse assess data.csv --models {LONG}.py"
    return {"one": one.report(folder / "one.html"), "many": many.report(folder / "many.html", command=command)}


@pytest.mark.parametrize(("name", "figures"), [("one", 1), ("many", 6)])
def test_it_opens_offline_and_says_what_was_found_on_top(visit, name, figures):
    page = visit(name)
    assert page.trouble == []
    assert "on rows it was not trained on" in page.inner_text(".headline")
    assert page.locator("main figure").count() == figures
    assert page.locator("main b, main i").count() == 0


def test_it_has_all_that_was_asked_for(visit):
    text = visit("many").inner_text("main")
    for words in (
        "Differences in accuracy, all pairs of models",
        "analysis of variance, corrected for shared training rows",
        "it over-fits and memorises most of its training rows",
        "The best of several is partly lucky",
        "Nested evaluation: each search chooses inside the training rows",
        "its own score, all rows",
        "Would more rows help?",
        "always 'cat <b>'",
    ):
        assert words in text, words


def test_learning_curves_are_switched_without_a_script(visit):
    page = visit("many")
    figures = page.locator("fieldset figure").all()
    assert [figure.is_visible() for figure in figures] == [True, False, False]
    page.get_by_role("radio", name="nearest").check()
    assert [figure.is_visible() for figure in figures] == [False, False, True]


@pytest.mark.parametrize("name", ["one", "many"])
@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_pushes_the_page_sideways(visit, name, width):
    page = visit(name, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(serious, scheme):
    assert serious("many", color_scheme=scheme) == []
