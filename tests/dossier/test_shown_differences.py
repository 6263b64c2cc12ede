"""What differs between two evaluations, in the order in which people read it."""

import numpy as np
import pytest

import justesse
from justesse.verbs.dossier.named_figures import changed_figures


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
    assert figures[0] == "main figure, accuracy"
    assert "recall of 'c0'" in figures
    named = [name for name in figures if name.startswith("counts, ")]
    assert len(named) == 2
    assert "counts, c0, c5" in named
    assert figures[-2:] == named
    cells = [f"/counts/{name.removeprefix('counts, ')}" for name in named]
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


def test_figures_have_the_names_that_people_use_whatever_their_place(table, tmp_path):
    fewer = {name: [item for item, label in zip(column, table["label"], strict=True) if label != "c0"] for name, column in table.items()}  # fmt: skip
    first = justesse.evaluate(table).dossier(tmp_path / "a.json")
    second = justesse.evaluate({**fewer, "prediction": [*fewer["prediction"][:-1], "c1"]}, level=0.9).dossier(
        tmp_path / "b.json"
    )
    diff = justesse.dossier_diff(first, second)
    old, new = justesse.evaluate(table), justesse.evaluate(fewer, level=0.9)
    listed = {item.what: item for item in diff.of("figure")}
    recall = listed["recall of 'c3'"]  # one place further up without c0
    assert recall.before.startswith(f"{old['recall', 'c3'].value:.4f} ({old['recall', 'c3'].interval.low:.4f} to ")
    assert recall.now.startswith(f"{new['recall', 'c3'].value:.4f} ({new['recall', 'c3'].interval.low:.4f} to ")
    assert recall.where.startswith("/results/measures/")
    assert not any("/" in name for name in listed)
    assert len(listed) == len(diff.of("figure"))
    assert [item.what for item in diff.of("option")] == ["level"]


def test_a_figure_of_one_is_no_name(tmp_path):
    right = {"label": ["a", "b", "c"] * 20, "prediction": ["a", "b", "c"] * 20}
    wrong = {**right, "prediction": ["b", *right["prediction"][1:]]}
    paths = [justesse.evaluate(data).dossier(tmp_path / f"{name}.json") for name, data in (("a", right), ("b", wrong))]
    diff = justesse.dossier_diff(*paths)
    listed = {item.what: (item.before[:6], item.now[:6]) for item in diff.of("figure")}
    assert listed["precision of 'b'"] == ("1.0000", "0.9524")
    assert not any(name.startswith("1") for name in listed)
    assert str(diff.headline).startswith('The verdict is the same. Before: "Accuracy 100.0 %')


def test_figures_that_read_alike_are_written_in_full():
    old, new = ({"share": 0.123456789, "n": 3}, {"share": 0.123456788, "n": 3})
    (figure,) = changed_figures(old, new)
    assert (figure.before, figure.now) == ("0.123456789", "0.123456788")


def test_several_comparisons_are_named_after_their_candidates():
    def results(value):
        return {
            "difference": value,
            "comparisons": [{"candidate": {"name": name}, "difference": value} for name in "ab"],
        }

    assert [figure.name for figure in changed_figures(results(0.1), results(0.2))] == ["a, difference", "b, difference"]


def test_a_line_only_one_result_has_is_shown_beside_none():
    old, new = (
        {"measures": [{"name": "recall", "class": name, "value": 0.5} for name in names]} for names in ("ab", "b")
    )
    assert [(item.name, item.before, item.now) for item in changed_figures(old, new)] == [
        ("recall of 'a'", "0.5", "none")
    ]
