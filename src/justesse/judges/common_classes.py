"""The classes an average is over when two classifiers are compared: the same for both."""

from dataclasses import replace

import numpy as np

from justesse.core.case import Case
from justesse.core.results import ClassName
from justesse.judges.quantity import Quantity
from justesse.measures import Confusion
from justesse.measures.averages import Averaged


def undefined_for_one(case: Case, asked: Quantity) -> tuple[ClassName, ...]:
    """List the classes where an average has a value for one classifier only, or for none.

    >>> from justesse.core.tally import Tally
    >>> from justesse.judges.quantity import quantity
    >>> cells = [("a", "a", "a", 8), ("b", "b", "a", 2)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> undefined_for_one(case, quantity("macro-precision", ["a", "b"]))
    ('b',)
    """
    measure = asked.measure
    if not isinstance(measure, Averaged) or measure.how == "micro":
        return ()
    values = [measure.class_measure.value(Confusion.of(table)) for table in (case.incumbent, case.candidate)]
    missing = np.isnan(values).any(axis=0) & case.tally.judged
    return tuple(case.tally.classes[k] for k in np.flatnonzero(missing))


def on_common_classes(case: Case, asked: Quantity) -> Case:
    """Leave out of an average the classes where only one of the two has a value.

    Otherwise a classifier that never answers with its worst class would have the better mean.
    """
    out = undefined_for_one(case, asked)
    return case if not out else replace(case, tally=replace(case.tally, others=(*case.tally.others, *out)))
