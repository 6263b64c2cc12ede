"""Several candidates and re-checked rows: `compare` ranks all classifiers, however their answers are given."""

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.verbs.schemas import schema


@pytest.fixture
def rows():
    """Give 3,000 rows with pseudo-labels and four classifiers, one of them clearly the worst."""
    rng = np.random.default_rng(1)
    true = rng.integers(4, size=3000)
    pseudo = np.where(rng.random(3000) < 0.06, (true + 1) % 4, true)
    columns = {"id": np.arange(3000), "true": true, "label": pseudo}
    for name, skill in (("old", 0.8), ("new", 0.95), ("big", 0.94), ("tiny", 0.5)):
        follows = np.where(rng.random(3000) < 0.5, pseudo, true)
        columns[name] = np.where(rng.random(3000) < skill, follows, rng.integers(4, size=3000))
    return pd.DataFrame(columns)


@pytest.fixture
def checked(rows):
    return rows[["id", "true"]].sample(400, random_state=2)


def ranked(rows, checked, **options):
    data = rows.drop(columns="true")
    return justesse.compare(
        data, incumbent="old", candidate=["new", "big", "tiny"], on="id", audited=checked, **options
    )


def one_each(rows, columns=("id", "label")):
    names = ("old", "new", "big", "tiny")
    return [rows[[*columns, name]].rename(columns={name: "prediction"}) for name in names]


def test_columns_of_one_table_and_tables_of_their_own_give_the_same(rows, checked):
    together = ranked(rows, checked).to_dict()["leaderboard"]
    apart = justesse.compare(*one_each(rows), on="id", audited=checked).to_dict()["leaderboard"]
    for one, other in zip(together["standings"], apart["standings"], strict=True):
        assert {**one, "name": ""} == {**other, "name": ""}
    assert [pair["value"] for pair in together["differences"]] == [pair["value"] for pair in apart["differences"]]
    assert len(together["differences"]) == 6


def test_candidates_need_no_labels_of_their_own(rows, checked):
    tables = [one_each(rows)[0], *one_each(rows, ("id",))[1:]]
    with_labels = justesse.compare(*one_each(rows), on="id", audited=checked).to_dict()["leaderboard"]
    assert justesse.compare(*tables, on="id", audited=checked).to_dict()["leaderboard"] == with_labels


def test_it_holds_the_truth_and_keeps_its_schema(rows, checked):
    result = ranked(rows, checked)
    written = result.to_dict()
    jsonschema.validate(written, schema("compare"))
    for standing in written["leaderboard"]["standings"]:
        truth = np.mean(rows[standing["name"]] == rows.true)
        assert standing["accuracy"]["interval"]["low"] <= truth <= standing["accuracy"]["interval"]["high"]
    last = written["leaderboard"]["standings"][-1]
    assert (last["name"], last["rank"]) == ("tiny", [4, 4])
    assert set(written["leaderboard"]["contenders"]) == {"new", "big"}


def test_the_reader_sees_ranks_and_all_pairs(rows, checked):
    result = ranked(rows, checked)
    page = result.markdown("full")
    assert "the most accurate is one of these 2: " in page
    assert "Corrected for all 6 pairs of 4 classifiers" in page
    assert "leaderboard" in result.drawings()
    assert "rank 4" in result.chart("leaderboard").to_dict()["description"]


def test_tried_counts_all_classifiers(rows, checked):
    assert ranked(rows, checked, tried=9).to_dict()["leaderboard"]["tried"] == 10


def test_answers_left_out_give_a_warning_instead_of_ranks(rows, checked):
    gaps = rows.astype({"tiny": "Int64"})
    gaps.loc[gaps.index[:5], "tiny"] = pd.NA
    kept = checked[~checked.id.isin(gaps.id[:5])]
    result = ranked(gaps, kept, missing="drop")
    assert result.to_dict()["leaderboard"] is None
    assert any(warning.startswith("No leaderboard: ") for warning in result.warnings)


@pytest.mark.parametrize("options", [{}, {"noise_rate": 0.05}])
def test_without_re_checked_rows_or_with_one_candidate_there_is_none(rows, checked, options):
    data = rows.drop(columns="true")
    assert justesse.compare(data, incumbent="old", candidate=["new", "big"], **options).leaderboard is None
    assert justesse.compare(data, incumbent="old", candidate="new", on="id", audited=checked).leaderboard is None


def test_rows_drawn_with_known_probabilities(rows):
    rng = np.random.default_rng(3)
    picked = np.concatenate([rng.choice(600, 200, replace=False), 600 + rng.choice(2400, 200, replace=False)])
    table = rows.loc[picked, ["id", "true"]].assign(probability=np.where(picked < 600, 1 / 3, 1 / 12))
    board = ranked(rows, table).leaderboard
    assert {row.accuracy.interval.method for row in board.standings} == {"recheck-drawn"}
