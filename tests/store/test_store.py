"""A store holds many audits and evaluations, on SQLite and on PostgreSQL alike."""

import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

import justesse
from justesse.core.errors import FileError, InputError, OptionError
from justesse.store.address import AuditAddress, StoreAddress, place_of
from justesse.store.audit_file import open_audit
from justesse.store.database import open_store
from justesse.store.evaluations import add_evaluation, listed_evaluations, read_evaluation
from justesse.store.stored_audit import listed_audits

ROWS = 60
FRAME = {"id": list(range(ROWS)), "label": [0] * ROWS, "old": [1] * 30 + [0] * 30, "new": [0] * 30 + [1] * 30}
START = {"incumbent": "old", "candidate": "new", "on": "id"}
FORMATS = Path(__file__).with_name("formats")


def started(url, name, **options):
    return justesse.audit_start(FRAME, **START, store=url, to=name, **options)


def kept(url, **options):
    values = {"title": "t", "command": "evaluate", "by": "Ann", "headline": "h", "result": {"n": 3}, "page": b"<p>"}
    return add_evaluation(open_store(StoreAddress.read(url), create=True), **{**values, **options})


def comparable(status):
    return {key: value for key, value in status.to_dict().items() if key not in ("file", "run")}


def answer_all(audit, count):
    for _ in range(count):
        question = justesse.audit_next(audit, 1).questions[0]
        justesse.audit_answer(audit, question.id, int(question.id) % 2, by="Ann")


def test_audits_of_one_store_do_not_see_each_other_and_equal_an_audit_in_a_file(url, tmp_path):
    for name in ("first", "second"):
        started(url, name)
    justesse.audit_start(FRAME, **START, to=tmp_path / "alone.audit")
    answer_all(f"{url}#first", 4)
    answer_all(tmp_path / "alone.audit", 4)
    first, second = (justesse.audit_status(f"{url}#{name}") for name in ("first", "second"))
    assert (len(first.audit.diary), len(second.audit.diary), second.audit.drawn) == (4, 0, ())
    assert first.audit.broken is None
    assert comparable(first) == comparable(justesse.audit_status(tmp_path / "alone.audit"))
    assert [(each.name, each.answers) for each in listed_audits(open_store(StoreAddress.read(url)))] == [
        ("second", 0),
        ("first", 4),
    ]


def test_copies_between_files_and_stores_keep_every_answer_and_checksum(url, tmp_path):
    old = tmp_path / "old.audit"
    shutil.copy(FORMATS / "format-1.audit", old)
    before = justesse.audit_status(old)
    justesse.audit_export(old, f"{url}#kept")
    justesse.audit_export(f"{url}#kept", f"{url}#again")
    justesse.audit_export(f"{url}#again", tmp_path / "back.audit")
    assert justesse.audit_status(old).audit.format == 1
    for place in (f"{url}#kept", f"{url}#again", tmp_path / "back.audit"):
        after = justesse.audit_status(place)
        assert after.audit.diary == before.audit.diary
        assert (after.audit.broken, after.audit.format) == (None, 2)
        assert after.to_dict()["looks"] == before.to_dict()["looks"]
    justesse.audit_answer(tmp_path / "back.audit", "img-06", "cat", by="Zoe")


def test_a_name_is_taken_once(url):
    started(url, "my audit")
    with pytest.raises(FileError, match="never overwritten"):
        started(url, "my audit")
    with pytest.raises(FileError, match=r"no audit 'other' .* Audits: 'my audit'"):
        justesse.audit_status(f"{url}#other")


def test_two_at_once_make_the_store_and_its_audits(url):
    code = (
        "import sys, justesse\n"
        f"justesse.audit_start({FRAME!r}, **{START!r}, store=sys.argv[1], to=sys.argv[2])\n"
    )  # fmt: skip
    makers = [subprocess.Popen([sys.executable, "-c", code, url, name]) for name in ("a", "b", "c")]
    assert [maker.wait(timeout=120) for maker in makers] == [0, 0, 0]
    assert sorted(each.name for each in listed_audits(open_store(StoreAddress.read(url)))) == ["a", "b", "c"]


def test_two_people_who_answer_the_same_question_at_once_are_both_kept(url):
    started(url, "shared")
    address = f"{url}#shared"
    row = justesse.audit_next(address, 1).questions[0].id

    def answer(by):
        return len(justesse.audit_answer(address, row, 0 if by == "Ann" else 1, by=by).recorded)

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(answer, ["Ann", "Bob"] * 8))
    assert sum(counts) == 2
    diary = justesse.audit_status(address).audit.diary
    assert sorted((entry.by, entry.answer, entry.number) for entry in diary) in (
        [("Ann", 0, 1), ("Bob", 1, 2)],
        [("Ann", 0, 2), ("Bob", 1, 1)],
    )


@pytest.mark.parametrize(
    "change",
    ["UPDATE justesse_answers SET said = '1'", "DELETE FROM justesse_facts", "DELETE FROM justesse_evaluations"],
)
def test_what_is_written_cannot_be_rewritten(url, change):
    started(url, "my")
    answer_all(f"{url}#my", 1)
    kept(url)
    with pytest.raises(DBAPIError, match="never changed"), open_store(StoreAddress.read(url)).writing() as connection:
        connection.execute(text(change))


def test_changes_by_another_program_are_noticed(url):
    started(url, "my")
    answer_all(f"{url}#my", 2)
    kept(url)
    with open_store(StoreAddress.read(url)).writing() as connection:
        if connection.dialect.name == "sqlite":
            connection.execute(text("DROP TRIGGER justesse_answers_no_update"))
            connection.execute(text("DROP TRIGGER justesse_evaluations_no_update"))
        else:
            connection.execute(text("ALTER TABLE justesse_answers DISABLE TRIGGER USER"))
            connection.execute(text("ALTER TABLE justesse_evaluations DISABLE TRIGGER USER"))
        connection.execute(text("UPDATE justesse_answers SET said = '77' WHERE number = 2"))
        connection.execute(text("UPDATE justesse_evaluations SET digest = 'x'"))
    assert "answer 2" in justesse.audit_status(f"{url}#my").audit.broken
    with pytest.raises(FileError, match="damaged"):
        justesse.audit_next(f"{url}#my")
    with pytest.raises(FileError, match="Evaluation 1 .* was changed"):
        read_evaluation(open_store(StoreAddress.read(url)), 1)


def test_evaluations_are_kept_listed_and_searched(url):
    result = {"n": 3, "accuracy": 2 / 3, "name": "日本 \u0000 '\""}
    first = kept(url, title="Spam, 100 %_ sure", result=result, page=b"<html>\xff")
    second = kept(url, title="Ham", by="Bob", headline="Accuracy 90 %")
    store = open_store(StoreAddress.read(url))
    back = read_evaluation(store, first)
    assert (back.result, back.page, back.n) == (result, b"<html>\xff", 3)
    assert [row.number for row in listed_evaluations(store)] == [second, first]
    for words, numbers in [("spam", [first]), ("BOB ham", [second]), ("100 %_", [first]), ("_p", []), ("bob spam", [])]:
        assert [row.number for row in listed_evaluations(store, words)] == numbers, words
    with pytest.raises(InputError, match="no evaluation 99"):
        read_evaluation(store, 99)


def test_a_newer_store_or_audit_is_refused(url):
    started(url, "my")
    store = open_store(StoreAddress.read(url))
    with store.writing() as connection:
        connection.execute(text("UPDATE justesse_audits SET format = 99"))
    with pytest.raises(FileError, match="newer version of justesse"):
        justesse.audit_status(f"{url}#my")
    with store.writing() as connection:
        connection.execute(text("UPDATE justesse_store SET value = '99' WHERE name = 'format'"))
    with pytest.raises(FileError, match="newer version of justesse"):
        justesse.audit_status(f"{url}#my")


def test_long_and_hostile_names_are_kept(url):
    names = ["x" * 10_000, "<script>alert(1)</script>", "'; DROP TABLE justesse_answers; --", "مرحبا", "%s :x"]
    frame = {"id": names, "label": ["a"] * 5, "old": names, "new": ["a"] * 5, "text": names}
    justesse.audit_start(frame, incumbent="old", candidate="new", on="id", show="text", store=url, to="%s '\"; -- é")
    audit = f"{url}#%s '\"; -- é"
    for question in justesse.audit_next(audit, 5).questions:
        assert question.shown == question.id
        justesse.audit_answer(audit, question.id, "a", by=question.id)
    assert sorted(entry.by for entry in justesse.audit_status(audit).audit.diary) == sorted(names)


def test_addresses_that_cannot_be_meant_are_refused(tmp_path):
    for text_, words in [
        ("sqlite:///project.db", "names a store, but no audit"),
        ("sqlite://#a", "names no file"),
        ("sqlite:///:memory:#a", "names no file"),
        ("postgresql://host#a", "names no database"),
        ("sqlite:///x.db#", "1 to 200 printable"),
        ("sqlite:///x.db#a\nb", "1 to 200 printable"),
        ("postgresql://[::1:x/db#a", "cannot be read"),
    ]:
        with pytest.raises(OptionError, match=words):
            justesse.audit_status(text_)
    with pytest.raises(OptionError, match="not in both"):
        started("sqlite:///x.db", "sqlite:///x.db#a")
    with pytest.raises(FileError, match="not found"):
        justesse.audit_status(f"sqlite:///{tmp_path}/none.db#a")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(FileError, match="Create it first"):
        started(f"sqlite:///{tmp_path}/none/none.db", "a")
    with pytest.raises(FileError, match="is a directory"):
        started(f"sqlite:///{tmp_path}", "a")


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "text.db").write_text("hello")
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    before = [(tmp_path / name).read_bytes() for name in ("text.db", "other.db")]
    for name in ("text.db", "other.db"):
        with pytest.raises(FileError, match="not a store"):
            started(f"sqlite:///{tmp_path}/{name}", "a")
    assert [(tmp_path / name).read_bytes() for name in ("text.db", "other.db")] == before


def test_a_store_whose_file_was_replaced_is_opened_anew(tmp_path):
    url = f"sqlite:///{tmp_path}/my.db"
    started(url, "a")
    audit = open_audit(f"{url}#a")
    (tmp_path / "my.db").rename(tmp_path / "moved.db")
    with pytest.raises(FileError, match="moved or deleted"), audit.writing():
        pass
    started(url, "b")
    with pytest.raises(FileError, match="no audit 'a'"):
        justesse.audit_status(f"{url}#a")


def test_passwords_are_never_shown():
    address = AuditAddress.read("postgresql://ann:se%23cret@127.0.0.1:1/lab#x")
    assert "cret" not in str(address) + repr(address)
    with pytest.raises(FileError, match=r"The connection to postgresql://ann:\*\*\*@127.0.0.1:1/lab failed") as raised:
        justesse.audit_status("postgresql://ann:se%23cret@127.0.0.1:1/lab#x")
    assert "cret" not in str(raised.value)


def test_a_nul_is_refused_in_words(postgres):
    frame = {**FRAME, "id": [f"a\0{at}" for at in range(ROWS)]}
    with pytest.raises(InputError, match="NUL character"):
        justesse.audit_start(frame, **START, store=postgres.database(), to="a")


def test_a_missing_database_and_a_lost_server_are_explained(postgres):
    url = postgres.database()
    gone = url.replace("/t", "/none", 1)
    with pytest.raises(FileError, match="does not exist"):
        justesse.audit_status(f"{gone}#a")


def test_the_command_line_takes_addresses(url, run, write):
    rows = "".join(f"{at},a,{'ab'[at < 30]},{'ba'[at < 30]}\n" for at in range(ROWS))
    file = write("a.csv", f"id,label,old,new\n{rows}")
    done = run("audit", "start", file, "--incumbent", "old", "--candidate", "new", "--on", "id", "--to", "my",
               "--store", url, "--json")  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["file"].endswith("#my")
    question = run("audit", "next", f"{url}#my", "-n", "1", "--json").json["questions"][0]
    assert run("audit", "answer", f"{url}#my", question["id"], "a", "--by", "Ann").code == 0
    status = run("audit", "status", f"{url}#my", "--json", "--no-gate").json
    assert [entry["by"] for entry in status["answers"]] == ["Ann"]
    assert run("audit", "status", f"{url}#your").err.startswith("justesse: There is no audit 'your'")


@pytest.mark.parametrize(
    "address",
    ["mysql://u:s3cret@host/db", "POSTGRESQL://u:s3cret@127.0.0.1:1/db", "postgresql://127.0.0.1:1/db?password=s3cret",
     "postgresql://127.0.0.1:1/db?user=u&sslpassword=s3cret", "PostGres://u:s3cret@/"],
)  # fmt: skip
def test_no_message_repeats_a_password(address):
    for read in (StoreAddress.read, AuditAddress.read, place_of):
        try:
            text = str(read(f"{address}#name" if read is place_of else address))
        except OptionError as error:
            text = str(error)
        assert "s3cret" not in text
    with pytest.raises(OptionError, match="SQLite files or PostgreSQL"):
        place_of("mysql://u:s3cret@host/db#name")


def test_a_store_that_nobody_uses_is_whole_in_its_one_file(tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text("id,label,old,new\n" + "".join(f"{at},0,{at % 2},{1 - at % 2}\n" for at in range(40)))
    words = ["audit", "start", "rows.csv", "--incumbent", "old", "--candidate", "new", "--on", "id"]
    words += ["--store", "project.db", "--to", "board"]
    subprocess.run([sys.executable, "-m", "justesse", *words], cwd=tmp_path, check=True, capture_output=True)
    assert not (tmp_path / "project.db-wal").exists()
    (tmp_path / "away").mkdir()
    shutil.copy(tmp_path / "project.db", tmp_path / "away/copy.db")
    assert justesse.audit_status(f"sqlite:///{tmp_path}/away/copy.db#board").audit.state.disputed == 40


def test_the_path_of_a_store_and_a_name_address_an_audit(tmp_path):
    path = str(tmp_path / "project.db")
    started(path, "board")
    same = justesse.audit_status(f"sqlite:///{path}#board")
    assert comparable(justesse.audit_status(f"{path}#board")) == comparable(same)
    justesse.audit_start(FRAME, **START, to=f"{path}#second")
    assert [each.name for each in listed_audits(open_store(StoreAddress.read(path)))] == ["second", "board"]
    with pytest.raises(FileError, match=r"is a store\. Name one of its audits.*'second'.*'board'"):
        justesse.audit_status(path)
    with pytest.raises(OptionError, match=r"--store \S*other\.db --to board"):
        justesse.audit_start(FRAME, **START, to=tmp_path / "other.db#board")
    assert not list(tmp_path.glob("other*"))
