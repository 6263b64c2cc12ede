"""Every command with files and options drawn at random: it answers or refuses, and counts what is there.

The same seed gives the same calls: `JUSTESSE_ATTACK_SEED` chooses another, `JUSTESSE_ATTACK=long` makes 8,000 of them.
"""

import os
import random
import warnings
from collections import Counter

import pyarrow as pa
import pyarrow.parquet
import pytest

from attack.conftest import LONG, check_clean, left_behind
from attack.makers import KINDS, drawn_rows, harm, read_independently, text_of, write_rows

SEED = int(os.environ.get("JUSTESSE_ATTACK_SEED", "0"))
BLOCKS = 320 if LONG else 10
CALLS = 25
LEVELS = ("0.9", "0.99", "0", "1", "1.5", "nan", "-1", "x")
RATES = ("0.05", "0", "1", "0.01:0.1", "2", "nan", "-0.1", "x")
COLUMNS = ("label", "prediction", "other", "true", "score", "slice", "x", "id", "weight", "nowhere", "")
COMMANDS = {
    "evaluate": {
        "--by": COLUMNS, "--level": LEVELS, "--positive": ("a", "1", "0", "True", "zebra", ""), "--label": COLUMNS,
        "--prediction": COLUMNS, "--weight": COLUMNS, "--score": COLUMNS, "--noise-rate": RATES, "--seed": ("1", "x", "-1"),
        "--claim": ("accuracy>0.5", "accuracy > x", "recall:a>=0.5", ">", ""), "--true": COLUMNS, "--draws": ("10", "0", "-1"),
        "--bootstrap": ("none", "multinomial", "x"), "--classes": ("a,b", "0,1", ",", ""), "--as-text": None, "--regression": None,
        "--measure": ("mcc", "f1", "x", ""), "--output": ("out.csv", "out.parquet", "no/out.csv", "out.txt"),
        "--report": ("page.html", "page.txt"), "--charts": ("charts",),
    },
    "compare": {
        "--on": COLUMNS, "--measure": ("accuracy", "error", "macro-f1", "mcc", "recall:a", "recall:", "auc", "x"), "--by": COLUMNS,
        "--margin": ("0", "0.01", "1%", "2", "nan", "-1", "x"), "--level": LEVELS, "--judge": ("paired", "classical", "sharp", "x"),
        "--noise-rate": RATES, "--alternative": ("greater", "less", "x"), "--no-gate": None, "--common": None, "--true": COLUMNS,
        "--incumbent": COLUMNS, "--candidate": COLUMNS, "--score": COLUMNS, "--tried": ("3", "0", "x"), "--as-text": None,
        "--output": ("out.csv", "no/out.csv"), "--report": ("page.html",),
    },
    "tournament": {"--true": COLUMNS, "--models": ("prediction,other", "prediction", "x"), "--rates": ("0.01,0.1", "x"), "--level": LEVELS},
    "noise estimate": {"--true": COLUMNS, "--level": LEVELS, "--to": ("t.csv", "t.txt"), "--label": COLUMNS},
    "noise bounds": {"--noise-rate": RATES, "--level": LEVELS, "--measure": ("accuracy", "f1", "x")},
    "noise profile": {"--true": COLUMNS, "--level": LEVELS},
    "noise breakdown": {"--claim": ("accuracy>0.5", "f1>0", "x", "accuracy>2")},
    "noise bias": {"--noise-rate": RATES, "--true": COLUMNS},
    "noise inject": {
        "--to": ("noisy.csv", "noisy.parquet", "no/noisy.csv", "noisy.txt"), "--model": ("uniform", "pair-flip", "x"),
        "--rate": ("0.1", "0", "1", "2", "nan", "x"), "--rates": ("0.1,0.2", "x"), "--true-column": ("truth", "label"),
    },
    "inspect": {"--label": COLUMNS, "--level": LEVELS},
    "assess": {"--model": ("tree", "bayes", "x", "os.system('true')"), "--k": ("3", "1", "0", "999", "x"), "--group": COLUMNS},
    "audit start": {"--on": COLUMNS, "--to": ("my.audit", "no/my.audit"), "--budget": ("60", "5", "0", "-1", "x"), "--show": COLUMNS},
    "plan precision": {"--half-width": ("0.01", "0", "2", "nan", "x"), "--expected": ("0.9", "0", "1", "2", "x"), "--level": LEVELS},
    "plan difference": {"--difference": ("0.02", "0", "nan", "x"), "--disagreement": ("0.1", "0", "2", "x"), "--power": ("0.8", "1", "x")},
}  # fmt: skip
WEIGHTS = {"evaluate": 8, "compare": 6, "assess": 1, "tournament": 2}
NEEDED = {"noise inject": ("--to", "--model", "--rate"), "audit start": ("--on", "--to"), "noise estimate": ("--true",)}


def options(rng, name):
    """Draw options of a command; those it cannot do without are there most of the time."""
    known, words = COMMANDS[name], []
    asked = set(rng.sample(sorted(known), min(len(known), rng.choice((0, 0, 1, 1, 2, 3)))))
    asked |= set(NEEDED.get(name, ())) if rng.random() < 0.9 else set()
    for option in sorted(asked):
        values = known[option]
        value = () if values is None else (values[0] if rng.random() < 0.4 else rng.choice(values),)
        words += [option, *value]
    return words


def files(rng, folder, number):
    """Write one or two files, some of them damaged."""
    paths, harmed = [], False
    for which in "ab":
        path = folder / f"{which}{number}{rng.choice(KINDS)}"
        write_rows(drawn_rows(rng), path)
        if rng.random() < 0.3:
            harmed = True
            harm(path, rng)
            if rng.random() < 0.2:
                path = path.rename(path.with_suffix(rng.choice((".csv", ".parquet", ".txt", ".jsonl"))))
        paths.append(path)
    return paths, harmed


@pytest.mark.parametrize("block", range(BLOCKS))
def test_commands_answer_or_refuse(block, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(1_000_003 * SEED + block)
    names = [name for name in COMMANDS for _ in range(WEIGHTS.get(name, 1))]
    for number in range(CALLS):
        name = rng.choice(names)
        paths, _ = files(rng, tmp_path, number)
        given = {"plan": [], "inspect": [paths[0], "--train", paths[1]]}.get(
            name.split()[0],
            paths if name in ("compare", "audit start", "tournament") and rng.random() < 0.7 else paths[:1],
        )
        words = [*name.split(), *given, *options(rng, name)]
        counted = name == "evaluate" and rng.random() < 0.7
        if counted:
            words = ["evaluate", paths[0], "--json", "--bootstrap", "none"]
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            ran = run(*words)
        told = f"block {block}, call {number}: {' '.join(map(str, words))}"
        gate = words[0] in ("compare", "inspect", "audit", "evaluate") or "--claim" in words
        check_clean(ran.code, ran.out, ran.err, told, gate=gate)
        assert not [str(one.message) for one in heard if issubclass(one.category, RuntimeWarning)], told
        assert not left_behind(tmp_path), told
        if counted and ran.code == 0 and (expected := read_independently(paths[0])) is not None:
            found = {(text_of(label), text_of(answer)): n for label, answer, n in ran.json["counts"]}
            assert found == dict(Counter(expected)), told
        for path in (
            *tmp_path.glob("out.*"),
            *tmp_path.glob("my.audit*"),
            *tmp_path.glob("noisy.*"),
            *tmp_path.glob("page.*"),
        ):
            path.unlink()


def test_damaged_audits_are_read_or_refused(run, tmp_path, times):
    rng = random.Random(SEED)
    rows = [{"id": at, "label": at % 3, "old": (at + at % 2) % 3, "new": (at + (at % 3 == 0)) % 3} for at in range(120)]
    write_rows(rows, tmp_path / "both.csv")
    audit, damaged = tmp_path / "my.audit", tmp_path / "damaged.audit"
    ran = run(
        "audit", "start", tmp_path / "both.csv", "--incumbent", "old", "--candidate", "new", "--on", "id", "--to", audit
    )
    assert ran.code == 0, ran.err
    questions = run("audit", "next", audit, "-n", 5, "--json").json["questions"]
    for one in questions[:3]:
        assert run("audit", "answer", audit, one["id"], "1", "--by", "Ann").code == 0
    whole = audit.read_bytes()
    for number in range(times(40, 2_000)):
        raw = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3, 50))):
            raw[rng.randrange(rng.choice((100, len(raw))))] = rng.randrange(256)
        damaged.write_bytes(bytes(raw[: rng.choice((len(raw), len(raw), rng.randrange(len(raw))))]))
        word = rng.choice((["status"], ["next"], ["answer", questions[3]["id"], "1", "--by", "Bob"]))
        words = ["audit", word[0], damaged, *word[1:]]
        ran = run(*words)
        check_clean(ran.code, ran.out, ran.err, f"audit {number}: {words}", gate=True)
        for left in tmp_path.glob("damaged.audit*"):
            left.unlink()


@pytest.mark.parametrize(
    "name", ["a\0b", "", " ", '"', "'", "label; DROP TABLE x", 'x" FROM y --', "c0", "h0", "%", "é" * 200]
)
def test_columns_of_any_name_are_quoted(name, run, tmp_path):
    table = pa.table({"label": ["a", "b"] * 10, "prediction": ["a", "a"] * 10, name: ["x", "y"] * 10})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    ran = run("evaluate", tmp_path / "a.parquet", "--by", name, "--json")
    check_clean(ran.code, ran.out, ran.err, repr(name))
    if ran.code == 0:
        assert [(part["value"], part["n"]) for part in ran.json["by"]] == [("x", 10), ("y", 10)]
    ran = run("evaluate", tmp_path / "a.parquet", "--prediction", name)
    check_clean(ran.code, ran.out, ran.err, repr(name))
