"""How often a judge errs over all ordered pairs of many classifiers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Estimate
from justesse.intervals.shared_members import shared_members

REFERENCES = {
    "overlap": "overlap of intervals, true classes",
    "paired": "paired comparison, true classes",
}
UNDEFINED = {
    "type_one": "the reference replaces in every pair",
    "type_two": "the reference replaces in no pair",
    "agreement": "there is only one classifier",
    "worse_accepted": "no candidate is truly worse than an incumbent",
}


@dataclass(frozen=True)
class DecisionShare:
    """How many of how many; undefined, with the reason, where there are none."""

    count: int
    n: int
    reason: str

    @property
    def value(self) -> float:
        return self.count / self.n if self.n else float("nan")

    @property
    def undefined(self) -> str | None:
        return None if self.n else self.reason

    def to_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "n": self.n,
            "value": self.value if self.n else None,
            "undefined": self.undefined,
        }


@dataclass(frozen=True)
class Rates:
    """How a judge errs over all ordered pairs, against a reference and against the truth."""

    type_one: DecisionShare
    type_two: DecisionShare
    agreement: DecisionShare
    worse_accepted: DecisionShare

    def to_dict(self) -> dict[str, Any]:
        return {name: share.to_dict() for name, share in vars(self).items()}


def rates(replaces: ArrayLike, reference: ArrayLike, difference: ArrayLike) -> Rates:
    """Count how often a judge errs over all ordered pairs of different classifiers.

        type I:  replaces, of the pairs where the reference keeps     type II: keeps, of those where it replaces
        agreement: the same answer, of all pairs                      worse accepted: replaces, of those truly worse

    Type I is about the reference, which itself misses gains: a type I error may be a candidate that is truly better.
    Do not read the rates as those of other classifiers: pairs share their classifiers. Benjelloun (2021), 6.5.5.

    Parameters
    ----------
    replaces
        Whom the judge replaces: [i, j] is true where candidate j replaces incumbent i.
    reference
        Whom the reference replaces.
    difference
        Candidate minus incumbent against the true classes.

    >>> counted = rates([[0, 1], [1, 0]], [[0, 1], [0, 0]], [[0.0, 0.1], [-0.1, 0.0]])
    >>> counted.type_one.value, counted.type_two.value, counted.agreement.value, counted.worse_accepted.count
    (1.0, 0.0, 0.5, 1)
    """
    counted = _counted(replaces, reference, difference)
    return Rates(
        **{
            name: DecisionShare(int(hits.sum()), int(among.sum()), UNDEFINED[name])
            for name, (hits, among) in counted.items()
        }
    )


def rate_estimates(
    replaces: ArrayLike, reference: ArrayLike, difference: ArrayLike, *, level: float = 0.95
) -> dict[str, Estimate]:
    """Estimate the rates of `rates`, with intervals that allow for pairs sharing their classifiers.

    >>> estimated = rate_estimates([[0, 1], [1, 0]], [[0, 1], [0, 0]], [[0.0, 0.1], [-0.1, 0.0]])
    >>> estimated["agreement"].value, estimated["agreement"].n
    (0.5, 2)
    """
    shares = vars(rates(replaces, reference, difference))
    estimates = {}
    for name, (hits, among) in _counted(replaces, reference, difference).items():
        interval = shared_members(hits, among, level=level)
        estimates[name] = Estimate(
            name, shares[name].value, shares[name].n, interval, shares[name].undefined, is_share=True
        )
    return estimates


def count_of(rate: Estimate) -> int:
    """Return the number of pairs behind a rate; 0 if it is undefined.

    >>> count_of(Estimate("type_one", 0.25, 8)), count_of(Estimate("type_one", float("nan"), 0))
    (2, 0)
    """
    return round(rate.value * rate.n) if rate.n else 0


def _counted(replaces: ArrayLike, reference: ArrayLike, difference: ArrayLike) -> dict[str, tuple[Array, Array]]:
    """For every rate, the pairs that count and the pairs among which they count."""
    answer, right = np.asarray(replaces, dtype=bool), np.asarray(reference, dtype=bool)
    better = np.asarray(difference, dtype=float)
    if answer.ndim != 2 or len({answer.shape, right.shape, better.shape, answer.shape[::-1]}) > 1:
        shapes = ", ".join(str(table.shape) for table in (answer, right, better))
        raise OptionError(f"Three square tables of all ordered pairs are needed; got {shapes}.")
    different = ~np.eye(len(answer), dtype=bool)
    counted = {
        "type_one": (answer, ~right),
        "type_two": (~answer, right),
        "agreement": (answer == right, different),
        "worse_accepted": (answer, better < 0),
    }
    return {name: (hits & among & different, among & different) for name, (hits, among) in counted.items()}
