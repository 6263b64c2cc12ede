"""The dossier of every command: each figure follows from what is kept, and whatever is changed or removed is found."""

import copy
import json
import math
import random
import re

import numpy as np
import pytest

import justesse
from contracts.test_pages import _results
from justesse.core.recording import remembered
from justesse.dossier.layout import laid_out, read_record
from justesse.dossier.seal import sealed
from justesse.verbs.dossier.sufficient import BASES, FROM_DATA, KEPT, NOT_KEPT, WRITES

PLACE = re.compile(r"line \d+, column \d+|/[^\s:;,]+|key '[^']*'")
OUTSIDE = ("run", "schema", "version")
SLOW = ("compare answers", "annotators-compare")  # computed again once, not for every forgery


def _more(folder):
    """Make results that pages have in another form: an event file, an audit that ran to its end, versions with training."""
    rng = np.random.default_rng(0)
    events = {"id": range(300), "variant": ["old", "new"] * 150, "outcome": rng.integers(0, 2, 300).tolist()}
    justesse.ab_start(folder / "events.ab", events)
    rows = {"id": range(200), "label": ["a"] * 150 + ["b"] * 30 + ["c"] * 20, "old": ["b"] * 60 + ["a"] * 140, "new": ["a"] * 150 + ["c"] * 50,
            "third": ["a", "b"] * 100, "true": ["a"] * 190 + ["c"] * 10}  # fmt: skip
    paired = {"incumbent": "old", "candidate": "new", "on": "id", "true": "true"}
    justesse.audit_start(rows, **paired, to=folder / "done.audit")
    justesse.audit_start(rows, models=["old", "new", "third"], on="id", true="true", to=folder / "pooled.audit")
    over_time = {
        "id": list(range(80)),
        "version": ["a"] * 80,
        "time": [1, 2] * 40,
        "label": ["x"] * 80,
        "is": ["x"] * 80,
    }
    systems = [{**over_time, "prediction": [name] * 20 + ["x"] * 60} for name in ("y", "z")]
    binary = {"label": [0, 1] * 40, "prediction": [0, 1, 1, 1] * 20}
    answers = [{"id": range(200), "label": rows["label"], "prediction": rows[name]} for name in ("old", "new", "third")]
    checked = {"id": range(0, 200, 4), "label": rows["label"][::4], "true": rows["true"][::4]}
    return {
        "compare several, some rows re-checked": justesse.compare(*answers, on="id", audited=checked),
        "ab status": justesse.ab_status(folder / "events.ab"),
        "audit report": justesse.audit_report(folder / "done.audit", folder / "page.html"),
        "audit extend": justesse.audit_extend(folder / "a.audit", budget=12),
        "audit status of several": justesse.audit_status(folder / "pooled.audit"),
        "audit start by cost": justesse.audit_start(rows, **paired, cost=[[0, 1, 2], [1, 0, 2], [3, 1, 0]],
                                                    to=folder / "cost.audit"),
        "lifelong audit": justesse.lifelong_audit(*systems, true="is", to=folder / "time.audit"),
        "noise estimate of counts": justesse.noise_estimate(
            justesse.Tally.of(("true", "label"), [("a", "a", 40), ("a", "b", 3), ("b", "b", 50), ("b", "a", 2)])),
        "class weights": justesse.evaluate(binary, class_weight={0: 1.0, 1: 4.0}),
        "classes in a range": justesse.evaluate(binary, classes=range(2)),
        "evaluate tally": justesse.evaluate(justesse.Tally.of(("label", "prediction"), [("a", "a", 9), ("b", "a", 3)])),
        "plan error": justesse.plan_error(sd=2, half_width=0.1),
        "plan noise": justesse.plan_noise(noise_rate=0.05, half_width=0.02),
        "plan precision": justesse.plan_precision(half_width=0.02),
        "plan error difference": justesse.plan_error_difference(sd=2, difference=0.1),
        "regression arrays": justesse.evaluate_regression(y_true=[1.0, 2, 3, 5] * 9, y_pred=[1.5, 2, 2, 6] * 9),
    }  # fmt: skip


@pytest.fixture(scope="module")
def dossiers(tmp_path_factory):
    """Write the dossier of every result, each as a project of its own."""
    folder = tmp_path_factory.mktemp("every")
    results = {**_results(folder), **_more(folder)}
    own = {name: result for name, result in results.items() if result.recording is not None}
    written = {}
    for at, (name, result) in enumerate(own.items()):
        (folder / f"{at}").mkdir()
        written[name] = result.dossier(folder / f"{at}" / "d.json")
    return written


def figures(path):
    (check,) = [check for check in justesse.dossier_verify(path).checks if check.name == "figures"]
    return check


def forged(path, folder, change):
    record = copy.deepcopy(read_record(path))
    change(record)
    other = folder / "forged.json"
    other.write_text(laid_out({**sealed(record), "signature": None}))
    return other


def test_every_function_of_the_library_says_how_its_figures_are_checked():
    verbs = {name for name in justesse.PLACES if hasattr(getattr(justesse, name), "__wrapped__")}
    assert set(KEPT) <= verbs
    assert set(NOT_KEPT) <= verbs - set(KEPT)
    assert set(KEPT) > FROM_DATA
    words = {"ab_add", "ab_start", "audit_answer", "audit_export", "audit_next", "recheck_answer", "recheck_next"}
    assert verbs - set(KEPT) - set(NOT_KEPT) == words, f"say why, or keep what the figures follow from ({WRITES})"


def test_every_function_that_keeps_something_is_tried_here(dossiers):
    kept = {record["asked"]["verb"]: record for record in map(read_record, dossiers.values())}
    assert set(KEPT) <= set(kept)


def test_every_figure_follows_from_what_is_kept(dossiers):
    for name, path in dossiers.items():
        record = read_record(path)
        result = justesse.dossier_verify(path)
        assert result.passed, name
        if record["asked"]["verb"] not in KEPT:
            assert {part["checked"] for part in result.basis()} == {"checksum"}, name
            assert set(result.hashed) == set(record["results"]) - set(OUTSIDE), name
            assert record["recomputed"]["why"].startswith("The figures of justesse."), name
            continue
        assert record["recomputed"]["except"] == [], name
        assert {check.name: check.state for check in result.checks}["figures"] == "passed", name
        assert result.hashed == [], name
        assert {part["checked"] for part in result.basis() if part["figure"] not in OUTSIDE} != {"checksum"}, name


def test_every_dossier_can_be_attested_with_its_figures(dossiers, tmp_path):
    for name, path in dossiers.items():
        text = justesse.dossier_export(path, to=tmp_path / "out.json", form="in-toto").text
        predicate = json.loads(text)["predicate"]
        assert bool(predicate["results"]) != bool(predicate["figures"]), name
        assert all(claim["metric"] and "interval" in claim for claim in predicate["results"]), name


def numbers(value, where=()):
    """List the places of numbers, shallow ones first."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    deeper = []
    for key, item in items:
        if isinstance(item, float) or (isinstance(item, int) and not isinstance(item, bool)):
            yield (*where, key)
        elif isinstance(item, (dict, list)):
            deeper.append((key, item))
    for key, item in deeper:
        yield from numbers(item, (*where, key))


def test_a_figure_that_was_changed_and_sealed_again_is_named(dossiers, tmp_path):
    for name, path in dossiers.items():
        record = read_record(path)
        if record["asked"]["verb"] not in KEPT or name in SLOW:
            continue
        places = [place for place in numbers(record["results"]) if place[0] not in OUTSIDE]
        place = places[len(places) // 2]

        def change(record, place=place):
            holder = record["results"]
            for key in place[:-1]:
                holder = holder[key]
            holder[place[-1]] = holder[place[-1]] + 1 if math.isfinite(holder[place[-1]]) else 1

        check = figures(forged(path, tmp_path, change))
        assert check.state == "failed", (name, place)
        assert check.places[0].startswith("/results/" + str(place[0])), (name, place, check.places)


def test_counts_that_were_removed_are_named(dossiers, tmp_path):
    for name, path in dossiers.items():
        record = read_record(path)
        verb = record["asked"]["verb"]
        own = [key for key in KEPT.get(verb, ()) if record["kept"].get(key)]
        if not own:
            assert verb not in KEPT or not KEPT[verb] or not record["data"], name
            continue

        def emptied(record):
            record["kept"] = {}
            record["recomputed"] = {"from": [], "except": [""], "why": "Too large."}

        def nulled(record, own=own):
            record["kept"] |= {key: [None] * len(record["kept"][key]) for key in own}
            record["recomputed"] = {"from": [], "except": [""], "why": "Too large."}

        for change in (emptied, nulled):
            other = forged(path, tmp_path, change)
            check = figures(other)
            assert check.state == "failed", (name, change.__name__)
            expected = KEPT[verb][:1] if change is emptied else own
            assert check.places[0].split("/")[2] in expected, (name, check.places)
            assert "is missing" in str(check.sentences[0])


def test_an_option_cannot_be_made_an_object_to_escape(dossiers, tmp_path):
    def change(record):
        record["asked"]["options"]["level"] = {"$object": "Level()"}
        record["recomputed"] = {"from": [], "except": [""], "why": "An option holds an object."}

    check = figures(forged(dossiers["evaluate"], tmp_path, change))
    assert (check.state, check.places) == ("failed", ("/asked/options/level",))


def test_answers_of_an_audit_that_were_changed_change_its_evidence(dossiers, tmp_path):
    for name in ("audit report", "audit status of several", "lifelong audit"):

        def change(record):
            kept = record["kept"]["result"][0]["value"]
            assert kept["entries"][0][3] == "a" or kept["entries"][0][3] == "x"
            kept["entries"][0][3] = "b" if kept["entries"][0][3] == "a" else "y"

        check = figures(forged(dossiers[name], tmp_path, change))
        assert check.state == "failed", name


def test_an_audit_keeps_no_text_that_experts_saw(tmp_path):
    rows = {
        "id": range(40),
        "label": ["a"] * 40,
        "old": ["b"] * 12 + ["a"] * 28,
        "new": ["a"] * 40,
        "note": ["S3CR3T"] * 40,
    }
    justesse.audit_start(rows, incumbent="old", candidate="new", on="id", show="note", to=tmp_path / "my.audit")
    path = justesse.audit_status(tmp_path / "my.audit").dossier(tmp_path / "d.json")
    assert "S3CR3T" not in path.read_text()
    assert figures(path).state == "passed"


def test_a_few_edits_of_one_byte_of_every_dossier_are_refused_and_the_place_is_named(dossiers, tmp_path):
    chance = random.Random(4)
    for name, path in dossiers.items():
        source = path.read_bytes()
        other = tmp_path / "edited.json"
        for _ in range(8):
            at, byte = chance.randrange(len(source)), chance.choice(b"0123456789abcxyz .")
            byte = byte + 1 if byte == source[at] else byte
            other.write_bytes(source[:at] + bytes([byte]) + source[at + 1 :])
            result = justesse.dossier_verify(other, quick=True, alone=True)
            assert not result.passed, (name, at, byte)
            assert PLACE.search(str(result.faults[0].sentence).replace(str(other), "")), name


def test_data_too_large_to_keep_are_said_to_be_checked_by_their_checksum_only(tmp_path, monkeypatch):
    monkeypatch.setattr("justesse.core.recording.MOST_NUMBERS", 300)
    answers = {"item": [at for at in range(60) for _ in range(3)], "annotator": ["x", "y", "z"] * 60,
               "answer": ["a", "b", "a"] * 60}  # fmt: skip
    path = justesse.annotators_agree(answers).dossier(tmp_path / "d.json")
    assert read_record(path)["kept"]["read_annotations"] == [None]
    assert not justesse.dossier_verify(path).passed
    assert "justesse dossier replay" in str(figures(path).sentences[0])
    result = justesse.dossier_verify(path, as_written=True)
    assert result.passed
    assert {check.name: check.state for check in result.checks}["figures"] == "none"
    assert "alpha" in result.to_dict()["checksum_only"]
    assert "checksum alone" in str(result.headline)


def test_what_is_read_within_something_remembered_is_not_kept_twice():
    from justesse.core.recording import Recording, during

    def outer():
        return remembered("inner", len, [1, 2]) + 1

    with during(Recording("evaluate", {})) as recording:
        assert remembered("outer", outer) == 3
    assert recording.memory == {"outer": [3]}
    assert set(BASES) >= {name for names in KEPT.values() for name in names}


def test_a_password_is_not_written_into_a_dossier():
    from justesse.verbs.dossier.asked import without_password, written_options

    options, _ = written_options({"audit": "postgresql://ann:secret@db/lab#spam"})
    assert options == {"audit": "postgresql://ann:***@db/lab#spam"}
    command = "justesse audit status 'postgresql://db/lab?user=ann&password=secret#spam' --dossier d.json"
    assert without_password(command) == command.replace("=secret", "=***")
