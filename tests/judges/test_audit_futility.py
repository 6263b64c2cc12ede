"""When audits give up, and that going on after all keeps their level."""

import itertools

import numpy as np
import pytest

from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_forecast import chance_to_settle
from justesse.judges.audit_plan import plan_audit
from justesse.judges.audit_questions import draw_weights, next_questions
from justesse.judges.audit_state import audit_state
from justesse.judges.audit_strata import prior_of
from justesse.judges.audit_targets import target
from justesse.judges.audited import simulated_audit
from justesse.judges.simulated_audits import simulate_audits


def audited_rows(seed=0, size=60):
    rng = np.random.default_rng(seed)
    label, one, other, true = rng.integers(3, size=(4, size))
    return label, one, other, true


@pytest.mark.parametrize("question", ["test set", "population"])
@pytest.mark.parametrize("seed", range(3))
def test_neither_evidence_nor_questions_depend_on_the_budget(question, seed):
    """What makes extensions valid: a budget only says when to stop."""
    label, one, other, true = audited_rows(seed)
    plans = [
        plan_audit(
            label, one, other, n=200, margin=0.01, question=question, budget=budget, seed=seed, futility=futility
        )
        for budget, futility in ((5, True), (20, False), (1000, True))
    ]
    for answered in range(6):
        states, asked_next = [], []
        for plan in plans:
            asked, answers = [], {}
            for _ in range(answered):
                asked += next_questions(plan, asked, answers)
                answers[asked[-1].row] = int(true[asked[-1].row])
            state = audit_state(plan, asked, answers)
            states.append((state.test_set, state.population, state.pvalue, asked))
            asked_next.append(next_questions(plan, asked, answers))
        assert str(states[0]) == str(states[1]) == str(states[2])
        assert asked_next[1] == asked_next[2]
        assert asked_next[0] == (asked_next[2] if answered < 5 else [])


TIES = [
    [[1, 0, 1], [0, 1, 0], [1, 0, 1]],
    [[0, 0, 0], [0, 0, 0], [3, 0, 3]],
    [[3, 0, 0], [0, 0, 0], [0, 0, 3]],
    [[0, 1, 2], [0, 0, 0], [2, 0, 0]],
]


@pytest.mark.parametrize("counts", TIES)
@pytest.mark.parametrize("level", [0.6, 0.8, 0.95])
def test_extending_again_and_again_keeps_the_risk_on_every_order(counts, level):
    """All orders of tiny ties: start with two questions, and extend by one whenever it is not settled.

    The user may decide by the answers: one who extends only while it looks good for the candidate is tried, too.
    """
    counts, goal = np.array(counts), target(100, int(np.sum(counts)), "test set", level=level, alternative="greater")

    def replaced(left, bounds, budget, chase):
        if bounds.bounds(goal.risk)[0][0] > goal.lower:
            return 1.0
        if not left.sum():
            return 0.0
        if bounds.drawn >= budget:
            if chase and bounds.sum[0] < 0:
                return 0.0
            budget += 1
        weights = draw_weights(goal, bounds.left, bounds.chances, bounds.sum)[0]
        chance = 0.0
        for stratum, value in itertools.product(range(3), range(3)):
            if left[stratum, value]:
                rest, after = left.copy(), bounds.kept(np.array([0]))
                rest[stratum, value] -= 1
                after.draw(weights=weights, stratum=[stratum], low=[value - 1], high=[value - 1])
                share = float(weights[0, stratum]) * left[stratum, value] / left[stratum].sum()
                chance += share * replaced(rest, after, budget, chase)
        return chance

    for chase in (False, True):
        start = ConfidenceSequence([counts.sum(-1)], prior=prior_of(1), lower=[[goal.lower]], upper=[[goal.upper]])
        assert replaced(counts, start, 2, chase) <= goal.risk + 1e-9


def test_extensions_keep_the_risk_in_larger_ties():
    """A tie that flatters the candidate by its labels, followed to the last row: as many extensions as there can be."""
    tie = np.array([[20, 0, 0], [0, 6, 0], [20, 0, 40]])
    found = simulate_audits(np.repeat(tie[None], 600, 0), 900, alternative="greater", budget=10**4, futility=False)
    assert found.replaced.mean() <= 0.05 + 3 * (0.05 * 0.95 / 600) ** 0.5


def test_a_hopeless_audit_is_given_up_unless_told_to_go_on():
    tie = np.array([[450, 20, 20], [20, 20, 20], [20, 20, 450]])
    options = {"budget": 120, "seed": 3}
    given_up = simulate_audits(np.repeat(tie[None], 40, 0), 9000, **options)
    assert np.all(given_up.stop == "futility")
    assert given_up.answered.mean() < 80
    assert np.array_equal(given_up.answered, given_up.hopeless_at)
    gone_on = simulate_audits(np.repeat(tie[None], 40, 0), 9000, futility=False, **options)
    assert set(gone_on.stop) <= {"budget", "keep", "replace"}
    assert np.all(gone_on.answered[gone_on.stop == "budget"] == 120)
    assert np.all(gone_on.hopeless_at[gone_on.stop == "budget"] >= 30)


def test_large_budgets_are_not_given_up_early():
    """A lead of 8 % of the disputed rows is settled within 2,000 answers; the first 30 rarely tell."""
    better = np.array([[3100, 100, 400], [200, 400, 200], [400, 100, 3740]])
    found = simulate_audits(np.repeat(better[None], 60, 0), 80_000, budget=2000)
    assert np.mean(found.settled) > 0.95


def test_the_chance_to_settle_rises_with_the_budget_and_is_sure_with_all_rows():
    goal = target(1000, 300, "test set")
    bounds = ConfidenceSequence([[100, 50, 150]], prior=prior_of(1), lower=[[0.0]], upper=[[0.0]])
    rng = np.random.default_rng(0)
    for _ in range(40):
        weights = bounds.left / bounds.left.sum()
        at = int(rng.choice(3, p=weights[0]))
        value = int(rng.choice(3, p=[[0.7, 0.1, 0.2], [0.3, 0.4, 0.3], [0.25, 0.1, 0.65]][at])) - 1
        bounds.draw(weights=weights, stratum=[at], low=[value], high=[value])
    chances = [
        float(chance_to_settle(bounds, goal, alternative="two-sided", more=np.array([more]))[0])
        for more in (0, 1, 5, 20, 80, 150, 250, 260, 9999)
    ]
    assert chances == sorted(chances)
    assert chances[0] == 0
    assert chances[-1] == chances[-2] == pytest.approx(1, abs=0.05)
    one_sided = [
        float(chance_to_settle(bounds, goal, alternative=side, more=np.array([80]))[0]) for side in ("greater", "less")
    ]
    assert sum(one_sided) >= chances[4] >= max(one_sided)


def test_the_chance_is_about_the_share_that_is_settled():
    """Draw the true composition as the forecast takes it to be, and go on: the chance is rather too high."""
    rng, alpha, pairs = np.random.default_rng(1), prior_of(1), 200
    goal = target(np.full(pairs, 4000.0), np.full(pairs, 400.0), "test set")
    left = np.stack(
        [rng.multinomial(size, rng.dirichlet(a, pairs)) for size, a in zip((150, 60, 190), alpha, strict=True)], axis=1
    )
    thresholds = np.zeros((pairs, 1))
    bounds, every = ConfidenceSequence(left.sum(-1), prior=alpha, lower=thresholds, upper=thresholds), np.arange(pairs)

    def drawn(weights):
        return (np.cumsum(weights, -1) <= rng.random(pairs)[:, None] * weights.sum(-1, keepdims=True)).sum(-1)

    for asked in range(100):
        if asked == 30:
            forecast = chance_to_settle(bounds, goal, alternative="two-sided", more=np.full(pairs, 70))
        weights = draw_weights(goal, bounds.left, bounds.chances, bounds.sum)[0]
        at = drawn(weights)
        value = drawn(left[every, at])
        left[every, at, value] -= 1
        bounds.draw(weights=weights, stratum=at, low=value - 1, high=value - 1)
    low, high = bounds.bounds(goal.risk)
    settled = (low > 0) | (high < 0)
    assert settled.mean() - 0.05 <= forecast.mean() <= settled.mean() + 0.15
    assert settled[forecast < 0.3].mean() <= 0.3
    assert settled[forecast > 0.9].mean() >= 0.8


def test_a_simulated_audit_can_be_told_not_to_give_up():
    from justesse.core.case import Case
    from justesse.core.tally import Tally

    cells = [(1, 1, 1, 0, 400), (0, 0, 1, 0, 400), (1, 0, 0, 1, 30), (1, 1, 1, 1, 9000)]
    case = Case(Tally.of(("true", "label", "incumbent", "candidate"), cells))
    given_up, gone_on = (simulated_audit(case, budget=60, futility=futility) for futility in (True, False))
    assert (given_up.stop, gone_on.stop) == ("futility", "budget")
    assert given_up.answered < gone_on.answered == 60
