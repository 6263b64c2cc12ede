"""Train hundreds of classifiers on clean and noisy labels; each one's answers are on disk before the next begins."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from justesse.annotators.checkpoint import read_snapshots, write_snapshots
from justesse.annotators.snapshots import Snapshot
from justesse.core.checkpoint import Checkpoint
from justesse.core.parallel_map import Progress
from justesse.core.seeds import stream
from justesse.noise.ranking import Ranking
from studies.thesis_judges.images import Images
from studies.thesis_judges.learners import Learner, draw_learner, states
from studies.thesis_judges.settings import Settings

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Trained:
    """States of classifiers in the order they were trained: what each was trained on and answers to the test images."""

    names: tuple[str, ...]
    model: Array
    rate: Array
    answers: NDArray[np.int8]

    def part(self, chosen: Sequence[int] | Array) -> "Trained":
        at = np.asarray(chosen)
        return Trained(tuple(self.names[i] for i in at), self.model[at], self.rate[at], self.answers[at])


def trained(
    settings: Settings,
    images: Images,
    ranked: Ranking,
    cache: Path,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Trained:
    """Train so many models on every version, or take them from the cache, and keep the states above the floor."""
    same_data = joblib.hash((images.x, images.true, images.train, ranked.order, ranked.wrong))
    work, of = [], []
    for rate in settings.train_rates:
        labels = ranked.noisy(images.true, rate).label[images.train]
        for index in range(settings.models):
            generator = stream(settings.seed, "classifier", f"{rate:g}", str(index))
            learner = draw_learner(generator, index, labels, images.x.shape[1])
            facts = (same_data, settings.seed, index, rate, vars(learner))
            kept_at = Checkpoint.of(cache / "classifiers", f"{rate:.2f}-{index:04d}", facts)
            work.append(joblib.delayed(_train)(learner, images, labels, kept_at))
            of.append(rate)
    names, models, rates, answers = [], [], [], []
    for model, kept in enumerate(joblib.Parallel(n_jobs=jobs, return_as="generator")(work)):
        for state in kept:
            if 1 - state.error >= settings.floor:
                names.append(state.name)
                models.append(model)
                rates.append(of[model])
                answers.append(state.answers.astype(np.int8))
        if progress:
            progress(model + 1, len(work))
    return Trained(tuple(names), np.array(models), np.array(rates), np.array(answers))


def _train(learner: Learner, images: Images, labels: Array, kept_at: Checkpoint) -> list[Snapshot]:
    """Train one classifier, unless the cache has it; its error is against the true classes of the test images."""
    from threadpoolctl import threadpool_limits

    true = images.true[images.test]
    kept = read_snapshots(kept_at, len(true))
    if kept is None:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # models stopped early, or with collinear features, say so at length
            kept = [
                Snapshot(f"{learner.name}, {name}", answers.astype(np.int16), float(np.mean(answers != true)))
                for name, answers in states(learner, images.x[images.train], labels, images.x[images.test])
            ]
        write_snapshots(kept_at, kept, len(true))
    return kept
