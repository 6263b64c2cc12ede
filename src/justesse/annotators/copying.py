"""Dawid and Skene's model with annotators who share opinions: some answers repeat another's, whatever is true.

Each group of dependent annotators is a tree. Given the true class, an annotator with a neighbour nearer to the root
gives that neighbour's answer with chance c, and otherwise answers by their own table. With c = 0 this is Dawid and
Skene's model; with c = 1 the answer adds nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.support import TINY, Support, WholeTables
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError

ASSUMPTION = (
    "annotators who err together repeat each other's answers to a share of items, and otherwise err independently, "
    "given the true class of an item"
)
PRIOR, MOST, TOLERANCE, START = 0.1, 200, 1e-6, 0.5


@dataclass(frozen=True)
class Link:
    """An annotator who repeats another's answers, by codes: to how many common items both answered, and what share."""

    annotator: int
    source: int
    n: int
    share: float


@dataclass(frozen=True, eq=False)
class Corrected:
    """The consensus if repeated answers count once, and who repeats whom."""

    fit: Consensus
    links: tuple[Link, ...]


def corrected(
    fit: Consensus, pairs: Sequence[tuple[int, int]], *, initial: FloatArray | None = None, prior: float = PRIOR
) -> Corrected:
    """Fit the model with shared opinions by EM.

    P(answer b | class k, source's answer a) = (1 - c) p(b | k) + c [a = b]. Which of two repeats the other cannot be
    known: the one with most answers of a group is the root. Uebersax (1999) gives other latent class models with
    dependent raters.

    Parameters
    ----------
    fit
        Dawid and Skene's model, fitted as if all were independent.
    pairs
        Codes of annotators who err together, those with the largest excess first.
    initial
        Probabilities to start from, in the order of the support. Default: those of the fit.
    prior
        Count added to each cell of each annotator's table.

    Returns
    -------
    Corrected
        Consensus and links.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 3, 300)
    >>> answers = np.where(rng.random((300, 5)) < 0.7, truth[:, None], rng.integers(0, 3, (300, 5)))
    >>> answers[:, 1] = np.where(rng.random(300) < 0.8, answers[:, 0], answers[:, 1])
    >>> from justesse.annotators.dawid_skene import dawid_skene
    >>> rows = [(item, who, int(answers[item, who])) for item in range(300) for who in range(5)]
    >>> plain = dawid_skene(Annotations.of(rows), prior=0.1)
    >>> result = corrected(plain, [(0, 1)])
    >>> bool(np.mean(result.fit.label == truth) > np.mean(plain.label == truth)), round(result.links[0].share, 1)
    (True, 0.8)
    """
    support = fit.support
    if not isinstance(support.tables, WholeTables):
        raise InputError("Dependence needs a model with a table for each annotator, and not too many classes.")
    notes = support.annotations
    k, people = notes.n_classes, notes.n_annotators
    source = _sources(notes, pairs)
    heard = _heard(notes, source)
    linked = heard >= 0
    same = heard == notes.answer
    shares = (fit.shares if initial is None else initial).reshape(-1, k)
    cell = notes.annotator.astype(np.int64) * k + notes.answer
    common = np.bincount(notes.annotator[linked], minlength=people)
    copied = np.where(common > 0, START, 0.0)
    repeated = np.zeros((len(notes), k))  # chance that an answer repeats the source's, given the class
    before, likelihood, iteration, converged = -np.inf, -np.inf, 0, False
    proportions = np.array([])
    tables: FloatArray = np.zeros((people, k, k))
    while iteration < MOST and not converged:
        iteration += 1
        own = shares[notes.item] * (1 - repeated)
        columns = [np.bincount(cell, weights=own[:, code], minlength=people * k) for code in range(k)]
        counts = np.stack(columns, axis=1).reshape(people, k, k) + prior  # annotator × answer × class
        tables = np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=float)
        if iteration > 1:
            sums = np.bincount(notes.annotator, weights=(shares[notes.item] * repeated).sum(axis=1), minlength=people)
            copied = np.where(common > 0, (sums + 0.5) / (common + 1), 0.0)
        proportions = np.maximum(shares.mean(axis=0), TINY)
        chances = tables.reshape(-1, k)[cell]
        rate = np.where(linked, copied[notes.annotator], 0.0)[:, None]
        echo = rate * same[:, None]
        total = np.maximum((1 - rate) * chances + echo, TINY)
        repeated = echo / total
        logs = _summed(support, np.log(total)) + np.log(proportions)
        flat, evidence = support.normalised(logs.ravel())
        shares = flat.reshape(-1, k)
        likelihood = float(evidence.sum())
        converged = abs(likelihood - before) <= TOLERANCE * max(notes.n_items, 1)
        before = likelihood
    consensus = replace(
        fit,
        shares=shares.ravel(),
        proportions=proportions,
        tables=tables,
        log_likelihood=likelihood,
        iterations=iteration,
        converged=converged,
        assumptions=(ASSUMPTION, *fit.assumptions[1:]),
    )
    links = tuple(
        Link(who, int(source[who]), int(common[who]), float(copied[who])) for who in np.flatnonzero(common).tolist()
    )
    return Corrected(consensus, links)


def _sources(notes: Annotations, pairs: Sequence[tuple[int, int]]) -> Array:
    """Give each annotator's neighbour nearer to the root of their group, -1 for roots and independent annotators."""
    near: dict[int, list[int]] = {}
    group = np.arange(notes.n_annotators)
    for first, second in pairs:
        if group[first] != group[second]:  # a pair within a group would close a circle
            group[group == group[second]] = group[first]
            near.setdefault(first, []).append(second)
            near.setdefault(second, []).append(first)
    source = np.full(notes.n_annotators, -1)
    seen: set[int] = set()
    for root in sorted(near, key=lambda who: -notes.per_annotator[who]):
        waiting = [] if root in seen else [root]
        while waiting:
            who = waiting.pop()
            seen.add(who)
            for other in near[who]:
                if other not in seen:
                    source[other] = who
                    waiting.append(other)
    return source


def _heard(notes: Annotations, source: Array) -> Array:
    """Give the source's answer to the same item for each answer, -1 if there is none."""
    people = notes.n_annotators
    keys = notes.item.astype(np.int64) * people + notes.annotator  # sorted
    asked = notes.item.astype(np.int64) * people + source[notes.annotator]
    at = np.minimum(np.searchsorted(keys, asked), max(len(keys) - 1, 0))
    there = (source[notes.annotator] >= 0) & (keys[at] == asked)
    return np.where(there, notes.answer[at], -1)


def _summed(support: Support, values: FloatArray) -> FloatArray:
    """Sum the values of the answers to each item, item × class."""
    notes = support.annotations
    sums = np.zeros((notes.n_items, values.shape[1]))
    some = np.flatnonzero(notes.per_item > 0)
    starts = (np.cumsum(notes.per_item) - notes.per_item)[some]
    if len(some):
        sums[some] = np.add.reduceat(values, starts, axis=0)
    return sums
