"""Noise from a single model: its predictions become the labels (thesis 7.8.1)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike, NDArray

from justesse.annotators.artificial import ASSUMPTIONS
from justesse.annotators.training import Estimators, Training
from justesse.core.coded import coded, named
from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName


@dataclass(frozen=True, eq=False)
class OneModel:
    """Labels that one model gave: the rate of wrong ones that was wanted, and its error, which is the rate there is."""

    true: NDArray[Any]
    label: NDArray[Any]
    classes: tuple[ClassName, ...]
    rate: float
    realised: float
    name: str
    trained: int
    seed: int
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def __repr__(self) -> str:
        return (
            f"OneModel({len(self.label)} labels, realised rate {self.realised:.4f}, asked {self.rate:.4f}, {self.name})"
        )


def one_model(
    x: Any,
    y: ArrayLike,
    rate: float,
    *,
    estimators: Estimators = None,
    n: int = 24,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> OneModel:
    """Replace labels by the predictions of the model state whose resubstitution error is nearest to a rate.

        label_i = M(x_i),   M = argmin |e_M - η| over the states of n models trained on all the data

    Parameters
    ----------
    x
        Features, instances × columns.
    y
        Labels.
    rate
        Share of wrong labels, η.
    estimators
        As in `artificial_annotators`; all that are given are trained.
    n
        Number of models.
    seed, n_jobs, checkpoint, progress
        As in `artificial_annotators`.

    Notes
    -----
    Simpler than a ranking, and not nested: two rates come from two models. `realised` says how nearly the rate was
    met. Do not use it to judge models like the one that made the labels: they repeat its errors. Benjelloun (2021),
    7.8.1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> abs(one_model(x, y, 0.10, n=6).realised - 0.10) < 0.02
    True
    """
    if n < 1 or not 0 < rate < 1:
        raise OptionError(
            f"n must be at least 1, and the rate must be a share above 0, such as 0.05; got n={n!r}, rate={rate!r}."
        )
    labels, classes = coded(y)
    training = Training(x, labels, len(classes), estimators, seed)
    models = range(n if training.n_estimators is None else training.n_estimators)
    runs = training.run(models, below=1.0, rate=rate, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress)
    states = [(index, state) for index, kept in runs for state in kept]
    if not states:
        raise OptionError("At least one estimator is needed; got none.")
    index, best = min(states, key=lambda pair: abs(pair[1].error - rate))
    return OneModel(
        named(labels, classes),
        named(best.answers, classes),
        classes,
        rate,
        best.error,
        f"{index} {best.name}",
        len(models),
        seed,
    )
