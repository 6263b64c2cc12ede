"""`justesse evaluate … --score` and `--proba`."""

import json

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics

from justesse import evaluate
from justesse.verbs.schemas import schema

SCHEMA = schema("evaluate")
RNG = np.random.default_rng(0)
N = 600
TRUE = RNG.random(N) < 0.3
SCORE = np.round(1 / (1 + np.exp(-(RNG.normal(size=N) + 2 * TRUE - 1))), 3)
BINARY = pd.DataFrame({"label": np.where(TRUE, "spam", "ham"), "p": SCORE})
LABELS = RNG.integers(3, size=N)
LOGITS = RNG.normal(size=(N, 3)) + 1.5 * np.eye(3)[LABELS]
SHARES = np.exp(LOGITS) / np.exp(LOGITS).sum(1, keepdims=True)
SEVERAL = pd.DataFrame(
    {f"p_{name}": SHARES[:, k] for k, name in enumerate("abc")} | {"y": np.array(list("abc"))[LABELS]}
)


def named(found):
    return {(m["name"], m["class"], m["average"]): m for m in found["measures"]}


def test_scores_of_one_class(run, write):
    path = write("a.csv", BINARY.to_csv(index=False))
    ran = run(
        "evaluate",
        path,
        "--score",
        "p",
        "--positive",
        "spam",
        "--wanted-recall",
        0.9,
        "--wanted-specificity",
        0.9,
        "--json",
    )
    assert ran.code == 0, ran.err
    jsonschema.validate(ran.json, SCHEMA)
    found = named(ran.json)
    assert found["roc_auc", "spam", None]["value"] == pytest.approx(metrics.roc_auc_score(TRUE, SCORE))
    assert found["roc_auc", "spam", None]["interval"]["method"] == "area-score"
    assert found["average_precision", "spam", None]["value"] == pytest.approx(
        metrics.average_precision_score(TRUE, SCORE)
    )
    assert found["brier", None, None]["value"] == pytest.approx(metrics.brier_score_loss(TRUE, SCORE))
    assert found["accuracy", None, None]["value"] == pytest.approx(np.mean((SCORE >= 0.5) == TRUE))
    wanted = {row["why"]: row for row in ran.json["scores"]["thresholds"]}
    assert wanted["recall 0.9"]["recall"] >= 0.9
    assert wanted["specificity 0.9"]["specificity"] >= 0.9
    assert len(ran.json["scores"]["classes"][0]["roc"]["tpr"]) <= 201
    text = run("evaluate", path, "--score", "p", "--positive", "spam", "--full").out
    assert "ROC AUC of 'spam'" in text
    assert "Calibration" in text


def test_probabilities_of_several_classes(run, tmp_path):
    path = tmp_path / "a.parquet"
    SEVERAL.to_parquet(path)
    ran = run("evaluate", path, "--proba", "p_", "--json")
    assert ran.code == 0, ran.err
    jsonschema.validate(ran.json, SCHEMA)
    found = named(ran.json)
    assert found["roc_auc", None, "macro"]["value"] == pytest.approx(
        metrics.roc_auc_score(LABELS, SHARES, multi_class="ovr")
    )
    assert found["accuracy", None, None]["value"] == pytest.approx(np.mean(SHARES.argmax(1) == LABELS))
    assert [one["class"] for one in ran.json["scores"]["classes"]] == ["a", "b", "c"]
    assert run("evaluate", path, "--proba", "p_").code == 0


def test_the_library_takes_frames_and_arrays():
    wanted = metrics.roc_auc_score(TRUE, SCORE)
    for data in (BINARY, pl.from_pandas(BINARY), pl.from_pandas(BINARY).lazy()):
        assert evaluate(data, score="p", positive="spam")["roc_auc", "spam"].value == pytest.approx(wanted)
    assert evaluate(y_true=TRUE, y_score=SCORE)["roc_auc", True].value == pytest.approx(wanted)
    assert evaluate(y_true=TRUE.astype(int), y_score=SCORE, threshold=0.4)["accuracy"].value == np.mean(
        (SCORE >= 0.4) == TRUE
    )
    several = evaluate(y_true=LABELS, y_score=SHARES)
    assert several["log_loss"].value == pytest.approx(metrics.log_loss(LABELS, SHARES))
    both = evaluate(y_true=LABELS, y_pred=SHARES.argmax(1), y_score=SHARES)
    assert both["accuracy"].value == several["accuracy"].value


def test_predictions_beside_scores_are_used():
    frame = BINARY.assign(prediction="ham")
    found = evaluate(frame, score="p", positive="spam")
    assert found["recall", "spam"].value == 0
    assert found["roc_auc", "spam"].value > 0.8


def test_weights():
    weights = RNG.random(N)
    found = evaluate(BINARY.assign(w=weights), score="p", positive="spam", weight="w")
    assert found["roc_auc", "spam"].value == pytest.approx(metrics.roc_auc_score(TRUE, SCORE, sample_weight=weights))
    assert found["accuracy"].value == pytest.approx(np.average((SCORE >= 0.5) == TRUE, weights=weights))


def test_bins_counted_by_the_engine(run, tmp_path):
    path = tmp_path / "a.parquet"
    BINARY.assign(prediction=np.where(SCORE >= 0.5, "spam", "ham")).to_parquet(path)
    ran = run("evaluate", path, "--score", "p", "--positive", "spam", "--score-bins", 100, "--json")
    jsonschema.validate(ran.json, SCHEMA)
    binned = ran.json["scores"]["binned"]
    value = named(ran.json)["roc_auc", "spam", None]["value"]
    assert abs(value - metrics.roc_auc_score(TRUE, SCORE)) <= binned["roc_auc_error"]
    assert (
        binned["average_precision_low"]
        <= metrics.average_precision_score(TRUE, SCORE)
        <= binned["average_precision_high"]
    )
    assert any("100 bins" in warning for warning in ran.json["warnings"])
    shifted = evaluate(pd.read_parquet(path).assign(p=SCORE * 10 - 3), score="p", positive="spam", score_bins=5000)
    assert shifted["roc_auc", "spam"].value == pytest.approx(metrics.roc_auc_score(TRUE, SCORE), abs=1e-3)


def test_very_large_files_are_binned_without_being_asked(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    BINARY.assign(prediction="ham").to_parquet(path)
    monkeypatch.setattr("justesse.frames.asked_scores.TOO_LARGE", 1000)
    found = evaluate(path, score="p", positive="spam")
    assert found.scores.bins == 10_000
    assert any("10,000 bins" in warning for warning in found.warnings)


def test_reversed_scores_are_said(run, write):
    path = write("a.csv", BINARY.assign(p=1 - SCORE).to_csv(index=False))
    warnings = run("evaluate", path, "--score", "p", "--positive", "spam", "--json").json["warnings"]
    assert any("order of the scores is reversed" in warning for warning in warnings)


def test_costs_choose_a_threshold(run, write):
    path, costs = write("a.csv", BINARY.to_csv(index=False)), write("c.csv", "label,ham,spam\nham,0,1\nspam,10,0\n")
    found = run("evaluate", path, "--score", "p", "--positive", "spam", "--cost", costs, "--json").json
    best = next(row for row in found["scores"]["thresholds"] if row["why"] == "smallest cost")
    paid = [10 * np.sum(SCORE[TRUE] < t) + np.sum(SCORE[~TRUE] >= t) for t in np.unique(SCORE)]
    assert 10 * best["fn"] + best["fp"] == min(paid)


def test_all_labels_positive_and_scores_below_one_half(run, write):
    found = named(run("evaluate", write("a.csv", "label,s\n1,0.1\n1,0.2\n"), "--score", "s", "--json").json)
    assert found["accuracy", None, None]["value"] == 0


def test_the_scale_of_weights_changes_no_interval():
    rows = BINARY.assign(one=1.0, many=1000.0)
    found = [
        evaluate(rows, score="p", positive="spam", weight=w, threshold=0.5).scores.to_dict() for w in ("one", "many")
    ]
    for key in ("recall_low", "precision_high"):
        assert found[0]["thresholds"][0][key] == pytest.approx(found[1]["thresholds"][0][key])
    curves = [one["classes"][0]["precision_recall"]["precision_low"] for one in found]
    assert curves[0] == pytest.approx(curves[1])


def test_rows_of_weight_zero_count_for_nothing():
    rows = pd.DataFrame({"label": [1, 0, 1, 0, 1], "s": [0.95, 0.05, 0.35, 0.45, 0.55], "w": [1.0, 1, 1, 1, 0]})
    found = evaluate(rows, score="s", weight="w")
    json.dumps(found.to_dict(), allow_nan=False)
    assert found["roc_auc", 1].value == pytest.approx(0.75)
    top = evaluate(rows.assign(w=[0.0, 1, 1, 1, 1]), score="s", weight="w")
    assert top["average_precision", 1].value == pytest.approx(
        metrics.average_precision_score([0, 1, 0, 1], [0.05, 0.35, 0.45, 0.55])
    )


@pytest.mark.parametrize("weight", [-0.5, np.nan, np.inf, 1e308])
def test_weights_beside_scores_are_checked(weight, run, write):
    text = BINARY.assign(w=[weight, *[1.0] * (N - 1)]).to_csv(index=False)
    ran = run("evaluate", write("a.csv", text), "--score", "p", "--positive", "spam", "--weight", "w")
    assert ran.code == 2
    assert "must be numbers from 0 up" in ran.err


def test_rows_with_gaps_must_be_the_same_for_scores_and_predictions(run, write):
    text = BINARY.assign(prediction=[None, *["ham"] * (N - 1)]).to_csv(index=False)
    ran = run("evaluate", write("a.csv", text), "--score", "p", "--positive", "spam", "--drop-missing")
    assert ran.code == 2
    assert "600 rows have a score, but 599 have a label and a prediction" in ran.err


def test_thresholds_of_bins_are_their_edges():
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.5
    s = np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1)
    rows = pd.DataFrame({"label": y, "prediction": s > 0.5, "s": s})
    found = evaluate(rows, score="s", score_bins=10, wanted_recall=0.95).scores.to_dict()["thresholds"][0]
    assert np.mean(s[y] >= found["threshold"]) == pytest.approx(found["recall"])
    tied = pd.DataFrame({"label": [0] * 10 + [1] * 10, "prediction": [0] * 20, "s": [0.9] * 10 + [0.5] * 10})
    binned = evaluate(tied, score="s", score_bins=10).scores.to_dict()["binned"]
    assert binned["average_precision_low"] <= 0.5 <= binned["average_precision_high"]


def test_costs_of_being_right_are_taken_into_account():
    rows = BINARY.assign(prediction="ham")
    found = evaluate(
        rows, score="p", positive="spam", cost={"ham": {"ham": 0, "spam": 1}, "spam": {"ham": 10, "spam": 9.5}}
    )
    best = dict(found.scores.thresholds)["smallest cost"]
    paid = [
        10 * np.sum(SCORE[TRUE] < t) + 9.5 * np.sum(SCORE[TRUE] >= t) + np.sum(SCORE[~TRUE] >= t)
        for t in [*np.unique(SCORE), 2]
    ]
    assert 10 * best.fn + 9.5 * best.tp + best.fp == pytest.approx(min(paid))


def test_probabilities_as_a_frame_follow_its_columns():
    frame = pd.DataFrame({1: SCORE, 0: 1 - SCORE})
    found = evaluate(y_true=TRUE.astype(int), y_score=frame)
    assert found["roc_auc", 1].value == pytest.approx(metrics.roc_auc_score(TRUE, SCORE))


@pytest.mark.parametrize(
    "options",
    [
        {"y_score": ["a"] * N},
        {"y_score": np.zeros((N, 0))},
        {"y_score": SCORE, "weight": [1.0]},
        {"y_score": SCORE, "weight": ["a"] * N},
        {"y_score": SCORE, "threshold": "0.5"},
        {"y_score": SCORE, "threshold": float("nan")},
        {"y_score": SCORE[:5]},
        {"score": SCORE},
    ],
)
def test_arrays_that_make_no_sense(options):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        evaluate(y_true=TRUE, **options)


def test_lazy_frames_with_words_for_scores():
    lazy = pl.DataFrame({"label": [0, 1], "p": ["a", "b"]}).lazy()
    with pytest.raises(ValueError, match="Column 'p' of .*must contain numbers"):
        evaluate(lazy, score="p")


def test_bad_scores_in_a_second_file_are_named_there(run, write, tmp_path):
    write("g1.csv", "label,p\n" + "1,0.5\n0,0.2\n" * 5)
    write("g2.csv", "label,p\n1,0.5\n0,oops\n")
    ran = run("evaluate", tmp_path / "g*.csv", "--score", "p")
    assert ran.code == 2
    assert "g2.csv" in ran.err
    assert "g2.csv: row 2. Correct" in ran.err


def binary(**columns):
    return BINARY.assign(**columns).to_csv(index=False)


BAD = {
    "infinite score": (binary(p=np.where(SCORE[3] == SCORE, np.inf, SCORE)), ["--score", "p", "--positive", "spam"], "No finite number in 'p' in"),
    "missing score": (binary(p=np.where(np.arange(N) == 4, np.nan, SCORE)), ["--score", "p", "--positive", "spam"], "1 row of .*: row 5"),
    "a word": ("label,p\n1,high\n0,0.1\n", ["--score", "p"], "No finite number"),
    "no positive": (binary(), ["--score", "p"], "Name it with --positive"),
    "unknown positive": (binary(), ["--score", "p", "--positive", "eggs"], "'eggs' does not occur among the labels"),
    "no such column": (binary(), ["--score", "q", "--positive", "spam"], "Column 'q' not found in .*score column with --score"),
    "threshold needed": (binary(p=SCORE * 10), ["--score", "p", "--positive", "spam"], "need a threshold"),
    "threshold without scores": (binary(prediction="ham"), ["--threshold", "0.5"], "Thresholds and score bins need scores"),
    "two kinds": (binary(), ["--score", "p", "--proba", "p"], "one of score, proba"),
    "not adding up": (SEVERAL.assign(p_a=SEVERAL.p_a * 0.9).to_csv(index=False), ["--proba", "p_"], "do not add up to 1 in .* largest deviation 0.0"),
    "outside": (SEVERAL.assign(p_a=SEVERAL.p_a - 1).to_csv(index=False), ["--proba", "p_"], r"between 0 and 1. Other values in .*first in row 1"),
    "class without column": (SEVERAL.assign(y="z").to_csv(index=False), ["--proba", "p_"], "No column of probabilities for class 'z'"),
    "no columns": (SEVERAL.to_csv(index=False), ["--proba", "q_"], "Too few columns of probabilities"),
    "few bins": (binary(prediction="ham"), ["--score", "p", "--positive", "spam", "--score-bins", "2"], "between 10 and 1,000,000"),
    "recall of several": (SEVERAL.to_csv(index=False), ["--proba", "p_", "--wanted-recall", "0.9"], "for one class"),
    "two columns of a class": (SEVERAL.assign(y=0, p_0=0.5, p_00=0.5)[["y", "p_0", "p_00"]].to_csv(index=False), ["--proba", "p_"], "Two columns of probabilities are for"),
    "huge bins": (binary(prediction="ham"), ["--score", "p", "--positive", "spam", "--score-bins", "10000000000"], "between 10 and 1,000,000"),
    "threshold of several": (SEVERAL.to_csv(index=False), ["--proba", "p_", "--threshold", "0.5"], "scores of one class"),
    "unknown weight": (binary(), ["--score", "p", "--positive", "spam", "--weight", "nope"], "Column 'nope' not found"),
    "wanted recall": (binary(), ["--score", "p", "--positive", "spam", "--wanted-recall", "9"], "between 0 and 1"),
    "missing label": (binary(label=[None, *BINARY["label"][1:]]), ["--score", "p", "--positive", "spam"], "1 missing label in column 'label'"),
    "true classes without predictions": (binary(gold=BINARY["label"]), ["--score", "p", "--positive", "spam", "--true", "gold"], "need predictions besides the scores"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(BAD))
def test_bad_scores(case, run, write):
    import re

    text, options, message = BAD[case]
    ran = run("evaluate", write("a.csv", text), *options)
    assert ran.code == 2
    assert re.search(message, " ".join(ran.err.split())), ran.err
    assert "Traceback" not in ran.err


def test_one_class_only_is_undefined_and_said(run, write):
    path = write("a.csv", "label,p\n" + "1,0.9\n" * 20)
    found = named(run("evaluate", path, "--score", "p", "--json").json)
    assert found["roc_auc", 1, None]["value"] is None
    assert "must occur" in found["roc_auc", 1, None]["undefined"]


def test_a_threshold_beside_a_column_of_predictions_is_named_as_unused(run, write):
    rows = BINARY.assign(prediction=np.where(SCORE >= 0.5, "spam", "ham"))
    path = write("both.csv", rows.to_csv(index=False))
    words = " ".join(run("evaluate", path, "--score", "p", "--positive", "spam", "--threshold", "0.3").out.split())
    assert "evaluate the predictions in column 'prediction', not the threshold 0.3." in words
    same = run("evaluate", path, "--score", "p", "--positive", "spam", "--threshold", "0.5").out
    assert "not the threshold" not in same  # both predict alike
    alone = write("alone.csv", BINARY.to_csv(index=False))
    assert (
        "not the threshold" not in run("evaluate", alone, "--score", "p", "--positive", "spam", "--threshold", 0.3).out
    )


def test_each_threshold_asked_for_says_what_it_is_for_at_80_columns(run, write, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    path = write("a.csv", BINARY.to_csv(index=False))
    asked = ("--threshold", "0.3", "--wanted-recall", "0.9", "--wanted-specificity", "0.95")
    lines = run("evaluate", path, "--score", "p", "--positive", "spam", *asked).out.splitlines()
    assert {"your threshold", "recall of at least 0.9", "specificity of at least 0.95"} <= set(lines)
