"""MACE: an annotator either knows the class or answers without looking, by habits of their own."""

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
    careful, further ones are random, and the highest likelihood is kept. `competence` is c_j; one near 0 is a spammer.

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
    best: Consensus | None = None
    who = annotations.annotator
    cell = who.astype(np.int64) * k + annotations.answer
    cells, place = np.unique(cell, return_inverse=True)
    owner = cells // k
    for start in range(max(starts, 1)):
        competence = np.full(people, 0.9) if start == 0 else rng.uniform(0.05, 0.95, people)
        habit = np.full(len(cells), 1 / k) if start == 0 else rng.uniform(0.05, 1, len(cells))
        before, likelihood, iteration, converged = -np.inf, -np.inf, 0, False
        shares = support.vote_shares()
        proportions = np.full(k, 1 / k)
        while iteration < most and not converged:
            iteration += 1
            blind = np.maximum((1 - competence)[who] * habit[place], TINY)
            seen = competence[who] + blind
            logs = support.totals(np.log(blind)) + support.at_own(np.log(seen) - np.log(blind))
            shares, evidence = support.normalised(logs + np.log(proportions)[support.label])
            likelihood = float(evidence.sum())
            converged = abs(likelihood - before) <= tolerance * max(annotations.n_items, 1)
            before = likelihood
            looked = shares[support.own] * competence[who] / seen
            knew = np.bincount(who, weights=looked, minlength=people)
            competence = (knew + prior) / (annotations.per_annotator + 2 * prior)
            blind_count = np.bincount(place, weights=1 - looked, minlength=len(cells)) + prior / k
            total = np.bincount(owner, weights=blind_count - prior / k, minlength=people) + prior
            habit = blind_count / total[owner]
            proportions = support.per_class(shares) + prior / k
            proportions /= proportions.sum()
        fit = Consensus(
            "mace",
            support,
            shares,
            proportions,
            log_likelihood=likelihood,
            iterations=iteration,
            converged=converged,
            assumptions=ASSUMPTIONS,
            warnings=() if converged else (f"EM stopped after {most} iterations: probabilities may change.",),
            extra={"competence": competence, "habit": _habits(cells, habit, people, k)},
        )
        if best is None or likelihood > (best.log_likelihood or 0.0) + 1e-9:
            best = fit
    assert best is not None
    return best


def _habits(cells: Array, habit: FloatArray, people: int, k: int) -> FloatArray | None:
    """Give the habits as a table, annotator × answer, if it fits in memory; what was never answered shares the rest."""
    if people * k > MOST:
        return None
    table = np.zeros((people, k))
    table.flat[cells] = habit
    rest = np.maximum(1 - table.sum(axis=1, keepdims=True), 0)
    empty = table == 0
    return np.asarray(table + empty * rest / np.maximum(empty.sum(axis=1, keepdims=True), 1))
