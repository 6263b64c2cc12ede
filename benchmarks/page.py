"""What a page costs more than the JSON of the same file, in processor time: other work on the machine does not count."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.job import command

REPEATS = 5
AIM = 1.2  # seconds


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    small = folder / "small.csv"
    rng = np.random.default_rng(0)
    label = rng.integers(10, size=900)
    answer = np.where(rng.random(900) < 0.9, label, rng.integers(10, size=900))
    lines = (f"{one},{other}" for one, other in zip(label.tolist(), answer.tolist(), strict=True))
    small.write_text("\n".join(["label,prediction", *lines]))
    whole = _busy("evaluate", str(small), "--json")
    page = _busy("evaluate", str(small), "--json", "--report", str(folder / "small.html"))
    detail = f"{page - whole:.2f} s more than the {whole:.2f} s of the JSON ({page / whole:.1f} times it), aim {AIM} s"
    yield f"page of a small file: {AIM} s over what it adds", "evaluate --json", AIM / (page - whole), 1, detail


def _busy(*words: str) -> float:
    return min(command(*words).busy for _ in range(REPEATS))
