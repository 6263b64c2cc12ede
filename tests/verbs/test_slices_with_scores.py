"""Areas under the curves, slice by slice, equal to those of the slice's rows alone."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from justesse import evaluate
from justesse.core.errors import OptionError

RNG = np.random.default_rng(0)
N = 900
LABEL = RNG.integers(2, size=N)
SCORE = np.clip(0.5 + 0.25 * (LABEL - 0.5) + 0.2 * RNG.normal(size=N), 0, 1).round(3)
ROWS = pd.DataFrame({"y": LABEL, "score": SCORE, "site": RNG.choice(["b", "a", "c"], size=N), "year": RNG.integers(2020, 2023, size=N)})  # fmt: skip
PREDICTED = ROWS.assign(prediction=(SCORE > 0.6).astype(int))


def areas(found, column, value):
    (part,) = [one for one in found.slices if (one.column, str(one.value)) == (column, str(value))]
    return {one.name: one for one in part.estimates if one.name in ("roc_auc", "average_precision")}


@pytest.mark.parametrize("form", ["frame", "csv", "parquet"])
@pytest.mark.parametrize("rows", [ROWS, PREDICTED], ids=["scores alone", "with predictions"])
def test_each_slice_has_the_areas_of_its_rows(rows, form, tmp_path):
    data = rows
    if form != "frame":
        data = tmp_path / f"rows.{form}"
        getattr(rows, f"to_{form}")(data, index=False)
    found = evaluate(data, label="y", score="score", positive=1, by=["site", "year"])
    assert len(found.slices) == 6
    for column, part in (*((("site", value), rows[rows["site"] == value]) for value in "abc"),
                         *((("year", value), rows[rows["year"] == value]) for value in (2020, 2021, 2022))):  # fmt: skip
        mine = areas(found, *column)
        alone = evaluate(part, label="y", score="score", positive=1)
        assert mine["roc_auc"].value == pytest.approx(roc_auc_score(part["y"], part["score"]))
        assert mine["average_precision"].value == pytest.approx(average_precision_score(part["y"], part["score"]))
        assert mine["roc_auc"].interval == alone["roc_auc", 1].interval
        assert mine["roc_auc"].n == len(part)
        (own,) = [one for one in found.slices if (one.column, str(one.value)) == (column[0], str(column[1]))]
        assert own.estimates[0].value == alone["accuracy"].value


def test_a_slice_of_one_class_has_no_area_and_says_why():
    rows = ROWS.assign(site=np.where(ROWS["y"] == 1, "only", ROWS["site"]))
    found = areas(evaluate(rows, label="y", score="score", positive=1, by="site"), "site", "only")
    assert np.isnan(found["roc_auc"].value)
    assert found["roc_auc"].undefined


def test_weights_and_missing_slices():
    rows = ROWS.assign(w=RNG.integers(1, 4, size=N), site=ROWS["site"].where(ROWS["site"] != "c"))
    found = evaluate(rows, label="y", score="score", positive=1, by="site", weight="w")
    gone = rows[rows["site"].isna()]
    mine = areas(found, "site", None)["roc_auc"].value
    assert mine == pytest.approx(roc_auc_score(gone["y"], gone["score"], sample_weight=gone["w"]))


def test_terminal_json_and_page_show_the_areas(run, tmp_path):
    ROWS.to_csv(tmp_path / "rows.csv", index=False)
    words = ["evaluate", tmp_path / "rows.csv", "--label", "y", "--score", "score", "--positive", "1", "--by", "site"]
    ran = run(*words, "--report", tmp_path / "page.html")
    assert ran.code == 0
    assert "ROC AUC" in ran.out
    assert "ROC AUC" in (tmp_path / "page.html").read_text().split("base64")[0]
    names = [[one["name"] for one in part["measures"]] for part in run(*words, "--json").json["by"]]
    assert all("roc_auc" in one for one in names)


def test_true_classes_still_need_predictions():
    with pytest.raises(OptionError, match="True classes.* need predictions besides the scores"):
        evaluate(ROWS.assign(true=LABEL), label="y", score="score", positive=1, true="true")


def test_probabilities_of_several_classes_give_each_slice_the_macro_mean(run, tmp_path):
    rng = np.random.default_rng(1)
    label = rng.integers(3, size=N)
    shares = rng.dirichlet(np.ones(3), size=N) + 0.4 * np.eye(3)[label]
    shares /= shares.sum(axis=1, keepdims=True)
    names = ["p_a", "p_b", "p_c"]
    rows = pd.DataFrame(shares, columns=names).assign(y=np.array(list("abc"))[label], site=ROWS["site"])
    found = evaluate(rows, label="y", proba="p_", by="site")
    for value in "abc":
        part = rows[rows["site"] == value]
        mine = areas(found, "site", value)["roc_auc"]
        assert mine.average == "macro"
        assert mine.value == pytest.approx(roc_auc_score(part["y"], part[names], multi_class="ovr", average="macro"))
        alone = evaluate(part, label="y", proba="p_")
        assert mine in alone.scores.estimates
    rows.to_csv(tmp_path / "rows.csv", index=False)
    words = ["evaluate", tmp_path / "rows.csv", "--label", "y", "--proba", "p_", "--by", "site"]
    ran = run(*words, "--report", tmp_path / "page.html")
    assert ran.code == 0
    assert "macro ROC AUC" in " ".join(ran.out.split())
    assert "macro ROC AUC" in (tmp_path / "page.html").read_text().split("base64")[0]
