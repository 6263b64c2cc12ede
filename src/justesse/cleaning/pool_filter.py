"""A filter of test labels that looks at the answers of several classifiers, or at what else is known of the rows."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.suspicion import NO_CLASS, Suspicion
from justesse.cleaning.votes import vote_shares
from justesse.cleaning.written_filter import ChosenFilter
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError

PoolAction = Literal["remove", "correct"]


@dataclass(frozen=True, eq=False)
class PoolFilter:
    """Find wrong test labels by the answers of a pool of classifiers, then remove the rows or correct the labels.

        votes          the answers of the classifiers
        probabilities  share of the classifiers that answer each class, unless given
        features       the same shares, unless given

    The classifiers were not trained on these rows, so their answers are out of sample. But a filter made of the
    classifiers that are judged favours those that agree with the others: judges see fewer of their mistakes.

    Parameters
    ----------
    chosen
        The filter and its options.
    action
        What is done with flagged rows: `remove` or `correct`.
    probabilities
        Probability of each class by a model that is not in the pool.
    features
        Numbers of each row on comparable scales.

    >>> from justesse.cleaning.written_filter import written_filter
    >>> own = PoolFilter(written_filter("majority-vote"))
    >>> own.clean_rows(np.array([0, 1, 1]), np.array([[0, 0, 1], [0, 0, 1], [0, 1, 1]]), classes=2).tolist()
    [0, -1, 1]
    """

    chosen: ChosenFilter
    action: PoolAction = "remove"
    probabilities: FloatArray | None = None
    features: FloatArray | None = None

    def __post_init__(self) -> None:
        if missing := {"history", "answers"} & set(self.chosen.item.needs):
            raise OptionError(
                f"The filter {self.chosen.item.name} needs {missing.pop()}, which classifiers do not give. "
                "Choose another filter, such as confident-learning."
            )

    @property
    def words(self) -> str:
        """What it does, as part of a judge's name."""
        return f"{self.chosen.words}, {self.action}"

    def suspicion(self, labels: Array, answers: Array, *, classes: int, seed: int = 0) -> Suspicion:
        """Look at the rows.

        Parameters
        ----------
        labels
            Code of each row's label.
        answers
            Codes of the predictions, classifiers × rows.
        classes
            Number of classes.
        seed
            Seed of what is drawn.
        """
        votes = np.asarray(answers).T.astype(np.int64)
        votes = np.where((votes >= 0) & (votes < classes), votes, NO_CLASS)  # answers that no label has
        shares = vote_shares(votes, classes)
        shares = np.where(np.isnan(shares), 1 / classes, shares)
        return self.chosen(
            LabelEvidence(
                np.asarray(labels, dtype=np.int64),
                tuple(range(classes)),
                probabilities=shares if self.probabilities is None else self.probabilities,
                votes=votes,
                features=shares if self.features is None else self.features,
                models=_models() if "models" in self.chosen.item.needs else {},
                seed=seed,
            )
        )

    def clean_rows(self, labels: Array, answers: Array, *, classes: int, seed: int = 0) -> Array:
        """Give the labels that the filter leaves, -1 where the row is removed."""
        suspicion = self.suspicion(labels, answers, classes=classes, seed=seed)
        other = suspicion.suggested if self.action == "correct" else NO_CLASS
        return np.where(suspicion.flagged, other, labels).astype(np.int64)


def _models() -> dict[str, Any]:
    from justesse.procedures.learners import learner

    return {name: learner(name) for name in ("tree", "bayes")}
