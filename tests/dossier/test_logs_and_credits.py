"""Dossiers of evaluation logs, of answers with credits and of people asked about a judge: written, then verified."""

import pytest

import justesse
from frames.logs import written_logs as written
from justesse.dossier.layout import read_record
from verbs.test_evaluation_logs import questions
from verbs.test_llm_judge_ask import verdicts


def verified(result, path):
    """Write the dossier of a result, and check that every figure is computed again."""
    verification = justesse.dossier_verify(result.dossier(path))
    assert verification.passed, [str(fault.sentence) for fault in verification.faults]
    assert verification.hashed == []
    assert read_record(path)["recomputed"]["except"] == []
    return read_record(path)


@pytest.fixture
def logs(tmp_path):
    """Write three logs; the last model refuses often."""
    answers = {"old": (0.7, 0.0), "new": (0.8, 0.0), "shy": (0.8, 0.3)}
    return [
        written.inspect_json(
            tmp_path / f"{name}.json", questions(skill, refused=refused, seed=at, size=120), model=name
        )
        for at, (name, (skill, refused)) in enumerate(answers.items())
    ]


def test_a_comparison_of_logs(logs, tmp_path):
    record = verified(justesse.compare(logs[1], logs[2]), tmp_path / "d.json")
    assert any("leaves more questions without a usable answer" in warning for warning in record["warnings"])


def test_a_comparison_of_logs_whose_questions_repeat(tmp_path):
    refusal = "I'm sorry, but I can't help with that."
    numbers = [(at % 40, at // 40 + 1, at) for at in range(80)]
    asked = [written.Question(id, "A", "A" if at % 3 else refusal, epoch) for id, epoch, at in numbers]
    answered = [written.Question(id, "A", "A" if at % 5 else "B", epoch) for id, epoch, at in numbers]
    paths = [
        written.inspect_json(tmp_path / f"{name}.json", rows, model=name)
        for name, rows in (("shy", asked), ("new", answered))
    ]
    record = verified(justesse.compare(*paths), tmp_path / "d.json")
    assert any("cluster-robust McNemar" in warning for warning in record["warnings"])


def test_a_tournament_of_logs(logs, tmp_path):
    verified(justesse.tournament(*logs), tmp_path / "d.json")


def test_an_evaluation_of_a_log(logs, tmp_path):
    verified(justesse.evaluate(logs[2]), tmp_path / "d.json")


def test_an_audit_with_recorded_scores_and_credits(tmp_path):
    rows = {"id": list(range(30)), "label": ["x"] * 30}
    rows |= {name: [f"{name}{at % 3}" for at in range(30)] for name in "abc"}
    rows |= {f"score_{name}": [(at + shift) % 3 / 2 for at in range(30)] for shift, name in enumerate("abc")}
    path = tmp_path / "free.audit"
    justesse.audit_start(rows, models=list("abc"), on="id", score="score_*", to=path)
    (question, *_) = justesse.audit_next(path, 3).questions
    credits = dict(zip(question.answers, (1, 0.5), strict=False))
    justesse.audit_answer(path, question.id, "|".join(f"{name}={credit}" for name, credit in credits.items()), by="ann")
    verified(justesse.audit_status(path), tmp_path / "d.json")


def test_people_asked_about_a_judge(tmp_path):
    table, truth = verdicts(n=60)
    file, to = tmp_path / "atlas.audit", tmp_path / "rate.csv"
    first = justesse.llm_judge(table, ask=file, ask_about="atlas", ask_next=10, to=to)
    verified(first, tmp_path / "first.json")
    human = {"item": [name.split()[0] for name in first.next_ids]}
    human |= {"model_1": ["atlas"] * 10, "model_2": ["birch"] * 10, "winner": [truth[name] for name in human["item"]]}
    result = justesse.llm_judge(table, human=human, ask=file, ask_about="atlas", ask_next=10)
    record = verified(result, tmp_path / "second.json")
    assert record["results"]["answered"] == 10
