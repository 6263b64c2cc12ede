"""How commands print: JSON people can read, tables, and progress that never reaches a pipe."""

import glob
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse.core.errors import OptionError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

ENDINGS = {"report": (".html", ".htm"), "output": (".csv", ".parquet", ".pq")}
PATIENCE = 2.0  # seconds before a progress bar appears


def check_places(read: Iterable[str | os.PathLike[str] | None], **written: Path | None) -> None:
    """Refuse, before any work, to write over what is read or over another result, or where no file can be."""
    from justesse.frames.native import check_place

    patterns = [os.path.expanduser(os.fspath(name)) for name in read if name is not None]
    taken = {
        os.path.realpath(name): "a file that is read"
        for pattern in patterns
        for name in ([pattern] if os.path.exists(pattern) else glob.glob(pattern, recursive=True))
    }
    for option, path in written.items():
        if path is None:
            continue
        if what := taken.get(os.path.realpath(path)):
            raise OptionError(f"--{option} {path} would replace {what}; choose another name")
        if option != "charts":
            check_place(path, endings=ENDINGS.get(option, ()))
        elif path.exists() and not path.is_dir():
            raise OptionError(f"--charts {path} is a file; name a directory, which is made if there is none")
        taken[os.path.realpath(path)] = f"what --{option} writes"


def print_json(found: dict[str, Any]) -> None:
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
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    lines = []
    for key, value in found.items():
        if isinstance(value, list) and value:
            items = ",\n    ".join(map(dumped, value))
            lines.append(f"  {dumped(key)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {dumped(key)}: {dumped(value)}")
    try:
        print("{\n" + ",\n".join(lines) + "\n}", flush=True)
    except BrokenPipeError:
        to_nobody()


def listed(words: Sequence[str] | None) -> list[str]:
    """Take names apart that were given several times or separated by commas.

    >>> listed(["a,b", "c"]), listed(None)
    (['a', 'b', 'c'], [])
    """
    return [name.strip() for word in words or () for name in word.split(",")]


def numbers(option: str, words: Sequence[str] | None) -> list[float]:
    """Read numbers separated by commas.

    >>> numbers("rates", ["0.01,0.05"])
    [0.01, 0.05]
    """
    try:
        return [float(word) for word in listed(words)]
    except ValueError as error:
        raise OptionError(f"--{option} takes numbers separated by commas, such as 0.01,0.05; got {words!r}") from error


def console() -> "Console":
    """Give a console that wraps to the terminal, and to 120 columns in a pipe or a file."""
    from rich.console import Console

    class Screen(Console):
        """A console whose reader may leave: what is left is then said to nobody, and the exit code stays what it is."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            to_nobody()

    terminal = sys.stdout is not None and sys.stdout.isatty()  # None: it was closed before the command began
    return Screen(width=None if terminal else 120, highlight=False, emoji=False, markup=False)


def to_nobody() -> None:
    """Send what is still printed nowhere: the reader of the pipe has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def short(name: str, most: int = 28) -> str:
    """Shorten a name in the middle, so that a table keeps room for its numbers.

    >>> short("results/2024-05-17/large-model/predictions.csv")
    'results/2024…predictions.csv'
    """
    if len(name) <= most:
        return name
    tail = most - most // 2 + 1
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


def table(title: str, *columns: str) -> "Table":
    """Start a table whose numbers are never wrapped."""
    from rich import box
    from rich.table import Table

    made = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False)
    for at, column in enumerate(columns):
        made.add_column(column, justify="left" if at == 0 else "right", no_wrap=at > 0, overflow="fold")
    return made


@contextmanager
def patience(doing: str, share: Callable[[], float | None] = lambda: None) -> Iterator[None]:
    """Show a progress bar on a terminal once the work has lasted two seconds."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def show() -> None:
        if done.wait(PATIENCE):
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(doing, total=None)
            while not done.wait(0.1):
                if (now := share()) is not None:
                    bar.update(task, total=1.0, completed=now)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def chances(word: str) -> list[float]:
    """Read the chances of a simulated cleaning step.

    >>> chances("0.75:0.25:0.5")
    [0.75, 0.25, 0.5]
    """
    try:
        return [float(one) for one in word.split(":")]
    except ValueError as error:
        raise OptionError(f"--cleaning takes s:e or s:e:c, such as 0.75:0.25 or 0.75:0.25:0.5; got {word!r}") from error
