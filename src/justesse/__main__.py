"""`python -m justesse` is `justesse`."""

import atexit
import contextlib
import gc
import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn


def run() -> None:
    """Run the command line: Ctrl-C ends it with 130 and without a traceback, however early or late it comes.

    SIGTERM ends it in the same way, with 143: temporary files are removed.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)  # nothing has been read or written yet
    gc.set_threshold(100_000, 20, 20)  # loading libraries makes many objects, and hardly any garbage
    from justesse.cli.main import STOPPED, STOPPED_CODE, main

    received = []

    def stop(number: int, frame: FrameType | None) -> None:
        received.append(number)
        STOPPED.set()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        code = main()
    except KeyboardInterrupt:  # between two statements of `main`
        _leave()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the answer is out; only tidying up is left
    _end(128 + received[0] if received and code == STOPPED_CODE else code)


def _end(code: int) -> NoReturn:
    """End at once: what was to be removed is removed, what was printed is out, memory goes back as a whole."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the interpreter does at its end
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # its reader has gone, it is closed or None
            stream.flush()
    os._exit(code)


def _leave(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    os.write(2, b"justesse: stopped\n")
    os._exit(128 + number)


if __name__ == "__main__":
    run()
