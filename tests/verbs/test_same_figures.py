"""Figures that a reader meets twice agree, and what is printed can be used."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import justesse
from justesse.core.results import Interval
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import at, threshold_words
from justesse.report.document import Table
from justesse.report.writing import written
from justesse.verbs.evaluate.cautions import _same_but_for_case


def table_of(result, caption):
    tables = [part for section in result.document().sections for part in section.parts if isinstance(part, Table)]
    return next(table for table in tables if table.caption.startswith(caption))


def probabilities(classes, n=300):
    random = np.random.default_rng(3)
    labels = random.integers(0, classes, n)
    scores = random.dirichlet(np.ones(classes), n) + 1.5 * np.eye(classes)[labels]
    scores /= scores.sum(axis=1, keepdims=True)
    names = [f"c{k}" for k in range(classes)]
    frame = pd.DataFrame({f"p_{name}": scores[:, k] for k, name in enumerate(names)})
    return frame.assign(label=[names[k] for k in labels]), scores


@pytest.mark.parametrize("classes", [2, 4])
def test_the_brier_score_is_that_of_scikit_learn(classes):
    frame, scores = probabilities(classes)
    result = justesse.evaluate(frame, proba="p_")
    names = sorted(frame.label.unique())
    assert result["brier"].value == pytest.approx(metrics.brier_score_loss(frame.label, scores, labels=names))
    if classes == 2:
        one = justesse.evaluate(frame, score="p_c1", positive="c1")
        assert result["brier"].value == pytest.approx(one["brier"].value)
        assert result["brier"].interval.high == pytest.approx(one["brier"].interval.high)
        parts = result.scores.classes[0].brier_parts
        assert parts.reliability - parts.resolution + parts.uncertainty + parts.within == pytest.approx(
            result["brier"].value
        )


def test_overall_scores_come_before_those_of_ten_classes(run, tmp_path):
    frame, _ = probabilities(10)
    frame.to_csv(tmp_path / "p.csv", index=False)
    short = run("evaluate", tmp_path / "p.csv", "--proba", "p_").out
    scores = short[short.index("\nScores\n") :]
    for name in ("Macro ROC AUC", "Log loss", "Brier score"):
        assert name in scores
    assert "ROC AUC of 'c3'" not in short
    assert "ROC AUC of 'c3'" in run("evaluate", tmp_path / "p.csv", "--proba", "p_", "--full").out


def test_a_printed_threshold_gives_the_predictions_of_its_row():
    random = np.random.default_rng(1)
    near_one = 1 - 10 ** -random.uniform(0.1, 9, 200)
    labels = random.integers(0, 2, 200)
    table = ScoreCounts.of(near_one, labels)
    for value in near_one:
        threshold = at(table, value)
        again = at(table, float(threshold_words(threshold, table)))
        assert (again.tp, again.fp) == (threshold.tp, threshold.fp)
    frame = pd.DataFrame({"label": labels, "score": near_one})
    shown = table_of(justesse.evaluate(frame, score="score", positive=1), "Thresholds at every tenth")
    for words, *_ in shown.rows:
        assert float(words) <= near_one.max()


@pytest.fixture
def pair():
    random = np.random.default_rng(5)
    labels = random.choice(["a", "b", "c"], 400, p=[0.6, 0.3, 0.1])
    frame = pd.DataFrame({"label": labels, "size": random.choice(["big", "small"], 400)})
    for name, share in (("old", 0.25), ("new", 0.12)):
        wrong = random.random(400) < share
        frame[name] = np.where(wrong, random.choice(["a", "b", "c"], 400), labels)
    return frame


def test_intervals_of_classes_are_corrected_for_every_row_of_their_table(pair):
    result = justesse.compare(pair, incumbent="old", candidate="new")
    table = table_of(result, "Each class")
    levels = [row.difference.interval.level for row in result.best.classes if row.difference.interval]
    assert len(table.rows) == 6
    assert levels == pytest.approx([1 - 0.05 / len(table.rows)] * len(levels))
    assert levels
    assert f"{100 * max(levels):.4g} % CI" in [column.title for column in table.columns]
    assert "all 6 rows of this table together with 95 %" in str(table.note)


def test_slices_of_a_recall_count_the_rows_of_its_class(pair):
    result = justesse.compare(pair, incumbent="old", candidate="new", measure="recall:b", by="size")
    table = table_of(result, "Recall of 'b' in each slice")
    own = pair[pair.label == "b"].groupby("size").size()
    assert {row[0]: int(row[1].n) for row in table.rows} == {f"size = {name}": n for name, n in own.items()}
    others = justesse.compare(pair, incumbent="old", candidate="new", measure="specificity:b", by="size")
    rest = pair[pair.label != "b"].groupby("size").size()
    assert {row.value: int(row.difference.n) for row in others.best.slices} == dict(rest.items())
    plain = justesse.compare(pair, incumbent="old", candidate="new", by="size")
    assert sum(row.difference.n for row in plain.best.slices) == 400


def test_the_measure_that_decides_comes_first_also_for_areas(tmp_path):
    for name, noise in (("old", 2.0), ("new", 1.0)):
        random = np.random.default_rng(2)
        labels = random.integers(0, 2, 200)
        scores = 1 / (1 + np.exp(-(2 * labels - 1 + noise * random.normal(size=200))))
        frame = pd.DataFrame({"id": range(200), "label": labels, "prediction": (scores > 0.5).astype(int), "p": scores})
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    paths = [tmp_path / f"{name}.csv" for name in ("old", "new")]
    result = justesse.compare(*paths, on="id", score="p", positive=1, measure="auc")
    assert [measure.name for measure in result.best.measures][:2] == ["auc", "accuracy"]
    by_accuracy = justesse.compare(*paths, on="id", score="p", positive=1)
    assert [measure.name for measure in by_accuracy.best.measures][-1] == "auc"


def test_charts_about_the_labels_say_so_where_the_true_classes_decide(pair):
    frame = pair.assign(true=pair.label, third=pair.label)
    frame.loc[:20, "label"] = "c"
    result = justesse.compare(frame, incumbent="old", candidate=["new", "third"], label="label", true="true")
    for name in ("verdicts", "noise"):
        title = result.chart(name).to_dict()["title"]
        title = title if isinstance(title, str) else title["text"]
        assert title.endswith(", against the labels")
    plain = justesse.compare(frame.drop(columns="true"), incumbent="old", candidate=["new", "third"])
    assert "against the labels" not in str(plain.chart("verdicts").to_dict()["title"])


def test_every_candidate_shows_how_many_wrong_labels_its_verdict_survives(pair):
    random = np.random.default_rng(9)
    alike = np.where(random.random(400) < 0.2, random.choice(["a", "b", "c"], 400), pair.label)
    result = justesse.compare(pair.assign(alike=alike), incumbent="old", candidate=["alike", "new"])
    table = table_of(result, "Each candidate")
    assert not all(item.decisive.replaces for item in result.judged)
    assert all(re.fullmatch(r"[\d.]+ % \(\d+ of 400\)", row[-1]) for row in table.rows)


def test_key_figures_in_markdown_have_the_level_of_their_interval(pair):
    text = justesse.compare(pair, incumbent="old", candidate="new").markdown()
    line = next(line for line in text.splitlines() if line.startswith("| Accuracy of the candidate |"))
    assert "| 95 % CI " in line


def test_one_name_for_one_method(pair):
    checked = pair[["label"]].rename(columns={"label": "true"}).assign(id=range(400))[:60]
    rates = justesse.noise_estimate(pair.assign(id=range(400)), audited=checked, on="id").to_dict()["estimate"]
    assert [rate["interval"]["method"] for rate in rates] == ["hypergeometric", *["wilson"] * 3]
    checked.loc[:9, "true"] = checked["true"][:10].map({"a": "b", "b": "a", "c": "a"})
    rates = justesse.noise_estimate(pair.assign(id=range(400)), audited=checked, on="id").to_dict()["estimate"]
    assert [rate["interval"]["method"] for rate in rates] == ["wilson, finite population", *["wilson"] * 3]


def test_ends_of_short_intervals_have_three_digits():
    estimate = justesse.evaluate(["a", "b"] * 20, ["a", "b"] * 20)["accuracy"]
    assert isinstance(estimate.interval, Interval)
    assert written("short_estimate", estimate) == f"1.000 ({estimate.interval.low:.3f}–1.000)"


def test_classes_that_differ_only_in_case_are_named():
    result = justesse.evaluate(["Malignant", "benign"] * 20, ["malignant", "benign"] * 20)
    (words,) = [warning for warning in result.warnings if "case" in warning]
    assert words.startswith("Class names that differ only in case: 'Malignant' and 'malignant'.")
    assert list(_same_but_for_case(["a", "b", 1, None])) == []


def test_warnings_say_whether_rows_are_right_or_wrong_and_which_measures_have_no_interval():
    labels = ["a"] * 20 + ["b"] * 20 + ["c"] * 20
    result = justesse.evaluate(labels, ["a"] * 20 + ["a"] * 20 + ["c"] * 19 + ["a"], bootstrap="percentile")
    (words,) = [warning for warning in result.warnings if "too narrow" in warning]
    assert words.startswith("Every row of class 'a' is right and every row of class 'b' is wrong, so")
    for warning in result.warnings:
        if warning.startswith("No interval for "):
            title = warning.removeprefix("No interval for ").split(":")[0].split(",")[0]
            assert title in result.markdown("full") or "of '" in title
            break
    else:
        raise AssertionError("measures without an interval are not named")


def test_the_default_claim_is_readable():
    frame = pd.DataFrame({"label": ["a"] * 143 + ["b"] * 85, "prediction": ["a"] * 143 + ["b"] * 80 + ["a"] * 5})
    text = justesse.evaluate(frame).markdown()
    assert "The claim accuracy \\> 0.6272 (better than" in text
    assert str(justesse.evaluate(frame, claim="accuracy>=0.91234567").noise.breakdown.claim) == "accuracy >= 0.91234567"
    perfect = justesse.evaluate(["a"] * 30, ["a"] * 30).markdown()
    assert "claim accuracy" not in perfect
    assert "not above that of always predicting the most frequent label (100 %)" in perfect


def test_a_noise_rate_too_high_is_written_in_percent():
    frame = pd.DataFrame({"label": ["a"] * 50 + ["b"] * 50, "prediction": ["a"] * 48 + ["b"] * 52})
    (words,) = [warning for warning in justesse.evaluate(frame, noise_rate="60%").warnings if "carry no" in warning]
    assert words.endswith("Give a rate below 50 %; got at most 60 %.")
