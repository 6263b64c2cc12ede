"""Paired tests of all pairs of many models at once, from counts: independent rows, clusters, or a mean over tasks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.board_counts import BoardCounts, ClusterCounts
from justesse.core.errors import OptionError
from justesse.intervals.wilson import score_end
from justesse.significance.mcnemar import mcnemar_pvalues

EXACT, CLUSTERED, MACRO = "mcnemar-exact", "mcnemar-cr2", "task-mean-score"
SMALL = 1e-12
BLOCK = 4096  # clusters multiplied at once
STEPS = 60  # of bisection: p-values are exact to rounding


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """Scores of M models, the two-sided p-value of every pair, and how the errors of the scores go together.

    Parameters
    ----------
    scores
        Score of each model.
    pvalues
        Two-sided p-value of each pair: that both have the same score.
    covariance
        Covariance of the errors of the scores, up to a factor.
    test
        Name of the test.
    degrees
        Degrees of freedom of the covariance: with few or very unequal clusters it is uncertain.
    """

    scores: Array
    pvalues: Array
    covariance: Array
    test: str
    degrees: float = np.inf


def pair_evidence(counts: BoardCounts) -> PairEvidence:
    """Test all pairs by the rows that only one of the two gets right.

    Independent rows: McNemar's exact test. Clusters: the score statistic of `clustered_difference` and Student's t,
    with the cluster-robust variance CR2.

    A model that is right on all rows may still fail in whole clusters: chance may have left them out of the sample, and
    its spread over clusters does not show them. Against such a model the p-value is at least 2q:

        q^(1/G*) = U(q),   G* = n/max_g n_g

    The left side is the lowest accuracy of a model with G* clusters all right, the right side the upper end of the
    other's accuracy (`clustered_share`), each with q outside. A model that is wrong on all rows likewise.

    Notes
    -----
    Both are about a margin of 0, and see the labels as right. McNemar (1947); Bell and McCaffrey (2002).

    Examples
    --------
    >>> counts = BoardCounts(np.array([[80, 60], [60, 65]]), np.zeros((2, 2)), 100)
    >>> round(float(pair_evidence(counts).pvalues[0, 1]), 4)
    0.0041
    """
    only = counts.only
    scores = counts.right / counts.n
    if counts.clusters is None:
        return PairEvidence(scores, mcnemar_pvalues(only, only.T, method="exact"), counts.covariance, EXACT)
    return _clustered(counts.clusters, only + only.T, scores)


def task_mean_evidence(tasks: Sequence[BoardCounts]) -> PairEvidence:
    """Test all pairs by the mean of their scores over tasks, each task weighing the same.

        z = |d| / sqrt(v),   v = Σ_g a_g²,   a_g = Σ_t (right_gt of one - right_gt of the other) / (T·n_t)
        p = max(2Φ(-z), 2^(1-m)),   m = v² / Σ_g a_g⁴

    A row is its own cluster if there are none. v is the variance if either model is equally likely to win a row: it is
    never smaller than the centred one, so the test is conservative where tasks favour different models. m is about the
    number of clusters on which the two differ; no test by signs has a smaller p-value than 2^(1-m).

    Notes
    -----
    The tasks are fixed: it says nothing about other tasks (see `friedman`). Rows of different tasks are independent
    unless they share a cluster. With one task it is McNemar's χ² test.

    Examples
    --------
    >>> task = BoardCounts(np.array([[80, 60], [60, 65]]), np.zeros((2, 2)), 100)
    >>> round(float(task_mean_evidence([task]).pvalues[0, 1]), 4)
    0.0027
    """
    from scipy.special import ndtr

    if not tasks:
        raise OptionError("The mean over tasks needs at least one task; got none.")
    many = len(tasks)
    scores = np.mean([task.right / task.n for task in tasks], axis=0)
    if tasks[0].clusters is None:
        weights = [1 / (many * task.n) for task in tasks]
        apart = [task.only + task.only.T for task in tasks]
        second = sum((w**2 * rows for w, rows in zip(weights, apart, strict=True)), start=np.zeros(()))
        fourth = sum((w**4 * rows for w, rows in zip(weights, apart, strict=True)), start=np.zeros(()))
        covariance = sum((task.covariance / task.n for task in tasks), start=np.zeros(())) / many**2
    else:
        totals, expected = _task_totals(tasks, scores)
        _, second, fourth = _moments(_blocks(totals))
        covariance = _moments(_blocks(totals - expected))[0]
    gaps = np.abs(scores[:, None] - scores)
    varies = second > SMALL**2
    z = np.divide(gaps, np.sqrt(second), out=np.zeros_like(gaps), where=varies)
    worth = np.divide(second**2, fourth, out=np.ones_like(gaps), where=varies)
    pvalues = np.where(varies, np.minimum(1.0, np.maximum(2 * ndtr(-z), 2.0 ** (1 - worth))), 1.0)
    return PairEvidence(scores, pvalues, np.asarray(covariance), MACRO)


def _clustered(clusters: ClusterCounts, apart: Array, scores: Array) -> PairEvidence:
    """Compute for all pairs what `ClusterWorth` computes for one, and the cluster-robust covariance of the scores."""
    from scipy.special import stdtr

    sizes = np.asarray(clusters.sizes, dtype=float)
    n, largest = float(sizes.sum()), float(sizes.max())
    if len(sizes) < 2:
        return PairEvidence(scores, np.ones(apart.shape), np.zeros(apart.shape), CLUSTERED)
    left = 1 - sizes / n
    scale = n * np.sqrt(left)

    def centred() -> Iterator[Array]:
        for at in range(0, len(sizes), BLOCK):
            rows = slice(at, at + BLOCK)
            yield (clusters.right[rows] - np.outer(sizes[rows], scores)) / scale[rows, None]

    covariance, variance, fourth = _moments(centred())
    scaled = sizes**2 / left
    satterthwaite = n**2 / float((sizes**2).sum() + (scaled.sum() ** 2 - (scaled**2).sum()) / n**2)
    uneven = fourth - variance**2 / len(sizes)
    by_spread = np.divide(
        2 * variance**2,
        uneven,
        out=np.full(apart.shape, np.inf),
        where=uneven > SMALL * np.maximum(variance**2, 1e-300),
    )
    degrees = np.maximum(np.minimum(satterthwaite, by_spread), 1.0)
    gaps = np.abs(scores[:, None] - scores)
    spread = apart / n - gaps**2
    worth = np.minimum(n, np.divide(spread, variance, out=np.full(apart.shape, n), where=variance > SMALL**2))
    least = n / largest
    if least < 2:
        worth = np.minimum(worth, least)
    differ = apart > 0
    per_row = np.divide(gaps, np.sqrt(apart / n), out=np.zeros_like(gaps), where=differ)
    pvalues = 2 * stdtr(degrees, -per_row * np.sqrt(worth))
    if least >= 2:
        pvalues = np.minimum(pvalues, 2 * stdtr(least - 1, -per_row * np.sqrt(least - 1)))
    for wholly, shares in ((scores >= 1, scores), (scores <= 0, 1 - scores)):
        if wholly.any():
            at = int(np.argmax(wholly))  # such models do not vary: worth and degrees of the pair are those of the other
            own = _unseen_failures(shares, worth[at], degrees[at], least)
            between = np.where(wholly[:, None], own, own[:, None])
            pvalues = np.where(wholly[:, None] != wholly, np.maximum(pvalues, between), pvalues)
    pvalues = np.where(differ, np.minimum(pvalues, 1.0), 1.0)
    return PairEvidence(scores, pvalues, covariance, CLUSTERED, satterthwaite)


def _unseen_failures(shares: Array, worth: Array, degrees: Array, least: float) -> Array:
    """Compute the p-value that a model with all clusters right has an accuracy of each of the others.

    >>> _unseen_failures(np.array([0.9, 0.6]), np.array([150.0, 150.0]), np.array([19.0, 19.0]), 20.0).round(4).tolist()
    [0.3775, 0.0031]
    """
    from scipy.special import stdtrit

    worth = np.where(shares > 0, worth, least)
    low, high = np.full(len(shares), -690.0), np.full(len(shares), np.log(0.5))
    for _ in range(STEPS):
        middle = (low + high) / 2
        tail = np.exp(middle)
        far = -stdtrit(degrees, tail)
        rows = worth
        if least >= 2:  # never wider than with clusters of the largest size whose rows are all equal
            rows = np.maximum(rows, (least - 1) * (far / np.minimum(stdtrit(least - 1, tail), -SMALL)) ** 2)
        reached = np.exp(middle / least) > score_end(shares * rows, rows, far)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return np.asarray(2 * np.exp(high))


def _blocks(rows: Array) -> Iterator[Array]:
    """Yield some rows at a time."""
    for at in range(0, len(rows), BLOCK):
        yield rows[at : at + BLOCK]


def _moments(blocks: Iterable[Array]) -> tuple[Array, Array, Array]:
    """Add up products of two columns, and the squares and fourth powers of the differences between two columns."""
    products = mixed = crossed = np.zeros(())
    for rows in blocks:
        squares = rows**2
        products = products + rows.T @ rows
        mixed, crossed = mixed + (squares * rows).T @ rows, crossed + squares.T @ squares
    own, fourth = np.diagonal(products), np.diagonal(crossed)
    return (
        products,
        np.maximum(own[:, None] + own - 2 * products, 0.0),
        np.maximum(fourth[:, None] + fourth - 4 * (mixed + mixed.T) + 6 * crossed, 0.0),
    )


def _task_totals(tasks: Sequence[BoardCounts], scores: Array) -> tuple[Array, Array]:
    """Add up over tasks how much each cluster adds to the mean of each model, and how much it should by its size."""
    parts = [task.clusters for task in tasks if task.clusters is not None]
    if len(parts) < len(tasks):
        raise OptionError("All tasks need their clusters, or none.")
    groups = 1 + max(int(part.codes.max(initial=0)) for part in parts)
    totals = np.zeros((groups, len(scores)))
    expected = np.zeros_like(totals)
    for task, part in zip(tasks, parts, strict=True):
        weight = 1 / (len(tasks) * task.n)
        totals[part.codes] += part.right * weight
        expected[part.codes] += np.outer(part.sizes * weight, task.right / task.n)
    return totals, expected
