"""Partition filter: rows that models, each trained on one part of the data, would label otherwise."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import NO_CLASS, Suspicion
from justesse.cleaning.votes import voted
from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import stream

Agreement = Literal["majority", "consensus"]


@dataclass(frozen=True)
class Parts:
    """Splits that train on one part and test on all others; scikit-learn takes it as a splitter."""

    part: tuple[int, ...]
    number: int

    def get_n_splits(self, x: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.number

    def split(self, x: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        """Give training and test rows of each part."""
        part = np.array(self.part)
        for at in range(self.number):
            yield np.flatnonzero(part == at), np.flatnonzero(part != at)


def look(evidence: LabelEvidence, *, parts: int = 5, agreement: Agreement = "majority") -> Suspicion:
    """Train the models on each of several random parts, and let them vote on the rows of all other parts.

        flagged if (votes for other classes) / votes > 1/2, or = 1 for consensus; models · (parts - 1) votes a row

    For data too large for one model, or kept in several places. Each model sees a small part, so that it knows rare
    classes badly and flags them. Zhu, Wu and Chen (2003); thesis 3.4.2.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> x = np.r_[np.linspace(0, 1, 20), np.linspace(2, 3, 20)][:, None]
    >>> labels = np.repeat([0, 1], 20)
    >>> labels[5] = 1
    >>> rows = LabelEvidence(labels, ("a", "b"), features=x, models={"bayes": GaussianNB()})
    >>> np.flatnonzero(look(rows, parts=3).flagged).tolist()
    [5]
    """
    from justesse.procedures.run import run

    if parts < 2:
        raise OptionError(f"parts must be 2 or more; got {parts!r}.")
    if agreement not in get_args(Agreement):
        raise OptionError(f"agreement must be one of {', '.join(get_args(Agreement))}; got {agreement!r}.")
    if evidence.n < 2 * parts:
        raise InputError(f"{evidence.n} rows are too few for {parts} parts. Use fewer parts.")
    order = stream(evidence.seed, "partition filter").permutation(evidence.n)
    # rows of each class in turn, so that every part has its share of every class
    order = order[np.argsort(evidence.labels[order], kind="stable")]
    part = np.empty(evidence.n, dtype=np.int64)
    part[order] = np.arange(evidence.n) % parts
    splits = Parts(tuple(part.tolist()), parts)
    runs = run(evidence.models, evidence.features, evidence.labels, splits, regression=False, seed=evidence.seed)
    own: tuple[Any, ...] = runs.data.classes or ()
    codes = np.asarray(own, dtype=np.int64)
    columns = []
    for model in runs.models:
        for fit in runs.answered(model):
            assert fit.answers is not None
            column = np.full(evidence.n, NO_CLASS, dtype=np.int64)
            column[fit.test] = codes[fit.answers]
            columns.append(column)
    bound = 0.5 if agreement == "majority" else 1 - 1e-9
    return voted(evidence, np.column_stack(columns), lambda against: against > bound, "models of other parts")


PARTITION = Filter(
    "partition",
    "Partition filter",
    "Flags a row if models trained on other parts of the data predict another class.",
    ("features", "models"),
    look,
    "Zhu, Wu and Chen (2003)",
    "The parts are so small that their models do not know every class.",
    {"parts": "number of parts", "agreement": "votes that flag a row: majority or consensus"},
)
