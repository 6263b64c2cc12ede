"""The server is killed again and again (SIGKILL) while experts answer: acknowledged answers lost, and saved twice.

Experts send an answer until it is acknowledged, with the same key. A process with everything loaded makes copies of
itself, so that a server starts in no time. Run: python -m benchmarks.serve_kills [KILLS] [EXPERTS]
"""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import justesse
from benchmarks.serve import invited, visitor

KILLS = 1_000
ROUND = 50  # kills of one audit; a server that starts reads all answers so far
ROWS = 8_000
LAUNCHER = """
import os, signal, sys
from pathlib import Path
import justesse.web.serve as web
import justesse.verbs.audit.status, scipy.stats
from justesse.web.people import Users
from justesse.web.shelf import Directory
folder, port = Path(sys.argv[1]), int(sys.argv[2])
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in sys.stdin:
    child = os.fork()
    if not child:
        web.serve(Directory(folder), people=Users(owner="olga"), port=port, browser=False,
                  ready=lambda address: print(os.getpid(), address, flush=True))
        os._exit(0)
"""


class KilledServer:
    """A server on one port that is killed and started again."""

    def __init__(self, folder: Path, state: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.launcher = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, str(folder), str(self.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": str(state)},
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        assert self.launcher.stdin is not None
        assert self.launcher.stdout is not None
        self.launcher.stdin.write("start\n")
        self.launcher.stdin.flush()
        number, self.address = self.launcher.stdout.readline().split()
        self.number, self.root = int(number), self.address.partition("/enter")[0]

    def kill(self) -> None:
        os.kill(self.number, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            while True:  # its port is free once it is gone
                os.kill(self.number, 0)
                time.sleep(0.002)

    def close(self) -> None:
        self.kill()
        self.launcher.terminate()
        self.launcher.communicate()


class Expert(threading.Thread):
    """A person who sends every answer until it is acknowledged."""

    def __init__(self, server: KilledServer, name: str, headers: dict[str, str], done: threading.Event) -> None:
        super().__init__(daemon=True)
        self.server, self.person, self.headers, self.done = server, name, headers, done
        self.acknowledged: list[tuple[str, int]] = []
        self.wrong = ""

    def run(self) -> None:
        turn: dict[str, Any] = {"questions": []}
        while not self.done.is_set():
            if not turn["questions"]:
                turn = self._until_answered("questions", {})
                time.sleep(0.05 if not turn["questions"] else 0)
                continue
            row = turn["questions"][0]["row"]
            key = f"{self.person}-{len(self.acknowledged)}"
            turn = self._until_answered("answers", {"answers": [{"key": key, "row": row, "kind": "neither"}]})
            if turn["receipts"] != [{"key": key, "saved": True, "refused": ""}]:
                self.wrong = str(turn["receipts"])
                return
            self.acknowledged.append((self.person, row))

    def _until_answered(self, path: str, body: object) -> dict[str, Any]:
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
            try:
                connection.request("POST", f"/api/audits/my.audit/{path}", json.dumps(body), self.headers)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status == 200:
                    reply: dict[str, Any] = json.loads(text)
                    return reply
                self.wrong = f"{answer.status} {text[:200]!r}"
            except (OSError, http.client.HTTPException, ValueError):
                pass  # killed meanwhile: send it again
            finally:
                connection.close()
            time.sleep(0.02)


def killed(kills: int, experts: int, seed: int) -> Counter[str]:
    """Kill a server so many times during one audit; count answers, those lost and those saved twice."""
    dice = random.Random(seed)
    rows = {"id": list(range(ROWS)), "label": [dice.randrange(10) for _ in range(ROWS)]}
    rows |= {name: [dice.randrange(10) for _ in range(ROWS)] for name in ("old", "new")}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "served"
        folder.mkdir()
        justesse.audit_start(
            rows, incumbent="old", candidate="new", on="id", to=folder / "my.audit", budget=6_000, futility=False,
            expert_error=0.45, seed=seed,
        )  # fmt: skip
        server, done = KilledServer(folder, Path(place) / "state"), threading.Event()
        try:
            owner = visitor(server.root, server.address)
            names = [f"P{number}" for number in range(experts)]
            people = [Expert(server, name, invited(server.root, owner, name), done) for name in names]
            for person in people:
                person.start()
            for _ in range(kills):
                # mostly while people answer, sometimes while the server starts
                before, end = _sum(people), time.monotonic() + (20 if dice.random() < 0.95 else 0)
                while _sum(people) == before and time.monotonic() < end:
                    time.sleep(0.005)
                time.sleep(dice.random() * 0.06)
                server.kill()
                server.start()
            done.set()
            for person in people:
                person.join()
        finally:
            server.close()
        audit = justesse.audit_status(folder / "my.audit").audit
    saved = Counter((entry.by, entry.row) for entry in audit.diary)
    acknowledged = Counter(pair for person in people for pair in person.acknowledged)
    return Counter(
        {
            "kills": kills,
            "acknowledged": acknowledged.total(),
            "lost": (acknowledged - saved).total(),
            "twice": sum(times - 1 for times in saved.values()),
            # everybody waits for the last answer's receipt, so that nothing is saved without one
            "not acknowledged": (saved - acknowledged).total(),
            "damaged audits": int(audit.broken is not None),
            "refused": sum(bool(person.wrong) for person in people),
        }
    )


def _sum(people: list[Expert]) -> int:
    return sum(len(person.acknowledged) for person in people)


def measure(kills: int = KILLS, experts: int = 20) -> Counter[str]:
    """Kill the server in rounds, each with an audit of its own."""
    total: Counter[str] = Counter()
    start = time.perf_counter()
    for seed in range(-(-kills // ROUND)):
        total += killed(min(ROUND, kills - seed * ROUND), experts, seed)
        figures = ", ".join(f"{name} {total[name]:,}" for name in NAMES)
        print(f"{figures}; {time.perf_counter() - start:,.0f} s", file=sys.stderr, flush=True)
    return total


NAMES = ("kills", "acknowledged", "lost", "twice", "not acknowledged", "damaged audits", "refused")


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Tell whether every acknowledged answer was saved, once."""
    counts = measure()
    clean = not any(counts[name] for name in NAMES[2:])
    detail = f"{counts['acknowledged']:,} answers acknowledged, {counts['lost']} lost, {counts['twice']} saved twice"
    yield f"{counts['kills']:,} SIGKILLs of the server while 20 experts answer", "nothing lost", float(clean), 1, detail


if __name__ == "__main__":
    for name, value in measure(*map(int, sys.argv[1:])).items():
        print(f"{name}: {value:,}")
