"""Which rows to label, and the list read back: the whole way, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.core.errors import JustesseError


@pytest.fixture
def rows():
    rng = np.random.default_rng(4)
    n = 3000
    hard = rng.random(n) ** 3
    true = rng.integers(2, size=n)
    columns = {"id": [f"r{at}" for at in range(n)], "true": true}
    for name, share in (("pseudo", 0.3), ("old", 0.5), ("prediction", 0.4)):
        columns[name] = np.where(rng.random(n) < share * hard, 1 - true, true)
    sure = 1 - 0.4 * hard
    columns["p_0"] = np.where(columns["prediction"] == 0, sure, 1 - sure)
    columns["p_1"] = 1 - columns["p_0"]
    return pd.DataFrame(columns)


def labelled(rows, plan):
    table = plan.rows.to_pandas()
    return table.assign(true=rows.set_index("id").true.loc[table.id].to_numpy())


def test_the_whole_way(rows, tmp_path):
    data = rows.drop(columns="true")
    plan = justesse.plan_labels(data, active=True, budget=400, label="pseudo", proba="p_", to=tmp_path / "list.csv")
    written = pd.read_csv(tmp_path / "list.csv")
    assert list(written.columns) == ["order", "id", "stratum", "stratum_rows", "chance", "fixed", "probability"]
    assert plan.n == len(written) == written.id.nunique() == 400
    assert (1 / written.probability).sum() == pytest.approx(3000)
    assert "Label these 400 of 3,000 rows" in plan.answer
    json.dumps(plan.to_dict(), allow_nan=False)
    assert "Strata" in plan.markdown("full")
    checked = labelled(rows, plan)
    checked.to_csv(tmp_path / "checked.csv", index=False)
    result = justesse.evaluate(
        data, label="pseudo", prediction="prediction", audited=str(tmp_path / "checked.csv"), on="id"
    )
    powered = result.to_dict()["noise"]["rungs"][0]["powered"]
    truth = np.mean(rows.prediction == rows.true)
    assert powered["interval"]["low"] <= truth <= powered["interval"]["high"]
    assert powered["interval"]["method"] == "recheck-drawn"
    assert powered["always_valid"]["low"] <= truth <= powered["always_valid"]["high"]
    assert powered["worth"] > 500
    assert "rows drawn at random" in result.headline
    assert result.assumptions[0].startswith("the 400 re-checked rows were drawn with the probabilities listed")
    assert result.to_dict()["noise"]["rates"] == []
    pair = justesse.compare(data, label="pseudo", incumbent="old", candidate="prediction", audited=checked, on="id")
    rung = pair.to_dict()["noise"]["rungs"][0]
    compared, powered = rung["found"][0], rung["powered"]
    difference = truth - np.mean(rows.old == rows.true)
    assert compared["interval"]["low"] <= difference <= compared["interval"]["high"]
    for interval in (powered["always_valid"], powered["alone"]):
        assert interval["low"] <= difference <= interval["high"]
    labels = np.mean(rows.prediction == rows.pseudo) - np.mean(rows.old == rows.pseudo)
    assert powered["bias"]["interval"]["low"] <= labels - difference <= powered["bias"]["interval"]["high"]
    assert "If you may stop labelling at any time: difference of accuracy on these rows " in pair.markdown("full")


def test_labelling_may_stop_early_but_skip_nothing(rows):
    data = rows.drop(columns="true")
    checked = labelled(rows, justesse.plan_labels(data, active=True, budget=200, label="pseudo"))
    checked["true"] = checked.true.astype(object)
    first = checked.copy()
    first.loc[first.order > 120, "true"] = None
    options = {"label": "pseudo", "prediction": "prediction", "on": "id"}
    assert justesse.evaluate(data, audited=first, **options).to_dict()["noise"]["rungs"][0]["powered"]["n"] == 120
    checked.loc[3, "true"] = None
    with pytest.raises(JustesseError, match="Label the rows in their order, and skip none"):
        justesse.evaluate(data, audited=checked, **options)
    with pytest.raises(JustesseError, match="Number 4 in column .* is not in"):
        justesse.evaluate(data, audited=checked.drop(index=3), **options)
    with pytest.raises(JustesseError, match="has a true class yet"):
        justesse.evaluate(data, audited=checked.assign(true=None), **options)


@pytest.mark.parametrize("seed", range(6))
def test_a_list_with_two_disputed_labels_can_be_evaluated(seed):
    """Without a row of each stratum the list said nothing of the two, and evaluate refused it."""
    true = np.arange(2000) % 2
    rows = pd.DataFrame(
        {"id": range(2000), "prediction": true, "pseudo": np.where(np.arange(2000) < 2, 1 - true, true)}
    )
    plan = justesse.plan_labels(rows, active=True, budget=30, label="pseudo", seed=seed)
    checked = plan.rows.to_pandas()
    checked["true"] = true[checked.id]
    options = {"label": "pseudo", "prediction": "prediction", "on": "id"}
    for answers in (checked, checked[["id", "true", "probability"]], checked[checked.order <= 10]):
        powered = justesse.evaluate(rows, audited=answers, **options).to_dict()["noise"]["rungs"][0]["powered"]
        assert powered["interval"]["low"] <= 1 <= powered["interval"]["high"] + 1e-12
    pair = justesse.compare(
        rows.assign(old=rows.prediction),
        label="pseudo",
        incumbent="old",
        candidate="prediction",
        audited=checked,
        on="id",
    )
    assert pair.to_dict()["noise"]["rungs"][0]["powered"]["always_valid"]["low"] <= 0


def test_lists_without_fixed_rows_are_still_read(rows):
    """Lists written before the first rows were fixed have no such column; a column that was changed is refused."""
    data = rows.drop(columns="true")
    checked = labelled(rows, justesse.plan_labels(data, active=True, budget=100, label="pseudo"))
    options = {"label": "pseudo", "prediction": "prediction", "on": "id"}
    old = justesse.evaluate(data, audited=checked.drop(columns="fixed"), **options)
    new = justesse.evaluate(data, audited=checked, **options)
    assert old.best_known("accuracy") == new.best_known("accuracy")
    with pytest.raises(JustesseError, match="must be 1 for the first rows"):
        justesse.evaluate(data, audited=checked.assign(fixed=(checked.order > 50).astype(int)), **options)


def test_a_column_of_probabilities_is_enough(rows):
    data = rows.drop(columns="true")
    checked = labelled(rows, justesse.plan_labels(data, active=True, budget=200, proba="p_", label="pseudo"))
    options = {"label": "pseudo", "prediction": "prediction", "on": "id"}
    short = justesse.evaluate(data, audited=checked[["id", "true", "probability"]], **options)
    whole = justesse.evaluate(data, audited=checked, **options)
    assert short.best_known("accuracy").value == pytest.approx(whole.best_known("accuracy").value)
    assert short.best_known("accuracy").interval.low == pytest.approx(whole.best_known("accuracy").interval.low)
    assert short.to_dict()["noise"]["rungs"][0]["powered"]["always_valid"] is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.assign(probability=0), "at least 1e-12 and at most 1"),
        (lambda t: t.assign(probability=1e-300), "at least 1e-12 and at most 1 .* Write the probability"),
        (lambda t: t.assign(probability="often"), "must hold numbers"),
        (lambda t: t.assign(probability=np.linspace(0.1, 0.9, len(t))), "200 different values"),
        (lambda t: t.assign(probability=0.5), "drawn from 400 rows, but there are 3,000"),
        (lambda t: t.drop(columns="true"), "No column 'true'"),
    ],
)
def test_bad_probabilities_are_refused(rows, change, words):
    data = rows.drop(columns="true")
    checked = labelled(rows, justesse.plan_labels(data, active=True, budget=200, label="pseudo"))
    with pytest.raises(JustesseError, match=words):
        justesse.evaluate(
            data,
            audited=change(checked[["id", "true", "probability"]]),
            on="id",
            label="pseudo",
            prediction="prediction",
        )


def test_other_commands_need_a_random_sample(rows):
    data = rows.drop(columns="true")
    checked = labelled(rows, justesse.plan_labels(data, active=True, budget=200, label="pseudo"))
    with pytest.raises(JustesseError, match="a random sample is needed"):
        justesse.noise_estimate(data, label="pseudo", audited=checked, on="id")


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        (lambda t: t, {}, "Name what says where a label tells most"),
        (lambda t: t, {"proba": "q_"}, "No column 'q_"),
        (lambda t: t.assign(p_0=0.9), {"proba": "p_"}, "add up to 1"),
        (lambda t: t.assign(id="x"), {"label": "pseudo"}, "more than once"),
        (lambda t: t.drop(columns="id"), {"label": "pseudo"}, "No column 'id'"),
        (lambda t: t, {"label": "pseudo", "budget": 5}, "between 20 and 3,000"),
    ],
)
def test_bad_rows_are_refused(rows, change, options, words):
    with pytest.raises(JustesseError, match=words):
        justesse.plan_labels(change(rows), active=True, **options)


def test_a_file_without_active_and_nothing_at_all_are_refused(rows):
    with pytest.raises(JustesseError, match="active"):
        justesse.plan_labels(rows)
    with pytest.raises(JustesseError, match="half_width"):
        justesse.plan_labels()
    with pytest.raises(JustesseError, match="Name the file"):
        justesse.plan_labels(active=True)
