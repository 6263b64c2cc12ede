"""Make the pictures of the pages of `justesse serve`: `make gallery`.

Starts a server on an audit of handwritten digits and on the systems of `justesse demo --lifelong`, and looks at its pages
in headless Chromium. `--to FOLDER` keeps the pictures elsewhere.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import BrowserContext, sync_playwright
from sklearn.datasets import load_digits

from justesse import audit_answer, audit_next

sys.path.insert(0, str(Path(__file__).parent))

from gallery import justesse, made_small
from gallery_data import pool, write

IMAGES = Path(__file__).parents[1] / "images"
ANSWER, OWNER = "/audits/digits.audit/answer", "/audits/digits.audit"
ANSWERED = 12
SYSTEMS = ("static", "cumulative", "last")
POLICY = "/policies/draw?" + "".join(f"file={name}.csv&" for name in SYSTEMS) + "period=month&preset=recent"
PAGES = (  # picture, address, width, height, dark
    ("serve", ANSWER, 1280, 900, False),  # for the README
    ("gallery/serve-phone", ANSWER, 390, 844, True),
    ("gallery/serve-owner", OWNER, 1280, 1200, False),
    ("gallery/serve-policy", POLICY, 1280, 1500, False),
)


def main(to: Path) -> None:
    """Make all pictures."""
    (to / "gallery").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        write_served(folder)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with served(folder / "digits", folder / "state") as address:
            root = address.partition("/enter")[0]
            first = browser.new_context()
            log_in(first, address, root)
            for name, path, width, height, dark in PAGES:
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if dark else "light",
                    device_scale_factor=2 if width < 600 else 1,
                )
                context.add_cookies(first.cookies())  # type: ignore[arg-type]
                page = context.new_page()
                page.goto(root + path)
                page.wait_for_timeout(500)  # the image of a question, the chart of an audit
                page.screenshot(path=to / f"{name}.png")
                made_small(to / f"{name}.png")
                context.close()
                print(f"{(to / f'{name}.png').stat().st_size:>8} {name}.png")
        browser.close()


def log_in(context: BrowserContext, address: str, root: str) -> None:
    """Use the one-time token, and read the instructions of the audit."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(f"{root}/")
    page.goto(f"{root}{ANSWER}")


def write_served(folder: Path) -> None:
    """Write the served directory: the audit of two classifiers, some of its answers, images, and three systems."""
    home = folder / "digits"
    home.mkdir()
    justesse(folder, "demo")
    justesse(folder, "demo --lifelong")
    columns = pool(folder)
    names = [f"digit-{number:04d}" for number in columns["id"]]
    for name, pixels in zip(names, load_digits().images[columns["id"]], strict=True):
        Image.fromarray((255 - 15.9 * pixels).astype("uint8")).resize((320, 320)).save(home / f"{name}.png")
    answers = {name: columns[name] for name in ("label", "near_5", "forest_10")}
    write(folder / "pool.csv", {"id": names, "image": [f"{name}.png" for name in names], **answers})
    justesse(
        folder,
        "audit start pool.csv --incumbent near_5 --candidate forest_10 --label label --on id --image image",
        *("--instructions", "Name the digit.", "--to", "digits/digits.audit"),
    )
    true = dict(zip(names, columns["true"].tolist(), strict=True))
    for question in audit_next(home / "digits.audit", ANSWERED).questions:
        audit_answer(home / "digits.audit", question.id, true[question.id], by="Ann")
    for name in SYSTEMS:
        shutil.copy(folder / "demo" / f"{name}.csv", home)


@contextmanager
def served(home: Path, state: Path) -> Iterator[str]:
    """Run `justesse serve` on a directory; give the address that logs in."""
    command = [sys.executable, "-m", "justesse", "serve", str(home), "--no-browser"]
    environment = {**os.environ, "XDG_STATE_HOME": str(state)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=IMAGES)
    main(parser.parse_args().to)
