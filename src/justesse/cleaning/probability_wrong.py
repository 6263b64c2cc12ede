"""The probability that each label is wrong, and what it rests on."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.cleaning.confident_joint import confident_joint
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.suspicion import Suspicion
from justesse.core.arrays import Array, FloatArray

Basis = Literal["audited rows", "annotators' answers", "confident joint", "nothing"]
EDGE = 1e-4  # shares of votes may be 0 and 1, whose log odds are infinite
STEPS = 60
PULL = np.array([1e-3, 1.0])  # how strongly the line is drawn to the score as it is, as so many rows would


@dataclass(frozen=True, eq=False)
class ProbabilityWrong:
    """A probability for each row (NaN if nothing gives one), what it rests on, and the figures behind it.

    `rates` are the shares of wrong labels of each label that the probabilities add up to, NaN without rows.
    """

    values: FloatArray
    basis: Basis
    rates: FloatArray
    rate: float
    audited: int = 0
    audited_wrong: int = 0


@dataclass(frozen=True, eq=False)
class AuditedRows:
    """Rows whose true class is known: their numbers, whether the label is wrong, and the chance of each to be asked."""

    rows: Array
    wrong: Array
    chances: FloatArray


def probability_wrong(
    evidence: LabelEvidence, suspicion: Suspicion, audited: AuditedRows | None = None
) -> ProbabilityWrong:
    """Turn scores into probabilities that the label is wrong.

        audited rows      log odds = a + b·log odds of the score, fitted to the audited rows, each weighted by 1/chance
        answers           1 - P(true class = label | answers), by the model of the annotators
        confident joint   log odds = a_i + log odds of 1 - share of the label; a_i gives each label i the share of wrong
                          labels of the confident joint, (n_i - Q_ii + 1/2)/(n_i + 1)

    Only audited rows tell how often the filter is right. The other two are as good as the model behind them: on
    CIFAR-10 the confident joint has 2.8 % wrong labels where people found 0.8 % (docs/how-to/clean.md).
    Platt (1999); Northcutt, Jiang and Chuang (2021).

    >>> p = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    >>> from justesse.cleaning.confident_learning import look
    >>> rows = LabelEvidence(np.array([0, 0, 0, 1, 1]), ("cat", "dog"), p)
    >>> probability_wrong(rows, look(rows)).values.round(2).tolist()
    [0.08, 0.17, 0.88, 0.13, 0.2]
    """
    if audited is not None and len(audited.rows):
        values = _platt(suspicion.score, audited)
        more = {"audited": len(audited.rows), "audited_wrong": int(audited.wrong.sum())}
        return _with_rates(evidence, values, "audited rows", **more)
    if suspicion.wrong is not None:
        return _with_rates(evidence, suspicion.wrong, "annotators' answers")
    if suspicion.shares is not None:
        return _with_rates(evidence, _by_joint(evidence, suspicion.shares), "confident joint")
    return _with_rates(evidence, np.full(evidence.n, np.nan), "nothing")


def _with_rates(evidence: LabelEvidence, values: FloatArray, basis: Basis, **more: int) -> ProbabilityWrong:
    rows = evidence.counts
    known = np.isfinite(values)
    sums = np.bincount(evidence.labels[known], weights=values[known], minlength=len(rows))
    numbers = np.bincount(evidence.labels[known], minlength=len(rows))
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = np.where(numbers > 0, sums / numbers, np.nan)
    rate = float(values[known].mean()) if known.any() else np.nan
    return ProbabilityWrong(values, basis, rates, rate, **more)


def _by_joint(evidence: LabelEvidence, shares: FloatArray) -> FloatArray:
    joint, rows = confident_joint(evidence.labels, shares), evidence.counts
    odds = log_odds(1 - evidence.own(shares))
    values = np.empty(evidence.n)
    for label in np.flatnonzero(rows):
        own = evidence.labels == label
        rate = (rows[label] - joint.counts[label, label] + 0.5) / (rows[label] + 1)
        values[own] = _shifted(odds[own], float(rate))
    return values


def _shifted(odds: FloatArray, rate: float) -> FloatArray:
    """Move log odds by one number so that the probabilities have this mean.

    >>> _shifted(np.array([-1.0, 1.0]), 0.5).round(3).tolist()
    [0.269, 0.731]
    """
    low, high = -40.0 - float(odds.max()), 40.0 - float(odds.min())
    for _ in range(STEPS):
        middle = (low + high) / 2
        if sigmoid(odds + middle).mean() < rate:
            low = middle
        else:
            high = middle
    return sigmoid(odds + (low + high) / 2)


def _platt(score: FloatArray, audited: AuditedRows) -> FloatArray:
    """Fit a line to the log odds by Newton's method; the slope is drawn to 1 and the targets are kept from 0 and 1."""
    odds = log_odds(score)
    x, wrong = odds[audited.rows], np.asarray(audited.wrong, dtype=float)
    weights = 1 / np.asarray(audited.chances, dtype=float)
    weights = weights / weights.mean()
    many = float(wrong.sum())
    target = np.where(wrong > 0, (many + 1) / (many + 2), 1 / (len(wrong) - many + 2))
    design = np.column_stack([np.ones_like(x), x])
    theta, start = np.array([0.0, 1.0]), np.array([0.0, 1.0])

    def loss(point: FloatArray) -> float:
        odds_there = design @ point
        surprise = np.logaddexp(0, odds_there) - target * odds_there
        return float(weights @ surprise + PULL @ (point - start) ** 2 / 2)

    for _ in range(STEPS):
        fitted = sigmoid(design @ theta)
        slope = design.T @ (weights * (target - fitted)) - PULL * (theta - start)
        curve = (design * (weights * fitted * (1 - fitted))[:, None]).T @ design + np.diag(PULL)
        step, now = np.linalg.solve(curve, slope), loss(theta)
        while loss(theta + step) > now and np.abs(step).max() > 1e-10:
            step = step / 2
        theta = theta + step
        if np.abs(step).max() < 1e-10:
            break
    # a score that is no help must not turn the order of the rows around
    return sigmoid(theta[0] + max(theta[1], 0.0) * odds)


def log_odds(share: FloatArray) -> FloatArray:
    """Give log(p / (1 - p)), for shares kept from 0 and 1."""
    kept = np.clip(share, EDGE, 1 - EDGE)
    return np.asarray(np.log(kept) - np.log1p(-kept))


def sigmoid(odds: FloatArray) -> FloatArray:
    """Give the share of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))
