"""Samples of lm-evaluation-harness as JSON lines, read as a table of labels and predictions, against pandas."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.logs"
MEGABYTES = 1000
PROMPT = 4000  # characters of a prompt with its examples


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    file = f"{folder}/samples_speed_2026-01-01T00-00-00.jsonl"
    alone(HERE, "written", file)
    ours = alone(HERE, "as_table", file, repeat=2)
    theirs = alone(HERE, "in_pandas", file, repeat=2)
    what = f"evaluation log: {MEGABYTES // 1000} GB of samples as JSON lines read, labels and predictions matched"
    yield (
        what,
        "pandas",
        theirs.seconds / ours.seconds,
        2,
        f"{ours.seconds:.2f} s against {theirs.seconds:.2f} s",
    )
    detail = f"{ours.megabytes:.0f} MB against {theirs.megabytes:.0f} MB"
    yield "its memory", "pandas", theirs.megabytes / ours.megabytes, 1, detail


def written(file: str) -> Callable[[], Any]:
    """Write samples whose prompts are most of the file, as they are in real ones."""

    def job() -> None:
        rng = np.random.default_rng(0)
        text = "".join(rng.choice(list("abcdefgh ijkl"), PROMPT))
        size, at = 0, 0
        with open(file, "w", encoding="utf-8") as stream:
            while size < MEGABYTES * 1_000_000:
                target, answer = (str(letter) for letter in rng.choice(list("ABCD"), 2))
                record = {
                    "doc_id": at, "doc": {"question": text[: PROMPT // 2]}, "target": target,
                    "arguments": {"gen_args_0": {"arg_0": f"{at} {text}", "arg_1": {"until": ["Q:"]}}},
                    "resps": [[answer]], "filtered_resps": [answer], "filter": "none", "metrics": ["exact_match"],
                    "doc_hash": f"{at:064d}", "prompt_hash": f"{at:064d}", "exact_match": float(target == answer),
                }  # fmt: skip
                size += stream.write(json.dumps(record) + "\n")
                at += 1

    return job


def as_table(file: str) -> Callable[[], Any]:
    """Read the log as a table."""
    from justesse.frames.logs.log_table import log_table, open_log

    def job() -> None:
        log = open_log(file)
        assert log is not None
        log_table(log)

    return job


def in_pandas(file: str) -> Callable[[], Any]:
    """Read the log as a data frame."""
    import pandas as pd

    return lambda: pd.read_json(file, lines=True)
