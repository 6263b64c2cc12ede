"""Audits: which questions are asked, what answers do, and what can go wrong."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom

from justesse.core.case import Case
from justesse.core.errors import InputError, OptionError
from justesse.core.tally import Tally
from justesse.intervals.ends import z_value
from justesse.judges.audit_plan import plan_audit
from justesse.judges.audit_questions import Question, next_questions
from justesse.judges.audit_state import AuditRun, audit_state
from justesse.judges.audit_targets import mistakes, population_ends, target
from justesse.judges.audited import audited, simulated_audit
from justesse.judges.simulated_audits import EXACT, simulate_audits
from justesse.significance.paired_difference import paired_difference, score_statistic


def rows(wins=60, losses=30, neither=10, agree=400, wrong=0.1, seed=0):
    """Make labels, answers of both and true classes of a test set with wrong labels."""
    rng = np.random.default_rng(seed)
    kinds = rng.permutation(np.repeat([1, -1, 0, 2], [wins, losses, neither, agree]))
    true = rng.integers(3, size=len(kinds))
    incumbent = np.where((kinds == -1) | (kinds == 2), true, (true + 1) % 3)
    candidate = np.where((kinds == 1) | (kinds == 2), true, (true + 2) % 3)
    label = np.where(rng.random(len(kinds)) < wrong, (true + rng.integers(1, 3, len(kinds))) % 3, true)
    return label, incumbent, candidate, true


def carried_out(plan, true, batch=1, until_stop=True):
    asked, answers, run = [], {}, AuditRun(plan)
    while new := next_questions(plan, asked, answers, batch):
        asked += new
        for one in new:
            answers[one.row] = int(true[one.row])
            run.take(one, answers[one.row])
        if until_stop and run.state().stop:
            break
    return asked, answers


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_with_all_answers_the_test_set_is_known_exactly(alternative):
    label, one, other, true = rows()
    plan = plan_audit(label, one, other, budget=1000, alternative=alternative)
    asked, answers = carried_out(plan, true, batch=100, until_stop=False)
    assert sorted(answers) == np.flatnonzero(one != other).tolist()
    state = audit_state(plan, asked, answers)
    assert state.test_set.difference.value == pytest.approx(30 / 500)
    interval = state.test_set.difference.interval
    assert interval.low == (-1 if alternative == "less" else pytest.approx(30 / 500))
    assert interval.high == (1 if alternative == "greater" else pytest.approx(30 / 500))
    assert state.expected_more == 0
    assert state.answered == state.disputed == 100


def test_the_order_is_decided_by_seed_rows_and_answers_alone():
    label, one, other, true = rows()
    plan = plan_audit(label, one, other)
    assert carried_out(plan, true) == carried_out(plan_audit(label, one, other), true)
    assert carried_out(plan, true)[0] != carried_out(plan_audit(label, one, other, seed=1), true)[0]
    # every row of a stratum is as likely as any other to come first
    firsts = [plan_audit(label, one, other, seed=seed).queues[2][0] for seed in range(300)]
    assert len(set(firsts)) > 40


def test_batches_answered_in_any_order_count_up_to_the_first_open_question():
    label, one, other, true = rows()
    plan = plan_audit(label, one, other)
    asked = next_questions(plan, [], {}, 12)
    answers = {question.row: int(true[question.row]) for question in asked}
    whole = audit_state(plan, asked, answers)
    backwards = audit_state(plan, asked, dict(reversed(answers.items())))
    assert whole.to_dict() == backwards.to_dict()
    missing = {row: given for row, given in answers.items() if row != asked[4].row}
    part = audit_state(plan, asked, missing)
    assert (part.answered, part.waiting, part.asked) == (4, 7, 12)
    assert part.to_dict()["test_set"] == audit_state(plan, asked[:4], answers).to_dict()["test_set"]
    assert len({question.row for question in [*asked, *next_questions(plan, asked, missing, 30)]}) == 42


def test_cannot_say_counts_against_whichever_side_is_shown():
    label, one, other, true = rows(wrong=0)
    plan = plan_audit(label, one, other, budget=100)
    asked, answers = carried_out(plan, true, batch=100, until_stop=False)
    silent = {question.row for question in asked[:10]}
    state = audit_state(plan, asked, {row: None if row in silent else given for row, given in answers.items()})
    assert state.cannot_say == 10
    won = sum(plan.gain(row, given) for row, given in answers.items() if row not in silent)
    interval = state.test_set.difference.interval
    assert (interval.low, interval.high) == (pytest.approx((won - 10) / 500), pytest.approx((won + 10) / 500))


def test_a_correction_is_taken_as_if_given_at_first():
    label, one, other, true = rows()
    plan = plan_audit(label, one, other)
    asked, answers = carried_out(plan, true)
    wrong = answers | {asked[0].row: int((true[asked[0].row] + 1) % 3)}
    assert audit_state(plan, asked, wrong).to_dict() != audit_state(plan, asked, answers).to_dict()
    mended = wrong | {asked[0].row: answers[asked[0].row]}
    assert audit_state(plan, asked, mended).to_dict() == audit_state(plan, asked, answers).to_dict()


def test_running_answer_by_answer_is_the_same_as_all_at_once():
    label, one, other, true = rows()
    plan = plan_audit(label, one, other, suspicion=np.arange(500) % 7)
    assert len(plan.strata) == 9
    asked, answers = carried_out(plan, true)
    run = AuditRun(plan)
    for question in asked:
        run.take(question, answers[question.row])
    assert run.state().to_dict() == audit_state(plan, asked, answers).to_dict()
    looks = run.state().looks["test set"]
    assert len(looks.low) == len(asked) + 1
    assert np.all(np.diff(looks.low) >= 0)
    assert np.all(np.diff(looks.high) <= 0)
    assert np.all((looks.low <= looks.estimate) & (looks.estimate <= looks.high))


def test_labels_that_are_right_need_few_answers_and_suspicion_may_be_useless():
    label, one, other, true = rows(wrong=0)
    plain = len(carried_out(plan_audit(label, one, other), true)[0])
    assert plain < 20
    noise = np.random.default_rng(0).random(500)
    assert len(carried_out(plan_audit(label, one, other, suspicion=noise), true)[0]) < 40
    assert len(plan_audit(label, one, other, suspicion=np.ones(500)).strata) == 3


def test_decisions_and_reasons_to_stop():
    def stop(wins, losses, **options):
        label, one, other, true = rows(wins=wins, losses=losses, wrong=0.02)
        plan = plan_audit(label, one, other, **options)
        asked, answers = carried_out(plan, true)
        state = audit_state(plan, asked, answers)
        return state.stop, state.decision

    assert stop(80, 10) == ("replace", "replace")
    assert stop(10, 80) == ("keep", "keep")
    assert stop(10, 80, alternative="greater") == ("futility", "cannot_tell")
    assert stop(80, 10, alternative="less") == ("futility", "cannot_tell")
    assert stop(45, 45, margin=0.1)[1] in ("equivalent", "keep")
    assert stop(45, 45) in (("answered", "cannot_tell"), ("futility", "cannot_tell"))
    assert stop(60, 30, budget=3) == ("budget", "cannot_tell")
    assert stop(60, 30, budget=0) == ("budget", "cannot_tell")
    assert stop(0, 0, budget=50)[1] == "cannot_tell"  # neither is right on any disputed row


def test_no_disagreement_is_known_at_once():
    plan = plan_audit([0, 1], [0, 1], [0, 1])
    assert next_questions(plan, [], {}) == []
    state = audit_state(plan, [], {})
    assert (state.stop, state.test_set.difference.value) == ("answered", 0.0)
    assert state.test_set.difference.interval.low == state.test_set.difference.interval.high == 0
    assert plan_audit([0], [0], [0], margin=0.1).disputed == 0


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.2])
def test_mistakes_are_the_binomial_quantile(rate):
    for n in (1, 7, 90, 2000):
        assert mistakes([n], rate, 0.0025)[0] == binom.isf(0.0025, n, rate)


def test_an_expert_who_may_be_wrong_moves_the_total_by_two_rows_at_worst():
    """Brute force: all answers that differ from the truth in at most w rows."""
    values = (-1, 0, 1)
    for truth in itertools.product(values, repeat=4):
        for answers in itertools.product(values, repeat=4):
            wrong = sum(one != other for one, other in zip(truth, answers, strict=True))
            assert abs(sum(answers) - sum(truth)) <= 2 * wrong
    plain, careful = (target(1000, 90, "test set", expert_error=error) for error in (0.0, 0.02))
    assert careful.lower == plain.lower + 2 * binom.isf(0.1 * 0.025, 90, 0.02)
    assert careful.risk == pytest.approx(0.9 * plain.risk)


def test_the_population_is_less_certain_than_the_test_set_and_never_more_than_with_all_labels():
    label, one, other, true = rows(wins=90, losses=10)
    plan = plan_audit(label, one, other, budget=200, question="population")
    asked, answers = carried_out(plan, true, batch=200, until_stop=False)
    state = audit_state(plan, asked, answers)
    inner, outer = state.test_set.difference.interval, state.population.difference.interval
    assert outer.low < inner.low <= inner.high < outer.high
    best = paired_difference(10, 90, 510)
    assert outer.low < best.low
    assert outer.high > best.high
    goal = plan.targets["population"]
    for total, shown in ((int(goal.lower), False), (int(goal.lower) + 1, True)):
        low, _ = population_ends(total, total, plan.disputed, plan.n, goal.sampling)
        assert (low > 0) == shown


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=1, max_size=4),
    st.sampled_from([0.0, 0.01, 0.05, 0.2, 0.5, 0.99]),
    st.sampled_from(["two-sided", "greater", "less"]),
    st.sampled_from([0.0, 0.02, 0.2]),
)
@example([(20, 1), (20, 9)], 0.05, "two-sided", 0.0)  # two models that differ in one row, beside another pair
def test_totals_that_settle_are_those_of_trying_all(sizes, margin, alternative, expert_error):
    """Brute force over every total, for several pairs at once: the same as one by one."""
    n = np.array([float(max(size)) for size in sizes])
    disputed = np.array([float(size[1]) for size in sizes])
    rule = {"margin": margin, "alternative": alternative, "expert_error": expert_error}
    many = target(n, disputed, "population", **rule)
    z = z_value(many.sampling)
    for at, (rows, apart) in enumerate(zip(n, disputed, strict=True)):
        totals = np.arange(-apart, apart + 1)

        def least(margin, apart=apart, rows=rows, totals=totals):
            shown = score_statistic((apart - totals) / 2, (apart + totals) / 2, rows, margin) > z
            if apart == rows:  # a score statistic alone breaks its level near 1
                won = np.maximum((rows + totals) / 2, 1e-9)
                shown &= beta.cdf((1 + margin) / 2, won, rows - won + 1) < many.sampling
            assert np.all(np.diff(shown.astype(int)) >= 0)  # a larger total never shows less
            return totals[shown].min() if shown.any() else apart + 1

        assert many.lower[at] - many.allowance[at] == least(margin) - 1
        assert many.upper[at] + many.allowance[at] == 1 - least(-margin)
        assert many.alike[at] - many.allowance[at] == least(-margin) - 1
        alone = target(rows, apart, "population", **rule)
        assert (alone.lower, alone.upper, alone.alike) == (many.lower[at], many.upper[at], many.alike[at])


def test_many_audits_agree_with_one_by_one():
    """The same rule on counts and on rows: about as many answers, the same decisions where they are clear."""
    label, one, other, true = rows(wins=80, losses=30)
    plans = [plan_audit(label, one, other, seed=seed) for seed in range(8)]
    single = [len(carried_out(plan, true)[0]) for plan in plans]
    many = simulate_audits(np.repeat(plans[0].counts(true)[None], 100, 0), 520)
    assert np.all(many.replaced)
    assert np.mean(single) == pytest.approx(many.answered.mean(), rel=0.3)
    assert np.array_equal(many.answered, simulate_audits(np.repeat(plans[0].counts(true)[None], 100, 0), 520).answered)


def test_ties_and_worse_candidates_seldom_replace():
    tie = np.array([[36, 1, 5], [2, 6, 2], [5, 1, 36]])
    worse = np.array([[50, 2, 1], [2, 10, 1], [12, 2, 38]])
    found = simulate_audits(np.repeat([tie, worse], 800, 0), 1000, alternative="greater", budget=100)
    assert found.replaced[:800].mean() <= 0.05 + 2 * 0.0077
    assert found.replaced[800:].mean() <= 0.02
    assert found.difference[[0, -1]] == pytest.approx([0, -24 / 1000], abs=0.02)


def test_the_judge_gives_a_verdict():
    cells = [(1, 1, 1, 1, 700), (1, 0, 1, 0, 20), (1, 1, 1, 0, 10), (1, 1, 0, 1, 110), (1, 0, 0, 0, 160)]
    case = Case(Tally.of(("true", "label", "incumbent", "candidate"), cells))
    found = audited(case)
    assert (found.judge, found.decision) == ("audited", "replace")
    assert found.outcome.pvalue <= 0.05
    assert "answered" in found.reason
    assert audited(case, measure="error").decision == "replace"
    assert np.isnan(audited(case, question="population").outcome.pvalue)
    careful = audited(case, expert_error=0.02)
    assert careful.outcome.n >= found.outcome.n
    swapped = Case(case.tally.renamed(incumbent="candidate", candidate="incumbent"))
    assert audited(swapped).decision == "keep"
    found.to_dict()
    assert simulated_audit(case).decision == "replace"
    with pytest.raises(OptionError, match="true classes"):
        audited(Case(case.tally.marginal("label", "incumbent", "candidate")))
    with pytest.raises(OptionError, match="accuracy and error, not macro F1"):
        audited(case, measure="macro-f1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"budget": -1}, "budget"),
        ({"expert_error": 0.5}, "expert's error"),
        ({"question": "rows"}, "question must be"),
        ({"margin": 1.0}, "one point is 0.01"),
        ({"level": 0.4, "alternative": "greater"}, "one-sided"),
        ({"seed": -1}, "seed"),
        ({"suspicion": [1.0, np.nan]}, "suspicion"),
        ({"n": 1}, "number of all rows, must be at least"),
    ],
)
def test_bad_options_are_refused_in_words(options, words):
    with pytest.raises(InputError, match=words):
        plan_audit([0, 1], [0, 0], [1, 0], **options)


def test_questions_of_another_audit_are_refused():
    plan = plan_audit([0, 1], [0, 0], [1, 0])
    with pytest.raises(InputError, match="does not belong"):
        AuditRun(plan).take(Question(1, 0, (1.0, 0.0, 0.0)), 0)
    with pytest.raises(InputError, match="shapes"):
        plan_audit([0, 1], [0], [1])
    with pytest.raises(InputError, match="strata"):
        simulate_audits([[1, 2, 3]], 10)


def test_a_range_of_gains_counts_against_the_side_to_be_shown_better():
    """A row that experts leave open counts as lost for the lower end, so that fewer audits replace."""
    ranges = (*EXACT, (-1, 1))
    counts = np.zeros((200, 3, 4), dtype=int)
    counts[:, 0, 0], counts[:, 2, 2] = 20, 50
    sure = simulate_audits(counts, 500, alternative="greater", budget=70, gains=ranges)
    plain = simulate_audits(counts[:, :, :3], 500, alternative="greater", budget=70)
    assert (sure.stop == plain.stop).all()
    assert (sure.answered == plain.answered).all()
    assert sure.replaced.all()
    open_rows = counts.copy()
    open_rows[:, 2, 2], open_rows[:, 2, 3] = 30, 20
    assert simulate_audits(open_rows, 500, alternative="greater", budget=70, gains=ranges).replaced.mean() <= 0.05
