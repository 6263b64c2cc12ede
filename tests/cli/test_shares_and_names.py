"""Percentages wherever shares are, and names that hold commas."""

import pandas as pd
import pytest

from justesse.cli.split_names import split_names
from justesse.core.errors import OptionError
from justesse.core.shares import share

ROWS = pd.DataFrame(
    {
        "id": range(400),
        "label": (["a,b"] * 3 + ["c"]) * 100,
        "old": (["a,b"] * 2 + ["c"] * 2) * 100,
        "new,1": (["a,b"] * 3 + ["c"]) * 95 + ["c"] * 20,
        "where, exactly": ["north", "south"] * 200,
        "true": (["a,b"] * 3 + ["c"]) * 100,
    }
)


@pytest.fixture
def rows(tmp_path):
    ROWS.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "rows.csv"


PAIRS = [
    (["plan", "precision", "--half-width", "1%", "--level", "90%"], ["plan", "precision", "--half-width", "0.01", "--level", "0.9"]),
    (
        ["plan", "difference", "--difference", "2%", "--disagreement", "8 %", "--power", "80%"],
        ["plan", "difference", "--difference", "0.02", "--disagreement", "0.08", "--power", "0.8"],
    ),
    (["evaluate", "FILE", "--prediction", "old", "--noise-rate", "0%:3%", "--level", "99.5%", "--half-width", "1%"],
     ["evaluate", "FILE", "--prediction", "old", "--noise-rate", "0:0.03", "--level", "0.995", "--half-width", "0.01"]),
    (["compare", "FILE", "--incumbent", "old", "--candidate", '"new,1"', "--margin", "0.3%", "--noise-rate", "3%"],
     ["compare", "FILE", "--incumbent", "old", "--candidate", '"new,1"', "--margin", "0.003", "--noise-rate", "0.03"]),
    (["noise", "bounds", "FILE", "--prediction", "old", "--noise-rate", "5%"],
     ["noise", "bounds", "FILE", "--prediction", "old", "--noise-rate", "0.05"]),
    (["tournament", "FILE", "--model", 'old,"new,1"', "--judge", "paired,sharp", "--noise-rate", "2%", "--margin", "1%"],
     ["tournament", "FILE", "--model", 'old,"new,1"', "--judge", "paired,sharp", "--noise-rate", "0.02", "--margin", "0.01"]),
]  # fmt: skip


@pytest.mark.parametrize("at", range(len(PAIRS)))
def test_a_percentage_is_the_share(run, rows, at):
    one, other = (run(*(rows if word == "FILE" else word for word in words), "--json") for words in PAIRS[at])
    assert one.code in (0, 1), one.err
    assert one.out == other.out


@pytest.mark.parametrize("word", ["1%%", "one", "%", "5 percent", ""])
def test_what_is_no_share_is_refused(run, word):
    ran = run("plan", "precision", "--half-width", word)
    assert ran.code == 2
    assert "5%" in ran.err or "requires an argument" in ran.err
    with pytest.raises(OptionError, match="a percentage such as 5%"):
        share(word, "the margin")


def test_a_percentage_is_exact():
    assert [share(f"{tenths / 10}%", "it") for tenths in range(1, 50)] == [tenths / 1000 for tenths in range(1, 50)]


def test_shares_out_of_range_are_refused_in_percent_too(run, rows):
    for words in (["--level", "100%"], ["--margin", "-1%"], ["--noise-rate", "101%"]):
        assert run("compare", rows, "--incumbent", "old", "--candidate", "true", *words).code == 2


def test_names_with_commas(run, rows):
    found = run(
        "evaluate", rows, "--prediction", "old", "--by", '"where, exactly"', "--classes", '"a,b",c', "--json"
    ).json
    assert found["classes"] == ["a,b", "c"]
    assert {one["column"] for one in found["by"]} == {"where, exactly"}
    several = [
        "tournament",
        rows,
        "--model",
        '"new,1",old',
        "--measure",
        'recall:"a,b",accuracy',
        "--judge",
        "paired",
        "--json",
    ]
    ran = run(*several)
    assert ran.code == 0, ran.err
    assert [(one["measure"], one["class"]) for one in ran.json["rounds"]] == [("recall", "a,b"), ("accuracy", None)]
    assert sorted(ran.json["models"]) == ["new,1", "old"]
    compared = run(
        "compare", rows, "--incumbent", "old", "--candidate", '"new,1"', "--measure", "recall:a,b", "--json"
    ).json
    assert compared["candidate"]["name"] == "new,1"
    assert run("evaluate", rows, "--prediction", "old", "--classes", '"a,b').code == 2


def test_names_are_split_as_a_row_of_csv():
    assert split_names('a, "b ""c"", d" ,e') == ["a", 'b "c", d', "e"]
    with pytest.raises(OptionError, match="not closed"):
        split_names('"a,b')
