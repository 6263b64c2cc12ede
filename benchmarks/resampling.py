"""A bootstrap interval of macro-F1 from counts, against resampling rows with scikit-learn."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.resampling"
DRAWS, PEER_DRAWS = 2000, 20


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    peer = alone(HERE, "rows", 1_000_000)
    ours = alone(HERE, "counts", 1_000_000, repeat=5)
    scaled = peer.seconds * DRAWS / PEER_DRAWS
    detail = f"{1000 * ours.seconds:.0f} ms against {scaled:.0f} s (from {PEER_DRAWS} draws)"
    yield "macro-F1 of 1 million rows, 2,000 draws", "scikit-learn f1_score", scaled / ours.seconds, 5000, detail
    larger = alone(HERE, "counts", 100_000_000, repeat=5)
    detail = f"{1000 * larger.seconds:.0f} ms for 100 million rows"
    yield "time for 1 million over time for 100 million rows", "itself", ours.seconds / larger.seconds, 0.5, detail


def table(n: int) -> Any:
    """Make a table of ten classes, right nine times in ten."""
    share = np.full((10, 10), 0.1 / 9)
    np.fill_diagonal(share, 0.9)
    return np.random.default_rng(0).multinomial(n, (share / share.sum()).ravel()).reshape(10, 10)


def rows(n: int) -> Callable[[], Any]:
    from sklearn.metrics import f1_score

    counts = table(n)
    label = np.repeat(np.repeat(np.arange(10), 10), counts.ravel())
    prediction = np.repeat(np.tile(np.arange(10), 10), counts.ravel())
    rng = np.random.default_rng(0)

    def job() -> list[float]:
        drawn = []
        for _ in range(PEER_DRAWS):
            at = rng.integers(n, size=n)
            drawn.append(f1_score(label[at], prediction[at], average="macro"))
        return drawn

    return job


def counts(n: int) -> Callable[[], Any]:
    from justesse import Tally
    from justesse.intervals import bootstrap
    from justesse.measures import averaged, f1

    tally = Tally.from_dense(table(n))
    return lambda: bootstrap(tally, averaged(f1, "macro"), draws=DRAWS, vectorised=True)
