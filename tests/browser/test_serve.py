"""The page of an expert and of an owner in a browser: mouse, keyboard, phone, lost connections, hostile names."""

import re
import time
import wave

import pytest
from axe_playwright_python.sync_playwright import Axe

import justesse
from web.samples import png, start
from web.server import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LONG = "x" * 10_000
HOSTILE = ['<script>alert("x")</script>', "'\"><img src=x onerror=alert(1)>", "{{ 7*7 }}", "y" * 1_000]


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served").mkdir()
    made = Server(tmp_path / "served", tmp_path / "state")
    yield made
    made.kill()


@pytest.fixture
def enter(server, browser):
    contexts = []

    def call(path, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.trouble = []
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.on("console", lambda message: page.trouble.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (page.trouble.append(dialog.message), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith((server.root, "data:")) else page.trouble.append(request.url)
            ),
        )
        page.goto(server.address)
        page.wait_for_url(f"{server.root}/")
        page.goto(f"{server.root}{path}")
        return page

    yield call
    for context in contexts:
        context.close()


def until(page, condition, arg=None, timeout=10_000):
    """Wait until an expression holds; Playwright's own wait needs eval, which the content policy refuses."""
    end = time.monotonic() + timeout / 1000
    while not page.evaluate(condition, arg):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(15)


def shown(page):
    return page.locator("#question .id").inner_text()


def serious(page):
    violations = Axe().run(page).response["violations"]
    return [
        (each["id"], each["nodes"][0]["html"][:200]) for each in violations if each["impact"] in ("serious", "critical")
    ]


STATE = """() => { const ended = document.getElementById("ended");
  const sent = document.getElementById("waiting").textContent === "";
  return [sent ? document.querySelector("#question .id")?.innerText ?? null : null, ended.hidden ? "" : ended.innerText]; }"""


def answer_all(page, truth, press):
    """Answer until there is no question; return what was asked."""
    asked = []
    while len(asked) < 60:
        name, ended = page.evaluate(STATE)
        if name is None and ended and "on its way" not in ended:
            break
        if name is None or name in asked[-1:]:
            page.wait_for_timeout(15)
            continue
        asked.append(name)
        press(page, truth[name])
    return asked


def by_mouse(page, name):
    page.locator("button.choice", has_text=name).click() if page.locator("button.choice", has_text=name).count() else (
        page.locator("button", has_text="None of these").click()
    )


def by_key(page, name):
    choices = page.locator("button.choice span").all_inner_texts()
    page.keyboard.press(str(choices.index(name) + 1) if name in choices else "n")


def by_thumb(page, name):
    button = page.locator("button.choice", has_text=name)
    (button if button.count() else page.locator("button", has_text="None of these")).tap()


@pytest.mark.parametrize(("press", "options"), [(by_mouse, {}), (by_key, {}), (by_thumb, PHONE)])
def test_a_whole_audit(server, enter, press, options):
    folder = server.folder
    (folder / "in.png").write_bytes(png())
    truth = start(
        folder / "my.audit", columns={"file": ["in.png"] * 120}, image="file", instructions="Name the animal."
    )
    page = enter("/audits/my.audit/answer", **options)
    assert page.locator("text=Name the animal.").is_visible()
    page.locator("text=Start answering").click()
    assert page.locator("#question img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
    asked = answer_all(page, truth, press)
    assert "needs no more answers" in page.locator("h1:visible").inner_text()
    assert page.evaluate("document.activeElement.id") == "ended"  # so that it is read out
    assert len(asked) == len(set(asked)) > 4
    status = justesse.audit_status(folder / "my.audit")
    assert (status.decision, len(status.audit.diary)) == ("replace", len(asked))
    assert page.trouble == []
    if options:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_note_search_and_undo(server, enter):
    start(server.folder / "my.audit", classes=["cat", "dog", "owl", "fox", "hen"])
    page = enter("/audits/my.audit/answer")
    first = shown(page)
    page.keyboard.press("m")
    page.keyboard.type("1 fox?")  # digits in a note are no answers
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.keyboard.type("zz")
    assert page.locator("#matches").inner_text() == "No class matches."
    page.locator("#search").fill("")
    page.keyboard.type("he")
    assert page.locator("#matches").inner_text().startswith("1 of 5 classes.")
    page.keyboard.press("Enter")
    until(page, "name => document.querySelector('#question .id')?.innerText !== name", arg=first)
    until(page, "document.getElementById('waiting').textContent === ''")
    (entry,) = justesse.audit_status(server.folder / "my.audit").to_dict()["answers"]
    assert (entry["id"], entry["class"], entry["note"]) == (first, "hen", "1 fox?")
    page.keyboard.press("u")
    until(page, "name => document.querySelector('#question .id')?.innerText === name", arg=first)
    page.keyboard.press("c")
    until(page, "name => document.querySelector('#question .id')?.innerText !== name", arg=first)
    until(page, "document.getElementById('waiting').textContent === ''")
    kinds = [entry.kind for entry in justesse.audit_status(server.folder / "my.audit").audit.diary]
    assert kinds == ["answer", "withdrawn", "cannot_say"]
    assert page.trouble == []


def test_a_lost_connection_loses_and_repeats_nothing(server, enter):
    truth = start(server.folder / "my.audit", n=200, budget=60, futility=False, expert_error=0.4)
    page = enter("/audits/my.audit/answer")
    answered = []

    def answer():
        name = shown(page)
        answered.append(name)
        by_key(page, truth[name])

    answer()
    until(page, "document.getElementById('waiting').textContent === ''")
    server.kill()
    answer()
    until(page, "!document.getElementById('trouble').hidden")
    assert "kept in this browser" in page.locator("#trouble").inner_text()
    answer()  # the next question was ready before the connection broke
    kept = page.evaluate("Object.values(localStorage).join()")
    assert kept.count('"key"') == 2
    server.start()
    until(page, "document.getElementById('waiting').textContent === ''", timeout=15_000)
    page.wait_for_selector("#question article")
    diary = justesse.audit_status(server.folder / "my.audit").audit
    assert [diary.disputes[entry.row].id for entry in diary.diary] == answered
    answer()  # the session has outlived the server
    until(page, "document.getElementById('waiting').textContent === ''")
    assert len(justesse.audit_status(server.folder / "my.audit").audit.diary) == 4


def test_an_undo_without_connection(server, enter):
    truth = start(server.folder / "my.audit")
    page = enter("/audits/my.audit/answer")
    page.context.set_offline(True)
    name = shown(page)
    by_key(page, truth[name])
    until(page, "!document.getElementById('trouble').hidden")
    page.keyboard.press("u")
    until(page, "name => document.querySelector('#question .id')?.innerText === name", arg=name)
    page.keyboard.press("n")
    page.context.set_offline(False)
    until(page, "document.getElementById('waiting').textContent === ''", timeout=15_000)
    (entry,) = justesse.audit_status(server.folder / "my.audit").audit.diary
    assert entry.kind == "neither"


def test_the_owner_sees_answers_arrive(server, enter):
    truth = start(server.folder / "my.audit")
    owner = enter("/audits/my.audit")
    owner.wait_for_selector("#live .tiles")
    assert "0" in owner.locator(".tiles dd.value").nth(1).inner_text()
    status = justesse.audit_next(server.folder / "my.audit", 1)
    before = time.monotonic()
    name = status.questions[0].id
    justesse.audit_answer(server.folder / "my.audit", name, truth[name], by="Bob")
    until(owner, "document.querySelectorAll('.tiles dd.value')[1].innerText.trim() === '1'", timeout=10_000)
    assert time.monotonic() - before < 10
    assert "Bob" in owner.locator("#live").inner_text()
    assert owner.locator("svg polyline").count() == 1
    assert owner.trouble == []


def test_two_dropped_files_start_an_audit(server, enter, tmp_path):
    from web.samples import rows

    data = rows()
    files = []
    for part in ("old", "new"):
        lines = [
            "id,label,prediction",
            *(",".join(row) for row in zip(data["id"], data["label"], data[part], strict=True)),
        ]
        files.append("\n".join(lines))
    page = enter("/new")
    page.evaluate(
        """texts => { const data = new DataTransfer();
        texts.forEach((text, at) => data.items.add(new File([text], `${["old", "new"][at]}.csv`)));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }""",
        files,
    )
    page.fill("#name", "dropped")
    page.fill("#instructions", "Name the animal.")
    page.locator("text=Start the audit").click()
    page.wait_for_url(f"{server.root}/audits/dropped.audit")
    status = justesse.audit_status(server.folder / "dropped.audit")
    assert status.audit.instructions == "Name the animal."
    assert status.audit.about["incumbent"] == "old.csv"
    page.goto(f"{server.root}/new")
    page.set_input_files("#incumbent", {"name": "a.csv", "mimeType": "text/csv", "buffer": b"x,y\n1,2\n"})
    page.set_input_files("#candidate", {"name": "b.csv", "mimeType": "text/csv", "buffer": b"x,y\n1,2\n"})
    page.locator("text=Start the audit").click()
    page.wait_for_selector(".problem")
    assert sorted(path.name for path in server.folder.iterdir()) == ["dropped.audit"]


def test_hostile_names_and_texts_do_nothing(server, enter):
    texts = [[*HOSTILE, LONG][at % 5] + str(at) for at in range(120)]
    start(server.folder / "my.audit", classes=HOSTILE, columns={"text": texts}, show="text", instructions=HOSTILE[0])
    page = enter("/audits/my.audit/instructions", viewport={"width": 390, "height": 844})
    assert HOSTILE[0] in page.locator(".told").inner_text()
    page.goto(f"{server.root}/audits/my.audit/answer")
    for _ in range(4):
        assert serious(page) == []
        name = shown(page)
        choices = page.locator("button.choice").evaluate_all("buttons => buttons.map(each => each.value)")
        assert set(choices) <= set(HOSTILE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("1")
        until(page, "name => document.querySelector('#question .id')?.innerText !== name", arg=name)
    until(page, "document.getElementById('waiting').textContent === ''")
    diary = justesse.audit_status(server.folder / "my.audit").audit.diary
    assert {entry.answer for entry in diary} <= set(HOSTILE)
    page.goto(f"{server.root}/audits/my.audit")
    page.goto(f"{server.root}/audits/my.audit/report")
    page.goto(f"{server.root}/")
    assert page.trouble == []


@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark"}, PHONE], ids=["light", "dark", "phone"])
def test_nothing_serious_for_other_readers(server, enter, options):
    start(server.folder / "my.audit", columns={"text": ["a text"] * 120}, show="text", instructions="Name it.")
    page = enter("/audits/my.audit/instructions", **options)
    assert serious(page) == []
    for path in ("/audits/my.audit/answer", "/audits/my.audit", "/new", "/", "/login"):
        page.goto(f"{server.root}{path}")
        assert serious(page) == [], path
    assert page.trouble == []


def test_every_page_works_without_a_script(server, enter):
    truth = start(server.folder / "my.audit")
    page = enter("/audits/my.audit/answer", java_script_enabled=False)
    for _ in range(3):
        name = shown(page)
        by_mouse(page, truth[name])
        assert shown(page) != name
    page.locator("text=Undo my last answer").click()
    assert shown(page) == name
    page.locator("summary", has_text="Another class").click()
    assert page.locator("text=Search").is_hidden()  # searching needs the script
    page.select_option("#other", "owl")
    page.locator("text=Answer with this class").click()
    page.goto(f"{server.root}/audits/my.audit")
    assert re.search(r"3\s+of at most", page.locator(".tiles").inner_text())
    entries = justesse.audit_status(server.folder / "my.audit").audit.diary
    assert [entry.kind for entry in entries][3:] == ["withdrawn", "answer"]


def test_a_refused_answer_is_not_called_saved_and_its_question_stays(server, enter):
    start(server.folder / "my.audit")
    page = enter("/audits/my.audit/answer")
    row = page.evaluate("document.querySelector('article').dataset.row")
    page.evaluate("document.querySelector('.choice').value = 'no such class'")
    page.keyboard.press("1")
    until(page, "!document.getElementById('trouble').hidden")
    assert "no such class" in page.locator("#trouble").inner_text()
    assert page.evaluate("document.querySelector('article').dataset.row") == row
    assert page.locator("#said").text_content() == "Not saved."
    page.keyboard.press("2")
    until(page, "document.getElementById('said').textContent.startsWith('Saved')")
    assert page.locator("#trouble").is_hidden()
    assert justesse.audit_status(server.folder / "my.audit").audit.state.answered == 1


def test_what_an_expert_sees_of_texts_rows_and_sounds(server, enter):
    folder = server.folder
    with wave.open(str(folder / "a.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\0\1" * 8_000)
    arabic = ["قط", "كلب", "بومة"]
    start(folder / "rtl.audit", columns={"text": ["هذا نص"] * 120}, show=["text"], classes=arabic)
    start(folder / "row.audit", columns={"age": ["7"] * 120, "city": ["Köln"] * 120}, show=["age", "city"])
    start(folder / "sound.audit", columns={"clip": ["a.wav"] * 120}, show=["clip"])
    start(folder / "path.audit", columns={"clip": ["a.wav"] * 120}, image="clip")
    page = enter("/audits/rtl.audit/answer")
    assert page.locator(".subject .text").evaluate("text => getComputedStyle(text).direction") == "rtl"
    assert set(
        page.locator("button.choice").evaluate_all("all => all.map(one => getComputedStyle(one).direction)")
    ) == {"rtl"}
    page.goto(f"{server.root}/audits/row.audit/answer")
    assert page.locator("table.cells tr").all_inner_texts() == ["age\t7", "city\tKöln"]
    page.goto(f"{server.root}/audits/path.audit/answer")  # a sound is heard, whichever option names its column
    until(page, "Math.abs(document.querySelector('audio').duration - 1) < 0.01")
    page.goto(f"{server.root}/audits/sound.audit/answer")
    until(page, "Math.abs(document.querySelector('audio').duration - 1) < 0.01")
    names = page.get_by_role("button").evaluate_all("all => all.map(one => one.innerText.trim())")
    assert {"B Both right", "N None of these", "C Cannot say", "F Question is flawed"} <= {
        " ".join(n.split()) for n in names
    }
    assert page.get_by_role("group", name="Answers", exact=True).get_by_role("button").count() == 2
    assert page.get_by_label("The sound to classify").count() == 1
    assert page.trouble == []


def test_a_thumb_reaches_every_answer_on_a_phone(server, enter):
    (server.folder / "in.png").write_bytes(png())
    start(server.folder / "my.audit", columns={"file": ["in.png"] * 120}, image="file")
    page = enter("/audits/my.audit/answer", **PHONE)
    page.locator("#question img").evaluate("image => image.decode()")
    for button in page.locator("#question button").all():
        box = button.bounding_box()
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 844  # without scrolling


def test_a_revoked_expert_keeps_the_answers_that_were_not_sent(server, enter, browser):
    start(server.folder / "my.audit")
    owner = enter("/audits/my.audit")
    owner.locator("#invited").fill("Ann")
    owner.locator("text=Make a link").click()
    link = owner.locator("code.link").inner_text()
    context = browser.new_context()
    ann = context.new_page()
    ann.goto(link)
    ann.get_by_role("button", name="Begin").click()
    ann.wait_for_url("**/answer")
    owner.goto(f"{server.root}/audits/my.audit")
    owner.get_by_role("button", name="Revoke the invitation of Ann").click()
    assert "revoked" in owner.locator("#invitations + div").inner_text()
    ann.keyboard.press("n")
    until(ann, "document.getElementById('trouble').innerText.includes('session has ended')")
    assert '"key"' in ann.evaluate("Object.values(localStorage).join()")
    context.close()
    assert len(justesse.audit_status(server.folder / "my.audit").audit.diary) == 0


@pytest.mark.parametrize("options", [{}, PHONE])
def test_partial_credit_by_keyboard(server, enter, options):
    rows = {"id": [f"q{at}" for at in range(30)], "label": ["x"] * 30, "text": [f"Why is it {at}?" for at in range(30)]}
    for at, model in enumerate(("low", "mid", "high")):
        rows |= {model: [f"{model} because of {n}" for n in range(30)], f"{model}_f1": [0.2 + 0.3 * at] * 30}
    place = server.folder / "my.audit"
    justesse.audit_start(rows, models=["low", "mid", "high"], on="id", score="*_f1", show="text", to=place)
    page = enter("/audits/my.audit/answer", **options)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    first = page.locator("#question [name=named]").first.get_attribute("value")
    page.keyboard.press("p")
    page.keyboard.press("Enter")  # nothing was typed: no answer, and above all not the first choice
    until(page, "!document.getElementById('trouble').hidden")
    assert "a credit from 0 to 1" in page.locator("#trouble").inner_text()
    page.keyboard.type("0.5")
    page.keyboard.press("Tab")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    until(page, "name => document.querySelector('#question [name=named]')?.value !== name", arg=first)
    until(page, "document.getElementById('waiting').textContent === ''")
    (entry,) = justesse.audit_status(place).audit.diary
    assert (entry.kind, sorted(dict(entry.credits).values())) == ("credit", [0.0, 0.5, 1.0])
    assert dict(entry.credits)[first] == 0.5
    page.keyboard.press("u")
    until(page, "name => document.querySelector('#question [name=named]')?.value === name", arg=first)
    page.keyboard.press("1")
    until(page, "name => document.querySelector('#question [name=named]')?.value !== name", arg=first)
    until(page, "document.getElementById('waiting').textContent === ''")
    assert justesse.audit_status(place).audit.diary[-1].classes == (first,)
    assert page.trouble == []
