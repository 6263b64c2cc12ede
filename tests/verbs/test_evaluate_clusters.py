"""`evaluate --cluster`: rows of one cluster may be alike."""

import json
import random
import re

import jsonschema
import numpy as np
import pandas as pd
import pytest

from justesse import count, evaluate
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.intervals.clustered import clustered_mean, clustered_share
from justesse.intervals.repeated_samples import majority_at, pass_at
from justesse.verbs.schemas import schema


def visits(patients=60, seed=3):
    """Draw visits of patients who differ in how often the prediction is right."""
    rng = random.Random(seed)
    rows = []
    for patient in range(patients):
        right = min(0.99, max(0.4, rng.gauss(0.85, 0.15)))
        for _ in range(rng.randint(1, 12)):
            label = rng.choices(["well", "ill", "severe"], [6, 3, 1])[0]
            wrong = rng.choice([name for name in ("well", "ill", "severe") if name != label])
            rows.append((f"p{patient}", "AB"[patient % 2], label, label if rng.random() < right else wrong))
    return pd.DataFrame(rows, columns=["patient", "site", "label", "prediction"])


def by_patient(frame):
    """Count the right rows and all rows of each patient."""
    rows = frame.assign(right=frame.label == frame.prediction).groupby("patient").right
    return rows.sum(), rows.count()


def test_intervals_allow_for_patients_who_are_alike():
    frame = visits()
    plain, robust = evaluate(frame), evaluate(frame, cluster="patient")
    assert [item.value for item in robust.estimates] == pytest.approx(
        [item.value for item in plain.estimates], nan_ok=True
    )
    expected = clustered_share(*by_patient(frame)).intervals()[0]
    own = robust["accuracy"].interval
    assert own.low == pytest.approx(expected.low, abs=1e-12)
    assert own.high == pytest.approx(expected.high, abs=1e-12)
    assert own.method == "wilson-cr2"
    for name in ("accuracy", "mcc", "kappa", "balanced_accuracy"):
        first, other = plain[name].interval, robust[name].interval
        assert other.high - other.low > first.high - first.low
    majority = robust.baselines[0].measures[0].interval
    assert majority.method == "wilson-cr2"


def test_the_answer_says_what_the_clusters_are_worth():
    robust = evaluate(visits(), cluster="patient")
    share, error = robust["accuracy"].value, clustered_mean(*by_patient(visits())).error
    worth = share * (1 - share) / error**2
    assert f"386 rows in 60 clusters (column 'patient') are worth {worth:.0f} independent rows" in robust.headline
    assert "the clusters of rows are independent draws" in robust.assumptions[1]
    summary = robust.to_dict()["clusters"]
    assert (summary["column"], summary["clusters"]) == ("patient", 60)
    assert summary["effective_n"] == pytest.approx(worth)
    assert robust.to_dict()["columns"]["cluster"] == "patient"
    assert "clusters" not in evaluate(visits()).to_dict()


def test_arrays_tallies_and_files_give_the_same(tmp_path):
    frame = visits()
    frame.to_csv(tmp_path / "visits.csv", index=False)
    expected = evaluate(frame, cluster="patient")["mcc"].interval
    arrays = evaluate(frame.label.to_numpy(), frame.prediction.to_numpy(), cluster=frame.patient.to_numpy())
    tally = count(frame, cluster="patient")
    for other in (arrays, evaluate(tally), evaluate(str(tmp_path / "visits.csv"), cluster="patient")):
        assert other["mcc"].interval.low == pytest.approx(expected.low, abs=1e-12)
    assert set(tally.axes) == {"label", "prediction", "cluster"}


def test_numbers_as_names_of_clusters_are_names():
    frame = visits().assign(patient=lambda rows: rows.patient.str[1:].astype(int))
    assert evaluate(frame, cluster="patient").clusters.clusters == 60


def test_slices_and_true_classes_are_clustered_too():
    frame = visits()
    rng = np.random.default_rng(0)
    frame["true"] = np.where(rng.random(len(frame)) < 0.1, "well", frame.label)
    result = evaluate(frame, cluster="patient", by="site")
    assert {item.interval.method for part in result.slices for item in part.estimates if item.name == "accuracy"} == {"wilson-cr2"}  # fmt: skip
    assert result.truth.estimate("accuracy").interval.method == "wilson-cr2"
    assert result.truth.noise.interval.method == "wilson-cr2"


def test_a_slice_column_may_be_named_cluster():
    frame = visits().rename(columns={"site": "cluster"})
    result = evaluate(frame, cluster="patient", by="cluster")
    assert sorted(part.value for part in result.slices) == ["A", "B"]


def test_weights_and_clusters_go_together():
    frame = visits().assign(weight=lambda rows: 1 + (rows.label == "severe") * 3)
    both = evaluate(frame, cluster="patient", weight="weight")
    alone = evaluate(frame, weight="weight")
    assert both["accuracy"].value == alone["accuracy"].value
    assert both["accuracy"].interval.method == "wilson-cr2"
    scaled = evaluate(frame.assign(weight=frame.weight * 7.0), cluster="patient", weight="weight")
    assert scaled["mcc"].interval.low == pytest.approx(both["mcc"].interval.low, abs=1e-9)
    assert scaled["accuracy"].interval.low == pytest.approx(both["accuracy"].interval.low, abs=1e-9)


def test_few_clusters_and_a_dominant_one_are_warned_of():
    few = visits(patients=8)
    assert any("Only 8 clusters" in words for words in evaluate(few, cluster="patient").warnings)
    frame = visits()
    frame.loc[: len(frame) * 2 // 3, "patient"] = "p0"
    assert any("One cluster has" in words for words in evaluate(frame, cluster="patient").warnings)


def test_many_clusters_of_which_few_are_large_are_warned_of():
    frame = visits()
    assert not any("large clusters" in words for words in evaluate(frame, cluster="patient").warnings)
    frame.loc[: len(frame) // 8, "patient"] = "p0"
    [words] = [words for words in evaluate(frame, cluster="patient").warnings if "large clusters" in words]
    assert words.startswith("The largest of ")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"noise_rate": "3%"}, OptionError, "noise_rate .* takes rows as independent"),
        ({"method": "jeffreys"}, OptionError, "jeffreys takes rows as independent"),
        ({"bootstrap": "smoothed"}, OptionError, "percentile or bca"),
        ({"cluster": "label"}, ColumnError, "cannot name the clusters"),
        ({"cluster": "patients"}, ColumnError, "Did you mean 'patient'"),
    ],
)
def test_what_does_not_go_with_clusters_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        evaluate(visits(), **{"cluster": "patient", **options})


def test_gaps_and_a_single_cluster_are_refused():
    frame = visits()
    frame.loc[3, "patient"] = None
    with pytest.raises(InputError, match="have no value in the column of clusters, 'patient'"):
        evaluate(frame, cluster="patient")
    with pytest.raises(InputError, match="All rows have the same value"):
        evaluate(visits().assign(patient="p"), cluster="patient")


def test_the_command_prints_the_same(run, tmp_path):
    path = tmp_path / "visits.csv"
    visits().to_csv(path, index=False)
    ran = run("evaluate", path, "--cluster", "patient", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["clusters"]["clusters"] == 60


def answers(questions=50, samples=6, seed=0):
    """Draw samples of questions that differ in how hard they are."""
    rng = np.random.default_rng(seed)
    hard = rng.beta(1, 1, questions)
    rows = [(f"q{at}", "yes", "yes" if rng.random() < hard[at] else "no") for at in range(questions) for _ in range(samples)]  # fmt: skip
    return pd.DataFrame(rows, columns=["question", "label", "prediction"])


def test_pass_at_k_is_a_mean_over_questions(run, tmp_path):
    frame = answers()
    right = (frame.label == frame.prediction).groupby(frame.question).sum()
    result = evaluate(frame, cluster="question", pass_at=[1, 5], majority_at=3)
    written = result.to_dict()
    assert [item["k"] for item in written["pass_at"]] == [1, 5]
    assert written["pass_at"][0]["value"] == pytest.approx(result["accuracy"].value)
    assert written["pass_at"][1]["value"] == pytest.approx(pass_at(right, 6, 5).mean())
    assert written["majority_at"][0]["value"] == pytest.approx(majority_at(right, 6, 3).mean())
    assert written["pass_at"][1]["n"] == 50
    assert "pass_at" not in evaluate(frame, cluster="question").to_dict()
    path = tmp_path / "answers.csv"
    frame.to_csv(path, index=False)
    ran = run("evaluate", path, "--cluster", "question", "--pass-at", "1,5", "--majority-at", "3", "--json")
    assert json.loads(ran.out)["pass_at"] == written["pass_at"]
    jsonschema.validate(json.loads(ran.out), schema("evaluate"))
    shown = " ".join(run("evaluate", path, "--cluster", "question", "--pass-at", "1,9").out.split())
    assert "pass@1" in shown
    assert "pass@9 undefined 50 of 50 questions have fewer than 9 samples" in shown


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pass_at": 2}, "needs the question of each sample"),
        ({"pass_at": "2,x", "cluster": "question"}, "numbers of samples from 1 up"),
        ({"majority_at": 0, "cluster": "question"}, "numbers of samples from 1 up"),
        ({"pass_at": 2, "cluster": "question", "weight": "w"}, "Leave the weights out"),
    ],
)
def test_pass_at_k_says_what_it_needs(options, words):
    with pytest.raises(OptionError, match=words):
        evaluate(answers().assign(w=np.arange(300) + 1.0), **options)


def scored(patients=40, seed=2):
    """Draw scores of visits; those of one patient share a level."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(patients), rng.integers(3, 12, patients))
    label = (rng.random(len(patient)) < 0.4).astype(int)
    odds = np.exp(1.5 * (label - 0.5) + rng.normal(size=patients)[patient] + rng.normal(size=len(patient)))
    p = odds / (1 + odds)
    return pd.DataFrame(
        {"patient": [f"p{at}" for at in patient], "label": label, "p": p, "p_0": 1 - p, "p_1": p, "site": patient % 2}
    )


def test_scores_and_clusters_go_together(run, tmp_path):
    frame = scored()
    result = evaluate(frame, score="p", cluster="patient", wanted_recall=0.9, by="site")
    alone = evaluate(frame, score="p")
    for name in ("roc_auc", "average_precision"):
        assert result[name, 1].value == alone[name, 1].value
        assert result[name, 1].interval.method.endswith("-cr2")
    assert result["log_loss"].interval.method == "log-cr2"
    written = result.to_dict()
    jsonschema.validate(written, schema("evaluate"))
    assert written["clusters"]["column"] == "patient"
    plain = alone.to_dict()["scores"]["thresholds"][4]
    robust = next(row for row in written["scores"]["thresholds"] if row["threshold"] == plain["threshold"])
    assert robust["tp"] == plain["tp"]
    assert robust["recall_high"] - robust["recall_low"] > plain["recall_high"] - plain["recall_low"]
    assert written["scores"]["classes"][0]["cost_curve"]["cost_low"][50] is None
    assert all(part.estimates[-1].interval.method == "binormal-score-cr2" for part in result.slices)
    path = tmp_path / "scored.csv"
    frame.to_csv(path, index=False)
    shown = " ".join(run("evaluate", path, "--score", "p", "--cluster", "patient").out.split())
    assert "For the ROC AUC," in shown
    assert "area-score-cr2" in shown
    page = tmp_path / "page.html"
    assert run("evaluate", path, "--proba", "p_", "--cluster", "patient", "--report", page).code == 0
    assert "binormal-score-cr2" in page.read_text()


def test_scores_of_arrays_take_an_array_of_clusters():
    frame = scored()
    arrays = evaluate(y_true=frame.label.to_numpy(), y_score=frame.p.to_numpy(), cluster=frame.patient.to_numpy())
    columns = evaluate(frame, score="p", cluster="patient")
    assert arrays["roc_auc", 1].interval == columns["roc_auc", 1].interval
    assert arrays["accuracy"].interval == columns["accuracy"].interval


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"weight": "w"}, OptionError, "weight .* takes scored rows as independent"),
        ({"score_bins": 100}, OptionError, "score_bins .* takes scored rows as independent"),
        ({"cluster": "p"}, ColumnError, "cannot name the clusters"),
        ({"cluster": "nobody"}, ColumnError, "'nobody' not found"),
    ],
)
def test_scores_say_what_does_not_go_with_clusters(options, error, words):
    with pytest.raises(error, match=words):
        evaluate(scored().assign(w=1.5), **{"score": "p", "cluster": "patient", **options})


def test_scores_without_a_cluster_are_refused():
    frame = scored()
    frame.loc[3, "patient"] = None
    with pytest.raises(InputError, match="have no value in the column of clusters, 'patient'"):
        evaluate(frame, score="p", cluster="patient")


def test_what_more_rows_and_clusters_would_gain_is_in_points():
    right = np.random.default_rng(0).random(120) < np.repeat(np.linspace(0.3, 0.95, 30), 4)
    rows = {"label": [1] * 120, "prediction": right.astype(int), "patient": np.repeat(np.arange(30), 4)}
    words = evaluate(rows, cluster="patient").markdown("full").replace("\u00a0", " ")
    assert re.search(r"The CI is ±[\d.]+ points\. Twice as many rows of these clusters: ±[\d.]+ points\.", words)
