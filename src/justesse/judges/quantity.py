"""What a judge compares: a measure, its class if it is per class, and which way is better."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from justesse import measures
from justesse.core.all_pairs import Judgeable
from justesse.core.errors import CostError, OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import Average, ClassName
from justesse.measures import Measure, averaged
from justesse.measures.cost import Cost
from justesse.measures.curves import ROC_AUC
from justesse.significance.paired_measure import Compared

AUC = "auc"
COST = Cost().name
WHOLE: dict[str, Measure] = {measure.name: measure for measure in measures.OVERALL}
PER_CLASS = {measure.name: measure for measure in measures.PER_CLASS}
AVERAGES: tuple[Average, ...] = get_args(Average)


class UnknownMeasureError(OptionError):
    """A name that no measure has."""


@dataclass(frozen=True)
class Quantity:
    """A measure with its name and, if it is per class, its class; `measure` is `None` for the ROC AUC."""

    name: str
    measure: Measure | None
    class_name: ClassName = None
    at: int | None = None

    @property
    def title(self) -> str:
        """Return its name in JSON: `macro f1`, `recall of 'spam'`."""
        name = self.name.replace("_", " ")
        return name if self.class_name is None else f"{name} of {self.class_name!r}"

    @property
    def words(self) -> str:
        """Return its name in words: `macro F1`, `recall of 'spam'`."""
        name = ROC_AUC.title if self.measure is None else self.measure.title
        return name if self.class_name is None else f"{name} of {self.class_name!r}"

    @property
    def unit(self) -> str:
        """Unit of a difference."""
        return "percentage points" if self.measure is None else self.measure.difference_unit

    @property
    def sign(self) -> int:
        """+1 if more is better, -1 if less is: differences are multiplied by it, so that positive is better."""
        return 1 if (self.measure or ROC_AUC).greater_is_better else -1

    @property
    def compared(self) -> Compared:
        """The measure in the form the paired methods need."""
        assert self.measure is not None, "the ROC area has its own test"
        return Compared(self.measure, self.at)

    def check_margin(self, margin: float) -> None:
        """Refuse a margin that no difference of the measure can exceed: every comparison would be equivalent."""
        widest = 1.0 if self.measure is None else self.measure.bounds[1] - self.measure.bounds[0]
        if margin >= widest:
            raise OptionError(
                f"No difference of {self.words} can be larger than the margin {margin:g}. A margin is in the unit of "
                "the measure: one point of accuracy is 0.01."
            )

    @property
    def is_share(self) -> bool:
        """Whether it is the share of right answers among the same rows for both classifiers."""
        return self.measure is not None and self.measure.same_rows is not None

    @property
    def counts_errors(self) -> bool:
        """Whether it is the share of right or wrong rows, so that a difference counts errors per 100 rows."""
        return self.measure is not None and self.measure.judged_as == "accuracy"

    def judgeable(self, judge: str) -> Judgeable:
        """Return the share that a judge for wrong labels compares; raise if it cannot compare this measure."""
        if self.measure is not None and self.measure.judged_as:
            return self.measure.judged_as
        raise OptionError(
            f"The judge {judge} compares {', '.join(_as_asked(item) for item in measures.ALL if item.judged_as)}, not "
            f"{self.words}. Use the judge paired or classical, which assume that the labels are right."
        )


def quantity(
    name: "str | Quantity",
    classes: Sequence[ClassName],
    *,
    positive: ClassName = None,
    costs: Any = None,
) -> Quantity:
    """Return the measure a user asks for by name: `accuracy`, `recall:spam`, `macro-f1`, `auc`.

    Parameters
    ----------
    name
        Name of the measure, with its class after a colon if it is per class. A `Quantity` is returned as it is.
    classes
        The classes of the data.
    positive
        The class of a per-class measure whose name has none.
    costs
        Table of costs, one row per class; required for `cost`.

    Returns
    -------
    Quantity
        The measure and, if it is per class, its class.

    Examples
    --------
    >>> quantity("recall:spam", ["ham", "spam"]).title
    "recall of 'spam'"
    >>> quantity("Macro F1", ["ham", "spam"]).name
    'macro f1'
    """
    if isinstance(name, Quantity):
        return name
    word, colon, class_text = name.partition(":")
    plain = word.strip().lower().replace("-", " ").replace("_", " ")
    joined = plain.replace(" ", "_")
    if joined in (AUC, "roc_auc"):
        return Quantity(
            AUC,
            None,
            _class(class_text.strip() if colon else positive, classes) if class_text or positive is not None else None,
        )
    if joined == COST and not colon:
        if costs is None:
            raise OptionError("The measure cost needs a cost table. Give it with cost=… (--cost costs.csv).")
        table = np.asarray(costs, dtype=float)
        if len(table) != len(classes):
            raise CostError(f"The cost table needs a row for each of the {len(classes)} classes; got {len(table)}.")
        return Quantity(COST, measures.cost(table))
    if not colon and joined in WHOLE:
        return Quantity(joined, WHOLE[joined])
    how, _, rest = plain.partition(" ")
    if how in AVERAGES and rest in PER_CLASS and not colon:
        return Quantity(f"{how} {rest}", averaged(PER_CLASS[rest], how))
    if joined in PER_CLASS:
        if not colon and positive is None:
            raise OptionError(
                f"{joined} is about one class. Write {joined}:CLASS or macro-{joined}, or name the class with "
                f"positive=… (--positive). Classes: {', '.join(map(repr, classes[:20]))}."
            )
        result = _class(class_text.strip() if colon else positive, classes)
        return Quantity(joined, PER_CLASS[joined], result, list(classes).index(result))
    near = difflib.get_close_matches(
        joined, [*WHOLE, *PER_CLASS, COST, AUC, *(f"macro_{item}" for item in PER_CLASS)], n=1
    )
    hint = f"Did you mean {near[0]!r}? " if near else ""
    raise UnknownMeasureError(f"Unknown measure {name!r}. {hint}Measures: {known_measures()}.")


def known_measures() -> str:
    """List the names of the measures, for help and errors.

    >>> known_measures()
    'accuracy, error, balanced_accuracy, mcc, kappa, cost, auc, precision:CLASS, ... macro-f1 (or micro-, weighted-)'
    """
    *_, last = PER_CLASS
    listed = ", ".join([*WHOLE, COST, AUC, *map(_as_asked, PER_CLASS.values())])
    return f"{listed}, macro-{last} (or micro-, weighted-)"


def _as_asked(measure: Measure) -> str:
    """Write the name a user types for a measure."""
    return f"{measure.name}:CLASS" if measure.per_class else measure.name


def _class(name: ClassName, classes: Sequence[ClassName]) -> ClassName:
    for known in classes:
        if known is not None and spelt_alike(known, name):
            return known
    near = difflib.get_close_matches(str(name).lower(), [str(class_name).lower() for class_name in classes], n=1)
    meant = next((repr(class_name) for class_name in classes if near and str(class_name).lower() == near[0]), None)
    hint = f"Did you mean {meant}? " if meant else ""
    listed = ", ".join(map(repr, classes[:20]))
    raise OptionError(f"Class {name!r} not found. {hint}Classes: {listed}. Name a class of the labels or predictions.")
