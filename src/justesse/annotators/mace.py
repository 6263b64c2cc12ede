"""MACE: an annotator either knows the class or answers without looking, by habits of their own."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.support import MOST, TINY, Support
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.seeds import stream

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class of an item",
    "an annotator either gives the true class, or answers by habit, whatever the item is",
)
MANY, FEW_STARTS, SHORT = 500_000, 3, 20  # answers; with more, so many starts of so many iterations are compared


def mace(
    annotations: Annotations,
    *,
    prior: float = 0.1,
    starts: int = 10,
    most: int = 200,
    tolerance: float = 1e-7,
    seed: int = 0,
) -> Consensus:
    """Fit Hovy et al.'s model by EM: with chance 1 - c_j annotator j answers by habit h_j, otherwise the true class.

    The prior is a count added to "looked" and "did not look", and spread over the habits. The first start treats all as
    careful, further ones are random, and the highest likelihood is kept; with more than 500,000 answers 3 starts are
    compared after 20 iterations, and the best goes on. `competence` is c_j; one near 0 is a spammer.

    Hovy, Berg-Kirkpatrick, Vaswani & Hovy, Learning whom to trust with MACE, NAACL 2013.

    Parameters
    ----------
    annotations
        Who answered what.
    prior
        Count added to "looked" and to "did not look", and spread over the habits.
    starts
        Number of starts; the fit with the highest likelihood is kept.
    most
        Highest number of iterations of each.
    tolerance
        Change of the log likelihood per item that ends the iterations.
    seed
        Seed of the random starts.

    Examples
    --------
    >>> lines = ["xxx", "yyx", "xxx", "yyx", "zzx", "zzx", "xyx", "zzx"]
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> fit = mace(Annotations.of(rows))
    >>> bool(fit.extra["competence"][2] < 0.2 < 0.8 < fit.extra["competence"][0])
    True
    """
    support = Support.of(annotations)
    k, people = annotations.n_classes, annotations.n_annotators
    rng = stream(seed, "mace")
    habits = _Habits(support, prior)
    many = len(annotations) > MANY
    states = []
    for start in range(max(min(starts, FEW_STARTS) if many else starts, 1)):
        competence = np.full(people, 0.9) if start == 0 else rng.uniform(0.05, 0.95, people)
        habit = np.full(len(habits.cells), 1 / k) if start == 0 else rng.uniform(0.05, 1, len(habits.cells))
        state = _State(competence, habit, np.full(k, 1 / k), support.vote_shares())
        states.append(habits.fitted(state, SHORT if many else most, tolerance))
    best = states[0]
    for state in states[1:]:
        best = state if state.likelihood > best.likelihood + 1e-9 else best
    if many and not best.converged:
        best = habits.fitted(best, most, tolerance)
    return Consensus(
        "mace",
        support,
        best.shares,
        best.proportions,
        log_likelihood=best.likelihood,
        iterations=best.iterations,
        converged=best.converged,
        assumptions=ASSUMPTIONS,
        warnings=() if best.converged else (f"EM stopped after {most} iterations: probabilities may change.",),
        extra={"competence": best.competence, "habit": _habits(habits.cells, best.habit, people, k)},
    )


@dataclass(frozen=True, eq=False)
class _State:
    competence: FloatArray
    habit: FloatArray
    proportions: FloatArray
    shares: FloatArray
    likelihood: float = -np.inf
    iterations: int = 0
    converged: bool = False


class _Habits:
    """EM over the (annotator, answer) that occur."""

    def __init__(self, support: Support, prior: float) -> None:
        notes = support.annotations
        self.support, self.prior, self.k = support, prior, notes.n_classes
        self.who, self.people, self.n = notes.annotator, notes.n_annotators, notes.per_annotator
        cell = notes.annotator.astype(np.int64) * self.k + notes.answer
        self.cells, self.place = np.unique(cell, return_inverse=True)
        self.owner = self.cells // self.k

    def fitted(self, state: _State, most: int, tolerance: float) -> _State:
        """Go on until the log likelihood stays, or the number of iterations is reached."""
        support, who, place, prior, k = self.support, self.who, self.place, self.prior, self.k
        competence, habit, proportions, shares = state.competence, state.habit, state.proportions, state.shares
        before, likelihood, iteration, converged = state.likelihood, state.likelihood, state.iterations, False
        while iteration < most and not converged:
            iteration += 1
            able = competence[who]
            blind = np.maximum((1 - able) * habit[place], TINY)
            seen = able + blind
            off = np.log(blind)
            logs = support.totals(off) + support.at_own(np.log(seen) - off)
            shares, evidence = support.normalised(support.add_classes(logs, np.log(proportions)))
            likelihood = float(evidence.sum())
            converged = abs(likelihood - before) <= tolerance * max(support.annotations.n_items, 1)
            before = likelihood
            looked = shares[support.own] * able / seen
            knew = np.bincount(who, weights=looked, minlength=self.people)
            competence = (knew + prior) / (self.n + 2 * prior)
            blind_count = np.bincount(place, weights=1 - looked, minlength=len(self.cells)) + prior / k
            total = np.bincount(self.owner, weights=blind_count - prior / k, minlength=self.people) + prior
            habit = blind_count / total[self.owner]
            proportions = support.per_class(shares) + prior / k
            proportions /= proportions.sum()
        return _State(competence, habit, proportions, shares, likelihood, iteration, converged)


def _habits(cells: Array, habit: FloatArray, people: int, k: int) -> FloatArray | None:
    """Give the habits as a table, annotator × answer, if it fits in memory; what was never answered shares the rest."""
    if people * k > MOST:
        return None
    table = np.zeros((people, k))
    table.flat[cells] = habit
    rest = np.maximum(1 - table.sum(axis=1, keepdims=True), 0)
    empty = table == 0
    return np.asarray(table + empty * rest / np.maximum(empty.sum(axis=1, keepdims=True), 1))
