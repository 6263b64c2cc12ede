"""What a thousand classes with wrong labels cost beyond counting them, against DuckDB's count of the rows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.wrong_labels"
ROWS, CLASSES, RATE = 1_000_000, 1000, 0.05
TIMES = 5  # as long as the count they may take


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    path = str(write(folder / "noisy.parquet"))
    count, ours = alone(HERE, "counting", path, repeat=7), alone(HERE, "closed_forms", path, repeat=7)
    detail = (
        f"{1000 * ours.seconds:.0f} ms against {1000 * count.seconds:.0f} ms: "
        f"{ours.seconds / count.seconds:.1f} counts, wanted at most {TIMES}"
    )
    yield (
        "sharp bounds, bias and breakdown of 1 million rows, 1,000 classes",
        "DuckDB's count of the rows",
        count.seconds / ours.seconds,
        1 / TIMES,
        detail,
    )


def write(path: Path) -> Path:
    """Make labels and predictions that are wrong on one row of twenty and one of ten."""
    import pyarrow as pa
    import pyarrow.parquet

    rng = np.random.default_rng(0)
    true = rng.integers(CLASSES, size=ROWS)

    def moved(chance: float) -> Any:
        return np.where(rng.random(ROWS) < chance, rng.integers(CLASSES, size=ROWS), true)

    pyarrow.parquet.write_table(pa.table({"true": true, "label": moved(RATE), "prediction": moved(0.1)}), path)
    return path


def counting(path: str) -> Callable[[], Any]:
    import justesse

    return lambda: justesse.count(path)


def closed_forms(path: str) -> Callable[[], Any]:
    import justesse
    from justesse.measures import accuracy, f1, precision, recall
    from justesse.noise.bias import bias
    from justesse.noise.bounds import bounds_from_rate, bounds_from_transition
    from justesse.noise.breakdown import breakdown
    from justesse.noise.claim import Claim
    from justesse.noise.transition import Transition

    rows = justesse.count(path, true="true")
    seen, known = rows.marginal("label", "prediction"), Transition.from_tally(rows)
    measures = [accuracy, precision, recall, f1]
    claims = [None, *(Claim.parse(f"{name}:{of}>=0.8") for name in ("recall", "precision") for of in (0, CLASSES - 1))]

    def job() -> Any:
        return (
            bounds_from_rate(seen, measures, RATE),
            bounds_from_transition(seen, measures, known),
            bias(rows, measures),
            [breakdown(seen, claim) for claim in claims],
        )

    return job
