"""`make bench`: run all, print the ratios, keep them in benchmarks/results.md; exit 1 if one is too low.

`python -m benchmarks start page` runs these parts only, and keeps the rows of the others.
"""

import datetime
import platform
import re
import sys
import tempfile
from pathlib import Path

from benchmarks import (
    ab,
    annotators,
    areas,
    duplicates,
    evaluation,
    injection,
    label_filters,
    leaderboard,
    lifelong,
    logs,
    page,
    pairs,
    resampling,
    serve,
    serve_kills,
    start,
    tournament,
    wrong_labels,
)
from justesse import __version__

PARTS = {
    "evaluation": evaluation,
    "start": start,
    "page": page,
    "resampling": resampling,
    "areas": areas,
    "pairs": pairs,
    "injection": injection,
    "wrong_labels": wrong_labels,
    "tournament": tournament,
    "leaderboard": leaderboard,
    "duplicates": duplicates,
    "annotators": annotators,
    "ab": ab,
    "label_filters": label_filters,
    "lifelong": lifelong,
    "logs": logs,
    "serve": serve,
    "serve_kills": serve_kills,
}
FILE = Path(__file__).with_name("results.md")
HEAD = """# Speed

Ratios of one run: how many times faster than the peer named, on the same data and machine. Made by `make bench`;
`python -m benchmarks PART` measures one part again.

| part | what | peer | times faster | wanted | in this run |
|---|---|---|---:|---:|---|
"""


def main(names: list[str]) -> int:
    """Run the parts named, or all, and write their rows."""
    if unknown := set(names) - set(PARTS):
        print(f"No part {', '.join(sorted(unknown))}. Parts: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    low = []
    rows = earlier_rows(FILE.read_text()) if FILE.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names or PARTS:
            lines = []
            try:
                for what, peer, ratio, wanted, detail in PARTS[name].results(Path(folder)):
                    lines.append(f"| {name} | {what} | {peer} | {ratio:,.1f} | {wanted:g} | {detail} |")
                    print(lines[-1], flush=True)
                    if ratio < wanted:
                        low.append(what)
            except ModuleNotFoundError as missing:  # a peer that is no dependency: its rows stay
                print(missing, file=sys.stderr)
                continue
            rows[name] = lines
    lines = [line for name in PARTS for line in rows.get(name, [])]
    made = f"\nLatest run: justesse {__version__}, Python {platform.python_version()}, {datetime.date.today()}.\n"
    FILE.write_text(HEAD + "\n".join(lines) + "\n" + made)
    for what in low:
        print(f"slower than wanted: {what}", file=sys.stderr)
    return 1 if low else 0


def earlier_rows(text: str) -> dict[str, list[str]]:
    """Return the rows of an earlier run by part."""
    rows: dict[str, list[str]] = {}
    for name, line in re.findall(r"^(?=\| (\w+) \|)(.+)$", text, flags=re.MULTILINE):
        if name in PARTS:
            rows.setdefault(name, []).append(line)
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
