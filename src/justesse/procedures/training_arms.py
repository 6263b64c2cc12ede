"""What training does with rows whose label a filter holds to be wrong: remove, weight, correct, or drop the label."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import CleaningArm

ARMS: dict[CleaningArm, str] = {
    "remove": "flagged rows are left out",
    "weight": "flagged rows get the probability that their label is right as weight",
    "correct": "flagged rows get the suggested class",
    "drop-label": "flagged rows lose their label; the learner labels those it is sure of (self-training)",
}
SURE = 0.75  # probability at which self-training accepts its own answer
ROUNDS = 10


@dataclass(frozen=True, eq=False)
class Flags:
    """What a filter decided about some rows: which are flagged, the class it suggests, and the chance of a wrong label.

    `suggested` holds class names, or is `None` if the filter names none; `wrong` is `None` if it gives no probability.
    """

    flagged: Array
    suggested: Array | None
    wrong: FloatArray | None


class LabelFilter(Protocol):
    """Anything that looks at the rows with these numbers, with these labels, and says which labels are wrong."""

    def __call__(self, rows: Array, labels: Array, *, seed: int) -> Flags: ...


class NotPossible(Exception):  # noqa: N818  no error: the arm does not exist for this learner or filter
    """An arm that a learner or a filter cannot take part in; the text says why."""


def fitted_arm(arm: CleaningArm, model: Any, x: Any, labels: Array, flags: Flags) -> Any:
    """Fit a model on labels of which some are flagged, by one arm.

        remove      fit on rows not flagged
        weight      fit on all rows, weight 1 - P(wrong) for flagged ones
        correct     fit on all rows, flagged ones with the suggested class
        drop-label  fit on rows not flagged; label flagged rows whose class has probability 0.75 or more; repeat

    With no row flagged, all arms are the plain fit. Brodley and Friedl (1999); Yarowsky (1995); Benjelloun (2021),
    3.4.2.

    Parameters
    ----------
    arm
        What to do with flagged rows.
    model
        An unfitted model.
    x
        Features.
    labels
        Labels.
    flags
        What the filter decided.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> x, labels = np.array([[0.0], [0.2], [2.0], [2.2], [0.1]]), np.array(["a", "a", "b", "b", "b"])
    >>> flags = Flags(np.arange(5) == 4, np.repeat("a", 5), None)
    >>> fitted_arm("correct", GaussianNB(), x, labels, flags).class_count_.tolist()
    [3.0, 2.0]
    """
    if not flags.flagged.any():
        return model.fit(x, labels)
    kept = np.flatnonzero(~flags.flagged)
    if arm == "correct":
        if flags.suggested is None:
            raise NotPossible("the filter names no other class")
        return model.fit(x, np.where(flags.flagged, flags.suggested, labels))
    if arm == "weight":
        if flags.wrong is None:
            raise NotPossible("the filter gives no probability that a label is wrong")
        if (keyword := weight_keyword(model)) is None:
            raise NotPossible("the learner takes no weights")
        return model.fit(x, labels, **{keyword: np.where(flags.flagged, 1 - flags.wrong, 1.0)})
    if len(np.unique(labels[kept])) < 2:
        raise NotPossible("the filter leaves fewer than two classes")
    if arm == "remove":
        return model.fit(_rows(x, kept), labels[kept])
    if not hasattr(model, "predict_proba"):
        raise NotPossible("the learner gives no probabilities, which self-training needs")
    return _self_trained(model, x, labels, ~flags.flagged)


def _rows(x: Any, rows: Array) -> Any:
    from sklearn.utils import _safe_indexing

    return _safe_indexing(x, rows)


def _self_trained(model: Any, x: Any, labels: Array, labelled: Array) -> Any:
    labels, labelled = labels.copy(), labelled.copy()
    for _ in range(ROUNDS):
        model.fit(_rows(x, np.flatnonzero(labelled)), labels[labelled])
        if not (open_rows := np.flatnonzero(~labelled)).size:
            return model
        shares = np.asarray(model.predict_proba(_rows(x, open_rows)))
        sure = shares.max(axis=1) > SURE
        if not sure.any():
            return model
        labels[open_rows[sure]] = np.asarray(model.classes_)[shares.argmax(axis=1)[sure]]
        labelled[open_rows[sure]] = True
    return model.fit(_rows(x, np.flatnonzero(labelled)), labels[labelled])


def weight_keyword(model: Any) -> str | None:
    """Name the argument of `fit` that takes weights, also inside a pipeline; `None` if there is none.

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> weight_keyword(make_pipeline(StandardScaler(), LogisticRegression())), weight_keyword(KNeighborsClassifier())
    ('logisticregression__sample_weight', None)
    """
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import has_fit_parameter

    if isinstance(model, Pipeline):
        name, last = model.steps[-1]
        inner = weight_keyword(last)
        return None if inner is None else f"{name}__{inner}"
    return "sample_weight" if has_fit_parameter(model, "sample_weight") else None
