"""`justesse annotators …` and `justesse.annotators_…`: what they read, answer, refuse and write."""

import csv
import json
from pathlib import Path

import jsonschema
import numpy as np
import pandas
import polars
import pytest

import justesse
from justesse.annotators.models import NAMES as MODELS
from justesse.cli.main import main
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError
from justesse.verbs.schemas import schema

CLASSES = ["cat", "dog", "fox"]


def drawn(n=120, people=5, seed=0, right=(0.95, 0.9, 0.8, 0.7, 0.6), missing=0.2):
    """Draw truths and answers as rows of a long table."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    rows = []
    for item in range(n):
        for who in range(people):
            if rng.random() >= missing or who == item % people:
                code = truth[item] if rng.random() < right[who] else (truth[item] + rng.integers(1, 3)) % 3
                rows.append({"item": f"i{item}", "worker": f"w{who}", "label": CLASSES[code]})
    return rows, {f"i{item}": CLASSES[code] for item, code in enumerate(truth)}


def written(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.fixture(scope="module")
def crowd():
    return drawn()


@pytest.fixture
def answers(tmp_path, crowd):
    return written(tmp_path / "answers.csv", crowd[0])


@pytest.fixture
def gold(tmp_path, crowd):
    return written(tmp_path / "gold.csv", [{"item": item, "truth": name} for item, name in crowd[1].items()])


def printed(capsys, *words):
    assert main(["annotators", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys, *words):
    assert main(["annotators", *words]) == 2
    return capsys.readouterr().err


def test_agree_prints_the_named_keys(answers, capsys):
    result = printed(capsys, "agree", answers)
    for name in ("alpha", "fleiss", "percent", "ac1"):
        interval = result[name]["interval"]
        assert interval["low"] < result[name]["value"] < interval["high"]
    jsonschema.validate(result, schema("annotators_agree"))
    assert len(result["pairs"]) == 10
    assert [each["annotators"] for each in result["by_annotators"]] == [2, 3, 4, 5]
    assert result["as_accurate_as_the_best"]["annotator"] in ("w0", "w1")
    assert result["as_accurate_as_the_best"]["alpha"]["value"] > result["alpha"]["interval"]["high"]


def test_agree_is_the_same_from_any_frame(answers, crowd):
    table = columns(crowd[0])
    expected = justesse.annotators_agree(answers).to_dict()
    for frame in (table, pandas.DataFrame(table), polars.DataFrame(table)):
        assert justesse.annotators_agree(frame).to_dict() == expected


def test_a_wide_table_is_read_as_a_long_one(tmp_path, crowd):
    rows, _ = crowd
    items = list(dict.fromkeys(row["item"] for row in rows))
    answer = {(row["item"], row["worker"]): row["label"] for row in rows}
    wide = [{"item": item, **{f"w{who}": answer.get((item, f"w{who}"), "") for who in range(5)}} for item in items]
    result = justesse.annotators_agree(written(tmp_path / "wide.csv", wide)).to_dict()
    assert result["alpha"] == justesse.annotators_agree(columns(rows)).to_dict()["alpha"]


def test_weighted_kappa_follows_the_scale(crowd):
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(1)
    first, second = rng.integers(1, 6, 80), np.clip(rng.integers(1, 6, 80), 1, 5)
    second = np.where(rng.random(80) < 0.6, first, second)
    table = {"item": list(range(80)) * 2, "rater": ["a"] * 80 + ["b"] * 80, "answer": [*first, *second]}
    for scale, weights in (("nominal", None), ("ordinal", "linear"), ("interval", "quadratic")):
        pair = justesse.annotators_agree(table, scale=scale).pairs[0]
        assert pair.kappa.value == pytest.approx(cohen_kappa_score(first, second, weights=weights), abs=1e-9)


def test_infer_writes_item_class_and_probability(answers, crowd, tmp_path, capsys):
    target = tmp_path / "truth.csv"
    words = ["infer", answers, "--item", "item", "--annotator", "worker", "--answer", "label"]
    result = printed(capsys, *words, "--method", "dawid-skene", "--to", str(target), "--draws", "50")
    jsonschema.validate(result, schema("annotators_infer"))
    with target.open() as file:
        rows = list(csv.DictReader(file))
    assert {"item", "class", "probability"} <= set(rows[0])
    assert np.mean([row["class"] == crowd[1][row["item"]] for row in rows]) > 0.9
    right = {each["annotator"]: each["accuracy"] for each in result["annotators"]}
    assert right["w0"]["value"] > right["w4"]["value"]
    assert all(each["interval"]["low"] < each["value"] < each["interval"]["high"] for each in right.values())


@pytest.mark.parametrize("method", ["majority", "weighted", "one-coin", "mace", "glad", "hierarchical"])
def test_every_method_infers_the_truth(method, crowd):
    rows, truth = crowd
    result = justesse.annotators_infer(columns(rows), method=method)
    jsonschema.validate(result.to_dict(), schema("annotators_infer"))
    guessed = dict(zip(result.truth()["item"], result.truth()["class"], strict=True))
    assert np.mean([guessed[item] == name for item, name in truth.items()]) > 0.85


def test_gold_that_only_checks_is_not_given_to_the_model(answers, gold, capsys):
    without = printed(capsys, "infer", answers, "--draws", "0")
    checked = printed(capsys, "infer", answers, "--draws", "0", "--check", gold)
    jsonschema.validate(checked, schema("annotators_infer"))
    assert checked["log_likelihood"] == without["log_likelihood"]
    assert without["calibration"] is None
    assert any("--check" in warning for warning in without["warnings"])
    assert checked["calibration"]["accuracy"]["n"] == 120
    assert checked["calibration"]["accuracy"]["value"] > 0.85
    known = printed(capsys, "infer", answers, "--draws", "0", "--gold", gold)
    assert known["expected_right"] == 1


def test_probabilities_that_are_too_high_are_tempered():
    """All annotators copy one, so that the model is sure of what is often wrong."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400)
    copied = np.where(rng.random(400) < 0.8, truth, 1 - truth)
    own = np.where(rng.random((6, 400)) < 0.85, copied, 1 - copied)
    table = {
        "item": list(range(400)) * 6,
        "annotator": [who for who in range(6) for _ in range(400)],
        "answer": own.ravel().tolist(),
    }
    check = {"item": list(range(400)), "truth": truth.tolist()}
    result = justesse.annotators_infer(table, check=check, draws=0)
    checked = result.calibration
    assert checked.expected > 0.95
    assert checked.lapse > 0.1
    assert abs(checked.calibrated_expected - checked.accuracy.value) < 0.05
    assert checked.calibrated_log_loss < checked.log_loss
    assert result.truth()["calibrated_probability"] == pytest.approx(checked.probability.tolist())


@pytest.mark.parametrize("method", ["dawid-skene", "hierarchical", "one-coin", "majority"])
def test_every_annotator_has_a_confusion_table_with_intervals(method, answers, tmp_path, capsys):
    target = tmp_path / "confusion.csv"
    draws = ["--draws", "40"] if method == "dawid-skene" else []
    result = printed(capsys, "infer", answers, "--method", method, "--confusion", str(target), *draws)
    jsonschema.validate(result, schema("annotators_infer"))
    for card in result["annotators"]:
        assert len(card["confusion"]) == 9
        for true in CLASSES:
            row = [cell for cell in card["confusion"] if cell["true"] == true]
            assert sum(cell["share"] for cell in row) == pytest.approx(1)
            assert all(cell["interval"]["low"] <= cell["share"] <= cell["interval"]["high"] for cell in row)
    for each in result["proportions"]:
        assert each["interval"]["low"] < each["value"] < each["interval"]["high"]
    with target.open() as out:
        rows = list(csv.DictReader(out))
    assert len(rows) == 45
    assert set(rows[0]) == {"annotator", "true", "answer", "share", "low", "high", "items"}
    assert float(rows[0]["share"]) == pytest.approx(result["annotators"][0]["confusion"][0]["share"])


def test_the_page_shows_the_confusion_tables(answers):
    result = justesse.annotators_infer(answers, draws=20)
    assert "What each annotator answers, given the true class" in result.markdown("full")
    assert "What each annotator answers" not in result.markdown("summary")


def test_gold_of_an_own_column_and_of_another_kind(crowd):
    rows, truth = crowd
    table = {**columns(rows), "truth": [truth[row["item"]] for row in rows]}
    assert justesse.annotators_infer(table, check="truth", draws=0).calibration.accuracy.n == 120
    numbers = {"item": [1, 1, 2, 2], "annotator": list("abab"), "answer": [0, 0, 1, 1]}
    texts = {"item": ["1", "2"], "gold": ["0", "1"]}
    assert justesse.annotators_infer(numbers, check=texts, method="majority").calibration.accuracy.value == 1


def test_features_give_items_without_answers_a_class(tmp_path, capsys):
    rng = np.random.default_rng(0)
    rows = []
    for item in range(60):
        code = item % 2
        length = round(float(rng.normal(3 * code, 0.5)), 3)
        if item >= 50:  # nobody answered
            rows.append({"item": item, "annotator": "", "answer": "", "length": length})
        for who in "abc" if item < 50 else "":
            answer = code if rng.random() < 0.8 else 1 - code
            rows.append({"item": item, "annotator": who, "answer": ["no", "yes"][answer], "length": length})
    file = written(tmp_path / "a.csv", rows)
    target = tmp_path / "t.csv"
    words = ["infer", file, "--method", "item-response", "--features", "length", "--to", str(target)]
    result = printed(capsys, *words)
    assert result["method"] == "item-response"
    assert result["rhat"] < 1.2
    with target.open() as out:
        last = [row for row in csv.DictReader(out) if int(row["item"]) >= 50]
    assert [row["class"] for row in last] == ["no", "yes"] * 5
    assert "features" in refused(capsys, "infer", file, "--method", "item-response")
    assert "item-response" in refused(capsys, "infer", file, "--features", "length")


def test_two_who_copy_are_said():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    answers = np.where(rng.random((300, 6)) < 0.7, truth[:, None], rng.integers(0, 3, (300, 6)))
    answers[:, 1] = answers[:, 0]
    table = {
        "item": np.repeat(np.arange(300), 6).tolist(),
        "annotator": np.tile(np.arange(6), 300).tolist(),
        "answer": answers.ravel().tolist(),
    }
    result = justesse.annotators_infer(table, draws=0).to_dict()
    assert [(pair["first"], pair["second"]) for pair in result["dependent"]] == [(0, 1)]
    assert 30 < result["changed_without_dependence"] < 150  # of 300: one opinion, counted twice, had decided them
    jsonschema.validate(result, schema("annotators_infer"))
    shared = result["corrected"]
    assert shared["changed"] == result["changed_without_dependence"]
    assert shared["links"][0]["share"] > 0.95
    assert result["warnings"][0].startswith("Annotators seem to repeat each other's answers: 0 and 1.")
    assert all(each["class"] != each["corrected_class"] for each in shared["items"])


def test_few_annotators_cannot_show_copying():
    table = {"item": [1, 1, 1, 2, 2, 2], "annotator": list("abcabc"), "answer": list("xxyyyy")}
    warnings = justesse.annotators_infer(table, draws=0).to_dict()["warnings"]
    assert any("copying cannot be distinguished from accuracy" in warning for warning in warnings)
    assert any("Ask more annotators, five in all" in warning for warning in warnings)


def test_what_dependence_changes_is_shown_and_written(tmp_path):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 200)
    answers = np.where(rng.random((200, 5)) < 0.7, truth[:, None], rng.integers(0, 3, (200, 5)))
    answers[:, 1] = answers[:, 0]
    table = {
        "item": np.repeat(np.arange(200), 5).tolist(),
        "annotator": np.tile(list("abcde"), 200).tolist(),
        "answer": answers.ravel().tolist(),
    }
    result = justesse.annotators_infer(table, draws=0)
    written_rows = result.truth()
    assert sum(map(int.__ne__, written_rows["class"], written_rows["corrected_class"])) == result.changed > 0
    page = result.report(tmp_path / "p.html").read_text()
    for title in ("Who errs together", "What dependence changes", "Who agrees with whom"):
        assert title in page
    alone = justesse.annotators_infer({**table, "answer": np.repeat(truth, 5).tolist()}, draws=0)
    assert "corrected_class" not in alone.truth()
    assert alone.to_dict()["corrected"] is None


def test_the_interval_of_an_annotator_with_one_answer_contains_the_value():
    table = {
        "item": [*range(20), *range(20), *range(20), 0],
        "annotator": ["a"] * 20 + ["b"] * 20 + ["c"] * 20 + ["wrong"],
        "answer": [*(["x", "y"] * 30), "y"],
    }
    for card in justesse.annotators_infer(table, draws=20).to_dict()["annotators"]:
        ends = card["accuracy"]["interval"]
        assert ends["low"] <= card["accuracy"]["value"] <= ends["high"]


def test_one_who_tires_is_said():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 400)
    right = np.full((400, 5), 0.9)
    right[:, 2] = np.linspace(1.0, 0.4, 400)
    answers = np.where(rng.random((400, 5)) < right, truth[:, None], 1 - truth[:, None])
    table = {
        "item": np.repeat(np.arange(400), 5).tolist(),
        "annotator": np.tile(np.arange(5), 400).tolist(),
        "answer": answers.ravel().tolist(),
        "second": np.repeat(np.arange(400), 5).tolist(),
    }
    drift = {
        each["annotator"]: each for each in justesse.annotators_infer(table, time="second", draws=0).to_dict()["drift"]
    }
    assert drift[2]["adjusted_pvalue"] < 0.01
    assert drift[2]["slope"] < -0.2
    assert all(drift[who]["adjusted_pvalue"] > 0.01 for who in (0, 1, 3, 4))


def test_next_asks_good_annotators_about_doubtful_items(answers, capsys):
    result = printed(capsys, "next", answers, "--number", "5")
    jsonschema.validate(result, schema("annotators_next"))
    assert len(result["questions"]) == 5
    assert result["expected_right"]["after"] > result["expected_right"]["now"]
    gains = [each["gain"] for each in result["questions"]]
    assert gains == sorted(gains, reverse=True)
    dear = printed(capsys, "next", answers, "--number", "5", "--price", "w0=100", "--price", "w1=100", "--budget", "3")
    assert {each["annotator"] for each in dear["questions"]} <= {"w2", "w3", "w4"}
    assert dear["cost"] <= 3


def test_nobody_is_asked_twice_about_an_item(answers, crowd):
    asked = {(row["item"], row["worker"]) for row in crowd[0]}
    result = justesse.annotators_next(answers, number=30).to_dict()
    assert not {(each["item"], each["annotator"]) for each in result["questions"]} & asked


def test_compare_ranks_models_and_a_classifier(answers, tmp_path, crowd, capsys):
    rng = np.random.default_rng(5)
    machine = [{"item": item, "prediction": name if rng.random() < 0.97 else "cat"} for item, name in crowd[1].items()]
    file = written(tmp_path / "predictions.csv", machine)
    result = printed(capsys, "compare", answers, "--prediction", file, "--draws", "200")
    jsonschema.validate(result, schema("annotators_compare"))
    assert len(result["models"]) == 7
    assert result["models"][0]["below_best"] is None
    assert result["classifier"]["average"]["interval"]["low"] > 0
    assert {"average", "median", "best", "of_three"} <= set(result["classifier"])
    difference = {each["annotator"]: each["difference"]["value"] for each in result["classifier"]["annotators"]}
    assert difference["w0"] < difference["w4"]
    assert any("trained on" in warning for warning in result["warnings"])
    jsonschema.validate(printed(capsys, "compare", answers), schema("annotators_compare"))


def test_compare_takes_features_and_infer_scores_answers_left_out(tmp_path, capsys):
    rng = np.random.default_rng(0)
    rows = []
    for item in range(60):
        code = item % 2
        length = round(float(rng.normal(3 * code, 0.5)), 3)
        for who in "abc":
            answer = code if rng.random() < 0.8 else 1 - code
            rows.append({"item": item, "annotator": who, "answer": ["no", "yes"][answer], "length": length})
    file = written(tmp_path / "a.csv", rows)
    models = printed(capsys, "compare", file, "--features", "length", "--folds", "3")["models"]
    assert {each["method"] for each in models} == set(MODELS)
    assert models[0]["method"] == "item-response"
    result = printed(capsys, "infer", file, "--method", "one-coin", "--folds", "3")
    jsonschema.validate(result, schema("annotators_infer"))
    score = next(each["score"] for each in models if each["method"] == "one-coin")
    assert result["heldout"]["value"] == pytest.approx(score["value"])
    assert "folds" in refused(capsys, "infer", file, "--folds", "1")


def test_a_class_that_nobody_answered_is_a_wrong_prediction(crowd):
    rows, truth = crowd
    machine = {"item": list(truth), "prediction": ["wolf"] * len(truth)}
    result = justesse.annotators_compare(columns(rows), prediction=machine, draws=100)
    assert all(each.machine == 0 for each in result.machine.each)


@pytest.mark.parametrize("part", ["agree", "infer", "next", "compare"])
def test_every_part_writes_a_page_a_table_and_charts(part, answers, gold, tmp_path, capsys):
    words = [part, answers, "--report", str(tmp_path / "p.html"), "-o", str(tmp_path / "t.csv"), "--full"]
    words += ["--check", gold, "--draws", "20"] if part == "infer" else []
    assert main(["annotators", *words]) == 0
    assert capsys.readouterr().out
    assert "<html" in (tmp_path / "p.html").read_text()
    assert len((tmp_path / "t.csv").read_text().splitlines()) > 1


# ---- what cannot be read


def test_bad_input_is_refused(tmp_path, answers, capsys):
    empty = tmp_path / "empty.csv"
    empty.write_text("item,annotator,answer\n")
    assert "no rows" in refused(capsys, "agree", str(empty)).lower()
    nothing = tmp_path / "nothing.csv"
    nothing.write_text("")
    assert refused(capsys, "infer", str(nothing))
    assert refused(capsys, "agree", str(tmp_path))
    assert "not found" in refused(capsys, "infer", answers, "--answer", "colour")
    assert "not found" in refused(capsys, "infer", answers, "--check", "colour")
    assert refused(capsys, "infer", answers, "--check", str(tmp_path / "gone.csv"))
    assert "is not among the classes" in refused(capsys, "infer", answers, "--classes", "cat,dog")
    stranger = tmp_path / "stranger.csv"
    stranger.write_text("item,annotator,answer\n1,a,x\n1,b,y\n2,a,x\n2,b,zz\n")
    assert "(row 4) is not among the classes" in refused(capsys, "infer", str(stranger), "--classes", "x,y")
    assert "name=number" in refused(capsys, "next", answers, "--price", "w0")
    assert "no annotator" in refused(capsys, "next", answers, "--price", "nobody=3")
    assert refused(capsys, "agree", answers, "--level", "2")
    assert refused(capsys, "compare", answers, "--folds", "1")
    assert "numbers" in refused(capsys, "agree", answers, "--scale", "interval")


def test_nothing_is_written_where_the_answers_are(answers, capsys):
    before = Path(answers).read_text()
    assert "would replace" in refused(capsys, "infer", answers, "--to", answers)
    assert Path(answers).read_text() == before


def test_missing_items_and_annotators_are_named_by_row():
    with pytest.raises(MissingValueError, match="annotator.*row 2"):
        justesse.annotators_agree({"item": [1, 1], "annotator": ["a", None], "answer": ["x", "y"]})
    with pytest.raises(MissingValueError, match="item.*row 1"):
        justesse.annotators_agree({"item": [None, 1], "annotator": ["a", "b"], "answer": ["x", "y"]})
    with pytest.raises(MissingValueError, match="No answers"):
        justesse.annotators_agree({"item": [1, 1], "annotator": ["a", "b"], "answer": [None, None]})


def test_columns_must_differ():
    with pytest.raises(ColumnError, match="three columns"):
        justesse.annotators_agree({"item": [1], "who": ["a"]}, annotator="who", answer="who")


def test_gold_of_other_items_and_two_golds_are_refused():
    answers = {"item": [1, 1], "annotator": ["a", "b"], "answer": ["x", "y"]}
    with pytest.raises(InputError, match="No item of"):
        justesse.annotators_infer(answers, gold={"item": [7], "gold": ["x"]})
    with pytest.raises(InputError, match="more than one gold class"):
        justesse.annotators_infer(answers, gold={"item": [1, 1], "gold": ["x", "y"]})


def test_repeated_answers_are_said_and_chosen_by_option():
    table = {"item": [1, 1, 1, 2, 2], "annotator": ["a", "a", "b", "a", "b"], "answer": ["x", "y", "y", "x", "x"]}
    last = justesse.annotators_agree(table)
    assert last.coefficients["percent"].value == 1
    assert any("1 repeated answer left out" in str(warning) for warning in last.warnings)
    assert justesse.annotators_agree(table, repeated="first").coefficients["percent"].value == 0.5
    assert len(justesse.annotators_agree(table, repeated="all").annotations) == 5
    with pytest.raises(InputError, match="more than once"):
        justesse.annotators_agree(table, repeated="refuse")


def test_mixed_case_is_said_and_merged_on_demand():
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "answer": ["Yes", "yes ", "no", "no"]}
    apart = justesse.annotators_agree(table)
    assert any("--ignore-case" in str(warning) for warning in apart.warnings)
    assert apart.coefficients["percent"].value == 0.5
    assert justesse.annotators_agree(table, ignore_case=True).coefficients["percent"].value == 1


def test_one_annotator_only():
    table = {"item": [1, 2, 3], "annotator": ["a"] * 3, "answer": ["x", "y", "x"]}
    agreed = justesse.annotators_agree(table)
    assert np.isnan(agreed.coefficients["alpha"].value)
    assert "undefined" in agreed.markdown("full")
    assert any("one annotator" in str(warning) for warning in agreed.warnings)
    assert justesse.annotators_infer(table).truth()["class"] == ["x", "y", "x"]


def test_all_identical_and_one_class_only():
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "answer": ["x"] * 4}
    agreed = justesse.annotators_agree(table)
    assert agreed.coefficients["percent"].value == 1
    assert np.isnan(agreed.coefficients["alpha"].value)
    assert agreed.to_dict()["alpha"]["undefined"]
    assert justesse.annotators_infer(table).truth()["class"] == ["x", "x"]
    assert justesse.annotators_infer(table, method="mace").truth()["class"] == ["x", "x"]


def test_an_annotator_with_one_answer_is_not_certain():
    rows, _ = drawn(40)
    table = columns([*rows, {"item": "i0", "worker": "once", "label": "cat"}])
    card = justesse.annotators_infer(table, draws=100).cards[-1]
    assert card.n == 1
    assert card.accuracy.interval.high - card.accuracy.interval.low > 0.3


def test_no_silly_decimals_in_the_table_of_annotators(crowd):
    table = columns([{**row, "label": "cat" if int(row["item"][1:]) % 2 else "dog"} for row in crowd[0]])
    text = justesse.annotators_infer(table, draws=50).markdown("full")
    assert "100.00" not in text
    assert "99.99" not in text


def test_ties_are_said():
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "answer": ["x", "y", "x", "x"]}
    result = justesse.annotators_infer(table, method="majority")
    assert result.to_dict()["ties"] == 1
    assert "tied" in result.markdown("summary")
    assert result.truth()["tie"] == [True, False]


def test_numbers_and_texts_as_ids_stay_apart(tmp_path):
    table = {"item": ["1", "01", "1", "01"], "annotator": ["7", "7", "07", "07"], "answer": list("xyxy")}
    notes = justesse.annotators_agree(table).annotations
    assert notes.n_items == 2
    assert notes.n_annotators == 2


def test_as_many_annotators_as_answers():
    n = 200_000
    rng = np.random.default_rng(0)
    table = {"item": rng.integers(0, 40_000, n), "annotator": np.arange(n), "answer": rng.integers(0, 3, n)}
    agreed = justesse.annotators_agree(table, draws=0)
    assert abs(agreed.coefficients["alpha"].value) < 0.01
    assert any("2,000 annotators" in str(warning) for warning in agreed.warnings)
    result = justesse.annotators_infer(table, method="majority")
    assert len(result.cards) == n
    assert "500 of 200,000 annotators" in result.markdown("full")


@pytest.mark.parametrize(
    "options", [{"draws": -1}, {"method": "guess"}, {"method": "mace", "prior": 1.0}, {"starts": 0}]
)
def test_options_out_of_range_are_refused(options, crowd):
    with pytest.raises(OptionError):
        justesse.annotators_infer(columns(crowd[0]), **options)


def test_classes_outside_the_list_are_refused(crowd):
    with pytest.raises(ClassError, match="not among the classes"):
        justesse.annotators_agree(columns(crowd[0]), classes=["cat", "dog"])


def test_confidence_duration_and_gold_are_read_from_columns_with_usual_names(crowd, capsys, tmp_path):
    rows, truth = crowd
    extra = [
        {**row, "confidence": 95 if row["worker"] == "w4" else 70, "seconds": 3 + at % 2, "gold": truth[row["item"]]}
        for at, row in enumerate(rows)
    ]
    file = written(tmp_path / "a.csv", extra)
    result = printed(capsys, "infer", file, "--draws", "0")
    jsonschema.validate(result, schema("annotators_infer"))
    cards = {card["annotator"]: card for card in result["annotators"]}
    assert cards["w4"]["stated_confidence"]["mean"] == pytest.approx(0.95)
    assert cards["w4"]["stated_confidence"]["right"]["value"] < 0.8
    assert 3 <= cards["w0"]["median_duration"] <= 4
    assert result["calibration"]["accuracy"]["n"] == 120
    assert any("'gold' checks the model" in warning for warning in result["warnings"])
    text = justesse.annotators_infer(file, draws=0).markdown("full")
    assert "most overconfident first" in text
    assert "median time" in text
    assert "not found" in refused(capsys, "infer", file, "--confidence", "sure")
    wrong = written(tmp_path / "b.csv", [{**row, "sure": -1} for row in rows])
    assert "from 0 to 1" in refused(capsys, "infer", wrong, "--confidence", "sure")


def test_a_weighted_vote_weighs_stated_confidence():
    table = {
        "item": [1, 1, 2, 2],
        "annotator": list("abab"),
        "answer": ["x", "y", "x", "y"],
        "confidence": [1, 0, 0, 1],
    }
    assert justesse.annotators_infer(table, method="weighted").truth()["class"] == ["x", "y"]


def test_gold_in_a_wide_table_is_no_annotator():
    table = {"item": [1, 2, 3], "ann": list("xyx"), "bob": list("xyy"), "truth": list("xyx")}
    agreed = justesse.annotators_agree(table)
    assert agreed.annotations.n_annotators == 2
    assert any("Left out, judging by its name: 'truth'" in str(warning) for warning in agreed.warnings)
    assert justesse.annotators_infer(table).calibration.accuracy.n == 3


def test_names_that_differ_in_case_and_answers_that_never_differ_are_pointed_out():
    table = {"item": [1, 1, 2, 2], "annotator": ["Ann", "ann ", "Ann", "ann "], "answer": list("xxyy")}
    warnings = [str(warning) for warning in justesse.annotators_agree(table).warnings]
    assert any("'Ann' and 'ann '" in warning for warning in warnings)
    assert any("agree on every item" in warning for warning in warnings)
