"""Which annotators err together more than independent mistakes would make them: copying, a shared misunderstanding."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from justesse.annotators.consensus import Consensus
from justesse.annotators.copying import Link, corrected
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.pairs import answer_pairs
from justesse.annotators.support import Support, WholeTables
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.significance.multiplicity import adjusted

FEWEST = 5  # common items
ROUNDS, PRIOR = 8, 2.0  # of EM for the tables of a pair, and how many answers of each class the fitted table is worth
AT_ONCE = 4_000_000  # numbers handled at once
STEPS, SMOOTHING = 20, 0.1  # pairs taken at most, and the prior of refits


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


@dataclass(frozen=True, eq=False)
class Dependence:
    """All pairs, those who agree most beyond expectation first, and the model in which their opinions are shared.

    `voice` is how much each annotator counted in the search; `fit` is the model with shared opinions, the original one
    if all are independent, and `links` say who repeats whom there.
    """

    pairs: tuple[DependentPair, ...]
    voice: FloatArray
    fit: Consensus
    links: tuple[Link, ...] = ()


def dependence(fit: Consensus, *, rate: float = 0.05, rounds: int = STEPS) -> Dependence:
    """Find annotators who err together, one pair after another, and fit the model in which they share opinions.

    Two who copy each other can lead the model astray, and then the others seem to err together. So the significant pair
    with the largest excess is taken first; its members' answers count 1 / (1 + excess), the model is fitted again and
    the pairs are tested again, until no other is significant. Then each pair taken is tested again in the model with
    the other pairs only, and left out if it is no longer significant. A pair keeps the larger of its p-values.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 3, 300)
    >>> answers = np.where(rng.random((300, 6)) < 0.7, truth[:, None], rng.integers(0, 3, (300, 6)))
    >>> answers[:, 1] = answers[:, 0]
    >>> from justesse.annotators.dawid_skene import dawid_skene
    >>> from justesse.core.annotations import Annotations
    >>> rows = [(item, who, int(answers[item, who])) for item in range(300) for who in range(6)]
    >>> result = dependence(dawid_skene(Annotations.of(rows)))
    >>> [(pair.first, pair.second) for pair in result.pairs if pair.adjusted <= 0.05], result.voice.round(1).tolist()
    ([(0, 1)], [0.5, 0.5, 1.0, 1.0, 1.0, 1.0])
    """
    notes = fit.support.annotations
    taken: dict[tuple[int, int], DependentPair] = {}
    tested = dependent_pairs(fit)
    for _ in range(rounds):
        guilty = [p for p in tested if p.adjusted <= rate and (p.first, p.second) not in taken]
        if not guilty:
            break
        worst = max(guilty, key=lambda pair: pair.excess)
        taken[worst.first, worst.second] = worst
        tested = _retested(fit, taken.values())[1]
    for key in list(taken) if len(taken) > 1 else ():
        others = [pair for other, pair in taken.items() if other != key]
        again = next((p for p in _retested(fit, others)[1] if (p.first, p.second) == key), taken[key])
        if again.adjusted > rate:
            del taken[key]
        elif again.adjusted > taken[key].adjusted:
            taken[key] = again
    if not taken:
        return Dependence(tuple(tested), np.ones(notes.n_annotators), fit)
    start, tested = _retested(fit, taken.values())
    rest = [pair for pair in tested if (pair.first, pair.second) not in taken]
    pairs = sorted([*taken.values(), *rest], key=lambda pair: (pair.adjusted, pair.pvalue))
    order = sorted(taken, key=lambda key: -taken[key].excess)
    shared = corrected(fit, order, initial=start.shares)
    return Dependence(tuple(pairs), independent_weights(notes.n_annotators, taken.values()), shared.fit, shared.links)


def _retested(fit: Consensus, pairs: Iterable[DependentPair]) -> tuple[Consensus, list[DependentPair]]:
    """Fit the model with less weight for the members of these pairs, and test all pairs in it."""
    notes = fit.support.annotations
    voice = independent_weights(notes.n_annotators, pairs)
    start = _weighted_votes(fit.support, voice) if np.ptp(voice) else fit.support.vote_shares()
    again = dawid_skene(notes, prior=SMOOTHING, initial=start, voice=voice)
    return again, dependent_pairs(again, voice)


def _weighted_votes(support: Support, voice: FloatArray) -> FloatArray:
    """Give each possible class its share of the item's answers, each annotator with their weight."""
    each = voice[support.annotations.annotator]
    total = support.totals(each)
    shares = np.where(total > 0, support.at_own(each) / np.maximum(total, 1e-300), support.vote_shares())
    return support.with_gold(shares)


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


def independent_weights(n_annotators: int, pairs: Iterable[DependentPair], *, rate: float = 0.05) -> FloatArray:
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
