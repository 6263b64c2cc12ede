"""How commands print: JSON people can read, tables, and progress that never reaches a pipe."""

import glob
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse.cli.split_names import split_names
from justesse.core.errors import OptionError
from justesse.core.printable import json_printable, printable, printable_lines
from justesse.core.shares import share
from justesse.report.spelling import as_typed
from justesse.report.writing import message

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PAGES = (".html", ".htm")
PATIENCE = 2.0  # seconds before a progress bar appears


def check_places(read: Iterable[str | os.PathLike[str] | None], **written: Path | None) -> None:
    """Refuse, before any work, to write over what is read or over another result, or where no file can be."""
    from justesse.frames.native import TABLES, check_directory, check_place

    endings = {"report": PAGES, "output": TABLES, "confusion": TABLES, "transition_to": (".csv",)}

    patterns = [os.path.expanduser(os.fspath(name)) for name in read if name is not None]
    taken = {
        os.path.realpath(name): "a file that is read"
        for pattern in patterns
        for name in ([pattern] if os.path.exists(pattern) else glob.glob(pattern, recursive=True))
    }
    for option, path in written.items():
        if path is None:
            continue
        spelt = option.replace("_", "-")
        if what := taken.get(os.path.realpath(path)):
            raise OptionError(f"--{spelt} {path} would replace {what}. Choose another name.")
        if option != "charts":
            check_place(path, endings=endings.get(option, ()))
        elif path.exists() and not path.is_dir():
            raise OptionError(f"--charts {path} is a file. Name a directory; it is created if necessary.")
        else:
            check_directory(path)
        if option in ("report", "charts"):
            from justesse.charts.renderer import check_can_draw  # late: most runs draw nothing

            check_can_draw()
        taken[os.path.realpath(path)] = f"what --{spelt} writes"


def print_json(data: dict[str, Any]) -> None:
    """Print one key a line, and one list item a line: easy to read and to compare.

    >>> print_json({"schema": 1, "counts": [["a", "b", 2]], "by": []})
    {
      "schema": 1,
      "counts": [
        ["a", "b", 2]
      ],
      "by": []
    }
    """

    def dumped(value: Any) -> str:
        return json_printable(json.dumps(value, ensure_ascii=False, allow_nan=False))

    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value:
            items = ",\n    ".join(map(dumped, value))
            lines.append(f"  {dumped(key)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {dumped(key)}: {dumped(value)}")
    print_text("{\n" + ",\n".join(lines) + "\n}\n")


def print_text(text: str) -> None:
    """Print a text as it is, for another program or a file; a reader who leaves is no failure."""
    try:
        print(printable_lines(text), end="", flush=True)
    except BrokenPipeError:
        to_nobody()


def listed(words: Sequence[str] | None) -> list[str]:
    """Take names apart that were given several times or separated by commas.

    >>> listed(["a,b", "c"]), listed(['"a,b",c']), listed(None)
    (['a', 'b', 'c'], ['a,b', 'c'], [])
    """
    return [name for word in words or () for name in split_names(word)]


def listed_calls(words: Sequence[str] | None) -> list[str]:
    """Take filters or models apart that are separated by commas; commas in brackets separate their settings.

    >>> listed_calls(["entropy,edited-neighbours(neighbours=5,vote=all)", "oracle"])
    ['entropy', 'edited-neighbours(neighbours=5,vote=all)', 'oracle']
    """
    names: list[str] = []
    for part in listed(words):
        if names and names[-1].count("(") > names[-1].count(")"):
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def numbers(option: str, words: Sequence[str] | None) -> list[float]:
    """Read numbers separated by commas.

    >>> numbers("noise-rates", ["0.01,5%"])
    [0.01, 0.05]
    """
    try:
        return [share(word, "it") for word in listed(words)]
    except OptionError as error:
        raise OptionError(f"--{option} takes numbers separated by commas, such as 0.01,5%; got {words!r}.") from error


def say(words: object, *, to_errors: bool = False) -> None:
    """Print one line; nothing in it steers the terminal, and no name in it begins another line."""
    print(printable(words), flush=True, file=sys.stderr if to_errors else sys.stdout)


def say_written(path: object) -> None:
    """Print the name of a file or directory that was written."""
    say(message("Written: {path}", path=path))


def complain(error: object) -> None:
    """Print what is wrong; further lines are indented, so that none can be taken for another message."""
    print("\n  ".join(printable_lines(f"justesse: {as_typed(str(error))}").splitlines()), file=sys.stderr)


def console(*, to_errors: bool = False) -> "Console":
    """Give a console that wraps to the terminal; in a pipe or a file to COLUMNS, 120 if that is not set.

    A string is one line: ends of lines within it come from a name and are spelt out.
    """
    from rich.console import Console
    from rich.segment import Segment

    class Screen(Console):
        """A console that names cannot steer, and whose reader may leave: the rest then goes nowhere."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            to_nobody()

        def print(self, *objects: Any, **options: Any) -> None:
            super().print(*(_one_line(item) if isinstance(item, str) else item for item in objects), **options)

        def render_str(self, text: str, **options: Any) -> "Text":  # before widths are measured
            return super().render_str(printable_lines(text), **options)

        def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:  # whatever else is drawn
            for part in super().render(renderable, options):
                yield part if part.control else Segment(printable_lines(part.text), part.style)

    stream = sys.stderr if to_errors else sys.stdout
    terminal = stream is not None and stream.isatty()  # None: it was closed before the command began
    columns = os.environ.get("COLUMNS", "")
    width = None if terminal else max(int(columns), 20) if columns.isdecimal() else 120
    return Screen(width=width, highlight=False, emoji=False, markup=False, stderr=to_errors)


def _one_line(text: str) -> str:
    """Spell out ends of lines within a text, not those that space it.

    >>> _one_line("\\na\\nb\\n")
    '\\na\\\\nb\\n'
    """
    inner = text.strip("\n")
    return text.replace(inner, printable(inner), 1)


def to_nobody() -> None:
    """Send what is still printed nowhere: the reader of the pipe has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def short(name: str, most: int = 28) -> str:
    """Shorten a name in the middle, so that a table keeps room for its numbers.

    >>> short("results/2024-05-17/large-model/predictions.csv")
    'results/2024…predictions.csv'
    """
    name = printable(name)
    if len(name) <= most:
        return name
    tail = most - most // 2 + 1
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


@contextmanager
def patience(doing: str, share: Callable[[], float | None] = lambda: None) -> Iterator[None]:
    """Show a progress bar on a terminal once the work has lasted two seconds."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    start = time.monotonic()

    def show() -> None:
        if done.wait(PATIENCE):
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[left]}"),
            TimeElapsedColumn(),
        )
        # rich would put back the standard output it finds now, which may be one that is redirected for a while
        with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
            task = bar.add_task(doing, total=None, left="")
            while not done.wait(0.1):
                if (now := share()) is not None:
                    bar.update(task, total=1.0, completed=now, left=time_left(now, time.monotonic() - start))

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def time_left(share: float, seconds: float) -> str:
    """Say how much is done, and how long the rest will take at the same speed.

    >>> time_left(0.25, 30), time_left(0.5, 4000), time_left(0.0, 3)
    ('25 %, 1:30 left', '50 %, 1:06:40 left', '0 %')
    """
    if share <= 0:
        return "0 %"
    left = round(seconds * (1 - share) / share)
    hours, minutes = left // 3600, left // 60 % 60
    clock = f"{hours}:{minutes:02}:{left % 60:02}" if hours else f"{minutes}:{left % 60:02}"
    return str(message("{share:.0f} %, {clock} left", share=100 * share, clock=clock))


def chances(word: str) -> list[float]:
    """Read the chances of a simulated cleaning step.

    >>> chances("0.75:0.25:0.5")
    [0.75, 0.25, 0.5]
    """
    try:
        return [share(item, "it") for item in word.split(":")]
    except OptionError as error:
        raise OptionError(
            f"--cleaning takes s:e or s:e:c, such as 0.75:0.25 or 0.75:0.25:0.5; got {word!r}."
        ) from error
