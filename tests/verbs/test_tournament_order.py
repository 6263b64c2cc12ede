"""Charts and tables of a tournament list the classifiers in the same order: the best first."""

import numpy as np

from justesse import tournament


def test_the_chart_of_decisions_and_the_table_of_classifiers_are_best_first():
    rng = np.random.default_rng(2)
    true = rng.integers(3, size=500)
    columns = {"true": true, "label": np.where(rng.random(500) < 0.1, (true + 1) % 3, true)}
    for name, skill in (("middle", 0.7), ("good", 0.9), ("bad", 0.5)):
        columns[name] = np.where(rng.random(500) < skill, true, rng.integers(3, size=500))
    result = tournament(columns, judges="paired")
    section = next(section for section in result.document().sections if section.id == "classifiers")
    assert [row[0] for row in section.parts[0].rows] == ["good", "middle", "bad"]
    drawn = result.chart("decisions", reference="paired").to_dict()
    tiles = next(layer["data"]["values"] for layer in drawn["layer"] if len(layer["data"]["values"]) == 6)
    assert list(dict.fromkeys(point["incumbent"] for point in sorted(tiles, key=lambda point: point["i"]))) == [
        "good",
        "middle",
        "bad",
    ]
    replaced = {(point["incumbent"], point["candidate"]) for point in tiles if point["outcome"] == "both replace"}
    assert ("bad", "good") in replaced
    assert ("good", "bad") not in replaced


def test_a_share_of_wrong_labels_is_written_in_one_way():
    rng = np.random.default_rng(2)
    true = rng.integers(3, size=1000)
    label = true.copy()
    label[:79] = (label[:79] + 1) % 3
    columns = {"true": true, "label": label}
    columns |= {name: np.where(rng.random(1000) < 0.8, true, rng.integers(3, size=1000)) for name in "abc"}
    result = tournament(columns, judges="paired")
    assert result.rounds[0].version.title == "label, 7.9 % wrong"
    assert "7.9 % of the labels wrong" in result.headline
