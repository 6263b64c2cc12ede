"""Predictions that are no class of the labels: `justesse lifelong` counts them as wrong, and says so."""

import json

import pytest

from justesse.cli.main import main

SAID = "3 predictions{} are no class of the labels: 'Cat' (2), 'dgo' (1). They count as wrong."


@pytest.fixture
def tables(tmp_path):
    """Two systems; the second misspells three of its twelve answers."""
    paths = tmp_path / "old.csv", tmp_path / "new.csv"
    for path, odd in zip(paths, ({}, {0: "Cat", 3: "dgo", 7: "Cat"}), strict=True):
        rows = [
            f"{item},v1,{1 + item // 6},{('cat', 'dog')[item % 2]},{odd.get(item, ('cat', 'dog')[item % 3 % 2])}"
            for item in range(12)
        ]
        path.write_text("id,version,time,label,prediction\n" + "\n".join(rows) + "\n")
    return [str(path) for path in paths]


def warnings(capsys, *words):
    main(["lifelong", *words, "--json"])
    return json.loads(capsys.readouterr().out)["warnings"]


def test_scores(tables, capsys):
    assert SAID.format("") in warnings(capsys, "score", tables[1])
    assert not any("no class" in line for line in warnings(capsys, "score", tables[0]))


def test_the_stream(tables, capsys):
    assert SAID.format("") in warnings(capsys, "prequential", tables[1])
    assert not any("no class" in line for line in warnings(capsys, "prequential", tables[0]))


def test_comparisons(tables, capsys):
    assert SAID.format(" of the candidate") in warnings(capsys, "compare", *tables)
    assert SAID.format(" of the incumbent") in warnings(capsys, "compare", *tables[::-1])


def test_maps(tables, capsys):
    assert SAID.format(" of new") in warnings(capsys, "map", *tables)


def test_a_missing_answer_is_no_class_of_its_own(tables, capsys):
    with open(tables[0], "a") as file:
        file.write("12,v1,2,cat,\n")
    assert not any("no class" in line for line in warnings(capsys, "score", tables[0], "--missing", "wrong"))
    assert not any("no class" in line for line in warnings(capsys, "prequential", tables[0], "--missing", "wrong"))
