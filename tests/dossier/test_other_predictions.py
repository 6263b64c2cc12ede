"""Re-evaluation where predictions differ, not labels: each step is named after what changed."""

import pytest

import justesse


@pytest.fixture
def old():
    return {
        "id": list(range(60)),
        "label": ["a", "b", "c"] * 20,
        "prediction": ["a", "b", "a"] * 20,
        "site": ["north", "south"] * 30,
    }


def titles(result):
    sections = {section.title: section for section in result.document().sections}
    return list(sections), [row[0] for row in sections["Step by step"].parts[0].rows]


def test_other_predictions_are_named_and_groups_left_out(old, tmp_path):
    path = justesse.evaluate(old, by="site").dossier(tmp_path / "a.json")
    new = {**old, "prediction": ["a", "b", "c", *old["prediction"][3:]]}
    result = justesse.dossier_reevaluate(path, new, old_data={"data": old})
    assert (result.labels.corrected, result.predictions) == (0, 1)
    sections, steps = titles(result)
    assert steps[1] == "Same rows, other predictions"
    assert "Impact of wrong labels on groups" not in sections
    assert "1 prediction differs in the same rows" in str(result.headline)


def test_corrected_labels_keep_their_name(old, tmp_path):
    path = justesse.evaluate(old, by="site").dossier(tmp_path / "a.json")
    new = {**old, "label": ["a", "b", "a", *old["label"][3:]]}
    result = justesse.dossier_reevaluate(path, new, old_data={"data": old})
    assert (result.labels.corrected, result.predictions) == (1, 0)
    sections, steps = titles(result)
    assert steps[1] == "Same rows, corrected labels"
    assert "Impact of wrong labels on groups" in sections


def test_both_are_named(old, tmp_path):
    path = justesse.evaluate(old).dossier(tmp_path / "a.json")
    new = {**old, "label": ["b", *old["label"][1:]], "prediction": ["c", *old["prediction"][1:]]}
    result = justesse.dossier_reevaluate(path, new, old_data={"data": old})
    assert titles(result)[1][1] == "Same rows, corrected labels and other predictions"
