"""Forgetting and transfer of a score matrix, under every published convention by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Interval

DECIMALS = 12


@dataclass(frozen=True)
class TransferConvention:
    """One published figure of a score matrix.

    Parameters
    ----------
    name
        Name of the figure, such as "forgetting".
    source
        Who defines it so.
    formula
        The definition; R[i, j] is the score of version i on period j, both from 1 to T.
    weights
        Function of the number of periods T that returns the weight of each score, versions down, in a linear figure or
        in the backward transfer that the figure follows from. `None` for the fall from the best version of each period.
    needs
        The reference it needs: "start", the scores before any training, or "joint", the scores of a model trained on
        all data up to each period at once.
    of_reference
        Function of T that returns the weight of each score of that reference.
    shape
        What follows from the weighted sum of scores: the figure itself ("linear"), or "remembering" or "positive"
        backward transfer.
    """

    name: str
    source: str
    formula: str
    weights: Callable[[int], FloatArray] | None
    needs: Literal["start", "joint"] | None = None
    of_reference: Callable[[int], FloatArray] = np.zeros
    shape: Literal["linear", "remembering", "positive"] = "linear"

    def value(self, scores: FloatArray, reference: FloatArray) -> float:
        """Compute the figure of a square matrix of scores and those of the reference; NaN if a score is missing.

        Rounding errors are cut off, so that figures that are equal are also written alike.
        """
        if self.weights is None:
            return round(_fall_from_best(scores), DECIMALS)
        weights, of_reference = self.weights(len(scores)), self.of_reference(len(scores))
        used, needed = weights != 0, of_reference != 0
        linear = float(weights[used] @ scores[used] + of_reference[needed] @ reference[needed])
        return round(followed(self, linear), DECIMALS)


def _mean(inside: ArrayLike) -> FloatArray:
    """Weights of the mean of some scores."""
    part = np.asarray(inside, dtype=float)
    return np.asarray(part / part.sum())


def _last(size: int) -> FloatArray:
    """Weights of the mean score of the last version."""
    return _mean(np.arange(size)[:, None] == np.full(size, size - 1))


def _own(size: int) -> FloatArray:
    """Weights of the mean score of each version on its own period."""
    return np.eye(size) / size


def _next(size: int) -> FloatArray:
    """Weights of the mean score of each version on the period after its own."""
    return _mean(np.eye(size, k=1))


def _below(size: int) -> FloatArray:
    """Weights of the mean score of versions on periods before their own."""
    return _mean(np.tri(size, k=-1))


def _above(size: int) -> FloatArray:
    """Weights of the mean score of versions on periods after their own."""
    return _mean(np.tri(size, k=-1).T)


def _lost(size: int) -> FloatArray:
    """Weights of the mean over periods before the last: score just after its own version, minus that of the last."""
    fall = np.eye(size)
    fall[-1] -= 1.0
    return fall / (size - 1)


def _backward(size: int) -> FloatArray:
    """Weights of the mean of R[i, j] - R[j, j] over all versions i after period j."""
    below = _below(size)
    return below - np.diag(below.sum(axis=0))


def _after_first(size: int) -> FloatArray:
    """Weights of the mean score of the reference on all periods but the first."""
    return _mean(np.arange(size) > 0)


def _fall_from_best(scores: FloatArray) -> float:
    """Mean fall of each period but the last, from its best score among earlier versions to that of the last."""
    return float(np.mean(scores[:-1, :-1].max(axis=0) - scores[-1, :-1]))


GEM, DIAZ, CLEAR = "GEM (Lopez-Paz and Ranzato 2017)", "Díaz-Rodríguez et al. (2018)", "CLEAR (Lin et al. 2021)"
CHAUDHRY = "Chaudhry et al. (2018)"
NEEDS = {
    "start": "needs the scores before any training (untrained=…, --untrained)",
    "joint": "needs the scores of a jointly trained model (joint=…, --joint)",
}
SCORE_MISSING = "a score is missing"
ALL = (
    TransferConvention("final accuracy", GEM, "mean of R[T, j]", _last),
    TransferConvention(
        "backward transfer", "GEM, paper", "sum of R[T, j] - R[j, j] for j < T, over T - 1", lambda t: -_lost(t)
    ),
    TransferConvention("backward transfer", "GEM, code", "the same sum, over T", lambda t: -_lost(t) * (t - 1) / t),
    TransferConvention(
        "forward transfer",
        "GEM, paper",
        "sum of R[j-1, j] - b[j] for j > 1, over T - 1",
        _next,
        needs="start",
        of_reference=lambda t: -_after_first(t),
    ),
    TransferConvention(
        "forward transfer",
        "GEM, code",
        "the same sum, over T",
        lambda t: _next(t) * (t - 1) / t,
        needs="start",
        of_reference=lambda t: -_after_first(t) * (t - 1) / t,
    ),
    TransferConvention(
        "backward transfer", f"{DIAZ}, Continuum, CapyMOA", "mean of R[i, j] - R[j, j] for i > j", _backward
    ),
    TransferConvention("remembering", DIAZ, "1 - |min(backward transfer, 0)|", _backward, shape="remembering"),
    TransferConvention("positive backward transfer", DIAZ, "max(backward transfer, 0)", _backward, shape="positive"),
    TransferConvention("accuracy", f"{DIAZ}, Continuum", "mean of R[i, j] for i >= j", lambda t: _mean(np.tri(t))),
    TransferConvention("forward transfer", f"{DIAZ}, CapyMOA; CLEAR", "mean of R[i, j] for i < j", _above),
    TransferConvention("forward transfer", "Continuum; next domain of CLEAR", "mean of R[j-1, j] for j > 1", _next),
    TransferConvention("forgetting", CHAUDHRY, "mean of max over i < T of R[i, j] - R[T, j], for j < T", None),
    TransferConvention("forgetting", "Avalanche", "mean of R[j, j] - R[T, j] for j < T", _lost),
    TransferConvention("in-domain accuracy", CLEAR, "mean of R[j, j]", _own),
    TransferConvention("plasticity", "learning accuracy, Riemer et al. (2019)", "mean of R[j, j]", _own),
    TransferConvention("backward transfer", CLEAR, "mean of R[i, j] for i > j", _below),
    TransferConvention(
        "intransigence",
        f"{CHAUDHRY}, last period",
        "J[T] - R[T, T]",
        lambda t: -np.diag(np.eye(t)[-1]),
        needs="joint",
        of_reference=lambda t: np.eye(t)[-1],
    ),
    TransferConvention(
        "intransigence",
        f"{CHAUDHRY}, mean over periods",
        "mean of J[j] - R[j, j]",
        lambda t: -_own(t),
        needs="joint",
        of_reference=lambda t: np.full(t, 1 / t),
    ),
)


def followed(convention: TransferConvention, value: float) -> float:
    """Turn the linear figure that a figure follows from into the figure itself.

    >>> [followed(convention, -0.1) for convention in ALL if convention.shape in ("remembering", "positive")]
    [0.9, 0.0]
    """
    if convention.shape == "remembering":
        return 1 - abs(min(value, 0.0))
    return max(value, 0.0) if convention.shape == "positive" else value


@dataclass(frozen=True)
class TransferFigure:
    """A figure of a score matrix under one convention; NaN, with the reason, if it cannot be computed.

    `bounds` are its lowest and highest value where labels are missing, `sharp` if both can be reached.
    """

    name: str
    source: str
    formula: str
    value: float
    undefined: str | None = None
    interval: Interval | None = None
    bounds: tuple[float, float] | None = None
    sharp: bool = True


def transfer_figures(
    scores: ArrayLike, *, start: ArrayLike | None = None, joint: ArrayLike | None = None
) -> list[TransferFigure]:
    """Compute forgetting and transfer of a square matrix of scores under every convention.

    Parameters
    ----------
    scores
        Scores for which higher is better, version i down and period i across; version i was trained on period i.
    start
        Scores on each period before any training, b. Only the forward transfer of GEM needs them.
    joint
        Score on each period j of a model trained on all data up to j at once, J. Only intransigence needs them.

    Returns
    -------
    list of TransferFigure
        The same name under two conventions may differ even in sign: quote the convention.

    >>> figures = transfer_figures([[0.9, 0.4], [0.8, 0.92]])
    >>> [(figure.source, round(figure.value, 2)) for figure in figures if figure.name == "forgetting"]
    [('Chaudhry et al. (2018)', 0.1), ('Avalanche', 0.1)]
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise OptionError(
            "Transfer needs as many versions as periods, version i trained on period i; got a matrix of "
            f"{values.shape}."
        )
    references: dict[str | None, FloatArray] = {None: np.full(len(values), np.nan)}
    for name, reference in (("start", start), ("joint", joint)):
        if reference is not None:
            references[name] = np.asarray(reference, dtype=float)
            if references[name].shape != (len(values),):
                raise OptionError(f"The scores of {name} need one number for each of the {len(values)} periods.")
    figures = []
    for convention in ALL:
        reason = None
        if len(values) < 2:
            reason = "one period shows no transfer"
        elif convention.needs not in references:
            reason = NEEDS[str(convention.needs)]
        value = np.nan if reason else convention.value(values, references[convention.needs])
        if reason is None and np.isnan(value):
            reason = SCORE_MISSING
        figures.append(TransferFigure(convention.name, convention.source, convention.formula, float(value), reason))
    return figures
