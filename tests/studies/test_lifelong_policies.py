"""The study of systems that keep learning: the page shows what was measured, and agrees with the golden matrices."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from studies.lifelong_policies.page import PAGE, parts, recorded
from studies.lifelong_policies.run import COMPARED, ERROR, MAPPED, NO_CHANGE, POLICIES, PREQUENTIAL
from studies.lifelong_policies.streams import electricity, weather
from studies.lifelong_policies.systems import SYSTEMS, fitted, lessons

DATA = Path(os.environ.get("JUSTESSE_DATA", "")) / "lifelong"
needs_data = pytest.mark.skipif(not (DATA / "golden_matrices.json").exists(), reason="needs lifelong in JUSTESSE_DATA")


def test_the_page_shows_the_recorded_figures():
    page = PAGE.read_text()
    for table in parts(recorded()).values():
        assert table in page


def test_the_words_of_the_page_are_about_these_figures():
    figures = recorded()
    sure = {
        (item.data, item.about, item.policy): item.value
        for item in figures
        if item.figure == MAPPED and item.answer == "sure"
    }
    assert [key for key in sure if key[0] == "electricity"] == [("electricity", "static, last block", "uniform")]
    rest = {key for key in sure if key[0] == "weather"}
    assert rest == {
        ("weather", f"static, {other}", policy) for other in SYSTEMS[1:] for policy in ("uniform", "recent")
    }
    compared = {
        (item.data, item.version, item.policy): (item.value, item.answer) for item in figures if item.figure == COMPARED
    }
    assert len(compared) == 54
    past, recent = (compared["electricity", "v8", policy] for policy in ("past", "recent"))
    assert past[0] < 0 < recent[0]
    assert past[1] == recent[1] == "cannot_tell"
    for version in ("v6", "v7", "v8"):
        assert compared["weather", version, "past"][1] == "keep"
        assert compared["weather", version, "recent"][1] == "replace"
    by = {(item.data, item.figure, item.about): item.value for item in figures}
    for system in SYSTEMS:
        assert by["electricity", PREQUENTIAL, system] > by["electricity", NO_CHANGE, system] + 0.07
        better = by["weather", PREQUENTIAL, system] < by["weather", NO_CHANGE, system]
        assert better == (system == "last block")


@needs_data
@pytest.mark.parametrize(("system", "name"), [("cumulative", "cumulative"), ("last block", "last")])
def test_errors_on_electricity_are_the_golden_ones(system, name):
    golden = json.loads((DATA / "golden_matrices.json").read_text())
    stream, tests = electricity(), electricity().tests
    wrong = [
        fitted(stream, learnt).predict(stream.features[tests]) != stream.label[tests]
        for learnt in lessons(stream, system)
    ]
    matrix = np.array(wrong).reshape(stream.blocks, stream.blocks, -1).mean(axis=2)
    assert matrix == pytest.approx(np.array(golden[f"elec2_error_{name}"]), abs=1e-12)
    recorded_errors = {
        (item.about, item.policy): item.value
        for item in recorded()
        if item.figure == ERROR and item.data == stream.name
    }
    for policy in POLICIES:
        last = golden[f"elec2_policy_{name}"]["equal" if policy == "uniform" else policy][-1]
        assert recorded_errors[system, policy] == pytest.approx(last, abs=1e-12)


@needs_data
def test_the_active_system_keeps_to_its_budget_and_never_asks_about_test_days():
    stream = weather()
    for block, learnt in enumerate(lessons(stream, "active")):
        assert len(np.unique(learnt)) == len(learnt) == (block + 1) * stream.budget
        assert not np.isin(learnt, stream.tests).any()
        assert stream.day[learnt].max() < (block + 1) * 118
