"""Test of every two annotators: do they agree more often than the model expects from independent mistakes?"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from justesse.annotators.consensus import Consensus
from justesse.annotators.pairs import answer_pairs
from justesse.annotators.support import WholeTables
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.significance.multiplicity import adjusted

FEWEST = 5  # common items
ROUNDS, PRIOR = 8, 2.0  # of EM for the tables of a pair, and how many answers of each class the fitted table is worth
AT_ONCE = 4_000_000  # numbers handled at once


@dataclass(frozen=True)
class DependentPair:
    """Two annotators, by their codes: how often they gave one answer, how often they would if they were independent."""

    first: int
    second: int
    n: int
    agreed: int
    expected: float
    excess: float
    pvalue: float
    adjusted: float


def dependent_pairs(fit: Consensus, voice: FloatArray | None = None) -> list[DependentPair]:
    """Compare how often every two annotators agree with what the model expects from the other annotators' answers.

    For each common item the probabilities of its class come from the other annotators only; from these, each of the two
    gets a table of their own (EM, drawn towards the fitted one), so that copying does not look like skill. Given the
    class their answers are independent under the model, and the chance of agreement follows. The excess over all common
    items, divided by its standard deviation, is approximately normal. One-sided p-values, adjusted by Holm's method
    over all pairs with at least 5 common items. Sorted by p-value. `excess` is the share of items on which they agree
    beyond expectation, among those where they need not. `voice` is how much each annotator counts for the classes.
    """
    support = fit.support
    tables = support.tables
    if not isinstance(tables, WholeTables) or fit.tables is None:
        raise InputError("Dependence needs a model with a table for each annotator, and not too many classes.")
    notes = support.annotations
    k, people = notes.n_classes, notes.n_annotators
    chances = np.asarray(fit.tables)
    logs = np.log(chances) if voice is None else np.log(chances) * voice[:, None, None]
    joint = (tables.logs(np.exp(logs)) + np.log(np.maximum(fit.proportions, 1e-300))[support.label]).reshape(-1, k)
    totals = []
    for first, second in _pairs_together(fit):
        who, other = notes.annotator[first], notes.annotator[second]
        rest = joint[notes.item[first]] - logs[who, notes.answer[first]] - logs[other, notes.answer[second]]
        rest = np.exp(rest - rest.max(axis=1, keepdims=True))
        rest /= rest.sum(axis=1, keepdims=True)
        keys, place = np.unique(who.astype(np.int64) * people + other, return_inverse=True)
        own = _tables_without_each_other(rest, place, notes.answer[first], chances[keys // people])
        others = _tables_without_each_other(rest, place, notes.answer[second], chances[keys % people])
        chance = np.clip((rest * np.einsum("plk,plk->pk", own, others)[place]).sum(axis=1), 1e-9, 1 - 1e-9)
        agreed = notes.answer[first] == notes.answer[second]
        columns = (np.ones(len(first)), agreed, chance, chance * (1 - chance))
        totals.append((keys, *(np.bincount(place, weights=column, minlength=len(keys)) for column in columns)))
    if not totals:
        return []
    keys, *parts = (np.concatenate(column) for column in zip(*totals, strict=True))
    sums = dict(zip(("n", "agreed", "expected", "variance"), parts, strict=True))
    enough = (sums["n"] >= FEWEST) & (sums["variance"] > 1e-9)
    keys = keys[enough]
    n, agreed, expected, variance = (sums[name][enough] for name in ("n", "agreed", "expected", "variance"))
    pvalues = ndtr(-(agreed - expected) / np.sqrt(variance))
    corrected = adjusted(pvalues, "holm") if len(pvalues) else pvalues
    with np.errstate(invalid="ignore", divide="ignore"):
        excess = (agreed - expected) / (n - expected)
    order = np.argsort(pvalues, kind="stable")
    return [
        DependentPair(
            int(keys[at] // people),
            int(keys[at] % people),
            int(n[at]),
            int(agreed[at]),
            float(expected[at]),
            float(excess[at]),
            float(pvalues[at]),
            float(corrected[at]),
        )
        for at in order
    ]


def _pairs_together(fit: Consensus) -> Iterator[tuple[Array, Array]]:
    """Give the places of two answers to one item, all those of a pair of annotators in one part."""
    notes = fit.support.annotations
    chunks = list(answer_pairs(notes))
    if not chunks:
        return
    first, second = (np.concatenate(part) for part in zip(*chunks, strict=True))
    pair = notes.annotator[first].astype(np.int64) * notes.n_annotators + notes.annotator[second]
    order = np.argsort(pair, kind="stable")
    first, second, pair = first[order], second[order], pair[order]
    begins = np.flatnonzero(np.concatenate([[True], np.diff(pair) > 0]))
    ends = np.append(begins[1:], len(pair))
    begin = 0
    while begin < len(begins):
        most = begins[begin] + max(AT_ONCE // notes.n_classes, 1)
        end = max(int(np.searchsorted(ends, most, side="right")), begin + 1)
        yield first[begins[begin] : ends[end - 1]], second[begins[begin] : ends[end - 1]]
        begin = end


def _tables_without_each_other(rest: FloatArray, place: Array, answer: Array, start: FloatArray) -> FloatArray:
    """Estimate one annotator's table (answer × class) in each pair from the classes that others' answers suggest."""
    pairs, k, _ = start.shape
    cell = place * k + answer
    table = start
    for _ in range(ROUNDS):
        share = rest * table.reshape(-1, k)[cell]
        share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
        columns = [np.bincount(cell, weights=share[:, code], minlength=pairs * k) for code in range(k)]
        counts = np.stack(columns, axis=1).reshape(pairs, k, k) + PRIOR * start
        table = counts / counts.sum(axis=1, keepdims=True)
    return table
