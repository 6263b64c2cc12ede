"""Audits of language models on the page: which output is better, and answers with partial credit."""

import re

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


def test_the_page_says_what_naming_an_answer_means_with_partial_credit(clients, folder):
    names = [f"q{at}" for at in range(30)]
    rows = {"id": names, "label": ["x"] * 30}
    for at, model in enumerate(("low", "mid", "high")):
        rows |= {model: [f"{model} {name}" for name in names], f"{model}_f1": [0.2 + 0.3 * at] * 30}
    justesse.audit_start(rows, models=["low", "mid", "high"], on="id", score="*_f1", to=folder / "my.audit")
    page, _, _ = asked(clients("Ann", "expert"))
    assert "The answer that you name gets full credit, all others get none." in page
