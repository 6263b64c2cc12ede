"""A dossier may come from anyone: checking it runs nothing but computations, and opens no file that it names."""

import copy
import time

import pytest

import justesse
from justesse.core.errors import InputError
from justesse.dossier.layout import laid_out, parsed, read_record
from justesse.dossier.prints import changes, prints
from justesse.dossier.seal import sealed
from justesse.verbs.dossier import repeat
from justesse.verbs.dossier.sufficient import FROM_DATA, FROM_RESULT, KEPT


def resealed(path, change):
    """Change a record and seal it again, as its sender could."""
    record = read_record(path)
    change(record)
    path.write_text(laid_out({**sealed(record), "signature": None}))
    return path


@pytest.fixture
def evaluated(files, tmp_path):
    return justesse.evaluate(files[0], by="site").dossier(tmp_path / "e.json")


def asks(verb, **options):
    def change(record):
        record["asked"] = {"verb": verb, "command": None, "options": options}
        record["data"] = []

    return change


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        ("dossier_key", {"file": "new.key"}),
        ("dossier_plan", {"file": "plan.json", "margin": 0.2, "sign": "me.key", "signer": "Ann"}),
        ("dossier_datasheet", {"file": "sheet.yaml", "add": True}),
        ("dossier_export", {"file": "e.json", "to": "e.dsse"}),
        ("dossier_diff", {"before": "e.json", "now": "e.json"}),
        ("ab_status", {"state": "my.ab"}),
        ("assess", {"data": "old.csv", "model": "code.py:Model"}),
        ("Tally", {}),
    ],
)
def test_no_function_runs_but_those_that_compute(evaluated, key, tmp_path, monkeypatch, verb, options):
    monkeypatch.chdir(tmp_path)
    called = []
    monkeypatch.setitem(vars(justesse), verb, lambda *_, **__: called.append(verb))
    (tmp_path / "sheet.yaml").write_text("about: mine\n")
    (tmp_path / "code.py").write_text("open('ran', 'w').write('x')\nclass Model: pass\n")
    resealed(evaluated, asks(verb, **options))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = justesse.dossier_verify(evaluated)
    assert not result.passed
    assert "figures" in {fault.check for fault in result.faults}
    justesse.dossier_replay(evaluated)
    justesse.dossier_show(evaluated)
    assert called == []
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("options", [{"cost": "secret.csv"}, {"answers": "secret.csv"}, {"class_weight": "/*/secret.csv"},
                                     {"transition": "sqlite:///secret.db"}, {"audited": "secret.csv"}])  # fmt: skip
def test_no_option_opens_a_file_that_the_dossier_names(evaluated, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("token,label,prediction\nS3CR3T,1,0\n")

    def change(record):
        record["asked"]["options"].update(options)

    result = justesse.dossier_verify(resealed(evaluated, change))
    assert not result.passed
    assert "S3CR3T" not in str(result.to_dict())


def test_data_that_are_only_named_are_not_read(evaluated, tmp_path, monkeypatch):
    def change(record):
        record["asked"]["options"]["data"] = str(tmp_path / "old.csv")
        record["data"], record["kept"] = [], {}

    resealed(evaluated, change)
    read = []
    monkeypatch.setattr("justesse.verbs.evaluate.evaluate.counted_with_scores", lambda *a, **_: read.append(a))
    assert not justesse.dossier_verify(evaluated).passed
    assert read == []


def test_options_that_write_are_not_passed_on(tmp_path):
    path = justesse.plan_labels(half_width=0.02, noise_rate=0.1, expert_price=1, cheap_price=0.1).dossier(
        tmp_path / "p.json"
    )

    def change(record):
        record["asked"]["options"].update(to=str(tmp_path / "list.csv"), report=str(tmp_path / "page.html"))

    assert justesse.dossier_verify(resealed(path, change)).passed
    assert {file.name for file in tmp_path.iterdir()} == {"p.json"}


def test_functions_that_may_be_repeated_are_listed_and_exist():
    assert set(justesse.PLACES) > set(KEPT) > FROM_DATA
    assert {
        "audit_start",
        "audit_extend",
        "audit_report",
        "lifelong_audit",
    } <= FROM_RESULT  # they write, and are not called
    assert not any(name.startswith(("dossier_", "audit_", "recheck_")) or name in ("assess", "clean", "noise_resist")
                   for name in FROM_DATA)  # fmt: skip


def test_an_audit_is_computed_again_without_its_file(tmp_path, monkeypatch):
    rows = {"id": range(40), "label": ["a"] * 40, "old": ["b"] * 12 + ["a"] * 28, "new": ["a"] * 40, "true": ["a"] * 40}
    audit = tmp_path / "my.audit"
    paired = {"incumbent": "old", "candidate": "new", "on": "id", "true": "true"}
    path = justesse.audit_start(rows, **paired, to=audit).dossier(tmp_path / "d.json")
    audit.unlink()
    before = sorted(tmp_path.iterdir())
    assert justesse.dossier_verify(path).passed
    assert sorted(tmp_path.iterdir()) == before

    def other_kind(record):
        record["kept"]["result"] = [{"value": {"$kind": "Gaps"}}]

    (fault,) = justesse.dossier_verify(resealed(path, other_kind)).faults
    assert "/kept/result is not what justesse.audit_start keeps" in str(fault.sentence)


def test_rows_that_an_audit_was_not_started_with_are_refused(tmp_path):
    rows = {"id": range(40), "label": ["a"] * 40, "old": ["b"] * 12 + ["a"] * 28, "new": ["a"] * 40}
    justesse.audit_start(rows, incumbent="old", candidate="new", on="id", to=tmp_path / "my.audit")
    path = justesse.audit_status(tmp_path / "my.audit").dossier(tmp_path / "d.json")
    resealed(path, lambda record: record["kept"]["result"][0]["value"]["disputes"].pop())
    (fault,) = justesse.dossier_verify(path).faults
    assert "not those that the audit was started with" in str(fault.sentence)


def forged(record):
    record["results"]["headline"]["value"] = 0.99


@pytest.mark.parametrize(
    "place", ["", "/results", "/results/headline", "/results/headline/value", "/verdict", "/verdict/words"]
)
def test_no_dossier_exempts_what_decides(evaluated, place):
    def change(record):
        if place.startswith("/verdict"):
            record["verdict"]["words"] = "Excellent."
        else:
            forged(record)
        record["recomputed"]["except"] = [place]

    result = justesse.dossier_verify(resealed(evaluated, change))
    assert {check.name: check.state for check in result.checks}["figures"] == "failed"
    assert not justesse.dossier_replay(evaluated, counts_only=True).same


def test_a_warning_that_is_exempt_cannot_be_removed(tmp_path):
    path = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(tmp_path / "e.json")

    def change(record):
        assert record["warnings"].pop(0)
        record["recomputed"]["except"] = [
            f"{key}/{at}" for key in ("/warnings", "/results/warnings") for at in range(9)
        ]

    result = justesse.dossier_verify(resealed(path, change))
    assert result.faults[0].where == "/warnings/0"


def test_a_dossier_that_keeps_everything_exempts_nothing(evaluated):
    def change(record):
        record["results"]["measures"][3]["value"] = 0.99
        record["recomputed"]["except"] = ["/results/measures/3"]

    result = justesse.dossier_verify(resealed(evaluated, change))
    assert [fault.where for fault in result.faults] == ["/results/measures/3/value"]
    assert not justesse.dossier_replay(evaluated, counts_only=True).same


def test_what_the_counts_do_not_determine_is_said_to_be_unchecked(tmp_path, tables, monkeypatch):
    monkeypatch.setattr("justesse.core.recording.MOST_NUMBERS", 400)
    table = tables[0] | {
        "label": (tables[0]["label"] == "cat") * 1,
        "prediction": (tables[0]["prediction"] == "cat") * 1,
    }
    path = justesse.evaluate(table, score="score", positive=1).dossier(tmp_path / "e.json")
    result = justesse.dossier_verify(path)
    assert result.passed
    words = " ".join(str(words) for check in result.checks if check.name == "figures" for words in check.sentences)
    assert "Not checked" in words
    record = read_record(path)
    assert "/results/scores" in record["recomputed"]["except"]

    def change(record):  # the tally determines this one
        record["results"]["measures"][3]["value"] = 0.99
        record["recomputed"]["except"].append("/results/measures/3")

    assert not justesse.dossier_verify(resealed(path, change)).passed


def test_results_of_another_function_are_refused(evaluated):
    def change(record):
        record["asked"]["verb"] = "inspect"
        record["kept"] = {}
        record["results"]["headline"]["value"] = 0.99
        record["recomputed"] = {"from": [], "except": [""], "why": "The rows are not kept."}

    result = justesse.dossier_verify(resealed(evaluated, change))
    assert not result.passed
    assert result.faults[0].where.startswith("/results/")
    assert "justesse.inspect does not give such results" in str(result.headline)


def test_figures_that_were_not_computed_again_are_not_called_verified(files, tmp_path):
    path = justesse.inspect(files[0]).dossier(tmp_path / "i.json")
    result = justesse.dossier_verify(path)
    assert result.passed
    assert str(result.document().verdict) == "Not computed again: only the checksum protects these figures."


def test_an_older_version_is_a_caution(evaluated):
    def change(record):
        record["versions"]["justesse"] = "0.0.1"

    assert not justesse.dossier_verify(evaluated).document().cautions
    (caution,) = justesse.dossier_verify(resealed(evaluated, change)).document().cautions
    assert "0.0.1" in str(caution)
    assert "not compared" in str(caution)


def without_warnings(record):
    record["warnings"] = record["results"]["warnings"] = []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (without_warnings, "/warnings"),
        (lambda record: record["assumptions"].clear(), "/assumptions"),
        (lambda record: record["verdict"].update(words="Excellent, ship it at once."), "/verdict/words"),
        (lambda record: record["results"].pop("headline"), "/results/headline"),
        (lambda record: record["results"].clear(), "/results/headline"),
    ],
)
def test_another_version_excuses_no_removed_warning_and_no_other_verdict(tmp_path, change, where):
    path = justesse.evaluate([1, 1, 0, 0], [1, 0, 0, 0]).dossier(tmp_path / "e.json")

    def older(record):
        change(record)
        record["versions"]["justesse"] = "0.0.1"

    result = justesse.dossier_verify(resealed(path, older))
    assert where in [fault.where for fault in result.faults]


def test_the_signer_of_a_plan_is_checked_or_said_not_to_be(files, tmp_path):
    auditor, analyst, stranger = (justesse.dossier_key(tmp_path / f"{name}.key").file for name in ("a", "b", "c"))
    plan = justesse.dossier_plan(tmp_path / "p.json", verb="evaluate", level=0.95, sign=stranger, signer="Ann").file
    path = justesse.evaluate(files[0]).dossier(tmp_path / "r.json", plan=plan, sign=analyst)

    def planned(**keys):
        (check,) = (check for check in justesse.dossier_verify(path, **keys).checks if check.name == "plan")
        return check.state, " ".join(map(str, check.sentences))

    assert planned()[0] == "passed"
    assert "was not checked" in planned()[1]
    assert planned(key=f"{analyst}.pub")[0] == "failed"
    assert planned(key=f"{analyst}.pub", plan_key=f"{auditor}.pub")[0] == "failed"
    assert planned(key=f"{analyst}.pub", plan_key=f"{stranger}.pub")[0] == "passed"
    assert "not checked" not in planned(plan_key=f"{stranger}.pub")[1]


def test_long_lists_are_compared_in_no_time():
    tree = prints({"a": [0] * 100_000})
    start = time.process_time()
    (change,) = changes(tree, {"a": [0] * 99_998})
    assert (change.where, change.how) == ("/a/99998-99999", "removed")
    places = changes(prints({"a": list(range(3000))}), {"a": [*range(1000), -1, *range(1002, 3000)]})
    assert [place.where for place in places] == ["/a/1000", "/a/1001"]
    text = "{" + ", ".join(f'"k{at}": 1' for at in range(100_000)) + ', "dossier": 1}'
    assert len(parsed(text, "many.json")) == 100_001
    assert time.process_time() - start < 10


def places_of(value, above=(), depth=0):
    """List the places of a record, three levels deep."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        if depth < 2:
            yield from places_of(item, (*above, key), depth + 1)


def test_odd_types_are_refused_in_a_sentence(tmp_path, monkeypatch):
    folds = tmp_path / "folds.csv"
    folds.write_text("old,new\n0.8,0.85\n0.84,0.88\n0.79,0.84\n0.83,0.87\n")
    whole = justesse.compare_folds(folds).dossier(tmp_path / "whole.json", model_file=str(folds))
    (tmp_path / "odd").mkdir()
    path = tmp_path / "odd" / "e.json"
    record = read_record(whole)
    kept = {
        key: value for key, value in record.items() if key not in ("seal", "results", "signature", "kind", "dossier")
    }
    places = [place for place in places_of(kept) if place[:2] != ("asked", "options") or len(place) == 2]
    monkeypatch.setattr("justesse.verbs.dossier.verify.repeated", refuse)
    monkeypatch.setattr("justesse.verbs.dossier.replay.repeated", refuse)
    monkeypatch.setattr("justesse.verbs.dossier.show.repeated", refuse)
    tried = 0
    for place in places:
        for odd in (None, "x\0/../y", [None]):
            forged_record = copy.deepcopy(record)
            holder = forged_record
            for key in place[:-1]:
                holder = holder[key]
            holder[place[-1]] = odd
            path.write_text(laid_out({**sealed(forged_record), "signature": None}))
            for look in (justesse.dossier_verify, justesse.dossier_replay, justesse.dossier_show, other_than(whole)):
                try:
                    result = look(path)
                    assert result.to_dict()
                    result.document()
                except InputError:
                    pass
            tried += 1
    assert tried > 150


def refuse(*_):
    raise repeat.CannotRepeatError("Not here.")


def other_than(whole):
    return lambda path: justesse.dossier_diff(path, whole)


def test_an_earlier_dossier_without_a_chain_is_named(files, tmp_path):
    first = justesse.evaluate(files[0]).dossier(tmp_path / "a.json")
    second = justesse.evaluate(files[0]).dossier(tmp_path / "b.json")
    resealed(first, lambda record: record.pop("chain"))
    sha256 = read_record(first)["seal"]["sha256"]
    resealed(second, lambda record: record["chain"]["previous"].update(sha256=sha256))
    (fault,) = justesse.dossier_verify(second).faults
    assert (fault.check, "does not say what it follows" in str(fault.sentence)) == ("chain", True)


def test_replay_opens_no_file_elsewhere_unless_it_is_said_where(files, tmp_path, monkeypatch):
    for name in ("here", "mailed"):
        (tmp_path / name).mkdir()
    path = justesse.evaluate(files[0]).dossier(tmp_path / "mailed" / "e.json")
    monkeypatch.chdir(tmp_path / "here")
    opened = []
    monkeypatch.setattr("justesse.verbs.dossier.replay.data_prints", lambda *a: opened.append(a))
    result = justesse.dossier_replay(path)
    assert opened == []
    assert "--data" in result.repetitions[1].reason
    (tmp_path / "other").mkdir()
    justesse.dossier_replay(path, data=tmp_path / "other")
    assert opened == []
    monkeypatch.undo()
    assert justesse.dossier_replay(path, data=tmp_path).repetitions[1].state == "same"


def test_a_number_that_is_none_is_named_by_its_place():
    with pytest.raises(InputError, match=r"d.json, line 2, column 7: 18e633 is not a number"):
        parsed('{\n "n": 18e633}', "d.json")
