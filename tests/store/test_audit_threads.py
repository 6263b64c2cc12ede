"""Threads of one process and other processes that answer at once: every answer that was acknowledged is kept."""

import subprocess
import sys
import threading

from justesse.store.answers import read_entries
from justesse.store.audit_file import new_audit, open_audit
from justesse.store.disagreements import DisagreeingRow, write_disagreements

EACH = 25
# opening the audit anew for every answer is what the commands and the library do
WRITER = """
import os, sys, threading
from justesse.store.answers import Diary
from justesse.store.audit_file import open_audit

path, each, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

def answer(by):
    for row in range(each):
        with open_audit(path).writing() as connection:
            diary = Diary.read(connection)
            diary.add(row, "answer", "a", by=by)
            diary.save(connection)
        os.write(1, f"{by} {row}\\n".encode())  # in one piece: print would mix threads

threads = [threading.Thread(target=answer, args=(by,)) for by in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_and_processes_that_answer_at_once_lose_nothing(place):
    with new_audit(place) as connection:
        write_disagreements(
            connection, [DisagreeingRow(at, f"{at}", "a", "a", "b") for at in range(EACH)], {"level": 0.95}
        )
    people = [("Ann", "Bob", "Cy"), ("Dan", "Eve")]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place), str(EACH), *names],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for names in people
    ]
    acknowledged = set()
    for process in writers:
        out, error = process.communicate(timeout=240)
        assert "Error" not in error, error
        acknowledged |= {tuple(line.split()) for line in out.splitlines()}
    with open_audit(place).reading() as connection:
        kept = {(entry.by, str(entry.row)) for entry in read_entries(connection)}
    assert len(acknowledged) == EACH * 5
    assert acknowledged == kept


def test_looking_at_an_audit_in_one_thread_does_not_unlock_it_in_another(tmp_path):
    path = tmp_path / "my.audit"
    with new_audit(path) as connection:
        write_disagreements(connection, [DisagreeingRow(0, "0", "a", "a", "b")], {"level": 0.95})
    stranger = [
        sys.executable,
        "-c",
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)\n"
        "connection.execute('BEGIN IMMEDIATE')",
        str(path),
    ]
    with open_audit(path).writing():
        looking = threading.Thread(target=open_audit, args=(path,))
        looking.start()
        looking.join()
        assert "locked" in subprocess.run(stranger, capture_output=True, text=True, check=False).stderr
    assert subprocess.run(stranger, check=False).returncode == 0
