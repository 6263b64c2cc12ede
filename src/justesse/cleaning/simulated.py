"""A cleaning step of any quality, simulated where the true classes are known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.core.true_sets import need_one_true_class

REMOVED = -1


@dataclass(frozen=True)
class Nett:
    """Finds a wrong label with probability `detects`, takes a right one for wrong with `mistakes`.

        P(detected | wrong) = s,   P(detected | right) = e,   P(made right | detected) = c

    A detected label is made right with probability `corrects`, and otherwise becomes any class but the true one, all
    alike; without `corrects` the row is removed. Every row by itself: real cleaning errs on hard rows more than on easy
    ones, so results are flattering. NETT(s, e, c) in Benjelloun (2021), 6.5.4 and table 6.3.

    >>> Nett(0.75, 0.25, 0.5).words
    'NETT(s = 0.75, e = 0.25, c = 0.5)'
    """

    detects: float
    mistakes: float
    corrects: float | None = None

    def __post_init__(self) -> None:
        for name, chance in vars(self).items():
            if chance is not None and not 0 <= chance <= 1:
                raise OptionError(f"{name} is a probability from 0 to 1; got {chance!r}")

    @property
    def words(self) -> str:
        third = "" if self.corrects is None else f", c = {self.corrects:g}"
        return f"NETT(s = {self.detects:g}, e = {self.mistakes:g}{third})"

    def clean_rows(self, labels: ArrayLike, true: ArrayLike, *, classes: int, seed: int = 0) -> Array:
        """Clean codes 0, 1, … of labels, row by row; -1 where the row is removed.

        >>> Nett(1, 0, 1).clean_rows([0, 1, 1], [0, 0, 1], classes=2).tolist()
        [0, 0, 1]
        >>> Nett(1, 0).clean_rows([0, 1, 1], [0, 0, 1], classes=2).tolist()
        [0, -1, 1]
        """
        label, truth = (np.asarray(part).astype(np.int64) for part in (labels, true))  # -1 must fit
        if label.shape != truth.shape or label.ndim != 1:
            raise InputError(f"labels and true classes must be as many; got shapes {label.shape} and {truth.shape}")
        if max(label.max(initial=0), truth.max(initial=0)) >= classes:
            raise InputError(f"codes must be below the number of classes, {classes}; got higher ones")
        random = stream(seed, "simulated cleaning")
        result = random.random(len(label)) < np.where(label != truth, self.detects, self.mistakes)
        if self.corrects is None:
            return np.where(result, REMOVED, label)
        self._need_two(classes)
        mended = random.random(len(label)) < self.corrects
        other = random.integers(0, classes - 1, size=len(label))
        return np.where(result, np.where(mended, truth, other + (other >= truth)), label)

    def clean(self, tally: Tally, *, seed: int = 0) -> Tally:
        """Clean the labels of a tally that knows the true classes: each cell's rows by themselves.

        >>> pairs = Tally.of(("true", "label"), [("a", "a", 90), ("a", "b", 10)])
        >>> Nett(1, 0, 1).clean(pairs).dense("true", "label").tolist()
        [[100, 0], [0, 0]]
        """
        need_one_true_class(tally, "a simulated cleaning step")
        if "true" not in tally.axes:
            raise OptionError(
                "The judge cleaned needs rows that a filter flagged (flagged=…, --flagged COL), or the true classes "
                "for a simulated cleaning step (true=…, --true COL). Give one of them."
            )
        at, classes, counts = tally.axis("label"), len(tally.classes), tally.counts
        label, truth = tally.codes[:, at], tally.codes[:, tally.axis("true")]
        random = stream(seed, "simulated cleaning")
        result = random.binomial(counts, np.where(label != truth, self.detects, self.mistakes))
        parts = [(label, counts - result)]
        if self.corrects is not None:
            self._need_two(classes)
            mended = random.binomial(result, self.corrects)
            others = random.multinomial(result - mended, np.full(classes - 1, 1 / (classes - 1)))
            parts += [(truth, mended)]
            parts += [(k + (k >= truth), others[:, k]) for k in range(classes - 1)]
        codes = np.concatenate([_with(tally.codes, at, to) for to, _ in parts])
        return Tally.canonical(tally.axes, tally.levels, codes, np.concatenate([rows for _, rows in parts]))

    def _need_two(self, classes: int) -> None:
        if classes < 2:
            raise OptionError(
                "a correction that fails needs another class, and there is only one: name all classes (--classes), or "
                "leave corrections out"
            )


def _with(codes: Array, at: int, to: Array) -> Array:
    changed = codes.copy()
    changed[:, at] = to
    return changed
