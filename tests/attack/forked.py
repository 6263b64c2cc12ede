"""Commands in processes of their own, forked from one that has everything loaded: hundreds of them take seconds.

Reads a list of `{"words": […], "file_size": bytes, "address_space": bytes, "seconds": most}` as JSON, writes a list of `{"code", "out", "err",
"seconds", "memory"}`; memory is the most a process held at once, in bytes.
"""

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import Any


def run_forked(cases: list[dict[str, Any]], *, cwd: Any) -> list[dict[str, Any]]:
    """Run every case, one after the other."""
    done = subprocess.run(
        [sys.executable, __file__], input=json.dumps(cases), capture_output=True, text=True, cwd=cwd, check=True,
    )  # fmt: skip
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _child(case: dict[str, Any], streams: list[int]) -> None:
    from justesse.cli.main import main

    for number, stream in enumerate(streams, start=1):
        os.dup2(stream, number)
    if "address_space" in case:
        resource.setrlimit(resource.RLIMIT_AS, (case["address_space"],) * 2)
    if "file_size" in case:
        resource.setrlimit(resource.RLIMIT_FSIZE, (case["file_size"],) * 2)
    code = main(case["words"])
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def _run(case: dict[str, Any]) -> dict[str, Any]:
    pipes = [os.pipe() for _ in range(2)]
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        try:
            _child(case, [mouth for _, mouth in pipes])
        finally:
            os._exit(99)
    for _, mouth in pipes:
        os.close(mouth)
    heard = {ear: b"" for ear, _ in pipes}
    left = set(heard)
    while left:
        for ear in select.select(list(left), [], [], 0.05)[0]:
            more = os.read(ear, 1 << 16)
            heard[ear] += more
            if not more:
                left.discard(ear)
        if time.monotonic() - began > case.get("seconds", 120):
            os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    for ear in heard:
        os.close(ear)
    out, err = (text.decode(errors="replace") for text in heard.values())
    return {
        "code": os.waitstatus_to_exitcode(status), "out": out, "err": err, "seconds": time.monotonic() - began,
        "memory": usage.ru_maxrss * 1024,
    }  # fmt: skip


if __name__ == "__main__":
    import altair  # noqa: F401
    import duckdb  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import sklearn.pipeline  # noqa: F401
    import sqlalchemy  # noqa: F401
    import vl_convert  # noqa: F401

    import justesse.verbs.audit.answer
    import justesse.verbs.evaluate.evaluate  # noqa: F401

    json.dump([_run(case) for case in json.load(sys.stdin)], sys.stdout)
