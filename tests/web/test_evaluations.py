"""Evaluations on the page: a file, its columns, the same page as --report, the list, two side by side."""

import gzip
import json

import pytest

import justesse
from justesse.report.html import as_page
from justesse.store.address import StoreAddress
from justesse.store.database import open_store
from justesse.store.evaluations import read_evaluation

ROWS = "".join(f"{at},{'ab'[at % 2]},{'ab'[at % 2 if at % 7 else 0]},g{at % 3}\n" for at in range(140))
CSV = f"id,label,prediction,group\n{ROWS}"
HOSTILE = "<script>alert('1')</script>\"&"


@pytest.fixture
def owner(clients):
    return clients("olga")


def uploaded(client, content, name="test.csv"):
    return client.post("/evaluations/new", files={"upload": (name, content)})


def evaluated(client, content=CSV, name="test.csv", **picked):
    taken = uploaded(client, content, name)
    assert taken.status_code == 303, taken.text
    key = taken.headers["location"].rpartition("=")[2]
    columns = {"label": "label", "prediction": "prediction", **picked}
    return client.post("/evaluations/columns", data={"file": key, **columns})


def test_an_upload_becomes_the_page_that_report_writes(owner, folder, tmp_path):
    done = evaluated(owner, by="group", title="First")
    assert done.headers["location"] == "/evaluations/1"
    shown = owner.get("/evaluations/1").text.replace("\xa0", " ")
    assert "Accuracy 92.9 %" in shown
    assert "First" in shown
    (tmp_path / "test.csv").write_text(CSV)
    result = justesse.evaluate(tmp_path / "test.csv", label="label", prediction="prediction", by="group")
    report = owner.get("/evaluations/1/report")
    command = "justesse evaluate test.csv --label label --prediction prediction --by group"
    assert report.text == as_page(result.document(), command=command)
    assert "unsafe-inline" not in report.headers["content-security-policy"]
    assert owner.get("/evaluations/1/json").json()["measures"] == json.loads(json.dumps(result.to_dict()["measures"]))
    kept = read_evaluation(open_store(StoreAddress.read(folder / "justesse.db")), 1)
    assert (kept.by, kept.n, kept.command) == ("olga", 140, command)


def test_a_file_of_the_served_directory_is_offered_and_previewed(owner, folder):
    (folder / f"{HOSTILE.replace('/', '')}.csv").write_text(CSV.replace("group", '"<b>gr""oup"'))
    (folder / ".hidden.csv").write_text(CSV)
    (folder / "secret.pem").write_text(CSV)
    page = owner.get("/evaluations/new").text
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "hidden" not in page.partition("<select")[2]
    assert "secret" not in page
    taken = owner.post("/evaluations/new", data={"file": f"{HOSTILE.replace('/', '')}.csv"})
    page = owner.get(taken.headers["location"]).text
    assert "&lt;b&gt;gr&#34;oup" in page
    assert '<option value="label" selected>' in page
    for name in ("../served/a.csv", "/etc/passwd", ".hidden.csv", "secret.pem", "a\0.csv", "*.csv", "upload-x"):
        assert owner.get("/evaluations/columns", params={"file": name}).status_code == 404, name


def test_a_link_out_of_the_directory_is_no_file_of_it(owner, folder, tmp_path):
    (tmp_path / "outside.csv").write_text(CSV)
    (folder / "inside.csv").symlink_to(tmp_path / "outside.csv")
    assert "inside.csv" not in owner.get("/evaluations/new").text
    assert owner.get("/evaluations/columns", params={"file": "inside.csv"}).status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", "empty.csv is empty"),
        ("binary.csv", bytes(range(256)) * 50, "binary.csv"),
        ("what.xyz", b"a,b\n1,2\n", "unknown ending"),
        ("none", b"a,b\n1,2\n", "unknown ending"),
        ("bad.parquet", b"PAR1 no", "bad.parquet"),
        ("bad.csv.gz", b"\x1f\x8b\x08 no", "gzip"),
        ("ragged.csv", b"label,prediction\na,b\na\n", "ragged.csv"),
        ("header.csv", b"label,prediction\n", ""),
        ("twice.csv", b"label,label\na,b\n", "label"),
    ],
)
def test_bad_files_give_the_sentence(owner, name, content, words):
    answer = evaluated_or_refused(owner, content, name)
    assert answer.status_code == 400
    problem = answer.text.partition('role="alert">')[2].partition("</p>")[0]
    assert words in problem
    assert problem
    assert "/tmp" not in problem
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("name", ["rows.csv.gz", "log.eval"])
def test_a_small_file_that_unpacks_to_a_large_one_is_refused_before_it_is_read(owner, name, monkeypatch):
    monkeypatch.setattr("justesse.web.routers.evaluating.preview", None)
    content = gzip.compress(b"label,prediction\n" + b"a,b\n" * 10_000_000)
    assert len(content) < 100_000
    answer = uploaded(owner, content, name)
    assert answer.status_code == 400
    assert f"{name} unpacks to more than" in answer.text


def test_a_compressed_table_is_read(owner):
    assert evaluated(owner, gzip.compress(CSV.encode()), "test.csv.gz").status_code == 303


def evaluated_or_refused(client, content, name):
    taken = uploaded(client, content, name)
    if taken.status_code != 303:
        return taken
    key = taken.headers["location"].rpartition("=")[2]
    return client.post("/evaluations/columns", data={"file": key, "label": "label", "prediction": "prediction"})


def test_wrong_columns_are_explained_above_the_form(owner):
    answer = evaluated(owner, label="nothing", title=HOSTILE)
    assert answer.status_code == 400
    assert "Column &#39;nothing&#39; not found in test.csv" in answer.text
    assert "&lt;script&gt;alert" in answer.text
    assert "--" not in answer.text.partition('role="alert">')[2].partition("</p>")[0]
    answer = evaluated(owner, prediction="label")
    assert (answer.status_code, "cannot be both" in answer.text) == (400, True)
    assert owner.post("/evaluations/new").status_code == 400


def test_hostile_names_are_shown_as_text(owner):
    rows = CSV.replace(",a,", f',"{HOSTILE.replace(chr(34), "")}",').replace("group", "x" * 9_000)
    assert evaluated(owner, rows, f"{HOSTILE}.csv", title=HOSTILE).status_code == 303
    for path in ("/evaluations", "/evaluations/1", "/evaluations/1/report"):
        text = owner.get(path).text
        assert "<script>alert" not in text, path
        assert "&lt;script&gt;alert" in text, path


def test_the_list_is_searched_and_two_are_compared(owner):
    evaluated(owner, title="Spam filter")
    evaluated(owner, CSV + "999,a,b,g0\n", title="Ham filter")
    assert "No evaluation has all of these words" in owner.get("/evaluations", params={"q": "nothing%"}).text
    found = owner.get("/evaluations", params={"q": "HAM"}).text
    assert ("Ham filter" in found, "Spam filter" in found) == (True, False)
    pair = owner.get("/evaluations/compare", params={"pick": [2, 1]}).text.replace("\xa0", " ")
    assert pair.index("Spam filter") < pair.index("Ham filter")
    assert '<td role="cell">140</td><td role="cell">141</td>' in pair
    assert "92.9 % (95 % CI 87.4 to 96.1 %, n = 140)" in pair
    assert "-0.7 points" in pair
    for pick in ([], [1], [1, 1], [1, 2, 3]):
        assert owner.get("/evaluations/compare", params={"pick": pick}).status_code == 400
    assert owner.get("/evaluations/compare", params={"pick": [1, 77]}).status_code == 404


@pytest.mark.parametrize("number", ["0", "7", "-1", "99999999999999999999", "x"])
def test_evaluations_that_are_not_there(owner, number):
    for part in ("", "/report", "/json"):
        assert owner.get(f"/evaluations/{number}{part}").status_code in (404, 422)


def test_nothing_is_made_by_looking(owner, folder):
    assert "No evaluations yet" in owner.get("/evaluations").text
    assert list(folder.iterdir()) == []


def test_readers_look_and_owners_evaluate(clients):
    evaluated(clients("olga"))
    reader, expert = clients("rea", "reader"), clients("ann", "expert")
    assert reader.get("/evaluations/1").status_code == 200
    assert reader.get("/evaluations/new").status_code == 403
    assert uploaded(reader, CSV).status_code == 403
    assert expert.get("/evaluations").status_code == expert.get("/evaluations/1/json").status_code == 403


def test_the_oldest_uploads_go(clients):
    owner = clients("olga")
    first = uploaded(owner, CSV).headers["location"]
    for _ in range(20):
        last = uploaded(owner, CSV).headers["location"]
    assert owner.get(first).status_code == 404
    assert owner.get(last).status_code == 200
