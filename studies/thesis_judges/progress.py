"""Progress of long work, one bar for each kind; where nobody watches, a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from justesse.core.parallel_map import Progress

SECONDS = 60.0  # between two lines


@contextmanager
def bars() -> Iterator[Callable[[str], Progress]]:
    """Give a function from the name of some work to its progress."""
    if not sys.stderr.isatty():
        yield _lines
        return
    from rich.console import Console
    from rich.progress import Progress as Rich

    with Rich(console=Console(stderr=True)) as rich:

        def bar(name: str) -> Progress:
            task = rich.add_task(name, total=None)
            return lambda done, total: rich.update(task, completed=done, total=total)

        yield bar


def _lines(name: str) -> Progress:
    said = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal said
        if done == total or time.monotonic() - said > SECONDS:
            said = time.monotonic()
            print(f"{name}: {done} of {total}", file=sys.stderr, flush=True)

    return tell
