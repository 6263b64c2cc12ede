"""The page of an audit in a real browser: offline, dark, on a phone, accessible."""

import pytest

import justesse

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
ROWS = {
    "id": [f"<b>row</b> {at}" for at in range(80)],
    "label": ["spam"] * 80,
    "old": ["ham & eggs"] * 40 + ["spam"] * 40,
    "new": ["spam"] * 80,
    "text": ["a_word_that_never_ends" * 12] * 80,
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    path = folder / "my.audit"
    justesse.audit_start(ROWS, incumbent="old", candidate="new", on="id", to=path, show="text", margin=0.01)
    first, second = (one.id for one in justesse.audit_next(path, 2).questions)
    justesse.audit_answer(path, first, "spam", by="Ann")
    justesse.audit_answer(path, first, "ham & eggs", by="Ann", correct=True)
    justesse.audit_answer(path, second, "spam", by="Ann")
    justesse.audit_answer(path, second, "ham & eggs", by="Bob")
    return {"audit": justesse.audit_status(path).report(folder / "page.html")}


@pytest.mark.parametrize(
    "options",
    [{}, {"viewport": {"width": 360, "height": 740}}, {"color_scheme": "dark"}],
    ids=["desktop", "phone", "dark"],
)
def test_the_page_is_whole_fits_and_is_accessible(visit, serious, options):
    page = visit("audit", **options)
    assert "Not settled yet" in page.locator(".verdict").inner_text()
    assert page.locator("figure").count() == 2
    assert all(
        "holds at every look" in label
        for label in page.locator("[role=img]").evaluate_all("all => all.map(x => x.ariaLabel)")
    )
    assert "<b>row</b>" in page.locator("#answers ~ div").inner_text()
    assert "spam → ham & eggs" in page.locator("#corrections ~ div").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.trouble == []
    assert serious("audit", **options) == []
