"""`justesse lifelong audit`: an audit whose rows count as the policy says."""

import json
from itertools import product

import numpy as np
import pytest

from justesse.cli.main import main
from justesse.judges.audit_payoffs import payoffs
from justesse.judges.measured_audit import plan_measured_audit
from justesse.verbs.audit.audit import read_audit


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, " ".join(shown.err.split())


@pytest.fixture
def systems(tmp_path):
    """Two systems on 100 items of each of two months: the first better in January, the second in February."""
    paths = []
    for name, wrong in (("old", (0, 60)), ("new", (40, 0))):
        lines = ["id,version,trained,time,label,prediction,true"]
        for month, errors in zip(("01", "02"), wrong, strict=True):
            lines += [
                f"{month}-{item},v1,2025-01-01,2024-{month}-10,cat,{'dog' if item < errors else 'cat'},cat"
                for item in range(100)
            ]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join(lines) + "\n")
    return paths


def started(capsys, systems, place, *options):
    words = ["--trained", "trained", "--period", "month", "--to", place, *options, "--json"]
    code, out, err = run(capsys, "lifelong", "audit", *systems, *words)
    return code, json.loads(out) if out else err


@pytest.mark.parametrize(("policy", "decision"), [("recent", "replace"), ("past", "keep"), ("window:1", "replace")])
def test_the_policy_decides(systems, tmp_path, capsys, policy, decision):
    code, data = started(capsys, systems, tmp_path / "a.audit", "--policy", policy, "--true", "true")
    assert code == 0
    assert data["verdict"] == decision
    assert data["policy"]["policy"] == policy.partition(":")[0]
    audit = read_audit(tmp_path / "a.audit")
    weights = np.array(audit.about["weights"]["rows"])
    months = [row.id[:2] for row in audit.disputes]
    assert set(months) == ({"02"} if policy == "window:1" else {"01", "02"})
    if policy == "recent":  # 1/3 of January and 2/3 of February, 100 items each
        assert set(np.round(weights, 12)) == {round(1 / 300, 12), round(2 / 300, 12)}
        assert audit.plan.values([0] * len(weights)).sum() * audit.plan.unit == pytest.approx(-40 / 300 + 60 * 2 / 300)


def test_questions_are_asked_where_the_weight_lies(systems, tmp_path, capsys):
    started(capsys, systems, tmp_path / "a.audit", "--policy", "recent", "--half-life", "5")
    _, out, _ = run(capsys, "audit", "next", tmp_path / "a.audit", "-n", "20", "--json")
    asked = [question["id"] for question in json.loads(out)["questions"]]
    assert sum(name.startswith("02") for name in asked) >= 15  # January weighs 1/64 or so


def test_the_file_goes_on_as_any_audit(systems, tmp_path, capsys):
    place = tmp_path / "a.audit"
    started(capsys, systems, place, "--policy", "recent", "--budget", "100")
    _, out, _ = run(capsys, "audit", "next", place, "-n", "100", "--json")
    answers = tmp_path / "answers.csv"
    ids = [question["id"] for question in json.loads(out)["questions"]]
    answers.write_text("id,answer\n" + "".join(f"{name},cat\n" for name in ids))
    code, _, err = run(capsys, "audit", "answer", place, "--file", answers, "--by", "Ann")
    assert code == 0, err
    _, out, _ = run(capsys, "audit", "status", place, "--json")
    assert json.loads(out)["verdict"] == "replace"
    _, out, _ = run(capsys, "audit", "status", place)
    assert "under the policy" in " ".join(out.split())


def test_bad_input_gets_a_sentence(systems, tmp_path, capsys):
    place = tmp_path / "a.audit"
    code, err = started(capsys, systems, place, "--experts", "model")
    assert code == 2
    assert "which they are not under a policy" in err
    code, err = started(capsys, systems, place, "--policy", "latest")
    assert code == 2
    assert "A policy is recent" in err
    assert not place.exists()
    started(capsys, systems, place)
    code, err = started(capsys, systems, place)
    assert code == 2


def test_weighted_gains_are_those_of_the_policy_by_trying_all_truths():
    label, old, new = np.array([0, 1, 2, 0]), np.array([1, 1, 0, 0]), np.array([0, 2, 1, 0])
    weights = np.array([0.1, 0.4, 0.3, 0.2])
    cells = np.stack([label, old, new, np.ones(4, dtype=int)], -1)
    plan = plan_measured_audit(payoffs("accuracy", list("abc"), cells), label, old, new, n=4, weights=weights * 4)
    assert plan.rows.tolist() == [0, 1, 2]
    low, high = np.inf, -np.inf
    for true in product(range(3), repeat=3):
        gains = weights[:3] * ((new[:3] == true).astype(float) - (old[:3] == true))
        assert plan.values(true) * plan.unit == pytest.approx(gains)
        low, high = min(low, gains.sum()), max(high, gains.sum())
    assert plan.least.sum() * plan.unit == pytest.approx(low)
    assert plan.most.sum() * plan.unit == pytest.approx(high)
    none = plan_measured_audit(payoffs("accuracy", list("abc"), cells), label, old, new, n=4, weights=[0, 4, 4, 4])
    assert none.rows.tolist() == [1, 2]
