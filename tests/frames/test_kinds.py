"""1, 1.0, "1" and True are one class where nothing else can be meant, and the labels say how it is written."""

import json

import numpy as np
import pandas as pd
import pytest

from justesse import count, evaluate
from justesse.cli.main import main
from justesse.core.errors import ClassError, ColumnError, InputError
from justesse.frames.disagreeing_rows import disagreeing_rows
from justesse.frames.entrants import read_entrants
from justesse.frames.together import in_one, join_answers

ALIKE = {
    "decimals, integers": ([0.0, 1.0, 1.0], [0, 1, 0]),
    "integers, decimals": ([0, 1, 1], [0.0, 1.0, 0.0]),
    "integers, text": ([0, 1, 1], ["0", "1", "0"]),
    "integers, text with decimals": ([0, 1, 1], ["0.0", "1.0", "0.0"]),
    "text, integers": (["0", "1", "1"], [0, 1, 0]),
    "text with decimals, integers": (["0.0", "1.0", "1.0"], [0, 1, 0]),
    "booleans, integers": ([False, True, True], [0, 1, 0]),
    "booleans, text": ([False, True, True], ["false", "true", "false"]),
    "integers, booleans": ([0, 1, 1], [False, True, False]),
    "text, booleans": (["False", "True", "True"], [False, True, False]),
    "one word, booleans": (["True", "True", "True"], [True, True, False]),
    "decimals, booleans": ([0.0, 1.0, 1.0], [False, True, False]),
    "many integers, decimals": ([7, 12, 3], [7.0, 12.0, 7.0]),
    "text among names, integers": (["1", "unknown", "2"], [1, 2, 1]),
}
UNLIKE = {
    "booleans for three classes": ([0, 1, 2], [False, True, True]),
    "booleans for other numbers": ([1, 2, 1], [False, True, True]),
    "a name among numbers": ([0, 1, 1], ["0", "1", "other"]),
    "names": (["cat", "dog", "dog"], [0, 1, 1]),
    "leading zeros": (["007", "1", "1"], [7, 1, 1]),
    "written twice": ([0, 1, 1], ["1", "1.0", "0"]),
    "labels written twice": (["1", "1.0", "0"], [1, 1, 0]),
    "numbers unknown to names": (["1", "unknown", "2"], [1, 3, 1]),
    "two for a boolean": ([False, True, True], [0, 1, 2]),
}


@pytest.mark.parametrize(("label", "prediction"), ALIKE.values(), ids=ALIKE)
def test_classes_written_in_two_ways_are_matched_and_written_as_the_labels_are(label, prediction):
    tally = count(label=label, prediction=prediction)
    kind = type(label[0])
    assert all(type(name) is kind for name in tally.classes)
    assert set(label) <= set(tally.classes)
    hits = sum(n for a, b, n in tally.cells() if a == b)
    assert hits == sum(_number(a) == _number(b) for a, b in zip(label, prediction, strict=True))


def _number(name):
    text = str(name).lower()
    return {"true": 1, "false": 0}.get(text, float(text) if text[0].isdigit() else None)


@pytest.mark.parametrize(("label", "prediction"), UNLIKE.values(), ids=UNLIKE)
def test_what_is_not_certain_is_refused(label, prediction):
    with pytest.raises(ClassError, match="Write the classes the same way"):
        count(label=label, prediction=prediction)


def test_a_frame_whose_integers_became_decimals():
    frame = pd.DataFrame({"label": [0, 1, 1, 0], "prediction": [0.0, 1.0, 0.0, 0.0]})
    assert count(frame).cells() == [[0, 0, 2], [1, 0, 1], [1, 1, 1]]


def test_a_csv_that_pandas_wrote_with_decimals(write):
    path = write("a.csv", "label,prediction\n0.0,0\n1.0,1\n1.0,0\n")
    assert count(path).cells() == [["0.0", "0.0", 1], ["1.0", "0.0", 1], ["1.0", "1.0", 1]]


def test_tournaments_and_comparisons_match_kinds_too():
    columns = {
        "label": [0, 1, 1, 0],
        "true": [0.0, 1.0, 1.0, 1.0],
        "a": [0.0, 1.0, 0.0, 0.0],
        "b": ["0", "1", "1", "0"],
    }
    read = read_entrants({"": columns}, models=["a", "b"])
    assert read.classes == (0, 1)
    assert read.answers.tolist() == [[0, 1, 0, 0], [0, 1, 1, 0]]
    one = {"label": [0, 1, 1], "prediction": [0, 1, 0]}
    other = {"label": ["0", "1", "1"], "prediction": [0.0, 1.0, 1.0]}
    tally, _ = join_answers(one, other).count()
    assert tally.cells() == [[0, 0, 0, 1], [1, 0, 1, 1], [1, 1, 1, 1]]


def test_an_audit_asks_about_rows_whose_answers_are_written_in_another_way():
    columns = {"id": [1, 2, 3, 4], "label": [0, 1, 1, 0], "a": [True, True, False, False], "b": [0.0, 1.0, 1.0, 0.0]}
    table = in_one(columns, incumbent="a", candidate="b")
    tally, _ = table.count()
    rows = disagreeing_rows(table, tally.classes, on="id")
    assert rows.ids == ("1", "3")
    assert (rows.incumbent.tolist(), rows.candidate.tolist()) == ([1, 0], [0, 1])


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pd.Series, lambda x: pd.Categorical(x), lambda x: __import__("polars").Series(x)]
)
def test_evaluate_takes_labels_and_predictions_by_position(kind):
    label, prediction = ["cat", "cat", "dog", "dog"] * 5, ["cat", "dog", "dog", "dog"] * 5
    assert evaluate(kind(label), kind(prediction))["accuracy"].value == 0.75
    assert evaluate(kind(label), y_pred=kind(prediction)).tally == evaluate(y_true=label, y_pred=prediction).tally


def test_labels_by_position_and_by_name_are_one_too_many():
    with pytest.raises(InputError, match="y_true and the first argument mean the same"):
        evaluate([0, 1], y_true=[0, 1], y_pred=[0, 1])
    with pytest.raises(InputError, match="both label and prediction"):
        evaluate([0, 1])


@pytest.mark.parametrize(
    "names", [("truth", "predicted"), ("actual", "y_hat"), ("Actual", "Predicted"), ("true", "pred")]
)
def test_usual_names_are_guessed(write, names):
    path = write("a.csv", f"{','.join(names)}\na,a\nb,a\n")
    assert count(path).cells() == [["a", "a", 1], ["b", "a", 1]]


@pytest.mark.parametrize("name", ["true", "truth", "actual"])
def test_beside_labels_they_are_the_true_classes(write, name):
    path = write("a.csv", f"{name},label,prediction\na,a,a\nb,a,a\n")
    assert count(path).axes == ("label", "prediction", "true")


def test_two_candidates_for_the_truth_are_asked_about(write):
    with pytest.raises(ColumnError, match="Several columns .* could be the true class: 'truth', 'actual'"):
        count(write("a.csv", "truth,actual,prediction\na,a,a\n"))


@pytest.mark.parametrize("labels", [("cat", "dog"), ("0", "1")])
def test_a_column_of_scores_is_never_taken_as_the_prediction(write, labels, capsys):
    rows = [f"{labels[at % 2]},0.{at + 10}" for at in range(40)]
    path = write("a.csv", "\n".join(["label,pred", *rows]) + "\n")
    assert main(["evaluate", str(path)]) == 2
    assert "'pred' has numbers such as 0." in (err := " ".join(capsys.readouterr().err.split()))
    assert "--score pred" in err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_scores_under_a_usual_name_of_predictions_are_scores_when_named_so(tmp_path, ending, capsys):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 200)
    frame = pd.DataFrame({"label": label, "pred": np.clip(label * 0.4 + rng.random(200) * 0.6, 0, 1).round(4)})
    path = tmp_path / f"a.{ending}"
    getattr(frame, f"to_{ending}")(path, index=False)
    assert main(["evaluate", str(path), "--score", "pred", "--positive", "1", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    at_half = ((frame.pred >= 0.5) == (frame.label == 1)).mean()
    assert next(one["value"] for one in read["measures"] if one["name"] == "accuracy") == pytest.approx(at_half)
    frame["y_hat"] = label
    getattr(frame, f"to_{ending}")(path, index=False)
    assert main(["evaluate", str(path), "--score", "pred", "--positive", "1", "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["columns"]["prediction"] == "y_hat"
    assert next(one["value"] for one in read["measures"] if one["name"] == "accuracy") == 1


@pytest.mark.parametrize(("label", "prediction"), [("Cat,Dog", "cat,dog"), ("a b,c", "ab,d"), ("x,y", "x ,y ")])
def test_classes_that_differ_in_capitals_or_spaces_only_are_refused(write, label, prediction, capsys):
    rows = [f"{a},{b}" for a, b in zip(label.split(","), prediction.split(","), strict=True)] * 20
    path = write("a.csv", "\n".join(["label,prediction", *rows]) + "\n")
    assert main(["evaluate", str(path)]) == 2
    assert "have no class in common" in (err := " ".join(capsys.readouterr().err.split()))
    assert "only in capitals or spaces" in err


def test_a_numeric_target_with_many_values_asks_for_regression(write, capsys):
    rows = [f"{at / 7:.3f},{at / 7 + 0.01:.3f}" for at in range(300)]
    path = write("a.csv", "\n".join(["y,yhat", *rows]) + "\n")
    assert main(["evaluate", str(path)]) == 2
    assert "pass --regression" in " ".join(capsys.readouterr().err.split())
    assert main(["evaluate", str(path), "--regression"]) == 0
    with pytest.raises(ClassError, match="pass --regression"):
        evaluate([0.5, 1.25], [0.5, 1.0])


def test_whole_numbers_with_hundreds_of_values_hint_at_regression():
    prices = np.arange(600) % 300
    assert "evaluate them as numbers (--regression" in " ".join(evaluate(prices, prices // 2).warnings)
    classes = np.arange(6000) % 300  # twenty rows each: classes, as those of large sets of images are
    assert "--regression" not in " ".join(evaluate(classes, classes).warnings)
