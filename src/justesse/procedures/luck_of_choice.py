"""The accuracy of the best of several models, corrected for having been chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval, check_level, finite_or_none
from justesse.core.seeds import check_seed, stream
from justesse.procedures.run import OutOfSample
from justesse.significance.selection import as_good_by_luck, best_by_luck

DRAWS = 1000
ASSUMPTIONS = (
    "the model with the highest accuracy is chosen",
    "rows (or groups) are independent draws from the population",
)


@dataclass(frozen=True)
class LuckOfChoice:
    """The accuracy of the best of several models as measured (`apparent`) and corrected for the choice.

    `corrected` is the accuracy of the model chosen, on rows that were not used to choose it; `optimism` is `apparent`
    minus `corrected`. `wins` is the share of draws in which each model is the best. `by_luck` is the probability that
    the best of as many models, each with the accuracy of always predicting `majority`, does as well.
    """

    best: str
    apparent: float
    corrected: Estimate
    optimism: float
    wins: dict[str, float]
    majority: Any
    by_luck: float
    tried: int
    n: int
    draws: int
    seed: int
    assumptions: tuple[str, ...] = ASSUMPTIONS

    @property
    def words(self) -> str:
        """Explain the correction and how stable the choice is."""
        interval = self.corrected.interval
        ends = f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %, bootstrap of the rows" if interval else ""
        around = f" ({100 * interval.level:g} % CI {ends})" if interval else ""
        chance = "below 0.0001" if self.by_luck < 0.0001 else f"{self.by_luck:.4f}"
        return (
            f"{self.best} is the most accurate of {self.tried} models: it is right on {100 * self.apparent:.1f} % of "
            f"the {self.n:,} rows taken together (a mean over splits can differ slightly). The best of several is "
            f"partly lucky: corrected for the choice, its accuracy is {100 * self.corrected.value:.1f} %{around}. "
            f"It is the best in {_share(self.wins[self.best])} of {self.draws:,} bootstrap draws of the rows. These "
            f"draws vary the rows tested, not the training. If every model had only the accuracy of always predicting "
            f"{self.majority!r}, the best of {self.tried} would score this high with probability {chance}."
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "best": self.best,
            "apparent": self.apparent,
            "corrected": self.corrected.to_dict(),
            "optimism": finite_or_none(self.optimism),
            "wins": self.wins,
            "majority": self.majority,
            "by_luck": self.by_luck,
            "tried": self.tried,
            "n": self.n,
            "draws": self.draws,
            "seed": self.seed,
            "words": self.words,
            "assumptions": list(self.assumptions),
        }


def _share(share: float) -> str:
    """Write a share in per cent, never as 100 % without being it.

    >>> _share(0.25), _share(0.9996), _share(1.0)
    ('25.0 %', '99.96 %', '100.0 %')
    """
    digits = next((digits for digits in range(1, 6) if share == 1.0 or float(f"{100 * share:.{digits}f}") < 100.0), 6)
    return f"{100 * share:.{digits}f} %"


def luck_of_choice(runs: OutOfSample, *, level: float = 0.95, draws: int = DRAWS) -> LuckOfChoice:
    """Correct the accuracy of the best of several models for having been chosen by it.

        corrected = mean over draws of the accuracy, on rows not drawn, of the model that is best on the rows drawn

    Rows (whole groups, if the procedure keeps them together) are drawn with replacement from the out-of-sample answers;
    no model is trained again. A row tested several times counts once, with its mean. Models that failed in some split
    are left out. The interval holds the percentiles of the draws; it is about a third too wide, because a draw scores
    only 37 % of the rows. Not for settings chosen inside a model: use `nested`. Tsamardinos, Greasidou and Borboudakis
    (2018); the probability of doing as well by luck counts each row once (lecture 002).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from justesse.procedures.run import run
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> made = luck_of_choice(run(models, *load_iris(return_X_y=True)))
    >>> made.best, made.corrected.value < made.apparent, round(sum(made.wins.values()), 9)
    ('bayes', True, 1.0)
    """
    check_level(level)
    names = [name for name in runs.models if not any(fit.failure for fit in runs.fits[name])]
    if len(names) < 2:
        raise OptionError("A choice needs at least two models that worked in every split. See run(...).failures.")
    tested, right = _right(runs, names)
    unit = np.arange(len(tested)) if runs.groups is None else np.unique(runs.groups[tested], return_inverse=True)[1]
    made = corrected_choice(
        dict(zip(names, right.T, strict=True)), units=unit, level=level, draws=draws, seed=runs.seed
    )
    classes, counts = np.unique(runs.data.y[tested], return_counts=True)
    luck = as_good_by_luck(round(made.apparent * len(tested)), len(tested), chance=float(counts.max() / len(tested)))
    return LuckOfChoice(
        made.best,
        made.apparent,
        made.corrected,
        made.apparent - made.corrected.value,
        made.wins,
        classes[counts.argmax()].item(),
        best_by_luck(luck, len(runs.models)),
        len(runs.models),
        len(tested),
        draws,
        runs.seed,
    )


@dataclass(frozen=True)
class CorrectedChoice:
    """The best model, its apparent accuracy, its corrected accuracy, and how often each model wins."""

    best: str
    apparent: float
    corrected: Estimate
    wins: dict[str, float]


def corrected_choice(
    right: Mapping[str, ArrayLike],
    *,
    units: ArrayLike | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> CorrectedChoice:
    """Correct the accuracy of the best of several models, from the correctness of each answer.

    Parameters
    ----------
    right
        For each model, a number for each row: 1 if right, 0 if wrong, or a share in between.
    units
        Unit of each row, such as its group: rows of one unit are drawn together.
    level
        Confidence level.
    draws
        Number of bootstrap draws.
    seed
        Seed of the draws.

    >>> corrected_choice({"a": [1, 1, 1, 0], "b": [1, 1, 1, 0]}).apparent
    0.75
    """
    check_seed(seed)
    names = list(right)
    table = np.column_stack([np.asarray(column, dtype=float) for column in right.values()])
    unit = np.arange(len(table)) if units is None else np.unique(np.asarray(units), return_inverse=True)[1]
    many = int(unit.max()) + 1
    sums = np.column_stack([np.bincount(unit, column, many) for column in table.T])
    sizes = np.bincount(unit, minlength=many).astype(float)
    generator = stream(seed, "luck of choice")
    scores: list[float] = []
    wins = np.zeros(len(names))
    for _ in range(draws):
        times = np.bincount(generator.integers(many, size=many), minlength=many)
        out = times == 0
        inside = times @ sums
        best = np.isclose(inside, inside.max())  # ties share the win
        wins += best / best.sum()
        if out.any():
            scores.append(float((sums[out].sum(axis=0) / sizes[out].sum())[best].mean()))
    apparent = table.mean(axis=0)
    if not scores:
        value = Estimate("accuracy of the choice", np.nan, len(table), undefined="no draw left rows out")
    else:
        low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2]).tolist()
        ends = Interval(low, high, level, "bootstrap-out-of-bag", (0.0, 1.0))
        value = Estimate("accuracy of the choice", float(np.mean(scores)), len(table), ends)
    at = int(apparent.argmax())
    return CorrectedChoice(
        names[at], float(apparent[at]), value, dict(zip(names, (wins / draws).tolist(), strict=True))
    )


def _right(runs: OutOfSample, names: list[str]) -> tuple[Array, Array]:
    """Return the rows tested and the share of right answers to each, one column for each model."""
    summed, times = np.zeros((runs.n, len(names))), np.zeros(runs.n)
    for at, name in enumerate(names):
        for fit in runs.fits[name]:
            np.add.at(summed[:, at], fit.test, 1 - runs.data.losses(fit.test, np.asarray(fit.answers)))
            if not at:
                np.add.at(times, fit.test, 1)
    tested = np.flatnonzero(times)
    return tested, summed[tested] / times[tested, None]
