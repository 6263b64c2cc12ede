"""Figures judged by annotators who share mistakes, put right by a random sample of re-checked items."""

import json

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.core.errors import ClassError, ColumnError, InputError, OptionError
from justesse.verbs.schemas import schema


def shared_mistakes(n=400, misled=0.2, seed=0, planted=0.85):
    """Plant items on which all annotators see the wrong class, and a classifier that is not misled."""
    rng = np.random.default_rng(seed)
    true = rng.integers(2, size=n)
    seen = np.where(rng.random(n) < misled, 1 - true, true)
    rows = {"item": [], "annotator": [], "answer": []}
    for who in range(5):
        rows["item"] += range(n)
        rows["annotator"] += [f"p{who}"] * n
        rows["answer"] += np.where(rng.random(n) < 0.9, seen, 1 - seen).tolist()
    right = rng.random(n) < planted
    predictions = {"id": list(range(n)), "prediction": np.where(right, true, 1 - true).tolist()}
    checked = rng.choice(n, 80, replace=False)
    return rows, predictions, {"id": checked.tolist(), "true": true[checked].tolist()}, float(right.mean())


@pytest.fixture(scope="module")
def planted():
    return shared_mistakes()


@pytest.fixture(scope="module")
def evaluation(planted):
    answers, predictions, audited, _ = planted
    return justesse.evaluate(predictions, answers=answers, audited=audited)


def test_re_checked_items_put_shared_mistakes_right(evaluation, planted):
    right = planted[3]
    alone, best = evaluation["accuracy"], evaluation.rechecked.figures[0]
    assert alone.interval.high < right - 0.05
    assert best.interval.low < right < best.interval.high
    assert abs(best.value - right) < 0.06


def test_the_intervals_hold_for_any_share_of_misled_items():
    """By votes, so that many sets take no time: what is re-checked does not depend on the model."""
    covered, alone = 0, 0
    for seed in range(200):
        answers, predictions, audited, right = shared_mistakes(200, misled=0.1 + 0.2 * (seed % 2), seed=seed)
        result = justesse.evaluate(predictions, answers=answers, audited=audited, answers_method="majority", draws=100)
        best, usual = result.rechecked.figures[0].interval, result["accuracy"].interval
        covered += best.low <= right <= best.high
        alone += usual.low <= right <= usual.high
    assert covered >= 187  # 190 expected, the standard deviation is 3
    assert alone < 40


def test_the_output_says_which_figures_to_use(evaluation, tmp_path):
    written = evaluation.to_dict()
    jsonschema.validate(json.loads(json.dumps(written, allow_nan=False)), schema("evaluate_answers"))
    assert written["headline"]["which"] == "re-checked"
    assert written["headline"]["value"] == evaluation.rechecked.figures[0].value
    assert written["rechecked"]["found"][0]["name"] == "accuracy"
    text = repr(evaluation)
    assert "80 of 400 re-checked" in text
    assert "By the answers of 5 annotators alone" in text
    assert not any("trained on these answers" in warning for warning in evaluation.warnings)
    page = tmp_path / "page.html"
    evaluation.report(page)
    assert "By re-checked items" in page.read_text()


def test_requirements_are_about_the_re_checked_items(planted):
    answers, predictions, audited, _ = planted
    options = {"answers": answers, "answers_method": "majority", "require": "accuracy>=0.75"}
    assert not justesse.evaluate(predictions, **options).passes
    result = justesse.evaluate(predictions, audited=audited, **options)
    assert result.passes
    assert result.requirements[0].which == "re-checked"


def test_all_items_re_checked_are_labels(planted):
    answers, predictions, _, _ = planted
    rng = np.random.default_rng(5)
    true = rng.integers(2, size=400).tolist()
    audited = {"id": list(range(400)), "true": true}
    result = justesse.evaluate(predictions, answers=answers, audited=audited, answers_method="majority")
    usual = justesse.evaluate({**predictions, "label": true})
    assert result.rechecked.figures[0].value == pytest.approx(usual["accuracy"].value, abs=1e-12)


def test_the_verdict_rests_on_the_re_checked_items(planted):
    answers, _, audited, _ = planted
    seen = np.array(answers["answer"][:400])
    truth = dict(zip(audited["id"], audited["true"], strict=True))
    copies = {"id": list(range(400)), "old": seen.tolist(), "new": [truth.get(at, int(seen[at])) for at in range(400)]}
    options = {"incumbent": "old", "candidate": "new", "answers": answers, "answers_method": "majority"}
    assert justesse.compare(copies, **options).difference.value < 0
    result = justesse.compare(copies, audited=audited, **options)
    written = result.to_dict()
    jsonschema.validate(json.loads(json.dumps(written, allow_nan=False)), schema("compare_answers"))
    assert written["headline"]["which"] == "re-checked"
    assert result.difference.value > 0
    assert written["difference"] == result.difference.value
    assert "by the re-checked items" in repr(result)


def test_a_comparison_of_other_measures_is_refused(planted):
    answers, predictions, audited, _ = planted
    table = {**predictions, "other": predictions["prediction"][::-1]}
    with pytest.raises(OptionError, match="difference of accuracy"):
        justesse.compare(
            table, incumbent="other", candidate="prediction", answers=answers, audited=audited, measure="macro f1",
            answers_method="majority",
        )  # fmt: skip


@pytest.mark.parametrize(
    ("audited", "error", "words"),
    [
        ({"id": [1, 2], "class": [0, 1]}, ColumnError, "No column 'true'"),
        ({"id": [1, 2], "true": [0, 7]}, ClassError, "Nobody answered 7"),
        ({"id": [1, 1], "true": [0, 0]}, InputError, "occurs 2 times"),
        ({"id": [9001, 9002], "true": [0, 1]}, InputError, "among the items"),
        ({"id": [1, 2], "true": ["a", "b"]}, InputError, "The true class 'a'"),
        ({"id": [1], "true": [0]}, OptionError, "At least two rows"),
        ({"id": [1, 2], "true": [0, 1], "probability": [0.5, 0.1]}, InputError, "different probabilities"),
    ],
)
def test_bad_re_checks_are_refused(planted, audited, error, words):
    answers, predictions, _, _ = planted
    with pytest.raises(error, match=words):
        justesse.evaluate(predictions, answers=answers, audited=audited, answers_method="majority")


def test_items_that_no_figure_is_about_are_left_out(planted):
    answers, predictions, audited, _ = planted
    fewer = {key: values[:300] for key, values in predictions.items()}
    result = justesse.evaluate(fewer, answers=answers, audited=audited, answers_method="majority")
    outside = sum(at >= 300 for at in audited["id"])
    assert any(f"{outside} re-checked items without an answer" in warning for warning in result.warnings)
    assert result.rechecked.figures[0].n == 80 - outside
