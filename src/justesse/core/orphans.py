"""End a worker process when the process that started it is gone."""

import os
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")
EVERY = 0.5  # seconds between looks

_watching = threading.Event()


def ended_with(parent: int, task: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function, and from now on end this process as soon as the process `parent` is gone.

    A worker whose parent was killed would otherwise go on training, or wait for work that never comes. Nothing is done
    in the process itself, in its threads, and in workers that another process started, such as those of a cluster.

    >>> ended_with(os.getpid(), pow, 2, 3)
    8
    """
    if os.getpid() != parent and os.getppid() == parent and not _watching.is_set():
        _watching.set()
        threading.Thread(target=_watch, args=(parent,), daemon=True, name="ends with its parent").start()
    return task(*arguments)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    os._exit(1)  # nobody is left to hear of it, and what is kept on disk is written whole or not at all
