"""Audits of language models on the page: which output is better, and answers with partial credit."""

import re

import pytest

import justesse
from web.samples import start


def asked(client):
    page = client.get("/audits/my.audit/answer").text
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", page)[1]
    buttons = re.findall(r'name="class_name" value="(.*?)".*?<span>(.*?)</span>', page.split("<template")[0])
    return page.split("<template")[0], heading, buttons


def test_people_are_asked_which_output_is_better(clients, folder):
    names = [f"q{at}" for at in range(60)]
    winners = ["1", "2", "1"] * 20
    rows = {"item": names, "model_1": ["atlas"] * 60, "model_2": ["birch"] * 60, "winner": winners}
    justesse.llm_judge(rows, ask=folder / "my.audit", ask_about="atlas", ask_next=1)
    client = clients("Ann", "expert")
    page, heading, buttons = asked(client)
    assert heading == "Which output is better?"
    assert buttons == [("1", "Output 1"), ("2", "Output 2"), ("tie", "Tie")]
    for words in ("Both right", "None of these", "Another class"):
        assert words not in page
    assert "Cannot say" in page
    question = client.post("/api/audits/my.audit/questions").json()["questions"][0]
    body = {"answers": [{"key": "a", "row": question["row"], "class_name": "tie"}]}
    assert client.post("/api/audits/my.audit/answers", json=body).json()["receipts"][0]["saved"]
    result = justesse.llm_judge(rows, ask=folder / "my.audit", ask_about="atlas")
    assert result.to_dict()["answered"] == 1


def test_people_are_asked_whether_an_output_is_right(clients, folder):
    rows = {"item": list(range(60)), "verdict": [1, 0, 1] * 20}
    justesse.llm_judge(rows, ask=folder / "my.audit", above=0.7, about="rows", ask_next=1)
    _, heading, buttons = asked(clients("Ann", "expert"))
    assert heading == "Is the output right?"
    assert buttons == [("right", "Right"), ("wrong", "Wrong")]


def test_other_audits_ask_for_the_class_even_with_such_classes(clients, folder):
    start(folder / "my.audit", classes=["1", "2", "tie"])
    page, heading, buttons = asked(clients("Ann", "expert"))
    assert heading == "Which class is right?"
    assert len(buttons) == 2
    assert "None of these" in page
    assert "partial credit" not in page


def graded_pool(path, answers=("low", "mid", "high"), rows=30):
    names = [f"q{at}" for at in range(rows)]
    table = {"id": names, "label": ["x"] * rows}
    for at, (model, answer) in enumerate(zip(("low", "mid", "high"), answers, strict=True)):
        table |= {model: [f"{answer} {name}" for name in names], f"{model}_f1": [0.2 + 0.3 * at] * rows}
    justesse.audit_start(table, models=["low", "mid", "high"], on="id", score="*_f1", to=path)


def test_the_page_offers_a_credit_for_each_answer(clients, folder):
    graded_pool(folder / "my.audit")
    page, heading, buttons = asked(clients("Ann", "expert"))
    assert heading == "Which answer is right?"
    assert "Another class" not in page  # answers to other questions are no choices
    assert "The answer that you choose gets 1, all others 0." in page
    fields = re.findall(r'name="named" value="(.*?)" form="grading"', page)
    assert fields == [value for value, _ in buttons]
    assert len(fields) == page.count('name="credit"') == 3
    assert '<details class="credits" open>' in page  # the data record scores, so credits are expected
    start(folder / "other.audit", classes=["1", "2", "tie"])
    other = clients("Ann", "expert").get("/audits/other.audit/answer").text
    assert 'name="credit"' not in other


def last_entry(folder):
    audit = justesse.audit_status(folder / "my.audit").audit
    entry = audit.diary[-1]
    return audit.disputes[entry.row].id, entry.kind, dict(entry.credits)


def test_credits_are_saved_by_the_page_without_a_script(clients, folder):
    graded_pool(folder / "my.audit", answers=("a|b=1", "#2", "mid"))  # names that typed credits could not hold
    client = clients("Ann", "expert")
    page, _, buttons = asked(client)
    form = {name: re.search(rf'name="{name}" value="(.*?)" form="grading"', page)[1] for name in ("row", "key")}
    names = [value for value, _ in buttons]
    sent = {**form, "named": names, "credit": ["1", "", "0.25"]}
    saved = client.post("/audits/my.audit/answer", data=sent)
    assert saved.status_code in (200, 303)
    _, kind, credits = last_entry(folder)
    assert (kind, credits) == ("credit", {names[0]: 1.0, names[1]: 0.0, names[2]: 0.25})


@pytest.mark.parametrize(
    ("credit", "words"),
    [
        (["", " ", ""], "Give one of the answers a credit"),
        (["1", "x", ""], "A credit must be a number"),
        (["2", "", ""], "A credit must be a number"),
        (["nan", "", ""], "A credit must be a number"),
        (["1"], "Give one of the answers a credit"),
    ],
)
def test_wrong_credits_are_refused_and_nothing_is_saved(clients, folder, credit, words):
    graded_pool(folder / "my.audit")
    client = clients("Ann", "expert")
    page, _, buttons = asked(client)
    row = re.search(r'name="row" value="(.*?)"', page)[1]
    sent = {"row": row, "key": "a", "named": [value for value, _ in buttons], "credit": credit}
    refused = client.post("/audits/my.audit/answer", data=sent)
    assert refused.status_code == 400
    assert words in refused.text
    assert not justesse.audit_status(folder / "my.audit").audit.diary


def test_credits_over_json_are_saved_once(clients, folder):
    graded_pool(folder / "my.audit")
    client = clients("Ann", "expert")
    question = client.post("/api/audits/my.audit/questions").json()["questions"][0]
    assert question["credits"]
    body = {"key": "a", "row": question["row"], "credits": {question["choices"][1]: 0.5}}
    for _ in range(2):
        reply = client.post("/api/audits/my.audit/answers", json={"answers": [body]}).json()
        assert reply["receipts"][0]["saved"]
    assert last_entry(folder) == (question["id"], "credit", {question["choices"][1]: 0.5})
    assert len(justesse.audit_status(folder / "my.audit").audit.diary) == 1
    changed = body | {"credits": {question["choices"][1]: 0.75}}
    assert client.post("/api/audits/my.audit/answers", json={"answers": [changed]}).status_code == 409
    for wrong in ({"credits": {"mid q1": 2}}, {"credits": {}}, {"credits": {"a": 1}, "kind": "neither"}):
        reply = client.post("/api/audits/my.audit/answers", json={"answers": [{"key": "b", "row": 0, **wrong}]})
        assert reply.status_code == 422


def test_audits_of_classes_refuse_credits_over_json(clients, folder):
    start(folder / "my.audit")
    client = clients("Ann", "expert")
    question = client.post("/api/audits/my.audit/questions").json()["questions"][0]
    assert not question["credits"]
    body = {"key": "a", "row": question["row"], "credits": {question["choices"][0]: 0.5}}
    receipt = client.post("/api/audits/my.audit/answers", json={"answers": [body]}).json()["receipts"][0]
    assert not receipt["saved"]
    assert "without partial credit" in receipt["refused"]
