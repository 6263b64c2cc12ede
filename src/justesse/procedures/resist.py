"""How a learner resists noise: its error on clean labels against the rate of wrong ones it was trained on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.choices import CleaningArm
from justesse.core.parallel_map import Progress
from justesse.core.results import Estimate, check_level
from justesse.noise.inject import Noise, inject
from justesse.noise.noisy import Noisy
from justesse.noise.ranking import Ranking
from justesse.procedures.cleaned_training import CleanedLearner, cleaned_training
from justesse.procedures.noisy_training import (
    ONE_SPLIT,
    SPLITS,
    NoisyTrainingResult,
    noisy_training,
    share_over_repeats,
)
from justesse.procedures.training_arms import LabelFilter


@dataclass(frozen=True)
class Resisted:
    """The error of one learner on clean test labels at one rate; `realised` is the mean rate it was trained on."""

    learner: str
    rate: float
    realised: float
    error: Estimate

    def to_dict(self) -> dict[str, Any]:
        return {
            "learner": self.learner,
            "rate": self.rate,
            "realised": self.realised,
            "error": self.error.to_dict(),
        }


@dataclass(frozen=True)
class Resistance(NoisyTrainingResult[Resisted]):
    """Error against noise rate for every learner, what it rests on, and errors after cleaning if filters were given."""

    cleaned: tuple[CleanedLearner, ...] = ()


def resist(
    x: Any,
    y: ArrayLike,
    *,
    learners: Mapping[str, Any],
    rates: Sequence[float],
    noise: Noise,
    test_share: float = 0.2,
    repeats: int = 5,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    filters: Mapping[str, LabelFilter] | None = None,
    arms: Sequence[CleaningArm] = (),
) -> Resistance:
    """Train learners on labels of which more and more are wrong, and test them on the true ones.

        error = share of test rows with prediction ≠ true, mean over the repetitions

    All learners and rates of a repetition share one split, and the noise of a lower rate is part of that of a higher
    one, so differences are sharper than the intervals of single errors say. The noise is a model (uniform, by class) or
    a `Ranking`, which was made for train and test together: the rate in the training part differs, see `realised`.
    Wrong to use on labels that are noisy already: rate 0 is then not clean. Benjelloun (2021), 3.3.1; Nadeau and Bengio
    (2003).

    Parameters
    ----------
    x
        Features, one row per example.
    y
        Labels, which are right.
    learners
        Models with `fit` and `predict`, by name.
    rates
        Noise rates, such as [0, 0.1, 0.3].
    noise
        How labels become wrong: a noise model or a `Ranking`.
    test_share
        Share of rows that are tested.
    repeats
        Number of random splits.
    level
        Confidence level.
    seed
        Seed of splits and noise.
    n_jobs
        Number of processes. Default: one.
    progress
        Function that is called with the number of runs done and the total.
    filters
        Filters that clean the training labels, by name (see `cleaned_training`).
    arms
        What training does with the rows they flag.

    Returns
    -------
    Resistance
        Error of each learner at each rate, with its interval; the same after cleaning, with the difference.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from justesse.noise.models import Uniform
    >>> x, y = load_iris(return_X_y=True)
    >>> learners = {"1 neighbour": KNeighborsClassifier(1), "15 neighbours": KNeighborsClassifier(15)}
    >>> for row in resist(x, y, learners=learners, rates=[0, 0.3], noise=Uniform(0), repeats=3).rows:
    ...     print(row.learner, row.rate, round(row.error.value, 2))
    1 neighbour 0 0.06
    1 neighbour 0.3 0.29
    15 neighbours 0 0.02
    15 neighbours 0.3 0.04
    """
    check_level(level)

    def versions(own_seed: int) -> dict[float, Noisy]:
        return {rate: inject(y, noise, rate=rate, seed=own_seed) for rate in rates}

    how: Any = {"test_share": test_share, "repeats": repeats, "seed": seed, "n_jobs": n_jobs, "progress": progress}
    runs = noisy_training(x, y, versions, learners, **how)
    cleaned = cleaned_training(x, y, versions, learners, filters, arms, runs, level=level, **how) if filters else ()
    rows = []
    for learner in learners:
        for rate in dict.fromkeys(rates):
            own = [run for run in runs if run.learner == learner and run.version == rate]
            tables = [run.tally.dense("true", "prediction") for run in own]
            wrong, tested = [float(t.sum() - np.trace(t)) for t in tables], [float(t.sum()) for t in tables]
            error = share_over_repeats("error", wrong, tested, level=level, test_share=test_share)
            rows.append(Resisted(learner, rate, float(np.mean([run.train_rate for run in own])), error))
    assumptions = ("the labels given are right", SPLITS if repeats > 1 else ONE_SPLIT)
    words = noise.method if isinstance(noise, Ranking) else noise.kind
    return Resistance(tuple(rows), words, test_share, repeats, level, seed, assumptions, cleaned)
