"""Noise that follows the features: the hardest instances are mislabelled, each as its most plausible wrong class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.coded import coded, named
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.noise.difficulty import Legitimacy, check_answers, classes_in, confusions
from justesse.noise.models import check_rate
from justesse.noise.noisy import Noisy

COLUMNS = ("rank", "difficulty", "wrong", "plausibility")
ASSUMPTIONS = (
    "the labels given are right",
    "label errors fall on the rows that were hardest for these annotators",
    "ties are broken by the order of rows and of classes",
)


@dataclass(frozen=True, eq=False)
class Ranking:
    """Instances from the hardest to the easiest, each with its most plausible wrong class.

    `order` lists the instances, hardest first; the other arrays have one value for each instance. `wrong` is a position
    in `classes`, -1 where nobody gave a wrong class. It is made once for train and test together; every rate then takes
    no time, and the noise of a lower rate is part of that of a higher one.
    """

    order: Array
    difficulty: Array
    wrong: Array
    plausibility: Array
    classes: tuple[ClassName, ...]
    method: str

    @classmethod
    def from_answers(
        cls,
        answers: ArrayLike,
        labels: ArrayLike,
        *,
        legitimacy: Legitimacy = "accuracy",
        classes: Sequence[ClassName] | None = None,
    ) -> "Ranking":
        """Rank by what annotators answered: codes of classes, -1 for no answer (algorithm 2, its first half).

            d_i = Σ l_K over the annotators wrong on i,   wrong_i = argmax_{k ≠ label} Σ l_K over those that answered k

        Labels are names in `classes`, or codes if none are given. Do not use it where instances have very different
        numbers of answers: those with more look harder (use `from_votes`). Benjelloun (2021), 6.5.2.

        >>> ranking = Ranking.from_answers([[0, 0], [1, 0], [1, 1], [0, 1]], [0, 1, 1, 0])
        >>> ranking.order.tolist(), ranking.difficulty.tolist(), ranking.wrong.tolist()
        ([1, 3, 0, 2], [0.0, 0.5, 0.0, 0.5], [-1, 0, -1, 1])
        """
        codes, names = (labels, None) if classes is None else coded(labels, classes)
        matrix, codes = check_answers(answers, codes)
        seen = classes_in(matrix, codes)
        names = names or tuple(range(seen))
        if seen > len(names):
            raise OptionError(
                f"Answers must be codes of the {len(names)} classes, 0 to {len(names) - 1}; got {seen - 1}."
            )
        hard, wrong, best = confusions(matrix, codes, legitimacy, len(names))
        weights = f"by their {legitimacy}" if isinstance(legitimacy, str) else "as given"
        method = f"feature noise from {matrix.shape[1]} annotators, weighted {weights}"
        return cls(hardest_first(hard), hard, wrong, best, names, method)

    @classmethod
    def from_votes(
        cls, votes: ArrayLike, *, labels: ArrayLike | None = None, classes: Sequence[ClassName] | None = None
    ) -> "Ranking":
        """Rank by how people voted: instances × classes, counts of votes.

            d_i = share of the votes against the label,   wrong_i = the wrong class with most votes

        Without labels the class with most votes is taken to be right. An instance without votes counts as easy. Wrong
        to use with one or two votes an instance: their shares say little. Peterson et al. (2019) collected such votes.

        >>> ranking = Ranking.from_votes([[9, 1, 0], [2, 3, 5], [0, 4, 0]], classes=("cat", "dog", "car"))
        >>> ranking.order.tolist(), ranking.difficulty.tolist(), ranking.wrong.tolist()
        ([1, 0, 2], [0.1, 0.5, 0.0], [1, 1, -1])
        """
        counts = np.asarray(votes, dtype=float)
        if counts.ndim != 2 or not counts.size or not np.all((counts >= 0) & np.isfinite(counts)):
            raise OptionError(
                f"Votes must be a table of counts, rows × classes, none negative; got shape {counts.shape}."
            )
        majority = counts.argmax(axis=1)
        names = range(counts.shape[1]) if classes is None else classes
        if len(names) != counts.shape[1]:
            raise OptionError(f"{counts.shape[1]} columns of votes need {counts.shape[1]} classes; got {len(names)}.")
        codes, names = coded(named(majority, tuple(names)) if labels is None else labels, names)
        if len(codes) != len(counts):
            raise OptionError(f"{len(counts)} rows of votes need {len(counts)} labels; got {len(codes)}.")
        rows, total = np.arange(len(counts)), np.maximum(counts.sum(axis=1), 1.0)
        against = counts.copy()
        against[rows, codes] = 0.0
        wrong = against.argmax(axis=1)
        best, hard = against[rows, wrong] / total, against.sum(axis=1) / total
        method = "feature noise from votes, difficulty the share of votes against the label"
        return cls(hardest_first(hard), hard, np.where(best > 0, wrong, -1), best, names, method)

    def noisy(self, labels: ArrayLike, rate: float) -> Noisy:
        """Label the hardest share of the rows with their most plausible wrong class (second half of algorithm 2).

        `rate` is a share of all the instances ranked, so parts of them have other rates: `noisy.part(test).realised`.
        An instance with no plausible wrong class is left right, and marked in `spared`. Benjelloun (2021), 6.5.2.

        >>> votes = [[9, 1, 0], [2, 3, 5], [0, 4, 0], [4, 6, 0]]
        >>> Ranking.from_votes(votes).noisy([0, 2, 1, 1], 0.5).label.tolist()
        [0, 1, 1, 0]
        >>> Ranking.from_votes(votes).noisy([0, 2, 1, 1], 0.9)
        Noisy(4 labels, 3 wrong: realised rate 0.7500, asked 0.9000, feature noise from votes, difficulty the share of
        votes against the label, 1 left right: no plausible wrong class)
        """
        codes, _ = coded(labels, self.classes)
        if len(codes) != len(self.order) or np.any(codes == self.wrong):
            raise OptionError(
                f"Pass the {len(self.order)} labels that the ranking was made with, in the same order; got "
                + (f"{len(codes)} labels." if len(codes) != len(self.order) else "other labels.")
            )
        chosen = np.zeros(len(codes), dtype=bool)
        chosen[self.order[: int(np.floor(check_rate(rate) * len(codes) + 0.5))]] = True
        spared = chosen & (self.wrong < 0)
        label = np.where(chosen & ~spared, self.wrong, codes)
        return Noisy(
            named(codes, self.classes),
            named(label, self.classes),
            self.classes,
            self.method,
            rate,
            spared=spared,
            assumptions=ASSUMPTIONS,
        )

    def to_columns(self) -> dict[str, Array]:
        """Write it as columns with a value for each instance; keep `classes` and `method` beside them.

        >>> ranking = Ranking.from_votes([[9, 1, 0], [2, 3, 5]])
        >>> {name: column.tolist() for name, column in ranking.to_columns().items()}
        {'rank': [1, 0], 'difficulty': [0.1, 0.5], 'wrong': [1, 1], 'plausibility': [0.1, 0.3]}
        """
        rank = np.empty_like(self.order)
        rank[self.order] = np.arange(len(self.order))
        columns = (rank, self.difficulty, self.wrong, self.plausibility)
        return dict(zip(COLUMNS, columns, strict=True))

    def equals(self, other: "Ranking") -> bool:
        """Tell whether another ranking has the same order, difficulties and plausible wrong classes.

        >>> Ranking.from_votes([[9, 1], [2, 8]]).equals(Ranking.from_votes([[9, 1], [1, 9]]))
        False
        """
        columns, others = self.to_columns(), other.to_columns()
        return all(np.allclose(columns[name], others[name]) for name in columns)

    @classmethod
    def from_columns(cls, columns: Mapping[str, ArrayLike], *, classes: Sequence[ClassName], method: str) -> "Ranking":
        """Read back what `to_columns` wrote.

        >>> ranking = Ranking.from_votes([[9, 1, 0], [2, 3, 5]])
        >>> same = Ranking.from_columns(ranking.to_columns(), classes=ranking.classes, method=ranking.method)
        >>> same.order.tolist() == ranking.order.tolist()
        True
        """
        if missing := [name for name in COLUMNS if name not in columns]:
            raise OptionError(
                f"No {' or '.join(map(repr, missing))} column. A ranking has the columns {', '.join(COLUMNS)}."
            )
        rank, hard, wrong, best = (np.asarray(columns[name]) for name in COLUMNS)
        order = np.argsort(rank, kind="stable")
        if not np.array_equal(rank[order], np.arange(len(rank))):
            raise OptionError(
                "Column 'rank' must hold each position from 0 on once. The file is damaged or not a ranking."
            )
        if np.any(wrong < -1) or np.any(wrong >= len(classes)):
            raise OptionError(f"Column 'wrong' must hold positions among the {len(classes)} classes, or -1.")
        return cls(order, hard, wrong, best, tuple(classes), method)


def hardest_first(difficulty: Array) -> Array:
    """Sort instances by falling difficulty, equals in their own order.

    >>> hardest_first(np.array([0.5, 2.0, 0.5])).tolist()
    [1, 0, 2]
    """
    return np.argsort(-difficulty, kind="stable")
