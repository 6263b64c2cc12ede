"""Pooled audits: fair bets on every draw, claims that are false with at most the risk, and the goals."""

import copy
import itertools

import numpy as np
import pytest

from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import stream
from justesse.judges.audit_questions import Question
from justesse.judges.pool_claims import PoolClaims, PoolRisks, closure
from justesse.judges.pool_draw import PoolDesign
from justesse.judges.pool_forecast import expected_more
from justesse.judges.pool_goal import PoolGoal
from justesse.judges.pool_plan import plan_pool
from justesse.judges.pool_progress import PoolProgress
from justesse.judges.pool_run import tiers
from justesse.judges.simulated_pool import simulated_pool


def right(*codes):
    return (frozenset(codes),)


def owned(progress):
    """What each pair owns now for either claim, exactly against a total of 0."""
    return np.stack([np.exp(side.wealth[:, 0]) for side in progress.run.evidence.sides], -1)


def followers(progress, answers):
    """Every draw that may come next: its chance, and the audit after it."""
    design, _ = progress._current(progress._design, progress._since)
    chances = design.chances(progress.used)
    for row in np.flatnonzero(chances):
        after = copy.deepcopy(progress)
        words = (float(chances[row]), *design.written())
        after.add([Question(int(row), int(design.grade[row]), words)])
        after.answer(int(row), answers[row])
        yield float(chances[row]), after


TINY = {
    # three classifiers; true totals of pairs (0, 1): 0, (0, 2): -1, (1, 2): -1
    "a tie and a worse one": ([0, 0, 0, 1, 1], [[0, 1, 0, 1, 0], [1, 0, 0, 1, 0], [1, 1, 0, 0, 1]], [0, 0, 0, 1, 1]),
    "all labels wrong": ([1, 1, 1, 1], [[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], [0, 0, 0, 0]),
    "all equal": ([0, 0, 1, 2], [[0, 1, 1, 1], [1, 0, 1, 1], [0, 1, 2, 2]], [0, 0, 1, 2]),
}


@pytest.mark.parametrize("case", TINY)
@pytest.mark.parametrize("goal", ["pairs", "winner", "incumbent"])
def test_over_all_draws_no_false_bet_grows_and_false_claims_are_rare(case, goal):
    label, answers, true = TINY[case]
    level = 0.4
    plan, rows = plan_pool(label, answers, goal=goal, level=level)
    replies = [right(true[row]) for row in rows]
    score = (np.array(answers) == np.array(true)).sum(1)
    total = np.array([score[b] - score[a] for a, b in plan.pairs])
    false = np.stack([total <= 0, total >= 0], -1)
    nodes = 0

    def chance_of_false_claim(progress):
        nonlocal nodes
        nodes += 1
        wrong = progress.run.better & (score[None, :] <= score[:, None])
        if wrong.any():
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


def test_a_bet_for_a_true_claim_grows_somewhere():
    """The check above can fail: bets on true claims do grow on average."""
    label, answers = [0] * 8, [[1] * 8, [0] * 7 + [1], [0, 1] * 4]
    plan, _ = plan_pool(label, answers)
    progress = PoolProgress(plan)
    after = sum(share * owned(follower) for share, follower in followers(progress, [right(0)] * 8))
    assert after[0, 0] > owned(progress)[0, 0] * 1.05


def test_chain_claims_are_what_every_surviving_order_says():
    """Oracle: all orders of five, those with a refuted link left out; a claim is what all the others agree on."""
    rng = stream(5, "orders")
    pairs = np.stack(np.triu_indices(5, 1), -1)
    claimed = 0
    for _ in range(300):
        lead = rng.choice([-1, 0, 1], size=len(pairs), p=[0.2, 0.3, 0.5])
        claims = PoolClaims(5, pairs)
        none = np.zeros(len(pairs), dtype=bool)
        claims.update(direct=(none, none), chain=(lead > 0, lead < 0))
        refuted = claims.square(lead > 0, lead < 0)  # [u, v]: that u is at or above v
        orders = [
            order
            for order in itertools.permutations(range(5))
            if not any(refuted[u, v] for u, v in itertools.pairwise(order))
        ]
        assert orders
        place = [{system: at for at, system in enumerate(order)} for order in orders]
        expected = [[a != b and all(at[b] < at[a] for at in place) for b in range(5)] for a in range(5)]
        np.testing.assert_array_equal(claims.better, closure(np.array(expected)))
        np.testing.assert_array_equal(claims.better, expected)
        claimed += claims.better.sum()
    assert claimed >= 100


def test_claims_do_not_contradict_each_other_and_follow_from_others():
    pairs = np.stack(np.triu_indices(4, 1), -1)
    claims = PoolClaims(4, pairs)
    both = np.array([True] + [False] * 5)
    assert not claims.update(direct=(both, both), chain=None)
    assert claims.update(direct=(np.array([1, 0, 0, 1, 0, 0], bool), np.zeros(6, bool)), chain=None)
    assert claims.better[0, 2]
    assert tiers(claims.better) == [[0, 1, 2, 3]]
    assert tiers(claims.better[:3, :3]) == [[2], [1], [0]]


def test_risks_add_up():
    for systems, goal, error in ((3, "pairs", 0), (9, "pairs", 0), (9, "incumbent", 0), (9, "top:3", 0.02)):
        answers = np.random.default_rng(1).integers(3, size=(systems, 40))
        plan, _ = plan_pool(np.zeros(40, int), answers, goal=goal, level=0.9, expert_error=error)
        risks = PoolRisks.of(plan)
        spent = 2 * len(plan.pairs) * risks.direct + 2 * (systems - 1) * risks.chain + len(plan.pairs) * risks.expert
        assert spent == pytest.approx(0.1)


def made(seed, skills, n=400, wrong=0.1, classes=4):
    rng = stream(seed, "systems")
    true = rng.integers(classes, size=n)
    answers = [np.where(rng.random(n) < skill, true, rng.integers(classes, size=n)) for skill in skills]
    label = np.where(rng.random(n) < wrong, rng.integers(classes, size=n), true)
    return label, np.array(answers), true


@pytest.mark.parametrize("goal", ["winner", "top:2", "pairs", "incumbent"])
def test_goals_are_reached_and_right(goal):
    label, answers, true = made(3, (0.5, 0.62, 0.75, 0.8, 0.9))
    score = (answers == true).sum(1)
    done = simulated_pool(label, answers, [right(int(code)) for code in true], goal=goal)
    run = done.run
    assert done.stop == "settled"
    assert run.taken < done.plan.disputed
    claimed = np.argwhere(run.better)
    assert len(claimed)
    assert all(score[b] > score[a] for a, b in claimed)
    if goal == "winner":
        assert run.tiers()[0] == [4]
    if goal == "top:2":
        assert np.flatnonzero(done.plan.goal.members(run.better, run.equal)[0]).tolist() == [3, 4]
    if goal == "incumbent":
        assert (run.better | run.better.T)[0, 1:].all()
        assert len(done.plan.pairs) == 4


def test_one_pool_needs_fewer_answers_for_a_smaller_goal():
    label, answers, true = made(4, (0.5, 0.55, 0.6, 0.9))
    replies = [right(int(code)) for code in true]
    winner, pairs = (simulated_pool(label, answers, replies, goal=goal).run.taken for goal in ("winner", "pairs"))
    assert winner < pairs / 3


def test_every_row_answered_settles_ties_exactly():
    label = true = [0] * 6
    answers = [[0, 0, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]]
    done = simulated_pool(label, answers, [right(code) for code in true], goal="pairs")
    assert done.stop == "settled"
    assert done.run.equal[0, 1]
    assert done.run.better[2].tolist() == [True, True, False]
    assert done.run.tiers() == [[0, 1], [2]]


def test_answers_that_name_no_class():
    """Flawed questions are a tie for all, several right classes favour all that have one, and "cannot say" none."""
    plan, _ = plan_pool([0, 0], [[0, 1], [1, 0], [2, 2]])
    low, high = plan.gains(0, (frozenset(),))
    assert (low.tolist(), high.tolist()) == ([0, 0, 0], [0, 0, 0])
    low, high = plan.gains(0, right(0, 2))
    assert (low.tolist(), high.tolist()) == ([-1, 0, 1], [-1, 0, 1])
    low, high = plan.gains(0, None)
    assert (low.tolist(), high.tolist()) == ([-1, -1, -1], [1, 1, 1])
    low, high = plan.gains(0, (frozenset([0]), frozenset([1])))
    assert (low.tolist(), high.tolist()) == ([-1, -1, -1], [1, 0, 0])


def test_if_nobody_can_say_nothing_is_claimed():
    label, answers, _ = made(5, (0.5, 0.7, 0.9), n=100)
    done = simulated_pool(label, answers, [None] * 100)
    assert done.stop == "answered"
    assert not done.run.better.any()
    assert done.run.cannot_say == done.run.taken


def test_no_question_is_asked_that_can_settle_nothing():
    """After a few answers of "cannot say" neither a lead nor a tie of the few rows can be shown any more."""
    answers = [[0] * 20, [1] * 20, [2] * 20]
    done = simulated_pool([0] * 20, answers, [None] * 20)
    assert (done.stop, done.run.taken) == ("answered", 10)


def test_claims_reach_over_ties():
    """b is as good as c, a is worse than b and c is worse than d: a is worse than d."""
    plan, _ = plan_pool([0] * 4, [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])
    run = PoolProgress(plan).run
    a, b, c, d = range(4)
    run.claims.better[[a, c], [b, d]] = True
    run.equal[[b, c], [c, b]] = True
    assert run._with_ties()[a, d]


def test_an_expert_who_errs_makes_claims_rarer():
    label, answers, true = made(6, (0.5, 0.7, 0.9))
    replies = [right(int(code)) for code in true]
    sure, unsure = (simulated_pool(label, answers, replies, expert_error=error).run.taken for error in (0.0, 0.03))
    assert unsure > sure


def test_answers_in_any_order_and_corrections_give_the_same():
    label, answers, true = made(7, (0.5, 0.6, 0.8), n=120)
    plan, rows = plan_pool(label, answers)
    progress = PoolProgress(plan)
    drawn = progress.draw(30)
    for question in reversed(drawn):
        progress.answer(question.row, right(0))
    for question in drawn:
        progress.answer(question.row, right(int(true[rows[question.row]])))
    again = PoolProgress(plan, drawn, {item.row: right(int(true[rows[item.row]])) for item in drawn})
    np.testing.assert_allclose(progress.run.evidence.evidence(), again.run.evidence.evidence())
    assert progress.run.taken == again.run.taken == 30
    progress.forget(drawn[3].row)
    assert (progress.run.taken, progress.waiting, len(progress.open)) == (3, 26, 1)


def test_the_design_draws_only_rows_that_open_pairs_dispute():
    plan, _ = plan_pool([0] * 4, [[0, 0, 1, 1], [0, 1, 1, 0], [1, 1, 1, 0]])
    design = PoolDesign(plan, np.array([1, 0, 0]))
    chances = design.chances(np.zeros(plan.disputed, bool))
    disputed = plan.says[0] >= 0
    assert (chances[disputed] > 0).all()
    assert (chances[~disputed] == 0).all()
    assert chances.sum() == pytest.approx(1)


def test_many_pairs_are_written_and_read():
    answers = np.random.default_rng(2).integers(2, size=(12, 30))
    plan, _ = plan_pool(np.zeros(30, int), answers)
    leads = np.random.default_rng(3).integers(-1, 2, size=len(plan.pairs))
    np.testing.assert_array_equal(PoolDesign.read(plan, PoolDesign(plan, leads).written()).leads, leads)


@pytest.mark.parametrize("goal", ["top", "top:0", "top:3", "top:x", "best", "winner:2", ""])
def test_goals_that_are_none(goal):
    with pytest.raises(OptionError, match="goal"):
        PoolGoal.parse(goal, 3)


def test_two_classifiers_are_no_pool():
    with pytest.raises(InputError, match="3 classifiers or more; got 2"):
        plan_pool([0, 0], [[0, 1], [1, 0]])
    with pytest.raises(InputError, match="one column per label"):
        plan_pool([0, 0, 1], [[0, 1], [1, 0], [1, 1]])


def test_intervals_hold_the_totals():
    label, answers, true = made(8, (0.5, 0.55, 0.6, 0.7, 0.8), n=200, wrong=0.3)
    score = (answers == true).sum(1)
    done = simulated_pool(label, answers, [right(int(code)) for code in true], budget=60)
    low, high = done.run.evidence.bounds(done.run.risks.direct)
    total = np.array([score[b] - score[a] for a, b in done.plan.pairs])
    assert ((low <= total) & (total <= high)).all()
    assert (high - low < 2 * done.plan.sizes).any()


def test_an_audit_read_again_after_every_answer_asks_the_same_questions():
    rng = stream(3, "pool read again")
    true = rng.integers(0, 3, 150)
    answers = np.where(rng.random((5, 150)) < np.linspace(0.6, 0.9, 5)[:, None], true, (true + 1) % 3)
    label = np.where(rng.random(150) < 0.9, true, (true + 2) % 3)
    plan, rows = plan_pool(label, answers)
    followed = PoolProgress(plan)
    drawn, replies = [], {}
    while not followed.stop and (new := followed.draw(3)):
        read = PoolProgress(plan, drawn, replies)
        assert read.next(3) == new
        for question in new:
            reply = right(int(true[rows[question.row]]))
            drawn.append(question)
            replies[question.row] = reply
            followed.answer(question.row, reply)
    read = PoolProgress(plan, drawn, replies)
    assert (read.stop, read.run.tiers()) == (followed.stop, followed.run.tiers())
    assert np.array_equal(np.stack(read.run.bounds()), np.stack(followed.run.bounds()))


def test_bounds_agree_with_the_claims_and_hold_the_total():
    rng = stream(4, "pool bounds")
    true = rng.integers(0, 3, 200)
    answers = np.where(rng.random((6, 200)) < np.linspace(0.5, 0.9, 6)[:, None], true, (true + 1) % 3)
    done = simulated_pool(true, answers, [right(int(code)) for code in true])
    score = (answers == true).sum(1)
    first, second = done.plan.pairs.T
    low, high = done.run.bounds()
    total = score[second] - score[first]
    assert ((low <= total) & (total <= high)).all()
    assert (low[done.run.better[first, second]] >= 1).all()
    assert (high[done.run.better[second, first]] <= -1).all()


def test_the_forecast_ends_at_nothing_and_tells_what_cannot_be_settled():
    rng = stream(6, "pool forecast")
    true = rng.integers(0, 3, 300)
    answers = np.where(rng.random((4, 300)) < np.array([0.5, 0.65, 0.8, 0.95])[:, None], true, (true + 1) % 3)
    plan, rows = plan_pool(true, answers)
    progress = PoolProgress(plan)
    first = expected_more(progress.run)
    while not progress.stop and (new := progress.draw()):
        progress.answer(new[0].row, right(int(true[rows[new[0].row]])))
    assert progress.stop == "settled"
    assert expected_more(progress.run) == 0
    assert progress.run.taken / 3 < first < progress.run.taken * 3
    # two classifiers that nobody can tell apart: every question is answered with "cannot say"
    same = PoolProgress(plan_pool([0, 0, 0, 0], [[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1]])[0])
    while not same.stop and (new := same.draw()):
        same.answer(new[0].row, None)
    assert same.stop in ("answered", "budget")
    assert expected_more(same.run) is None
