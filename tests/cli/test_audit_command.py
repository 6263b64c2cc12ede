"""`justesse audit` as people and scripts use it."""

import os
import shutil
import sqlite3

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.core.errors import FileError, OptionError
from justesse.report.writing import written
from justesse.verbs.schemas import schema

SCHEMA = schema("audit")
RNG = np.random.default_rng(0)
ROWS = 400
TRUE = RNG.integers(0, 3, ROWS)
CLASSES = np.array(["cat", "dog", "owl"])


def answers(wrong: float) -> np.ndarray:
    return CLASSES[np.where(RNG.random(ROWS) < wrong, (TRUE + RNG.integers(1, 3, ROWS)) % 3, TRUE)]


FRAME = pd.DataFrame({"id": [f"no {at}" for at in range(ROWS)], "label": answers(0.05), "truth": CLASSES[TRUE]})
FRAME["old"], FRAME["new"] = answers(0.25), answers(0.06)
FRAME["text"] = [f"row {at} <b>&\x1b[31m" for at in range(ROWS)]
FRAME["doubt"] = RNG.random(ROWS)
EXPERT = dict(zip(FRAME.id, FRAME.truth, strict=True))


@pytest.fixture
def files(tmp_path):
    found = {}
    for name in ("old", "new"):
        kept = ["id", "label", "text", "truth", "doubt"] if name == "old" else ["id", "label"]
        part = FRAME[kept].assign(prediction=FRAME[name])
        found[name] = tmp_path / f"{name}.csv"
        part.sample(frac=1, random_state=len(name)).to_csv(found[name], index=False)
    return found


@pytest.fixture
def audit(tmp_path):
    path = tmp_path / "my.audit"
    justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", to=path, show="text", budget=60)
    return path


@pytest.fixture
def by_majority(tmp_path):
    path = tmp_path / "majority.audit"
    options = {"incumbent": "old", "candidate": "new", "on": "id", "show": "text", "budget": 60, "experts": "majority"}
    justesse.audit_start(FRAME, to=path, **options)
    return path


def ids(path, n=10):
    return [one.id for one in justesse.audit_next(path, n).questions]


def test_from_start_to_verdict(run, files, tmp_path):
    path = tmp_path / "my.audit"
    started = run("audit", "start", files["old"], files["new"], "--on", "id", "--to", path, "--show", "text", "--json")
    assert started.code == 0
    jsonschema.validate(started.json, SCHEMA)
    for file in files.values():
        file.unlink()  # the audit needs them no more
    assert run("audit", "status", path).code == 1
    for _ in range(40):
        due = run("audit", "next", path, "-n", "5", "--json").json
        jsonschema.validate(due, SCHEMA)
        if not due["questions"]:
            break
        for one in due["questions"]:
            kept = run("audit", "answer", path, one["id"], EXPERT[one["id"]], "--by", "Ann", "--json")
            jsonschema.validate(kept.json, SCHEMA)
            assert kept.code == 0
    ran = run("audit", "status", path, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert (ran.code, ran.json["verdict"], ran.json["stop"]) == (0, "replace", "replace")
    true = float(np.mean(FRAME.new == FRAME.truth) - np.mean(FRAME.old == FRAME.truth))
    ends = ran.json["test_set"]["interval"]
    assert ends["low"] <= true <= ends["high"]
    assert len(ran.json["looks"]["test_set"]) == ran.json["answered"] + 1
    assert all(look[2] <= true <= look[3] for look in ran.json["looks"]["test_set"])
    assert ran.json == justesse.audit_status(path).to_dict()
    shown = run("audit", "status", path)
    assert shown.code == 0
    assert "On this test set: replace the incumbent with the candidate." in shown.out
    assert "after 10 answers" in shown.out
    assert "Gate: passed, exit code 0." in shown.out


def test_the_expert_can_be_simulated_by_a_column(run, files, tmp_path):
    call = [
        "audit",
        "start",
        files["old"],
        files["new"],
        "--on",
        "id",
        "--true",
        "truth",
        "--suspicion",
        "doubt",
        "--json",
    ]
    one = run(*call, "--to", tmp_path / "a.audit").json
    jsonschema.validate(one, SCHEMA)
    assert (one["verdict"], one["stop"]) == ("replace", "replace")
    assert all(entry["class"] == EXPERT[entry["id"]] for entry in one["answers"])
    assert {entry["by"] for entry in one["answers"]} == {"the column 'truth'"}
    again = run(*call, "--to", tmp_path / "b.audit").json
    assert [entry["id"] for entry in again["answers"]] == [entry["id"] for entry in one["answers"]]
    assert again["test_set"] == one["test_set"]
    other = run(*call, "--seed", "7", "--to", tmp_path / "c.audit").json
    assert [entry["id"] for entry in other["answers"]] != [entry["id"] for entry in one["answers"]]


def test_one_table_and_two_files_give_the_same_audit(files, tmp_path):
    two = justesse.audit_start(files["old"], files["new"], on="id", to=tmp_path / "two", true="truth").to_dict()
    one = justesse.audit_start(
        FRAME, incumbent="old", candidate="new", on="id", to=tmp_path / "one", true="truth"
    ).to_dict()
    assert [entry["id"] for entry in one["answers"]] == [entry["id"] for entry in two["answers"]]
    assert one["looks"] == two["looks"]


@pytest.mark.parametrize("name", ["true", "truth"])
def test_the_expert_s_column_may_be_called_true(name, tmp_path):
    rows = FRAME.rename(columns={"truth": name})
    found = justesse.audit_start(rows, incumbent="old", candidate="new", on="id", to=tmp_path / "my.audit", true=name)
    assert {entry.answer for entry in found.audit.diary} <= set(CLASSES)
    assert all(entry.answer == EXPERT[found.audit.disputes[entry.row].id] for entry in found.audit.diary)


def test_no_more_questions_are_promised_than_there_are_disputed_rows(run, tmp_path):
    path, rows = tmp_path / "my.audit", FRAME.head(60)
    found = justesse.audit_start(rows, incumbent="old", candidate="new", on="id", to=path, budget=500)
    disputed = int((rows.old != rows.new).sum())
    assert found.left.endswith(f"{disputed} of {disputed} questions are left to answer.")
    assert run("audit", "next", path, "-n", "2").out.startswith(f"2 questions to answer, of at most {disputed}.")


def test_the_report_is_a_page_and_an_exit_code(run, audit, tmp_path):
    page = tmp_path / "page.html"
    due = ids(audit, 3)
    run("audit", "answer", audit, due[0], "cat", "--by", "<Ann>")
    run("audit", "answer", audit, due[0], "dog", "--by", "<Ann>", "--correct")
    run("audit", "answer", audit, due[1], "--cannot-say", "--by", "Bob")
    ran = run("audit", "report", audit, "--report", page, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert ran.code == 1
    assert ran.json["audit"] == "report"
    assert run("audit", "report", audit, "--report", page, "--no-gate").code == 0
    assert run("audit", "status", audit, "--no-gate").code == 0
    text = page.read_text()
    for part in (
        "&lt;Ann&gt;",
        "cat → dog",
        "cannot say",
        "Not settled yet",
        "What would change the verdict",
        "holds at every look",
    ):
        assert part in text
    assert "<Ann>" not in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert run("audit", "report", audit, "--report", tmp_path / "page.txt").code == 2
    shutil.copy(audit, tmp_path / "copy.html")
    assert run("audit", "report", tmp_path / "copy.html", "--report", tmp_path / "copy.html").code == 2


def test_the_order_shown_tells_nothing_unless_asked(run, audit):
    due = run("audit", "next", audit, "-n", "40", "--json").json["questions"]
    assert all(set(one) == {"turn", "id", "said", "shown"} for one in due)
    table = FRAME.set_index("id")
    first = [one["said"][0] == table.old[one["id"]] for one in due]
    assert 8 < sum(first) < 32
    assert all(sorted(one["said"]) == sorted([table.old[one["id"]], table.new[one["id"]]]) for one in due)
    open_ = run("audit", "next", audit, "-n", "40", "--reveal", "--json").json["questions"]
    assert [one["said"] for one in open_] == [one["said"] for one in due]
    assert all(one["incumbent"] == table.old[one["id"]] and one["label"] == table.label[one["id"]] for one in open_)


def test_asking_twice_gives_the_same_questions_until_they_are_answered(audit):
    first = ids(audit, 5)
    assert ids(audit, 5) == first
    assert ids(audit, 3) == first[:3]
    justesse.audit_answer(audit, first[1], "cat")
    assert ids(audit, 5)[:4] == [first[0], *first[2:]]


def test_text_cannot_steer_the_terminal(run, audit):
    assert "\x1b" not in run("audit", "next", audit).out


def test_answers_from_a_file_that_next_wrote(run, audit, tmp_path):
    table = tmp_path / "answers.csv"
    assert run("audit", "next", audit, "-n", "12", "-o", table).code == 0
    frame = pd.read_csv(table, keep_default_na=False)
    assert list(frame.columns) == ["id", "one", "other", "shown", "class"]
    frame.loc[:8, "class"] = [EXPERT[name] for name in frame.id[:9]]
    frame.loc[9, "class"] = "?"
    frame.to_csv(table, index=False)
    ran = run("audit", "answer", audit, "--file", table, "--by", "Ann", "--json")
    jsonschema.validate(ran.json, SCHEMA)
    assert (len(ran.json["recorded"]), ran.json["empty"], ran.json["repeated"], ran.json["answered"]) == (10, 2, 0, 10)
    again = run("audit", "answer", audit, "--file", table, "--by", "Ann", "--json").json
    assert (again["recorded"], again["repeated"]) == ([], 10)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("{a},cat\nnowhere,dog\n{b},bird\n", ["No answer was saved: 2 rows cannot be used", "row 2, id 'nowhere': There is no question",
                                              "row 3, id 'no ", "': There is no class 'bird'"]),
        ("{a},cat\n{b},dog\n{a},dog\n", ["rows 1 and 3 answer", "'cat' and 'dog'"]),
        ("{a},Cat\n", ["row 1", "Did you mean 'cat'"]),
    ],
)  # fmt: skip
def test_a_file_with_mistakes_is_refused_whole(run, audit, write, rows, told):
    one, other = ids(audit, 2)
    path = write("answers.csv", "id,class\n" + rows.format(a=one, b=other))
    ran = run("audit", "answer", audit, "--file", path)
    assert ran.code == 2
    for part in told:
        assert part in ran.err
    assert justesse.audit_status(audit).to_dict()["answers"] == []


def test_columns_that_are_missing_are_named(run, audit, write):
    ran = run("audit", "answer", audit, "--file", write("answers.csv", "id,klasse\n1,cat\n"))
    assert ran.code == 2
    assert "No column 'class'" in ran.err


def test_an_answer_is_corrected_on_purpose_and_leaves_a_trace(run, audit):
    name = ids(audit, 1)[0]
    assert run("audit", "answer", audit, name, "cat", "--by", "Ann").code == 0
    refused = run("audit", "answer", audit, name, "dog", "--by", "Ann")
    assert refused.code == 2
    assert "--correct" in refused.err
    assert run("audit", "answer", audit, name, "cat", "--by", "Ann", "--json").json["repeated"] == 1
    assert run("audit", "answer", audit, name, "dog", "--by", "Ann", "--correct").code == 0
    assert run("audit", "answer", audit, name, "--withdraw", "--by", "Ann").code == 0
    told = run("audit", "status", audit, "--json").json
    assert [(entry["kind"], entry["class"], entry["corrects"]) for entry in told["answers"]] == [
        ("answer", "cat", None), ("answer", "dog", 1), ("withdrawn", None, 2)
    ]  # fmt: skip
    assert told["open"] == [name]
    assert run("audit", "answer", audit, name, "--withdraw", "--by", "Bob").code == 2


def test_people_who_differ_are_both_kept_and_the_majority_counts(run, by_majority):
    name = ids(by_majority, 1)[0]
    run("audit", "answer", by_majority, name, "cat", "--by", "Ann")
    second = run("audit", "answer", by_majority, name, "dog", "--by", "Bob", "--json").json
    assert "People gave different answers" in second["warnings"][0]
    told = run("audit", "status", by_majority, "--json").json
    assert (told["differ"], told["cannot_say"]) == ([name], 1)
    run("audit", "answer", by_majority, name, "dog", "--by", "Cy")
    told = run("audit", "status", by_majority, "--json").json
    assert (told["differ"], told["cannot_say"], len(told["answers"])) == ([name], 0, 3)


def test_a_question_that_was_not_drawn_is_kept_but_does_not_count(run, audit):
    drawn = set(ids(audit, 3))
    table = FRAME[(FRAME.old != FRAME.new) & ~FRAME.id.isin(drawn)]
    ran = run("audit", "answer", audit, table.id.iloc[0], "cat", "--json").json
    assert "not drawn yet" in ran["warnings"][0]
    assert (ran["answered"], ran["waiting"], ran["recorded"][0]["turn"]) == (0, 0, None)


def test_later_answers_wait_for_an_open_question(run, audit):
    first, second, third = ids(audit, 3)
    run("audit", "answer", audit, third, "cat")
    told = run("audit", "answer", audit, second, "cat", "--json").json
    assert (told["answered"], told["waiting"]) == (0, 2)
    assert f"({first!r})" in run("audit", "status", audit).out
    assert run("audit", "answer", audit, first, "--cannot-say", "--json").json["answered"] == 3


@pytest.mark.parametrize("word", ["bird", "-1", "--none--"])
def test_a_class_nobody_knows_must_be_meant(run, audit, word):
    name = ids(audit, 1)[0]
    refused = run("audit", "answer", audit, name, word) if not word.startswith("-") else None
    assert refused is None or (refused.code == 2 and "--new-class" in refused.err)
    found = justesse.audit_answer(audit, name, word, new_class=True)
    assert found.recorded[0].answer == word
    assert word in justesse.audit_status(audit).to_dict()["classes"]
    # known from now on
    assert justesse.audit_answer(audit, ids(audit, 1)[0], word).recorded[0].answer == word


def test_no_disagreement_is_a_verdict_at_once(run, tmp_path):
    frame = FRAME.assign(new=FRAME.old)
    found = justesse.audit_start(frame, incumbent="old", candidate="new", on="id", to=tmp_path / "a")
    assert found.to_dict()["stop"] == "answered"
    ran = run("audit", "status", tmp_path / "a")
    assert ran.code == 1
    assert "give the same answer for every row" in ran.out
    assert "No question to answer" in run("audit", "next", tmp_path / "a").out
    assert run("audit", "report", tmp_path / "a", "--report", tmp_path / "a.html").code == 1


def test_a_budget_of_nothing_asks_nothing_and_a_used_one_no_more(run, tmp_path):
    start = {"incumbent": "old", "candidate": "new", "on": "id"}
    justesse.audit_start(FRAME, **start, to=tmp_path / "none", budget=0)
    assert "all questions of the budget are answered" in run("audit", "next", tmp_path / "none").out
    justesse.audit_start(FRAME, **start, to=tmp_path / "few", budget=3)
    due = ids(tmp_path / "few", 10)
    assert len(due) == 3
    for name in due:
        justesse.audit_answer(tmp_path / "few", name, EXPERT[name])
    assert ids(tmp_path / "few") == []
    assert justesse.audit_status(tmp_path / "few").to_dict()["stop"] == "budget"


def test_integers_and_odd_ids_are_answered_as_they_are_written(run, tmp_path):
    odd = ["1", "01", " x", "a/b", "'q'", '"', "é\n", "-n", "--by", "%s", "1.0", "x"]
    frame = pd.DataFrame({"id": odd, "label": [1] * 12, "old": [0] * 12, "new": [1] * 12})
    justesse.audit_start(frame, incumbent="old", candidate="new", on="id", to=tmp_path / "odd", level=0.9999)
    assert sorted(ids(tmp_path / "odd", 12)) == sorted(odd)
    for name in odd:
        found = justesse.audit_answer(tmp_path / "odd", name, 1)
        assert [(entry.answer, found.audit.disputes[entry.row].id) for entry in found.recorded] == [(1, name)]
    frame = pd.DataFrame({"id": range(5), "label": 1, "old": 0, "new": 1})
    justesse.audit_start(frame, incumbent="old", candidate="new", on="id", to=tmp_path / "whole")
    assert run("audit", "answer", tmp_path / "whole", "3", "1").code == 0
    assert run("audit", "answer", tmp_path / "odd", "--by", "Bob", "--", "-n", "0").code == 0
    assert run("audit", "answer", tmp_path / "odd", "--by", "Bob", "--", "--by", "0").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--to", "my.audit"], "never overwritten"),
        (["--to", "x", "--margin", "2"], "one point is 0.01"),
        (["--to", "x", "--level", "95"], "between 0 and 1"),
        (["--to", "x", "--budget", "-1"], "must be 0 or more"),
        (["--to", "x", "--expert-error", "0.7"], "below 0.5"),
        (["--to", "x", "--show", "nothing"], "Column 'nothing' not found"),
        (["--to", "x", "--show", "text", "--image", "text"], "cannot be combined"),
        (["--to", "x", "--suspicion", "text"], "must contain numbers"),
        (["--to", "nowhere/x"], "Create it first"),
        (["--to", "x", "--budget", "2.7"], "a whole number is needed; got '2.7'"),
        (["--to", "x", "--true", "text"], "Column 'text' has no class of the labels or answers"),
    ],
)
def test_a_start_that_cannot_be_leaves_nothing(run, files, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.audit").write_text("mine")
    before = sorted(os.listdir(tmp_path))
    ran = run("audit", "start", files["old"], files["new"], "--on", "id", *words)
    assert ran.code == 2
    assert told in ran.err
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "my.audit").read_text() == "mine"


@pytest.mark.parametrize("part", [["next"], ["status"], ["answer"], ["report"]])
def test_what_is_no_audit_file_is_told_in_a_sentence(run, write, tmp_path, part):
    rest = {"answer": ["1", "cat"], "report": ["--report", tmp_path / "x.html"]}.get(part[0], [])
    for path in (write("text.audit", "id,class\n"), tmp_path / "gone.audit", tmp_path):
        ran = run("audit", *part, path, *rest)
        assert ran.code == 2
        assert ran.err.startswith("justesse: ")
        assert len(ran.err.splitlines()) == 1


def test_classes_that_only_the_expert_knows_are_pointed_out(tmp_path):
    written = FRAME.truth.where(FRAME.truth != "cat", "Cat")
    found = justesse.audit_start(
        FRAME.assign(truth=written), incumbent="old", candidate="new", on="id", true="truth", to=tmp_path / "a"
    )
    warned = [line for line in found.warnings if "neither labels nor classifiers use ('Cat')" in line]
    assert len(warned) == 1
    assert "both classifiers count as wrong" in warned[0]


def test_a_damaged_audit_is_told_in_a_sentence_and_never_read_wrongly(audit, tmp_path):
    for one in ids(audit, 4):
        justesse.audit_answer(audit, one, EXPERT[one])
    whole, seen = audit.read_bytes(), justesse.audit_status(audit).to_dict()
    rng, refused = np.random.default_rng(0), 0
    for _ in range(120):
        broken = bytearray(whole)
        at, size = int(rng.integers(len(whole))), int(rng.choice([1, 8, 300]))
        broken[at : at + size] = rng.integers(256, size=len(broken[at : at + size]), dtype=np.uint8).tobytes()
        audit.write_bytes(broken)
        try:
            found = justesse.audit_status(audit).to_dict()
        except FileError:
            refused += 1
        else:
            refused += found["broken"] is not None
            assert found["broken"] or found == seen
    assert refused > 10


@pytest.mark.parametrize(
    ("change", "value"), [("label", '"owl"'), ("candidate", '"new"'), ("id", None), ("label", '"dog')]
)
def test_questions_that_were_changed_from_outside_are_refused(audit, change, value):
    with sqlite3.connect(audit) as plain:
        plain.execute("DROP TRIGGER disputes_no_update")
        plain.execute("DROP TRIGGER disputes_no_delete")
        if value is None:
            plain.execute("DELETE FROM disputes WHERE row = 3")
        else:
            plain.execute(f"UPDATE disputes SET {change} = ? WHERE label != '\"owl\"' AND row < 9", (value,))
    plain.close()
    with pytest.raises(FileError, match="is damaged"):
        justesse.audit_status(audit)


def test_answers_in_a_frame_of_decimals_find_their_questions(tmp_path):
    path = tmp_path / "numbers.audit"
    numbered = FRAME.assign(id=np.arange(ROWS, dtype=float))
    justesse.audit_start(numbered, incumbent="old", candidate="new", on="id", to=path)
    asked = ids(path, 3)
    sheet = pd.DataFrame({"id": [float(one) for one in asked], "class": "cat"})
    assert len(justesse.audit_answer(path, answers=sheet, by="Ann").recorded) == 3
    assert justesse.audit_answer(path, float(asked[0]), "cat", by="Bob").recorded
    assert justesse.audit_answer(path, int(asked[0]), "cat", by="Cy").recorded


def test_several_candidates_and_questions_below_one_are_refused(run, files, audit):
    ran = run("audit", "start", files["old"], files["new"], files["new"], "--on", "id", "--to", "x")
    assert (ran.code, "Name each file once" in ran.err) == (2, True)
    assert run("audit", "next", audit, "-n", "0").code == 2
    assert run("audit", "answer", audit).code == 2
    assert run("audit", "answer", audit, ids(audit, 1)[0]).code == 2
    assert run("audit", "answer", audit, ids(audit, 1)[0], "cat", "--cannot-say").code == 2


def test_keys_need_a_terminal(run, audit):
    ran = run("audit", "ask", audit)
    assert ran.code == 2
    assert "audit next and justesse audit answer" in ran.err


@pytest.mark.parametrize("budget", [500, 10**20])
def test_a_budget_above_the_disputed_rows_says_so_and_asks_about_all(run, files, tmp_path, budget):
    path = tmp_path / "my.audit"
    words = ["audit", "start", files["old"], files["new"], "--on", "id", "--to", path, "--budget", str(budget)]
    ran = run(*words)
    disputed = int((FRAME.old != FRAME.new).sum())
    assert ran.code == 0
    told = " ".join(ran.out.split())
    assert (
        f"! The budget of {budget:,} questions is larger than the number of disputed rows, {disputed}: all of" in told
    )
    status = justesse.audit_status(path)  # the file opens
    assert (status.audit.state.budget, status.audit.state.most) == (disputed, disputed)
    assert not any("budget" in caution for caution in status.warnings)
    assert len(justesse.audit_next(path, budget).questions) == disputed


def test_the_default_budget_needs_no_caution(tmp_path):
    start = {"incumbent": "old", "candidate": "new", "on": "id"}
    assert justesse.audit_start(FRAME.head(60), **start, to=tmp_path / "a").warnings == []


def test_the_old_keyword_works_with_a_hint(tmp_path):
    start = {"incumbent": "old", "candidate": "new", "on": "id"}
    with pytest.warns(FutureWarning, match="'truth' is now called 'true'") as hints:
        old = justesse.audit_start(FRAME, **start, truth="truth", to=tmp_path / "old")
    assert hints[0].filename == __file__
    new = justesse.audit_start(FRAME, **start, true="truth", to=tmp_path / "new")
    assert old.to_dict()["looks"] == new.to_dict()["looks"]
    with pytest.raises(OptionError, match="Use only 'true'"):
        justesse.audit_start(FRAME, **start, true="truth", truth="truth", to=tmp_path / "both")


def test_the_question_is_written_as_on_the_command_line_too(tmp_path):
    start = {"incumbent": "old", "candidate": "new", "on": "id"}
    found = justesse.audit_start(FRAME, **start, question="test-set", to=tmp_path / "a")
    assert found.to_dict()["question"] == "test set"


def test_a_status_is_written_as_a_table_charts_and_markdown(run, audit, tmp_path):
    first, second = ids(audit, 2)
    run("audit", "answer", audit, first, "cat|dog", "--by", "Ann")
    run("audit", "answer", audit, second, "owl", "--by", "Ann")
    table, charts = tmp_path / "answers.csv", tmp_path / "charts"
    ran = run("audit", "status", audit, "-o", table, "--charts", charts, "--format", "markdown", "--no-gate")
    assert ran.code == 0
    assert ran.out.startswith("## Audit of an incumbent and a candidate\n\n**Not settled yet")
    assert "| in the population | cannot tell |" in ran.out
    assert list(pd.read_csv(table)["class"]) == ["cat|dog", "owl"]
    assert {path.name for path in charts.iterdir()} == {
        f"{name}.{kind}" for name in ("test_set", "population") for kind in ("svg", "png")
    }


@pytest.mark.parametrize("width", [40, 60, 80])
def test_nothing_is_cropped_in_narrow_terminals(run, audit, monkeypatch, width):
    for name in ids(audit, 3):
        run("audit", "answer", audit, name, "cat", "--by", "Ann")
    monkeypatch.setenv("COLUMNS", str(width))
    status = justesse.audit_status(audit)
    for words in (["status", audit, "--no-gate"], ["status", audit, "--no-gate", "--full"], ["next", audit]):
        lines = run("audit", *words).out.splitlines()
        assert max(map(len, lines)) <= max(width, len(str(audit)) + 4)
        if words[0] == "status":
            whole = " ".join(" ".join(lines).split())
            for finding in (status.audit.state.test_set, status.audit.state.population):
                assert written("points_interval", finding.difference) in whole
    assert len(run("audit", "status", audit, "--no-gate").out.splitlines()) <= {40: 50, 60: 36, 80: 30}[width]


def test_an_unknown_option_beside_a_file_of_answers_is_named(run, audit, tmp_path):
    ran = run("audit", "answer", audit, "--file", tmp_path / "answers.csv", "--dossier", tmp_path / "d.json")
    assert ran.code == 2
    assert "got '--dossier' beside --file" in ran.err


def test_the_page_needs_a_name(run, audit):
    ran = run("audit", "report", audit)
    assert (ran.code, "--report page.html" in ran.err) == (2, True)


def test_the_table_is_not_written_over_the_audit(run, files, tmp_path):
    path = tmp_path / "my.csv"
    ran = run("audit", "start", files["old"], files["new"], "--on", "id", "--to", path, "-o", path)
    assert (ran.code, path.exists()) == (2, False)


def test_a_tie_is_worded_as_it_counts(run, by_majority):
    first = ids(by_majority, 10)[0]
    run("audit", "answer", by_majority, first, "cat", "--by", "Ann")
    tied = run("audit", "answer", by_majority, first, "dog", "--by", "Bob").out
    assert "A tie counts as “cannot say” until another answer breaks it." in " ".join(tied.split())
    status = justesse.audit_status(by_majority)
    assert status.audit.state.cannot_say == 1
    assert "1 question could not be answered (1 tie between people)." in status.warnings[0]
    assert status.audit.settled[status.audit.by_id[first].row].words == "tie, counts as cannot say"


def test_questions_left_are_those_without_an_answer(audit):
    first = ids(audit, 10)[0]
    justesse.audit_answer(audit, first, "cat", by="Ann")
    assert justesse.audit_status(audit).left.endswith("59 of 60 questions are left to answer.")


def test_a_withdrawn_answer_is_not_called_saved(run, audit):
    first = ids(audit)[0]
    run("audit", "answer", audit, first, "cat", "--by", "Ann")
    assert run("audit", "answer", audit, first, "--withdraw", "--by", "Ann").out == (
        "1 answer withdrawn. Answers that count so far: 0.\n"
    )


def test_a_verdict_on_the_test_set_says_what_holds_in_the_population(files, tmp_path):
    rows = FRAME.iloc[:150].assign(new=FRAME.old)
    rows.loc[:5, "new"] = rows.truth[:6]
    rows.loc[:5, "old"] = ["dog" if name == "cat" else "cat" for name in rows.truth[:6]]
    rows.loc[6, "new"] = "dog" if rows.truth[6] == "cat" else "cat"
    rows.loc[6, "old"] = rows.truth[6]
    start = {"incumbent": "old", "candidate": "new", "on": "id", "true": "truth"}
    status = justesse.audit_start(rows, **start, to=tmp_path / "my.audit")
    assert (status.audit.state.test_set.decision, status.audit.state.population.decision) == ("replace", "cannot_tell")
    assert (
        "But in the population the test set was drawn from it is not settled which is better (95 % CI"
        in status.headline
    )
    assert status.headline.endswith("The audit has stopped: the verdict on this test set is sure.")


def test_looks_are_shown_in_round_steps(files, tmp_path):
    start = {"incumbent": "old", "candidate": "new", "on": "id", "true": "truth"}
    status = justesse.audit_start(FRAME, **start, to=tmp_path / "my.audit", level=0.999)
    table = next(section for section in status.document().sections if section.id == "looks").parts[0]
    shown = [row[0].n for row in table.rows]
    last = len(status.looks()) - 1
    step = shown[1]
    assert step in (2, 5, 10, 20)
    assert shown == sorted({*range(0, last, step), last})
    assert f"every {step} answers and the last" in str(table.note)
