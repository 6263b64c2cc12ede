"""Without training a learner: do people err where, and as, the simulated noise does?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from justesse.intervals import wilson
from justesse.intervals.delong import delong_error
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.noise.noisy import Noisy
from studies.realism.kinds import ANOTHER, ARTIFICIAL, PEOPLE, SIMULATED, Key, Kinds

Array = NDArray[Any]
Z = float(ndtri(0.975))
BEST_GUESS = "class alone"  # the best that can be said from the class, by people's own errors


@dataclass(frozen=True)
class Share:
    """A share or an area with its 95 % interval, and how many instances it is of."""

    whose: str
    kind: str
    what: str
    value: float
    low: float
    high: float
    n: int


def overlaps(kinds: Kinds, versions: Mapping[Key, Noisy]) -> list[Share]:
    """Compare which instances are mislabelled, and as what, for every set of people's labels."""
    found: list[Share] = []
    for whose, label in kinds.people.labels.items():
        found += _same_instances(whose, label, kinds, versions)
        found += _areas(whose, label, kinds)
    return found


def _same_instances(whose: str, label: Array, kinds: Kinds, versions: Mapping[Key, Noisy]) -> Iterator[Share]:
    """Of the instances a kind of noise mislabels, how many people mislabel too, and how many of these as the same."""
    true = kinds.people.true
    wrong = label != true
    yield _share(whose, PEOPLE, "rate", wrong, wrong | True)
    for kind in (*SIMULATED, ANOTHER):
        if (whose, kind) in versions:
            other = versions[whose, kind]
            yield _share(whose, kind, "rate", other.wrong, wrong | True)
            yield _share(whose, kind, "also wrong", wrong, other.wrong)
            yield _share(whose, kind, "same wrong class", other.label == label, wrong & other.wrong)
    confused = np.zeros((len(kinds.people.classes),) * 2)
    np.add.at(confused, (true[wrong], label[wrong]), 1)
    guesses = {ARTIFICIAL: kinds.ranking.wrong, BEST_GUESS: confused.argmax(axis=1)[true]}
    for kind, guess in guesses.items():
        yield _share(whose, kind, "guesses the wrong class", guess == label, wrong)


def _areas(whose: str, label: Array, kinds: Kinds) -> Iterator[Share]:
    """How well a score tells the instances people mislabel from the others, over all classes and within them.

    Within: the mean over classes, weighted by the instances mislabelled; classes with none or one are left out.
    """
    people = kinds.people
    wrong = label != people.true
    rates = np.bincount(people.true, wrong) / np.bincount(people.true)
    scores = {ARTIFICIAL: kinds.ranking.difficulty, BEST_GUESS: rates[people.true]}
    if whose == people.alike:
        scores[ANOTHER] = people.other != people.true
    for kind, score in scores.items():
        table = ScoreCounts.of(score, wrong)
        yield _area(whose, kind, "area", auc(table), delong_error(table), len(wrong))
        if kind != BEST_GUESS:
            members = [people.true == code for code in people.classes]
            parts = [part for at in members if min((part := ScoreCounts.of(score[at], wrong[at])).effective) > 1]
            share = np.array([part.n_positive for part in parts]) / sum(part.n_positive for part in parts)
            value = float(share @ [auc(part) for part in parts])
            error = float(np.sqrt(share**2 @ [delong_error(part) ** 2 for part in parts]))
            yield _area(whose, kind, "area within classes", value, error, len(wrong))


def _share(whose: str, kind: str, what: str, hit: Array, among: Array) -> Share:
    trials = int(among.sum())
    hits = int((hit & among).sum())
    ends = wilson(hits, trials)
    return Share(whose, kind, what, hits / trials if trials else np.nan, float(ends.low), float(ends.high), trials)


def _area(whose: str, kind: str, what: str, value: float, error: float, n: int) -> Share:
    return Share(whose, kind, what, value, value - Z * error, value + Z * error, n)
