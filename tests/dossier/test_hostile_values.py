"""Values that justesse does not write: refused in a sentence by whatever reads a dossier."""

import pytest

import justesse
from dossier.test_hostile_dossiers import resealed
from justesse.core.errors import InputError


@pytest.fixture
def evaluated(files, tmp_path):
    return justesse.evaluate(files[0], by="site").dossier(tmp_path / "e.json")


def hostile_log(record):
    record["kept"]["logs"][0]["value"] = -0.5


def hostile_classes(record):
    record["asked"]["options"]["classes"] = {"$float": "abc"}


@pytest.mark.parametrize("change", [hostile_log, hostile_classes])
def test_hostile_values_are_refused_in_a_sentence(evaluated, files, tmp_path, change):
    resealed(evaluated, change)
    with pytest.raises(InputError, match="Ask for the dossier as it was written"):
        justesse.dossier_export(evaluated, to=tmp_path / "card.md", form="model-card")
    replay = justesse.dossier_replay(evaluated)
    assert not replay.same
    if change is hostile_classes:
        with pytest.raises(InputError, match="Ask for the dossier as it was written"):
            justesse.dossier_reevaluate(evaluated, files[0])


def test_a_hostile_audit_is_refused_in_a_sentence(tmp_path):
    rows = {"id": range(40), "label": ["a"] * 40, "old": ["b"] * 12 + ["a"] * 28, "new": ["a"] * 40, "true": ["a"] * 40}
    justesse.audit_start(rows, incumbent="old", candidate="new", on="id", true="true", to=tmp_path / "my.audit")
    path = justesse.audit_status(tmp_path / "my.audit").dossier(tmp_path / "d.json")

    def change(record):
        record["kept"]["result"][0]["value"]["drawn"][0] = {"row": 1}

    resealed(path, change)
    with pytest.raises(InputError, match="Ask for the dossier as it was written"):
        justesse.dossier_export(path, to=tmp_path / "card.md", form="model-card")
    assert not justesse.dossier_replay(path).same
    assert not justesse.dossier_verify(path).passed


def test_counts_that_break_are_not_the_same_figures(evaluated):
    assert justesse.dossier_replay(evaluated).same
    replay = justesse.dossier_replay(resealed(evaluated, hostile_log))
    assert [repetition.state for repetition in replay.repetitions] == ["not computed", "same"]
    assert not replay.same
    assert "counts in the dossier" in str(replay.headline)
    assert str(replay.document().verdict) == "Not the same figures."


def test_an_inspection_is_not_repeated(files, tmp_path):
    path = justesse.inspect(files[0]).dossier(tmp_path / "i.json")
    assert str(justesse.dossier_replay(path).document().verdict) == "Not repeated."


def test_a_model_card_holds_text_only(evaluated, tmp_path):
    def change(record):
        record["run"]["who"] = "<img src=x onerror=alert(1)>\x1b[31m"

    resealed(evaluated, change)
    text = justesse.dossier_export(evaluated, to=tmp_path / "card.md", form="model-card").text
    assert "<img" not in text.replace("\\<", "")
    assert "\x1b" not in text
