"""Tables drawn at random, the files that hold them, and how such files come to harm."""

import csv
import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

POOLS: tuple[tuple[Any, ...], ...] = (
    ("a", "b"), ("cat", "dog", "owl"), (0, 1), (0, 1, 2, 3), (-1, 1), (True, False), ("007", "7", "x"), ("é", "日本", "ß"),
    ("a b", "A B", "a,b"), ('say "x"', "it's", "x;y"), ("only",), (2**62, -(2**62)), ("NA", "null", "None", "nan"),
    tuple(f"c{at}" for at in range(40)), ("=1+1", "+x", "@y"), ("1", "2", "two"),
)  # fmt: skip
KINDS = (".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ".csv.gz", ".jsonl.gz", ".tsv.gz")
Rows = list[dict[str, Any]]


def drawn_rows(rng: random.Random) -> Rows:
    """Draw rows with all columns any command knows; now and then none, or with gaps."""
    pool = rng.choice(POOLS)
    n = rng.choice((0, 1, 2, 7, 30, 30, 60, 60))
    gaps = rng.choice((0.0, 0.0, 0.0, 0.0, 0.05))
    skill = rng.choice((0.0, 0.6, 0.9, 1.0))

    def answer(label: Any) -> Any:
        return label if rng.random() < skill else rng.choice(pool)

    rows: Rows = []
    for at in range(n):
        label = rng.choice(pool)
        row = {
            "id": at if rng.random() > 0.002 else 0, "label": label, "prediction": answer(label), "other": answer(label),
            "true": answer(label), "score": round(rng.random(), 3), "slice": rng.choice(("north", "south", 3)),
            "x": rng.choice((rng.gauss(0, 1), 1e300, 0.0)), "weight": rng.choice((1, 2, 0.5)), "time": f"2024-01-{1 + at % 28:02}",
        }  # fmt: skip
        for name in ("label", "prediction", "score"):
            if rng.random() < gaps:
                row[name] = None
        rows.append(row)
    return rows


def text_of(value: Any) -> str:
    """Write a value the way a CSV holds it."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def write_rows(rows: Rows, path: Path) -> None:
    """Write rows by the ending of the name."""
    names = list(rows[0]) if rows else ["id", "label", "prediction", "other", "true", "score"]
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind in ("parquet", "arrow"):
        typed = {name: [row[name] for row in rows] for name in names}
        table = pa.table(
            {name: pa.array(values if _same(values) else map(text_of, values)) for name, values in typed.items()}
        )
        pyarrow.parquet.write_table(table, path) if kind == "parquet" else pyarrow.feather.write_feather(table, path)
        return
    stream = io.StringIO()
    if kind == "jsonl":
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        writer = csv.writer(stream, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
        writer.writerows([names, *([text_of(row[name]) for name in names] for row in rows)])
    raw = stream.getvalue().encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)


def _same(values: list[Any]) -> bool:
    return len({type(value) for value in values if value is not None}) <= 1


def harm(path: Path, rng: random.Random) -> str:
    """Damage a file in one of the ways that files are damaged, and say how."""
    raw = path.read_bytes()
    how = rng.choice(
        ("cut", "flip", "noise", "empty", "twice", "nul", "bom", "crlf", "ragged", "blank", "header", "latin")
    )
    at = rng.randrange(len(raw) + 1)
    if how == "cut":
        raw = raw[:at]
    elif how == "flip" and raw:
        at = min(at, len(raw) - 1)
        raw = raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :]
    elif how == "noise":
        raw = rng.randbytes(rng.choice((1, 10, 1000)))
    elif how == "empty":
        raw = b""
    elif how == "twice":
        raw += raw
    elif how == "nul":
        raw = raw[:at] + b"\0" + raw[at:]
    elif how == "bom":
        raw = b"\xef\xbb\xbf" + raw
    elif how == "crlf":
        raw = raw.replace(b"\n", b"\r\n")
    elif how == "ragged":
        lines = raw.split(b"\n")
        lines.insert(min(len(lines), 2), b"1,2")
        raw = b"\n".join(lines)
    elif how == "blank":
        raw = raw.replace(b"\n", b"\n\n", 3)
    elif how == "header":
        raw = raw.replace(b"prediction", b"label", 1)
    elif how == "latin":
        raw = raw[:at] + "é".encode("latin-1") + raw[at:]
    path.write_bytes(raw)
    return how


def read_independently(path: Path) -> list[tuple[str, str]] | None:
    """Read labels and predictions with the standard library alone; `None` if the file is not what its name says."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind not in ("csv", "tsv", "jsonl"):
        return None
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8-sig")
        if kind == "jsonl":
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
            return [(text_of(row.get("label")), text_of(row.get("prediction"))) for row in rows]
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if kind == "tsv" else ",", strict=True))
        head = found[0]
        return [(row[head.index("label")], row[head.index("prediction")]) for row in found[1:] if row]
    except (ValueError, csv.Error, OSError, EOFError, IndexError, AttributeError):
        return None
