"""Which measure an audit compares, as its file keeps it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.first_names import first_names
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.costs import cost_table
from justesse.judges.audit_payoffs import RATIOS, WITHIN, Payoffs, not_audited, payoffs
from justesse.judges.quantity import COST, Quantity, UnknownMeasureError, quantity

ACCURACY = "accuracy"


@dataclass(frozen=True)
class AuditMeasure:
    """The measure by name, how far class counts may be off, the table of costs, and the gains it makes of a row.

    `gains` is `None` for accuracy, which has a plan of its own.
    """

    name: str
    counts_within: float
    costs: list[list[float | None]] | None
    gains: Payoffs | None

    def chosen_pairs(self, classes: Sequence[ClassName]) -> NDArray[np.bool_] | None:
        """Return which pairs of answers are asked about, by their places among these classes; `None` if all that differ."""
        if self.gains is None:
            return None
        named = [name for name in classes if name is not None]
        codes = _codes(named)
        places = self.gains.column([codes.get(identity(name), -1) for name in classes])
        return np.asarray(self.gains.matters[np.ix_(places, places)], dtype=bool)

    @property
    def facts(self) -> dict[str, Any]:
        """What the file keeps."""
        return {"measure": self.name, "counts_within": self.counts_within, "costs": self.costs}


def chosen_measure(
    measure: str | None, cost: Any, counts_within: float | None, tally: Tally, *, sets: bool
) -> AuditMeasure:
    """Check the measure that a user asks for, and work out its gains.

    Parameters
    ----------
    measure
        Name of the measure; `None` for accuracy, or for costs if there are any.
    cost
        The costs: a path, a dict or a square array; `None` without.
    counts_within
        How far the number of rows of each class may be from that of the labels, for measures that depend on it. Default:
        0.1.
    tally
        Counts of labels and both answers, of all rows.
    sets
        Whether labels accept several classes.
    """
    name = measure or (ACCURACY if cost is None else COST)
    classes = [each for each in tally.classes if each is not None]
    costs = None
    if cost is not None:
        costs = _kept_costs(cost_table(cost, tally.classes, others=tally.others), tally)
    if name.strip().lower() in RATIOS:
        raise OptionError(
            f"{name} is about one class. Write {name}:CLASS, or macro-{name} for the mean of all. Classes: "
            f"{first_names(classes)}."
        )
    try:
        asked = quantity(name, classes, costs=None if costs is None else np.nan_to_num(_array(costs)))
    except UnknownMeasureError as error:  # which lists more measures than an audit compares
        raise not_audited(name) from error
    if cost is not None and asked.name != COST:
        raise OptionError(f"A cost table is for the measure cost, not {asked.words}. Leave out measure (--measure).")
    within = WITHIN if counts_within is None else counts_within
    if asked.counts_errors:
        _check_counted(counts_within, asked, None)
        return AuditMeasure(ACCURACY, within, None, None)
    if sets:
        raise OptionError(
            f"Labels that accept several classes (any_of, --any-of) can be audited for accuracy only, not "
            f"{asked.words}. Leave out measure (--measure), or give one class per label."
        )
    cells = tally.marginal("label", "incumbent", "candidate").cells()
    name = COST if asked.name == COST else name
    gains = _payoffs(name, classes, cells, costs, within)
    _check_counted(counts_within, asked, gains)
    return AuditMeasure(name, within, costs, gains)


def _check_counted(counts_within: float | None, asked: Quantity, gains: Payoffs | None) -> None:
    """Refuse an allowance for class counts that nothing depends on."""
    if counts_within is not None and (gains is None or not gains.fewest):
        raise OptionError(
            f"The number of rows of each class matters for recall and F1 only, not for {asked.words}. Leave out "
            "counts_within (--counts-within)."
        )


def kept_payoffs(about: Mapping[str, Any]) -> Payoffs | None:
    """Work out the gains of the measure of an audit file; `None` for accuracy with equal rows, and without a measure."""
    name = about.get("measure", ACCURACY)
    if name == ACCURACY and not about.get("weights"):
        return None
    return _payoffs(name, about["classes"], about["counts"], about.get("costs"), about["counts_within"])


def asked_about(gains: Payoffs | None, classes: Sequence[ClassName], cell: Sequence[ClassName]) -> bool:
    """Tell whether rows with these answers (label, incumbent, candidate) are asked about."""
    if gains is None:
        return identity(cell[1]) != identity(cell[2])
    codes = _codes(classes)
    old, new = gains.column([codes.get(identity(name), -1) for name in cell[1:3]])
    return bool(gains.matters[old, new])


def _payoffs(
    name: str,
    classes: Sequence[ClassName],
    cells: Iterable[Sequence[Any]],
    costs: list[list[float | None]] | None,
    within: float,
) -> Payoffs:
    codes = _codes(classes)
    rows = [[*(codes.get(identity(each), -1) for each in cell[:3]), cell[3]] for cell in cells]
    table = None if costs is None else _array(costs)
    return payoffs(name, classes, np.array(rows).reshape(-1, 4), costs=table, counts_within=within)


def _codes(classes: Sequence[ClassName]) -> dict[Any, int]:
    return {identity(name): at for at, name in enumerate(classes)}


def _kept_costs(table: Array, tally: Tally) -> list[list[float | None]]:
    """Keep the costs of classes; a true class that no label has costs nobody knows what."""
    unknown = {identity(name) for name in tally.others}
    kept = [at for at, name in enumerate(tally.classes) if name is not None]
    return [
        [None if identity(tally.classes[row]) in unknown else float(table[row, column]) for column in kept]
        for row in kept
    ]


def _array(costs: list[list[float | None]]) -> Array:
    return np.array([[np.nan if value is None else value for value in row] for row in costs], dtype=float)
