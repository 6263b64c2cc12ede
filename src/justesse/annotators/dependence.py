"""Which annotators err together more than independent mistakes would make them: copying, a shared misunderstanding."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from justesse.annotators.consensus import Consensus
from justesse.annotators.pairs import answer_pairs
from justesse.annotators.support import Support, WholeTables
from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.significance.multiplicity import adjusted

FEWEST = 5  # common items
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


def dependent_pairs(fit: Consensus) -> list[DependentPair]:
    """Compare how often every two annotators agree with what the model expects from the other annotators' answers.

    For each common item the probabilities of its class are taken without the two annotators' own answers; given the
    class their answers are independent under the model, so the chance of agreement follows. The excess over all common
    items, divided by its standard deviation, is approximately normal. One-sided p-values, adjusted by Holm's method
    over all pairs with at least 5 common items. Sorted by p-value. `excess` is the share of items on which they agree
    beyond expectation, among those where they need not.
    """
    support = fit.support
    tables = support.tables
    if not isinstance(tables, WholeTables) or fit.tables is None:
        raise InputError("Dependence needs a model with a table for each annotator, and not too many classes.")
    notes = support.annotations
    k, people = notes.n_classes, notes.n_annotators
    chances = np.asarray(fit.tables)
    logs = np.log(chances)
    joint = (tables.logs(chances) + np.log(np.maximum(fit.proportions, 1e-300))[support.label]).reshape(-1, k)
    sums: dict[str, FloatArray] = {name: np.zeros(0) for name in ("n", "agreed", "expected", "variance")}
    keys = np.zeros(0, dtype=np.int64)
    for first, second in answer_pairs(notes):
        for begin in range(0, len(first), max(AT_ONCE // k, 1)):
            one, two = first[begin : begin + AT_ONCE // k], second[begin : begin + AT_ONCE // k]
            who, other = notes.annotator[one], notes.annotator[two]
            rest = joint[notes.item[one]] - logs[who, notes.answer[one]] - logs[other, notes.answer[two]]
            rest = np.exp(rest - rest.max(axis=1, keepdims=True))
            rest /= rest.sum(axis=1, keepdims=True)
            chance = _chance(rest, chances, who, other)
            new, place = np.unique(np.concatenate([keys, who.astype(np.int64) * people + other]), return_inverse=True)
            values = {
                "n": np.ones(len(one)),
                "agreed": (notes.answer[one] == notes.answer[two]).astype(float),
                "expected": chance,
                "variance": chance * (1 - chance),
            }
            sums = {
                name: np.bincount(place, weights=np.concatenate([sums[name], values[name]]), minlength=len(new))
                for name in sums
            }
            keys = new
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


def _chance(rest: FloatArray, chances: FloatArray, who: FloatArray, other: FloatArray) -> FloatArray:
    """The chance that two annotators agree on each item, given the probabilities of its class."""
    pairs, place = np.unique(np.stack([who, other]), axis=1, return_inverse=True)
    agree = np.einsum("plk,plk->pk", chances[pairs[0]], chances[pairs[1]])
    return np.asarray((rest * agree[place.ravel()]).sum(axis=1))


def independent_weights(n_annotators: int, pairs: list[DependentPair], *, rate: float = 0.05) -> FloatArray:
    """Give each annotator the weight of the independent opinion it adds: 1 / (1 + sum of its excess agreement).

    Only pairs whose adjusted p-value is at most the rate count.
    """
    shared = np.zeros(n_annotators)
    for pair in pairs:
        if pair.adjusted <= rate:
            excess = min(max(pair.excess, 0.0), 1.0)
            shared[pair.first] += excess
            shared[pair.second] += excess
    return np.asarray(1 / (1 + shared))


def discounted(fit: Consensus, weights: FloatArray) -> FloatArray:
    """Compute the probabilities of the classes with each annotator's log likelihood times its weight."""
    from dataclasses import replace

    support: Support = fit.support
    tables = support.tables
    assert isinstance(tables, WholeTables)
    logs = np.log(np.asarray(fit.tables)) * weights[:, None, None]
    joint = np.asarray(tables.matrix @ logs.reshape(-1, tables.shape[2])).ravel()
    shares, _ = replace(support).normalised(joint + np.log(np.maximum(fit.proportions, 1e-300))[support.label])
    return shares
