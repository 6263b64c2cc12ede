"""A disk that is full, at any byte: exit 2, a sentence, and nothing half-written."""

import csv
import os
import subprocess
import sys

import pytest

from attack.conftest import LONG, check_clean, left_behind
from attack.forked import run_forked

LIMITS = (0, 1, 20, 60) if LONG else (20,)


@pytest.fixture
def folder(tmp_path):
    for name, shift in (("old", 3), ("new", 5)):
        with open(tmp_path / f"{name}.csv", "w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "label", "prediction", "true", "x"])
            writer.writerows([at, at % 3, (at + (at % shift == 0)) % 3, at % 3, at % 7] for at in range(200))
    return tmp_path


WRITING = {
    "out.csv": ["evaluate", "old.csv", "--output", "out.csv"],
    "out.parquet": ["evaluate", "old.csv", "--output", "out.parquet"],
    "page.html": ["evaluate", "old.csv", "--report", "page.html"],
    "charts": ["evaluate", "old.csv", "--charts", "charts"],
    "c.html": ["compare", "old.csv", "new.csv", "--on", "id", "--no-gate", "--report", "c.html"],
    "c.csv": ["compare", "old.csv", "new.csv", "--on", "id", "--no-gate", "--output", "c.csv"],
    "noisy.csv": ["noise", "inject", "old.csv", "--to", "noisy.csv", "--model", "uniform", "--rate", "0.1", "--true-column", "was"],
    "noisy.parquet": ["noise", "inject", "old.csv", "--to", "noisy.parquet", "--model", "uniform", "--rate", "0.1", "--true-column", "was"],
    "t.csv": ["noise", "estimate", "old.csv", "--true", "true", "--to", "t.csv"],
    "my.audit": ["audit", "start", "old.csv", "new.csv", "--on", "id", "--to", "my.audit"],
    "predictions.csv": ["assess", "old.csv", "--model", "bayes", "--k", "3", "--features", "x", "--predictions", "predictions.csv"],
}  # fmt: skip


def test_nothing_is_half_written(folder):
    cases = [{"words": words, "file_size": limit} for limit in LIMITS for words in WRITING.values()]
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    for case, found in zip(cases, run_forked(cases, cwd=folder), strict=True):
        told = f"{case}: {found}"
        check_clean(found["code"], found["out"], found["err"], told)
        assert found["code"] == 2, told
    assert not left_behind(folder)
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def test_what_was_there_before_stays(folder):
    for name in WRITING:
        if name not in ("charts", "my.audit"):
            (folder / name).write_text("before")
    run_forked([{"words": words, "file_size": 10} for name, words in WRITING.items() if name != "charts"], cwd=folder)
    assert not [
        name for name in WRITING if name not in ("charts", "my.audit") and (folder / name).read_text() != "before"
    ]


def test_an_answer_that_cannot_be_kept_is_not_acknowledged(folder):
    start = {"words": WRITING["my.audit"]}
    questions = {"words": ["audit", "next", "my.audit", "-n", "3", "--output", "q.csv"]}
    assert [found["code"] for found in run_forked([start, questions], cwd=folder)] == [0, 0]
    with open(folder / "q.csv", newline="") as stream:
        ids = [row["id"] for row in csv.DictReader(stream)]
    full = [
        {"words": ["audit", "answer", "my.audit", ids[0], "1", "--by", "Ann"], "file_size": size} for size in (0, 600)
    ]
    good = {"words": ["audit", "answer", "my.audit", ids[0], "1", "--by", "Ann"]}
    status = {"words": ["audit", "status", "my.audit", "--json", "--no-gate"]}
    *refused, between, answered, after = run_forked([*full, status, good, status], cwd=folder)
    for found in refused:
        check_clean(found["code"], found["out"], found["err"], found)
        assert found["code"] == 2, found
    assert '"answers": []' in between["out"], between
    assert answered["code"] == 0, answered
    assert after["out"].count('"by": "Ann"') == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words", [["evaluate", "old.csv"], ["evaluate", "old.csv", "--json"], ["plan", "precision", "--half-width", "0.01"]]
)
def test_output_that_cannot_be_printed(folder, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "justesse", *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=folder
        )
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
