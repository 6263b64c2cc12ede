"""Single keys from a terminal."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from justesse.core.errors import OptionError

END = ("\x04", "")  # Ctrl-D, or a terminal that has gone


def check_terminal(instead: str) -> None:
    """Refuse to ask for keys where nobody can press any."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OptionError(f"keys can only be read from a terminal; {instead}")


@contextmanager
def single_keys() -> Iterator[None]:
    """Let keys arrive one by one and unseen, without waiting for a line; Ctrl-C still stops."""
    import termios
    import tty

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def key() -> str:
    """Wait for one key; arrows and their like are one key, too.

    What was typed ahead stays in the terminal: Python's own buffer would swallow it.
    """
    with single_keys():
        found = os.read(sys.stdin.fileno(), 1)
        if found == b"\x1b":
            while select.select([sys.stdin], [], [], 0.05)[0] and os.read(sys.stdin.fileno(), 8):
                pass
        while found and found[0] >= 0x80 and not _whole(found):
            found += os.read(sys.stdin.fileno(), 1)
    return found.decode(errors="replace")


def line(prompt: str) -> str | None:
    """Ask for a line of text; `None` if the terminal ends it."""
    print(prompt, end="", flush=True)
    found = b""
    while not found.endswith(b"\n"):
        piece = os.read(sys.stdin.fileno(), 1024)
        if not piece:
            return None
        found += piece
    return found.decode(errors="replace").strip()


def _whole(found: bytes) -> bool:
    try:
        found.decode()
    except UnicodeDecodeError:
        return len(found) >= 4
    return True
