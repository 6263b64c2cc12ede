"""What differs between two evaluations, in the order in which people read it."""

import numpy as np
import pytest

import justesse


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    true = rng.integers(6, size=200)
    answers = np.where(rng.random(200) < 0.6, true, rng.integers(5, size=200))
    return {"id": list(range(200)), "label": [f"c{at}" for at in true], "prediction": [f"c{at}" for at in answers]}


def changed(table):
    """Give the same table with one prediction that makes a new cell."""
    at = table["label"].index("c0")
    return {**table, "prediction": [*table["prediction"][:at], "c5", *table["prediction"][at + 1 :]]}


def test_a_new_cell_of_counts_does_not_shift_the_others(table, tmp_path):
    first = justesse.evaluate(table).dossier(tmp_path / "a.json")
    second = justesse.evaluate(changed(table)).dossier(tmp_path / "b.json")
    figures = [item.what for item in justesse.dossier_diff(first, second).of("figure")]
    assert figures[0].startswith("/headline")
    cells = [name for name in figures if name.startswith("/counts/")]
    assert len(cells) == 2
    assert "/counts/c0, c5" in cells
    assert figures[-2:] == cells
    (_, again) = justesse.dossier_replay(first, data={"data": changed(table)}).repetitions
    assert [where for where, _, _ in again.differing if "/counts/" in where] == [f"/results{name}" for name in cells]
    assert again.differing[0][0].startswith(("/results/headline", "/verdict"))


def test_every_setting_of_a_plan_is_listed(table, tmp_path):
    plan = justesse.dossier_plan(
        tmp_path / "p.json", measure="accuracy", margin=0.01, level=0.95, judge="classical", alternative="greater"
    )
    asked = {"measure": "accuracy", "margin": 0.01, "judge": "classical", "alternative": "greater", "on": "id"}
    result = justesse.compare(table, changed(table), **asked)
    (tmp_path / "other").mkdir()
    first = result.dossier(tmp_path / "other" / "a.json")
    second = result.dossier(tmp_path / "b.json", plan=plan.file)
    listed = {item.what: item.now for item in justesse.dossier_diff(first, second).of("plan")}
    assert listed["judge"] == "classical"
    assert set(listed) == {"verb", "measure", "margin", "level", "judge", "alternative"}
