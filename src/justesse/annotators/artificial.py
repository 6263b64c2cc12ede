"""Artificial annotators: many models, trained on all the data, that err as people might (thesis 6.5.2, algorithm 1)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.annotators.snapshots import Snapshot, multiple
from justesse.annotators.training import Estimators, Training
from justesse.core.coded import coded
from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName

ROUNDS = 5
METHOD = (
    "states of models in training, errors below {below:.0%}; of each model the last state near each multiple of 5 %; "
    "chosen in turn from the multiples, models used least first"
)
ASSUMPTIONS = (
    "the labels given are right",
    "errors are resubstitution errors: the annotators were trained on the rows they answer",
)


@dataclass(frozen=True, eq=False)
class Answers:
    """What artificial annotators answered: codes of `classes`, instances × annotators, and how wrong each is.

    `trained` counts the models, `eligible` the states that could have been chosen.
    """

    answers: NDArray[np.int16]
    classes: tuple[ClassName, ...]
    errors: NDArray[np.float64]
    names: tuple[str, ...]
    trained: int
    eligible: int
    method: str
    seed: int
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def __repr__(self) -> str:
        low, high = self.errors.min(), self.errors.max()
        return (
            f"Answers({self.answers.shape[0]} instances × {self.answers.shape[1]} annotators, {len(self.classes)} "
            f"classes, errors {low:.3f} to {high:.3f}, {self.eligible} states of {self.trained} models)"
        )


def artificial_annotators(
    x: Any,
    y: ArrayLike,
    *,
    estimators: Estimators = None,
    n: int = 100,
    below: float = 0.40,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Answers:
    """Train varied models on all the data, and let n of their states, good and poor, answer for every instance.

        eligible:   0 < e < `below`, and of one model the last state whose error e is nearest to each multiple of 5 %
        chosen:     one multiple after the other, among its states the one of the model used least, then the first

    Parameters
    ----------
    x
        Features, instances × columns.
    y
        Labels.
    estimators
        A list of estimators, each trained once, or a function of a random generator that draws one. They see all of
        `x`, and the classes as 0, 1, …. Default: trees, forests, linear models, nearest neighbours (of at most 2,000
        instances), naive Bayes and small networks, on random features.
    n
        Number of annotators.
    below
        Largest error of an annotator.
    seed
        Seed of models and training.
    n_jobs
        Number of models to train in parallel; the result does not depend on it.
    checkpoint
        Directory for finished models, so that a run that was stopped continues.
    progress
        Called with (done, total).

    Notes
    -----
    Estimators with `partial_fit` or `staged_predict` give several states. Models are trained n at a time until n
    states are eligible (five times n at most). The errors do not estimate how well models generalise: the annotators
    answer rows they were trained on. Benjelloun (2021), 6.5.2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> artificial_annotators(x, y, n=6)
    Answers(150 instances × 6 annotators, 3 classes, errors ... states of 6 models)
    """
    if n < 1 or not 0 < below <= 1:
        raise OptionError(f"n must be at least 1, and below must be a share such as 0.4; got n={n!r}, below={below!r}.")
    labels, classes = coded(y)
    training = Training(x, labels, len(classes), estimators, seed)
    most = ROUNDS * n if training.n_estimators is None else training.n_estimators
    eligible: list[tuple[int, Snapshot]] = []
    trained = 0
    while len(eligible) < n and trained < most:
        batch = range(trained, most if training.n_estimators is not None else trained + n)
        for index, kept in training.run(
            batch, below=below, rate=None, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress
        ):
            eligible += [(index, state) for state in kept]
        trained = batch.stop
    if len(eligible) < n:
        raise OptionError(
            f"{n} annotators with an error above 0 and below {below:g} are needed, but {trained} models gave "
            f"{len(eligible)}. Ask for fewer, raise below=, or pass other estimators."
        )
    chosen = [eligible[at] for at in elected([(index, state.error) for index, state in eligible], n)]
    return Answers(
        np.column_stack([state.answers for _, state in chosen]),
        classes,
        np.array([state.error for _, state in chosen]),
        tuple(f"{index} {state.name}" for index, state in chosen),
        trained,
        len(eligible),
        METHOD.format(below=below),
        seed,
    )


def elected(eligible: Sequence[tuple[int, float]], n: int) -> list[int]:
    """Choose n of (model, error) evenly over the multiples of 5 %, and give their positions.

    >>> elected([(0, 0.02), (0, 0.11), (1, 0.01), (1, 0.10), (2, 0.09)], 3)
    [0, 2, 3]
    """
    waiting: dict[int, list[int]] = {}
    for at, (_, error) in enumerate(eligible):
        waiting.setdefault(multiple(error), []).append(at)
    used: Counter[int] = Counter()
    chosen: list[int] = []
    while len(chosen) < n:
        for states in (waiting[step] for step in sorted(waiting)):
            if states and len(chosen) < n:
                at = min(states, key=lambda place: (used[eligible[place][0]], place))
                states.remove(at)
                used[eligible[at][0]] += 1
                chosen.append(at)
    return sorted(chosen)
