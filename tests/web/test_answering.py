"""The expert's page and the JSON interface: questions, answers, undo, notes, several people at once."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

import justesse
from justesse.verbs.audit.agreement import expert_agreement
from web.samples import png, start


def ask(client, audit="my.audit"):
    return client.post(f"/api/audits/{audit}/questions").json()


def send(client, *answers, audit="my.audit"):
    reply = client.post(f"/api/audits/{audit}/answers", json={"answers": list(answers)})
    assert reply.status_code == 200, reply.text
    return reply.json()


def right(row, truth, key=None):
    return {"key": key or f"k{row['row']}", "row": row["row"], "class_name": truth[row["id"]]}


def test_a_whole_audit_over_json_gives_the_same_as_the_library(clients, folder):
    truth = start(folder / "my.audit")
    client, n = clients("Ann", "expert", ("my.audit",)), 0
    turn = ask(client)
    while turn["questions"]:
        assert len(turn["questions"]) <= 2
        turn = send(client, right(turn["questions"][0], truth))
        assert turn["receipts"][0]["saved"]
        n += 1
    assert turn["ended"] == "settled"
    status = justesse.audit_status(folder / "my.audit")
    assert (status.decision, status.audit.state.answered) == ("replace", n)
    owner = clients("Olga").get("/api/audits/my.audit").json()
    assert owner["verdict"] == status.to_dict()["verdict"]


def test_prefetching_neither_skips_nor_draws_again(clients, folder):
    start(folder / "my.audit")
    client = clients("Ann", "expert")
    first, again = ask(client), ask(client)
    rows = [each["row"] for each in first["questions"]]
    assert rows == [each["row"] for each in again["questions"]]
    assert [question.row for question in justesse.audit_status(folder / "my.audit").audit.drawn] == rows
    turn = send(client, {"key": "a", "row": rows[0], "kind": "cannot_say"})
    assert turn["questions"][0]["row"] == rows[1]  # what was ready is what is asked
    other = ask(clients("Bob", "expert"))
    assert not {each["row"] for each in other["questions"]} & {each["row"] for each in turn["questions"]}


def test_only_the_completed_prefix_counts(clients, folder):
    truth = start(folder / "my.audit")
    ann, bob = clients("Ann", "expert"), clients("Bob", "expert")
    held = ask(ann)["questions"]
    turn = ask(bob)
    for _ in range(5):
        turn = send(bob, right(turn["questions"][0], truth))
    state = justesse.audit_status(folder / "my.audit").audit.state
    assert (state.answered, state.waiting) == (0, 5)
    send(ann, *(right(each, truth) for each in held))
    assert justesse.audit_status(folder / "my.audit").audit.state.answered >= 7


def test_a_request_sent_again_is_saved_once(clients, folder):
    truth = start(folder / "my.audit")
    client = clients("Ann", "expert")
    question = ask(client)["questions"][0]
    body = right(question, truth, key="same")
    for _ in range(3):
        assert send(client, body, body)["receipts"] == [{"key": "same", "saved": True, "refused": ""}] * 2
    assert len(justesse.audit_status(folder / "my.audit").audit.diary) == 1
    client.post("/api/audits/my.audit/undo", json={"key": "undo"})
    send(client, body)  # an old copy that arrives late does not bring the answer back
    entries = justesse.audit_status(folder / "my.audit").audit.diary
    assert [entry.kind for entry in entries] == ["answer", "withdrawn"]


def test_undo_asks_the_same_question_again(clients, folder):
    truth = start(folder / "my.audit")
    client = clients("Ann", "expert")
    turn = ask(client)
    assert client.post("/api/audits/my.audit/undo", json={"key": "u0"}).status_code == 400
    question = turn["questions"][0]
    send(client, {"key": "1", "row": question["row"], "kind": "neither"})
    turn = client.post("/api/audits/my.audit/undo", json={"key": "u1"}).json()
    assert turn["questions"][0]["row"] == question["row"]
    again = client.post("/api/audits/my.audit/undo", json={"key": "u1"})
    assert again.status_code in (200, 400)  # sent twice, it takes back one answer
    turn = send(client, right(question, truth, key="2"))
    assert turn["own"] == 1
    (settled,) = justesse.audit_status(folder / "my.audit").audit.settled.values()
    assert settled.words == truth[question["id"]]


def test_an_expert_answers_only_what_was_given(clients, folder):
    start(folder / "my.audit")
    start(folder / "other.audit", seed=1)
    ann, bob = clients("Ann", "expert", ("my.audit",)), clients("Bob", "expert", ("my.audit",))
    mine, his = ask(ann)["questions"][0], ask(bob)["questions"][0]
    receipt = send(ann, {"key": "x", "row": his["row"], "kind": "neither"})["receipts"][0]
    assert not receipt["saved"]
    assert "not given to you" in receipt["refused"]
    for row in (10**6, 2**53):
        assert not send(ann, {"key": "y", "row": row, "kind": "neither"})["receipts"][0]["saved"]
    for path in ("/api/audits/other.audit/questions", "/audits/other.audit/undo"):
        assert ann.post(path, data={"key": "1"}).status_code == 404
    assert ann.get("/audits/other.audit").status_code == 404
    assert "other.audit" not in ann.get("/").text
    assert ann.get("/api/audits").json() == [{"name": "my.audit"}]
    assert send(ann, {"key": "z", "row": mine["row"], "kind": "neither"})["receipts"][0]["saved"]


def test_an_expert_sees_neither_names_nor_verdict(clients, folder):
    start(folder / "my.audit", columns={}, instructions="Name the animal.")
    client = clients("Ann", "expert")
    answer = client.get("/audits/my.audit")
    assert (answer.status_code, answer.headers["location"]) == (303, "/audits/my.audit/instructions")
    pages = [client.get("/audits/my.audit/instructions").text, client.get("/audits/my.audit/answer").text]
    pages.append(str(ask(client)))
    for text in pages:
        for secret in ("incumbent", "candidate", "old", "new", "replace", "verdict", "accuracy"):
            assert not re.search(rf"\b{secret}\b", text, re.IGNORECASE), secret
    for path in ("/api/audits/my.audit", "/audits/my.audit/events", "/audits/my.audit/report", "/new"):
        assert client.get(path).status_code == 403


def test_the_order_of_choices_says_nothing(clients, folder):
    truth = start(folder / "my.audit", n=300, budget=150, futility=False, classes=["cat", "dog"], expert_error=0.4)
    client = clients("Ann", "expert")
    turn, first = ask(client), set()
    disputes = justesse.audit_status(folder / "my.audit").audit.disputes
    for _ in range(25):
        question = turn["questions"][0]
        first.add((question["choices"][0], disputes[question["row"]].incumbent == question["choices"][0]))
        turn = send(client, right(question, truth))
    assert len({name for name, _ in first}) == 1  # always the same class first
    assert {is_old for _, is_old in first} == {True, False}  # whoever gave it


def test_instructions_come_first_and_are_kept(clients, folder):
    start(folder / "my.audit", instructions="Name the animal.")
    expert, owner = clients("Ann", "expert"), clients("Olga")
    assert expert.get("/audits/my.audit/answer").headers["location"].endswith("/instructions")
    assert "Name the animal." in expert.get("/audits/my.audit/instructions").text
    assert expert.get("/audits/my.audit/answer").status_code == 200
    owner.post("/audits/my.audit/instructions", data={"text": "Name the largest animal."})
    assert expert.get("/audits/my.audit/answer").status_code == 303  # they changed: read them again
    audit = justesse.audit_status(folder / "my.audit")
    assert audit.audit.instructions == "Name the largest animal."
    assert audit.audit.broken is None
    assert "Instructions to annotators changed by Olga" in audit.history[0]


def test_the_plain_form_works_without_a_script(clients, folder):
    truth = start(folder / "my.audit")
    client = clients("Ann", "expert")
    token = client.headers.pop("x-csrf-token")
    for _ in range(40):
        text = client.get("/audits/my.audit/answer").text
        if "needs no more answers" in text:
            break
        form = {name: re.search(rf'name="{name}" value="([^"]*)"', text)[1] for name in ("row", "key")}
        name = re.search(r'class="hint id">([^<]*)|<p class="id" dir="auto">([^<]*)', text)
        wrong = client.post("/audits/my.audit/answer", data={"csrf": token, **form})
        assert wrong.status_code == 400
        assert "Choose one answer." in wrong.text
        data = {"csrf": token, "class_name": truth[name[1] or name[2]], "note": "seen", **form}
        for _ in range(2):  # pressed twice
            assert client.post("/audits/my.audit/answer", data=data).status_code == 303
    status = justesse.audit_status(folder / "my.audit")
    assert status.decision == "replace"
    assert {entry["note"] for entry in status.to_dict()["answers"]} == {"seen"}
    assert len(status.audit.diary) == status.audit.state.answered
    assert client.post("/audits/my.audit/undo", data={"csrf": token, "key": "u"}).status_code == 400  # it has ended
    assert 'id="undo" hidden' in text


def test_a_changed_note_breaks_the_chain(clients, folder):
    import sqlite3

    start(folder / "my.audit")
    client = clients("Ann", "expert")
    row = ask(client)["questions"][0]["row"]
    send(client, {"key": "1", "row": row, "kind": "neither", "note": "a fox"})
    assert justesse.audit_status(folder / "my.audit").audit.broken is None
    with sqlite3.connect(folder / "my.audit") as file:
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            file.execute("UPDATE notes SET note = 'a dog'")
        file.execute("DROP TRIGGER notes_no_update")
        file.execute("UPDATE notes SET note = 'a dog'")
    assert "note on answer 1" in justesse.audit_status(folder / "my.audit").audit.broken


def test_disagreements_go_to_a_third(clients, folder):
    start(folder / "my.audit", answers_each=2, experts="majority")
    people = {name: clients(name, "expert") for name in ("Ann", "Bob", "Cy")}
    question = ask(people["Ann"])["questions"][0]
    send(people["Ann"], {"key": "a", "row": question["row"], "class_name": question["choices"][0]})
    audit = justesse.audit_status(folder / "my.audit").audit
    assert (audit.state.answered, audit.missing_answers(question["row"])) == (0, 1)
    assert question["row"] not in [each["row"] for each in ask(people["Ann"])["questions"]]
    assert ask(people["Bob"])["questions"][0]["row"] == question["row"]
    send(people["Bob"], {"key": "b", "row": question["row"], "class_name": question["choices"][1]})
    audit = justesse.audit_status(folder / "my.audit").audit
    assert audit.missing_answers(question["row"]) == 1
    owner = clients("Olga").get("/audits/my.audit").text
    assert "goes to another expert" in owner
    assert "0.0 % of the questions with several answers" in owner.replace("\xa0", " ")
    assert ask(people["Cy"])["questions"][0]["row"] == question["row"]
    send(people["Cy"], {"key": "c", "row": question["row"], "class_name": question["choices"][1]})
    audit = justesse.audit_status(folder / "my.audit").audit
    assert audit.state.answered == 1
    assert audit.settled[question["row"]].words == question["choices"][1]


def test_disagreements_may_be_listed_for_discussion_instead(clients, folder):
    start(folder / "my.audit", answers_each=2, third=False)
    ann, bob = clients("Ann", "expert"), clients("Bob", "expert")
    question = ask(ann)["questions"][0]
    for client, choice in ((ann, 0), (bob, 1)):
        ask(client)
        send(client, {"key": f"k{choice}", "row": question["row"], "class_name": question["choices"][choice]})
    assert justesse.audit_status(folder / "my.audit").audit.state.answered == 1
    text = clients("Olga").get("/audits/my.audit").text
    assert "To discuss" in text
    assert question["id"] in text


def test_cannot_say_is_no_answer_that_people_agree_with(folder):
    start(folder / "my.audit", answers_each=2)
    for at, question in enumerate(justesse.audit_next(folder / "my.audit", 2).questions):
        justesse.audit_answer(folder / "my.audit", question.id, question.answers[0], by="Ann")
        said = {"cannot_say": True} if at else {"class_name": question.answers[0]}
        justesse.audit_answer(folder / "my.audit", question.id, by="Bob", **said)
    agreement = expert_agreement(justesse.audit_status(folder / "my.audit").audit)
    assert (agreement.shared, agreement.same, agreement.pairs) == (1, 1, (("Ann", "Bob", 1, 1),))
    assert agreement.people == (("Ann", 2), ("Bob", 2))


def test_twenty_people_at_once_keep_the_audit_whole(clients, folder):
    truth = start(folder / "my.audit", n=400, budget=150, futility=False, expert_error=0.4)

    def person(number):
        client, seen = clients(f"P{number}", "expert"), []
        turn = ask(client)
        while turn["questions"] and len(seen) < 5:
            question = turn["questions"][0]
            seen.append(question["row"])
            turn = send(client, right(question, truth, key=f"{number}-{question['row']}"))
        return seen

    with ThreadPoolExecutor(20) as pool:
        seen = [row for rows in pool.map(person, range(20)) for row in rows]
    assert len(seen) == len(set(seen)) == 100
    status = justesse.audit_status(folder / "my.audit")
    assert status.audit.broken is None
    assert len(status.audit.diary) == 100


def test_the_command_line_and_the_page_share_an_audit(clients, folder):
    start(folder / "my.audit")
    client = clients("Ann", "expert")
    row = ask(client)["questions"][0]
    justesse.audit_answer(folder / "my.audit", row["id"], neither=True, by="Bob")
    turn = ask(client)
    assert row["row"] not in [each["row"] for each in turn["questions"]]
    justesse.audit_extend(folder / "my.audit", expert_error=0.1)
    assert ask(client)["questions"]
    send(client, {"key": "1", "row": turn["questions"][0]["row"], "kind": "neither"})
    assert len(justesse.audit_status(folder / "my.audit").audit.diary) == 2


def test_a_pause_gives_no_questions_and_loses_no_answers(clients, folder):
    start(folder / "my.audit")
    expert, owner = clients("Ann", "expert"), clients("Olga")
    row = ask(expert)["questions"][0]["row"]
    assert owner.post("/audits/my.audit/pause", data={"paused": "true"}).status_code == 303
    turn = send(expert, {"key": "1", "row": row, "kind": "neither"})
    assert turn["receipts"][0]["saved"]
    assert (turn["questions"], turn["ended"]) == ([], "paused")
    assert "paused" in expert.get("/audits/my.audit/answer").text
    owner.post("/audits/my.audit/pause", data={"paused": "false"})
    assert ask(expert)["questions"]
    assert ["Paused" in line for line in justesse.audit_status(folder / "my.audit").history] == [True, False]


@pytest.mark.parametrize(
    "where", ["outside.png", "../outside.png", "/etc/hostname", "link.png", "a\\..\\..\\x.png", "page.svg"]
)
def test_images_come_only_from_the_served_directory(clients, folder, where):
    (folder / "pictures").mkdir()
    (folder / "pictures" / "in.png").write_bytes(png())
    (folder.parent / "outside.png").write_bytes(png())
    (folder / "link.png").symlink_to(folder.parent / "outside.png")
    (folder / "page.svg").write_text("<svg/>")
    paths = ["pictures/in.png"] * 60 + [where] * 60
    start(folder / "my.audit", columns={"file": paths}, image="file")
    owner = clients("Olga")
    disputes = justesse.audit_status(folder / "my.audit").audit.disputes
    inside = next(row.row for row in disputes if row.shown == "pictures/in.png")
    outside = next(row.row for row in disputes if row.shown == where)
    answer = owner.get(f"/audits/my.audit/media/{inside}")
    assert (answer.status_code, answer.content) == (200, png())
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert owner.get(f"/audits/my.audit/media/{outside}").status_code == 404
    assert owner.get("/audits/my.audit/media/-1").status_code == 404
    expert = clients("Ann", "expert")
    given = ask(expert)["questions"][0]
    assert expert.get(f"/audits/my.audit/media/{inside}").status_code in (404, 200)
    not_given = next(
        row.row for row in disputes if row.row not in {given["row"]} and row.shown == "pictures/in.png" and row.row > 20
    )
    assert expert.get(f"/audits/my.audit/media/{not_given}").status_code == 404


def test_what_is_shown(clients, folder):
    n = 120
    start(folder / "text.audit", columns={"text": ["مرحبا <b>&"] * n}, show="text")
    start(folder / "row.audit", columns={"age": list(range(n)), "word": ["two\nlines"] * n}, show=["age", "word"])
    start(folder / "sound.audit", columns={"clip": ["a.wav"] * n}, show="clip")
    (folder / "a.wav").write_bytes(b"RIFF")
    client = clients("Ann", "expert")
    text, row, sound = (ask(client, f"{name}.audit")["questions"][0] for name in ("text", "row", "sound"))
    assert (text["shows"], text["text"]) == ("text", "مرحبا <b>&")
    assert 'dir="auto"' in text["html"]
    assert "<b>" not in text["html"]
    assert row["cells"][1] == ["word", "two\nlines"]
    assert (sound["shows"], client.get(sound["media"]).headers["content-type"]) == ("audio", "audio/wav")


def test_both_right_is_saved_when_several_classifiers_gave_two_classes(clients, folder):
    data = {"id": ["a", "b"] * 10, "label": ["cat"] * 20, "x": ["cat"] * 20, "y": ["dog"] * 20, "z": ["dog"] * 20}
    data["id"] = [f"{name}{at}" for at, name in enumerate(data["id"])]
    justesse.audit_start(data, models=["x", "y", "z"], goal="pairs", on="id", to=folder / "my.audit")
    client = clients("Ann", "expert")
    question = ask(client)["questions"][0]
    assert question["both"]
    turn = send(client, {"key": "k", "row": question["row"], "kind": "both"})
    assert turn["receipts"][0]["saved"], turn["receipts"]
    (entry,) = justesse.audit_status(folder / "my.audit").audit.settled[question["row"]].people
    assert (entry.kind, set(entry.classes)) == ("several", {"cat", "dog"})
