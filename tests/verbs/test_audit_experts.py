"""Several experts in one audit: how certain the answers that count are, by a model of the experts' mistakes."""

import itertools
import time
from dataclasses import replace

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.core.errors import OptionError
from justesse.judges.audit_plan import GainRange
from justesse.verbs.audit.audit import Audit
from justesse.verbs.audit.cautions import history
from justesse.verbs.audit.expert_fit import fit_experts
from justesse.verbs.audit.facts import checked_facts
from justesse.verbs.schemas import schema

AT = np.arange(80)
FRAME = pd.DataFrame({"id": [f"q{at}" for at in AT], "label": "A", "old": np.where(AT < 40, "B", "A")})
FRAME["new"] = np.where(AT < 40, "A", "B")
TRUE = {f"q{at}": FRAME["old" if at % 10 == 0 else "new"][at] for at in AT}
OTHER = {"A": "B", "B": "A"}


def audited(path, right, questions=40, seed=0, **options):
    """Ask each expert all questions; each is right with an own chance."""
    rng = np.random.default_rng(seed)
    justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", to=path, budget=80, **options)
    ids = [question.id for question in justesse.audit_next(path, questions).questions]
    rows = [
        (name, TRUE[name] if rng.random() < chance else OTHER[TRUE[name]], f"expert {who}")
        for who, chance in enumerate(right)
        for name in ids
    ]
    justesse.audit_answer(path, answers=pd.DataFrame(rows, columns=["id", "class", "by"]))
    return justesse.audit_status(path)


def test_careless_experts_leave_doubtful_rows(tmp_path):
    status = audited(tmp_path / "my.audit", (0.8, 0.7, 0.7), experts="majority")
    doubt = status.experts
    assert doubt.people == 3
    assert doubt.shared == 40
    settled = [(status.audit.disputes[row].id, answer) for row, answer in status.audit.settled.items()]
    wrong = np.mean([answer.answer != TRUE[name] for name, answer in settled if answer.counts])
    assert doubt.doubtful
    assert 0 < doubt.expected_wrong < 0.5
    assert abs(doubt.expected_wrong - wrong) < 0.25
    assert any("model of the mistakes of 3 experts" in text and "independently" in text for text in status.warnings)
    written = status.to_dict()
    jsonschema.validate(written, schema("audit"))
    assert written["experts"]["doubtful"] == list(doubt.ids)
    assert doubt.decision in ("cannot_tell", "keep", status.decision)


def test_experts_who_agree_leave_no_doubt(tmp_path):
    status = audited(tmp_path / "my.audit", (1.0, 1.0, 0.9))
    doubt = status.experts
    assert doubt.decision == status.decision
    assert doubt.expected_wrong < 0.05
    careful = replace(doubt, expected_wrong=8e-8).caution(status.decision)
    assert "expects less than 0.1 % of the answers that count to be wrong" in str(careful).replace("\u00a0", " ")


def test_by_majority_the_verdict_does_not_depend_on_the_model(tmp_path):
    status = audited(tmp_path / "my.audit", (0.8, 0.7, 0.7), experts="majority")
    for row, answer in status.audit.settled.items():
        votes = [entry.answer for entry in answer.people]
        assert answer.answer == max(set(votes), key=votes.count), row


@pytest.mark.parametrize("right", [(0.9,), ()])
def test_one_expert_is_not_judged(tmp_path, right):
    path = tmp_path / "my.audit"
    status = audited(path, right) if right else None
    if status is None:
        justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", to=path)
        status = justesse.audit_status(path)
    assert status.experts is None
    assert status.to_dict()["experts"] is None


def test_where_experts_disagree_every_answer_stays_possible(tmp_path):
    status = audited(tmp_path / "my.audit", (1.0, 0.7, 0.7))
    audit = status.audit
    assert audit.experts == status.to_dict()["expert_rule"] == "unanimous"
    differ = [row for row, settled in audit.settled.items() if settled.differ]
    assert differ
    assert all(audit.answers[row] == GainRange(-1, 1) for row in differ)
    assert status.to_dict()["cannot_say"] == len(differ)
    assert any("because people disagree" in text for text in status.warnings)
    majority = audited(tmp_path / "other.audit", (1.0, 0.7, 0.7), experts="majority")
    assert majority.audit.state.test_set.difference.interval.low > audit.state.test_set.difference.interval.low


def test_the_range_is_that_of_the_answers_given(tmp_path):
    path = tmp_path / "my.audit"
    justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", to=path)
    question = justesse.audit_next(path, 1).questions[0]
    justesse.audit_answer(path, question.id, question.answers[0], by="Ann")
    justesse.audit_answer(path, question.id, neither=True, by="Bob")
    audit = justesse.audit_status(path).audit
    gains = sorted(audit.gain(entry) for entry in audit.diary)
    assert list(audit.answers.values()) == [GainRange(*gains)]
    assert 0 in gains
    assert gains != [0, 0]
    justesse.audit_answer(path, question.id, neither=True, by="Ann", correct=True)
    assert justesse.audit_status(path).to_dict()["cannot_say"] == 0


def test_the_model_settles_what_a_careful_majority_says(tmp_path):
    """Four experts who are nearly always right outvote a fifth who guesses."""
    status = audited(tmp_path / "my.audit", (0.98, 0.98, 0.98, 0.98, 0.5), experts="model")
    audit = status.audit
    settled = [row for row, each in audit.answers.items() if each.low == each.high]
    assert len(settled) > 0.9 * len(audit.answers)
    assert sum(each.differ for each in audit.settled.values()) > 10
    right = [
        audit.answers[row].low == (1 if TRUE[audit.disputes[row].id] == audit.disputes[row].candidate else -1)
        for row in settled
    ]
    assert np.mean(right) > 0.97
    assert audit.plan.expert_error == 0
    jsonschema.validate(status.to_dict(), schema("audit"))
    assert any("says which answers stay possible" in text for text in status.warnings)


def test_the_model_waits_for_ten_shared_questions(tmp_path):
    status = audited(tmp_path / "my.audit", (0.9, 0.6), questions=8, experts="model")
    assert status.audit.expert_fit is None


def test_a_file_without_the_setting_keeps_the_majority(tmp_path):
    status = audited(tmp_path / "my.audit", (0.9, 0.8, 0.7), experts="majority")
    old = {name: value for name, value in status.audit.about.items() if name != "experts"}
    assert checked_facts(old, status.audit.path) == old
    audit = status.audit
    again = Audit(audit.path, old, audit.disputes, audit.drawn, audit.entries, audit.amendments)
    assert again.experts == "majority"
    assert again.state.test_set == audit.state.test_set


@pytest.mark.parametrize("experts", ["unanimous", "model", "majority"])
def test_only_people_say_how_many_mistakes_are_allowed(tmp_path, experts):
    """An allowance estimated from the answers would have no proof: what is estimated informs only."""
    status = audited(tmp_path / "my.audit", (0.7, 0.7, 0.7), experts=experts)
    assert status.audit.plan.expert_error == 0
    assert status.experts.expected_wrong > 0.005
    warning = next(text for text in status.warnings if "model of the mistakes" in text)
    assert "audit extend my.audit --expert-error" in warning


def test_the_allowance_can_be_raised_and_never_lowered(tmp_path):
    path = tmp_path / "my.audit"
    before = audited(path, (1.0, 1.0, 1.0))
    assert before.decision == "replace"
    after = justesse.audit_extend(path, expert_error=0.2, by="Ann")
    assert after.audit.plan.expert_error == after.to_dict()["expert_error"] == 0.2
    ends = [each.audit.state.test_set.difference.interval for each in (before, after)]
    assert ends[1].low < ends[0].low
    assert after.decision == "cannot_tell"
    assert any("Expert error raised to 20" in str(words) for words in history(after.audit))
    for lower in (0.2, 0.1):
        with pytest.raises(OptionError, match="only grow"):
            justesse.audit_extend(path, expert_error=lower)
    with pytest.raises(OptionError, match="below 0.5"):
        justesse.audit_extend(path, expert_error=0.7)
    assert justesse.audit_status(path).audit.plan.expert_error == 0.2


@pytest.mark.parametrize(
    ("experts", "error", "words"),
    [
        ("unanimous", 0.0, "at least one of those who answered a question is right"),
        ("unanimous", 0.1, "experts may share mistakes"),
        ("majority", 0.0, "the answers that count are right"),
        ("model", 0.1, "the answer that counts is wrong with probability at most 0.1"),
    ],
)
def test_the_assumption_is_that_of_the_rule(tmp_path, experts, error, words):
    status = audited(tmp_path / "my.audit", (0.9, 0.9), experts=experts, expert_error=error)
    assert words in status.to_dict()["assumptions"][0]
    alone = audited(tmp_path / "alone.audit", (0.9,), experts=experts, expert_error=error)
    assert "the expert" in alone.to_dict()["assumptions"][0]


def test_the_range_misses_the_truth_only_if_all_are_wrong():
    """The ground of the allowance: whoever shares mistakes, all are wrong at most as often as any one of them."""
    gains = (-1, 0, 1)
    for views in itertools.product(gains, repeat=3):
        span = GainRange.of(views)
        for true in gains:
            missed = not span.low <= true <= span.high
            assert not missed or all(view != true for view in views)


def test_another_answer_takes_little_time(tmp_path):
    """The model is fitted by EM, about a millisecond; drawing from its posterior took 0.3 s for each answer."""
    path = tmp_path / "my.audit"
    audit = audited(path, (0.9, 0.9, 0.8), experts="model").audit
    opinions = audit.opinions()
    start = time.process_time()
    for _ in range(5):
        fit_experts(opinions)
    assert time.process_time() - start < 5 * 0.05
