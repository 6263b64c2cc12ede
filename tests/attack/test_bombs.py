"""Small files that are large inside, or that ask for more work than they are worth: refused early, or worked through.

Within 1 GB and about 10 s; the clock allows for a busy machine.
"""

import gzip
import os

import pytest

from attack.conftest import check_clean
from attack.forked import run_forked

MEMORY = 1 << 30
SECONDS = 40
LARGEST = 6 << 30  # so that a bomb that goes off hurts nobody else


def members(text: bytes, times: int, start: bytes = b"") -> bytes:
    """Compress a text that repeats, one member of the archive for each repetition: quick to make, slow to open."""
    return (gzip.compress(start) if start else b"") + times * gzip.compress(text)


def wide(columns: int) -> bytes:
    head = ",".join(["label", "prediction", *(f"column{at}" for at in range(columns))])
    return f"{head}\n{','.join(['a', 'a', *['1'] * columns])}\n{','.join(['b', 'b', *['1'] * columns])}\n".encode()


HEAD = b"label,prediction\n"
BOMBS = {
    "one-line.csv.gz": lambda: members(b"x" * 10_000_000, 100, HEAD),
    "one-line.jsonl.gz": lambda: members(b"x" * 10_000_000, 100, b'{"label": "'),
    "spaces.jsonl.gz": lambda: members(b" " * 10_000_000, 100, b'{"label": "a", "prediction": "a"}\n'),
    "header.csv.gz": lambda: members(b"x," * 5_000_000, 60),
    "table.parquet.gz": lambda: members(b"\0" * 10_000_000, 150, b"PAR1"),
    "deep.jsonl": lambda: b'{"label": ' * 200_000,
    "deep-value.jsonl": lambda: b'{"label": "a", "prediction": ' + b"[" * 500_000 + b"]" * 500_000 + b"}\n",
    "wide.csv": lambda: wide(50_000),
    "keys.jsonl": lambda: ("{" + ", ".join(f'"k{at}": 1' for at in range(50_000)) + ', "label": 1, "prediction": 1}\n').encode() * 2,
    "id-as-label.csv": lambda: HEAD + b"".join(b"%d,%d\n" % (at, at) for at in range(300_000)),
    "long-names.csv": lambda: HEAD + b"".join(b"%d%s,%d%s\n" % (at % 40, b"x" * 20_000, (at * 7) % 40, b"x" * 20_000) for at in range(400)),
    "quote.csv": lambda: HEAD + b'a,"' + b"a,a\n" * 3_000_000,
    "zeros.csv": lambda: HEAD + b"\0" * 20_000_000,
}  # fmt: skip


def test_bombs_do_not_go_off(tmp_path):
    for name, make in BOMBS.items():
        (tmp_path / name).write_bytes(make())
    cases = [
        {"words": ["evaluate", name, "--bootstrap", "none"], "seconds": SECONDS, "address_space": LARGEST}
        for name in BOMBS
    ]
    wrong = []
    for name, found in zip(BOMBS, run_forked(cases, cwd=tmp_path), strict=True):
        if found["memory"] > MEMORY or found["code"] not in (0, 2) or "Traceback" in found["err"]:  # -9: out of time
            wrong.append(
                f"{name}: exit {found['code']}, {found['seconds']:.1f} s, {found['memory'] / MEMORY:.2f} GB, {found['err'][:200]}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_never_ends_is_refused(tmp_path):
    for name in ("pipe.csv", "my.audit"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "good.csv").write_bytes(HEAD + b"a,a\nb,b\n")
    os.symlink("/dev/zero", tmp_path / "zero.csv")
    endless = [
        ["evaluate", "pipe.csv"],
        ["evaluate", "zero.csv"],
        ["audit", "status", "my.audit"],
        ["compare", "good.csv", "pipe.csv"],
    ]
    for words, found in zip(
        endless, run_forked([{"words": words, "seconds": SECONDS} for words in endless], cwd=tmp_path), strict=True
    ):
        check_clean(found["code"], found["out"], found["err"], f"{words}: {found}")
        assert found["code"] == 2
