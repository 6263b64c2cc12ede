"""Verdicts of one judge, gathered by unit and by model."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import Unparseable
from justesse.frames.verdict_table import Verdicts

OUTCOMES = (1.0, 0.5, 0.0)


@dataclass(frozen=True, eq=False)
class JudgeUnits:
    """One judge's verdicts on units, one entry for each unit that it judged.

    Parameters
    ----------
    verdicts
        All verdicts and ratings.
    units
        Codes of the units.
    value
        Mean verdict of each.
    shares
        Share of verdicts for 1, 0.5 and 0.
    equal
        Share of verdicts that equal people's rating; NaN where there is none.
    by_order
        Mean verdict with the outputs as they are and swapped; NaN where there is none.
    cells
        Number of verdicts by what the judge says (1, 0.5, 0, cannot be read) and what people say (1, 0.5, 0).
    verdict_count, unparseable, repeated
        Number of verdicts, of those that cannot be read, and of those that repeat unit and order.
    """

    verdicts: Verdicts
    units: Array
    value: FloatArray
    shares: FloatArray
    equal: FloatArray
    by_order: FloatArray
    cells: Array
    verdict_count: int
    unparseable: int
    repeated: int

    @classmethod
    def of(cls, verdicts: Verdicts, judge: int, unparseable: Unparseable) -> "JudgeUnits":
        """Gather the verdicts of a judge; those that cannot be read count as half a point, or are left out."""
        own = verdicts.judge == judge
        unit, raw, order = verdicts.unit[own], verdicts.value[own], verdicts.swapped[own]
        unread = np.isnan(raw)
        verdict_code = np.where(unread, 3, np.searchsorted([-1.0, -0.5, 0.0], -np.nan_to_num(raw)))
        people = np.searchsorted([-1.0, -0.5, 0.0], -np.nan_to_num(verdicts.rating))[unit]
        rated = verdicts.rated[unit]
        cells = np.zeros((4, 3), dtype=np.int64)
        np.add.at(cells, (verdict_code[rated], people[rated]), 1)
        kept = np.ones(len(unit), dtype=bool) if unparseable == "half" else ~unread
        value = np.where(unread, 0.5, raw)[kept]
        units, at = np.unique(unit[kept], return_inverse=True)
        size = np.bincount(at, minlength=len(units)).astype(float)

        def mean(numbers: Array, chosen: Array | None = None) -> FloatArray:
            if chosen is None:
                return np.asarray(np.bincount(at, numbers, minlength=len(units)) / size)
            n = np.bincount(at[chosen], minlength=len(units))
            sums = np.bincount(at[chosen], numbers[chosen], minlength=len(units))
            return np.asarray(np.where(n > 0, sums / np.maximum(n, 1), np.nan))

        read = ~unread[kept]
        shares = np.stack([mean(read & (value == outcome)) for outcome in OUTCOMES], axis=1)
        half = mean(~read) / 2  # neither a win nor a tie: half of each
        shares[:, 0] += half
        shares[:, 2] += half
        equal = np.where(verdicts.rated[units], mean(read & (value == verdicts.rating[unit[kept]])), np.nan)
        orders = np.stack([mean(value, read & (order[kept] == which)) for which in (0, 1)], axis=1)
        return cls(
            verdicts, units, mean(value), shares, equal, orders, cells, len(unit), int(unread.sum()),
            len(unit) - np.unique(np.stack([unit, order]), axis=1).shape[1],
        )  # fmt: skip

    @property
    def rating(self) -> FloatArray:
        return np.asarray(self.verdicts.rating[self.units])

    @property
    def rated(self) -> Array:
        return ~np.isnan(self.rating)

    @property
    def item(self) -> Array:
        return np.asarray(self.verdicts.item[self.units])

    @property
    def stratum(self) -> Array:
        return np.asarray(self.verdicts.stratum[self.units])

    @property
    def first(self) -> Array:
        return np.asarray(self.verdicts.first[self.units])

    @property
    def second(self) -> Array:
        return np.asarray(self.verdicts.second[self.units])

    @property
    def longer(self) -> FloatArray:
        return np.asarray(self.verdicts.longer[self.units])

    @property
    def agreement(self) -> FloatArray:
        """How far the mean verdict agrees with people: 1 if it is theirs, 0 if it is the opposite."""
        return np.asarray(1 - np.abs(self.value - self.rating))

    def sides(self) -> "ModelSides":
        """Lay out every unit as seen by each model in it."""
        n = len(self.units)
        if not (self.verdicts.pairs and self.verdicts.models):
            return ModelSides(self.first, self.item, self.stratum, self.value, self.rating)
        return ModelSides(
            np.concatenate([self.first, self.second]),
            np.concatenate([self.item, self.item]),
            np.concatenate([self.stratum, self.stratum]),
            np.concatenate([self.value, 1 - self.value]),
            np.concatenate([self.rating, 1 - self.rating]) if n else self.rating,
        )


@dataclass(frozen=True, eq=False)
class ModelSides:
    """Units as seen by one of their models: its verdict and its rating, 1 if the model wins or is right."""

    model: Array
    item: Array
    stratum: Array
    value: FloatArray
    rating: FloatArray

    @property
    def rated(self) -> Array:
        return ~np.isnan(self.rating)

    def chosen(self, which: Array) -> "ModelSides":
        """Keep some of them."""
        return ModelSides(*(getattr(self, name)[which] for name in ("model", "item", "stratum", "value", "rating")))

    def by_item(self) -> "ItemMeans":
        """Average what one model has on each item."""
        items, at = np.unique(self.item, return_inverse=True)
        size, rated = len(items), self.rated
        n, known = np.bincount(at, minlength=size), np.bincount(at[rated], minlength=size)

        def mean(numbers: FloatArray, chosen: Array, many: Array) -> FloatArray:
            sums = np.bincount(at[chosen], numbers[chosen], minlength=size)
            return np.asarray(np.where(many > 0, sums / np.maximum(many, 1), np.nan))

        stratum = np.full(size, -1)
        stratum[at[::-1]] = self.stratum[::-1]
        everything = np.ones(len(at), dtype=bool)
        return ItemMeans(
            items, stratum, mean(self.value, everything, n), mean(self.rating, rated, known),
            mean(self.value, rated, known), known / n,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ItemMeans:
    """What one model has on each item: mean verdict, mean rating (NaN: none), mean verdict where there are ratings.

    `part` is the share of its units on the item that people rated.
    """

    item: Array
    stratum: Array
    value: FloatArray
    rating: FloatArray
    guess: FloatArray
    part: FloatArray

    @property
    def rated(self) -> Array:
        return ~np.isnan(self.rating)

    def known(self, rated: Array) -> float:
        """Return how many of these rated items are known exactly: none if people rated only a part of some of them.

        The parts of an item may differ as much as items do, or more: then a mean of parts is no better known where more
        items are rated.
        """
        return float(rated.sum()) if bool((self.part[rated] == 1).all()) else 0.0

    def weights(self, rated: Array) -> FloatArray | None:
        """Return how much each of these rated items counts, 1 on average; `None` if all count alike.

        Units are rated at random, so an item with many units is rated more often than one with few, but only a part of
        it. Weights by this part keep the mean that of all items (Hájek).
        """
        part = self.part[rated]
        if not len(part) or np.ptp(part) < 1e-12:
            return None
        return np.asarray(part * (len(part) / part.sum()))


def equal_rows(weights: FloatArray) -> float:
    """Return how many rows of equal weight tell as much as these (Kish).

    >>> equal_rows(np.array([1.0, 1.0, 2.0, 0.0])).__round__(3)
    2.667
    """
    return float(weights.sum() ** 2 / (weights @ weights))
