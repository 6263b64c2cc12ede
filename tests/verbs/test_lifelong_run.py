"""`justesse.lifelong_run`: runs of commands, kept runs, runs that were killed, and people who answer."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time

import jsonschema
import pytest

import justesse
from justesse.core.errors import FileError, InputError, OptionError
from justesse.verbs.schemas import schema
from learners.systems import Nearest, command, rows

OPTIONS = {"expert": "noisy", "budget": 35}


@pytest.fixture
def stream(tmp_path):
    columns = rows()
    path = tmp_path / "data.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def figures(result):
    """The JSON without what differs from run to run."""
    data = result.to_dict()
    del data["run"]
    del data["settings"]["name"]
    return data


def test_a_command_and_an_object_that_do_the_same_get_the_same(stream, tmp_path):
    one = justesse.lifelong_run(Nearest(), rows(), **OPTIONS)
    other = justesse.lifelong_run(command(tmp_path), stream, **OPTIONS)
    assert figures(one) == figures(other)
    assert one.answers() == other.answers()
    assert one.record.ledger.spent == 35


@pytest.mark.parametrize("can", [(), ("save",)])
@pytest.mark.parametrize("kept", [False, True])
def test_restarts_are_the_same_with_and_without_saved_states(stream, tmp_path, can, kept):
    options = {"restarts": True, "expert": "noisy", "budget": 20}
    one = justesse.lifelong_run(Nearest(), rows(periods=4), **options)
    path = stream.with_name("short.csv")
    path.write_text("\n".join(stream.read_text().splitlines()[:161]) + "\n")
    checkpoint = tmp_path / "my.run" if kept else None
    other = justesse.lifelong_run(command(tmp_path, can=can), path, checkpoint=checkpoint, **options)
    assert one.penalised() == other.penalised()
    assert len(one.penalised()["version"]) == 1 + 2 + 3 + 3
    assert figures(one)["restarted"] == figures(other)["restarted"]
    assert (tmp_path / "my.run-states").exists() == (kept and "save" in can)


def test_the_tables_go_into_score_and_compare(stream, tmp_path):
    for name, expert in (("one", "noisy"), ("two", "perfect")):
        justesse.lifelong_run(
            Nearest(), stream, expert=expert, to=tmp_path / f"{name}.csv", curve_to=tmp_path / f"{name}-curve.csv"
        )
    scores = justesse.lifelong_score(tmp_path / "one.csv", trained="trained", policy="recent")
    assert scores.matrix.versions == ("v0", "v1", "v2", "v3", "v4")
    assert scores.matrix.values.shape == (5, 4)
    assert scores.matrix.next_period == (0, 1, 2, 3, 4)
    assert scores.chronology == ()
    both = justesse.lifelong_compare(tmp_path / "one.csv", tmp_path / "two.csv", trained="trained")
    assert both.to_dict()["schema"] == scores.to_dict()["schema"]
    with (tmp_path / "one-curve.csv").open() as file:
        curve = list(csv.DictReader(file))
    assert list(curve[0])[:4] == ["system", "seed", "cost", "score"]
    assert [float(row["cost"]) for row in curve] == [0, 10, 20, 30, 40]
    assert justesse.lifelong_curve(tmp_path / "one-curve.csv").to_dict()["higher_is_better"] is False


def test_runs_with_other_seeds_have_the_same_test_items_and_other_experts():
    first, second = (justesse.lifelong_run(Nearest(), rows(), expert="noisy:0.3", seed=seed) for seed in (0, 1))
    assert first.answers()["id"] == second.answers()["id"]
    assert [entry["answer"] for entry in figures(first)["ledger"]] != [
        entry["answer"] for entry in figures(second)["ledger"]
    ]


@pytest.mark.parametrize("can", [(), ("save",)])
def test_a_run_that_crashed_goes_on_and_charges_nothing_twice(stream, tmp_path, can):
    checkpoint = tmp_path / "my.run"
    whole = justesse.lifelong_run(command(tmp_path, can=can), stream, **OPTIONS)
    broken = tmp_path / "broken"
    change = f"""
    import os
    if do == "adapt" and message["because"] == "answers" and not os.path.exists({str(broken)!r}):
        seen_before = len(seen)
        if seen_before >= 55:
            open({str(broken)!r}, "w").close()
            raise SystemError("once")
    """
    text = command(tmp_path, change, can=can)
    with pytest.raises(InputError, match="once"):
        justesse.lifelong_run(text, stream, checkpoint=checkpoint, **OPTIONS)
    assert broken.exists()
    again = justesse.lifelong_run(text, stream, checkpoint=checkpoint, **OPTIONS)
    assert figures(again) == figures(whole)
    assert again.answers() == whole.answers()


PROGRAM = """
import sys, json
import justesse
result = justesse.lifelong_run(
    sys.argv[1], sys.argv[2], expert="noisy+costly:2", budget=40, checkpoint=sys.argv[3] or None, restarts=True,
    to=sys.argv[4] + ".csv", curve_to=sys.argv[4] + "-curve.csv", penalised_to=sys.argv[4] + "-pen.csv", name="s",
)
data = result.to_dict()
del data["run"]
json.dump(data, open(sys.argv[4] + ".json", "w"))
"""


def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes(stream, tmp_path):
    path = stream.with_name("short.csv")
    path.write_text("\n".join(stream.read_text().splitlines()[:121]) + "\n")
    slow = command(tmp_path, "time.sleep(0.01)", can=("save",))
    words = [sys.executable, "-c", PROGRAM, slow, str(path)]
    subprocess.run([*words, "", str(tmp_path / "whole")], check=True)
    draws = random.Random(3)
    for attempt in range(40):
        process = subprocess.Popen([*words, str(tmp_path / "my.run"), str(tmp_path / "killed")])
        deadline = time.monotonic() + 60
        while process.poll() is None and not (tmp_path / "my.run").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        try:
            process.wait(draws.uniform(0.05, 0.5) if attempt < 12 else 120)
            break
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    assert attempt > 0
    for ending in (".csv", "-curve.csv", "-pen.csv", ".json"):
        assert (tmp_path / f"whole{ending}").read_bytes() == (tmp_path / f"killed{ending}").read_bytes(), ending


def test_people_answer_and_the_run_goes_on(stream, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"expert": "ask.recheck", "checkpoint": "my.run", "budget": 25, "cost": 2}
    system = command(tmp_path)
    result = justesse.lifelong_run(system, stream, **options)
    assert result.record.pending.questions == 5
    assert result.to_dict()["waiting"] == {"file": "ask.recheck", "open": 5, "questions": 5}
    assert result.record.ledger.spent == 10
    truth = dict(zip(rows()["id"], rows()["label"], strict=True))
    lists = 0
    while result.record.pending is not None:
        lists += 1
        path = result.record.pending.path
        assert path == ("ask.recheck" if lists == 1 else f"ask-{lists}.recheck")
        asked = justesse.recheck_next(path, n=50)
        waiting = asked.questions()
        assert "x: " in waiting[0]["reason"]
        assert {question["label"] for question in waiting} == {None}  # only the system has answered
        assert (asked.to_dict()["asks"], "label" in asked.to_columns()) == ("predictions", False)
        assert "label" not in str(asked)
        jsonschema.validate(asked.to_dict(), schema("recheck"))
        for at, question in enumerate(waiting):
            justesse.recheck_answer(path, question["id"], truth[question["id"]] if at else "?", by="Ann")
            if at == 0:  # four are still open: nothing goes on, nothing is charged
                before = result.record.ledger.spent
                result = justesse.lifelong_run(system, stream, **options)
                assert (result.record.pending.open, result.record.ledger.spent) == (len(waiting) - 1, before)
        result = justesse.lifelong_run(system, stream, **options)
    assert lists == 3
    assert result.record.ledger.spent == 24
    assert result.counts == {"questions": 12, "corrections": 0, "rounds": 0, "unanswered": 3}
    assert len(result.record.episodes) == 4
    assert figures(result) == figures(justesse.lifelong_run(system, stream, **options))


def test_the_list_of_a_run_counts_wrong_answers_of_the_system_and_no_labels(stream, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    justesse.lifelong_run(command(tmp_path), stream, expert="ask.recheck", checkpoint="my.run")
    first, second = justesse.recheck_next("ask.recheck", n=2).questions()
    justesse.recheck_answer("ask.recheck", first["id"], first["suggested"], by="Ann")
    classes = dict.fromkeys(rows()["label"])
    other = next(name for name in classes if name != second["suggested"])
    done = justesse.recheck_answer("ask.recheck", second["id"], other, by="Ann")
    assert (done.answered, done.wrong) == (2, 1)
    assert "2 answered; the system was wrong on 1 of them" in " ".join(str(done).split())
    labelled = {
        "id": rows()["id"],
        "label": rows()["label"],
        "p_no": [0.5] * len(rows()["id"]),
        "p_yes": [0.5] * len(rows()["id"]),
    }
    with pytest.raises(InputError, match="made by justesse lifelong run"):
        justesse.clean(labelled, id="id", proba="p_", audited="ask.recheck")


def test_people_correct_an_interactive_run(stream, tmp_path, monkeypatch):
    """People who look through the items and answer rightly, one at a time, are a perfect expert."""
    monkeypatch.chdir(tmp_path)
    system = command(tmp_path)
    options = {"expert": "ask.recheck", "checkpoint": "my.run", "learning": "interactive"}
    truth = dict(zip(rows()["id"], rows()["label"], strict=True))
    result = justesse.lifelong_run(system, stream, **options)
    assert result.record.pending.path == "ask.recheck"
    assert result.record.pending.open == result.record.pending.questions == 30
    patience = random.Random(5)
    while result.record.pending is not None:
        path = result.record.pending.path
        for question in justesse.recheck_next(path, n=patience.choice([1, 2, 7, 40])).questions():
            justesse.recheck_answer(path, question["id"], truth[question["id"]], by="Ann")
        spent = result.record.ledger.spent
        result = justesse.lifelong_run(system, stream, **options)
        assert result.record.ledger.spent >= spent
    assert sorted(path.name for path in tmp_path.glob("*.recheck")) == [
        "ask-2.recheck", "ask-3.recheck", "ask-4.recheck", "ask.recheck",
    ]  # fmt: skip
    perfect = justesse.lifelong_run(system, stream, learning="interactive")
    assert [episode.answers for episode in result.record.episodes] == [
        episode.answers for episode in perfect.record.episodes
    ]
    assert result.record.ledger.charges == perfect.record.ledger.charges
    assert figures(result)["periods"] == figures(perfect)["periods"]
    # a later change of mind does not change what was learnt: the belief is kept in the run
    changed = result.record.episodes[0].items[0].id
    for person in ("Ben", "Cem"):
        justesse.recheck_answer("ask.recheck", changed, {"yes": "no", "no": "yes"}[truth[changed]], by=person)
    assert figures(justesse.lifelong_run(system, stream, **options)) == figures(result)


def test_people_are_not_asked_for_corrections_that_cannot_be_paid(stream, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"expert": "ask.recheck", "checkpoint": "my.run", "learning": "interactive", "budget": 1}
    system = command(tmp_path)
    truth = dict(zip(rows()["id"], rows()["label"], strict=True))
    result = justesse.lifelong_run(system, stream, **options)
    while result.record.pending is not None:
        assert result.record.pending.path == "ask.recheck"
        for question in justesse.recheck_next("ask.recheck", n=1).questions():
            right = truth[question["id"]]
            justesse.recheck_answer("ask.recheck", question["id"], right, by="Ann")
        result = justesse.lifelong_run(system, stream, **options)
    assert result.record.ledger.spent == 1
    assert [episode.all_right for episode in result.record.episodes] == [False] * 4
    assert not (tmp_path / "ask-2.recheck").exists()


def test_a_list_of_another_run_is_refused(stream, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    system = command(tmp_path)
    justesse.lifelong_run(system, stream, expert="ask.recheck", checkpoint="my.run")
    with pytest.raises(FileError, match="questions of another run"):
        justesse.lifelong_run(system, stream, expert="ask.recheck", checkpoint="other.run", initial=2)


def test_a_kept_run_of_other_settings_is_refused(stream, tmp_path):
    checkpoint = tmp_path / "my.run"
    justesse.lifelong_run(Nearest(), stream, checkpoint=checkpoint)
    with pytest.raises(FileError, match="expert was 'perfect', and is 'noisy' now"):
        justesse.lifelong_run(Nearest(), stream, checkpoint=checkpoint, expert="noisy")
    with pytest.raises(FileError, match="stream was"):
        justesse.lifelong_run(Nearest(), rows(seed=4), checkpoint=checkpoint)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "off-line", "learning": "interactive"}, "Off-line, there is no hypothesis"),
        ({"mode": "off-line", "restarts": True}, "restarts"),
        ({"penalised_to": "a.csv"}, "needs restarts"),
        ({"expert": "ask.recheck"}, "checkpoint"),
        ({"expert": "ask.recheck", "checkpoint": "a.run", "restarts": True}, "the same items again and again"),
        ({"restart_budget": 3}, "restart_budget .* needs restarts"),
        ({"round_cost": 2}, "choose mode=… .* off-line"),
        ({"learning": "unsupervised", "expert": "noisy"}, "expert .* has no effect"),
        ({"learning": "unsupervised", "budget": 3}, "budget .* has no effect"),
        ({"learning": "unsupervised", "cost": 3}, "cost .* has no effect"),
        ({"learning": "unsupervised", "answer_seconds": 3}, "answer_seconds .* has no effect"),
        ({"test_share": 0, "to": "a.csv"}, "to .* needs test items"),
        ({"test_share": 0, "curve_to": "a.csv"}, "curve_to .* needs test items"),
        ({"test_share": 0, "restarts": True}, "restarts .* needs test items"),
        ({"timeout": 3.0}, "timeout is for a system that is a command"),
        ({"collar": 0.25}, "choose score=… .* der"),
        ({"stretch": 3}, "choose score=… .* der"),
        ({"reference": "a.rttm"}, "choose score=… .* der"),
        ({"score": "der"}, "needs an RTTM file"),
        ({"score": "der", "reference": "a.rttm", "label": "label"}, "Leave out label"),
        ({"score": "der", "reference": "a.csv"}, "must be an RTTM file"),
        ({"score": "der", "reference": "a.rttm"}, "not found"),
        ({"score": "accuracy"}, "must be one of error, wer"),
        ({"policy": "sometimes"}, "A policy is recent"),
        ({"policy": {"1": 1.0}}, "no weight for period '2'"),
        ({"convention": "mine"}, "convention"),
        ({"budget": -1}, "budget"),
        ({"cost": float("nan")}, "cost"),
        ({"round_cost": -1}, "round_cost"),
        ({"answer_seconds": -1}, "answer_seconds"),
        ({"initial": -1}, "initial"),
        ({"to": "a.txt"}, "must end in"),
        ({"seed": -1}, "seed"),
        ({"features": ["label"]}, "must not see"),
        ({"expert": "lazy"}, "must be one of"),
    ],
)
def test_options_that_cannot_be_used(options, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=words):
        justesse.lifelong_run(Nearest(), rows(), **options)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"time": ["soon"] * 200}, "cannot be read as times: 'soon'"),
        ({"time": [None] * 200}, "Missing values in column 'time'"),
        ({"id": ["a"] * 200}, "Id 'a' in column 'id' .* occurs twice: rows 1, 2"),
        ({"label": [None] * 200}, "missing label"),
        ({"time": ["2024-01-01T00:00:00Z"] * 100 + ["2024-01-02T00:00:00"] * 100}, "with and without a time zone"),
    ],
)
def test_a_stream_that_cannot_be_used(change, words):
    with pytest.raises(InputError, match=words):
        justesse.lifelong_run(Nearest(), {**rows(), **change})


def test_every_figure_has_its_n_and_interval():
    result = justesse.lifelong_run(Nearest(), rows(), expert="noisy", answer_seconds=30, learning="interactive")
    data = result.to_dict()
    for period in data["periods"]:
        assert period["interval"]["low"] <= period["adapt"] <= period["interval"]["high"]
        assert period["penalised"] == pytest.approx(period["adapt"] + period["penalty"])
        assert period["expert_seconds"] == 30 * period["charges"]
    assert data["error"]["n"] == 120
    assert data["supervision"] is None  # an expert who errs is no oracle
    assert len(data["ledger"]) == data["budget"]["corrections"]
    perfect = justesse.lifelong_run(Nearest(), rows(), learning="interactive").to_dict()
    assert perfect["supervision"] == perfect["budget"]["spent"] > 0
    assert json.dumps(data, allow_nan=False)


def test_the_penalised_matrix_is_weighed_by_a_policy():
    result = justesse.lifelong_run(Nearest(), rows(), budget=20, restarts=True)
    table = result.penalised()
    cells = dict(zip(zip(table["version"], table["period"], strict=True), table["penalised"], strict=True))
    scores = justesse.lifelong.policy_scores(result.penalised_matrix, justesse.lifelong.Policy("recent"))
    weights = [1 / 7, 2 / 7, 4 / 7]  # v2 counts on the periods 1, 2 and 3, the one after its training
    assert scores[2].value == pytest.approx(sum(w * cells["v2", p] for w, p in zip(weights, "123", strict=True)))
    paper = justesse.lifelong.policy_scores(
        result.penalised_matrix, justesse.lifelong.Policy("uniform"), convention="paper"
    )
    assert paper[0].undefined
    assert paper[2].value == pytest.approx((cells["v2", "1"] + cells["v2", "2"]) / 2)
    with pytest.raises(OptionError, match="restarts"):
        _ = justesse.lifelong_run(Nearest(), rows()).penalised_matrix


def test_a_run_draws_its_charts_and_page(tmp_path):
    result = justesse.lifelong_run(Nearest(), rows(), budget=12, restarts=True)
    assert list(result.drawings()) == ["penalised", "errors", "spending", "policy", "restarted"]
    assert len(result.charts(tmp_path / "charts")) == 10
    text = result.report(tmp_path / "page.html").read_text()
    for words in ("Ledger", "price of the help", "Penalised score of every version"):
        assert words in text
    assert "Mean error of Nearest over 4 periods" in repr(result)
    static = justesse.lifelong_run(Nearest(), rows(), learning="unsupervised", test_share=0)
    assert list(static.drawings()) == ["penalised", "errors"]
    assert any("No items are kept for tests" in line for line in static.warnings)
