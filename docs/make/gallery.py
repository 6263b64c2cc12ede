"""Make the pictures of the gallery and of the README: `make gallery`.

Writes the pages from data that come with scikit-learn, opens them in headless Chromium, and keeps small PNG files in
docs/images/gallery. `python docs/make/gallery.py evaluate plan` makes only these, `--to FOLDER` keeps them elsewhere.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))

from gallery_data import write_all

GALLERY = Path(__file__).parents[1] / "images" / "gallery"
LARGEST = 150_000  # bytes of one picture
AUDIT = (
    "audit start pool.csv --incumbent near_5 --candidate forest_10 --label label --true true --on id --to digits.audit"
)


@dataclass(frozen=True)
class Picture:
    """One picture: the commands that make the page, and how the page is looked at."""

    name: str
    page: str
    commands: tuple[str, ...]
    width: int = 1280
    height: int = 1500
    dark: bool = False


EVALUATE = "evaluate demo/candidate.csv --by ink --report evaluate.html"
COMPARE = "compare demo/incumbent.csv demo/candidate.csv --on id --by ink --margin 0.01 --no-gate --report compare.html"
CLEAN = "clean cancer.csv --label class --model forest --report clean.html"
RECHECK = (
    "clean suspects.csv --label class --model forest --recheck 300 --recheck-to ask.recheck",
    "recheck answer ask.recheck --file checked.csv",
    "recheck next ask.recheck -n 5 --report recheck.html",
)
SHIFT = "evaluate-unlabelled later.csv --reference labelled.csv --proba p_ --report shift.html"
LIFELONG = (
    "demo --lifelong",
    "lifelong compare demo/cumulative.csv demo/last.csv --trained trained --policy recent --no-gate --report lifelong.html",
)
PICTURES = (
    Picture("report", "evaluate.html", (EVALUATE,), height=760),  # for the README
    Picture("evaluate", "evaluate.html", (EVALUATE,)),
    Picture("evaluate-dark", "evaluate.html", (EVALUATE,), height=1000, dark=True),
    Picture("evaluate-phone", "evaluate.html", (EVALUATE,), 390, 844),
    Picture("scores", "scores.html", ("evaluate scores.csv --score p --positive malignant --report scores.html",)),
    Picture("compare", "compare.html", (COMPARE,)),
    Picture("compare-phone", "compare.html", (COMPARE,), 390, 844),
    Picture("compare-folds", "folds.html", ("compare-folds folds.csv --incumbent tree --candidate forest,bayes --no-gate --report folds.html",)),
    Picture("regression", "regression.html", ("evaluate progression.csv --regression --by sex --report regression.html",)),
    Picture("compare-regression", "versus.html", ("compare-regression progression.csv --incumbent yhat --candidate forest --label y --by sex --no-gate --report versus.html",)),
    Picture("noise", "noise.html", ("noise bounds demo/candidate.csv --noise-rate 6% --report noise.html",)),
    Picture("plan", "plan.html", ("plan difference --difference 0.02 --disagreement 0.08 --report plan.html",)),
    Picture("audit", "audit.html", (AUDIT, "audit report digits.audit --no-gate --report audit.html")),
    Picture("tournament", "tournament.html", ("tournament pool.csv --label label --true true --report tournament.html",)),
    Picture("leaderboard", "leaderboard.html", ("tournament pool.csv --judge none --report leaderboard.html",)),
    Picture("assess", "assess.html", ("assess cancer.csv --label class --model tree --model logistic --k 5 --report assess.html",)),
    Picture("annotators-agree", "agree.html", ("annotators agree answers.csv --report agree.html",)),
    Picture("annotators-infer", "infer.html", ("annotators infer answers.csv --check gold.csv --report infer.html",)),
    Picture("annotators-phone", "infer.html", ("annotators infer answers.csv --check gold.csv --report infer.html",), 390, 844),
    Picture("clean", "clean.html", (CLEAN,)),
    Picture("clean-phone", "clean.html", (CLEAN,), 390, 844),
    Picture("recheck", "recheck.html", RECHECK),
    Picture("recheck-phone", "recheck.html", RECHECK, 390, 844),
    Picture("ab", "ab.html", ("ab events.csv --no-gate --report ab.html",)),
    Picture("ab-phone", "ab.html", ("ab events.csv --no-gate --report ab.html",), 390, 844),
    Picture("unlabelled", "unlabelled.html", ("evaluate-unlabelled pool.csv --models near_5,forest_20,tree,near_25 --report unlabelled.html",)),
    Picture("shift", "shift.html", (SHIFT,)),
    Picture("shift-phone", "shift.html", (SHIFT,), 390, 844),
    Picture("lifelong", "lifelong.html", LIFELONG),
    Picture("lifelong-phone", "lifelong.html", LIFELONG, 390, 844, dark=True),
    Picture("llm-judge", "judge.html", ("llm-judge verdicts.csv --human ratings.csv --report judge.html",)),
    Picture("inspect", "inspect.html", ("inspect demo/candidate.csv --class-half-width 0.11 --report inspect.html",)),
)  # fmt: skip


def main(names: list[str], to: Path) -> None:
    """Make all pictures, or those named."""
    to.mkdir(parents=True, exist_ok=True)
    chosen = [picture for picture in PICTURES if not names or picture.name in names]
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        justesse(folder, "demo")
        write_all(folder)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        done: set[str] = set()
        for picture in chosen:
            for command in picture.commands:
                if command not in done:
                    justesse(folder, command)
                    done.add(command)
            file = to / f"{picture.name}.png"
            look(browser, folder / picture.page, picture, file)
            print(f"{file.stat().st_size:>8} {file.name}")
        browser.close()


def justesse(folder: Path, command: str, *more: str) -> None:
    """Run a command of this checkout; words that hold spaces come after it."""
    words = [sys.executable, "-m", "justesse", *command.split(), *more]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=os.environ)
    if done.returncode not in (0, 1):
        raise SystemExit(f"justesse {command}\n{done.stderr}")


def look(browser: Browser, page: Path, picture: Picture, file: Path) -> None:
    """Take the picture."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme="dark" if picture.dark else "light",
        device_scale_factor=2 if picture.width < 600 else 1,
        offline=True,
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.screenshot(path=file)
    context.close()
    made_small(file)


def made_small(file: Path) -> None:
    """Write a picture again with as few colours as its size needs."""
    image = Image.open(file).convert("RGB")
    for colours in (256, 128, 64, 32, 16):
        image.quantize(colours, dither=Image.Dither.NONE).save(file, optimize=True)
        if file.stat().st_size <= LARGEST:
            return
    raise SystemExit(f"{file} is larger than {LARGEST} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="pictures to make; all if none is named")
    parser.add_argument("--to", type=Path, default=GALLERY)
    arguments = parser.parse_args()
    main(arguments.names, arguments.to)
