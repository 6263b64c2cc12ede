"""The sums over rows that every measure of numeric predictions is a function of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.resampling import CHUNK


@dataclass(frozen=True)
class Sums:
    """Weighted sums over rows, in buckets: labels y and predictions f, each measured from its own mean.

    Sums add up like tallies, and a bootstrap draws buckets: with as many buckets as rows it is the ordinary bootstrap
    of rows, with a thousand random buckets of many rows each it is as good and its cost does not depend on n.

    >>> sums = Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0])
    >>> float(sums.total.squared), float(sums.total.absolute)
    (2.0, 2.0)
    """

    weight: Array
    squared: Array
    absolute: Array
    log_squared: Array
    y: Array
    f: Array
    yy: Array
    ff: Array
    yf: Array

    @classmethod
    def of(
        cls,
        labels: ArrayLike,
        predictions: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        buckets: int = 1000,
        seed: int = 0,
    ) -> "Sums":
        """Add rows up, one bucket per row if there are few, else in random buckets of rows in this order."""
        y, f = np.asarray(labels, dtype=float), np.asarray(predictions, dtype=float)
        w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        which = np.arange(len(y))
        if len(y) > buckets:
            which = np.random.default_rng([seed, len(y)]).permutation(len(y)) % buckets
        # measured from their middles, squares of large numbers do not drown the differences
        middle_y, middle_f = (float(np.average(x, weights=w)) if w.sum() > 0 else 0.0 for x in (y, f))
        logs = (
            np.log1p(y) - np.log1p(f) if min(y.min(initial=0.0), f.min(initial=0.0)) > -1 else np.full(len(y), np.nan)
        )
        off = y - f
        y, f = y - middle_y, f - middle_f
        parts = (np.ones(len(y)), off**2, np.abs(off), logs**2, y, f, y * y, f * f, y * f)
        return cls(*(np.bincount(which, w * part) for part in parts))

    @classmethod
    def in_value_order_of(
        cls, labels: ArrayLike, predictions: ArrayLike, weights: ArrayLike | None = None, *, seed: int = 0
    ) -> "Sums":
        """Add rows up in the order of their values, so that the buckets do not depend on the order of the rows.

        >>> y, f = np.arange(5000.0), np.arange(5000.0)[::-1] ** 2
        >>> shuffled = np.random.default_rng(0).permutation(5000)
        >>> first, again = Sums.in_value_order_of(y, f), Sums.in_value_order_of(y[shuffled], f[shuffled])
        >>> bool((first.squared == again.squared).all())
        True
        """
        y, f = np.asarray(labels, dtype=float), np.asarray(predictions, dtype=float)
        w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
        order = np.lexsort((w, f, y))
        return cls.of(y[order], f[order], w[order], seed=seed)

    @property
    def total(self) -> "Sums":
        """All buckets together."""
        return Sums(*(np.asarray(part.sum(axis=-1)) for part in vars(self).values()))

    @property
    def in_value_order(self) -> "Sums":
        """The same buckets in an order that does not depend on the order of the rows, so that resampling does not."""
        order = np.lexsort((self.yf, self.log_squared, self.absolute))
        return Sums(*(part[order] for part in vars(self).values()))

    def drawn(self, times: Array) -> "Sums":
        """Draw each bucket so many times; draws × buckets gives one total per draw."""
        return Sums(*(times @ np.nan_to_num(part) for part in vars(self).values()))


def bucket_draws(buckets: int, draws: int, generator: np.random.Generator) -> Iterator[Array]:
    """Draw how many times each bucket is in each resample, some resamples at a time."""
    size = max(1, CHUNK // max(buckets, 1))
    for start in range(0, draws, size):
        yield generator.multinomial(buckets, np.full(buckets, 1 / buckets), min(size, draws - start)).astype(float)


def resampled_sums(sums: Sequence[Sums], draws: int, generator: np.random.Generator) -> list[Sums]:
    """Draw buckets with replacement, the same for all sums, and return the totals by draw.

    The memory needed does not grow with buckets × draws.

    >>> sums = Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0])
    >>> resampled_sums([sums], 5, np.random.default_rng(0))[0].weight
    array([3., 3., 3., 3., 3.])
    """
    parts: list[list[Sums]] = [[] for _ in sums]
    for times in bucket_draws(len(sums[0].weight), draws, generator):
        for kept, each in zip(parts, sums, strict=True):
            kept.append(each.drawn(times))
    names = [field.name for field in fields(Sums)]
    return [Sums(*(np.concatenate([getattr(part, name) for part in kept]) for name in names)) for kept in parts]
