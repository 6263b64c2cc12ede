"""Linear models whose loss allows for wrong training labels: corrected by a transition table, or bounded."""

from typing import Any, Literal, get_args

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError

Loss = Literal["forward", "backward", "bounded"]
FOLDS = 3  # to estimate the transition table
TINY = 1e-12


class NoiseTolerant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a linear softmax model p = softmax(Wx + b) to labels of which some are wrong.

        forward    -log Σ_i p_i·T_iy               the model of the true class, seen through the table T
        backward   -Σ_i (T⁻¹)_yi·log p_i           its mean over wrong labels is the loss on the true class
        bounded    (1 - p_y^q) / q,  q = 0.7       no row can cost more than 1/q

    each summed over the rows, plus |W|²/(2C). T_ij is the chance that true class i is labelled j. Without a table it is
    estimated: T_ij is the share labelled j of the rows that bounded models, trained on other rows, predict as i. So
    mistakes of the model count as noise, and the table is rough with few rows or many classes. Do not use it if the
    noise depends on more than the class: the table is then wrong everywhere.

    Parameters
    ----------
    loss
        `forward`, `backward` or `bounded`.
    transition
        Row-stochastic table of true classes (rows) and labels (columns), classes in sorted order. Default: estimated.
    C
        Inverse strength of the penalty, as in logistic regression.
    q
        How far the bounded loss is from the log loss (near 0) towards the plain error (1).

    References
    ----------
    Patrini et al. (2017); Zhang and Sabuncu (2018); Benjelloun (2021), 3.4.1.

    Examples
    --------
    >>> x = np.r_[np.linspace(0, 1, 20), np.linspace(2, 3, 20)][:, None]
    >>> y = np.repeat([0, 1], 20)
    >>> y[:6] = 1
    >>> model = NoiseTolerant("forward", transition=[[0.7, 0.3], [0.0, 1.0]]).fit(x, y)
    >>> int((model.predict(x) == np.repeat([0, 1], 20)).sum())
    40
    """

    def __init__(self, loss: Loss = "forward", transition: Any = None, C: float = 1.0, q: float = 0.7) -> None:  # noqa: N803
        self.loss = loss
        self.transition = transition
        self.C = C
        self.q = q

    def fit(self, x: Any, y: Any, sample_weight: Any = None) -> "NoiseTolerant":
        """Fit by L-BFGS, from the plain model.

        Parameters
        ----------
        x
            Features, on comparable scales.
        y
            Labels.
        sample_weight
            Weight of each row.
        """
        if self.loss not in get_args(Loss):
            raise OptionError(f"loss must be one of {', '.join(get_args(Loss))}; got {self.loss!r}.")
        if not 0 < self.q <= 1 or not self.C > 0:
            raise OptionError(f"q must lie between 0 and 1 and C above 0; got q={self.q!r} and C={self.C!r}.")
        values, y = validate_data(self, x, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k = len(self.classes_)
        if k < 2:
            raise ValueError(f"The labels have one class, {self.classes_[0]!r}; at least two are needed.")
        weights = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        start = self._minimised(values, codes, weights, np.eye(k), "forward", np.zeros((values.shape[1] + 1, k)))
        self.transition_ = np.eye(k) if self.loss == "bounded" else self._table(values, codes, weights, k)
        self.coef_ = self._minimised(values, codes, weights, self.transition_, self.loss, start)
        return self

    def predict_proba(self, x: Any) -> FloatArray:
        """Give the probability of each true class."""
        check_is_fitted(self)
        return _softmax(_scores(validate_data(self, x, reset=False, dtype=np.float64), self.coef_))

    def predict(self, x: Any) -> Array:
        """Give the most probable true class."""
        return np.asarray(self.classes_[self.predict_proba(x).argmax(axis=1)])

    def _table(self, x: FloatArray, codes: Array, weights: FloatArray, k: int) -> FloatArray:
        if self.transition is None:
            return answered_table(self._out_of_sample(x, codes, weights, k), codes, k)
        table = np.asarray(self.transition, dtype=float)
        if table.shape != (k, k) or not np.all(table >= 0) or not np.allclose(table.sum(axis=1), 1, atol=1e-6):
            raise OptionError(
                f"transition needs {k} rows of {k} shares that add up to 1, one row for each class of the training "
                f"labels; got shape {table.shape}."
            )
        if self.loss == "backward" and abs(np.linalg.det(table)) < TINY:
            raise OptionError("The transition table cannot be inverted. Use the loss forward.")
        return table

    def _out_of_sample(self, x: FloatArray, codes: Array, weights: FloatArray, k: int) -> Array:
        """Predict each row by a bounded model that was trained on the other folds."""
        order = np.argsort(codes, kind="stable")  # rows of each class in turn, so that every fold has its share
        fold = np.empty(len(codes), dtype=np.int64)
        fold[order] = np.arange(len(codes)) % FOLDS
        answers, nothing = np.empty(len(codes), dtype=np.int64), np.zeros((x.shape[1] + 1, k))
        for at in range(FOLDS):
            own, rest = fold == at, fold != at
            fitted = nothing
            for loss in ("forward", "bounded"):
                fitted = self._minimised(x[rest], codes[rest], weights[rest], np.eye(k), loss, fitted)
            answers[own] = _scores(x[own], fitted).argmax(axis=1)
        return answers

    def _minimised(
        self, x: FloatArray, codes: Array, weights: FloatArray, table: FloatArray, loss: Loss, start: FloatArray
    ) -> FloatArray:
        from scipy.optimize import minimize

        rows, k = np.arange(len(codes)), len(table)
        columns = table[:, codes].T  # chance of each row's label, by true class
        inverse = np.linalg.inv(table)[codes] if loss == "backward" else columns

        def value(point: FloatArray) -> tuple[float, FloatArray]:
            coefficients = point.reshape(-1, k)
            scores = _scores(x, coefficients)
            p = _softmax(scores)
            if loss == "forward":
                seen = np.maximum((p * columns).sum(axis=1), TINY)
                each, slope = -np.log(seen), p * (1 - columns / seen[:, None])
            elif loss == "backward":
                each = -(inverse * np.log(np.maximum(p, TINY))).sum(axis=1)
                slope = p - inverse
            else:
                own = np.maximum(p[rows, codes], TINY)
                each = (1 - own**self.q) / self.q
                slope = p * (own**self.q)[:, None]
                slope[rows, codes] -= own**self.q
            slope = slope * weights[:, None]
            penalty = coefficients[:-1] / self.C
            total = float(weights @ each) + float((coefficients[:-1] * penalty).sum()) / 2
            return total, np.vstack([x.T @ slope + penalty, slope.sum(axis=0)]).ravel()

        done = minimize(value, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 1000})
        return np.asarray(done.x).reshape(-1, k)


def answered_table(answers: Array, labels: Array, classes: int) -> FloatArray:
    """Estimate a transition table: shares of the labels among the rows with each answer, and one more right row.

    Parameters
    ----------
    answers
        Code of the class that models not trained on the row predict.
    labels
        Code of each row's label.
    classes
        Number of classes.

    >>> answered_table(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), 2).tolist()
    [[0.75, 0.25], [0.0, 1.0]]
    """
    counts = np.bincount(answers * classes + labels, minlength=classes**2).reshape(classes, classes) + np.eye(classes)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _scores(x: FloatArray, coefficients: FloatArray) -> FloatArray:
    return np.asarray(x @ coefficients[:-1] + coefficients[-1])


def _softmax(scores: FloatArray) -> FloatArray:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
