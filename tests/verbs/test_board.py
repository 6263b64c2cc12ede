"""The leaderboard of a tournament: figures, tasks, clusters, bounds, and input that cannot be used."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

from justesse import tournament
from justesse.core.errors import ColumnError, InputError, JustesseError, MissingValueError, OptionError
from justesse.verbs.schemas import schema

N = 400


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    key = rng.choice(list("ABCD"), N)
    columns = {
        "id": [f"q{at}" for at in range(N)],
        "subject": np.where(np.arange(N) % 4 == 0, "law", np.where(np.arange(N) % 4 == 1, "art", "maths")),
        "passage": np.arange(N) // 5,
        "label": key,
    }
    for name, skill in {"weak": 0.45, "fair": 0.7, "good": 0.74, "best": 0.92}.items():
        columns[name] = np.where(rng.random(N) < skill, key, rng.choice(list("ABCD"), N))
    return columns


@pytest.fixture(scope="module")
def found(data):
    return tournament(data, cluster="passage", task_column="subject", rate=0.02)


def test_labels_alone_make_a_leaderboard(data):
    found = tournament(data)
    board = found.to_dict()["leaderboards"][0]
    assert found.rounds == ()
    assert [row["name"] for row in board["models"]] == ["best", "good", "fair", "weak"]
    for row in board["models"]:
        right = int((np.array(data[row["name"]]) == data["label"]).sum())
        assert row["score"]["value"] == right / N
        assert row["score"]["interval"]["method"] == "wilson"
    assert [row["rank"] for row in board["models"]] == [[1, 1], [2, 3], [2, 3], [4, 4]]
    assert board["contenders"] == ["best"]
    assert board["groups"] == [["best"], ["good", "fair"], ["weak"]]
    assert board["method"]["test"] == "mcnemar-exact"
    assert "best is the most accurate." in found.headline


def test_breakdown_is_what_the_counts_say(data):
    board = tournament(data).to_dict()["leaderboards"][0]
    for pair in board["neighbours"]:
        first, second = ((np.array(data[pair[side]]) == data["label"]).sum() for side in ("first", "second"))
        assert pair["breakdown"]["labels"] == (first - second) // 2 + 1
        assert pair["breakdown"]["rate"] == pair["breakdown"]["labels"] / N
        assert pair["told_apart"] == (pair["pvalue"] <= 0.05)


def test_the_json_keeps_its_schema(found, data):
    for result in (found, tournament(data)):
        jsonschema.validate(json.loads(json.dumps(result.to_dict())), schema("tournament"))


def test_tasks_and_their_mean(found, data):
    board = found.to_dict()["leaderboards"][0]
    assert [task["task"] for task in board["tasks"]] == ["law", "art", "maths"]
    assert sum(task["n"] for task in board["tasks"]) == N
    right = np.array(data["best"]) == data["label"]
    means = [right[np.array(data["subject"]) == task].mean() for task in ("law", "art", "maths")]
    best = next(row for row in board["over_tasks"]["models"] if row["name"] == "best")
    assert best["score"]["value"] == pytest.approx(np.mean(means))
    assert best["score"]["average"] == "macro"
    assert best["score"]["interval"]["low"] < np.mean(means) < best["score"]["interval"]["high"]
    assert board["over_tasks"]["friedman"]["ranks"]["weak"] == 4.0
    assert board["over_tasks"]["nemenyi"]["critical_difference"] > 0
    assert {row["challenger"] for row in board["over_tasks"]["challenges"]} == {"good", "fair", "weak"}
    assert board["cluster"]["column"] == "passage"
    assert board["clusters"] == 80
    assert board["method"]["test"] == "mcnemar-cr2"


def test_rates_by_task_bound_ranks(data, tmp_path):
    path = tmp_path / "rates.csv"
    path.write_text("task,rate\nlaw,0\nart,50%\nmaths,0\n")
    limits = tournament(data, task_column="subject", task_rates=str(path)).to_dict()["leaderboards"][0]["bounds"]
    assert limits["rates"] == [["law", 0.0], ["art", 0.5], ["maths", 0.0]]
    assert limits["labels"] == 50
    whole = tournament(data, rate=0.0).to_dict()["leaderboards"][0]
    assert [row["rank"] for row in whole["bounds"]["models"]] == [[1, 1], [2, 2], [3, 3], [4, 4]]
    path.write_text("task,rate\nlaw,0\n")
    with pytest.raises(InputError, match="no rate for task 'art'"):
        tournament(data, task_column="subject", task_rates=str(path))
    path.write_text("task,rate\nlaw,0\nart,much\nmaths,0\n")
    with pytest.raises(InputError, match="such as 0.05 or 5%; got 'much'"):
        tournament(data, task_column="subject", task_rates=str(path))
    with pytest.raises(OptionError, match="--task-column"):
        tournament(data, task_rates=str(path))


def test_clusters_of_copied_rows_are_no_evidence(data):
    """Ten copies of each row must not narrow a rank, where the cluster says that they are copies."""
    first = {name: np.asarray(column)[:30] for name, column in data.items()}
    copied = {name: np.repeat(column, 10) for name, column in first.items()}
    copied["passage"] = np.repeat(np.arange(30), 10)
    plain, clustered = tournament(copied), tournament(copied, cluster="passage")
    once = tournament({**first, "passage": np.arange(30)}, cluster="passage")
    ranks = [[row["rank"] for row in held.to_dict()["leaderboards"][0]["models"]] for held in (clustered, once, plain)]
    assert ranks[0] == ranks[1]
    assert ranks[0] != ranks[2]


def test_both_boards_with_true_classes_and_none_beside_judges(data):
    key = np.array(data["label"])
    true = np.where(np.arange(N) % 20 == 0, "A", key)
    both = tournament({**data, "true": true}, judges="paired")
    assert [board.board.by for board in both.leaderboards] == ["label", "true"]
    assert len(both.rounds) == 1
    alone = tournament({**data, "true": true}, judges="none")
    assert alone.rounds == ()
    assert alone.leaderboards[0].to_dict() == both.leaderboards[0].to_dict()
    jsonschema.validate(json.loads(json.dumps(both.to_dict())), schema("tournament"))


def test_rows_to_recheck_bear_their_ids(found):
    rows = found.to_dict()["leaderboards"][0]["recheck"]
    assert all(row["id"] == f"q{row['row'] - 1}" for row in rows)
    assert all(row["instead"] != row["label"] for row in rows)
    weights = [row["weight"] for row in rows]
    assert weights == sorted(weights, reverse=True)


def test_it_is_a_table_charts_and_a_page(found, data, tmp_path):
    frame = tournament(pd.DataFrame(data), task_column="subject").to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["model"].tolist() == ["best", "good", "fair", "weak"]
    assert {"rank_best", "rank_worst", "breakdown_rate", "task_mean", "task law"} <= set(frame.columns)
    assert set(found.drawings()) == {"ranks", "tasks", "mean_ranks"}
    for name in found.drawings():
        assert found.chart(name).to_dict()["description"]
    page = found.report(tmp_path / "page.html").read_text()
    for words in ("Leaderboard", "Mean over tasks", "Rows to re-check first", 'class="sortable"', "What wrong labels"):
        assert words in page


def test_missing_answers_count_as_wrong_and_cannot_become_right(tmp_path):
    data = {"label": ["x", "y"] * 10, "a": ["x", "y"] * 10, "b": ["x", ""] * 10}
    result = tournament(data, missing="wrong")
    board = result.to_dict()["leaderboards"][0]
    # a leads by 10, and a label that b did not answer takes one off at most
    assert board["neighbours"][0]["breakdown"]["labels"] is None
    assert "too few answers" in board["neighbours"][0]["breakdown"]["undefined"]
    assert [row["row"] for row in board["recheck"]] == list(range(2, 21, 2))  # each takes one off the lead
    assert {row["instead"] for row in board["recheck"]} == {None}
    assert {row["swaps"] for row in board["recheck"]} == {0}
    jsonschema.validate(result.to_dict(), schema("tournament"))
    assert "any other" in result.report(tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("change", "options", "error", "words"),
    [
        ({"a": None, "b": None, "c": None}, {}, InputError, "at least two classifiers"),
        ({}, {"cluster": "patient"}, ColumnError, "'patient' not found"),
        ({}, {"task_column": "topic"}, ColumnError, "'topic' not found"),
        ({"group": ["g", "", "g", "h"]}, {"cluster": "group"}, MissingValueError, "row 2.*fill it in"),
        ({"a": ["x", "", "y", "y"]}, {}, MissingValueError, "row 2"),
        ({}, {"judges": "none", "measure": "recall:x"}, OptionError, "measure .*is for judges"),
        ({"group": ["g", "g", "h", "h"]}, {"cluster": "group", "judges": "paired"}, OptionError, "--cluster"),
        ({}, {"judges": ["none", "paired"]}, OptionError, "none alone"),
        ({}, {"models": ["a", "a"]}, OptionError, "Name each classifier once"),
        ({}, {"rate": 1.5}, OptionError, "noise rate"),
        ({}, {"judges": "paired"}, ColumnError, "Judges need the true classes"),
        ({"task": ["t"] * 4}, {"task_column": "label"}, OptionError, "has the labels"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_words(change, options, error, words):
    data = {"label": list("xxyy"), "a": list("xxyy"), "b": list("xyyy"), "c": list("yxyy"), **change}
    with pytest.raises(error, match=words):
        tournament({name: column for name, column in data.items() if column is not None}, **options)


def test_different_rows_are_refused(tmp_path):
    for name, rows in (("a", 5), ("b", 4)):
        pd.DataFrame({"id": range(rows), "label": ["x"] * rows, "prediction": ["x"] * rows}).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    with pytest.raises(JustesseError, match="Different numbers of rows"):
        tournament(str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))
    with pytest.raises(JustesseError, match="not found in"):
        tournament(str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), on="id")


def test_hardly_any_rows_and_identical_models_are_answered():
    found = tournament({"label": ["x", "y"], "a": ["x", "y"], "b": ["x", "y"], "c": ["x", "y"]})
    board = found.to_dict()["leaderboards"][0]
    assert [row["rank"] for row in board["models"]] == [[1, 3]] * 3
    assert all(pair["breakdown"]["undefined"] for pair in board["neighbours"])
    assert "Any of the 3 classifiers may be the most accurate." in found.headline
    assert any("Only 2 rows" in warning for warning in found.warnings)
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), schema("tournament"))


def test_one_cluster_has_no_interval_and_says_why():
    data = {"label": list("xyxyx"), "a": list("xyxyy"), "b": list("xxxyy"), "g": ["one"] * 5}
    board = tournament(data, cluster="g").to_dict()["leaderboards"][0]
    assert all(row["score"]["interval"] is None for row in board["models"])
    assert all("one cluster" in row["score"]["undefined"] for row in board["models"])
    assert [row["rank"] for row in board["models"]] == [[1, 2], [1, 2]]


def test_the_same_seed_gives_the_same_board(data):
    one, other = (json.dumps(tournament(data, seed=3).to_dict()) for _ in range(2))
    assert one == other


@pytest.fixture
def runs(tmp_path):
    """Logs of three models on two tasks, with two samples of each question of the second."""
    for at, (model, skill) in enumerate([("old", 0.5), ("new", 0.8), ("odd", 0.75)]):
        rng = np.random.default_rng(at)
        (tmp_path / model).mkdir()
        for task, questions in (("law", 60), ("art", 40)):
            targets = np.random.default_rng(len(task) + questions).choice(list("ABCD"), questions)
            with open(tmp_path / model / f"samples_{task}_2026-01-01T00-00-00.jsonl", "w") as file:
                for doc, target in enumerate(targets.tolist()):
                    answer = target if rng.random() < skill else "none of these"
                    row = {"doc_id": doc, "doc_hash": f"{task} {doc}", "prompt_hash": str(doc), "target": target,
                           "filtered_resps": [answer], "filter": "none", "metrics": ["exact_match"],
                           "exact_match": float(answer == target)}  # fmt: skip
                    file.write(json.dumps(row) + "\n")
    return [str(tmp_path / model) for model in ("old", "new", "odd")]


def test_logs_of_several_tasks_make_a_leaderboard(runs):
    found = tournament(*runs)
    board = found.to_dict()["leaderboards"][0]
    assert found.rounds == ()
    assert sorted(task["task"] for task in board["tasks"]) == ["art", "law"]
    assert board["task_column"] == "task"
    assert {row["id"].split("/")[0] for row in board["recheck"]} <= {"art", "law"}
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), schema("tournament"))
    assert "Runs read" in str(found.document().sections[-1].parts[1].caption)
    assert found.report(f"{runs[0]}.html").read_text()  # a log of several tasks once had no section of its own


def test_judges_take_part_in_logs_if_asked_for(runs):
    found = tournament(*runs, judges="paired")
    assert [judge.name for judge in found.rounds[0].judged] == ["paired"]
    assert len(found.leaderboards) == 1


def test_several_samples_of_a_question_are_clusters(tmp_path):
    paths = []
    for at, (model, skill) in enumerate([("old", 0.5), ("new", 0.8)]):
        rng, samples = np.random.default_rng(at), []
        for question in range(20):
            for epoch in (1, 2):
                answer = "A" if rng.random() < skill else "B"
                score = {"match": {"value": "C" if answer == "A" else "I", "answer": answer}}
                samples.append({"id": question, "epoch": epoch, "input": f"{question}?", "target": "A", "scores": score,
                                "output": {"completion": answer}})  # fmt: skip
        about = {"task": "colours", "model": model, "dataset": {}, "config": {"epochs": 2}, "run_id": model}
        log = {"version": 2, "status": "success", "eval": about, "results": {"scores": []}, "samples": samples}
        paths.append(tmp_path / f"{model}.json")
        paths[-1].write_text(json.dumps(log))
    found = tournament(*map(str, paths))
    board = found.to_dict()["leaderboards"][0]
    assert board["cluster"]["column"] == "question"
    assert board["clusters"] == 20
    assert any("counted by sample" in warning for warning in found.warnings)
