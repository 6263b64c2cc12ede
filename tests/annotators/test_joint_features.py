"""Numbers and counts of the items together in Felt et al.'s model."""

import numpy as np
import pytest

import justesse
from justesse.annotators.item_features import ItemFeatures, JointFeatures
from justesse.core.errors import OptionError


def table(n=150, seed=0):
    """Plant two classes that a number and a count each half tell; a third of the items have no answer."""
    rng = np.random.default_rng(seed)
    true = rng.integers(2, size=n)
    number, words, other = true + rng.normal(0, 0.8, n), rng.poisson(1 + 3 * true), rng.poisson(2, n)
    rows = {"item": [], "annotator": [], "answer": [], "number": [], "words": [], "other": []}
    for item in range(n):
        for who in range(3):
            silent = item % 3 == 0
            answer = "" if silent else "xy"[true[item] if rng.random() < 0.85 else 1 - true[item]]
            values = (item, "" if silent else f"p{who}", answer, number[item], words[item], other[item])
            for key, value in zip(rows, values, strict=True):
                rows[key].append(value)
            if silent:
                break
    return rows, true


def right_unanswered(result, true):
    found = result.truth()
    return np.mean(
        [
            name == "xy"[true[item]]
            for item, name, answers in zip(found["item"], found["class"], found["answers"], strict=True)
            if answers == 0
        ]
    )


def test_both_kinds_tell_more_than_either():
    rows, true = table()
    options = {"method": "item-response"}
    numbers = justesse.annotators_infer(rows, features=["number"], **options)
    counts = justesse.annotators_infer(rows, counts=["words", "other"], **options)
    both = justesse.annotators_infer(rows, features=["number"], counts=["words", "other"], **options)
    assert right_unanswered(both, true) > max(right_unanswered(numbers, true), right_unanswered(counts, true))
    assert right_unanswered(both, true) > 0.8


def test_log_likelihoods_add_up():
    rng = np.random.default_rng(1)
    label = rng.integers(2, size=30)
    numbers = ItemFeatures(rng.normal(size=(30, 2)), "numbers")
    counts = ItemFeatures(rng.poisson(2, (30, 3)).astype(float), "counts")
    alone, together = np.random.default_rng(7), np.random.default_rng(7)
    expected = numbers.drawn_logs(label, 2, alone) + counts.drawn_logs(label, 2, alone)
    np.testing.assert_allclose(JointFeatures((numbers, counts)).drawn_logs(label, 2, together), expected)


def test_a_column_is_one_of_the_two():
    rows, _ = table(30)
    with pytest.raises(OptionError, match="'words' cannot be both"):
        justesse.annotators_infer(rows, method="item-response", features=["words"], counts=["words"])


def test_gold_classes_check_items_without_answers_if_features_tell_their_class():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60)
    answers = np.where(rng.random(60) < 0.9, truth, 1 - truth)
    unasked = np.arange(60) >= 40
    table = {
        "item": np.arange(60),
        "annotator": [None if empty else f"a{at % 2}" for at, empty in enumerate(unasked)],
        "answer": [None if empty else "xy"[code] for code, empty in zip(answers, unasked, strict=True)],
        "size": truth * 3 + rng.normal(size=60),
    }
    gold = {"item": np.arange(60), "true": ["xy"[code] for code in truth]}
    result = justesse.annotators_infer(table, method="item-response", features=["size"], check=gold)
    assert result.calibration.accuracy.n == 60
    without = {key: table[key] for key in ("item", "annotator", "answer")}
    assert justesse.annotators_infer(without, method="hierarchical", check=gold).calibration.accuracy.n == 40
