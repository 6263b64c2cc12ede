"""Labels of which some are wrong, with the true classes."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.core.tally import Tally


@dataclass(frozen=True, eq=False)
class Noisy:
    """Noisy labels beside the true classes, and how they came about.

    `rate` is the share of wrong labels that was asked for, `realised` the share there is. `spared` marks instances
    that should have been wrong but have no plausible wrong class, and were left right. `seed` is `None` if nothing was
    drawn.

    >>> noisy = Noisy(np.array(["a", "a", "b", "b"]), np.array(["a", "b", "b", "b"]), ("a", "b"), "by hand", 0.25)
    >>> noisy
    Noisy(4 labels, 1 wrong: realised rate 0.2500, asked 0.2500, by hand)
    >>> noisy.part([0, 1]).realised
    0.5
    """

    true: Array
    label: Array
    classes: tuple[ClassName, ...]
    model: str
    rate: float
    seed: int | None = None
    spared: Array | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def wrong(self) -> Array:
        """Where the label is not the true class."""
        if self.label.dtype.kind != "O":
            return np.asarray(self.label != self.true)
        true, label = self._codes()  # True == 1 in Python, but they are two classes
        return np.asarray(label != true)

    @property
    def realised(self) -> float:
        """The share of wrong labels: counted, so it has no interval."""
        return float(self.wrong.mean())

    @property
    def tally(self) -> Tally:
        """Count true × label: the transition table.

        >>> Noisy(np.array([0, 0, 1]), np.array([0, 1, 1]), (0, 1), "by hand", 0.3).tally
        Tally(true × label, n = 3, 2 classes: 0→0 1, 0→1 1, 1→1 1)
        """
        columns = [(codes, self.classes) for codes in self._codes()]
        return Tally.from_codes(
            ("true", "label"), columns, np.ones(len(self.true), dtype=np.int64), classes=self.classes
        )

    def _codes(self) -> tuple[Array, Array]:
        return coded(self.true, self.classes)[0], coded(self.label, self.classes)[0]

    def part(self, rows: ArrayLike) -> "Noisy":
        """Keep these rows (positions, or true and false for each): `part(test).realised` is the rate in the test set.

        Noise placed on train and test together does not fall evenly on both, so their rates differ from the whole's.
        """
        chosen = np.asarray(rows)
        true = self.true[chosen] if chosen.size else self.true[:0]
        if not len(true):
            raise OptionError("The rate of a part without rows is undefined.")
        spared = None if self.spared is None else self.spared[chosen]
        return replace(self, true=true, label=self.label[chosen], spared=spared)

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "rate": self.rate,
            "realised": self.realised,
            "n": len(self.true),
            "wrong": int(self.wrong.sum()),
            "spared": 0 if self.spared is None else int(self.spared.sum()),
            "seed": self.seed,
            "assumptions": list(self.assumptions),
        }

    def __repr__(self) -> str:
        left = 0 if self.spared is None else int(self.spared.sum())
        note = f", {left} left right: no plausible wrong class" if left else ""
        return (
            f"Noisy({len(self.true)} labels, {int(self.wrong.sum())} wrong: realised rate {self.realised:.4f}, "
            f"asked {self.rate:.4f}, {self.model}{note})"
        )
