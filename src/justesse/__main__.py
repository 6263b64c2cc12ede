"""`python -m justesse` is `justesse`."""

import gc
import os
import signal
import sys
from types import FrameType


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
    sys.exit(128 + received[0] if received and code == STOPPED_CODE else code)


def _leave(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    os.write(2, b"justesse: stopped\n")
    os._exit(128 + number)


if __name__ == "__main__":
    run()
