"""Hostile names on pages: shown as text, whether a script is there or not, and the interactive page still works."""

import csv

import pytest

from attack.test_hostile_names import NAMES
from justesse.cli.main import main

# any script that ran would set one of these, open a box, or ask for a file
DETECTOR = """
window.ran = [];
for (const name of ["alert", "confirm", "prompt"]) window[name] = (...what) => window.ran.push(name, ...what);
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    names = [name for name in NAMES if len(name) < 100][:12]
    with open(folder / "a.csv", "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["label", "prediction", "slice"])
        k = len(names)
        writer.writerows(
            [names[at % k], names[(at + (at % 4 == 0)) % k], names[at // k % 3 + 8]] for at in range(20 * k)
        )
    found = {}
    for name, more in (("still", []), ("live", ["--interactive"])):
        found[name] = folder / f"{name}.html"
        assert main(["evaluate", str(folder / "a.csv"), "--by", "slice", "--report", str(found[name]), *more]) == 0
    return found


@pytest.mark.parametrize("name", ["still", "live"])
def test_no_name_runs_as_a_script(browser, pages, name):
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        trouble = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
        page.add_init_script(DETECTOR)
        page.goto(pages[name].as_uri())
        title = page.title()
        page.wait_for_timeout(500)
        assert page.evaluate("window.ran") == []
        assert not trouble
        assert page.title() == title != "ran"
        assert page.locator("img, iframe, object, embed").count() == 0
        assert page.locator("script").count() == (3 if name == "live" else 0)
        if name == "live":  # <!--<script> in a name once disabled every script after it
            assert page.locator("figure .vega-embed, figure.vega-embed, .vega-embed").count() > 0
        text = page.locator("main").inner_text()
        assert "<!--<script>" in text
        assert "[red]markup[/]" in text
        assert "\u202e" not in page.content()
    finally:
        context.close()


def test_an_interactive_page_keeps_the_licences_of_its_scripts(pages):
    text = pages["live"].read_text(encoding="utf-8")
    for words in (
        "University of Washington Interactive Data Lab",
        "BSD 3-Clause",
        "vega-embed",
        "Copyright Mike Bostock",
    ):
        assert words in text
    assert "Interactive Data Lab" not in pages["still"].read_text(encoding="utf-8")
