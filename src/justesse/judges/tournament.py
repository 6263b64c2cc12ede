"""All ordered pairs of many classifiers: who replaces whom, and how often a judge errs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.judges.classical import classical_replaces
from justesse.judges.cleaned import cleaned_replaces
from justesse.judges.paired import paired_replaces
from justesse.judges.prudent_v1 import prudent_v1_replaces
from justesse.judges.prudent_v2 import prudent_v2_replaces
from justesse.judges.reference import reference_replaces
from justesse.judges.sharp import sharp_replaces

# (field, rule, **options of the judge) → [i, j] true where candidate j replaces incumbent i
DECIDE: dict[str, Callable[..., Array]] = {
    "reference": reference_replaces,
    "paired": paired_replaces,
    "classical": classical_replaces,
    "prudent_v1": prudent_v1_replaces,
    "prudent_v2": prudent_v2_replaces,
    "sharp": sharp_replaces,
    "cleaned": cleaned_replaces,
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

    `difference` is candidate minus incumbent against the true classes. Type I is about the reference, which is itself
    timid: a type I error may be a candidate that is truly better. Wrong to read as chances for another pool: pairs of
    one pool share their classifiers. Benjelloun (2021), 6.5.5.

    >>> found = rates([[0, 1], [1, 0]], [[0, 1], [0, 0]], [[0.0, 0.1], [-0.1, 0.0]])
    >>> found.type_one.value, found.type_two.value, found.agreement.value, found.worse_accepted.count
    (1.0, 0.0, 0.5, 1)
    """
    answer, right = np.asarray(replaces, dtype=bool), np.asarray(reference, dtype=bool)
    better = np.asarray(difference, dtype=float)
    if answer.ndim != 2 or len({answer.shape, right.shape, better.shape, answer.shape[::-1]}) > 1:
        shapes = ", ".join(str(one.shape) for one in (answer, right, better))
        raise OptionError(f"three square tables of all ordered pairs are needed; got {shapes}")
    pairs = ~np.eye(len(answer), dtype=bool)

    def share(wrong: Array, among: Array, reason: str) -> DecisionShare:
        return DecisionShare(int((wrong & among & pairs).sum()), int((among & pairs).sum()), reason)

    return Rates(
        share(answer, ~right, "the reference replaces in every pair"),
        share(~answer, right, "the reference replaces in no pair"),
        share(answer == right, pairs, "there is only one classifier"),
        share(answer, better < 0, "no candidate is truly worse than an incumbent"),
    )
