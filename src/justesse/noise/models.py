"""Noise that knows only the class: which wrong label an instance of each class may get, and how often."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import ClassError, OptionError
from justesse.core.levels import check_levels, native
from justesse.core.results import ClassName

ROUNDING = 1e-8


def check_rate(rate: float) -> float:
    """Return the noise rate if it is one.

    >>> check_rate(5)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: a noise rate is a share from 0 up to, not including, 1, such as 0.05; got 5
    """
    if not 0 <= rate < 1:
        raise OptionError(f"A noise rate must be at least 0 and below 1, such as 0.05; got {rate!r}.")
    return float(rate)


@dataclass(frozen=True)
class Uniform:
    """Every label is wrong with the same probability, and every wrong class is as likely as another.

        P(label = j | true = i) = 1-η if j = i, η/(K-1) otherwise

    Do not use it where realism counts: annotators err on hard instances and towards look-alike classes, and a model
    cannot learn to repeat uniform noise. The classes are those of the labels unless given. Angluin and Laird (1988).

    >>> Uniform(0.1).words
    'uniform noise: each label wrong with probability 0.1, every wrong class equally likely'
    """

    kind: ClassVar[str] = "uniform noise"
    rate: float
    classes: tuple[ClassName, ...] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_rate(self.rate)
        if self.classes is not None:
            object.__setattr__(self, "classes", check_levels("label", [native(name) for name in self.classes]))

    @property
    def words(self) -> str:
        return f"{self.kind}: each label wrong with probability {self.rate:g}, every wrong class equally likely"

    def at(self, rate: float, shares: Array) -> "Uniform":
        """Return the same model with another rate."""
        return Uniform(rate, classes=self.classes)

    def expected_rate(self, shares: Array) -> float:
        return self.rate

    def draw(self, true: Array, size: int, generator: np.random.Generator) -> Array:
        """Draw a label for each true class, `size` the number of classes."""
        flips, which = generator.random(len(true)), generator.random(len(true))
        if self.rate and size < 2:
            raise ClassError("Label noise needs at least two classes. List all classes.")
        wrong = (true + 1 + (which * (size - 1)).astype(true.dtype)) % size
        return np.where(flips < self.rate, wrong, true)


@dataclass(frozen=True, eq=False, init=False)
class ByClass:
    """Each class has its own chances of being labelled as another.

        matrix[i, j] = P(label = j | true = i),   rows sum to one

    Do not use it where instances of one class differ in difficulty: which ones are mislabelled then depends on their
    features (see `Ranking`). Frénay and Verleysen (2014) set out the kinds of noise.

    >>> ByClass([[0.75, 0.25], [0.5, 0.5]], ("deer", "horse")).expected_rate(np.array([0.5, 0.5]))
    0.375
    """

    kind: ClassVar[str] = "noise by class"
    matrix: Array
    classes: tuple[ClassName, ...]

    def __init__(self, matrix: ArrayLike, classes: Sequence[ClassName]) -> None:
        names = check_levels("label", [native(name) for name in classes])
        table = np.array(matrix, dtype=float)
        if table.shape != (len(names), len(names)):
            raise OptionError(f"{len(names)} classes need a {len(names)} × {len(names)} matrix; got {table.shape}.")
        if not np.all(table >= 0):
            raise OptionError(f"Probabilities cannot be negative or missing; got {np.nanmin(table)!r} in the matrix.")
        for name, total in zip(names, table.sum(axis=1).tolist(), strict=True):
            if abs(total - 1) > ROUNDING:
                raise OptionError(f"Row {name!r} of the matrix must sum to 1 (rows are true classes); got {total!r}.")
        table.setflags(write=False)
        object.__setattr__(self, "matrix", table)
        object.__setattr__(self, "classes", names)

    @classmethod
    def from_counts(cls, counts: ArrayLike, classes: Sequence[ClassName]) -> "ByClass":
        """Compute shares from counts of true classes (rows) and labels; a class without rows is assumed labelled right.

        >>> ByClass.from_counts([[8, 2], [0, 0]], ("a", "b")).matrix.tolist()
        [[0.8, 0.2], [0.0, 1.0]]
        """
        table = np.asarray(counts, dtype=float)
        total = table.sum(axis=1, keepdims=True)
        return cls(np.divide(table, total, out=np.eye(len(table)), where=total > 0), classes)

    @property
    def words(self) -> str:
        return f"{self.kind}: a {len(self.classes)} × {len(self.classes)} matrix of P(label | true)"

    def at(self, rate: float, shares: Array) -> "ByClass":
        """Scale all confusions alike, so that classes with these shares have this rate of wrong labels."""
        now, factor = self.expected_rate(shares), 0.0
        if check_rate(rate):
            if not now:
                raise OptionError(
                    "This matrix has no wrong labels, so it cannot be scaled to a rate above 0. Give a matrix "
                    "with some."
                )
            factor = rate / now
        table = self.matrix * factor
        np.fill_diagonal(table, 0.0)
        right = 1 - table.sum(axis=1)
        if np.any(right < -ROUNDING):
            worst = self.classes[int(right.argmin())]
            raise OptionError(
                f"At rate {rate!r}, more than 100 % of the labels of class {worst!r} would be wrong. Give a lower rate."
            )
        return ByClass(table + np.diag(np.maximum(right, 0.0)), self.classes)

    def expected_rate(self, shares: Array) -> float:
        """Return Σ_k share_k·(1 - matrix[k, k])."""
        return float(shares @ (1 - np.diag(self.matrix)))

    def draw(self, true: Array, size: int, generator: np.random.Generator) -> Array:
        """Draw whether a label is wrong, then which wrong class: a scaled matrix then errs on the same instances."""
        flips, which = generator.random(len(true)), generator.random(len(true))
        label = true.copy()
        for code in range(size):
            chances = self.matrix[code].copy()
            chances[code] = 0.0
            up_to = np.cumsum(chances)
            if up_to[-1] > 0:
                rows = np.flatnonzero((true == code) & (flips < up_to[-1]))
                label[rows] = np.searchsorted(up_to / up_to[-1], which[rows], side="right")
        return label


def symmetric(rate: float, classes: Sequence[ClassName]) -> ByClass:
    """Write uniform noise as a matrix: η/(K-1) off the diagonal.

    Do not use it for many thousands of classes, whose matrix is large: `Uniform` needs none. Angluin and Laird (1988).

    >>> symmetric(0.2, "abc").matrix.tolist()
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    """
    size = len(classes)
    if size < 2:
        raise ClassError(f"Label noise needs at least two classes; got {list(classes)!r}.")
    table = np.full((size, size), check_rate(rate) / (size - 1))
    np.fill_diagonal(table, 1 - rate)
    return ByClass(table, classes)


def noise_by_class(name: str, rate: float, classes: Sequence[ClassName]) -> Uniform | ByClass:
    """Return the noise of a name that depends on nothing but the class: uniform, symmetric or pair-flip.

    >>> noise_by_class("pair-flip", 0.1, ("cat", "dog")).matrix.tolist()
    [[0.9, 0.1], [0.1, 0.9]]
    >>> noise_by_class("loud", 0.1, ("cat", "dog"))
    Traceback (most recent call last):
    justesse.core.errors.OptionError: Noise by class is uniform, symmetric or pair-flip; got 'loud'.
    """
    if name == "uniform":
        return Uniform(rate, classes=tuple(classes))
    makers = {"symmetric": symmetric, "pair-flip": pair_flip}
    if name not in makers:
        raise OptionError(f"Noise by class is uniform, symmetric or pair-flip; got {name!r}.")
    return makers[name](rate, classes)


def pair_flip(
    rate: float, classes: Sequence[ClassName], *, pairs: Mapping[ClassName, ClassName] | None = None
) -> ByClass:
    """Label each class as one other: the next in the list, or the one `pairs` names (others stay right).

        P(label = partner(i) | true = i) = η

    Do not use it where errors spread over several classes. Han et al. (2018).

    >>> pair_flip(0.1, ("cat", "dog", "car"), pairs={"cat": "dog"}).matrix.tolist()
    [[0.9, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    names = list(classes)
    partners = dict(zip(names, names[1:] + names[:1], strict=True)) if pairs is None else pairs
    table = np.eye(len(names))
    for own, other in partners.items():
        if own not in names or other not in names or own == other:
            raise ClassError(f"A pair must name two different classes of {names!r}; got {own!r} and {other!r}.")
        at = names.index(own)
        table[at, at], table[at, names.index(other)] = 1 - check_rate(rate), rate
    return ByClass(table, names)
