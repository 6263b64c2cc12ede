"""`python -m justesse` is `justesse`."""

import os
import signal
import sys
from types import FrameType


def run() -> None:
    """Run the command line: Ctrl-C ends it with 130 and without a traceback, however early or late it comes."""
    signal.signal(signal.SIGINT, _leave)  # nothing has been read or written yet
    from justesse.cli.main import STOPPED, main

    def stop(number: int, frame: FrameType | None) -> None:
        STOPPED.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        code = main()
    except KeyboardInterrupt:  # between two statements of `main`
        _leave()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the answer is out; only tidying up is left
    sys.exit(code)


def _leave(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    os.write(2, b"justesse: stopped\n")
    os._exit(130)


if __name__ == "__main__":
    run()
