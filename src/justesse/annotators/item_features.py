"""What the features of an item say about its class: counts of words, or numbers, each class with its own."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError

FeatureKind = Literal["counts", "numbers"]
FLOOR = 1e-3  # smallest spread of a number, as a share of its spread over all items


class ItemLikelihood(Protocol):
    """What is known of each item besides the answers, and how likely it is given the item's class."""

    @property
    def n_items(self) -> int: ...

    def drawn_logs(self, label: Array, n_classes: int, rng: np.random.Generator) -> FloatArray:
        """Draw the parameters of each class given the items' classes; return the log likelihoods, item × class."""


@dataclass(frozen=True, eq=False)
class ItemFeatures:
    """Features of the items, rows in the order of items: `counts` are multinomial, `numbers` normal given the class.

    >>> ItemFeatures(np.array([[1.0, 0.0], [0.0, 2.0]]), "counts").values.shape
    (2, 2)
    """

    values: FloatArray
    kind: FeatureKind

    def __post_init__(self) -> None:
        if not np.isfinite(self.values).all():
            row = int(np.flatnonzero(~np.isfinite(self.values).all(axis=1))[0])
            raise InputError(f"Features must be finite numbers. Correct item {row + 1}, or leave the feature out.")
        if self.kind == "counts" and (self.values < 0).any():
            raise InputError("Counts must be 0 or more. Use numbers for features that may be negative.")

    @property
    def n_items(self) -> int:
        return len(self.values)

    def drawn_logs(self, label: Array, n_classes: int, rng: np.random.Generator) -> FloatArray:
        """Draw the parameters of each class given the items' classes; return the log likelihoods, item × class."""
        onehot = np.zeros((len(label), n_classes))
        onehot[np.arange(len(label)), label] = 1
        if self.kind == "counts":
            # one imagined occurrence in all of each class keeps unseen words possible
            chances = rng.standard_gamma(onehot.T @ self.values + 1.0)
            return np.asarray(self.values @ np.log(chances / chances.sum(axis=1, keepdims=True) + 1e-300).T)
        centre, spread = self.values.mean(axis=0), self.values.std(axis=0) + 1e-12
        scaled = (self.values - centre) / spread
        n = onehot.sum(axis=0)[:, None]
        sums, squares = onehot.T @ scaled, onehot.T @ scaled**2
        # normal-inverse-gamma prior worth one item at the overall mean and spread
        kappa, shape = 1 + n, 1 + n / 2
        mean = sums / kappa
        rate = 1 + 0.5 * (squares - kappa * mean**2)
        variance = np.maximum(rate / rng.standard_gamma(np.broadcast_to(shape, rate.shape)), FLOOR**2)
        drawn = mean + np.sqrt(variance / kappa) * rng.standard_normal(mean.shape)
        quadratic = scaled**2 @ (1 / variance).T - 2 * scaled @ (drawn / variance).T + (drawn**2 / variance).sum(axis=1)
        return np.asarray(-0.5 * (quadratic + np.log(variance).sum(axis=1)))


@dataclass(frozen=True, eq=False)
class JointFeatures:
    """Features of several kinds, independent of each other given the class: their log likelihoods add up.

    >>> numbers, counts = ItemFeatures(np.ones((3, 1)), "numbers"), ItemFeatures(np.ones((3, 2)), "counts")
    >>> JointFeatures((numbers, counts)).n_items
    3
    """

    parts: tuple[ItemLikelihood, ...]

    @property
    def n_items(self) -> int:
        return self.parts[0].n_items

    def drawn_logs(self, label: Array, n_classes: int, rng: np.random.Generator) -> FloatArray:
        """Draw the parameters of each kind in turn; return the log likelihoods, item × class."""
        return np.asarray(sum(part.drawn_logs(label, n_classes, rng) for part in self.parts))
