"""Several experts in one audit: how certain the answers that count are, by a model of the experts' mistakes."""

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.judges.audit_plan import GainRange
from justesse.verbs.audit.audit import Audit
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
    """Four experts who are nearly always right outvote a fifth who guesses; the estimated error widens the interval."""
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
    assert audit.plan.expert_error == audit.expert_fit.left_out > 0
    jsonschema.validate(status.to_dict(), schema("audit"))
    assert any("more than one possible outcome" in text for text in status.warnings)


def test_the_model_waits_for_ten_shared_questions(tmp_path):
    status = audited(tmp_path / "my.audit", (0.9, 0.6), questions=8, experts="model")
    assert status.audit.expert_fit is None
    assert status.audit.plan is status.audit.planned


def test_a_file_without_the_setting_keeps_the_majority(tmp_path):
    status = audited(tmp_path / "my.audit", (0.9, 0.8, 0.7), experts="majority")
    old = {name: value for name, value in status.audit.about.items() if name != "experts"}
    assert checked_facts(old, status.audit.path) == old
    audit = status.audit
    again = Audit(audit.path, old, audit.disputes, audit.drawn, audit.entries, audit.amendments)
    assert again.experts == "majority"
    assert again.state.test_set == audit.state.test_set
