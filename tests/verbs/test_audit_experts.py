"""Several experts in one audit: how certain the answers that count are, by a model of the experts' mistakes."""

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.verbs.schemas import schema

AT = np.arange(80)
FRAME = pd.DataFrame({"id": [f"q{at}" for at in AT], "label": "A", "old": np.where(AT < 40, "B", "A")})
FRAME["new"] = np.where(AT < 40, "A", "B")
TRUE = {f"q{at}": FRAME["old" if at % 10 == 0 else "new"][at] for at in AT}
OTHER = {"A": "B", "B": "A"}


def audited(path, right, questions=40, seed=0):
    """Ask each expert all questions; each is right with an own chance."""
    rng = np.random.default_rng(seed)
    justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", to=path, budget=80)
    ids = [question.id for question in justesse.audit_next(path, questions).questions]
    rows = [
        (name, TRUE[name] if rng.random() < chance else OTHER[TRUE[name]], f"expert {who}")
        for who, chance in enumerate(right)
        for name in ids
    ]
    justesse.audit_answer(path, answers=pd.DataFrame(rows, columns=["id", "class", "by"]))
    return justesse.audit_status(path)


def test_careless_experts_leave_doubtful_rows(tmp_path):
    status = audited(tmp_path / "my.audit", (0.8, 0.7, 0.7))
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


def test_the_verdict_does_not_depend_on_the_model(tmp_path):
    status = audited(tmp_path / "my.audit", (0.8, 0.7, 0.7))
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
