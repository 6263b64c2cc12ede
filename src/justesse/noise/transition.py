"""The transition table: how often annotators write each label for each true class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.choices import TransitionOf
from justesse.core.errors import ClassError, OptionError
from justesse.core.levels import check_levels, native
from justesse.core.resampling import CHUNK
from justesse.core.results import Alternative, ClassName, Estimate, Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.hypergeometric import hypergeometric
from justesse.intervals.wilson import wilson
from justesse.measures.confusion import ratio
from justesse.noise.counted import counted

ROUNDING = 1e-6  # what the digits a person types may leave of a sum of 1
TINY = 1e-9
FEW = 10  # wrong labels, or right ones, below which the rate of a finite population gets an exact interval
LARGEST_CONDITION = 1e3  # past it an error of 0.001 in the shares of labels can be one of 1 in those of classes

NOT_COUNTED = "no interval: the table was given, not counted"
NO_SHARES = "it depends on the shares of the true classes, which are not known"
NEVER_TRUE = "no re-checked row is truly of this class"
ALL_CHECKED = "no interval: every label was re-checked"


@dataclass(frozen=True, eq=False)
class Transition:
    """P(label | true class), rows true, columns label, with the counts it comes from where there are any.

    The row of a class without re-checked rows is NaN: nothing is known about its labels. Counts are those of a
    random sample of rows, unless `of_these_rows` says that they are of the rows to be evaluated. Thesis 3.2.3.

    >>> result = Transition.from_table([[45, 5], [2, 48]], ["cat", "dog"])
    >>> result.matrix.tolist(), round(result.rate(), 2)
    ([[0.9, 0.1], [0.04, 0.96]], 0.07)
    """

    classes: tuple[ClassName, ...]
    matrix: NDArray[np.float64]
    counts: NDArray[np.int64] | None = None
    of_these_rows: bool = False

    def __post_init__(self) -> None:
        check_levels("true", self.classes)
        size = len(self.classes)
        for table in (self.matrix, self.counts):
            if table is not None and table.shape != (size, size):
                raise OptionError(
                    f"{size} classes need a table of {size} × {size} (rows: true classes, columns: labels); "
                    f"got {table.shape}."
                )
        if size < 2:
            raise OptionError(f"Wrong labels need at least two classes; got {list(self.classes)!r}.")
        known = np.ones(size, bool) if self.counts is None else self.counts.sum(axis=1) > 0
        for name, row in zip(np.array(self.classes, object)[known], self.matrix[known], strict=True):
            if not np.all(np.isfinite(row)) or np.any(row < 0):
                raise OptionError(
                    "Every number of the transition table must be 0 or more and finite. Correct the row of true class "
                    f"{name!r}: {', '.join(f'{share:.4g}' for share in row)}."
                )
            if abs(row.sum() - 1) > ROUNDING:
                raise OptionError(
                    f"The row of true class {name!r} sums to {row.sum():.7g}. Each row must hold the shares of "
                    "its labels and sum to 1. Counts must be integers."
                )

    @classmethod
    def from_tally(cls, tally: Tally) -> "Transition":
        """Count the (true, label) pairs of a re-checked sample.

            T[i, j] = n_ij / Σ_j n_ij

        The sample must be random: re-checking only suspicious labels says nothing of the others.

        >>> pairs = Tally.of(["true", "label"], [("a", "a", 9), ("a", "b", 1), ("b", "b", 10)])
        >>> Transition.from_tally(pairs).rate()
        0.05
        """
        pairs = counted(tally, "true", "label")
        return cls.from_table(pairs.dense("true", "label"), pairs.classes)

    @classmethod
    def from_table(cls, table: ArrayLike, classes: Sequence[ClassName]) -> "Transition":
        """Read a table, rows true, columns label: whole numbers are counts, anything else are shares.

        Whole numbers written as integers are always counts; write 1.0, not 1, for a share.

        >>> Transition.from_table([[0.9, 0.2], [0.0, 1.0]], ["a", "b"])
        Traceback (most recent call last):
        justesse.core.errors.OptionError: the row of true class 'a' sums to 1.1: …
        """
        dense, names = np.asarray(table), tuple(native(name) for name in classes)
        if dense.dtype.kind not in "iuf":
            raise OptionError(f"A transition table must hold numbers; got {dense.dtype}.")
        if dense.dtype.kind == "f":
            return cls(names, dense.astype(float))
        if np.any(dense < 0):
            raise OptionError(f"Counts must be 0 or more; got {int(dense.min())}.")
        if dense.ndim == 2 and not dense.any():
            raise OptionError("The transition table is empty. Re-check some labels first.")
        shares = ratio(dense, dense.sum(axis=1, keepdims=True)) if dense.ndim == 2 else dense
        return cls(names, shares, dense.astype(np.int64))

    def counted_on(self, rows: TransitionOf) -> "Transition":
        """Return the table with what its counts are of: `these` rows, all to be evaluated, or a `sample`.

        >>> Transition.from_table([[45, 5], [2, 48]], ["cat", "dog"]).counted_on("these").of_these_rows
        True
        """
        if rows not in get_args(TransitionOf):
            raise OptionError(f"transition_of must be one of {', '.join(get_args(TransitionOf))}; got {rows!r}.")
        if rows == "these" and self.counts is None:
            raise OptionError(
                "The transition table holds shares, not counts, and shares are used as exact. Leave out "
                "transition_of (--transition-of)."
            )
        return replace(self, of_these_rows=rows == "these")

    @classmethod
    def uniform(cls, classes: Sequence[ClassName], rate: float) -> "Transition":
        """Make the table of uniform mistakes: η/(K-1) off the diagonal.

        >>> Transition.uniform(["a", "b", "c"], 0.2).matrix[0].tolist()
        [0.8, 0.1, 0.1]
        """
        size = _checked(classes, rate)
        return cls(tuple(map(native, classes)), np.where(np.eye(size, dtype=bool), 1 - rate, rate / (size - 1)))

    @classmethod
    def pair_flip(cls, classes: Sequence[ClassName], rate: float) -> "Transition":
        """Make the table of mistakes that all fall on the next class of the list, and on the first for the last.

        >>> Transition.pair_flip(["a", "b", "c"], 0.25).matrix[2].tolist()
        [0.25, 0.0, 0.75]
        """
        size = _checked(classes, rate)
        return cls(tuple(map(native, classes)), (1 - rate) * np.eye(size) + rate * np.roll(np.eye(size), 1, axis=1))

    @property
    def symmetric(self) -> bool:
        """Whether i is written for j as often as j for i (thesis 3.2.3)."""
        return bool(np.allclose(self.matrix, self.matrix.T, atol=TINY))

    def rate(self, *, shares: ArrayLike | None = None) -> float:
        """Return the share of wrong labels, P(N) = Σ_k share_k·(1 - T[k, k]), with the shares of the true classes.

        Counts know their own shares; without them any shares will do only if all classes are wrong alike.
        """
        wrong = 1 - np.diagonal(self.matrix)
        if shares is not None:
            weights = self._shares(shares)
            return float(weights[weights > 0] @ wrong[weights > 0])
        if self.counts is not None:
            return float((self.counts.sum() - np.trace(self.counts)) / self.counts.sum())
        if np.ptp(wrong) > TINY:
            raise OptionError(
                "Classes are wrong at different rates, so the overall rate depends on how frequent they are. "
                "Give the shares of the true classes."
            )
        return float(wrong[0])

    def rates(
        self, *, population: int | None = None, level: float = 0.95, alternative: Alternative = "two-sided"
    ) -> list[Estimate]:
        """Estimate the noise rate, overall and of each true class, with Wilson's intervals.

        `population` is how many labels the sample was drawn from without replacement: n of N labels tell as much as
        n·(N-1)/(N-n) from an endless supply. If fewer than 10 labels are wrong, or right, the overall rate gets the
        exact interval instead (`hypergeometric`): Wilson's can cover 91 % there, at level 95 %. Do not use it if the
        sample was not random.

        >>> for result in Transition.from_table([[45, 5], [2, 48]], ["cat", "dog"]).rates():
        ...     print(result.title, round(result.value, 3), result.interval)
        noise rate 0.07 [0.0343, 0.1375]
        noise rate of 'cat' 0.1 [0.0435, 0.2136]
        noise rate of 'dog' 0.04 [0.0110, 0.1346]
        """
        if self.counts is None:
            return self._given_rates()
        rows = self.counts.sum(axis=1)
        checked = np.append(rows.sum(), rows).astype(float)
        wrong = np.append(rows.sum() - np.trace(self.counts), rows - np.diagonal(self.counts))
        worth = checked.copy()
        if population is not None:
            if population < checked[0]:
                raise OptionError(
                    f"{checked[0]:g} labels were re-checked, more than the {population!r} labels in all. "
                    "Correct one of the two numbers."
                )
            worth[0] *= (population - 1) / (population - checked[0]) if population > checked[0] else 0.0
        shares = ratio(wrong, checked)
        ends = wilson(np.nan_to_num(shares) * worth, worth, level=level, alternative=alternative)
        intervals = ends.intervals(alternative=alternative)
        if population is not None and intervals[0] is not None:
            many = int(wrong[0])
            if min(many, checked[0] - many) < FEW:
                exact = hypergeometric(many, int(checked[0]), population, level=level, alternative=alternative)
                intervals[0] = exact.intervals(alternative=alternative)[0]
            else:
                intervals[0] = replace(intervals[0], method="wilson, finite population")
        return [
            noise_rate_estimate(share, n, interval, None if interval else ALL_CHECKED if n else NEVER_TRUE, name)
            for name, share, n, interval in zip(
                (None, *self.classes), shares.tolist(), checked.tolist(), intervals, strict=True
            )
        ]

    def draws(self, n: int, seed: int = 0, *, chunk: int | None = None) -> Iterator[NDArray[np.float64]]:
        """Draw tables that the counts allow, chunk by chunk, draws first.

            row_i ~ Dirichlet(n_i1 + 1/K, …, n_iK + 1/K)

        The prior weighs as much as one row per class, and is Jeffreys's for two classes; the 1/2 of Jeffreys in every
        cell would add K/2 imaginary rows to each class, nearly all of them wrong. Perks (1947).

        >>> next(Transition.from_table([[45, 5], [2, 48]], ["cat", "dog"]).draws(1000)).mean(axis=0).round(2).tolist()
        [[0.89, 0.11], [0.05, 0.95]]
        """
        if self.counts is None:
            raise OptionError("The uncertainty of a table of shares is unknown. Give a table of counts.")
        self._need_every_row()
        size = len(self.classes)
        generator = stream(seed, "transition")
        step = chunk or max(1, CHUNK // size**2)
        for start in range(0, n, step):
            drawn = generator.standard_gamma(self.counts + 1 / size, size=(min(step, n - start), size, size))
            yield drawn / drawn.sum(axis=2, keepdims=True)

    def inverse(self) -> NDArray[np.float64]:
        """Invert the table, if that does not blow small errors up.

            condition number = max_i Σ_j |T⁻¹[i, j]|,   how much larger an error in label shares can be in true shares

        Refused when it is above 1,000: then some classes are nearly the same to the annotators, and labels cannot
        tell how frequent each is.

        >>> Transition.uniform(["a", "b"], 0.5).inverse()
        Traceback (most recent call last):
        justesse.core.errors.OptionError: …
        """
        self._need_every_row()
        try:
            inverse = np.linalg.inv(self.matrix)
            condition = float(np.abs(inverse).sum(axis=1).max())
        except np.linalg.LinAlgError:
            condition = np.inf
        if not condition <= LARGEST_CONDITION:
            raise OptionError(
                "The transition table cannot be inverted, because labels hardly distinguish some true classes "
                f"(condition number {condition:.3g}, at most {LARGEST_CONDITION:g}). Count the table on re-checked "
                "rows, give the noise rate alone, or re-check a sample."
            )
        return np.asarray(inverse)

    def true_shares(self, labels: ArrayLike) -> NDArray[np.float64]:
        """Estimate the shares of the true classes from counts or shares of labels.

            Σ_i share_i·T[i, j] = label share_j

        >>> Transition.uniform(["a", "b"], 0.1).true_shares([50, 50]).round(3).tolist()
        [0.5, 0.5]
        """
        shares = self._shares(labels) @ self.inverse()
        if np.any(shares < -TINY):
            worst = int(shares.argmin())
            raise OptionError(
                f"The transition table does not fit these labels: true class {self.classes[worst]!r} would have a "
                f"share of {shares[worst]:.4f}. Check the table, or give the class shares."
            )
        return np.asarray(np.maximum(shares, 0.0) / np.maximum(shares, 0.0).sum())

    def true_given_label(
        self, *, shares: ArrayLike | None = None, labels: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return P(true class | label), rows true, columns label; NaN for a label that never occurs.

            P(i | j) = share_i·T[i, j] / Σ_i share_i·T[i, j]

        The shares of the true classes are those given, else the counts' own, else those that the observed `labels`
        imply. Do not use it with counts if labels were chosen for re-checking by their likely true class.

        >>> Transition.from_table([[45, 5], [15, 35]], ["cat", "dog"]).true_given_label()[:, 0].tolist()
        [0.75, 0.25]
        """
        if shares is not None:
            weights = self._shares(shares)
            joint = np.where(weights[:, None] > 0, weights[:, None] * self.matrix, 0.0)
        elif self.counts is not None:
            joint = self.counts.astype(float)
        elif labels is not None:
            joint = self.true_shares(labels)[:, None] * self.matrix
        else:
            raise OptionError(
                "A transition table of shares needs the shares of the true classes or of the labels. Give one of them."
            )
        return ratio(joint, joint.sum(axis=0, keepdims=True))

    def joint(self, labels: ArrayLike, *, shares: ArrayLike | None = None) -> NDArray[np.float64]:
        """Extend the table to a whole set: how many rows of each true class are expected behind its labels.

            n_ij = P(i | j)·labels_j

        >>> Transition.from_table([[45, 5], [15, 35]], ["cat", "dog"]).joint([600, 400]).tolist()
        [[450.0, 50.0], [150.0, 350.0]]
        """
        total = np.asarray(labels, dtype=float)
        behind = self.true_given_label(shares=shares, labels=self._shares(labels))
        unknown = np.isnan(behind).any(axis=0) & (total > 0)
        if unknown.any():
            name = self.classes[int(np.flatnonzero(unknown)[0])]
            raise OptionError(
                f"The transition table has no row labelled {name!r}, but {total[unknown][0]:g} rows of the data are. "
                "Re-check some of them, or give a table of shares."
            )
        return np.where(total > 0, np.nan_to_num(behind) * total, 0.0)

    def _given_rates(self) -> list[Estimate]:
        wrong = 1 - np.diagonal(self.matrix)
        alike = bool(np.ptp(wrong) <= TINY)
        overall = noise_rate_estimate(self.rate() if alike else np.nan, 0, None, NOT_COUNTED if alike else NO_SHARES)
        by_class = zip(self.classes, wrong.tolist(), strict=True)
        return [overall, *(noise_rate_estimate(share, 0, None, NOT_COUNTED, name) for name, share in by_class)]

    def _shares(self, values: ArrayLike) -> NDArray[np.float64]:
        numbers = np.asarray(values, dtype=float)
        if numbers.shape != (len(self.classes),):
            raise OptionError(f"{len(self.classes)} numbers are needed, one per class; got shape {numbers.shape}.")
        if not np.all(np.isfinite(numbers)) or np.any(numbers < 0) or numbers.sum() <= 0:
            raise OptionError(f"Shares must be 0 or more, finite and not all 0; got {numbers.tolist()!r}.")
        return np.asarray(numbers / numbers.sum())

    def _need_every_row(self) -> None:
        empty = np.isnan(self.matrix).any(axis=1)
        if empty.any():
            name = self.classes[int(np.flatnonzero(empty)[0])]
            raise ClassError(
                f"The transition table has no row of true class {name!r}. Re-check some rows of this class."
            )


def noise_rate_estimate(
    value: float, n: float, interval: Interval | None, undefined: str | None, class_name: ClassName = None
) -> Estimate:
    """Make the estimate of a noise rate, of one class or overall.

    >>> noise_rate_estimate(0.05, 100, None, NOT_COUNTED, "cat")
    Estimate(noise rate of 'cat' 5.0 %, n = 100)
    """
    return Estimate("noise_rate", value, n, interval, undefined, class_name, is_share=True)


def _checked(classes: Sequence[ClassName], rate: float) -> int:
    if not 0 <= rate <= 1:
        raise OptionError(f"A noise rate must lie between 0 and 1; got {rate!r}.")
    if len(classes) < 2:
        raise OptionError(f"Wrong labels need at least two classes; got {list(classes)!r}.")
    return len(classes)
