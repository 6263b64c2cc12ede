"""Fifty simulated experts answer one audit on loopback: answers per second, waiting time, memory of the server.

Clients run on the same cores as the server. Run: python -m benchmarks.serve [EXPERTS] [ANSWERS EACH] [SECONDS TO THINK]
"""

import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import justesse


def visitor(root: str, address: str, form: bytes | None = None) -> dict[str, str]:
    """Log in, and return the headers of further requests."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(address, form).read()
    page = opener.open(f"{root}/").read().decode()
    token = re.search(r'name="csrf" content="([^"]*)"', page)
    assert token is not None
    cookie = "; ".join(f"{each.name}={each.value}" for each in jar)
    return {"cookie": cookie, "x-csrf-token": token[1], "content-type": "application/json"}


def invited(root: str, owner: dict[str, str], name: str) -> dict[str, str]:
    request = urllib.request.Request(
        f"{root}/audits/my.audit/invite", f"name={name}".encode(),
        {**owner, "content-type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    page = urllib.request.urlopen(request).read().decode()
    address, _, token = page.split('<code class="link">')[1].split("<")[0].partition("?")
    return visitor(root, address, token.encode())


def measure(experts: int = 50, each: int = 20, think: int = 0) -> dict[str, float]:
    """Let experts answer as fast as they can, or think up to twice so many seconds before each answer."""
    dice, n = random.Random(0), 4 * experts * each
    rows = {"id": list(range(n)), "label": [dice.randrange(10) for _ in range(n)]}
    rows |= {name: [dice.randrange(10) for _ in range(n)] for name in ("old", "new")}
    with tempfile.TemporaryDirectory() as folder:
        justesse.audit_start(
            rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit", budget=2 * experts * each,
            futility=False, expert_error=0.45,
        )  # fmt: skip
        command = [sys.executable, "-m", "justesse", "serve", folder, "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            root = address.partition("/enter")[0]
            owner = visitor(root, address)
            people = [invited(root, owner, f"P{number}") for number in range(experts)]
            waits: list[float] = []
            begin = threading.Barrier(experts + 1)

            def answer(headers: dict[str, str], number: int) -> None:
                connection = http.client.HTTPConnection(root.partition("//")[2], timeout=60)

                def post(path: str, body: object) -> dict[str, list[dict[str, int]]]:
                    connection.request("POST", f"/api/audits/my.audit/{path}", json.dumps(body), headers)
                    reply: dict[str, list[dict[str, int]]] = json.loads(connection.getresponse().read())
                    return reply

                turn = post("questions", {})
                begin.wait()
                for at in range(each):
                    time.sleep(2 * think * random.random())
                    sent = {"key": f"{number}-{at}", "row": turn["questions"][0]["row"], "kind": "neither"}
                    start = time.perf_counter()
                    turn = post("answers", {"answers": [sent]})
                    waits.append(time.perf_counter() - start)
                    assert turn["receipts"][0]["saved"], turn
                connection.close()

            threads = [threading.Thread(target=answer, args=(person, at)) for at, person in enumerate(people)]
            for thread in threads:
                thread.start()
            begin.wait()
            start = time.perf_counter()
            for thread in threads:
                thread.join()
            seconds = time.perf_counter() - start
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = re.search(r"VmHWM:\s+(\d+)", status)
            process.terminate()
        saved = len(justesse.audit_status(f"{folder}/my.audit").audit.diary)
    assert saved == experts * each
    waits.sort()
    return {
        "experts": experts,
        "answers": saved,
        "answers per second": saved / seconds,
        "median ms": 1000 * waits[len(waits) // 2],
        "p95 ms": 1000 * waits[int(0.95 * len(waits))],
        "memory MB": int(peak[1]) / 1000 if peak else float("nan"),
        "load average": os.getloadavg()[0],
    }


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Compare the server with what was aimed at: answers a second, the wait for the next question, and memory."""
    busy, calm = measure(), measure(20, 20, 1)
    rate, wait, memory = busy["answers per second"], calm["p95 ms"], busy["memory MB"]
    what = "50 experts answering without a pause, clients on the same two cores: answers per second"
    detail = f"{rate:,.0f} a second, 95th percentile {busy['p95 ms']:,.0f} ms, load {busy['load average']:.0f}"
    yield what, "200 a second", rate / 200, 1, detail
    what = "20 experts who think a second on average: 95th percentile from answer to next question"
    yield what, "100 ms", 100 / wait, 1, f"{wait:,.0f} ms, load {calm['load average']:.0f}"
    yield "memory of the server with 50 experts", "300 MB", 300 / memory, 1, f"{memory:,.0f} MB"


if __name__ == "__main__":
    for name, value in measure(*map(int, sys.argv[1:])).items():
        print(f"{name}: {value:,.1f}")
