"""Gzip files as tapes and block stores leave them."""

import gzip
import json

import pytest

import justesse

ROWS = "label,prediction\n" + "a,a\nb,b\na,b\n" * 20
LINES = "".join(json.dumps({"label": x, "prediction": y}) + "\n" for x, y in [("a", "a"), ("b", "b"), ("a", "b")] * 20)


@pytest.mark.parametrize("zeros", [1, 2, 3, 4, 512, 5_000_000])
@pytest.mark.parametrize(("name", "text"), [("rows.csv.gz", ROWS), ("rows.jsonl.gz", LINES)])
def test_zeros_after_the_end_are_skipped(name, text, zeros, write):
    plain = justesse.evaluate(write(name, gzip.compress(text.encode())))
    padded = justesse.evaluate(write(f"padded-{name}", gzip.compress(text.encode()) + bytes(zeros)))
    assert padded.tally == plain.tally
    assert padded.tally.n == 60


def test_files_put_one_after_the_other_are_all_read(write):
    lines = ROWS.splitlines(keepends=True)
    members = b"".join(gzip.compress("".join(part).encode()) for part in (lines[:10], lines[10:]))
    assert justesse.evaluate(write("rows.csv.gz", members)).tally.n == 60


@pytest.mark.parametrize(
    "spoil", [lambda z: z[:-1], lambda z: z[:40], lambda z: z + b"rest", lambda z: z[:-6] + b"\1" * 6]
)
def test_damage_is_still_found(spoil, run, write):
    ran = run("evaluate", write("rows.csv.gz", spoil(gzip.compress(ROWS.encode()))))
    assert ran.code == 2
    assert "is not a complete gzip file" in ran.err
