"""Bounds for missing answers, against every way to fill them in."""

import itertools
import math

import numpy as np
import pytest

from justesse import compare

COSTS = [[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [4.0, 3.0, 0.5]]
SHARP = (
    "accuracy", "error", "balanced_accuracy", "cost",
    *(f"{name}:{of}" for name in ("recall", "precision", "f1", "specificity", "npv") for of in "ab"),
    *(f"micro-{name}" for name in ("recall", "precision", "f1", "specificity", "npv")),
    "macro-recall", "weighted-recall",
)  # fmt: skip
OUTER = tuple(f"{how}-{name}" for how in ("macro", "weighted") for name in ("precision", "f1", "specificity", "npv"))


def rows(seed, stray=False):
    """Make six rows with three classes and up to two missing answers of each side."""
    rng = np.random.default_rng(seed)
    label = np.array(["a", "b", "c", *rng.choice(list("abc"), 3)], dtype=object)
    sides = []
    for name in ("x", "y"):
        side = np.where(rng.random(6) < 0.5, label, rng.choice(list("abc"), 6)).astype(object)
        if stray:
            side[rng.integers(6)] = name
        side[rng.integers(6, size=2)] = None
        sides.append(side)
    return label, *sides


def of_class(name, label, answer, k):
    own, called = label == k, answer == k
    top, bottom = {
        "recall": ((own & called).sum(), own.sum()),
        "precision": ((own & called).sum(), called.sum()),
        "f1": (2 * (own & called).sum(), own.sum() + called.sum()),
        "specificity": ((~own & ~called).sum(), (~own).sum()),
        "npv": ((~own & ~called).sum(), (~called).sum()),
    }[name]
    return top / bottom if bottom else math.nan


def difference(measure, label, one, other, classes):
    """Compute how much better the candidate is, averages over the classes where both have a value."""
    if measure == "cost":
        table = dict(zip("abc", COSTS, strict=True))
        paid = [
            [table[k]["abc".index(a)] if a in "abc" else max(table[k]) for k, a in zip(label, side, strict=True)]
            for side in (one, other)
        ]
        return np.mean(paid[0]) - np.mean(paid[1])
    right = (other == label).mean() - (one == label).mean()
    if measure in ("accuracy", "error", "micro-recall", "micro-precision", "micro-f1"):
        return right
    if measure.startswith("micro-"):  # a right answer is no false alarm and no miss of the other classes
        return right / (len(classes) - 1)
    if ":" in measure:
        name, k = measure.split(":")
        return of_class(name, label, other, k) - of_class(name, label, one, k)
    how, name = ("macro", "recall") if measure == "balanced_accuracy" else measure.split("-")
    found = [(of_class(name, label, other, k) - of_class(name, label, one, k), (label == k).sum()) for k in classes]
    kept = [(value, size if how == "weighted" else 1) for value, size in found if not math.isnan(value)]
    total = sum(size for _, size in kept)
    return sum(value * size for value, size in kept) / total if total else math.nan


def fillings(answer, options):
    gone = np.flatnonzero(answer == None)  # noqa: E711
    for names in itertools.product(options, repeat=len(gone)):
        filled = answer.copy()
        filled[gone] = names
        yield filled


def every_difference(measure, label, one, other, classes):
    options = [*classes, "none of them"]
    pairs = itertools.product(fillings(one, options), fillings(other, options))
    values = np.array([difference(measure, label, *pair, classes) for pair in pairs])
    return values[~np.isnan(values)]


def found_by(measure, label, one, other, **options):
    cost = {"cost": COSTS} if measure == "cost" else {}
    return compare(y_true=label, incumbent=one, candidate=other, measure=measure, draws=100, **cost, **options)


@pytest.mark.parametrize("measure", [*SHARP, *OUTER])
def test_bounds_hold_for_every_way_to_fill_in_missing_answers(measure):
    for seed in range(3):
        label, one, other = rows(seed)
        said = found_by(measure, label, one, other, missing="wrong").to_dict()["missing"]
        values = every_difference(measure, label, one, other, "abc")
        low, high = said["bounds"]
        assert said["bounds_sharp"] is (measure in SHARP)
        if measure in SHARP:
            assert (low, high) == pytest.approx((values.min(), values.max()))
        else:
            assert low <= values.min() + 1e-12
            assert high >= values.max() - 1e-12


@pytest.mark.parametrize("others", ["wrong", "class", "missing"])
@pytest.mark.parametrize("measure", [*(name for name in SHARP if name != "cost"), *OUTER])
def test_bounds_contain_the_reported_difference(measure, others):
    for seed in range(3):
        label, one, other = rows(seed, stray=True)
        found = found_by(measure, label, one, other, missing="wrong", others=others)
        low, high = found.to_dict()["missing"]["bounds"]
        value = found.verdict.difference.value
        assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@pytest.mark.parametrize("measure", OUTER)
def test_bounds_of_averages_hold_with_stray_answers_as_classes(measure):
    label, one, other = rows(5, stray=True)
    strays = sorted({name for name in (*one, *other) if name is not None} - set("abc"))
    low, high = found_by(measure, label, one, other, missing="wrong", others="class").to_dict()["missing"]["bounds"]
    values = every_difference(measure, label, one, other, [*"abc", *strays])
    assert low <= values.min() + 1e-12
    assert high >= values.max() - 1e-12


def test_a_missing_answer_may_be_a_false_alarm():
    label = ["a"] * 50 + ["b"] * 50
    one = ["a"] * 45 + ["b"] * 5 + ["a"] * 5 + ["b"] * 45
    other = ["a"] * 48 + ["b"] * 2 + ["b"] * 35 + [None] * 15
    found = found_by("precision:a", label, one, other, missing="wrong")
    assert found.to_dict()["missing"]["bounds"] == pytest.approx([48 / 63 - 0.9, 0.1])
    words = "the difference of precision of 'a' on all 100 rows lies between -0.1381 and +0.1000."
    assert any(words in text for text in found.warnings)


@pytest.mark.parametrize("measure", ["mcc", "kappa"])
def test_no_bounds_where_they_are_not_worked_out(measure):
    label, one, other = rows(1)
    found = found_by(measure, label, one, other, missing="wrong")
    said = found.to_dict()["missing"]
    assert (said["bounds"], said["bounds_sharp"]) == ([None, None], None)
    assert "confusion matrix" in said["bounds_undefined"]
    assert any(
        f"No bounds for what the missing answers could do to the difference of {measure}" in x for x in found.warnings
    )


def test_labels_that_accept_several_classes_have_bounds_of_accuracy_only():
    label = ["a|b", "a", "b", "b", "a", "b"]
    one, other = ["a", "a", "b", "a", "a", "b"], [None, "a", "b", "b", "b", "b"]
    found = found_by("accuracy", label, one, other, missing="wrong", any_of="|").to_dict()["missing"]
    assert found["bounds"] == pytest.approx([-1 / 6, 0])
    found = found_by("recall:a", label, one, other, missing="wrong", any_of="|").to_dict()["missing"]
    assert found["bounds"] == [None, None]
    assert "accept several classes" in found["bounds_undefined"]
