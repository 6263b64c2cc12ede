"""A filter that finds wrong labels among any rows of a table, training the models it needs on these rows alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.cleaning.cross_fitted import cross_fitted
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.probability_wrong import probability_wrong
from justesse.cleaning.suspicion import NO_CLASS
from justesse.cleaning.written_filter import ChosenFilter
from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.procedures.learners import USUAL
from justesse.procedures.training_arms import Flags

ORACLE = "oracle"


def usual_models(item: Filter) -> tuple[str, ...]:
    """Name the models that a filter trains unless others are named; none if it trains none.

    >>> from justesse.cleaning import filter_named
    >>> usual_models(filter_named("confident-learning")), usual_models(filter_named("edited-neighbours"))
    (('logistic',), ())
    """
    if "models" in item.needs:
        return ("tree", "bayes")
    if "probabilities" in item.needs:
        return ("logistic",)
    return USUAL if "votes" in item.needs else ()


@dataclass(frozen=True, eq=False)
class RowFilter:
    """One filter with its options, and the table whose rows it looks at.

    Parameters
    ----------
    chosen
        The filter and its options.
    x
        Features of all rows of the table.
    classes
        Names of the classes.
    models
        Models that it trains, by name, with their preprocessing.
    transform
        Unfitted transformer that turns features into numbers on comparable scales, for filters that look at distances.
    folds
        Number of folds; a row is judged by models trained on the other folds.

    >>> from sklearn.preprocessing import StandardScaler
    >>> from justesse.cleaning.written_filter import written_filter
    >>> x = np.array([[0.0], [0.1], [0.2], [0.15], [5.0], [5.1], [5.2]])
    >>> own = RowFilter(written_filter("edited-neighbours(neighbours=2)"), x, ("a", "b"), {}, StandardScaler())
    >>> own(np.arange(7), np.array(list("aaabbbb")), seed=0).flagged.tolist()
    [False, False, False, True, False, False, False]
    """

    chosen: ChosenFilter
    x: Any
    classes: tuple[ClassName, ...]
    models: Mapping[str, Any]
    transform: Any = None
    folds: int = 5

    def __post_init__(self) -> None:
        if needed := self.not_learnt:
            raise OptionError(
                f"The filter {self.chosen.item.name} needs what only a file can give (--{' and --'.join(needed)}). "
                "Choose another filter, such as confident-learning."
            )

    @property
    def not_learnt(self) -> list[str]:
        """What the filter needs that cannot be learnt from features and labels."""
        return [need for need in self.chosen.item.needs if need in ("history", "answers")]

    def evidence(self, rows: Array, labels: Array, *, seed: int) -> LabelEvidence:
        """Train what the filter needs on these rows."""
        from sklearn.base import clone
        from sklearn.utils import _safe_indexing

        codes, needs = coded(labels, self.classes)[0].astype(np.int64), self.chosen.item.needs
        own = _safe_indexing(self.x, rows)
        parts: dict[str, Any]
        if "models" in needs:
            parts = {"features": own, "models": self.models}
        elif "features" in needs:
            values = clone(self.transform).fit_transform(own)
            parts = {"features": np.asarray(values.toarray() if hasattr(values, "toarray") else values, dtype=float)}
        else:
            fitted = cross_fitted(self.models, own, codes, self.classes, folds=self.folds, seed=seed)
            if "probabilities" in needs and fitted.probabilities is None:
                why = f" ({fitted.failures[0]})" if fitted.failures else ""
                raise OptionError(
                    f"{', '.join(self.models)} gives no probabilities{why}; {self.chosen.item.name} needs them. Name a "
                    "model that does, such as logistic."
                )
            parts = {"probabilities": fitted.probabilities, "votes": fitted.votes}
        return LabelEvidence(codes, self.classes, seed=seed, **parts)

    def __call__(self, rows: Array, labels: Array, *, seed: int) -> Flags:
        """Flag labels of these rows."""
        evidence = self.evidence(rows, labels, seed=seed)
        suspicion = self.chosen(evidence)
        wrong = probability_wrong(evidence, suspicion).values
        names = np.empty(len(self.classes), dtype=np.asarray(labels).dtype)
        names[:] = self.classes
        unnamed = (suspicion.suggested[suspicion.flagged] == NO_CLASS).any()
        return Flags(
            suspicion.flagged,
            None if unnamed else names[np.where(suspicion.flagged, suspicion.suggested, evidence.labels)],
            None if np.isnan(wrong[suspicion.flagged]).any() else np.nan_to_num(wrong),
        )


@dataclass(frozen=True, eq=False)
class OracleFilter:
    """A filter that knows the true classes: what the best possible cleaning would be worth.

    >>> OracleFilter(np.array(["a", "b"]))(np.array([1]), np.array(["a"]), seed=0).suggested.tolist()
    ['b']
    """

    true: Array

    def __call__(self, rows: Array, labels: Array, *, seed: int) -> Flags:
        """Flag exactly the wrong labels of these rows."""
        true = self.true[rows]
        wrong = np.asarray(labels != true)
        return Flags(wrong, true, wrong.astype(float))
