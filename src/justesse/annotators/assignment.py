"""Whom to ask about which item next: where an answer is expected to improve the consensus most for its price."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError, OptionError

AT_ONCE = 4_000_000  # numbers handled at once


@dataclass(frozen=True)
class NextQuestion:
    """An item and an annotator, by codes; `gain` is the expected rise of the chance that the consensus is right."""

    item: int
    annotator: int
    gain: float
    price: float


def usual_tables(fit: Consensus, *, prior: float = 4.0) -> FloatArray:
    """Give each annotator's table, class × answer, drawn towards the usual one by `prior` answers of each class.

    An annotator with few answers is taken for a usual one, not for a perfect or hopeless one.
    """
    support = fit.support
    if not support.whole:
        raise InputError("Choosing questions needs tables of all annotators; there are too many annotators or classes.")
    counts = np.asarray(support.tables.counts(fit.shares)).transpose(0, 2, 1)
    usual = counts.sum(axis=0) + 1.0 / counts.shape[1] + np.eye(counts.shape[1])
    usual /= usual.sum(axis=1, keepdims=True)
    smooth = counts + prior * usual
    return np.asarray(smooth / smooth.sum(axis=2, keepdims=True))


def expected_gains(fit: Consensus, items: Array, tables: FloatArray) -> FloatArray:
    """Compute, items × annotators, how much one more answer is expected to raise the consensus' chance to be right.

    Now the consensus of an item is right with chance max_k p_k. After answer a of annotator j it is right with chance
    max_k p_k π_j(k, a) / P(a), so that on average over a: sum_a max_k p_k π_j(k, a). The gain is never negative.
    """
    shares = fit.dense()[items]
    now = shares.max(axis=1)
    people, k, _ = tables.shape
    gains = np.empty((len(items), people))
    step = max(AT_ONCE // (k * k), 1)
    for annotator in range(people):
        for begin in range(0, len(items), step):
            part = shares[begin : begin + step]
            after = (part[:, :, None] * tables[annotator]).max(axis=1).sum(axis=1)
            gains[begin : begin + step, annotator] = after - now[begin : begin + step]
    return np.maximum(gains, 0.0)


def next_questions(
    fit: Consensus, *, number: int = 10, prices: Sequence[float] | None = None, again: bool = False
) -> list[NextQuestion]:
    """Choose questions by expected gain per price, at most one per item, best first.

    An annotator is not asked twice about an item unless `again`. Where no single answer can change the consensus of an
    item (all gains 0), the items with the lowest probability come first and the annotators by their accuracy: two
    answers may change what one cannot.
    """
    notes = fit.support.annotations
    cost = np.ones(notes.n_annotators) if prices is None else np.asarray(prices, dtype=float)
    if len(cost) != notes.n_annotators or not (cost > 0).all():
        raise OptionError(f"One price above 0 is needed for each of {notes.n_annotators} annotators.")
    if number < 1:
        raise OptionError(f"The number of questions must be 1 or more; got {number!r}.")
    tables = usual_tables(fit)
    doubt = 1 - fit.probability
    if notes.gold is not None:
        doubt = np.where(notes.gold >= 0, -1.0, doubt)
    candidates = np.argsort(-doubt, kind="stable")[: max(20 * number, 200)]
    candidates = candidates[doubt[candidates] > 0]
    gains = expected_gains(fit, candidates, tables)
    informed = np.einsum("k,jkk->j", fit.proportions, tables)
    rank = (gains + 1e-9 * doubt[candidates][:, None] * informed[None, :]) / cost
    if not again:
        position = np.full(notes.n_items, -1)
        position[candidates] = np.arange(len(candidates))
        asked = position[notes.item] >= 0
        rank[position[notes.item[asked]], notes.annotator[asked]] = -np.inf
    who = rank.argmax(axis=1) if len(candidates) else np.array([], dtype=int)
    best = rank[np.arange(len(candidates)), who] if len(candidates) else np.array([])
    order = np.argsort(-best, kind="stable")[:number]
    return [
        NextQuestion(int(candidates[at]), int(who[at]), float(gains[at, who[at]]), float(cost[who[at]]))
        for at in order
        if np.isfinite(best[at])
    ]
