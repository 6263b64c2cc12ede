"""Make the pictures of terminal output: `make gallery`, or `python docs/make/terminal.py evaluate plan` for some of them.

Runs each command in a terminal of 80 columns, with data that come with scikit-learn, and keeps what it prints as small PNG files
in docs/images/terminal.
"""

import argparse
import fcntl
import io
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.text import Text

sys.path.insert(0, str(Path(__file__).parent))

from gallery import AUDIT, justesse, made_small
from gallery_data import write_all

FOLDER = Path(__file__).parents[1] / "images" / "terminal"
COLUMNS = 80
LINES = 48  # a tall screen; the picture says how many lines follow
PAGE = (
    "<!doctype html><meta charset=utf-8><style>body{{margin:0;background:#fff}}pre{{display:inline-block;margin:0;padding:10px 14px;"
    "font:13px/17px 'DejaVu Sans Mono',monospace;color:#1b1b1b}}{stylesheet}</style><pre>{code}</pre>"
)


@dataclass(frozen=True)
class Output:
    """One picture: the command, and those that must run before it."""

    name: str
    command: str
    before: tuple[str, ...] = ()


OUTPUTS = (
    Output("evaluate", "evaluate demo/candidate.csv"),
    Output("compare", "compare demo/incumbent.csv demo/candidate.csv --on id --margin 0.01"),
    Output("compare-folds", "compare-folds folds.csv --incumbent tree --candidate forest,bayes"),
    Output("noise-bounds", "noise bounds demo/candidate.csv --noise-rate 0.06"),
    Output("noise-breakdown", "noise breakdown demo/candidate.csv --claim accuracy>=0.9 --claim recall:3>=0.8"),
    Output("audit-status", "audit status digits.audit", (AUDIT,)),
    Output("tournament", "tournament pool.csv --label label --true true"),
    Output("assess", "assess cancer.csv --label class --model tree --model logistic --k 5"),
    Output("inspect", "inspect demo/candidate.csv --class-half-width 0.11"),
    Output("plan", "plan difference --difference 0.02 --disagreement 0.08"),
)


def main(names: list[str], to: Path) -> None:
    """Make all pictures, or those named."""
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        justesse(folder, "demo")
        write_all(folder)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for output in OUTPUTS:
            if not names or output.name in names:
                for command in output.before:
                    justesse(folder, command)
                file = to / f"{output.name}.png"
                draw(browser, output.command, printed(folder, output.command), file)
                print(f"{file.stat().st_size:>8} {file.name}")
        browser.close()


def printed(folder: Path, command: str) -> str:
    """Run a command of this checkout in a terminal, and return what it prints with its colours."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    words = [sys.executable, "-m", "justesse", *command.split()]
    child = subprocess.Popen(
        words, cwd=folder, stdout=inside, stderr=subprocess.DEVNULL, env={**environment, "TERM": "xterm-256color"}
    )
    os.close(inside)
    text = b""
    try:
        while part := os.read(terminal, 65536):
            text += part
    except OSError:  # how Linux reports that the command has ended
        pass
    os.close(terminal)
    if child.wait() not in (0, 1):
        raise SystemExit(f"justesse {command}: exit code {child.returncode}")
    return text.decode().replace("\r\n", "\n")


def draw(browser: Browser, command: str, text: str, file: Path) -> None:
    """Draw the command and the first lines of what it printed."""
    wrapped = io.StringIO()
    Console(file=wrapped, width=COLUMNS, no_color=True).print(f"$ justesse {command}", markup=False, highlight=False)
    lines = Text.from_ansi(text.rstrip()).split("\n")
    left = len(lines) - LINES
    console = Console(file=io.StringIO(), record=True, width=COLUMNS, force_terminal=True)
    console.print(Text(wrapped.getvalue().rstrip(), style="bold"))
    for line in lines[:LINES]:
        console.print(line, soft_wrap=True)
    if left > 0:
        console.print(Text(f"[{left} more lines]", style="italic"))
    opened = browser.new_page(viewport={"width": 800, "height": 600})
    opened.set_content(console.export_html(code_format=PAGE))
    opened.locator("pre").screenshot(path=file)
    opened.close()
    made_small(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="pictures to make; all if none is named")
    parser.add_argument("--to", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    main(arguments.names, arguments.to)
