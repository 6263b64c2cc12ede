"""Run a job in a fresh process, and bring back its time and peak memory."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cost:
    """Seconds of the fastest repetition, the peak memory of its process in megabytes, and its processor time if known."""

    seconds: float
    megabytes: float
    busy: float = 0.0


def alone(module: str, function: str, *arguments: Any, repeat: int = 1) -> Cost:
    """Time one function of a benchmark module in a process of its own; what it prepares is not timed."""
    call = json.dumps([module, function, list(arguments), repeat])
    done = subprocess.run([sys.executable, "-m", "benchmarks.job", call], capture_output=True, text=True, check=True)
    return Cost(*json.loads(done.stdout.splitlines()[-1]))


def command(*words: str) -> Cost:
    """Time a whole command, start-up included."""
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-m", "justesse", *words], stdout=subprocess.DEVNULL, env=compiled())
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise RuntimeError(f"justesse {' '.join(words)} failed")
    return Cost(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def compiled() -> dict[str, str]:
    """Return the environment of a process that keeps its compiled modules, as an installed package does."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _run(module: str, function: str, arguments: list[Any], repeat: int) -> None:
    import importlib

    prepare: Callable[..., Callable[[], Any]] = getattr(importlib.import_module(module), function)
    job = prepare(*arguments)
    best = busy = float("inf")
    for _ in range(repeat):
        start, processor = time.perf_counter(), time.process_time()
        job()
        best, busy = min(best, time.perf_counter() - start), min(busy, time.process_time() - processor)
    print(json.dumps([best, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, busy]))


if __name__ == "__main__":
    _run(*json.loads(sys.argv[1]))
