"""Single keys from a terminal."""

import os
import select
import sys
from types import TracebackType
from typing import Any

from justesse.core.errors import OptionError

END = ("\x04", "")  # Ctrl-D, or a terminal that has gone


def check_terminal(instead: str) -> None:
    """Refuse to wait for keys outside a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OptionError(f"Single keys can only be read from a terminal. {instead}")


class Keys:
    """Read single keys within the block, without echo and without waiting for Enter; Ctrl-C still stops.

    Keys pressed ahead are kept: the terminal is switched once, before the first question, and read without a buffer.
    """

    def __enter__(self) -> "Keys":
        import termios

        self.handle = sys.stdin.fileno()
        self.before: list[Any] = termios.tcgetattr(self.handle)
        self._one_by_one()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._in_lines()

    def key(self) -> str:
        """Wait for one key; the several bytes of an arrow key count as one key."""
        pressed = os.read(self.handle, 1)
        if pressed == b"\x1b":
            while select.select([self.handle], [], [], 0.05)[0] and os.read(self.handle, 1) not in LETTERS:
                pass
        while pressed and pressed[0] >= 0xC0 and len(pressed) < 4 and not _is_whole(pressed):
            pressed += os.read(self.handle, 1)
        return pressed.decode(errors="replace")

    def line(self, prompt: str) -> str | None:
        """Ask for a line of text; `None` if the terminal is closed."""
        self._in_lines()
        try:
            print(prompt, end="", flush=True)
            typed = b""
            while not typed.endswith(b"\n"):
                piece = os.read(self.handle, 1024)
                if not piece:
                    return None
                typed += piece
        finally:
            self._one_by_one()
        return typed.decode(errors="replace").strip()

    def _one_by_one(self) -> None:
        import termios
        import tty

        tty.setcbreak(self.handle, termios.TCSADRAIN)  # the default would forget what was typed ahead

    def _in_lines(self) -> None:
        import termios

        termios.tcsetattr(self.handle, termios.TCSADRAIN, self.before)


LETTERS = {bytes([code]) for code in (*range(0x41, 0x5B), *range(0x61, 0x7B), 0x7E)} - {b"O"}  # end what an arrow sends


def _is_whole(character: bytes) -> bool:
    try:
        character.decode()
    except UnicodeDecodeError:
        return False
    return True
