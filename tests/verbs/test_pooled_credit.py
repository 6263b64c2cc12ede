"""Audits of several classifiers by pass rates and partial credit, from tables and logs, to the last answer."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from frames.logs import written_logs as written
from justesse.core.errors import ClassError, CostError, InputError, OptionError, ScoreError
from justesse.verbs.audit.ask import Sitting
from justesse.verbs.schemas import schema

MODELS = ["low", "mid", "high"]
SKILLS = (0.35, 0.6, 0.9)


def checked(status):
    printed = json.loads(json.dumps(status.to_dict(), allow_nan=False))
    jsonschema.validate(printed, schema("audit"))
    return printed


def sampled(questions=90, samples=3):
    """Three samples of each question, in one table."""
    rng = np.random.default_rng(3)
    true = rng.choice(list("ABCD"), questions)
    label = np.where(rng.random(questions) < 0.9, true, rng.choice(list("ABCD"), questions))
    frame = pd.DataFrame({"q": np.repeat(np.arange(questions), samples), "label": np.repeat(label, samples), "is": np.repeat(true, samples)})  # fmt: skip
    frame.insert(0, "id", range(len(frame)))
    for name, skill in zip(MODELS, SKILLS, strict=True):
        frame[name] = np.where(rng.random(len(frame)) < skill, frame["is"], rng.choice(list("ABCD"), len(frame)))
    return frame


@pytest.mark.parametrize("goal", ["winner", "top:2", "pairs", "incumbent"])
def test_pass_rates_over_samples_of_a_question(tmp_path, goal):
    frame = sampled()
    status = justesse.audit_start(
        frame, models=MODELS, on="id", cluster="q", true="is", goal=goal, budget=90, to=tmp_path / "a.audit"
    )
    printed = checked(status)
    assert (printed["measure"], printed["n"], printed["verdict"]) == ("pass_rate", 90, "settled")
    assert printed["asked"] <= printed["disputed"] <= 90
    rate = {name: (frame[name] == frame["is"]).groupby(frame["q"]).mean().mean() for name in MODELS}
    for pair in printed["pairs"]:
        gain = rate[pair["second"]] - rate[pair["first"]]
        assert pair["interval"]["low"] - 1e-9 <= gain <= pair["interval"]["high"] + 1e-9
        assert pair["verdict"] in ("open", "second" if gain > 0 else "first")
    assert "pass rate" in status._repr_html_()


def test_an_answer_serves_all_samples_of_its_question(tmp_path):
    frame, path = sampled(40), tmp_path / "a.audit"
    justesse.audit_start(frame, models=MODELS, on="id", cluster="q", show="is", to=path)
    due = justesse.audit_next(path, 3, reveal=True)
    question = due.questions[0]
    own = frame[frame["q"] == int(question.id)]
    assert question.revealed["mid"] == ", ".join(own["mid"])
    assert set(question.answers) == {*own["low"], *own["mid"], *own["high"]}
    justesse.audit_answer(path, question.id, str(own["is"].iloc[0]), by="Ann")
    audit = justesse.audit_status(path).audit
    low, high = audit.plan.gains(audit.by_id[question.id].row, audit.answers[audit.by_id[question.id].row])
    right = [(own[name] == own["is"]).mean() for name in MODELS]
    np.testing.assert_allclose(low, [right[1] - right[0], right[2] - right[0], right[2] - right[1]])
    np.testing.assert_allclose(low, high)


def test_samples_of_one_question_need_one_label(tmp_path):
    frame = sampled(20)
    frame.loc[4, "label"] = "Z"
    with pytest.raises(InputError, match="different values in column 'label'"):
        justesse.audit_start(frame, models=MODELS, on="id", cluster="q", to=tmp_path / "a.audit")
    with pytest.raises(OptionError, match="three classifiers or more"):
        justesse.audit_start(frame, incumbent="low", candidate="mid", on="id", cluster="q", to=tmp_path / "b.audit")


def graded(rows=60):
    """Different texts of three models, their recorded scores, and what an expert would give them."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"id": [f"q{at}" for at in range(rows)], "label": "a reference"})
    credit = {}
    for name, skill in zip(MODELS, SKILLS, strict=True):
        frame[name] = [f"{name} text {at}" for at in range(rows)]
        credit[name] = np.clip(np.round((skill + rng.normal(0, 0.25, rows)) * 4) / 4, 0, 1)
        frame[f"{name}_f1"] = np.clip(credit[name] + rng.choice([0, 0, 0, 0.1, -0.1], rows), 0, 1).round(2)
    frame["is"] = ["|".join(f"{name} text {at}={credit[name][at]:g}" for name in MODELS) for at in range(rows)]
    return frame, credit


@pytest.mark.parametrize("goal", ["winner", "top:2", "pairs", "incumbent"])
def test_recorded_scores_and_credits_of_the_expert(tmp_path, goal):
    frame, credit = graded()
    status = justesse.audit_start(
        frame, models=MODELS, on="id", score="*_f1", true="is", goal=goal, budget=60, to=tmp_path / "a.audit"
    )
    printed = checked(status)
    assert (printed["measure"], printed["verdict"]) == ("score", "settled")
    assert printed["kinds"]["credit"] == printed["answered"]
    for pair in printed["pairs"]:
        gain = credit[pair["second"]].mean() - credit[pair["first"]].mean()
        assert pair["interval"]["low"] - 1e-9 <= gain <= pair["interval"]["high"] + 1e-9
        assert pair["verdict"] in ("open", "second" if gain > 0 else "first")
    assert all(cell.count("=") == 3 for cell in status.to_columns()["class"])


def test_credits_are_typed_by_name_or_number_and_read_back(tmp_path):
    frame, _ = graded(20)
    path = tmp_path / "a.audit"
    justesse.audit_start(frame, models=MODELS, on="id", score="*_f1", to=path)
    sitting = Sitting(path, by="Ann")
    first = sitting.next().question
    sitting.answer(first.id, "#1=1|#3=0.25")
    second = sitting.next().question
    sitting.answer(second.id, f"{second.answers[1]}=0.5")
    third = sitting.next().question
    sitting.answer(third.id, "#2")
    fourth = sitting.next().question
    with pytest.raises(ClassError, match="from 0 to 1, such as"):
        sitting.answer(fourth.id, "#1=1.5")
    with pytest.raises(ClassError, match="no class"):
        sitting.answer(fourth.id, "#7=1")
    sitting.answer(fourth.id, None, "flawed")
    status = justesse.audit_status(path)
    entries = {entry["id"]: entry for entry in checked(status)["answers"]}
    assert dict(map(tuple, entries[first.id]["class"])) == {first.answers[0]: 1.0, first.answers[2]: 0.25}
    assert entries[second.id]["class"] == [[second.answers[1], 0.5]]
    assert (entries[third.id]["kind"], entries[third.id]["class"]) == ("answer", third.answers[1])
    plan, audit = status.audit.plan, status.audit
    row = audit.by_id[second.id].row
    own = dict(zip(MODELS, audit.by_id[second.id].answers, strict=True))
    score = [0.5 if own[name] == second.answers[1] else 0.0 for name in MODELS]
    np.testing.assert_allclose(
        plan.gains(row, audit.answers[row])[0], [score[1] - score[0], score[2] - score[0], score[2] - score[1]]
    )
    assert status.audit.state.answered == 4
    # the same credits again are no new answer; others need a correction, and the file keeps both
    assert justesse.audit_answer(path, second.id, f"{second.answers[1]}=0.50", by="Ann").repeated == 1
    with pytest.raises(InputError, match="already answered"):
        justesse.audit_answer(path, second.id, f"{second.answers[1]}=0.75", by="Ann")
    justesse.audit_answer(path, second.id, f"{second.answers[1]}=0.75", by="Ann", correct=True)
    assert justesse.audit_status(path).audit.broken is None


def test_right_or_wrong_audits_take_no_credits(tmp_path):
    rows = {"id": list(range(30)), "label": ["a"] * 30, "x": ["a"] * 30, "y": ["b"] * 30, "z": ["c"] * 30}
    justesse.audit_start(rows, models=["x", "y", "z"], on="id", to=tmp_path / "a.audit")
    due = justesse.audit_next(tmp_path / "a.audit", 1).questions[0]
    with pytest.raises(ClassError, match="without partial credit"):
        justesse.audit_answer(tmp_path / "a.audit", due.id, "a=0.5", by="Ann")


def test_a_table_of_credits(tmp_path):
    rng = np.random.default_rng(7)
    levels = ["none", "mild", "severe"]
    table = {a: {b: 1 - abs(i - j) / 2 for j, b in enumerate(levels)} for i, a in enumerate(levels)}
    true = rng.integers(3, size=150)
    frame = pd.DataFrame({"id": range(150), "label": [levels[t] for t in true], "is": [levels[t] for t in true]})
    for name, skill in zip(MODELS, SKILLS, strict=True):
        off = np.where(rng.random(150) < skill, true, np.clip(true + rng.choice([-1, 1], 150), 0, 2))
        frame[name] = [levels[code] for code in off]
    status = justesse.audit_start(
        frame, models=MODELS, on="id", credit=table, true="is", budget=150, to=tmp_path / "a.audit"
    )
    printed = checked(status)
    assert (printed["measure"], printed["verdict"]) == ("score", "settled")
    score = {name: np.mean([table[t][p] for t, p in zip(frame["is"], frame[name], strict=True)]) for name in MODELS}
    for pair in printed["pairs"]:
        gain = score[pair["second"]] - score[pair["first"]]
        assert pair["interval"]["low"] - 1e-9 <= gain <= pair["interval"]["high"] + 1e-9
    wrong = {**table, "mild": {**table["mild"], "mild": 0.5}}
    with pytest.raises(CostError, match="right answer has credit 1"):
        justesse.audit_start(frame, models=MODELS, on="id", credit=wrong, to=tmp_path / "b.audit")
    with pytest.raises(InputError, match="from 0 to 1; got 7"):
        justesse.audit_start(
            frame,
            models=MODELS,
            on="id",
            credit={**table, "none": {**table["none"], "mild": 7}},
            to=tmp_path / "c.audit",
        )


def test_scores_that_are_none(tmp_path):
    frame, _ = graded(20)
    with pytest.raises(OptionError, match=r"Write \* for the name"):
        justesse.audit_start(frame, models=MODELS, on="id", score="low_f1", to=tmp_path / "a.audit")
    with pytest.raises(InputError, match="from 0 to 1; got 80"):
        justesse.audit_start(frame.assign(mid_f1=80), models=MODELS, on="id", score="*_f1", to=tmp_path / "b.audit")
    with pytest.raises(InputError, match="must hold scores from 0 to 1; got 'good'"):
        justesse.audit_start(frame.assign(mid_f1="good"), models=MODELS, on="id", score="*_f1", to=tmp_path / "c.audit")


def test_files_with_scores_ask_the_same_as_one_table(tmp_path):
    frame, _ = graded(30)
    paths = []
    for name in MODELS:
        paths.append(tmp_path / f"{name}.csv")
        table = frame[["id", "label", name, f"{name}_f1"]].rename(columns={name: "pred", f"{name}_f1": "f1"})
        table.sample(frac=1, random_state=2).to_csv(paths[-1], index=False)
    justesse.audit_start(*paths, on="id", score="f1", to=tmp_path / "files.audit")
    justesse.audit_start(frame, models=MODELS, on="id", score="*_f1", to=tmp_path / "wide.audit")
    due = [justesse.audit_next(tmp_path / f"{kind}.audit", 10).questions for kind in ("files", "wide")]
    assert [item.id for item in due[0]] == [item.id for item in due[1]]


def logs_with_epochs(tmp_path, size=50, epochs=3):
    rng = np.random.default_rng(8)
    true = rng.choice(list("ABCD"), size)
    paths = []
    for at, skill in enumerate(SKILLS):
        asked = [
            written.Question(n, str(true[n]), str(true[n] if rng.random() < skill else rng.choice(list("ABCD"))), epoch)
            for n in range(size)
            for epoch in range(1, epochs + 1)
        ]
        paths.append(written.inspect_json(tmp_path / f"run{at}.json", asked, model=f"org/model-{at}"))
    return paths, true


def test_logs_with_epochs_are_audited_by_question(tmp_path):
    paths, true = logs_with_epochs(tmp_path)
    path = tmp_path / "board.audit"
    status = justesse.audit_start(*paths, to=path, goal="winner")
    assert (status.audit.measure, status.audit.about["n"]) == ("pass_rate", 50)
    sitting = Sitting(path, by="Ann")
    while due := sitting.next():
        sitting.answer(due.question.id, str(true[int(due.question.id)]))
    assert checked(sitting.status())["best"] == ["run2.json"]


def free_text_logs(tmp_path, size=60):
    """Free answers with a score between 0 and 1, as lm-evaluation-harness writes them."""
    rng = np.random.default_rng(9)
    paths, credit = [], {}
    for at, skill in enumerate(SKILLS):
        folder = tmp_path / f"run{at}"
        folder.mkdir()
        scores = np.clip(rng.normal(skill, 0.2, size), 0, 1).round(2)
        for doc in range(size):
            credit[f"answer {at} to {doc}"] = float(scores[doc])
        written.lines(folder / "samples_qa_2026-01-01T00-00-00.000000.jsonl", [
            {
                "doc_id": doc, "doc": {"question": f"question {doc}"}, "target": f"reference {doc}", "arguments": {},
                "resps": [[f"answer {at} to {doc}"]], "filtered_resps": [f"answer {at} to {doc}"], "filter": "none",
                "metrics": ["f1"], "f1": float(scores[doc]), "doc_hash": f"h{doc}", "prompt_hash": f"p{doc}",
                "target_hash": f"t{doc}",
            }
            for doc in range(size)
        ])  # fmt: skip
        paths.append(folder)
    return paths, credit


def test_free_answers_of_logs_keep_their_scores(tmp_path):
    paths, credit = free_text_logs(tmp_path)
    path = tmp_path / "board.audit"
    status = justesse.audit_start(*paths, to=path, goal="winner", metric="f1")
    assert status.audit.measure == "score"
    sitting = Sitting(path, by="Ann")
    while due := sitting.next():
        given = "|".join(f"#{at}={credit[name]:g}" for at, name in enumerate(due.question.answers, start=1))
        sitting.answer(due.question.id, given)
    printed = checked(sitting.status())
    assert printed["best"] == ["run2"]
    assert printed["answered"] < 60
    # two logs are still an audit of classes, which these have not
    with pytest.raises((InputError, OptionError)):
        justesse.audit_start(*paths[:2], to=tmp_path / "two.audit", metric="f1")


def test_a_class_named_twice_is_refused_and_errors_of_a_credit_table_speak_of_credit(tmp_path):
    frame, path = sampled(40), tmp_path / "a.audit"
    justesse.audit_start(frame, models=MODELS, on="id", cluster="q", to=path)
    question = justesse.audit_next(path, 1).questions[0]
    for twice in ("A=1|A=0", "A=1|B=0.5|A", f"#1=1|{question.answers[0]}=0"):
        with pytest.raises(ClassError, match="named twice"):
            justesse.audit_answer(path, question.id, twice, by="ana")
    table = {label: {name: float(label == name) for name in "ABCD"} for label in "ABCD"}
    for wrong in ({**table, "B": {**table["B"], "A": "x"}}, {**table, "B": 3}):
        with pytest.raises(CostError, match="credit") as refused:
            justesse.audit_start(frame, models=MODELS, on="id", credit=wrong, to=tmp_path / "b.audit")
        assert "cost" not in str(refused.value).lower()


def test_a_class_instead_of_credits_is_warned_about_where_scores_are_recorded(tmp_path):
    frame, _ = graded(20)
    path = tmp_path / "a.audit"
    justesse.audit_start(frame, models=MODELS, on="id", score="*_f1", to=path)
    due = justesse.audit_next(path, 2)
    assert "#1=1|#2=0.5" in str(due.document().next_step)
    first, second = due.questions
    fine = justesse.audit_answer(path, first.id, "#1=1|#2=0.5", by="ana")
    assert fine.warnings == ()
    whole = justesse.audit_answer(path, second.id, "#2", by="ana")
    for warnings in (whole.warnings, justesse.audit_status(path).warnings):
        (warning,) = warnings
        assert f"1 answer names classes ({second.id})" in warning.replace("'", "")
        assert "all others 0" in warning
    justesse.audit_start(sampled(40), models=MODELS, on="id", cluster="q", to=tmp_path / "b.audit")
    question = justesse.audit_next(tmp_path / "b.audit", 1).questions[0]
    assert justesse.audit_answer(tmp_path / "b.audit", question.id, "A", by="ana").warnings == ()


def test_equal_answers_with_different_scores_are_refused_with_both_places(tmp_path):
    frame, _ = graded(20)
    frame.loc[6, "high"] = frame.loc[6, "low"]
    frame.loc[6, ["low_f1", "high_f1"]] = [0.25, 0.75]
    frame.to_csv(tmp_path / "wide.csv", index=False)
    with pytest.raises(
        ScoreError, match=r"wide\.csv, row 7 \(id 'q6'\), column 'high_f1': .* 0\.75, but 0\.25 in .*row 7"
    ):
        justesse.audit_start(tmp_path / "wide.csv", models=MODELS, on="id", score="*_f1", to=tmp_path / "a.audit")
    assert not (tmp_path / "a.audit").exists()
    paths = []
    for at, name in enumerate(MODELS):
        paths.append(tmp_path / f"{name}.csv")
        table = frame[["id", "label", name, f"{name}_f1"]].set_axis(["id", "label", "pred", "f1"], axis=1)
        (table if at < 2 else table[::-1]).to_csv(paths[-1], index=False)
    with pytest.raises(
        ScoreError, match=r"high\.csv, row 14 \(id 'q6'\), column 'f1': .* in .*low\.csv, row 7 \(id 'q6'\)"
    ):
        justesse.audit_start(*paths, on="id", score="f1", to=tmp_path / "a.audit")
    frame.loc[6, "high_f1"] = 0.25
    justesse.audit_start(frame, models=MODELS, on="id", score="*_f1", to=tmp_path / "a.audit")


def test_a_wrong_or_missing_score_is_named_with_its_row(tmp_path):
    frame, _ = graded(20)
    for value, words in ((1.5, "row 4: column 'mid_f1' must hold scores from 0 to 1; got 1.5"), (None, "has no score")):
        wrong = frame.assign(mid_f1=frame["mid_f1"].where(frame["id"] != "q3", value))
        with pytest.raises(InputError, match=words) as refused:
            justesse.audit_start(wrong, models=MODELS, on="id", score="*_f1", to=tmp_path / "a.audit")
        assert "row 4" in str(refused.value)


def test_a_scorer_of_logs_may_give_equal_answers_different_scores(tmp_path):
    paths, _ = free_text_logs(tmp_path)
    place = paths[2] / "samples_qa_2026-01-01T00-00-00.000000.jsonl"
    place.write_text(
        place.read_text().replace('answer 2 to 5"', 'answer 0 to 5"').replace('answer 2 to 7"', 'answer 1 to 7"')
    )
    status = justesse.audit_start(*paths, to=tmp_path / "board.audit", goal="winner", metric="f1")
    (note,) = [each for each in status.warnings if "different scores" in each]
    assert "in 2 questions ('5', '7')" in note
