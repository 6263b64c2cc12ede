"""Lists to re-check on the web page: the questions of a run that people answer, and flagged labels."""

import html
import re

import pytest

import justesse
from justesse.store.recheck_file import RecheckRow, write_recheck
from justesse.verbs.recheck.recheck import recheck_next

STREAM = "id,date,x,label\n" + "".join(
    f"{month}-{at},{month},{at},{'yes' if at % 3 else 'no'}\n" for month in (1, 2, 3) for at in range(8)
)


class Majority:
    """A system that answers the class it has learnt most often."""

    def __init__(self):
        self.labels = []

    def predict(self, items):
        return [max(sorted(set(self.labels)), key=self.labels.count)] * len(items)

    def adapt(self, items, because):
        self.labels += [item.label for item in items if item.label is not None]


def made(folder, asks, labels, shown="it says so", name="ask.recheck"):
    rows = [RecheckRow(f"r{at}", label, label, 0, 1.0, shown) for at, label in enumerate(labels)]
    classes = ("no", "yes") if asks in ("labels", "predictions") else ()
    return write_recheck(folder / name, rows, on="id", classes=classes, asks=asks)


def asked(text):
    """Return the id of the row on the page; `None` if there is none."""
    match = re.search(r'class="question">.*?name="id" value="([^"]*)"', text, re.S)
    return match and html.unescape(match[1])


def test_people_correct_a_run_on_the_page(clients, folder, tmp_path):
    stream = tmp_path / "stream.csv"
    stream.write_text(STREAM)
    options = {"period": 1, "learning": "interactive", "seed": 3}
    wanted = justesse.lifelong_run(Majority(), stream, **options)
    truth = {row.split(",")[0]: row.split(",")[3] for row in STREAM.splitlines()[1:]}
    client, rounds = clients("Ann", "expert"), 0
    while True:
        result = justesse.lifelong_run(
            Majority(), stream, **options, expert=str(folder / "ask.recheck"), checkpoint=tmp_path / "my.run"
        )
        if result.to_dict()["complete"]:
            break
        rounds += 1
        name = result.to_dict()["waiting"]["file"].rpartition("/")[2]
        page = client.get(f"/lists/{name}")
        assert "The system's answer: <strong" in page.text
        while (id := asked(page.text)) is not None:
            page = client.post(f"/lists/{name}", data={"id": id, "class_name": truth[id]}, follow_redirects=True)
            assert page.status_code == 200
        assert "There is nothing to answer on this list" in page.text
    assert rounds == 2
    assert result.to_dict()["mean"] == wanted.to_dict()["mean"]
    assert result.record.ledger.spent == wanted.record.ledger.spent


def test_labels_are_hidden_from_those_who_answer(clients, folder):
    made(folder, "labels", ["no", "yes"], shown="the filter doubts it")
    text = clients("Ann", "expert").get("/lists/ask.recheck").text
    assert "the filter doubts it" not in text
    assert "system" not in text.partition("<main")[2].partition("<form")[2].partition("</form>")[0]
    assert re.findall(r'name="class_name" value="(\w+)"', text) == ["no", "yes"]


@pytest.mark.parametrize(
    ("asks", "label", "typed", "kept"),
    [
        ("texts", "a cat sat", "the cat sat", "the cat sat"),
        ("texts", "a cat sat", "  ", ""),
        ("texts", "5 kg <b> & \u200fc", "5 kg <b> & \u200fc", "5 kg <b> & \u200fc"),
        ("speech", "1 0-9", "Ann 0-4.5;Ben 4.5-9", "Ann 0-4.5; Ben 4.5-9"),
        ("speech", "1 0-9", "nobody", "nobody"),
    ],
)
def test_people_type_texts_and_speech(clients, folder, asks, label, typed, kept):
    path = made(folder, asks, [label])
    client = clients("Ann", "expert")
    text = client.get("/lists/ask.recheck").text
    words = {"texts": "What is the right text?", "speech": "What are the right speakers and times?"}
    assert words[asks] in text
    assert html.unescape(re.search(r"<textarea[^>]*>\n(.*?)</textarea>", text, re.S)[1]) == label
    assert client.post("/lists/ask.recheck", data={"id": "r0", "text": typed}).status_code == 303
    assert [entry["true"] for entry in recheck_next(path).trace()] == [kept]


def test_what_cannot_be_read_is_asked_again_with_what_was_typed(clients, folder):
    path = made(folder, "speech", ["1 0-9"])
    answer = clients("Ann", "expert").post("/lists/ask.recheck", data={"id": "r0", "text": "Ann from 0 <to> 4"})
    assert answer.status_code == 400
    assert "Cannot read" in answer.text
    assert "Ann from 0 &lt;to&gt; 4</textarea>" in answer.text
    assert recheck_next(path).trace() == []


def test_answers_without_a_class_are_saved_and_undone(clients, folder):
    path = made(folder, "predictions", ["no", "yes"])
    client = clients("Ann", "expert")
    assert "Undo" not in client.get("/lists/ask.recheck").text
    client.post("/lists/ask.recheck", data={"id": "r0", "kind": "cannot_say"})
    page = client.get("/lists/ask.recheck")
    assert asked(page.text) == "r1"
    assert "Answered by you: 1. Open: 1 of 2" in page.text
    client.post("/lists/ask.recheck", data={"id": "r0", "kind": "withdrawn"})
    assert asked(client.get("/lists/ask.recheck").text) == "r0"
    assert [entry["kind"] for entry in recheck_next(path).trace()] == ["cannot_say", "withdrawn"]


def test_a_row_on_which_people_disagree_goes_to_a_third_person(clients, folder):
    made(folder, "predictions", ["no"])
    ann, ben, eve = (clients(name, "expert") for name in ("Ann", "Ben", "Eve"))
    pages = {client: client.get("/lists/ask.recheck").text for client in (ann, ben)}
    assert {asked(text) for text in pages.values()} == {"r0"}
    for client, name in ((ann, "no"), (ben, "yes")):
        client.post("/lists/ask.recheck", data={"id": "r0", "class_name": name})
    assert asked(ann.get("/lists/ask.recheck").text) is None
    assert asked(eve.get("/lists/ask.recheck").text) == "r0"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"id": "r0"}, "Choose one answer."),
        ({"id": "r0", "class_name": "maybe"}, "maybe"),
        ({"id": "r9", "class_name": "no"}, "There is no row"),
        ({"id": "r0", "kind": "withdrawn"}, "nothing to withdraw"),
    ],
)
def test_answers_that_cannot_be_saved_are_refused(clients, folder, data, words):
    path = made(folder, "predictions", ["no"])
    answer = clients("Ann", "expert").post("/lists/ask.recheck", data=data)
    assert answer.status_code == 400
    assert words in answer.text
    assert str(folder) not in answer.text
    assert recheck_next(path).trace() == []


def test_who_sees_a_list(clients, folder, tmp_path):
    made(folder, "predictions", ["no"])
    made(tmp_path, "predictions", ["no"], name="outside.recheck")
    (folder / "link.recheck").symlink_to(tmp_path / "outside.recheck")
    owner = clients("olga").get("/").text
    assert "/lists/ask.recheck" in owner
    assert "link.recheck" not in owner
    certain = clients("Eve", "expert", audits=("my.audit",))
    assert "ask.recheck" not in certain.get("/").text
    assert certain.get("/lists/ask.recheck").status_code == 404
    for name in ("link.recheck", "no.recheck", "..%2foutside.recheck", ".recheck", "x" * 300 + ".recheck"):
        assert clients("olga").get(f"/lists/{name}").status_code == 404
    assert "Lists to re-check" not in clients("Rob", "reader").get("/").text


def test_a_file_that_is_no_list_is_an_error_in_words(clients, folder):
    (folder / "bad.recheck").write_text("not a list")
    answer = clients("olga").get("/lists/bad.recheck")
    assert answer.status_code == 400
    assert "bad.recheck" in answer.text
