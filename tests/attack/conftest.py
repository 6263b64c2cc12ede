"""What the attacks share: how long they last, and what no command may ever do.

`JUSTESSE_ATTACK=long` repeats them many times over; as they are they take about a minute and a half on two cores.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

LONG = os.environ.get("JUSTESSE_ATTACK") == "long"
# all that would steer a terminal; plain output has ends of lines, and nothing else of the kind
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
FORGED = "FORGED-LINE"


@pytest.fixture
def times() -> Callable[[int, int], int]:
    """How often to repeat something: as usual, or with `JUSTESSE_ATTACK=long`."""
    return lambda usual, long: long if LONG else usual


@pytest.fixture
def command(tmp_path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run justesse in a process of its own, in the test's folder."""

    def call(*words: object, timeout: float = 60, **options) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "justesse", *map(str, words)],
            capture_output=True, text=True, errors="replace", timeout=timeout, cwd=tmp_path, stdin=subprocess.DEVNULL,
            **options,
        )  # fmt: skip

    return call


def left_behind(folder: Path) -> list[str]:
    """Names of temporary files that a command should have removed, however it ended."""
    return [str(one.relative_to(folder)) for one in folder.rglob("*") if ".justesse-" in one.name]


def check_clean(code: int, out: str, err: str, words: object, *, gate: bool = False) -> None:
    """Check what every command promises, whatever it is given."""
    told = f"{words}\nexit {code}\n{out[-1500:]}\n{err[-3000:]}"
    assert code in ((0, 1, 2) if gate else (0, 2)), told
    assert "Traceback" not in err, told
    assert "unexpected error" not in err, told
    assert not STEERING.search(out), told
    assert not STEERING.search(err), told
    assert not [line for line in (out + "\n" + err).splitlines() if line.startswith(FORGED)], told
    if code == 2:
        assert err.strip(), told
