"""Evaluation and comparison against annotators' answers instead of labels."""

import json
import math

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import ColumnError, InputError, MissingValueError, OptionError
from justesse.verbs.schemas import schema

NAMES = np.array(["ham", "spam"])


def crowd(n=150, right=(0.9, 0.8, 0.7), seed=0, classes=NAMES):
    """Plant true classes, answers, and a classifier that is right in 9 of 10 items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(len(classes), size=n)
    rows = {"item": [], "annotator": [], "answer": []}
    for who, chance in enumerate(right):
        wrong = (truth + rng.integers(1, len(classes), n)) % len(classes)
        codes = np.where(rng.random(n) < chance, truth, wrong)
        rows["item"] += range(n)
        rows["annotator"] += [f"p{who}"] * n
        rows["answer"] += classes[codes].tolist()
    predicted = np.where(rng.random(n) < 0.9, truth, (truth + 1) % len(classes))
    return rows, {"id": list(range(n)), "prediction": classes[predicted].tolist()}, classes[truth].tolist()


@pytest.fixture(scope="module")
def evaluation():
    answers, predictions, _ = crowd()
    return justesse.evaluate(predictions, answers=answers)


def test_unanimous_perfect_annotators_are_labels():
    answers, predictions, truth = crowd(right=(1.0, 1.0, 1.0, 1.0))
    found = justesse.evaluate(predictions, answers=answers)
    usual = justesse.evaluate({**predictions, "label": truth}, method="jeffreys", bootstrap="smoothed")
    for each in usual.estimates:
        key = (each.name, each.class_name if each.class_name is not None else each.average)
        mine = found[key]
        assert mine.value == pytest.approx(each.value, abs=1e-9), key
        if mine.interval and each.interval:
            assert mine.interval.low == pytest.approx(each.interval.low, abs=0.02), key
            assert mine.interval.high == pytest.approx(each.interval.high, abs=0.02), key
    assert found["accuracy"].interval.low == pytest.approx(usual["accuracy"].interval.low, abs=1e-6)
    assert found.doubt("accuracy") == pytest.approx(0.0, abs=1e-9)


def test_the_planted_accuracy_is_inside_where_the_vote_is_too_low(evaluation):
    accuracy = evaluation["accuracy"]
    assert accuracy.interval.low < 0.9 < accuracy.interval.high
    assert evaluation.by_vote[0].value < accuracy.value
    assert 0 < evaluation.doubt("accuracy") < 1


def test_the_output_says_what_it_rests_on(evaluation):
    written = evaluation.to_dict()
    jsonschema.validate(json.loads(json.dumps(written, allow_nan=False)), schema("evaluate_answers"))
    assert written["answers"]["annotators"] == 3
    assert written["answers"]["method"] == "hierarchical"
    assert any("independently of each other" in text for text in written["assumptions"])
    assert any("classifier errs independently" in text for text in written["assumptions"])
    assert any("repeats their mistakes" in text for text in written["warnings"])
    text = repr(evaluation)
    assert "judged by the answers of 3 annotators" in text
    assert "of the interval's width" in text
    assert "majority vote as the truth" in text


def test_every_medium_shows_it(evaluation, tmp_path):
    page = tmp_path / "page.html"
    evaluation.report(page)
    assert "against annotators" in page.read_text()
    assert "Doubt" in evaluation.markdown() or "doubt" in evaluation.markdown()
    assert len(evaluation.to_frame()) == len(evaluation.estimates)
    assert evaluation.chart("intervals") is not None


def test_the_same_seed_gives_the_same_bytes(evaluation):
    answers, predictions, _ = crowd()
    assert justesse.evaluate(predictions, answers=answers).to_dict() == evaluation.to_dict()


def test_requirements_use_the_bounds(evaluation):
    answers, predictions, _ = crowd()
    low = evaluation["accuracy"].interval.low
    result = justesse.evaluate(predictions, answers=answers, require=[f"accuracy>={low - 0.01}", "recall:spam>=0.99"])
    assert [requirement.met for requirement in result.requirements] == [True, False]
    assert not result.passes
    assert "annotators' answers" in result.requirements[0].words


def test_the_vote_as_the_truth_has_no_doubt():
    answers, predictions, _ = crowd()
    result = justesse.evaluate(predictions, answers=answers, answers_method="majority")
    assert result["accuracy"].value == pytest.approx(result.by_vote[0].value)
    assert result.doubt("accuracy") == pytest.approx(0.0)


def test_annotators_who_are_the_classifier_are_left_out():
    answers, predictions, _ = crowd()
    again = {key: list(values) for key, values in answers.items()}
    again["item"] += predictions["id"]
    again["annotator"] += ["model"] * len(predictions["id"])
    again["answer"] += predictions["prediction"]
    result = justesse.evaluate(predictions, answers=again)
    assert result.items.own == ("model",)
    assert any("Left out of the annotators" in text and "'model'" in text for text in result.warnings)
    assert result["accuracy"].value == pytest.approx(
        justesse.evaluate(predictions, answers=answers)["accuracy"].value, abs=0.005
    )


def test_annotators_who_are_right_as_often_as_the_classifier_stay():
    rng = np.random.default_rng(4)
    n, people = 400, 60
    true = rng.integers(0, 2, n)
    rows = [(item, f"w{who}") for who in range(people) for item in rng.choice(n, 20, replace=False)]
    answers = {
        "item": [item for item, _ in rows],
        "annotator": [who for _, who in rows],
        "answer": [int(true[item]) if rng.random() < 0.95 else int(1 - true[item]) for item, _ in rows],
    }
    prediction = np.where(rng.random(n) < 0.95, true, 1 - true)
    agreed = [
        sum(answers["answer"][at] == prediction[item] for at, (item, name) in enumerate(rows) if name == who)
        for who in {name for _, name in rows}
    ]
    assert max(agreed) == 20, "some annotator agrees with the classifier on every item, by chance"
    result = justesse.evaluate({"id": np.arange(n), "prediction": prediction}, on="id", answers=answers)
    assert not any("Left out of the annotators" in text for text in result.warnings)


def test_without_the_predictions_the_output_says_so():
    answers, predictions, _ = crowd()
    result = justesse.evaluate(predictions, answers=answers, answers_only=True)
    assert any("predictions say nothing more" in text for text in result.assumptions)
    assert any("looks worse than it is" in text for text in result.warnings)


def test_the_better_candidate_replaces():
    answers, predictions, truth = crowd(n=300, right=(0.9, 0.85, 0.8))
    rng = np.random.default_rng(9)
    old = [name if rng.random() < 0.7 else ("ham" if name == "spam" else "spam") for name in truth]
    table = {"id": predictions["id"], "old": old, "new": predictions["prediction"]}
    result = justesse.compare(table, incumbent="old", candidate="new", answers=answers)
    actual = np.mean(np.array(predictions["prediction"]) == truth) - np.mean(np.array(old) == truth)
    assert result.decision == "replace"
    assert result.difference.interval.low < actual < result.difference.interval.high
    assert result.best.decisive.better > 0.99
    assert result.passes("better")
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(written, schema("compare_answers"))
    assert written["majority"]["verdict"] == result.best.by_vote.decision
    turned = justesse.compare(table, incumbent="new", candidate="old", answers=answers)
    assert turned.decision == "keep"
    assert turned.difference.value == pytest.approx(-result.difference.value, abs=0.01)
    assert "majority vote" in repr(result)


def test_margin_alternative_and_measure_decide():
    answers, predictions, _ = crowd(n=300, right=(0.95, 0.9, 0.9))
    table = {"id": predictions["id"], "old": predictions["prediction"], "new": predictions["prediction"]}
    same = justesse.compare(table, incumbent="old", candidate="new", answers=answers, margin=0.05)
    assert same.decision == "equivalent"
    assert same.difference.value == pytest.approx(0.0, abs=1e-12)
    one_sided = justesse.compare(table, incumbent="old", candidate="new", answers=answers, alternative="greater")
    assert one_sided.difference.interval.alternative == "greater"
    recall = justesse.compare(table, incumbent="old", candidate="new", answers=answers, measure="recall:spam")
    assert recall.best.asked.title == "recall of 'spam'"
    with pytest.raises(OptionError, match="can be larger than the margin 2"):
        justesse.compare(table, incumbent="old", candidate="new", answers=answers, margin=2)


def test_several_candidates_share_the_level():
    answers, predictions, truth = crowd()
    table = {"id": predictions["id"], "old": predictions["prediction"], "a": truth, "b": truth[::-1]}
    result = justesse.compare(table, incumbent="old", candidate=["a", "b"], answers=answers)
    assert [part.name for part in result.judged] == ["a", "b"]
    assert result.rule.level > result.level
    assert result.best.name == "a"
    with pytest.raises(OptionError, match="at least 2 were tried"):
        justesse.compare(table, incumbent="old", candidate=["a", "b"], answers=answers, tried=1)


def test_rows_without_answers_and_items_without_predictions_are_counted():
    answers, predictions, _ = crowd()
    more = {"id": [*predictions["id"][10:], 900, 901], "prediction": [*predictions["prediction"][10:], "ham", "spam"]}
    result = justesse.evaluate(more, answers=answers)
    assert result.n == 140
    assert result.to_dict()["answers"]["rows_without_answers"] == 2
    assert result.to_dict()["answers"]["items_without_prediction"] == 10
    assert any("2 rows of predictions without an answer" in text for text in result.warnings)
    assert any("10 answered items without a prediction" in text for text in result.warnings)


def test_ids_may_be_numbers_in_one_table_and_text_in_the_other():
    answers, predictions, _ = crowd()
    texts = {**predictions, "id": [str(name) for name in predictions["id"]]}
    assert justesse.evaluate(texts, answers=answers).n == 150


def test_a_class_that_nobody_answered_is_wrong():
    answers, predictions, _ = crowd()
    strange = {**predictions, "prediction": ["eggs"] * 20 + predictions["prediction"][20:]}
    result = justesse.evaluate(strange, answers=answers)
    assert any("20 predictions of a class that nobody answered ('eggs')" in text for text in result.warnings)
    usual = justesse.evaluate(predictions, answers=answers)
    assert result["accuracy"].value < usual["accuracy"].value - 0.08
    assert result.table.shape == (2, 3)


def test_one_annotator_teaches_nothing_about_mistakes():
    answers, predictions, _ = crowd(right=(0.8,))
    result = justesse.evaluate(predictions, answers=answers)
    assert any("nothing can be learnt about that annotator's mistakes" in text for text in result.warnings)


def test_missing_predictions_follow_the_option():
    answers, predictions, _ = crowd()
    gaps = {**predictions, "prediction": [None, *predictions["prediction"][1:]]}
    with pytest.raises(MissingValueError, match="1 missing prediction"):
        justesse.evaluate(gaps, answers=answers)
    assert justesse.evaluate(gaps, answers=answers, missing="drop").n == 149
    wrong = justesse.evaluate(gaps, answers=answers, missing="wrong")
    assert wrong.n == 150
    assert any("1 missing prediction counted as wrong" in text for text in wrong.warnings)


BAD = [
    ({"id": [900, 901], "prediction": ["ham", "spam"]}, InputError, "No id of .* is among the items"),
    ({"id": [0, 0], "prediction": ["ham", "spam"]}, InputError, "Id 0 in column 'id' .* occurs 2 times: rows 1, 2"),
    ({"id": [0, 1], "prediction": [1, 2]}, InputError, "of another kind than the answer"),
    ({"id": [0, 1], "prediction": ["eggs", "beans"]}, InputError, "No prediction is a class of the answers"),
    ({"key": [0, 1], "prediction": ["ham", "spam"]}, ColumnError, "No id column found"),
    ({"id": [0, 1], "item": [0, 1], "prediction": ["ham", "spam"]}, ColumnError, "Several columns could be the id"),
    ({"id": [0, None], "prediction": ["ham", "spam"]}, MissingValueError, "Missing item"),
    (None, InputError, "Pass the data as a path"),
]


@pytest.mark.parametrize(("predictions", "error", "words"), BAD, ids=[words[:24] for _, _, words in BAD])
def test_bad_predictions_are_refused(predictions, error, words):
    with pytest.raises(error, match=words):
        justesse.evaluate(predictions, answers=crowd()[0])


def test_answers_of_one_class_are_refused():
    answers = {"item": [1, 2], "annotator": ["a", "a"], "answer": ["ham", "ham"]}
    with pytest.raises(InputError, match="All answers in .* are 'ham'"):
        justesse.evaluate({"id": [1, 2], "prediction": ["ham", "ham"]}, answers=answers)


@pytest.mark.parametrize(
    ("verb", "options", "words"),
    [
        ("evaluate", {"label": "y"}, r"label \(--label\) does not work with answers"),
        ("evaluate", {"by": "site"}, r"by \(--by\) does not work with answers"),
        ("evaluate", {"noise_rate": 0.1}, r"noise_rate \(--noise-rate\) does not work with answers"),
        ("evaluate", {"y_true": np.array([1, 0])}, r"y_true \(--y-true\) does not work with answers"),
        ("compare", {"judge": "sharp"}, r"judge \(--judge\) does not work with answers"),
        ("compare", {"score": "p"}, r"score \(--score\) does not work with answers"),
        ("compare", {"measure": "auc"}, "needs labels, not answers"),
        ("compare", {"candidate": ["b", "b"]}, "Name each candidate once"),
    ],
)
def test_options_about_labels_are_refused(verb, options, words):
    answers, predictions, _ = crowd(n=20)
    table = {"id": predictions["id"], "a": predictions["prediction"], "b": predictions["prediction"]}
    usual = {} if verb == "evaluate" else {"incumbent": "a", "candidate": "b"}
    with pytest.raises(OptionError, match=words):
        getattr(justesse, verb)(predictions if verb == "evaluate" else table, answers=answers, **{**usual, **options})


@pytest.mark.parametrize("option", ["item", "annotator", "answer"])
def test_options_about_answers_need_answers(option):
    with pytest.raises(OptionError, match="is about annotators' answers"):
        justesse.evaluate([1, 0], [1, 0], **{option: "x"})


def test_files_with_other_ids_need_common():
    answers, predictions, _ = crowd()
    fewer = {key: values[5:] for key, values in predictions.items()}
    with pytest.raises(InputError, match="5 ids of .* not in"):
        justesse.compare(predictions, fewer, answers=answers)
    assert justesse.compare(predictions, fewer, answers=answers, common=True).best.n == 145


@pytest.fixture
def files(tmp_path):
    import csv

    answers, predictions, truth = crowd()
    tables = {
        "answers": answers,
        "old": {"id": predictions["id"], "prediction": truth[::-1]},
        "new": predictions,
    }
    for name, table in tables.items():
        with open(tmp_path / f"{name}.csv", "w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
    return tmp_path


def test_the_commands(files, capsys):
    names = {name: str(files / f"{name}.csv") for name in ("answers", "old", "new")}
    assert main(["evaluate", names["new"], "--answers", names["answers"], "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, schema("evaluate_answers"))
    page = str(files / "page.html")
    assert (
        main(["compare", names["old"], names["new"], "--on", "id", "--answers", names["answers"], "--report", page])
        == 0
    )
    assert "Replace the incumbent" in capsys.readouterr().out
    assert main(["compare", names["new"], names["old"], "--answers", names["answers"], "--json"]) == 1
    jsonschema.validate(json.loads(capsys.readouterr().out), schema("compare_answers"))
    assert main(["evaluate", names["new"], "--answers", str(files / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert main(["evaluate", names["new"], "--answers", names["answers"], "--on", "no"]) == 2
    assert "Column 'no' not found" in capsys.readouterr().err


def test_costs_and_weights_of_classes():
    answers, predictions, _ = crowd()
    result = justesse.evaluate(
        predictions,
        answers=answers,
        cost={"ham": {"ham": 0, "spam": 5}, "spam": {"ham": 1, "spam": 0}},
        class_weight={"ham": 2, "spam": 1},
        beta=2,
    )
    table = result.table
    assert result["cost"].value == pytest.approx((5 * table[0, 1] + table[1, 0]) / table.sum())
    assert not math.isnan(result["class_weighted_error"].value)


def shared_mistakes(n=250, people=10, seed=0):
    """Plant items that all annotators find hard."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    chance = np.where(rng.random(n) < 0.3, 0.5, 0.9)
    rows = {"item": [], "annotator": [], "answer": []}
    for who in range(people):
        rows["item"] += range(n)
        rows["annotator"] += [f"p{who}"] * n
        rows["answer"] += NAMES[np.where(rng.random(n) < chance, truth, 1 - truth)].tolist()
    return rows, truth, rng


def test_annotators_who_err_together_are_noticed():
    answers, truth, rng = shared_mistakes()
    table = {"id": range(250), "new": NAMES[np.where(rng.random(250) < 0.9, truth, 1 - truth)], "old": NAMES[truth * 0]}
    result = justesse.evaluate({"id": table["id"], "prediction": table["new"]}, answers=answers)
    assert result.truth.fit.pvalue <= 0.05
    assert any("Annotators err together on some items" in text and "a point" in text for text in result.warnings)
    assert not any("found no sign" in text for text in result.warnings)
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(written, schema("evaluate_answers"))
    compared = justesse.compare(table, incumbent="old", candidate="new", answers=answers)
    jsonschema.validate(json.loads(json.dumps(compared.to_dict(), allow_nan=False)), schema("compare_answers"))
    assert any("Annotators err together on some items" in text for text in compared.warnings)


def test_independent_annotators_are_not_doubted(evaluation):
    assert evaluation.truth.fit.pvalue > 0.05
    assert any("found no sign" in text for text in evaluation.warnings)


def test_a_classifier_that_repeats_an_annotator_gains_nothing_from_it():
    answers, _, truth = crowd(right=(0.72,) * 5, n=300)
    rng = np.random.default_rng(1)
    first = np.array(answers["answer"][:300])
    copied = np.where(rng.random(300) < 0.97, first, truth)
    real = np.mean(copied == np.array(truth))
    result = justesse.evaluate({"id": range(300), "prediction": copied.tolist()}, answers=answers)
    assert result.items.repeating == ("p0",)
    assert result["accuracy"].interval.low < real < result["accuracy"].interval.high
    assert result.warnings[0].startswith("p0 was left out") or "p0 was left out" in " ".join(result.warnings[:2])
    assert result.to_dict()["answers"]["left_out_annotators"] == ["p0"]


def test_annotators_who_are_mostly_wrong_are_mentioned():
    answers, predictions, _ = crowd(right=(0.2, 0.25, 0.3))
    result = justesse.evaluate(predictions, answers=answers)
    assert result["accuracy"].value < 0.5
    assert any("if ham as spam and spam as ham were read" in text for text in result.warnings)
    both = {**predictions, "old": predictions["prediction"]}
    compared = justesse.compare(both, incumbent="old", candidate="prediction", answers=answers)
    assert any("The predictions of the incumbent are right in" in text for text in compared.warnings)


def test_an_annotator_worse_than_guessing_is_named():
    answers, predictions, _ = crowd(right=(0.9, 0.9, 0.85, 0.2))
    result = justesse.evaluate(predictions, answers=answers)
    assert any("less often than by guessing: 'p3'" in text for text in result.warnings)


def test_chains_run_longer_before_they_are_doubted(monkeypatch):
    from justesse.annotators import truth_draws

    lengths = []
    mixing = iter([(1.2, 50.0), (1.01, 900.0)])
    monkeypatch.setattr(truth_draws, "_mixing", lambda tables, *_: lengths.append(len(tables)) or next(mixing))
    answers, predictions, _ = crowd()
    result = justesse.evaluate(predictions, answers=answers)
    assert lengths == [1000, 4000]
    assert not any("have not mixed" in text for text in result.warnings)


def test_an_unknown_model_is_refused():
    answers, predictions, _ = crowd(n=30)
    with pytest.raises(OptionError, match="hierarchical, dawid-skene, majority; got 'glad'"):
        justesse.evaluate(predictions, answers=answers, answers_method="glad")
