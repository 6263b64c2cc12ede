"""The policy page: periods, presets, weights, the ranking and where it flips, and the file that --policy reads."""

import csv
import io
import re

import numpy as np
import pytest

import justesse
from justesse.frames.policy_table import policy_table
from justesse.verbs.lifelong.ranking import system_scores

MONTHS = 6
SYSTEMS = {"old": [1, 2, 4, 8, 10, 12], "new": [12, 9, 7, 5, 4, 1]}  # errors of 40 in each month


def table(errors):
    lines = ["id,version,trained,time,label,prediction"]
    for month, wrong in enumerate(errors, 1):
        lines += [
            f"{month}-{at},v1,2025-01-01,2024-{month:02}-15,cat,{'dog' if at < wrong else 'cat'}" for at in range(40)
        ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def owner(clients, folder):
    for name, errors in SYSTEMS.items():
        (folder / f"{name}.csv").write_text(table(errors))
    return clients("olga")


def drawn(client, **query):
    answer = client.get("/policies/draw", params={"file": ["old.csv", "new.csv"], "period": "month", **query})
    return answer.status_code, answer.text.replace("\xa0", " ")


def ranks(text):
    body = text.partition('id="ranks"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("</tr>")[:-1]]


@pytest.mark.parametrize("preset", ["recent", "uniform", "past", "cyclic:4"])
def test_the_ranking_under_a_preset_is_that_of_lifelong_score(owner, folder, preset):
    status, text = drawn(owner, preset=preset)
    assert status == 200
    errors = {
        name: justesse.lifelong_score(
            folder / f"{name}.csv", trained="trained", period="month", policy=preset
        ).to_dict()
        for name in SYSTEMS
    }
    shown = {row[0]: float(row[1].removesuffix(" %")) / 100 for row in ranks(text)}
    for name, result in errors.items():
        assert shown[name] == pytest.approx(1 - result["score"][-1]["value"], abs=6e-4), result
    order = [row[0] for row in ranks(text)]
    assert order == sorted(shown, key=lambda name: -shown[name])
    assert order[0] == ("old" if preset == "past" else "new" if preset == "recent" else order[0])


def test_the_place_where_the_ranking_flips_makes_both_level(owner, folder):
    _, text = drawn(owner, preset="recent")
    period, factor = re.fullmatch(r"(\S+) × (\S+)", ranks(text)[1][3]).groups()
    weights = [float(value) for value in re.findall(r'name="w"[^>]*value="([^"]+)"', text)]
    scores = system_scores([folder / "old.csv", folder / "new.csv"], ["old", "new"], period="month")
    weights[scores.periods.index(period)] *= float(factor)
    values = scores.accuracy @ (np.array(weights) / sum(weights))
    assert values[0] == pytest.approx(values[1], abs=0.002)
    assert ranks(text)[1][4] in ("between past and uniform", "between uniform and recent")


def test_the_first_two_are_compared_with_an_interval(owner):
    _, text = drawn(owner, preset="uniform")
    assert re.search(
        r"Difference of the first two: \+0\.0\d* points|Difference of the first two: \+\d+\.\d+ points", text
    )
    assert "95 % CI" in text
    assert "n = 240" in text


def test_weights_of_a_form_are_shown_without_script(owner):
    status, text = drawn(owner, w=["0", "0", "0", "0", "0", "3"])
    assert status == 200
    assert [row[1] for row in ranks(text)] == ["97.5 %", "70.0 %"]
    assert [row[2] for row in ranks(text)] == ["40", "40"]
    for weights, words in [
        (["0"] * 6, "at least one period"),
        (["1"] * 5, "6 periods"),
        (["1"] * 5 + ["-1"], "0 or more"),
        (["1"] * 5 + ["nan"], "0 or more"),
        (["1"] * 5 + ["<script>"], "&lt;script&gt;"),
    ]:
        status, text = drawn(owner, w=weights)
        assert status == 400
        assert words in text.partition('role="alert">')[2].partition("</p>")[0]


def test_a_saved_policy_is_what_the_commands_read(owner, folder, run):
    weights = ["0", "1", "2.5", "0", "0", "10"]
    form = {"w": weights, "file": ["old.csv", "new.csv"], "period": "month", "n": "6", "name": "my policy"}
    saved = owner.post("/policies/save", data=form)
    assert saved.status_code == 303
    assert "Saved as my policy.csv" in owner.get(saved.headers["location"]).text
    assert list(policy_table(folder / "my policy.csv").values()) == [float(weight) for weight in weights]
    done = run("lifelong", "score", folder / "old.csv", "--trained", "trained", "--period", "month", "--policy",
               folder / "my policy.csv", "--json")  # fmt: skip
    assert done.code == 0, done.err
    before = (folder / "my policy.csv").read_bytes()
    again = owner.post("/policies/save", data={**form, "w": ["1"] * 6})
    assert (again.status_code, "exists already" in again.text) == (400, True)
    assert (folder / "my policy.csv").read_bytes() == before
    assert 'value="1.0"' in again.text


def test_a_download_has_the_same_table(owner):
    sent = owner.post("/policies/download", data={"w": ["1", "2"], "n": "2"})
    assert list(csv.reader(io.StringIO(sent.text))) == [["period", "weight"], ["1", "1"], ["2", "2"]]


@pytest.mark.parametrize("name", ["../out", "/etc/out", ".hidden", "a/b", "x" * 90, "<b>", "...", "\x00a"])
def test_names_stay_in_the_directory(owner, folder, name):
    before = set(folder.parent.rglob("*"))
    owner.post("/policies/save", data={"w": ["1", "2"], "n": "2", "name": name})
    new = set(folder.parent.rglob("*")) - before
    assert all(path.parent == folder and path.suffix == ".csv" and not path.name.startswith(".") for path in new)
    assert len(new) == 1


def test_periods_without_systems_can_be_weighed(owner):
    text = owner.get("/policies/draw", params={"n": 5}).text
    assert text.count("<circle") == text.count('name="w"') == 5
    assert 'id="ranks"' not in text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("a,b\n1,2\n", "version"),
        (b"\xff\xfe\x00\x01" * 99, "csv"),
        ("id,version,time,label,prediction\n", ""),
    ],
)
def test_bad_tables_give_the_sentence(owner, folder, content, words):
    (folder / "bad.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    answer = owner.get("/policies/draw", params={"file": ["bad.csv"]})
    problem = answer.text.partition('role="alert">')[2].partition("</p>")[0]
    assert (answer.status_code, bool(problem)) == (400, True)
    assert words in problem
    assert str(folder) not in problem
    assert owner.get("/policies/draw", params={"file": ["old.csv"], "period": "fortnight"}).status_code == 400
    assert owner.get("/policies/draw", params={"file": ["../old.csv"]}).status_code == 404


def test_hostile_names_of_systems_are_text(owner, folder):
    (folder / "<img src=x onerror=alert(1)>.csv").write_text(table(SYSTEMS["old"]))
    answer = owner.get(
        "/policies/draw", params={"file": ["<img src=x onerror=alert(1)>.csv", "new.csv"], "period": "month"}
    )
    assert answer.status_code == 200
    assert "<img" not in answer.text
    assert "<img" not in owner.get("/policies").text


def test_uploads_are_drawn(owner):
    files = [("upload", (f"{name}.csv", table(errors))) for name, errors in SYSTEMS.items()]
    sent = owner.post("/policies/upload", files=files, data={"period": "month"})
    assert sent.status_code == 303
    assert [row[0] for row in ranks(owner.get(sent.headers["location"]).text)] == ["new", "old"]


def test_readers_draw_and_owners_save(clients, owner):
    reader, expert = clients("rea", "reader"), clients("ann", "expert")
    assert reader.get("/policies/draw").status_code == 200
    assert reader.post("/policies/save", data={"w": ["1", "2"], "n": "2"}).status_code == 403
    shown = reader.post("/policies/effect", data={"w": ["1", "2"], "n": "2"})
    assert (shown.status_code, shown.headers["location"]) == (303, "/policies/draw?period=&n=2&w=1&w=2")
    assert expert.get("/policies").status_code == 403
