"""Which annotators err together more than independent mistakes would make them: copying, a shared misunderstanding."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.copying import Link, corrected
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.likelier_copying import SMOOTHING, likelier_copying
from justesse.annotators.pair_tests import DependentPair, dependent_pairs
from justesse.core.arrays import FloatArray

STEPS = 20  # pairs taken at most


@dataclass(frozen=True, eq=False)
class Dependence:
    """All pairs, those who agree most beyond expectation first, and the model in which their opinions are shared.

    `voice` is how much each annotator counted in the search; `fit` is the model with shared opinions, the original one
    if all are independent, and `links` say who repeats whom there. `rivals` are pairs who could be the ones that repeat
    each other's answers instead of the first. `taken` are the pairs that are dependent, the most certain first.
    """

    pairs: tuple[DependentPair, ...]
    voice: FloatArray
    fit: Consensus
    links: tuple[Link, ...] = ()
    rivals: tuple[tuple[int, int], ...] = ()
    taken: tuple[tuple[int, int], ...] = ()


def dependence(fit: Consensus, *, rate: float = 0.05, rounds: int = STEPS) -> Dependence:
    """Find annotators who err together, one pair after another, and fit the model in which they share opinions.

    Two who copy each other can lead the model astray, and then the others seem to err together. So the first pair is
    the one whose model with repeated answers is the most likely (`likelier_copying`); without one, nobody is accused.
    Its members' answers count 1 / (1 + excess), the model is fitted again from there and the other pairs are tested;
    the significant pair with the largest excess is next, until no other is significant. Then each further pair is
    tested again in the model with the other pairs only, and left out if it is no longer significant. A pair keeps the
    larger of its p-values.

    Limits: with 2 or 3 annotators copying cannot be distinguished from accuracy; with 4 it is missed in about 4 of
    10 cases with two classes (300 items, 70 % right, all answers copied). Items
    of unequal difficulty make honest annotators err together: with six of them and four settings of hard items, a pair
    was named in 1 to 8 of 100 sets.

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
    tested = dependent_pairs(fit)
    likelier = likelier_copying(fit, tested, rate=rate)
    if likelier.pair is None or likelier.shares is None:
        larger = sorted((likelier.with_larger(pair) for pair in tested), key=lambda pair: (pair.adjusted, pair.pvalue))
        return Dependence(tuple(larger), np.ones(notes.n_annotators), fit)
    first = (likelier.pair.first, likelier.pair.second)
    taken = {first: likelier.pair}
    for _ in range(rounds):
        tested = _retested(fit, taken.values(), likelier.shares)
        guilty = [p for p in tested if p.adjusted <= rate and (p.first, p.second) not in taken]
        if not guilty:
            break
        worst = max(guilty, key=lambda pair: pair.excess)
        taken[worst.first, worst.second] = worst
    innocent: dict[tuple[int, int], DependentPair] = {}
    for key in [key for key in taken if key != first]:
        others = [pair for other, pair in taken.items() if other != key]
        again = next((p for p in _retested(fit, others, likelier.shares) if (p.first, p.second) == key), taken[key])
        if again.adjusted > rate:
            innocent[key] = again
            del taken[key]
        elif again.adjusted > taken[key].adjusted:
            taken[key] = again
    last = _retested(fit, taken.values(), likelier.shares)
    rest = [innocent.get((p.first, p.second), p) for p in last if (p.first, p.second) not in taken]
    pairs = sorted([*taken.values(), *rest], key=lambda pair: (pair.adjusted, pair.pvalue))
    order = [first, *sorted((key for key in taken if key != first), key=lambda key: -taken[key].excess)]
    shared = corrected(fit, order, initial=likelier.shares)
    voice = independent_weights(notes.n_annotators, taken.values())
    return Dependence(tuple(pairs), voice, shared.fit, shared.links, likelier.rivals, tuple(order))


def _retested(fit: Consensus, pairs: Iterable[DependentPair], start: FloatArray) -> list[DependentPair]:
    """Fit the model with less weight for the members of these pairs, and test all pairs in it."""
    notes = fit.support.annotations
    voice = independent_weights(notes.n_annotators, pairs)
    return dependent_pairs(dawid_skene(notes, prior=SMOOTHING, initial=start, voice=voice), voice)


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
