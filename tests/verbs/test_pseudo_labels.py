"""Few true labels beside many pseudo-labels: how much they are worth together, and the bias of the pseudo-labels."""

import numpy as np
import pandas as pd
import pytest

import justesse


@pytest.fixture
def rows():
    """Give 4,000 rows: pseudo-labels are wrong on 6 % of them, and the classifiers repeat half of these mistakes."""
    rng = np.random.default_rng(1)
    true = rng.integers(4, size=4000)
    pseudo = np.where(rng.random(4000) < 0.06, (true + 1) % 4, true)
    columns = {"id": np.arange(4000), "true": true, "pseudo": pseudo}
    for name, skill in (("old", 0.82), ("new", 0.88)):
        follows = np.where(rng.random(4000) < 0.5, pseudo, true)
        columns[name] = np.where(rng.random(4000) < skill, follows, rng.integers(4, size=4000))
    return pd.DataFrame(columns)


def sample_of(rows, n=400):
    return rows[["id", "true"]].sample(n, random_state=2)


def test_evaluate_says_what_the_re_checked_rows_are_worth(rows):
    result = justesse.evaluate(
        rows.drop(columns="true"), label="pseudo", prediction="new", audited=sample_of(rows), on="id"
    )
    powered = result.to_dict()["noise"]["rungs"][0]["powered"]
    shown = result.best_known("accuracy")
    assert powered["value"] == pytest.approx(shown.value)
    assert powered["interval"]["low"] == pytest.approx(shown.interval.low)
    assert powered["n"] == 400
    assert powered["worth"] > 600
    assert f"As precise as {int(powered['worth']):,} re-checked rows" in result.headline
    measured, true = np.mean(rows.new == rows.pseudo), np.mean(rows.new == rows.true)
    assert powered["bias"]["interval"]["low"] <= measured - true <= powered["bias"]["interval"]["high"]
    assert "Measured against the labels minus true, on these rows: " in result.markdown("full")


def test_compare_says_it_for_the_difference(rows):
    result = justesse.compare(
        rows.drop(columns="true"), label="pseudo", incumbent="old", candidate="new", audited=sample_of(rows), on="id"
    )
    rung = result.to_dict()["noise"]["rungs"][0]
    powered = rung["powered"]
    assert powered["value"] == rung["found"][0]["value"]
    assert powered["interval"] == rung["found"][0]["interval"]
    labels, truth = (np.mean(rows.new == rows[name]) - np.mean(rows.old == rows[name]) for name in ("pseudo", "true"))
    assert powered["bias"]["interval"]["low"] <= labels - truth <= powered["bias"]["interval"]["high"]
    assert powered["alone"]["low"] <= truth <= powered["alone"]["high"]
    assert powered["worth"] > 400
    assert "Measured against the labels minus true, on these rows: -0.5 points" in result.markdown("full")


def test_pseudo_labels_that_have_nothing_to_do_with_the_truth_add_nothing(rows):
    useless = rows.assign(pseudo=np.random.default_rng(3).integers(4, size=4000))
    result = justesse.evaluate(
        useless.drop(columns="true"), label="pseudo", prediction="new", audited=sample_of(rows), on="id"
    )
    assert "The labels of the other rows add nothing" in result.headline


def test_a_one_sided_bound_has_no_width_to_compare(rows):
    result = justesse.evaluate(
        rows.drop(columns="true"), label="pseudo", prediction="new", audited=sample_of(rows), on="id",
        alternative="greater",
    )  # fmt: skip
    assert result.to_dict()["noise"]["rungs"][0]["powered"]["worth"] is None
    assert "As precise as" not in result.headline


def test_with_every_row_re_checked_there_are_no_others(rows):
    few = rows[:50]
    result = justesse.evaluate(
        few.drop(columns="true"), label="pseudo", prediction="new", audited=few[["id", "true"]], on="id"
    )
    assert "of the others" not in result.headline
    powered = result.to_dict()["noise"]["rungs"][0]["powered"]
    bias = powered["bias"]["interval"]
    assert bias["low"] == pytest.approx(powered["bias"]["value"]) == pytest.approx(bias["high"])
