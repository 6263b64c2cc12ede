"""Processes killed while they answer, and many that answer at once: what was acknowledged is kept."""

import subprocess
import sys
import time

import pytest

import justesse
from attack.conftest import LONG

ROWS = 900
LABELS = [at % 3 for at in range(ROWS)]
TABLE = {
    "id": list(range(ROWS)),
    "label": LABELS,
    "old": [(label + (at % 2)) % 3 for at, label in enumerate(LABELS)],
    "new": [(label + 2 - 2 * (at % 2)) % 3 for at, label in enumerate(LABELS)],
}
START = {"incumbent": "old", "candidate": "new", "on": "id", "budget": 890, "level": 1 - 1e-15}
KILLS = 20
# forked, so that a kill costs milliseconds: no file is open when a child begins
KILLER = """
import os, random, signal, sys, time
from justesse import audit_answer, audit_next, audit_status
path, rng, kills = sys.argv[1], random.Random(sys.argv[2]), int(sys.argv[3])
audit_status(path)  # loads what a child needs
for number in range(kills):
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        while due := audit_next(path, 6).questions:
            for one in due:
                audit_answer(path, one.id, int(one.id) % 3, by=f"p{number}")
                os.write(mouth, f"{one.id}\\n".encode())
        os._exit(0)
    os.close(mouth)
    began, heard = time.monotonic(), b""
    for _ in range(rng.randint(1, 3)):
        heard += os.read(ear, 4096)
    time.sleep(rng.uniform(0, time.monotonic() - began))  # at any moment of the next answer
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(ear, 4096):
        heard += more
    os.close(ear)
    sys.stdout.write(heard.decode())
"""
CROWD = """
import os, sys, threading
from justesse import audit_answer
path, ids, names = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
def answer(by):
    for name in ids:
        audit_answer(path, name, int(name) % 3, by=by)
        os.write(1, f"{by} {name}\\n".encode())
threads = [threading.Thread(target=answer, args=(by,)) for by in names]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def kept_in(path):
    return justesse.audit_status(path).to_dict()["answers"]


@pytest.mark.parametrize("block", range(50 if LONG else 1))
def test_killed_processes_lose_no_acknowledged_answer(tmp_path, block):
    path = tmp_path / "my.audit"
    justesse.audit_start(TABLE, **START, to=path)
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(path), str(block), str(KILLS)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    acknowledged = done.stdout.split()
    kept = [one["id"] for one in kept_in(path)]
    assert len(acknowledged) >= KILLS  # the processes did answer
    assert not set(acknowledged) - set(map(str, kept))
    assert len(set(kept)) == len(kept)
    assert len(kept) <= len(acknowledged) + KILLS  # at most the one each kill cut off before it was announced
    justesse.audit_answer(path, justesse.audit_next(path, 1).questions[0].id, 0, by="after")


def test_threads_and_processes_answer_at_once_while_others_look(tmp_path):
    path = tmp_path / "my.audit"
    justesse.audit_start(TABLE, **START, to=path)
    ids = [str(one.id) for one in justesse.audit_next(path, 30 if LONG else 6).questions]
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", CROWD, str(path), ",".join(ids), *names],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for names in (("Ann", "Bob", "Cy"), ("Dan", "Eve"), ("Flo",))
    ]  # fmt: skip
    while any(process.poll() is None for process in crowd):
        kept_in(path)
        time.sleep(0.1)
    acknowledged = []
    for process in crowd:
        out, error = process.communicate()
        assert not error, error
        acknowledged += [tuple(line.split()) for line in out.splitlines()]
    assert len(acknowledged) == 6 * len(ids)
    assert sorted(acknowledged) == sorted((one["by"], str(one["id"])) for one in kept_in(path))
