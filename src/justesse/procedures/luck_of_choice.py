"""What the best of several models is worth once the luck of being chosen is taken off."""

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
    "the model with the highest accuracy is the one chosen",
    "rows (or groups) are independent draws; models that share training rows are taken as they are",
)


@dataclass(frozen=True)
class LuckOfChoice:
    """The accuracy of the best of several as it looks, and of the choice once luck is taken off.

    `corrected` is what the one chosen scores on rows that took no part in choosing it, `optimism` how much less that
    is; `wins` says in what share of the draws each model is the best. `by_luck` is the chance that the best of as many
    models that are no better than always answering `majority` does as well.
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
        """Say it."""
        share = f"{100 * self.wins[self.best]:.0f} %"
        chance = "less than 0.0001" if self.by_luck < 0.0001 else f"{self.by_luck:.4f}"
        return (
            f"{self.best} is the best of {self.tried}, right on {self.apparent:.4f} of the rows tested. The best of "
            "several looks good by luck as well: choosing in the same way and scoring on rows that took no part in the "
            f"choice gives {self.corrected.value:.4f}. When the rows are drawn anew it is the best in {share} of the "
            f"draws. The best of {self.tried} models that know no more than the most frequent class, "
            f"{self.majority!r}, would do as well with a chance of {chance}."
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


def luck_of_choice(found: OutOfSample, *, level: float = 0.95, draws: int = DRAWS) -> LuckOfChoice:
    """Correct the accuracy of the best of several models for having been chosen by it.

        corrected = mean over draws of the accuracy, on rows not drawn, of the model that is best on the rows drawn

    Rows (whole groups, where the procedure keeps them together) are drawn with replacement from the out-of-sample
    answers; no model is trained again. A row that was tested several times counts once, with its mean. The interval has
    the percentiles of the draws, about a third too wide, since a draw scores 37 % of the rows. Models that failed in
    some split take no part. Wrong to use where settings were chosen within a model: that is `nested`. Tsamardinos,
    Greasidou and Borboudakis (2018); the chance of doing as well by luck is that of lecture 002, each row counted once.

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
    names = [name for name in found.models if not any(fit.failure for fit in found.fits[name])]
    if len(names) < 2:
        raise OptionError("two models or more that worked in every split are needed to choose among them")
    tested, right = _right(found, names)
    unit = np.arange(len(tested)) if found.groups is None else np.unique(found.groups[tested], return_inverse=True)[1]
    made = corrected_choice(
        dict(zip(names, right.T, strict=True)), units=unit, level=level, draws=draws, seed=found.seed
    )
    classes, counts = np.unique(found.data.y[tested], return_counts=True)
    luck = as_good_by_luck(round(made.apparent * len(tested)), len(tested), chance=float(counts.max() / len(tested)))
    return LuckOfChoice(
        made.best,
        made.apparent,
        made.corrected,
        made.apparent - made.corrected.value,
        made.wins,
        classes[counts.argmax()].item(),
        best_by_luck(luck, len(found.models)),
        len(found.models),
        len(tested),
        draws,
        found.seed,
    )


@dataclass(frozen=True)
class CorrectedChoice:
    """The best, what it seems to score, what the choice scores, and how often each wins."""

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
    """Do the same with a number for each row and model: 1 where it is right, 0 where not, or a share between.

    `units` says which rows are drawn together.

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


def _right(found: OutOfSample, names: list[str]) -> tuple[Array, Array]:
    """Give the rows that were tested and the share of right answers to each, a column for each model."""
    summed, times = np.zeros((found.n, len(names))), np.zeros(found.n)
    for at, name in enumerate(names):
        for fit in found.fits[name]:
            np.add.at(summed[:, at], fit.test, 1 - found.data.losses(fit.test, np.asarray(fit.answers)))
            if not at:
                np.add.at(times, fit.test, 1)
    tested = np.flatnonzero(times)
    return tested, summed[tested] / times[tested, None]
