"""How far wrong labels move a measured value: apparent minus true, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.results import Average, ClassName, finite_or_none
from justesse.core.tally import Tally
from justesse.measures import Measure, accuracy, error, f1, precision, recall
from justesse.measures.confusion import ratio
from justesse.noise.counted import counted
from justesse.noise.profile import Profile


@dataclass(frozen=True)
class Bias:
    """A measure against the labels, against the truth, and the first minus the second."""

    name: str
    apparent: float
    true: float
    bias: float
    n: float
    method: Literal["formula", "direct"]
    class_name: ClassName = None
    average: Average | None = None
    beta: float | None = None
    undefined: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "class": self.class_name,
            "average": self.average,
            "apparent": finite_or_none(self.apparent),
            "true": finite_or_none(self.true),
            "bias": finite_or_none(self.bias),
            "n": int(self.n),
            "method": self.method,
            "undefined": self.undefined,
        }


def accuracy_bias(*, wrong: ArrayLike, repeated: ArrayLike, recovered: ArrayLike) -> Array:
    """Compute the bias of accuracy from the share of wrong labels and the classifier's noise profile.

        P(N)·(F_n - F_r)        two classes: P(N)·(2F_n - 1), and P(N)·(1 - 2q) if being right ⟂ the label being wrong

    Exact under any dependence. Thesis (6.9), (6.10) and (6.7); Lam and Stork (2003).

    >>> float(accuracy_bias(wrong=0.2, repeated=0, recovered=0.25).round(4))
    -0.05
    >>> float(accuracy_bias(wrong=0.2, repeated=0.5, recovered=0.125).round(4))
    0.075
    """
    return np.asarray(np.asarray(wrong, float) * (np.asarray(repeated, float) - np.asarray(recovered, float)))


def precision_bias(
    *,
    wrong_label: ArrayLike,
    wrong_true: ArrayLike,
    predicted: ArrayLike,
    repeated: ArrayLike,
    recovered: ArrayLike,
) -> Array:
    """Compute the bias of a class's precision.

        (P(N∩A)·F_n^k - P(N∩C)·F_r^k) / P(P)

    `wrong_label` is the share of all rows labelled so wrongly, `wrong_true` of rows truly so but labelled otherwise,
    `predicted` of rows predicted so. Exact under any dependence. Thesis (6.17).

    >>> float(precision_bias(wrong_label=0.1, wrong_true=0.05, predicted=0.5, repeated=0.5, recovered=0.4).round(4))
    0.06
    """
    moved = np.asarray(wrong_label, float) * repeated - np.asarray(wrong_true, float) * recovered
    return ratio(moved, predicted)


def recall_bias(
    *,
    label: ArrayLike,
    true: ArrayLike,
    both: ArrayLike,
    learnt: ArrayLike,
    repeated: ArrayLike,
    recovered: ArrayLike,
) -> Array:
    """Compute the bias of a class's recall.

        F_n^k - F_r^k - P(A∩C)·(F_n^k/P(A) - F_r^k/P(C)) + P(A∩C)·F_c^k·(1/P(A) - 1/P(C))

    It is computed in the order F_n^k·P(N|A) - F_r^k·P(N|C) + F_c^k·(P(C|A) - P(A|C)), which loses fewer digits. Exact
    under any dependence; under uniform noise it is not 0, though thesis (6.23) says so. Thesis (6.17).

    Parameters
    ----------
    label, true, both
        Shares of all rows with this label, of this true class, and with both.
    learnt
        F_c of the class: share of its rightly labelled rows that are predicted as the class.
    repeated
        F_n of the class: share of rows wrongly labelled as the class that are predicted as it.
    recovered
        F_r of the class: share of its wrongly labelled rows that are predicted as the class.

    Examples
    --------
    >>> result = recall_bias(label=0.25, true=0.25, both=0.2, learnt=0.604, repeated=0.132, recovered=0.604)
    >>> float(result.round(4))
    -0.0944
    """
    right_of_label, right_of_true = ratio(both, label), ratio(both, true)
    return np.asarray(
        (1 - right_of_label) * repeated - (1 - right_of_true) * recovered + (right_of_label - right_of_true) * learnt
    )


def f1_bias(
    *, label: ArrayLike, true: ArrayLike, predicted: ArrayLike, of_precision: ArrayLike, of_recall: ArrayLike
) -> Array:
    """Compute the bias of a class's F measure from those of its precision and recall.

        2·(b_precision + P(A)P(C)/P(P)²·b_recall) / ((1 + P(A)/P(P))·(1 + P(C)/P(P)))

    Written with P(P)² above and below, so that a class that is never predicted (F is 0, its precision undefined) has
    its bias too. Thesis 6.3.3.

    >>> result = f1_bias(label=0.25, true=0.25, predicted=0.25, of_precision=-0.0944, of_recall=-0.0944)
    >>> float(result.round(4))
    -0.0944
    """
    a, c, p = (np.asarray(share, float) for share in (label, true, predicted))
    above = 2 * (p**2 * np.nan_to_num(of_precision) + a * c * np.nan_to_num(of_recall))
    return ratio(above, (p + a) * (p + c))


def bias(tally: Tally, measures: Sequence[Measure] = (accuracy, precision, recall, f1)) -> list[Bias]:
    """Compute the bias of measures on rows whose true class and label are both known.

        apparent - true

    Accuracy, error, precision, recall and F go by the thesis' formulas, everything else by the difference of the value
    on label × prediction and on true × prediction. It says what happened to these rows; another classifier on the
    same labels has another bias. Thesis 6.1 to 6.3.

    >>> cells = [("a", "a", "a", 60), ("a", "b", "b", 8), ("b", "a", "b", 12), ("b", "b", "b", 20)]
    >>> result = bias(Tally.of(["true", "label", "prediction"], cells), [accuracy])[0]
    >>> round(result.apparent, 2), round(result.true, 2), round(result.bias, 2)
    (0.88, 0.92, -0.04)
    """
    rows = counted(tally, "true", "label", "prediction")
    counts = Profile.of(rows)
    formulas = _formulas(counts)
    against_labels = rows.marginal("label", "prediction")
    against_truth = rows.marginal("true", "prediction").renamed(true="label")
    biases, judged = [], rows.judged
    for measure in measures:
        apparent, true = np.atleast_1d(measure(against_labels)), np.atleast_1d(measure(against_truth))
        formula = formulas.get(measure.name) if not measure.average else None
        moved = apparent - true if formula is None else np.atleast_1d(formula)
        names = counts.classes if measure.per_class else (None,)
        parts = zip(names, apparent.tolist(), true.tolist(), moved.tolist(), strict=True)
        for at, (name, seen, real, gap) in enumerate(parts):
            if measure.per_class and not judged[at]:
                continue
            reason = None
            if np.isnan(gap):
                reason = f"against the {'labels' if np.isnan(seen) else 'truth'}: {measure.reason}"
            biases.append(
                Bias(
                    measure.name,
                    seen,
                    real,
                    gap,
                    counts.n,
                    "direct" if formula is None else "formula",
                    name,
                    measure.average,
                    measure.beta,
                    reason,
                )
            )
    return biases


def _formulas(counts: Profile) -> dict[str, Array]:
    if not counts.n:
        return {}
    # an F that is undefined is always multiplied by a share that is 0
    learnt, repeated, recovered = (np.nan_to_num(share) for share in counts.shares.values())
    label, true, predicted, both = (
        rows / counts.n for rows in (counts.labelled, counts.true, counts.predicted, counts.agreed)
    )
    overall = accuracy_bias(
        wrong=counts.wrong / counts.n,
        repeated=ratio(counts.repeated.sum(), counts.wrong) if counts.wrong else 0.0,
        recovered=ratio(counts.recovered.sum(), counts.wrong) if counts.wrong else 0.0,
    )
    of_precision = precision_bias(
        wrong_label=label - both,
        wrong_true=true - both,
        predicted=predicted,
        repeated=repeated,
        recovered=recovered,
    )
    of_recall = recall_bias(label=label, true=true, both=both, learnt=learnt, repeated=repeated, recovered=recovered)
    of_f1 = f1_bias(label=label, true=true, predicted=predicted, of_precision=of_precision, of_recall=of_recall)
    return {
        accuracy.name: overall,
        error.name: -overall,
        precision.name: of_precision,
        recall.name: of_recall,
        f1.name: of_f1,
    }
