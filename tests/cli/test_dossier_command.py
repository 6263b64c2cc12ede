"""`--dossier` on commands, and `justesse dossier …`: what is printed, and the exit codes."""

import json
from pathlib import Path

import jsonschema
import pytest

import justesse
from justesse.cli.main import app
from justesse.verbs.schemas import schema


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("old.csv").write_text(
        "id,label,prediction\n" + "".join(f"{i},{i % 2},{i % 2 if i % 5 else 1 - i % 2}\n" for i in range(200))
    )
    Path("new.csv").write_text("id,label,prediction\n" + "".join(f"{i},{i % 2},{i % 2}\n" for i in range(200)))
    return tmp_path


def test_a_project_from_key_to_verdict(project, run):
    assert run("dossier", "key", "ann.key").code == 0
    planned = run(
        "dossier",
        "plan",
        "plan.json",
        "--measure",
        "accuracy",
        "--margin",
        "1%",
        "--sign",
        "ann.key",
        "--signer",
        "Ann",
    )
    assert planned.code == 0
    words = [
        "compare",
        "old.csv",
        "new.csv",
        "--on",
        "id",
        "--margin",
        "1%",
        "--dossier",
        "c.json",
        "--signed-plan",
        "plan.json",
    ]
    compared = run(*words, "--sign", "ann.key", "--signer", "Ann", "--model-file", "new.csv")
    assert (compared.code, "Written: c.json" in compared.out) == (0, True)
    assert json.loads(Path("c.json").read_text())["asked"]["options"]["margin"] == 0.01
    verified = run("dossier", "verify", "c.json", "--key", "ann.key.pub")
    assert verified.code == 0
    assert "Verified." in verified.out
    assert "The verdict followed the plan" in verified.out
    assert run("dossier", "replay", "c.json").code == 0
    assert run("dossier", "show", "c.json", "--report", "page.html").code == 0
    assert "Replace the incumbent" in Path("page.html").read_text()
    assert run("dossier", "export", "c.json", "--to", "c.dsse.json", "--sign", "ann.key").code == 0
    assert run("dossier", "export", "c.json", "--to", "card.md", "--form", "model-card").code == 0
    assert run("dossier", "datasheet", "test.yaml").code == 0
    again = run("dossier", "reevaluate", "c.json", "new.csv", "old.csv", "--dossier", "d.json")
    assert (again.code, "The verdict changed from replace to keep." in again.out) == (0, True)
    assert run("dossier", "verify", "d.json").code == 0
    differ = run("dossier", "diff", "c.json", "c.json")
    assert "Both dossiers have the same" in differ.out


def test_json_of_every_part_is_as_the_schemas_say(project, run):
    assert run("evaluate", "old.csv", "--dossier", "a.json").code == 0
    assert run("evaluate", "new.csv", "--dossier", "b.json", "--level", "0.9").code == 0
    for words in (
        ["verify", "a.json"],
        ["replay", "a.json"],
        ["diff", "a.json", "b.json"],
        ["datasheet", "s.yaml"],
        ["reevaluate", "a.json", "new.csv"],
    ):
        written = run("dossier", *words, "--json").json
        jsonschema.validate(written, schema(f"dossier_{words[0]}"))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**written, "schema": "x"}, schema(f"dossier_{words[0]}"))
    for words in (
        ["show", "a.json"],
        ["key", "k"],
        ["plan", "p.json", "--margin", "0.1"],
        ["export", "a.json", "--to", "e.json"],
    ):
        assert run("dossier", *words, "--json").json["schema"] == 2
    jsonschema.validate(json.loads(Path("a.json").read_text()), schema("dossier"))


def test_a_changed_dossier_exits_with_1_and_names_the_place(project, run):
    run("evaluate", "old.csv", "--dossier", "a.json")
    path = Path("a.json")
    path.write_text(path.read_text().replace('"value": 0.8', '"value": 0.9', 1))
    ran = run("dossier", "verify", "a.json")
    assert ran.code == 1
    assert "/results/headline/value was changed; it is now 0.9." in ran.out
    assert ran.out.rstrip().endswith("Verification: not passed, exit code 1.")
    for words in (
        ["show", "a.json"],
        ["replay", "a.json"],
        ["diff", "a.json", "a.json"],
        ["export", "a.json", "--to", "x"],
    ):
        refused = run("dossier", *words)
        assert (refused.code, "/results/headline/value" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["dossier", "verify", "none.json"], "none.json not found"),
        (["dossier", "verify", "."], "is a directory"),
        (["dossier", "verify", "/dev/null"], "is a device"),
        (["dossier", "show", "bom.json"], "begins with a byte order mark"),
        (["dossier", "verify", "a.json", "--key", "none.pub"], "none.pub not found"),
        (["dossier", "verify", "a.json", "--project", "nowhere"], "'nowhere' not found"),
        (["dossier", "replay", "old.csv"], "is not a dossier"),
        (["dossier", "diff", "a.json", "old.csv"], "is not a dossier"),
        (["dossier", "show", "p.json", "--report", "p.json"], "would replace"),
        (["dossier", "replay", "p.json"], "is a plan, and a result is needed"),
        (["dossier", "export", "a.json", "--to", "."], "is a directory"),
        (["dossier", "datasheet", "old.csv"], ".yaml"),
        (["dossier", "datasheet", "s.yaml", "--inspection", "a.json"], "Name one that justesse inspect wrote"),
        (["dossier", "reevaluate", "a.json"], "had 1 sets of rows"),
        (["evaluate", "old.csv", "--dossier", "a.json"], "never overwritten"),
        (["evaluate", "old.csv", "--dossier", "new.txt"], "must end in .json"),
        (["evaluate", "old.csv", "--dossier", "old.csv"], "would replace"),
        (["evaluate", "old.csv", "--dossier", "nowhere/x.json"], "'nowhere' not found"),
        (["evaluate", "old.csv", "--dossier", "x.json", "--sign", "none.key"], "none.key not found"),
        (["evaluate", "old.csv", "--dossier", "x.json", "--sign", "old.csv"], "is not a private key"),
        (["evaluate", "old.csv", "--dossier", "x.json", "--signed-plan", "a.json"], "not a plan"),
        (["evaluate", "old.csv", "--dossier", "x.json", "--model-file", "none"], "Model file 'none' not found"),
        (["evaluate", "old.csv", "--dossier", "x.json", "--sheet", "none.yaml"], "none.yaml not found"),
        (["evaluate", "old.csv", "--sign", "k"], "--dossier FILE"),
        (["evaluate", "old.csv", "--signed-plan", "p.json"], "--signed-plan is about a dossier"),
    ],
)  # fmt: skip
def test_bad_input_is_a_sentence_and_writes_nothing(project, run, words, message):
    run("evaluate", "old.csv", "--dossier", "a.json")
    run("dossier", "plan", "p.json", "--margin", "0.1")
    (project / "bom.json").write_bytes(b"\xef\xbb\xbf" + (project / "a.json").read_bytes())
    before = sorted(path.name for path in project.iterdir())
    ran = run(*words)
    assert (ran.code, message in ran.err) == (2, True), ran.err
    assert "Traceback" not in ran.err
    after = sorted(path.name for path in project.iterdir())
    assert [name for name in after if name not in before and name != "s.yaml"] == []


def test_every_command_that_delivers_a_page_writes_a_dossier():
    """Those that compute share one group of options; those that only write or print have their own."""
    without = set()
    for name in justesse.PLACES:
        words = (
            name.replace("_", "-").split("-", 1)
            if name.split("_")[0] in ("ab", "audit", "noise", "plan", "lifelong", "annotators", "recheck")
            else [name.replace("_", "-")]
        )
        if name in ("Tally", "count", "evaluate_regression", "ab") or name.startswith("dossier"):
            continue
        command = app
        for word in words:
            command = command[word]
        options = {argument.name for argument in command.assemble_argument_collection(parse_docstring=True)}
        if "--dossier" not in options:
            without.add(name)
    assert without == {"ab_start", "ab_add", "ab_watch", "audit_answer", "recheck_answer"}


def test_an_unlabelled_or_regression_command_writes_one_too(project, run):
    Path("n.csv").write_text("label,prediction\n" + "".join(f"{i},{i + i % 3}\n" for i in range(50)))
    assert run("evaluate", "n.csv", "--regression", "--dossier", "n.json").code == 0
    assert run("noise", "bounds", "old.csv", "--noise-rate", "3%", "--dossier", "b.json").code == 0
    assert run("plan", "precision", "--half-width", "0.02", "--dossier", "p.json").code == 0
    assert run("inspect", "old.csv", "--dossier", "i.json").code in (0, 1)
    for name in ("n.json", "b.json", "p.json", "i.json"):
        assert run("dossier", "verify", name).code == 0, name
