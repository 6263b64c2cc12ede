"""`make bench`: run all, print the ratios, keep them in benchmarks/results.md; exit 1 if one is too low."""

import datetime
import platform
import sys
import tempfile
from pathlib import Path

from benchmarks import (
    areas,
    duplicates,
    evaluation,
    injection,
    page,
    pairs,
    resampling,
    start,
    tournament,
    wrong_labels,
)
from justesse import __version__

HEAD = """# Speed

Ratios of one run: how many times faster than the peer named, on the same data and machine. Made by `make bench`.

| what | peer | times faster | wanted | in this run |
|---|---|---:|---:|---|
"""


def main() -> int:
    lines, low = [], []
    with tempfile.TemporaryDirectory() as folder:
        for part in (
            evaluation,
            start,
            page,
            resampling,
            areas,
            pairs,
            injection,
            wrong_labels,
            tournament,
            duplicates,
        ):
            for what, peer, ratio, wanted, detail in part.results(Path(folder)):
                lines.append(f"| {what} | {peer} | {ratio:,.1f} | {wanted:g} | {detail} |")
                print(lines[-1], flush=True)
                if ratio < wanted:
                    low.append(what)
    made = f"\njustesse {__version__}, Python {platform.python_version()}, {datetime.date.today()}.\n"
    Path(__file__).with_name("results.md").write_text(HEAD + "\n".join(lines) + "\n" + made)
    for what in low:
        print(f"slower than wanted: {what}", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
