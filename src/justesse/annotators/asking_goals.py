"""What questions are asked for: each goal puts a value on what is known about an item."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray

Value = Callable[[FloatArray, Array], FloatArray]


@dataclass(frozen=True, eq=False)
class Goal:
    """A wanted quantity: `value` gives what the class probabilities of items (item × … × class) are worth.

    Every value is a convex function of the probabilities p. An answer a turns p into p(·|a), and the mean
    of p(·|a) over the answers is p, so that by Jensen's inequality the expected gain

        Σ_a P(a)·value(p(·|a)) - value(p)

    is never negative, and is 0 for an annotator whose answers do not depend on the class.

    Parameters
    ----------
    name
        What `--goal` calls it.
    value
        Function of class probabilities, the class on the last axis and the item on the first, and the items' codes.
    certain
        The value of an item whose class is known, whatever the class.
    restless
        Whether information is worth something where no single answer changes the value: two may change what one cannot.
    """

    name: str
    value: Value
    certain: float = 0.0
    restless: bool = False

    def perfect(self, shares: FloatArray, items: Array) -> FloatArray:
        """Give the gain if the class of each item became known: no answer is worth more.

        >>> accuracy().perfect(np.array([[0.6, 0.4], [1.0, 0.0]]), np.arange(2)).round(2).tolist()
        [0.4, 0.0]
        """
        return np.maximum(self.certain - self.value(shares, items), 0.0)


def accuracy() -> Goal:
    """Value the chance that the most probable class is right: max_k p_k."""
    return Goal("accuracy", lambda shares, _: np.asarray(shares.max(axis=-1)), certain=1.0, restless=True)


def information() -> Goal:
    """Value what is known about the classes, in nats: Σ_k p_k·log p_k, minus the entropy.

    The gain is the mutual information of an answer and the class. Lam & Stork, Toward optimal labeling strategy under
    multiple unreliable labelers, AAAI Spring Symposium 2005: annotators are assigned so that the learning system gets
    most information.
    """
    return Goal("information", lambda shares, _: _negentropy(shares))


def comparison(incumbent: Array, candidate: Array) -> Goal:
    """Value certainty about the difference of two classifiers' numbers of right predictions.

    The difference is the sum over items of d = 1[class = candidate's] - 1[class = incumbent's]. The value of an item is
    minus the variance of d; it is 0 where both predict the same. A prediction of -1 (missing) counts as wrong.

    Parameters
    ----------
    incumbent
        Code of the incumbent's prediction for each item.
    candidate
        Code of the candidate's.
    """

    def value(shares: FloatArray, items: Array) -> FloatArray:
        old, new = (_probability(shares, codes[items]) for codes in (incumbent, candidate))
        apart = (incumbent != candidate)[items].reshape(-1, *[1] * (shares.ndim - 2))
        return np.where(apart, (new - old) ** 2 - (new + old), 0.0)

    return Goal("comparison", value)


def noise(label: Array) -> Goal:
    """Value certainty about how many recorded labels are wrong.

    With q the chance that the recorded label is right, the value is minus the variance of "is wrong": -q·(1 - q). Items
    with label -1 (not recorded) have no value.

    Parameters
    ----------
    label
        Code of the recorded label of each item.
    """

    def value(shares: FloatArray, items: Array) -> FloatArray:
        right = _probability(shares, label[items])
        return np.asarray(-right * (1 - right))

    return Goal("noise", value)


def training(weights: FloatArray) -> Goal:
    """Value what is known about the classes, each item by what its label teaches the classifier (`teaching`)."""

    def value(shares: FloatArray, items: Array) -> FloatArray:
        known = _negentropy(shares)
        return np.asarray(weights[items].reshape(-1, *[1] * (known.ndim - 1)) * known)

    return Goal("training", value)


def _negentropy(shares: FloatArray) -> FloatArray:
    return np.asarray((shares * np.log(np.maximum(shares, 1e-300))).sum(axis=-1))


def _probability(shares: FloatArray, codes: Array) -> FloatArray:
    """Give the probability of one class of each item; 0 for codes that are no class."""
    k = shares.shape[-1]
    inside = (codes >= 0) & (codes < k)
    at = np.where(inside, codes, 0).reshape(-1, *[1] * (shares.ndim - 1))
    taken = np.take_along_axis(shares, np.broadcast_to(at, (*shares.shape[:-1], 1)), axis=-1)[..., 0]
    return np.where(inside.reshape(-1, *[1] * (shares.ndim - 2)), taken, 0.0)
