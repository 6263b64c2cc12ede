"""How realistic injected noise is: do models trained on it repeat it on rows they have not seen?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.parallel_map import Progress
from justesse.core.results import Estimate, check_level
from justesse.noise.inject import inject
from justesse.noise.models import ByClass, Uniform
from justesse.noise.noisy import Noisy
from justesse.noise.profile import Profile
from justesse.procedures.noisy_training import (
    ONE_SPLIT,
    SPLITS,
    NoisyTrainingResult,
    noisy_training,
    share_over_repeats,
)

KINDS = ("given", "by class", "uniform")


@dataclass(frozen=True)
class Repeated:
    """How often one learner repeats one kind of noise: F_n; `realised` is the mean rate in the test rows."""

    noise: str
    learner: str
    realised: float
    f_n: Estimate

    def to_dict(self) -> dict[str, Any]:
        return {"noise": self.noise, "learner": self.learner, "realised": self.realised, "f_n": self.f_n.to_dict()}


@dataclass(frozen=True)
class Realism(NoisyTrainingResult[Repeated]):
    """F_n of some noise, of noise by class and of uniform noise, all of the same rate."""

    rate: float

    def to_dict(self) -> dict[str, Any]:
        settings = super().to_dict()
        return {"given": settings.pop("noise"), "rate": self.rate, **settings}


def realism(
    x: Any,
    noisy: Noisy,
    *,
    learners: Mapping[str, Any],
    test_share: float = 0.2,
    repeats: int = 5,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Realism:
    """Train learners on noisy labels and see, on test rows whose label is wrong, how often they predict that label.

        F_n = P(prediction = label | label ≠ true)

    The more a model repeats the noise on new rows, the more structure the noise has: the thesis' criterion of realism.
    The noise in `noisy` (of a ranking, or of `one_model`) is compared with noise by class that has the same confusions,
    and with uniform noise of the same rate. Wrong to use with learners too weak to learn the task: they also repeat
    labels by being wrong. Benjelloun (2021), 7.8.1.

    Parameters
    ----------
    x
        Features, one row per instance.
    noisy
        True classes and noisy labels.
    learners
        Models to train, by name.
    test_share
        Share of rows to test on.
    repeats
        Number of random splits.
    level
        Confidence level.
    seed
        Seed of the splits and of the noise.
    n_jobs
        Number of models trained in parallel.
    progress
        Called with the number of finished models and the number of all models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> x, y = load_iris(return_X_y=True)
    >>> flipped = np.where((y == 1) & (x[:, 2] > 4.5), 2, y)
    >>> noisy = Noisy(y, flipped, (0, 1, 2), "long petals taken for virginica", 0.1)
    >>> for row in realism(x, noisy, learners={"neighbours": KNeighborsClassifier()}, repeats=3).rows:
    ...     print(row.noise, round(row.f_n.value, 2))
    given 0.7
    by class 0.13
    uniform 0.0
    """
    check_level(level)
    same_confusions = ByClass.from_counts(noisy.tally.dense("true", "label"), noisy.classes)
    same_rate = Uniform(noisy.realised, classes=noisy.classes)

    def versions(own_seed: int) -> dict[str, Noisy]:
        by_class, uniform = (inject(noisy.true, model, seed=own_seed) for model in (same_confusions, same_rate))
        return dict(zip(KINDS, (noisy, by_class, uniform), strict=True))

    runs = noisy_training(
        x,
        noisy.true,
        versions,
        learners,
        test_share=test_share,
        repeats=repeats,
        seed=seed,
        n_jobs=n_jobs,
        progress=progress,
    )
    rows = []
    for kind in KINDS:
        for learner in learners:
            results = [Profile.of(run.tally) for run in runs if run.learner == learner and run.version == kind]
            repeated, wrong = [float(item.repeated.sum()) for item in results], [item.wrong for item in results]
            f_n = share_over_repeats("f_n", repeated, wrong, level=level, test_share=test_share)
            realised = float(np.mean([item.wrong / item.n for item in results]))
            rows.append(Repeated(kind, learner, realised, f_n))
    assumptions = ("what is kept as true is the truth", SPLITS if repeats > 1 else ONE_SPLIT)
    return Realism(tuple(rows), noisy.model, test_share, repeats, level, seed, assumptions, noisy.realised)
