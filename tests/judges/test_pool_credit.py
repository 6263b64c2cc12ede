"""Pooled audits of partial credit and of pass rates: what an answer makes of each score, fair bets, and the goals."""

import numpy as np
import pytest

from judges.test_pool import followers, owned, right
from justesse.core.errors import InputError
from justesse.core.seeds import stream
from justesse.judges.pool_claims import PoolRisks, allowances
from justesse.judges.pool_forecast import expected_more
from justesse.judges.pool_plan import disputed_rows, plan_pool
from justesse.judges.pool_progress import PoolProgress
from justesse.judges.pool_scores import NOTHING, Credits, PoolScores, check_credits
from justesse.judges.simulated_pool import simulated_pool

TABLE = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])


def test_scores_of_every_kind_of_answer():
    # three classifiers, one question of four samples; -2 is a missing answer, the third has two samples only
    answers = np.array([[[0, 0, 1, 2]], [[0, 1, 1, -2]], [[2, 2, NOTHING, NOTHING]]])
    plain, by_table = PoolScores(answers), PoolScores(answers, TABLE)
    assert plain.scores(0, frozenset([0])).tolist() == [0.5, 0.25, 0.0]
    assert plain.scores(0, frozenset([0, 1])).tolist() == [0.75, 0.75, 0.0]
    assert plain.scores(0, frozenset()).tolist() == [0.0, 0.0, 0.0]
    assert plain.scores(0, Credits.of({1: 1.0, 2: 0.5})).tolist() == [0.375, 0.5, 0.5]
    assert by_table.scores(0, frozenset([0])).tolist() == [0.625, 0.5, 0.0]
    assert by_table.scores(0, frozenset([0, 2])).tolist() == [0.875, 0.5, 1.0]
    assert by_table.scores(0, frozenset([7])).tolist() == [0.0, 0.0, 0.0]  # a class that the table does not have
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    assert plain.spans(pairs)[:, 0].tolist() == [0.5, 0.75, 1.0]


def test_no_answer_moves_a_pair_further_than_its_span():
    rng = stream(2, "spans")
    answers = rng.integers(-2, 3, size=(4, 30, 5))
    scores = PoolScores(answers, TABLE)
    pairs = np.stack(np.triu_indices(4, 1), -1)
    spans, widest = scores.spans(pairs), np.zeros((6, 30))
    for row in range(30):
        rights = [frozenset(np.flatnonzero(rng.random(3) < 0.5).tolist()) for _ in range(8)]
        rights += [Credits.of({code: float(rng.integers(2)) for code in range(3)}) for _ in range(40)]
        for answer in rights:
            own = scores.scores(row, answer)
            gain = np.abs(own[pairs[:, 1]] - own[pairs[:, 0]])
            assert (gain <= spans[:, row] + 1e-12).all()
            widest[:, row] = np.maximum(widest[:, row], gain)
    assert (widest > 0.95 * spans).mean() > 0.8  # and some answer reaches it


TINY = {
    "two samples": (
        [0, 0, 1, 1],
        [[[0, 0], [0, 1], [0, 0], [1, 0]], [[0, 1], [0, 0], [0, 1], [1, 1]], [[1, 1], [0, 1], [1, 1], [0, 0]]],
        [right(0), right(0), right(1), right(1)],
        {},
    ),
    "a table": (
        [0, 1, 2, 2],
        [[0, 1, 1, 0], [1, 0, 2, 1], [2, 2, 0, 2]],
        [right(1), right(1), right(2), right(0)],
        {"table": TABLE},
    ),
    "credits of the expert": (
        [0, 0, 0, 0],
        [[0, 1, 0, 1], [1, 0, 2, 0], [2, 2, 1, 2]],
        [(Credits.of({0: 0.5, 1: 0.75}),), (Credits.of({0: 1.0}),), right(), (Credits.of({1: 0.3}),)],
        {"recorded": [{0: 1.0, 1: 0.5}, {0: 0.2}, {0: 0.6, 2: 0.6}, {}]},
    ),
}


@pytest.mark.parametrize("case", TINY)
@pytest.mark.parametrize("goal", ["pairs", "winner", "top:2", "incumbent"])
def test_over_all_draws_no_false_bet_grows_and_false_claims_are_rare(case, goal):
    label, answers, replies, options = TINY[case]
    level = 0.4
    plan, rows = plan_pool(label, answers, goal=goal, level=level, **options)
    replies = [replies[row] for row in rows]
    score = np.sum([plan.scoring.scores(row, replies[row][0]) for row in range(plan.disputed)], 0)
    total = np.array([score[b] - score[a] for a, b in plan.pairs])
    false = np.stack([total <= 1e-9, total >= -1e-9], -1)
    nodes = 0

    def chance_of_false_claim(progress):
        nonlocal nodes
        nodes += 1
        if (progress.run.better & (score[None, :] <= score[:, None] + 1e-9)).any():
            return 1.0
        if progress.stop:
            return 0.0
        before, after, chance = owned(progress), np.zeros((len(plan.pairs), 2)), 0.0
        for share, follower in followers(progress, replies):
            after += share * owned(follower)
            chance += share * chance_of_false_claim(follower)
        assert (after[false] <= before[false] * (1 + 1e-9)).all()
        return chance

    assert chance_of_false_claim(PoolProgress(plan)) <= 1 - level
    assert nodes > 10


def sampled(seed, skills, n=300, samples=4, wrong=0.1, classes=4):
    """Draw samples of questions that differ in how hard they are."""
    rng = stream(seed, "samples")
    true = rng.integers(classes, size=n)
    hard = rng.normal(0, 0.15, n)
    answers = [
        np.where(rng.random((n, samples)) < np.clip(skill + hard, 0, 1)[:, None], true[:, None], rng.integers(classes, size=(n, samples)))
        for skill in skills
    ]  # fmt: skip
    label = np.where(rng.random(n) < wrong, rng.integers(classes, size=n), true)
    return label, np.array(answers), true


@pytest.mark.parametrize("goal", ["winner", "top:2", "pairs", "incumbent"])
def test_pass_rates_reach_every_goal(goal):
    label, answers, true = sampled(3, (0.3, 0.5, 0.65, 0.8, 0.95))
    rate = (answers == true[:, None]).mean(-1).sum(-1)
    done = simulated_pool(label, answers, [right(int(code)) for code in true], goal=goal)
    run = done.run
    assert done.stop == "settled"
    assert run.taken < done.plan.disputed
    claimed = np.argwhere(run.better)
    assert len(claimed)
    assert all(rate[b] > rate[a] for a, b in claimed)
    low, high = run.bounds()
    total = np.array([rate[b] - rate[a] for a, b in done.plan.pairs])
    assert ((low - 1e-9 <= total) & (total <= high + 1e-9)).all()
    if goal == "winner":
        assert run.tiers()[0] == [4]
    if goal == "top:2":
        assert np.flatnonzero(done.plan.goal.members(run.better, run.equal)[0]).tolist() == [3, 4]


def test_one_answer_for_a_question_saves_most_of_the_answers_of_its_samples():
    label, answers, true = sampled(4, (0.4, 0.7, 0.9), n=150)
    asked = simulated_pool(label, answers, [right(int(code)) for code in true]).run.taken
    alone = answers.reshape(3, -1)
    each = simulated_pool(np.repeat(label, 4), alone, [right(int(code)) for code in np.repeat(true, 4)], seed=1)
    assert asked <= each.run.taken * 1.2


def test_a_tie_in_pass_rates_is_found_when_all_is_answered():
    answers = np.array([[[0, 1, 2], [0, 0, 0]], [[0, 0, 0], [1, 2, 0]], [[1, 1, 1], [2, 2, 2]]])
    done = simulated_pool([0, 0], answers, [right(0), right(0)])
    assert done.stop == "settled"
    assert done.run.equal[0, 1]
    assert done.run.tiers() == [[0, 1], [2]]


def test_answers_in_another_order_are_no_dispute():
    assert disputed_rows(np.array([[[0, 1]], [[1, 0]], [[0, 1]]])).tolist() == [False]


def test_mistakes_of_the_expert_cost_what_a_row_can_move():
    label, answers, _ = sampled(5, (0.4, 0.7, 0.9), n=100)
    plan, _ = plan_pool(label, answers, expert_error=0.05)
    allowed = allowances(plan, PoolRisks.of(plan))
    whole, _ = plan_pool(label, answers[..., 0], expert_error=0.05)
    assert (allowed > 0).all()
    assert (allowed <= 2 * np.sort(plan.spans, -1)[:, ::-1][:, :30].sum(-1)).all()
    assert allowances(whole, PoolRisks.of(whole)).tolist() == [
        2 * int(a / 2) for a in allowances(whole, PoolRisks.of(whole))
    ]


def test_if_nobody_can_say_no_pass_rate_is_claimed():
    label, answers, _ = sampled(6, (0.4, 0.7, 0.9), n=60)
    done = simulated_pool(label, answers, [None] * 60)
    assert done.stop == "answered"
    assert not done.run.better.any()
    assert expected_more(done.run) is None


def test_credits_need_an_audit_that_counts_them():
    plan, _ = plan_pool([0, 0], [[0, 1], [1, 0], [2, 2]])
    with pytest.raises(InputError, match="right or wrong only"):
        plan.gains(0, (Credits.of({0: 0.5}),))
    with pytest.raises(InputError, match="from 0 to 1; got 1.5"):
        check_credits([1.0, 1.5], "A score")


def test_the_forecast_of_pass_rates_is_near_what_it_takes():
    label, answers, true = sampled(7, (0.4, 0.6, 0.8, 0.95), wrong=0.0)
    plan, _ = plan_pool(label, answers)
    first = expected_more(PoolProgress(plan).run)
    done = simulated_pool(label, answers, [right(int(code)) for code in true])
    assert done.run.taken / 4 < first < done.run.taken * 4
