"""Labels to re-check in a file that several people answer, also if processes die."""

import signal
import sqlite3
import subprocess
import sys

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.core.errors import FileError, InputError, OptionError
from justesse.verbs.schemas import schema

N = 400
RNG = np.random.default_rng(3)
TRUE = RNG.integers(2, size=N)
SHARE = np.where(TRUE == 1, RNG.beta(6, 2, N), RNG.beta(2, 6, N))
LABEL = np.where(RNG.random(N) < 0.1, 1 - TRUE, TRUE)
ROWS = pd.DataFrame({"id": np.arange(N) + 1000, "label": LABEL, "p_0": 1 - SHARE, "p_1": SHARE})
HOW = {"id": "id", "proba": "p_"}
EXPERT = """
import sys
import justesse
path, by = sys.argv[1], sys.argv[2]
while rows := justesse.recheck_next(path, n=1).questions():
    try:
        justesse.recheck_answer(path, rows[0]["id"], int(rows[0]["id"]) % 2, by=by)
    except justesse.core.errors.InputError:
        continue
    print(rows[0]["id"], flush=True)
"""


@pytest.fixture
def path(tmp_path):
    justesse.clean(ROWS, **HOW, recheck=120, recheck_to=tmp_path / "ask.recheck")
    return tmp_path / "ask.recheck"


def expert(path, by):
    return subprocess.Popen([sys.executable, "-c", EXPERT, str(path), by], stdout=subprocess.PIPE, text=True)


def test_answers_give_what_a_filled_in_table_gives(path, tmp_path):
    made = justesse.clean(ROWS, **HOW, recheck=120, recheck_to=tmp_path / "ask.csv")
    table = pd.read_csv(tmp_path / "ask.csv")
    table["true"] = TRUE[table["id"] - 1000]
    assert sorted(row["id"] for row in justesse.recheck_next(path, n=999).questions()) == sorted(map(str, table["id"]))
    done = justesse.recheck_answer(path, answers=table[["id", "true"]], by="Ann")
    assert (done.answered, len(done.record.open), done.wrong) == (120, 0, int((table["true"] != table["label"]).sum()))
    by_file, by_table = (justesse.clean(ROWS, **HOW, audited=source) for source in (path, table))
    assert by_file.adjudication == by_table.adjudication
    assert (by_file.probability == by_table.probability).all()
    plain = [
        {key: item[key] for key in ("id", "label", "true", "changed", "flagged")} for item in by_file.corrections()
    ]
    assert sorted(plain, key=str) == sorted(by_table.corrections(), key=str)
    assert {item["by"] for item in by_file.corrections()} == {"Ann"}
    assert all(item["at"].startswith("20") for item in by_file.corrections())
    jsonschema.validate(by_file.to_dict(), schema("clean"))
    assert made.asked is not None


def test_a_list_goes_on_with_the_answers_so_far(path, tmp_path):
    """Another list was drawn from all rows, and people were asked again about rows they had answered."""
    asked = [int(row["id"]) for row in justesse.recheck_next(path, n=999).questions()]
    justesse.recheck_answer(path, answers={"id": asked, "true": TRUE[np.array(asked) - 1000]}, by="Ann")
    first = justesse.clean(ROWS, **HOW, audited=path)
    for name in ("more.csv", "more.recheck"):
        justesse.clean(ROWS, **HOW, audited=path, recheck=40, recheck_to=tmp_path / name)
    table = pd.read_csv(tmp_path / "more.csv")
    assert (len(table), table["true"].isna().sum()) == (160, 40)
    assert table["true"].isna().tolist() == [True] * 40 + [False] * 120
    left = justesse.recheck_next(tmp_path / "more.recheck", n=999)
    assert (left.answered, len(left.record.open)) == (120, 40)
    assert not {int(row["id"]) for row in left.questions()} & set(asked)
    before, now = (
        {(record.rows[entry.row].id, entry.answer, entry.by, entry.at) for entry in record.diary.entries}
        for record in (justesse.recheck_next(each).record for each in (path, tmp_path / "more.recheck"))
    )
    assert before == now
    table["true"] = TRUE[table["id"] - 1000]
    more = justesse.clean(ROWS, **HOW, audited=table)
    assert more.adjudication.recall.n == 160
    assert (more.probability != first.probability).any()
    justesse.clean(ROWS, **HOW, audited=table, recheck=10, recheck_to=tmp_path / "last.recheck")
    assert {entry["by"] for entry in justesse.recheck_next(tmp_path / "last.recheck").trace()} == {"an earlier list"}


def test_answers_of_a_killed_process_stay_and_others_go_on(path):
    told = []
    for _ in range(2):
        process = expert(path, "Ann")
        told += [process.stdout.readline().strip() for _ in range(12)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().split()
        process.communicate()
    trace = justesse.recheck_next(path).trace()
    kept = [entry["id"] for entry in trace]
    assert set(told) <= set(kept)
    assert len(set(kept)) == len(kept) <= len(told) + 2
    two = [expert(path, by) for by in ("Bob", "Cy")]
    for process in two:
        process.communicate()
    progress = justesse.recheck_next(path)
    assert (progress.answered, progress.record.open) == (120, [])


def test_people_who_disagree(path):
    one, two = (row["id"] for row in justesse.recheck_next(path, n=2).questions())
    justesse.recheck_answer(path, one, 1, by="Ann")
    tied = justesse.recheck_answer(path, one, 0, by="Bob")
    assert (tied.answered, len(tied.record.open), tied.tied) == (0, 119, 1)
    assert "119 rows open, 1 tied." in tied.markdown()
    assert f"People disagree about '{one}'" in tied.markdown()
    assert justesse.recheck_answer(path, one, 0, by="Cy").answered == 1
    open_question = justesse.recheck_answer(path, two, "?", by="Ann")
    assert "118 rows open, 1 that cannot be determined." in open_question.markdown()
    for progress in (tied, open_question):
        written = progress.to_dict()
        jsonschema.validate(written, schema("recheck"))
        assert written["answered"] + written["open"] + len(written["tied"]) + written["cannot_say"] == written["rows"]
    assert justesse.recheck_next(path).answered == 1
    assert justesse.recheck_answer(path, two, 1, by="Ann", correct=True).answered == 2
    gone = justesse.recheck_answer(path, two, by="Ann", withdraw=True)
    assert gone.answered == 1
    assert [entry["kind"] for entry in gone.trace()] == [
        "answer",
        "answer",
        "answer",
        "cannot_say",
        "answer",
        "withdrawn",
    ]
    assert justesse.recheck_answer(path, one, 0, by="Cy").repeated == 1
    found = justesse.clean(ROWS, **HOW, audited=path)
    assert found.corrections()[0]["by"] == "Ann, Bob, Cy"


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (("nobody", 1), {}, "There is no row 'nobody' on the list"),
        (("FIRST", 7), {}, "There is no class 7 among labels and answers.* Classes: 0, 1. Name one class"),
        (("FIRST", "0|1"), {}, "names no single class"),
        (("FIRST", "both"), {}, "names no single class"),
        (("FIRST",), {}, "Give the class, or one of"),
        ((), {}, "Give the id of a row and its class"),
        ((), {"answers": {"id": [1], "true": [1]}}, "No answer was saved: 1 row cannot be used"),
        (("FIRST",), {"withdraw": True}, "has not answered this question"),
    ],
)
def test_what_cannot_be_saved_changes_nothing(path, arguments, options, reason):
    first = justesse.recheck_next(path, n=1).questions()[0]["id"]
    with pytest.raises((InputError, OptionError), match=reason.replace("|", r"\|").replace("?", r"\?")):
        justesse.recheck_answer(path, *(first if word == "FIRST" else word for word in arguments), **options)
    assert justesse.recheck_next(path).trace() == []


def test_files_that_are_no_lists(path, tmp_path):
    with pytest.raises(FileError, match="exists, and answers are never overwritten"):
        justesse.clean(ROWS, **HOW, recheck=20, recheck_to=path)
    with pytest.raises(FileError, match="is a database, but not an audit file"):
        justesse.audit_status(path)
    frame = ROWS.assign(old=0, new=1)
    justesse.audit_start(frame, incumbent="old", candidate="new", label="label", on="id", to=tmp_path / "my.audit")
    with pytest.raises(FileError, match="is a database, but not a list of labels to re-check"):
        justesse.recheck_next(tmp_path / "my.audit")
    with pytest.raises(InputError, match="has a true class. Answer first: justesse recheck next .*ask.recheck"):
        justesse.clean(ROWS, **HOW, audited=path)
    first = justesse.recheck_next(path, n=1).questions()[0]["id"]
    justesse.recheck_answer(path, first, 1)
    with pytest.raises(InputError, match="had the label"):
        justesse.clean(ROWS.assign(label=1 - ROWS["label"]), **HOW, audited=path)


def test_a_changed_answer_is_noticed(path):
    first = justesse.recheck_next(path, n=1).questions()[0]["id"]
    justesse.recheck_answer(path, first, 1, by="Ann")
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TRIGGER answers_no_update")
        raw.execute("UPDATE answers SET said = '0'")
    with pytest.raises(FileError, match="answers 1 was changed, removed or added"):
        justesse.recheck_next(path)


def test_the_commands(run, path, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("recheck", "next", path, "-n", 2)
    assert shown.out.startswith("0 of 120 rows answered")
    assert max(map(len, shown.out.splitlines())) <= 80
    run("recheck", "next", path, "-n", 3, "-o", tmp_path / "answers.csv")
    table = pd.read_csv(tmp_path / "answers.csv")
    table["true"] = TRUE[table["id"] - 1000]
    table.to_csv(tmp_path / "answers.csv", index=False)
    saved = run("recheck", "answer", path, "--file", tmp_path / "answers.csv", "--by", "Ann", "--json")
    assert (saved.code, saved.json["answered"], saved.json["recorded"]) == (0, 3, [1, 2, 3])
    jsonschema.validate(saved.json, schema("recheck"))
    again = run("recheck", "answer", path, str(table["id"][0]), "0" if table["true"][0] else "1", "--by", "Ann")
    assert (again.code, again.out) == (2, "")
    assert "To change it, pass correct (--correct)" in " ".join(again.err.split())
    audited = run("clean", "--audited", path, "--id", "id", "--proba", "p_", _csv(tmp_path), "--json").json
    assert {item["by"] for item in audited["adjudication"]["corrections"]} == {"Ann"}


def _csv(folder):
    ROWS.to_csv(folder / "rows.csv", index=False)
    return folder / "rows.csv"


def test_rows_on_which_people_disagree_are_asked_again_after_the_open_ones(path):
    first, second = (row["id"] for row in justesse.recheck_next(path, n=2).questions())
    justesse.recheck_answer(path, first, 0, by="Ann")
    justesse.recheck_answer(path, first, 1, by="Bob")
    asked = [row["id"] for row in justesse.recheck_next(path, n=999).questions()]
    assert (asked[0], asked[-1], len(asked)) == (second, first, 120)
    justesse.recheck_answer(path, first, 1, by="Cy")
    assert first not in [row["id"] for row in justesse.recheck_next(path, n=999).questions()]


def test_people_answer_without_knowing_the_labels(path, tmp_path):
    blind, revealed = (justesse.recheck_next(path, n=40, reveal=reveal) for reveal in (False, True))
    assert [row["id"] for row in blind.questions()] == [row["id"] for row in revealed.questions()]
    assert {(row["label"], row["suggested"], row["reason"]) for row in blind.questions()} == {(None, None, "")}
    assert {row["label"] for row in revealed.questions()} == {0, 1}
    assert list(blind.to_columns()) == ["id", "true"]
    assert list(revealed.to_columns()) == ["id", "label", "suggested", "reason", "true"]
    jsonschema.validate(blind.to_dict(), schema("recheck"))
    assert "Labels are hidden" in str(blind)
    assert "Labels are hidden" not in str(revealed)
    blind.save(tmp_path / "fill.csv")
    table = pd.read_csv(tmp_path / "fill.csv")
    table["true"] = TRUE[table["id"] - 1000]
    assert justesse.recheck_answer(path, answers=table, by="Ann").answered == 40


def test_the_page_lists_wrong_labels_and_who_answered(path, tmp_path):
    rows = justesse.recheck_next(path, n=3, reveal=True).questions()
    for row, answer in zip(rows, (rows[0]["label"], 1 - rows[1]["label"], "?"), strict=True):
        justesse.recheck_answer(path, row["id"], answer, by="Ann")
    justesse.recheck_answer(path, rows[1]["id"], 1 - rows[1]["label"], by="Bob")
    progress = justesse.recheck_next(path)
    assert progress.corrections() == [[rows[1]["id"], rows[1]["label"], 1 - rows[1]["label"], "Ann, Bob"]]
    assert progress.people() == [["Ann", 3, 1, 1, 1], ["Bob", 1, 0, 1, 0]]
    assert [figure.estimate.n for figure in progress.document().figures] == [2, 1]  # a count is shown by its n
    progress.report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    for words in ("Wrong labels so far", "Ann, Bob", "Who answered", "Rows to answer next"):
        assert words in text
