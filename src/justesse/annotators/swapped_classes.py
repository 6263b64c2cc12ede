"""Signs of swapped class names: annotators worse than guessing, predictions that are right if classes are renamed."""

from dataclasses import dataclass

import numpy as np

from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray

FEWEST = 20  # answers from which an annotator can be worse than guessing
RISK = 0.05  # of naming any annotator who is not
CLEARLY = 4.0  # standard errors by which renamed predictions must be right more often
MOST_CLASSES = 500


@dataclass(frozen=True)
class WorseThanGuessing:
    """An annotator, by code: the share of right answers, and what guessing with the same class shares would give."""

    annotator: int
    right: float
    guessing: float


class GuessingCheck:
    """Collect how often each annotator is right in each draw, and how often they would be by guessing.

    Guessing is right in Σ p_a q_a, with p_a the share of class a in an annotator's answers and q_a its share of items.
    Named are those whose chance of being right, drawn from Beta(h + ½, n - h + ½) for h right answers of n, is below
    guessing in all but 0.05 / (number of annotators) of the draws.
    """

    def __init__(self, notes: Annotations, rng: np.random.Generator) -> None:
        self.notes, self.rng = notes, rng
        people, k = notes.n_annotators, notes.n_classes
        self.n = np.maximum(notes.per_annotator, 1)
        self.small = people * k <= 5_000_000
        if self.small:
            key = notes.annotator.astype(np.int64) * k + notes.answer
            self.answers = np.bincount(key, minlength=people * k).reshape(people, k) / self.n[:, None]
        self.below = np.zeros(people)
        self.right, self.guessing = np.zeros(people), np.zeros(people)
        self.draws = 0

    def see(self, label: Array) -> None:
        """Take the classes of one draw into account."""
        if not self.small:
            return
        notes, people, k = self.notes, self.notes.n_annotators, self.notes.n_classes
        true = label[notes.item]
        hits = np.bincount(notes.annotator[true == notes.answer], minlength=people)
        met = np.bincount(notes.annotator.astype(np.int64) * k + true, minlength=people * k).reshape(people, k)
        guessing = (self.answers * met).sum(axis=1) / self.n
        self.below += self.rng.beta(hits + 0.5, self.n - np.minimum(hits, self.n) + 0.5) < guessing
        self.right += hits / self.n
        self.guessing += guessing
        self.draws += 1

    def result(self) -> tuple[WorseThanGuessing, ...]:
        """Name the annotators who are worse than guessing, the worst first."""
        if not self.draws:
            return ()
        tested = self.notes.per_annotator >= FEWEST
        sure = self.below >= self.draws * (1 - RISK / max(int(tested.sum()), 1))
        named = np.flatnonzero(tested & sure)
        order = named[np.argsort(self.right[named] - self.guessing[named], kind="stable")]
        return tuple(
            WorseThanGuessing(int(at), float(self.right[at] / self.draws), float(self.guessing[at] / self.draws))
            for at in order
        )


@dataclass(frozen=True)
class SwappedClasses:
    """What each class would have to be called, by codes, and the share of right predictions before and after."""

    names: tuple[int, ...]
    before: float
    after: float


def swapped_classes(table: FloatArray) -> SwappedClasses | None:
    """Find other names of the classes with which predictions are clearly right more often, if there are any.

    `table` has expected counts of true class × prediction. With h right predictions and h' if the classes are renamed
    in the best way, (h' - h) / √(h' + h) must exceed 4.

    >>> swapped_classes(np.array([[10.0, 90.0], [80.0, 20.0]]))
    SwappedClasses(names=(1, 0), before=0.15, after=0.85)
    >>> swapped_classes(np.array([[90.0, 10.0], [20.0, 80.0]])) is None
    True
    """
    from scipy.optimize import linear_sum_assignment

    k = len(table)
    square = table[:, :k]
    if k > MOST_CLASSES or square.shape[1] < k or not table.sum():
        return None
    names = linear_sum_assignment(-square)[1]
    before, after = float(np.trace(square)), float(square[np.arange(k), names].sum())
    if after - before <= CLEARLY * np.sqrt(after + before):
        return None
    total = float(table.sum())
    return SwappedClasses(tuple(names.tolist()), before / total, after / total)
