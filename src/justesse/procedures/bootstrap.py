"""The bootstrap as a procedure: train on rows drawn with replacement, test on those never drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.seeds import check_seed, stream
from justesse.procedures.kinds import Kind, check_kind, grouped, no_groups, rows_of, strata


@dataclass(frozen=True)
class Bootstrap:
    """Draw n of n rows with replacement, `draws` times, and test on the rest; scikit-learn takes it as `cv`.

        P(a row is out of bag) = (1 - 1/n)^n ≈ 0.368

    `stratified` draws within each class, `grouped` draws whole groups. `second_draw` tests on another draw of all rows
    instead (lecture 002): 63 % of its test rows are training rows, so models that memorise look too good; it exists for
    comparison only. Not for models that treat copies of a row differently from one row of double weight. Efron (1983).

    >>> [(len(train), np.intersect1d(train, test).size) for train, test in Bootstrap(2).split(range(20))]
    [(20, 0), (20, 0)]
    """

    draws: int = 200
    kind: Kind = "plain"
    random_state: int = 0
    second_draw: bool = False

    folds = 1

    def __post_init__(self) -> None:
        check_kind(self.kind)
        check_seed(self.random_state)
        if self.draws < 1 or self.kind == "by-time":
            raise OptionError(
                "A bootstrap needs at least 1 draw, and its kind cannot be 'by-time'; got "
                f"draws={self.draws!r}, kind={self.kind!r}."
            )

    @property
    def name(self) -> str:
        """The procedure in words."""
        where = "tested on a second draw" if self.second_draw else "tested out of bag"
        return f"{self.kind} bootstrap of {self.draws} draws, {where}"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Count the splits."""
        return self.draws

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        """Return the positions of training rows, with repetitions, and of test rows."""
        no_groups(groups, self.kind)
        rows = rows_of(X)
        if rows < 2:
            raise OptionError(f"A bootstrap needs at least two rows; got {rows}.")
        if self.kind == "stratified":
            codes = strata(y, rows, least=2, what="Draws that leave some rows out")
            bags = [np.flatnonzero(codes == code) for code in np.unique(codes)]
        elif self.kind == "grouped":
            codes = grouped(groups, rows, least=2, what="Draws")
        for draw in range(self.draws):
            generator = stream(self.random_state, "bootstrap", str(draw))

            def drawn(generator: np.random.Generator = generator) -> Array:
                if self.kind == "stratified":
                    return np.concatenate([generator.choice(bag, len(bag)) for bag in bags])
                if self.kind == "grouped":
                    many = codes.max() + 1
                    picked = generator.integers(many, size=many)
                    return np.concatenate([np.flatnonzero(codes == item) for item in picked])
                return generator.integers(rows, size=rows)

            train = test = drawn()
            while not len(test := np.setdiff1d(np.arange(rows), train)):
                train = drawn()
            yield train, drawn() if self.second_draw else test
