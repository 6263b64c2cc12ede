"""The table of counts that every statistic is a function of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core import tally_format
from justesse.core.arrays import Array, FloatArray
from justesse.core.codes import cells_in_order, recoded
from justesse.core.errors import ClassError, OptionError
from justesse.core.levels import CLASS_AXES, check_levels, identity, merged, native, ordered
from justesse.core.resampling import resampled
from justesse.core.results import ClassName
from justesse.core.tally_selection import selected
from justesse.core.tally_sum import added


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """Rows counted by named axes, observed cells only.

    `codes[c, a]` is the position in `levels[a]` of cell c's name on axis a; `counts[..., c]` is how many rows
    fell there, with a batch axis in front when the tally is a set of resamples. Axes that hold classes (label,
    prediction, true, incumbent, candidate) share one list of names. With row weights, `weights` and `squares`
    hold the sum of w and of w² per cell. `others` names answers that are no class here: each is a wrong answer with a
    column of its own, but averages over classes leave it out; `None` among them is a missing answer.

    >>> cells = [("+", "+", 190), ("+", "-", 10), ("-", "+", 210), ("-", "-", 3590)]
    >>> screening = Tally.of(("label", "prediction"), cells)
    >>> screening
    Tally(label × prediction, n = 4000, 2 classes: '+'→'+' 190, '+'→'-' 10, '-'→'+' 210, '-'→'-' 3590)
    >>> print(screening)
    label \\ prediction    +     -
    +                   190    10
    -                   210  3590
    >>> screening.normalise(by="label").round(4).tolist()
    [[0.95, 0.05], [0.0553, 0.9447]]
    """

    axes: tuple[str, ...]
    levels: tuple[tuple[ClassName, ...], ...]
    codes: NDArray[np.int32]
    counts: Array
    weights: FloatArray | None = None
    squares: FloatArray | None = None
    others: tuple[ClassName, ...] = ()

    @classmethod
    def of(
        cls, axes: Sequence[str], cells: Iterable[Sequence[Any]], *, classes: Sequence[ClassName] | None = None
    ) -> "Tally":
        """Build a tally from `(name, …, name, n)` cells; cells that repeat add up.

        >>> Tally.of(["label"], [("a", 2), ("a", 1)])
        Tally(label, n = 3, 1 class: 'a' 3)
        """
        rows = [tuple(cell) for cell in cells]
        for row in rows:
            if row[-1] != int(row[-1]):
                raise OptionError(f"The last value of a cell is its count, a whole number; got {row[-1]!r} in {row!r}.")
        coded = []
        for a in range(len(axes)):
            names: dict[Any, int] = {}
            codes = [names.setdefault(identity(native(row[a])), len(names)) for row in rows]
            coded.append((np.array(codes, dtype=np.int32), [name for _, name in names]))
        return cls.from_codes(axes, coded, np.array([row[-1] for row in rows], dtype=np.int64), classes=classes)

    @classmethod
    def from_dense(
        cls, table: ArrayLike, classes: Sequence[ClassName] | None = None, axes: Sequence[str] = ("label", "prediction")
    ) -> "Tally":
        """Build a tally from a square table, rows first axis, columns second.

        >>> Tally.from_dense([[5, 1], [0, 4]], classes=["a", "b"]).n
        10
        """
        dense = np.asarray(table)
        if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
            raise OptionError(f"A dense table must be square; got shape {dense.shape}.")
        if not np.issubdtype(dense.dtype, np.integer):
            raise OptionError(f"A dense table must hold whole numbers; got {dense.dtype}.")
        names = tuple(range(len(dense))) if classes is None else tuple(native(name) for name in classes)
        if len(names) != len(dense):
            raise OptionError(f"A table with {len(dense)} rows needs {len(dense)} class names; got {len(names)}.")
        codes = np.argwhere(dense != 0).astype(np.int32)
        return cls.canonical(tuple(axes), (check_levels(axes[0], names),) * 2, codes, dense[dense != 0])

    @classmethod
    def from_codes(
        cls,
        axes: Sequence[str],
        coded: Sequence[tuple[Array, Sequence[ClassName]]],
        counts: Array,
        *,
        weights: FloatArray | None = None,
        squares: FloatArray | None = None,
        classes: Sequence[ClassName] | None = None,
        others: Sequence[ClassName] = (),
    ) -> "Tally":
        """Build a tally from `(codes, names)` per axis: names in any order, axes of classes aligned here.

        Parameters
        ----------
        axes
            Names of the axes.
        coded
            For each axis, the code of each cell and the names that the codes stand for.
        counts
            Number of rows of each cell.
        weights, squares
            Sums of weights and of squared weights of each cell.
        classes
            List of classes. Default: all names on axes of classes, sorted.
        others
            Answers outside the classes that are allowed.
        """
        class_names: tuple[ClassName, ...] = () if classes is None else tuple(native(name) for name in classes)
        class_names = (*class_names, *(native(name) for name in others)) if classes is not None else class_names
        for axis, (_, names) in zip(axes, coded, strict=True):
            if axis in CLASS_AXES:
                check_levels(axis, names)
                if classes is None:
                    class_names = merged(class_names, ordered(names))
                elif strangers := {identity(n) for n in names} - {identity(n) for n in class_names}:
                    raise ClassError(
                        f"{axis!r} holds {sorted(repr(name) for _, name in strangers)[0]}, which is not among "
                        f"the classes given: {list(class_names)!r}."
                    )
        levels = tuple(
            check_levels(axis, class_names if axis in CLASS_AXES else ordered(names))
            for axis, (_, names) in zip(axes, coded, strict=True)
        )
        codes = np.empty((len(counts), len(axes)), dtype=np.int32)
        for a, ((own, names), target) in enumerate(zip(coded, levels, strict=True)):
            codes[:, a] = recoded(names, target)[own] if len(names) else own
        return cls.canonical(tuple(axes), levels, codes, counts, weights, squares, tuple(others))

    @classmethod
    def canonical(
        cls,
        axes: tuple[str, ...],
        levels: tuple[tuple[ClassName, ...], ...],
        codes: NDArray[np.int32],
        counts: Array,
        weights: FloatArray | None = None,
        squares: FloatArray | None = None,
        others: tuple[ClassName, ...] = (),
    ) -> "Tally":
        """Sort the cells, add up those that repeat, drop the empty ones.

        Parameters
        ----------
        axes
            Names of the axes.
        levels
            Names on each axis.
        codes
            Places on the axes, one row per cell.
        counts
            Number of rows of each cell.
        weights, squares
            Sums of weights and of squared weights of each cell.
        others
            Answers that are not among the classes.
        """
        if len(set(axes)) < len(axes):
            raise OptionError(f"Axis names must differ; got {axes!r}.")
        if np.any(counts < 0):
            raise OptionError(f"Counts cannot be negative; got {int(np.min(counts))}.")
        if counts.dtype.kind in "ui":
            counts = counts.astype(np.int64)
        order, starts = cells_in_order(codes, [max(len(names), 1) for names in levels])

        def gathered(values: Array | None) -> Array | None:
            if values is None or not len(starts):
                return None if values is None else values[..., :0]
            return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1))

        total = gathered(counts)
        assert total is not None
        kept = np.ones(len(starts), dtype=bool) if total.ndim > 1 else total != 0
        sums, powers = gathered(weights), gathered(squares)
        return cls(
            axes,
            levels,
            codes[order][starts][kept],
            total[..., kept],
            None if sums is None else sums[..., kept],
            None if powers is None else powers[..., kept],
            others,
        )

    @property
    def n(self) -> int:
        """The number of rows counted."""
        total = (self.counts if self.counts.ndim == 1 else self.counts[0]).sum()
        return total.item()  # type: ignore[no-any-return]  # a float when counts are moved by a fraction

    @property
    def weighted(self) -> bool:
        return self.weights is not None

    @property
    def values(self) -> Array:
        """What measures add up: the weights where there are any, the counts otherwise."""
        return self.counts if self.weights is None else self.weights

    @property
    def effective_n(self) -> float:
        """Kish's n = (Σw)² / Σw²: so many equal rows tell as much, if weights are unrelated to what is measured."""
        if self.weights is None or self.squares is None:
            return float(self.n)
        return float(self.weights.sum() ** 2 / self.squares.sum()) if self.squares.sum() > 0 else 0.0

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The names the axes of classes share."""
        for axis, names in zip(self.axes, self.levels, strict=True):
            if axis in CLASS_AXES:
                return names
        raise OptionError(f"None of the axes {self.axes!r} holds classes.")

    @property
    def named_classes(self) -> tuple[ClassName, ...]:
        """The classes without the others."""
        return tuple(name for name, judged in zip(self.classes, self.judged, strict=True) if judged)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Mark the classes that averages are over: all but the others."""
        if not self.others:
            return np.ones(len(self.classes), dtype=bool)
        others = {identity(name) for name in self.others}
        return np.array([identity(name) not in others for name in self.classes], dtype=bool)

    def axis(self, name: str) -> int:
        """Give the position of an axis."""
        if name not in self.axes:
            raise OptionError(f"The tally has no axis {name!r}. Axes: {', '.join(self.axes)}.")
        return self.axes.index(name)

    def sums(self, axis: str, values: Array | None = None) -> Array:
        """Add up the cells by the names of one axis, batch axes kept in front.

        >>> Tally.from_dense([[5, 1], [0, 4]]).sums("prediction").tolist()
        [5, 5]
        """
        a = self.axis(axis)
        values = self.values if values is None else values
        codes = self.codes[:, a]
        total = np.zeros((*values.shape[:-1], len(self.levels[a])), dtype=values.dtype)
        if values.ndim == 1:
            np.add.at(total, codes, values)
        elif len(codes):
            order = slice(None) if a == 0 else np.argsort(codes, kind="stable")
            starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
            total[..., codes[order][starts]] = np.add.reduceat(values[..., order], starts, axis=-1)
        return total

    def dense(self, *axes: str) -> Array:
        """Lay one or two axes out as an array, empty cells as 0.

        >>> Tally.from_dense([[5, 1], [0, 4]]).dense("label", "prediction").tolist()
        [[5, 1], [0, 4]]
        """
        axes = axes or self.axes
        if not 1 <= len(axes) <= 2:
            raise OptionError(
                f"A dense table has one or two axes; got {axes!r}. Sum over the others first with marginal(…)."
            )
        if len(axes) == 1:
            return self.sums(axes[0])
        table = self.marginal(*axes)
        shape = [len(names) for names in table.levels]
        dense = np.zeros((*table.values.shape[:-1], *shape), dtype=table.values.dtype)
        dense[..., table.codes[:, 0], table.codes[:, 1]] = table.values
        return dense

    def normalise(self, by: Literal["label", "prediction", "all"]) -> FloatArray:
        """Turn the label × prediction table into shares: of each label, of each prediction, or of all rows.

        A class that never occurs on that side has NaN: its shares are undefined, not 0.
        """
        table = self.dense("label", "prediction").astype(float)
        if by == "label":
            total = table.sum(axis=-1, keepdims=True)
        elif by == "prediction":
            total = table.sum(axis=-2, keepdims=True)
        elif by == "all":
            total = table.sum(axis=(-2, -1), keepdims=True)
        else:
            raise OptionError(f"by must be 'label', 'prediction' or 'all'; got {by!r}.")
        return np.asarray(np.divide(table, total, out=np.full_like(table, np.nan), where=total != 0))

    def marginal(self, *axes: str) -> "Tally":
        """Keep these axes, in this order, and add up over the others.

        >>> Tally.from_dense([[5, 1], [0, 4]], ["a", "b"]).marginal("label")
        Tally(label, n = 10, 2 classes: 'a' 6, 'b' 4)
        """
        if axes == self.axes:
            return self
        kept = [self.axis(name) for name in axes]
        return Tally.canonical(
            axes,
            tuple(self.levels[a] for a in kept),
            self.codes[:, kept],
            self.counts,
            self.weights,
            self.squares,
            self.others,
        )

    select = selected

    def renamed(self, **axes: str) -> "Tally":
        """Call axes otherwise: `renamed(true="label")` evaluates against the truth."""
        return replace(self, axes=tuple(axes.get(axis, axis) for axis in self.axes))

    resample = resampled

    __add__ = added

    def with_first(self, name: ClassName) -> "Tally":
        """Put one class before the others, on every axis of classes.

        >>> Tally.of(("label", "prediction"), [("a", "b", 2), ("b", "b", 1)]).with_first("b").classes
        ('b', 'a')
        """
        first = identity(name)
        return self.aligned(
            tuple(
                tuple(sorted(level, key=lambda level_name: identity(level_name) != first))
                if axis in CLASS_AXES
                else level
                for axis, level in zip(self.axes, self.levels, strict=True)
            )
        )

    def aligned(self, levels: tuple[tuple[ClassName, ...], ...]) -> "Tally":
        """Code the same cells by these names."""
        if levels == self.levels:
            return self
        codes = self.codes.copy()
        for a, (own, target) in enumerate(zip(self.levels, levels, strict=True)):
            codes[:, a] = recoded(own, target)[self.codes[:, a]]
        return Tally.canonical(self.axes, levels, codes, self.counts, self.weights, self.squares, self.others)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally) or self.axes != other.axes or self.weighted != other.weighted:
            return False
        for own, theirs in zip(self.levels, other.levels, strict=True):
            if {identity(name) for name in own} != {identity(name) for name in theirs}:
                return False
        same = other.aligned(self.levels)
        if not (np.array_equal(self.codes, same.codes) and np.array_equal(self.counts, same.counts)):
            return False
        if self.weights is None or same.weights is None or self.squares is None or same.squares is None:
            return True
        return np.allclose(self.weights, same.weights, rtol=1e-12) and np.allclose(
            self.squares, same.squares, rtol=1e-12
        )

    __hash__ = None  # type: ignore[assignment]

    # Writing it down and reading it back

    cells = tally_format.cells
    to_dict = tally_format.to_dict
    to_json = tally_format.to_json
    __repr__ = tally_format.one_line
    __str__ = tally_format.laid_out

    from_dict = classmethod(tally_format.from_dict)
    from_json = classmethod(tally_format.from_json)
