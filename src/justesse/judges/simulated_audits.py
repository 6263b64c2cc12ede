"""Simulate many audits at once, with an expert whose answers are known: for tournaments and studies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.results import Alternative
from justesse.core.seeds import stream
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_questions import draw_weights
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_stop import is_hopeless, stopping
from justesse.judges.audit_strata import prior_of
from justesse.judges.audit_targets import About, Target

EXACT = ((-1, -1), (0, 0), (1, 1))


@dataclass(frozen=True)
class SimulatedAudits:
    """Why each audit stopped, after how many answers, and the true difference according to the expert.

    `hopeless_at` is the number of answers after which it first seemed hopeless, even if it went on; -1 if never.
    """

    stop: Array
    answered: Array
    difference: Array
    hopeless_at: Array

    @property
    def settled(self) -> Array:
        """Which audits reached a verdict."""
        return np.isin(self.stop, ("replace", "keep", "equivalent"))

    @property
    def replaced(self) -> Array:
        """Which audits replaced the incumbent."""
        return np.asarray(self.stop == "replace")


def simulate_audits(
    counts: ArrayLike,
    n: ArrayLike,
    *,
    seed: int = 0,
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    expert_error: float = 0.0,
    budget: int = 200,
    question: About = "test set",
    futility: bool = True,
    gains: Sequence[tuple[int, int]] = EXACT,
) -> SimulatedAudits:
    """Run one audit for each pair of classifiers, answer after answer until it stops.

    A stratum is who is right according to the label, for each level of suspicion. Rows of a stratum are
    interchangeable, so counts suffice, and thousands of audits run in seconds. The same seed and pairs give the
    same draws.

    Parameters
    ----------
    counts
        Disputed rows by pair, stratum and who is right according to the expert (incumbent, neither, candidate), as
        in `AuditPlan.counts`; or by what `gains` lists.
    n
        Number of rows of the test set of each pair.
    seed
        Seed of the draws.
    level
        Confidence level.
    margin
        Difference in accuracy that the candidate must exceed.
    alternative
        "two-sided", "greater" or "less".
    expert_error
        Share of answers in which the expert is wrong.
    budget
        Largest number of questions.
    question
        What the audit is about: "test set" or "population".
    futility
        Whether to stop when the rest of the budget will hardly settle it.
    gains
        Lowest and highest gain that the experts leave possible, for each entry of the last axis of `counts`. Default:
        -1, 0 and 1, each known. `difference` takes the middle of a range.

    Examples
    --------
    >>> audits = simulate_audits([[[10, 0, 0], [0, 5, 0], [0, 0, 40]], [[20, 0, 2], [1, 3, 1], [2, 0, 20]]], 500)
    >>> audits.stop.tolist(), audits.answered.tolist(), audits.difference.tolist()
    (['replace', 'answered'], [10, 49], [0.06, 0.0])
    """
    table = np.array(counts, dtype=float)
    if table.ndim != 3 or table.shape[1] not in (3, 6, 9) or table.shape[2] != len(gains):
        raise InputError(
            f"Counts must have the shape pairs × 3, 6 or 9 strata × {len(gains)} values; got {table.shape}."
        )
    least, most = np.array(gains).T
    rule = AuditRule(
        seed=seed,
        level=level,
        margin=margin,
        alternative=alternative,
        expert_error=expert_error,
        budget=budget,
        question=question,
        futility=futility,
    )
    pairs = len(table)
    rows = np.broadcast_to(np.asarray(n, dtype=float), pairs)
    apart = table.sum((1, 2))
    goal = rule.target(rows, apart, question)
    bounds = _bounds(table, goal)
    rng = stream(seed, "simulated audits")
    stop, answered = np.full(pairs, "budget", dtype="<U10"), np.zeros(pairs, dtype=int)
    active, hopeless_at = np.arange(pairs), np.full(pairs, -1)
    for asked in range(budget + 1):
        weights, _ = draw_weights(goal, bounds.left, bounds.chances, bounds.sum)
        low, high = bounds.bounds(goal.risk)
        hopeless = is_hopeless(bounds, goal, alternative=alternative, answered=asked, budget=budget)
        result = stopping(
            low > goal.lower,
            high < goal.upper,
            low > goal.alike,
            alternative=alternative,
            answered=np.full(len(active), asked),
            budget=np.full(len(active), budget),
            left=bounds.left.sum(-1),
            hopeless=futility & hopeless,
        )
        new = hopeless & (hopeless_at[active] < 0) & np.isin(result, ("", "futility"))
        hopeless_at[active[new]] = asked
        on = result == ""
        stop[active], answered[active] = result, asked
        if not on.any():
            break
        if not on.all():
            active, table, weights = active[on], table[on], weights[on]
            goal, bounds = goal.kept(on), bounds.kept(on)
        at = _drawn(rng, weights)
        every = np.arange(len(active))
        value = _drawn(rng, table[every, at])
        table[every, at, value] -= 1
        bounds.draw(weights=weights, stratum=at, low=least[value], high=most[value])
    difference = (np.asarray(counts) * (least + most) / 2).sum((1, 2)) / rows
    return SimulatedAudits(stop, answered, difference, hopeless_at)


def _bounds(table: Array, goal: Target) -> ConfidenceSequence:
    sizes, prior = table.sum(-1), prior_of(table.shape[1] // 3)
    lower = np.stack([goal.lower, goal.alike], -1)
    return ConfidenceSequence(sizes, prior=prior, lower=lower, upper=goal.upper[:, None], aims=(2, 1))


def _drawn(rng: np.random.Generator, weights: Array) -> Array:
    """Draw one entry of each row with probability proportional to its weight."""
    sums = np.cumsum(weights, -1)
    luck = rng.random(len(weights)) * sums[:, -1]
    return np.asarray(np.minimum((sums <= luck[:, None]).sum(-1), weights.shape[1] - 1))
