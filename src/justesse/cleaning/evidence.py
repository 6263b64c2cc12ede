"""What a filter looks at: the labels, and whatever else is known of the rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.core.results import ClassName

if TYPE_CHECKING:
    from justesse.core.annotations import Annotations

Need = Literal["probabilities", "votes", "features", "models", "history", "answers"]
WORDS: dict[Need, str] = {
    "probabilities": "out-of-sample probabilities of each class",
    "votes": "out-of-sample answers of several models",
    "features": "numeric features of each row",
    "models": "a model to train",
    "history": "margins of each row during training",
    "answers": "answers of several annotators",
}
OFF_BY = 1e-4


@dataclass(frozen=True, eq=False)
class LabelEvidence:
    """Labels as codes of classes, and what else is known.

    Parameters
    ----------
    labels
        Code of each row's label.
    classes
        Names behind the codes.
    probabilities
        Probability of each class, rows × classes, by a model that was not trained on the row.
    votes
        Codes of the answers of several models, rows × models, each by a model that was not trained on the row.
    features
        A number for each row and feature, on comparable scales.
    models
        Name → anything with `fit` and `predict`.
    history
        Margin of the label in each epoch of training, rows × epochs: score of the label less the highest other score.
    answers
        Annotators' answers; item i is row i.
    seed
        Seed of what is drawn.

    >>> LabelEvidence([0, 1], ("a", "b"), probabilities=[[0.9, 0.1], [0.6, 0.4]]).missing(("features",))
    ('features',)
    """

    labels: Array
    classes: tuple[ClassName, ...]
    probabilities: FloatArray | None = None
    votes: Array | None = None
    features: Any = None
    models: Mapping[str, Any] = field(default_factory=dict)
    history: FloatArray | None = None
    answers: "Annotations | None" = None
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", np.asarray(self.labels, dtype=np.int64))
        for name, kind in (("probabilities", float), ("votes", np.int64), ("history", float)):
            if (values := getattr(self, name)) is not None:
                object.__setattr__(self, name, np.asarray(values, dtype=kind))
        if self.labels.ndim != 1 or not len(self.labels):
            raise InputError(f"Each row needs one label; got labels of shape {self.labels.shape}.")
        if len(self.classes) < 2:
            raise ClassError(
                f"Every row has the label {self.classes[0]!r}. With one class no label can be wrong. Use labels of "
                "several classes."
            )
        if self.labels.min() < 0 or self.labels.max() >= len(self.classes):
            raise ClassError(f"Codes of labels must be below the number of classes, {len(self.classes)}.")
        for name in ("probabilities", "votes", "features", "history"):
            values = getattr(self, name)
            if values is not None and len(values) != self.n:
                raise InputError(f"{name} must have a row for each of {self.n} labels; got {len(values)}.")
        self._check_probabilities()
        if self.history is not None and not np.isfinite(self.history).all():
            raise InputError("Margins during training must be finite numbers in every row and epoch.")

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> Array:
        """Rows of each label."""
        return np.bincount(self.labels, minlength=len(self.classes))

    def missing(self, needs: tuple[Need, ...]) -> tuple[Need, ...]:
        """List what a filter needs and these rows lack."""
        return tuple(need for need in needs if getattr(self, need) is None or (need == "models" and not self.models))

    def own(self, shares: FloatArray) -> FloatArray:
        """Give the share that each row's label has."""
        return np.asarray(shares[np.arange(self.n), self.labels])

    def _check_probabilities(self) -> None:
        if self.probabilities is None:
            return
        if self.probabilities.shape != (self.n, len(self.classes)):
            raise InputError(
                f"Probabilities need a column for each of {len(self.classes)} classes; got {self.probabilities.shape}."
            )
        sums = np.asarray(self.probabilities.sum(axis=1))
        # NaN fails every comparison
        if not (float(self.probabilities.min()) >= -OFF_BY and float(np.abs(sums - 1).max()) <= OFF_BY):
            bad = int(np.argmax(~(np.abs(sums - 1) <= OFF_BY) | (self.probabilities < -OFF_BY).any(axis=1)))
            raise InputError(
                f"Probabilities of a row must be from 0 up and add up to 1; row {bad + 1} adds up to {sums[bad]:g}. "
                "Correct them."
            )


def check_share(name: str, value: float) -> float:
    """Return a share if it lies between 0 and 1.

    >>> check_share("at_most", 2)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: at_most must lie between 0 and 1; got 2.
    """
    if not 0 <= value <= 1:
        raise OptionError(f"{name} must lie between 0 and 1; got {value!r}.")
    return value
