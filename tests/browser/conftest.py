"""One browser for all tests of pages; each file gives its own `pages`, paths by name."""

import os
import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not installed, and in CI the browser tests must run")
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, pages):
    contexts = []

    def call(name, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.trouble = []
        page.on("console", lambda message: page.trouble.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "data:")) else page.trouble.append(request.url),
        )
        page.goto(pages[name].as_uri())
        return page

    yield call
    for context in contexts:
        context.close()


@pytest.fixture
def serious(visit):
    """What axe finds wrong with a page for readers who see, hear or move differently."""

    def call(name, **options):
        found = Axe().run(visit(name, **options)).response["violations"]
        worst = [one for one in found if one["impact"] in ("serious", "critical")]
        return [(one["id"], one["nodes"][0]["html"][:200]) for one in worst]

    return call
