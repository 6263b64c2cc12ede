"""Wrong labels as artificial annotators would make them: ranked once, kept, and cut at every rate."""

from pathlib import Path

import joblib
import numpy as np

from justesse.annotators.artificial import artificial_annotators
from justesse.core.parallel_map import Progress
from justesse.noise.ranking import Ranking
from studies.thesis_judges.images import Images
from studies.thesis_judges.settings import Settings


def ranking(
    settings: Settings, images: Images, cache: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Ranking:
    """Rank all images, train and test together, by how hard the annotators find them; take it from the cache if made."""
    facts = joblib.hash((images.x, images.true, settings.annotators, settings.seed))[:16]
    kept = cache / f"ranking-{facts}.npz"
    if not kept.exists():
        found = artificial_annotators(
            images.x,
            images.true,
            n=settings.annotators,
            seed=settings.seed,
            n_jobs=jobs,
            checkpoint=cache / "annotators",
            progress=progress,
        )
        made = Ranking.from_answers(found.answers, images.true)
        unfinished = kept.with_suffix(".part.npz")
        np.savez_compressed(unfinished, method=made.method, errors=found.errors, **made.to_columns())  # type: ignore[arg-type]
        unfinished.replace(kept)
    with np.load(kept) as columns:
        return Ranking.from_columns(columns, classes=range(len(images.classes)), method=str(columns["method"]))
