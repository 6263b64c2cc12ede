"""Draws of the true classes, counted against predictions: what an evaluation against annotators rests on."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.annotators.answer_fit import AgreementCheck, AnswerFit
from justesse.annotators.bayesian import ASSUMPTIONS, LONGEST, MIXED, Draw, bayesian
from justesse.annotators.convergence import effective_size, split_rhat
from justesse.annotators.swapped_classes import GuessingCheck, WorseThanGuessing
from justesse.annotators.vote import MAJORITY, majority
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import AnswersMethod
from justesse.core.errors import InputError
from justesse.core.seeds import stream

CHAINS, DRAWS, BURN = 4, 250, 150
LARGEST = 40_000  # cells of the table of true class × prediction
APART = "given the true class, the classifier errs independently of the annotators"
BLIND = "given the answers, the predictions say nothing more about the true class"
SEPARATE = "an annotator's table is learnt from that annotator's answers alone"


@dataclass(frozen=True, eq=False)
class PredictedItems:
    """What classifiers predicted for each item: a code of the prediction, or of the predictions of two, -1 for none.

    In the model of annotators it is one more answer about the item with a table of its own: how often each code occurs
    given the true class. Two classifiers share a code, so that they may err together in any way.

    Parameters
    ----------
    code
        Code of each item, -1 where there is no prediction.
    n_codes
        Number of codes.
    right
        Code that is right for each class, -1 if there is none.
    """

    code: Array
    n_codes: int
    right: Array

    @property
    def n_items(self) -> int:
        return len(self.code)

    def table(self, label: Array) -> Array:
        """Count the items by true class and code.

        >>> items = PredictedItems(np.array([0, 1, 1, -1]), 2, np.array([0, 1]))
        >>> items.table(np.array([0, 0, 1, 1])).tolist()
        [[1, 1], [0, 1]]
        """
        known = self.code >= 0
        size = len(self.right) * self.n_codes
        counts = np.bincount(label[known] * self.n_codes + self.code[known], minlength=size)
        return counts.reshape(len(self.right), self.n_codes)

    def drawn_logs(self, label: Array, n_classes: int, rng: np.random.Generator) -> FloatArray:
        """Draw the table given the items' classes; return the log likelihoods, item × class."""
        prior = np.full((n_classes, self.n_codes), 1 / self.n_codes)
        known = np.flatnonzero(self.right >= 0)
        prior[known, self.right[known]] += 1
        gamma = rng.standard_gamma(self.table(label) + prior) + 1e-300
        logs = np.log(gamma / gamma.sum(axis=1, keepdims=True))
        return np.where(self.code[:, None] >= 0, logs.T[self.code], 0.0)


@dataclass(frozen=True, eq=False)
class TruthDraws:
    """Tables of true class × prediction code, one for each draw of the true classes from their posterior."""

    method: AnswersMethod
    tables: Array  # draw × class × code
    label: Array  # most probable class of each item
    assumptions: tuple[str, ...]
    rhat: float | None = None
    effective_size: float | None = None
    undecided: int = 0  # items left out because their votes are tied
    fit: AnswerFit | None = None  # whether the answers are as the model expects
    worse: tuple[WorseThanGuessing, ...] = ()  # annotators who are worse than guessing


def truth_draws(
    annotations: Annotations,
    predicted: PredictedItems,
    *,
    method: AnswersMethod = "hierarchical",
    answers_only: bool = False,
    chains: int = CHAINS,
    draws: int = DRAWS,
    burn: int = BURN,
    longest: int = LONGEST,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> TruthDraws:
    """Draw the true classes given the answers and the predictions, and count them against the predictions.

    The predictions must be in the model. Classes drawn from the answers alone are too far from the predictions: with
    an item that is 70 % probably of class a, even a perfect classifier would be counted as 58 % right.

    Parameters
    ----------
    annotations
        Who answered what.
    predicted
        The prediction of each item.
    method
        `hierarchical` draws annotators' tables from one population, `dawid-skene` learns each alone, `majority` takes
        the vote as the truth.
    answers_only
        Draw the classes from the answers alone.
    chains
        Number of chains of the Gibbs sampler.
    draws
        Draws kept of each chain.
    burn
        Draws left out at the start of each chain.
    longest
        How many times as long the chains may become if they have not mixed: they are run again, so much longer.
    seed
        Seed of the random draws.
    progress
        Called with the number of draws done and their total.

    Returns
    -------
    TruthDraws
        The tables, and how far to believe them.

    Examples
    --------
    >>> answers = [(item, who, "xy"[item % 2]) for item in range(40) for who in "abc"]
    >>> predicted = PredictedItems(np.array([0, 1] * 18 + [1, 0] * 2), 2, np.array([0, 1]))
    >>> truth_draws(Annotations.of(answers), predicted, draws=20).tables.mean(axis=0).round().tolist()
    [[18.0, 2.0], [2.0, 18.0]]
    """
    if annotations.n_classes * predicted.n_codes > LARGEST:
        raise InputError(
            f"{annotations.n_classes:,} classes are too many to evaluate against annotators. Infer the true classes "
            "with justesse annotators infer, and evaluate against them."
        )
    if method == "majority":
        return _by_vote(annotations, predicted)
    for longer in (1, longest) if longest > 1 else (1,):
        collected = _Collected(annotations, predicted, longer * chains * draws, seed)
        fit = bayesian(
            annotations,
            features=None if answers_only else predicted,
            pooled=method == "hierarchical",
            chains=chains,
            draws=longer * draws,
            burn=longer * burn,
            longest=1,
            seed=seed,
            progress=progress,
            each_draw=collected.see,
        )
        stacked = np.array(collected.tables)
        rhat, size = _mixing(stacked, predicted, chains)
        if rhat <= MIXED:
            break
    pooling = ASSUMPTIONS[2] if method == "hierarchical" else SEPARATE
    return TruthDraws(
        method,
        stacked,
        fit.label,
        (*ASSUMPTIONS[:2], pooling, BLIND if answers_only else APART),
        rhat,
        size,
        fit=collected.agreement.result(),
        worse=collected.guessing.result(),
    )


class _Collected:
    """What is kept of each draw: the table of true class × prediction, and whether the answers are as expected."""

    def __init__(self, annotations: Annotations, predicted: PredictedItems, draws: int, seed: int) -> None:
        self.annotations, self.predicted = annotations, predicted
        self.tables: list[Array] = []
        self.agreement = AgreementCheck(annotations, draws, stream(seed, "truth draws", "agreement"))
        self.guessing = GuessingCheck(annotations, stream(seed, "truth draws", "guessing"))

    def see(self, draw: Draw) -> None:
        label = _as_answered(draw.label, self.annotations)
        self.tables.append(self.predicted.table(label))
        self.agreement.see(draw)
        self.guessing.see(label)


def _as_answered(label: Array, annotations: Annotations) -> Array:
    """Rename the classes of a draw so that the annotators' answers are right as often as possible.

    The model is as likely with the classes renamed, and with weak annotators a chain may rename them.
    """
    k = annotations.n_classes
    counts = np.bincount(label[annotations.item] * k + annotations.answer, minlength=k * k).reshape(k, k)
    if (np.diagonal(counts) >= counts.max(axis=1)).all():
        return label
    from scipy.optimize import linear_sum_assignment

    names = linear_sum_assignment(-counts)[1]
    return np.asarray(names[label])


def _by_vote(annotations: Annotations, predicted: PredictedItems) -> TruthDraws:
    """Count the majority votes; items whose votes are tied are left out."""
    fit = majority(annotations)
    label, _, equal = fit.support.best(fit.shares)
    tied = (equal > 1) & (predicted.code >= 0)
    decided = PredictedItems(np.where(equal > 1, -1, predicted.code), predicted.n_codes, predicted.right)
    return TruthDraws("majority", decided.table(label)[None], label, (MAJORITY,), undecided=int(tied.sum()))


def _mixing(tables: Array, predicted: PredictedItems, chains: int) -> tuple[float, float]:
    """Give R-hat and the effective number of draws of the right predictions and of the items of each class."""
    known = np.flatnonzero(predicted.right >= 0)
    hits = tables[:, known, predicted.right[known]].sum(axis=1)
    quantities = np.column_stack([hits, tables.sum(axis=2)]).astype(float)
    quantities = quantities.reshape(chains, -1, quantities.shape[1])
    return float(split_rhat(quantities).max()), float(effective_size(quantities).min())
