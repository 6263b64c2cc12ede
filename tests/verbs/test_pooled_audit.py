"""Audits of several classifiers: one file, one pool of answers, and the commands of any audit."""

import json
import signal
import subprocess
import sys

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from frames.logs import written_logs as written
from justesse.core.errors import ClassError, InputError, JustesseError, OptionError
from justesse.verbs.audit.ask import Sitting
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.schemas import schema

ROWS = 240
RNG = np.random.default_rng(5)
TRUE = RNG.integers(0, 3, ROWS)
FRAME = pd.DataFrame({"id": range(ROWS), "label": np.where(RNG.random(ROWS) < 0.92, TRUE, (TRUE + 1) % 3), "is": TRUE})
for name, skill in (("low", 0.5), ("mid", 0.7), ("high", 0.9)):
    FRAME[name] = np.where(RNG.random(ROWS) < skill, TRUE, (TRUE + RNG.integers(1, 3, ROWS)) % 3)
START = {"on": "id", "models": ["low", "mid", "high"]}


def start(path, **options):
    return justesse.audit_start(FRAME, **{**START, "to": path, **options})


def checked(status):
    printed = json.loads(json.dumps(status.to_dict(), allow_nan=False))
    jsonschema.validate(printed, schema("audit"))
    return printed


@pytest.mark.parametrize("goal", ["winner", "top:2", "pairs", "incumbent"])
def test_a_column_that_plays_the_expert_settles_the_true_order(tmp_path, goal):
    status = start(tmp_path / "my.audit", goal=goal, true="is", budget=ROWS)
    printed = checked(status)
    assert status.replaces
    assert printed["verdict"] == "settled"
    assert printed["stop"] == "settled"
    right = {name: int((FRAME[name] == TRUE).sum()) for name in START["models"]}
    for pair in printed["pairs"]:
        gain = (right[pair["second"]] - right[pair["first"]]) / ROWS
        assert pair["interval"]["low"] <= gain <= pair["interval"]["high"]
        assert pair["verdict"] in ("open", "second" if gain > 0 else "first")
    assert printed["best"] == {"winner": ["high"], "top:2": ["mid", "high"]}.get(goal)
    assert printed["answered"] < printed["disputed"]
    if goal == "pairs":
        assert printed["tiers"] == [["high"], ["mid"], ["low"]]
    if goal == "incumbent":
        assert {(pair["first"], pair["verdict"]) for pair in printed["pairs"]} == {("low", "second")}
        assert printed["incumbent"] == "low"


def test_files_and_a_wide_table_ask_the_same(tmp_path):
    tables = [FRAME[["id", "label", name]].rename(columns={name: "pred"}) for name in START["models"]]
    paths = []
    for name, table in zip(START["models"], tables, strict=True):
        paths.append(tmp_path / f"{name}.csv")
        table.sample(frac=1, random_state=1).to_csv(paths[-1], index=False)
    wide = start(tmp_path / "wide.audit")
    apart = justesse.audit_start(*paths, on="id", to=tmp_path / "apart.audit")
    assert isinstance(wide, PooledStatus)
    assert isinstance(apart, PooledStatus)
    due = [justesse.audit_next(tmp_path / name, 20).questions for name in ("wide.audit", "apart.audit")]
    assert [item.id for item in due[0]] == [item.id for item in due[1]]
    assert [set(map(str, item.answers)) for item in due[0]] == [set(map(str, item.answers)) for item in due[1]]
    assert apart.audit.models == ("low.csv", "mid.csv", "high.csv")


def test_answers_of_every_kind_count_for_every_pair(tmp_path):
    path = tmp_path / "my.audit"
    start(path, show="is")
    due = justesse.audit_next(path, 60, reveal=True)
    jsonschema.validate(json.loads(json.dumps(due.to_dict())), schema("audit"))
    assert set(due.questions[0].to_dict()["models"]) == set(START["models"])
    ids = [item.id for item in due.questions]
    kinds = [{"class_name": 1}, {"class_name": "0|2"}, {"flawed": True}, {"neither": True}, {"cannot_say": True}]
    for name, answer in zip(ids, kinds, strict=False):
        saved = justesse.audit_answer(path, name, by="Ann", **answer)
        jsonschema.validate(json.loads(json.dumps(saved.to_dict())), schema("audit"))
    with pytest.raises(ClassError, match=r"Name the right classes, such as"):
        justesse.audit_answer(
            path, next(item.id for item in due.questions if len(item.answers) == 3), both=True, by="Ann"
        )
    two = next(item for item in due.questions[5:] if len(item.answers) == 2)
    justesse.audit_answer(path, two.id, both=True, by="Ann")  # only two classes can be meant
    audit = justesse.audit_status(path).audit
    (entry,) = audit.settled[audit.by_id[two.id].row].people
    assert (entry.kind, set(entry.classes)) == ("several", set(two.answers))
    justesse.audit_answer(path, two.id, withdraw=True, by="Ann")
    status = justesse.audit_status(path)
    printed = checked(status)
    assert printed["kinds"] == {
        "answer": 1,
        "several": 1,
        "credit": 0,
        "both": 0,
        "neither": 1,
        "flawed": 1,
        "cannot_say": 1,
    }
    run = status.audit.progress.run
    assert (run.taken, run.cannot_say) == (5, 1)
    several = status.audit.by_id[ids[1]]
    gains, _ = status.audit.plan.gains(several.row, status.audit.answers[several.row])
    expected = [
        int(several.answers[b] in (0, 2)) - int(several.answers[a] in (0, 2)) for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    assert gains.tolist() == expected
    assert "called flawed" in " ".join(printed["warnings"])


def test_people_who_disagree_leave_the_worst_of_their_answers(tmp_path):
    path = tmp_path / "my.audit"
    start(path)
    item = justesse.audit_next(path, 1).questions[0]
    justesse.audit_answer(path, item.id, item.answers[0], by="Ann")
    justesse.audit_answer(path, item.id, item.answers[1], by="Bob")
    status = justesse.audit_status(path)
    row = status.audit.by_id[item.id]
    low, high = status.audit.plan.gains(row.row, status.audit.answers[row.row])
    assert (low < high).any()
    assert (low <= high).all()
    assert status.differ == [item.id]
    majority = tmp_path / "majority.audit"
    start(majority, experts="majority")
    for by, answer in (("Ann", 0), ("Bob", 1), ("Cy", 1)):
        justesse.audit_answer(majority, item.id, item.answers[answer], by=by)
    assert justesse.audit_status(majority).audit.answers[row.row] == (frozenset([int(item.answers[1])]),)


def test_a_sitting_goes_on_to_the_end_and_a_correction_is_judged_again(tmp_path):
    path = tmp_path / "my.audit"
    start(path, budget=ROWS, goal="winner")
    sitting = Sitting(path, by="Ann")
    while due := sitting.next():
        sitting.answer(due.question.id, int(TRUE[int(due.question.id)]))
    status = sitting.status()
    assert status.decision == "settled"
    again = justesse.audit_status(path).to_dict()
    assert {**again, "run": 0} == {**status.to_dict(), "run": 0}
    for entry in again["answers"][:40]:
        wrong = (entry["class"] + 1) % 3
        justesse.audit_answer(path, entry["id"], wrong, by="Ann", correct=True)
    assert justesse.audit_status(path).decision != "settled"


def test_export_and_extend(tmp_path):
    path = tmp_path / "my.audit"
    start(path, true="is", budget=5)
    assert justesse.audit_status(path).audit.state.stop == "budget"
    longer = justesse.audit_extend(path, budget=50, by="Ann")
    assert (longer.audit.state.budget, longer.audit.state.stop) == (50, "")
    assert checked(justesse.audit_extend(path, expert_error=0.02))["expert_error"] == 0.02
    with pytest.raises(OptionError, match="never stops for futility"):
        justesse.audit_extend(path, futility=False)
    copy = justesse.audit_export(path, tmp_path / "copy.audit")
    assert len(copy.audit.diary) == 5
    assert {**checked(justesse.audit_status(copy.audit.path)), "file": 0, "run": 0} == {
        **checked(justesse.audit_status(path)), "file": 0, "run": 0}  # fmt: skip


EXPERT = """
import sys
import justesse
path, by, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
while due := justesse.audit_next(path, len(justesse.audit_status(path).audit.open) or batch).questions:
    for item in due:
        justesse.audit_answer(path, item.id, int(item.id) % 3, by=by)
        print(item.id, flush=True)
"""


def test_a_run_that_was_killed_goes_on_as_if_nothing_had_happened(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for path in (killed, whole):
        start(path, budget=60, level=1 - 1e-12)
    words = [sys.executable, "-c", EXPERT, str(killed), "Ann", "20"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    announced = [process.stdout.readline().strip() for _ in range(25)]
    process.send_signal(signal.SIGKILL)
    announced += process.stdout.read().split()
    process.communicate()
    kept = [entry["id"] for entry in justesse.audit_status(killed).to_dict()["answers"]]
    assert set(announced) <= set(kept)
    for path in (killed, whole):
        subprocess.run([*words[:3], str(path), *words[4:]], check=True, capture_output=True)
    results = [justesse.audit_status(path).to_dict() for path in (killed, whole)]
    assert len(results[0]["answers"]) == 60
    assert [{**one, "run": 0, "file": 0} for one in results[:1]] == [
        {**one, "run": 0, "file": 0} for one in results[1:]
    ]


def test_what_an_audit_of_several_cannot_do_is_refused(tmp_path):
    path = tmp_path / "my.audit"
    for options, words in (
        ({"goal": "best"}, "The goal must be winner"),
        ({"goal": "top:3"}, "whole number from 1 to 2"),
        ({"goal": "incumbent", "incumbent": "nobody"}, "No classifier is called 'nobody'"),
        ({"goal": "winner", "incumbent": "low"}, "is for the goal incumbent"),
        ({"measure": "f1:1"}, "is for audits of two classifiers"),
        ({"margin": 0.01}, "is for audits of two classifiers"),
        ({"question": "population"}, "is about this test set"),
        ({"experts": "model"}, "Use experts=unanimous"),
        ({"models": ["low", "mid"]}, "needs 3 classifiers or more"),
        ({"models": ["low", "mid", "x"]}, "'x'"),
        ({"on": None}, "Name the column with the ids"),
        ({"on": "label"}, "Duplicate ids"),
        ({"level": 1.5}, "level"),
        ({"expert_error": 0.6}, "error rate"),
        ({"show": "nothing"}, "'nothing'"),
        ({"true": "nothing"}, "'nothing'"),
        ({"metric": "acc"}, "is for evaluation logs"),
    ):
        with pytest.raises(JustesseError, match=words.replace("(", r"\(")):
            start(path, **options)
        assert not path.exists()
    odd = FRAME.assign(**{"is": "zebra"})
    with pytest.raises(InputError, match="no class of the labels"):
        justesse.audit_start(odd, **START, to=path, true="is")
    assert not path.exists()


def test_classifiers_that_agree_everywhere_leave_nothing_to_ask(tmp_path):
    same = FRAME.assign(mid=FRAME.low, high=FRAME.low)
    status = justesse.audit_start(same, **START, to=tmp_path / "my.audit")
    printed = checked(status)
    assert printed["disputed"] == 0
    assert printed["tiers"] == [["low", "mid", "high"]]
    assert not justesse.audit_next(tmp_path / "my.audit", 3).questions
    assert "same answer everywhere" in status.title


def test_missing_answers_are_never_right(tmp_path):
    gaps = FRAME.astype({"low": "object"})
    gaps.loc[:20, "low"] = None
    status = justesse.audit_start(gaps, **START, to=tmp_path / "my.audit", missing="wrong", true="is", budget=ROWS)
    assert status.tiers[-1] == ["low"]
    assert all(None not in row.different for row in status.audit.disputes)


def test_labels_that_accept_several_classes(tmp_path):
    sets = FRAME.assign(
        label=[f"{label}|{(label + 1) % 3}" if at % 5 == 0 else str(label) for at, label in enumerate(FRAME.label)]
    )
    status = justesse.audit_start(sets, **START, to=tmp_path / "my.audit", any_of="|", true="is", budget=ROWS)
    assert status.tiers == [["high"], ["mid"], ["low"]]


def test_a_changed_file_is_not_relied_upon(tmp_path):
    import sqlite3

    path = tmp_path / "my.audit"
    start(path, true="is", goal="winner", budget=ROWS)
    with sqlite3.connect(path) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE answers SET said = '2' WHERE number = 3")
    status = justesse.audit_status(path)
    assert status.audit.broken
    assert not status.replaces
    with pytest.raises(JustesseError, match="changed"):
        justesse.audit_next(path, 3)


def test_the_page_shows_the_order_and_the_pairs(tmp_path):
    status = start(tmp_path / "my.audit", true="is", goal="pairs", budget=ROWS)
    page = justesse.audit_report(tmp_path / "my.audit", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "Audit of 3 classifiers" in text
    assert "possible ranks" in text
    assert status.title in text
    assert page.part == "report"


def logged(tmp_path, count=4, size=120):
    """Write logs of several models on the same questions; the targets of some are wrong."""
    rng = np.random.default_rng(8)
    true = rng.choice(list("ABCD"), size)
    targets = np.where(rng.random(size) < 0.9, true, rng.choice(list("ABCD"), size))
    paths = []
    for at, skill in enumerate(np.linspace(0.4, 0.95, count)):
        answers = np.where(rng.random(size) < skill, true, rng.choice(list("ABCD"), size))
        asked = [written.Question(n, str(t), str(a)) for n, (t, a) in enumerate(zip(targets, answers, strict=True))]
        paths.append(written.inspect_json(tmp_path / f"run{at}.json", asked, model=f"org/model-{at}"))
    return paths, true


def test_logs_are_audited_by_their_ids(tmp_path):
    paths, true = logged(tmp_path)
    path = tmp_path / "board.audit"
    status = justesse.audit_start(*paths, to=path, goal="winner", budget=120)
    assert status.audit.models == tuple(f"run{at}.json" for at in range(4))
    sitting = Sitting(path, by="Ann")
    while due := sitting.next():
        sitting.answer(due.question.id, str(true[int(due.question.id)]))
    assert checked(sitting.status())["best"] == ["run3.json"]


def test_two_logs_are_an_ordinary_audit(tmp_path):
    paths, _ = logged(tmp_path)
    status = justesse.audit_start(paths[0], paths[3], to=tmp_path / "two.audit")
    printed = json.loads(json.dumps(status.to_dict()))
    jsonschema.validate(printed, schema("audit"))
    assert (printed["incumbent"], printed["candidate"]) == ("run0.json", "run3.json")
    assert printed["verdict"] == "cannot_tell"
