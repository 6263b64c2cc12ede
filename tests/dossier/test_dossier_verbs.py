"""What dossiers hold and what can be done with them: replay, diff, show, plan, data sheet, re-evaluation, export."""

import hashlib
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import justesse
from justesse import Tally
from justesse.core.errors import InputError
from justesse.dossier.chain import links
from justesse.dossier.layout import read_record
from justesse.report.result import Result
from justesse.verbs.schemas import schema


def states(result):
    return {check.name: check.state for check in result.checks}


def test_a_dossier_holds_the_question_the_data_the_counts_and_the_answer(compared, files):
    record = read_record(compared)
    jsonschema.validate(record, schema("dossier"))
    assert record["asked"]["verb"] == "compare"
    options = record["asked"]["options"]
    assert (options["margin"], options["level"], options["judge"], options["seed"]) == (0.01, 0.95, "paired", 0)
    assert [entry["rows"] for entry in record["data"]] == [300, 300]
    assert len(record["data"][0]["files"][0]["sha256"]) == 64
    assert record["seeds"] == {"seed": 0}
    result = justesse.compare(*files, on="id", by="site", margin=0.01)
    assert record["results"] == json.loads(json.dumps(result.to_dict()))
    assert record["warnings"] == [str(words) for words in result.document().cautions]
    assert record["recomputed"] == {"from": ["tally"], "except": [], "why": None}
    assert record["run"]["who"]


def test_the_same_call_gives_the_same_content_but_for_the_run(files, tmp_path):
    records = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        records.append(read_record(justesse.evaluate(files[0]).dossier(tmp_path / name / "e.json")))
    for record in records:
        for key in ("run", "seal", "chain"):
            del record[key]
    assert records[0] == records[1]


def table():
    return {
        "label": ["a", "b", "a", "b"] * 40,
        "prediction": ["a", "b", "b", "b"] * 40,
        "true": ["a", "b", "a", "a"] * 40,
    }


@pytest.mark.parametrize(
    "make",
    [
        lambda: justesse.evaluate(table(), by=None),
        lambda: justesse.evaluate({**table(), "w": [1.0, 2.5] * 80}, weight="w"),
        lambda: justesse.evaluate({**table(), "who": list(range(40)) * 4}, cluster="who"),
        lambda: justesse.evaluate({**table(), "p": [0.9, 0.2, 0.4, 0.1] * 40}, score="p", positive="a"),
        lambda: justesse.evaluate({"label": [1.0, 2.0] * 30, "prediction": [1.0, 1.0] * 30}),
        lambda: justesse.evaluate({"label": [True, False] * 30, "prediction": [True, None] * 30}, missing="wrong"),
        lambda: justesse.evaluate({**table(), "prediction": ["a", "x"] * 80}, cost=[[0, 5], [1, 0]]),
        lambda: justesse.evaluate(Tally.of(("label", "prediction"), [("a", "a", 2**60), ("a", "b", 7), ("b", "b", 3)])),
        lambda: justesse.evaluate(
            {key: table()[key] for key in ("label", "prediction")}, transition=[[0.9, 0.1], [0.2, 0.8]]
        ),
        lambda: justesse.compare({**table(), "new": ["a", "b", "a", "b"] * 40}, incumbent="prediction", candidate="new"),
        lambda: justesse.compare(
            {**table(), "m": ["a", "b", "a", "b"] * 40, "n": ["b", "b", "a", "b"] * 40}, incumbent="prediction", candidate=["m", "n"]
        ),
        lambda: justesse.tournament({**table(), "m": ["a", "b", "a", "b"] * 40}, models=["prediction", "m"], judges=["paired"]),
        lambda: justesse.noise_bias(table()),
        lambda: justesse.noise_profile(table()),
        lambda: justesse.noise_bounds(table(), noise_rate=0.05),
        lambda: justesse.compare_folds({"old": [0.8, 0.84, 0.79, 0.83, 0.82], "new": [0.85, 0.88, 0.84, 0.87, 0.87]}),
        lambda: justesse.plan_precision(half_width=0.02),
    ],
)  # fmt: skip
def test_every_figure_follows_from_what_is_kept(make, tmp_path):
    path = make().dossier(tmp_path / "d.json")
    assert read_record(path)["recomputed"]["except"] == []
    result = justesse.dossier_verify(path)
    assert result.passed, [str(fault.sentence) for fault in result.faults]
    assert states(result)["figures"] == "passed"
    assert justesse.dossier_replay(path, counts_only=True).same


def test_figures_that_keep_no_counts_are_said_to_be_checked_by_their_checksum_only(tmp_path, files):
    path = justesse.inspect(files[0]).dossier(tmp_path / "i.json")
    result = justesse.dossier_verify(path)
    assert result.passed
    assert states(result)["figures"] == "none"
    assert {part["checked"] for part in result.basis()} == {"checksum"}


def test_scores_too_many_to_keep_leave_the_rest_recomputable(tmp_path, monkeypatch):
    monkeypatch.setattr("justesse.core.recording.MOST_NUMBERS", 600)
    data = {**table(), "p": np.linspace(0.1, 0.9, 160)}
    many = {name: [*values] * 4 for name, values in data.items()}
    path = justesse.evaluate(many, score="p", positive="a").dossier(tmp_path / "e.json")
    record = read_record(path)
    assert record["kept"]["scores"] == [None]
    assert "/results/scores" in record["recomputed"]["except"]
    assert justesse.dossier_verify(path).passed
    parts = {part["figure"]: part["checked"] for part in justesse.dossier_verify(path).basis()}
    assert (parts["scores"], parts["headline"]) == ("checksum", "tally")


def test_scores_of_many_classes_too_many_to_keep_leave_the_rest_recomputable(tmp_path, monkeypatch):
    monkeypatch.setattr("justesse.core.recording.MOST_NUMBERS", 6_000)
    rng = np.random.default_rng(0)
    truth, shares = rng.integers(0, 60, 200), rng.dirichlet(np.ones(60), 200)
    path = justesse.evaluate(y_true=truth, y_score=shares, classes=range(60)).dossier(tmp_path / "e.json")
    record = read_record(path)
    assert record["kept"]["scores"] == [None]
    assert [entry["columns"] for entry in record["data"]] == [["values"], sorted(map(str, range(60)))]
    result = justesse.dossier_verify(path)
    assert result.passed, [str(fault.sentence) for fault in result.faults]
    assert "scores" in result.hashed


def test_every_result_of_a_verb_knows_how_it_came_about():
    result = justesse.evaluate([1, 0], [1, 1], level=0.9)
    assert (result.recording.verb, result.recording.settings["level"], result.recording.settings["seed"]) == (
        "evaluate",
        0.9,
        0,
    )

    class Made(Result):
        pass

    with pytest.raises(InputError, match="Only the result of a justesse function"):
        Made().dossier("x.json")


def test_replay_recognises_a_reordered_copy_and_reports_other_rows(files, tmp_path):
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json")
    assert justesse.dossier_replay(path).data == (("data", "same", "Same bytes."),)
    header, *rows = files[0].read_text().splitlines()
    files[0].write_text("\n".join([header, *reversed(rows)]) + "\n")
    reordered = justesse.dossier_replay(path)
    assert reordered.data[0][1] == "reordered"
    assert reordered.same
    files[0].write_text("\n".join([header, *rows[:200]]) + "\n")
    other = justesse.dossier_replay(path)
    assert not other.same
    assert other.repetitions[0].state == "same"
    gaps = {where: new - old for where, old, new in other.repetitions[1].differing if where == "/results/n"}
    assert gaps == {"/results/n": -100}
    files[0].unlink()
    gone = justesse.dossier_replay(path)
    assert gone.same
    assert gone.repetitions[1].reason.endswith("So nothing was computed from the data.")


def test_data_are_found_beside_the_dossier_or_where_they_are_said_to_be(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = justesse.evaluate("old.csv").dossier("e.json")
    (tmp_path / "away").mkdir()
    files[0].rename(tmp_path / "away" / "old.csv")
    assert justesse.dossier_replay(path).repetitions[1].reason
    assert justesse.dossier_replay(path, data=tmp_path / "away").repetitions[1].state == "same"


def test_diff_says_what_changed_in_words(files, tmp_path):
    first = justesse.compare(*files, on="id").dossier(tmp_path / "a.json")
    second = justesse.compare(*reversed(files), on="id", level=0.9).dossier(tmp_path / "b.json", model_commit="abc")
    diff = justesse.dossier_diff(first, second)
    assert [(item.what, item.before, item.now) for item in diff.of("option")] == [("level", "0.95", "0.9")]
    assert len(diff.of("data")) == 2
    assert diff.of("model")
    assert diff.of("verdict")
    assert "The verdict changed" in str(diff.headline)
    same = justesse.dossier_diff(first, first)
    assert same.changed == ()


def test_show_is_the_page_of_the_result(compared, files):
    shown = justesse.dossier_show(compared).document()
    titles = [section.title for section in shown.sections]
    own = [section.title for section in justesse.compare(*files, on="id", by="site", margin=0.01).document().sections]
    assert titles[0] == "Origin"
    assert set(own) <= set(titles)
    assert {"Data", "Every option"} <= set(titles)


def test_verify_says_whether_the_plan_was_followed(files, tmp_path, key):
    plan = justesse.dossier_plan(
        tmp_path / "plan.json", measure="accuracy", margin=0.01, level=0.95, judge="paired", sign=key, signer="Ann"
    ).file
    follows = justesse.compare(*files, on="id", margin=0.01).dossier(tmp_path / "a.json", plan=plan)
    check = justesse.dossier_verify(follows).checks[-1]
    assert (check.name, check.state) == ("plan", "passed")
    assert "signed by Ann" in str(check.sentences[0])
    departs = justesse.compare(*files, on="id", margin=0.02).dossier(tmp_path / "b.json", plan=plan)
    fault = justesse.dossier_verify(departs).faults[0]
    assert (fault.check, fault.where) == ("plan", "/asked/options/margin")
    assert str(fault.sentence) == "Option margin: planned 0.01, used 0.02."
    other = justesse.evaluate(files[0]).dossier(tmp_path / "c.json", plan=plan)
    assert justesse.dossier_verify(other).faults[0].where == "/asked/verb"
    assert states(justesse.dossier_verify(plan))["figures"] == "skipped"
    assert states(justesse.dossier_verify(justesse.evaluate(files[0]).dossier(tmp_path / "d.json")))["plan"] == "none"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "at least one setting"),
        ({"verb": "evalute", "level": 0.9}, "no function 'evalute'"),
        ({"verb": "evaluate", "margin": 0.1}, "no option 'margin'"),
        ({"margin": -1}, "margin"),
        ({"level": 2}, "level"),
        ({"judge": "nobody"}, "nobody"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(tmp_path, options, words):
    with pytest.raises(InputError, match=words):
        justesse.dossier_plan(tmp_path / "plan.json", **options)
    assert not (tmp_path / "plan.json").exists()


def test_a_plan_must_be_a_plan_and_whole(files, tmp_path, compared):
    with pytest.raises(InputError, match="not a plan"):
        justesse.evaluate(files[0]).dossier(tmp_path / "x.json", plan=compared)
    plan = Path(justesse.dossier_plan(tmp_path / "plan.json", margin=0.01).file)
    plan.write_text(plan.read_text().replace('"margin": 0.01', '"margin": 0.02'))
    with pytest.raises(InputError, match="was changed at /plan/settings/margin"):
        justesse.compare(*files, on="id").dossier(tmp_path / "x.json", plan=plan)


def test_the_model_is_bound_to_its_predictions(files, tmp_path):
    model = tmp_path / "model.bin"
    model.write_bytes(b"weights")
    path = justesse.evaluate(files[0]).dossier(
        tmp_path / "e.json", model_file=model, model_commit="abc123", model_data=str(files[1]), model_seed=7
    )
    facts = read_record(path)["model"]
    assert facts["files"][0]["sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert (facts["commit"], facts["seed"], facts["training"][0]["bytes"]) == ("abc123", 7, files[1].stat().st_size)
    card = justesse.dossier_export(path, to=tmp_path / "card.md", form="model-card").text
    for words in ("## Evaluation", "abc123", "Accuracy", facts["files"][0]["sha256"]):
        assert words in card
    with pytest.raises(InputError, match="Model file 'none.bin' not found"):
        justesse.evaluate(files[0]).dossier(tmp_path / "f.json", model_file="none.bin")


def test_a_data_sheet_is_begun_answered_and_checked(tmp_path, files):
    path = tmp_path / "test.yaml"
    begun = justesse.dossier_datasheet(path)
    assert {line.state for line in begun.lines} == {"open"}
    text = path.read_text()
    assert "authority" in text
    path.write_text(
        text.replace('  authority: ""', '  authority: "Road traffic act"').replace(
            '  impact: ""', '  impact: "Ann, 2026-11-18"'
        )
    )
    inspected = justesse.inspect(files[0]).dossier(tmp_path / "i.json")
    lines = {line.title: line for line in justesse.dossier_datasheet(path, inspection=inspected).lines}
    assert str(lines["Name the authority that defines the truth"].words) == "Answered by Ann on 2026-11-18."
    assert lines["Have enough test rows"].state == "machine"
    assert lines["Protect personal data"].state == "open"
    kept = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sheet=path)
    assert read_record(kept)["sheet"]["answers"]["impact"]["authority"] == "Road traffic act"
    card = justesse.dossier_export(kept, to=tmp_path / "card.md", form="model-card").text
    words = "- Who defines what is true here: a law, a body, a panel of experts? Road traffic act\n"
    assert f"### Data sheet\n\n#### Impact assessment\n\n{words}" in card
    assert card.count("questions of the data sheet are open.") == 1
    shown = justesse.dossier_show(kept).markdown("full")
    assert "Impact assessment. Who defines what is true here" in shown


def test_an_answer_without_name_and_date_stays_open(tmp_path):
    path = tmp_path / "test.yaml"
    justesse.dossier_datasheet(path)
    path.write_text(path.read_text().replace('  authority: ""', '  authority: "Road traffic act"'))
    line = next(line for line in justesse.dossier_datasheet(path).lines if "authority" in line.title)
    assert (line.state, "NAME" in str(line.words)) == ("open", True)


def test_a_sheet_begun_by_inspect_gets_the_sections_it_lacks(tmp_path, files):
    path = tmp_path / "test.yaml"
    justesse.inspect(files[0], datasheet=path)
    before = path.read_text()
    result = justesse.dossier_datasheet(path, add=True)
    assert result.added == ("impact", "answered")
    assert path.read_text().startswith(before.rstrip("\n"))
    assert justesse.dossier_datasheet(path, add=True).added == ()


def test_reevaluation_says_what_moved_the_verdict(files, tmp_path):
    header, *rows = files[0].read_text().splitlines()
    path = justesse.evaluate(files[0], require="accuracy>=0.9", by="site").dossier(tmp_path / "a.json")
    assert not read_record(path)["results"]["passes"]
    corrected = []
    for row in rows:
        cells = row.split(",")
        corrected.append(",".join([cells[0], cells[3], *cells[2:]]))  # every label is the prediction
    new = tmp_path / "corrected.csv"
    new.write_text("\n".join([header, *corrected[10:], "1000,cat,north,cat,0.5"]) + "\n")
    result = justesse.dossier_reevaluate(path, new)
    wrong = sum(row.split(",")[1] != row.split(",")[3] for row in rows[10:])
    assert (result.labels.corrected, result.labels.added, result.labels.removed) == (wrong, 1, 10)
    assert [step.step for step in result.steps] == ["before", "kept", "corrected", "now"]
    assert [step.n for step in result.steps] == [300, 290, 290, 291]
    assert [step.decided for step in result.steps] == ["requirements not met"] * 2 + ["requirements met"] * 2
    assert "The corrected labels alone change it." in str(result.headline)
    assert set(result.steps[0].groups) == {"site = north", "site = south"}
    again = result.dossier(tmp_path / "b.json")
    assert justesse.dossier_verify(again).passed
    files[0].unlink()
    without = justesse.dossier_reevaluate(path, new)
    assert (without.labels, len(without.steps)) == (None, 2)
    assert "was not found in the directory of --old-data" in without.unknown


def test_removed_rows_are_not_taken_for_corrected_labels(tmp_path):
    old = {"id": list(range(100)), "label": ["a"] * 100, "prediction": ["a"] * 85 + ["b"] * 15}
    path = justesse.evaluate(old, require="accuracy>=0.9").dossier(tmp_path / "a.json")
    kept = {name: values[:86] for name, values in old.items()}
    result = justesse.dossier_reevaluate(path, kept, old_data={"data": old})
    assert str(result.headline).endswith("14 rows removed. The removed rows alone change it.")
    bad = {"id": [*range(86), *range(500, 520)], "label": ["a"] * 106, "prediction": ["a"] * 85 + ["b"] * 21}
    result = justesse.dossier_reevaluate(path, bad, old_data={"data": old})
    assert not result.changed
    words = "the verdict moves: the removed rows to requirements met, then the added rows to requirements not met."
    assert words in str(result.headline)


def test_an_id_that_is_not_there_is_refused(files, tmp_path):
    path = justesse.evaluate(files[0]).dossier(tmp_path / "a.json")
    with pytest.raises(InputError, match="Column 'nosuch' not found"):
        justesse.dossier_reevaluate(path, files[1], id="nosuch")


def test_reevaluation_of_a_comparison(files, tmp_path):
    path = justesse.compare(*files, on="id").dossier(tmp_path / "a.json")
    result = justesse.dossier_reevaluate(path, files[1], files[0])
    assert [step.decided for step in result.steps] == ["replace", "keep", "keep"]
    with pytest.raises(InputError, match="had 2 sets of rows"):
        justesse.dossier_reevaluate(path, files[1])


def test_two_processes_do_not_take_the_same_number(files, tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    result = justesse.evaluate(files[0])
    project = tmp_path / "project"
    project.mkdir()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda at: result.dossier(project / f"{at}.json"), range(8)))
    assert [link.number for link in links(project)] == list(range(1, 9))


def test_a_project_is_a_directory_of_its_own(files, tmp_path):
    (tmp_path / "project").mkdir()
    first = justesse.evaluate(files[0]).dossier(tmp_path / "project" / "a.json")
    second = justesse.evaluate(files[0]).dossier(tmp_path / "b.json", project=tmp_path / "project")
    assert read_record(second)["chain"]["previous"]["sha256"] == read_record(first)["seal"]["sha256"]
    assert not justesse.dossier_verify(second).passed
    assert justesse.dossier_verify(second, project=tmp_path / "project").passed
    with pytest.raises(InputError, match="not found"):
        justesse.evaluate(files[0]).dossier(tmp_path / "c.json", project=tmp_path / "nowhere")


def test_hostile_names_are_kept_and_shown(tmp_path):
    name = "<script>alert(1)</script>\n\x1b[31m\u202e" + "x" * 900
    path = justesse.evaluate({"label": [name, "b"] * 20, "prediction": [name, "b"] * 20}).dossier(tmp_path / "e.json")
    assert justesse.dossier_verify(path).passed
    page = justesse.dossier_show(path).report(tmp_path / "page.html").read_text()
    assert "<script>alert" not in page


def test_every_verb_with_a_result_notes_how_it_was_called():
    """Those that look at dossiers, count or yield results one after another need not."""
    plain = {name for name in justesse.PLACES if not hasattr(getattr(justesse, name), "__wrapped__")}
    assert {name for name in plain if not name.startswith("dossier_")} == {"Tally", "ab_watch", "count"}


def test_diff_tells_gates_from_the_verdict_and_commands_from_each_other(tmp_path):
    rows = {"label": [1] * 400, "old": [0] * 70 + [1] * 330, "new": [1] * 70 + [0] * 50 + [1] * 280}
    names = {"incumbent": "old", "candidate": "new"}
    first = justesse.compare(rows, **names, margin=0.001).dossier(tmp_path / "a.json")
    second = justesse.compare(rows, **names, margin=0.02).dossier(tmp_path / "b.json")
    old, new = (json.loads(Path(path).read_text())["verdict"] for path in (first, second))
    assert old["gates"] != new["gates"]
    diff = justesse.dossier_diff(first, second)
    assert old["verdict"] == new["verdict"]
    assert not diff.of("verdict")
    assert str(diff.headline).startswith("The verdict is the same")
    assert diff.of("gate")
    assert not any("/gates" in item.what for item in diff.of("figure"))
    assert all(item.before != item.now or item.words for item in diff.changed)
    other = justesse.evaluate(rows, prediction="old").dossier(tmp_path / "c.json")
    apart = justesse.dossier_diff(first, other)
    assert "two commands" in str(apart.headline)
    assert not apart.of("figure")
    assert not apart.of("verdict")


def test_an_unsigned_export_says_so(files, tmp_path):
    first = justesse.evaluate(files[0]).dossier(tmp_path / "a.json")
    assert "not signed" in str(justesse.dossier_export(first, to=tmp_path / "a.dsse"))
    assert "not signed" not in str(justesse.dossier_export(first, to=tmp_path / "a.md", form="model-card"))


def test_two_pages_of_one_audit_do_not_differ(tmp_path):
    rows = {"id": range(40), "label": ["a"] * 40, "old": ["b"] * 12 + ["a"] * 28, "new": ["a"] * 40}
    justesse.audit_start(rows, incumbent="old", candidate="new", on="id", to=tmp_path / "my.audit")
    paths = [
        justesse.audit_report(
            tmp_path / "my.audit", tmp_path / f"{name}.html", command=f"justesse audit report {name}"
        ).dossier(tmp_path / f"{name}.json")
        for name in ("a", "b")
    ]
    assert justesse.dossier_diff(*paths).changed == ()
