"""Forgetting and transfer of a score matrix, under every published convention by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Interval


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
    value
        Function of the scores, and of the scores of the reference that it needs, that returns the figure.
    needs
        The reference it needs: "start", the scores before any training, or "joint", the scores of a model trained on
        all data up to each period at once.
    shape
        How it depends on the scores: "linear", "remembering" or "positive" (of the linear backward transfer) or "best"
        (the fall from the best version of each period).
    """

    name: str
    source: str
    formula: str
    value: Callable[[FloatArray, FloatArray], float]
    needs: Literal["start", "joint"] | None = None
    shape: Literal["linear", "remembering", "positive", "best"] = "linear"


def _below(scores: FloatArray) -> FloatArray:
    """Scores of versions on periods before their own."""
    return scores[np.tril_indices(len(scores), -1)]


def _above(scores: FloatArray) -> FloatArray:
    """Scores of versions on periods after their own."""
    return scores[np.triu_indices(len(scores), 1)]


def _losses(scores: FloatArray) -> FloatArray:
    """Score of each period just after its own version minus its score with the last version."""
    return np.asarray(np.diag(scores) - scores[-1])


def mean_backward(scores: FloatArray) -> float:
    """Mean of R[i, j] - R[j, j] over all versions i after period j."""
    rows, columns = np.tril_indices(len(scores), -1)
    return float(np.mean(scores[rows, columns] - scores[columns, columns]))


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
    TransferConvention("final accuracy", GEM, "mean of R[T, j]", lambda r, b: float(r[-1].mean())),
    TransferConvention(
        "backward transfer",
        "GEM, paper",
        "sum of R[T, j] - R[j, j] for j < T, over T - 1",
        lambda r, b: float(-_losses(r)[:-1].mean()),
    ),
    TransferConvention(
        "backward transfer", "GEM, code", "the same sum, over T", lambda r, b: float(-_losses(r)[:-1].sum() / len(r))
    ),
    TransferConvention(
        "forward transfer",
        "GEM, paper",
        "sum of R[j-1, j] - b[j] for j > 1, over T - 1",
        lambda r, b: float((np.diag(r, 1) - b[1:]).mean()),
        needs="start",
    ),
    TransferConvention(
        "forward transfer",
        "GEM, code",
        "the same sum, over T",
        lambda r, b: float((np.diag(r, 1) - b[1:]).sum() / len(r)),
        needs="start",
    ),
    TransferConvention(
        "backward transfer",
        f"{DIAZ}, Continuum, CapyMOA",
        "mean of R[i, j] - R[j, j] for i > j",
        lambda r, b: mean_backward(r),
    ),
    TransferConvention(
        "remembering",
        DIAZ,
        "1 - |min(backward transfer, 0)|",
        lambda r, b: 1 - abs(min(mean_backward(r), 0.0)),
        shape="remembering",
    ),
    TransferConvention(
        "positive backward transfer",
        DIAZ,
        "max(backward transfer, 0)",
        lambda r, b: max(mean_backward(r), 0.0),
        shape="positive",
    ),
    TransferConvention(
        "accuracy",
        f"{DIAZ}, Continuum",
        "mean of R[i, j] for i >= j",
        lambda r, b: float(np.mean(r[np.tril_indices(len(r))])),
    ),
    TransferConvention(
        "forward transfer", f"{DIAZ}, CapyMOA; CLEAR", "mean of R[i, j] for i < j", lambda r, b: float(_above(r).mean())
    ),
    TransferConvention(
        "forward transfer",
        "Continuum; next domain of CLEAR",
        "mean of R[j-1, j] for j > 1",
        lambda r, b: float(np.diag(r, 1).mean()),
    ),
    TransferConvention(
        "forgetting",
        CHAUDHRY,
        "mean of max over i < T of R[i, j] - R[T, j], for j < T",
        lambda r, b: _fall_from_best(r),
        shape="best",
    ),
    TransferConvention(
        "forgetting", "Avalanche", "mean of R[j, j] - R[T, j] for j < T", lambda r, b: float(_losses(r)[:-1].mean())
    ),
    TransferConvention("in-domain accuracy", CLEAR, "mean of R[j, j]", lambda r, b: float(np.diag(r).mean())),
    TransferConvention(
        "plasticity",
        "learning accuracy, Riemer et al. (2019)",
        "mean of R[j, j]",
        lambda r, b: float(np.diag(r).mean()),
    ),
    TransferConvention("backward transfer", CLEAR, "mean of R[i, j] for i > j", lambda r, b: float(_below(r).mean())),
    TransferConvention(
        "intransigence",
        f"{CHAUDHRY}, last period",
        "J[T] - R[T, T]",
        lambda r, b: float(b[-1] - r[-1, -1]),
        needs="joint",
    ),
    TransferConvention(
        "intransigence",
        f"{CHAUDHRY}, mean over periods",
        "mean of J[j] - R[j, j]",
        lambda r, b: float((b - np.diag(r)).mean()),
        needs="joint",
    ),
)


@cache
def coefficients(convention: TransferConvention, size: int) -> tuple[FloatArray, FloatArray]:
    """Find the weight of each score in a linear figure, or in the backward transfer that it follows from.

    Parameters
    ----------
    convention
        The figure.
    size
        Number of versions and periods.

    Returns
    -------
    tuple
        Weights of the scores, versions down, and weights of the scores of the reference it needs.

    >>> [part.tolist() for part in coefficients(ALL[1], 2)]
    [[[-1.0, 0.0], [1.0, 0.0]], [0.0, 0.0]]
    """
    weights, of_reference, none = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    follows = convention.shape in ("remembering", "positive")
    for at in np.ndindex(size, size):
        unit = np.zeros((size, size))
        unit[at] = 1.0
        weights[at] = mean_backward(unit) if follows else convention.value(unit, none)
    if convention.needs:
        for period, row in enumerate(np.eye(size)):
            of_reference[period] = convention.value(np.zeros((size, size)), row)
    return weights + 0.0, of_reference + 0.0  # without -0.0


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
