"""Workers end with the process that started them, even if that is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import justesse

SCRIPT = """
import os, sys, time
from justesse.core.parallel_map import parallel_map

def slowly(folder):
    open(os.path.join(folder, str(os.getpid())), "w").close()
    time.sleep(120)

list(parallel_map(slowly, [(sys.argv[1],)] * 2, total=2, n_jobs=2))
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(os.name != "posix", reason="no SIGKILL elsewhere")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    script, folder = tmp_path / "parent.py", tmp_path / "workers"
    script.write_text(SCRIPT)
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(justesse.__file__).parents[1])}
    parent = subprocess.Popen([sys.executable, str(script), str(folder)], env=environment)
    until = time.monotonic() + 90
    while len(list(folder.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    workers = [int(path.name) for path in folder.iterdir()]
    assert len(workers) == 2
    time.sleep(0.2)
    parent.send_signal(signal.SIGKILL)
    assert parent.wait() == -signal.SIGKILL
    until = time.monotonic() + 30
    while any(map(alive, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    left = [pid for pid in workers if alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left
