"""Answers that no label has: what they do to averages, against an independent computation and scikit-learn."""

import itertools
import math
import warnings

import numpy as np
import pytest
from sklearn import metrics

from justesse import Tally, compare, evaluate
from justesse.core.errors import ClassError
from justesse.measures import Confusion, averaged, f1, npv, precision, recall, specificity
from justesse.noise.bounds import bounds_from_rate

PER_CLASS = {"precision": precision, "recall": recall, "specificity": specificity, "npv": npv, "f1": f1}


def rows(n: int = 400, strays: int = 12, seed: int = 0) -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(seed)
    label = rng.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1]).tolist()
    answer = [one if rng.random() < 0.75 else str(rng.choice(["a", "b", "c"])) for one in label]
    for at in range(strays):
        answer[at * 7] = f"other {at % 5}"
    return label, answer


def of_class(label: list[str], answer: list[str], name: str) -> dict[str, float]:
    """Count one class by looking at each row."""
    pairs = list(zip(label, answer, strict=True))
    tp = sum(a == name and b == name for a, b in pairs)
    fn = sum(a == name and b != name for a, b in pairs)
    fp = sum(a != name and b == name for a, b in pairs)
    tn = len(pairs) - tp - fn - fp
    parts = {
        "precision": (tp, tp + fp), "recall": (tp, tp + fn), "specificity": (tn, tn + fp), "npv": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
    }  # fmt: skip
    return {key: above / below if below else math.nan for key, (above, below) in parts.items()}


@pytest.mark.parametrize("name", PER_CLASS)
def test_macro_averages_are_over_the_classes_of_the_labels(name):
    label, answer = rows()
    found = evaluate(y_true=label, y_pred=answer)
    by_class = [of_class(label, answer, one)[name] for one in ("a", "b", "c")]
    assert found[name, "macro"].value == pytest.approx(np.nanmean(by_class), abs=1e-12)
    sizes = [label.count(one) for one in ("a", "b", "c")]
    assert found[name, "weighted"].value == pytest.approx(np.average(by_class, weights=sizes), abs=1e-12)
    assert found[name, "a"].value == pytest.approx(by_class[0], abs=1e-12)
    assert {one.class_name for one in found.estimates} == {None, "a", "b", "c"}


def test_a_stray_answer_is_one_more_wrong_answer_to_micro_averages():
    label, answer = rows()
    known = [
        one if one in "abc" else next(name for name in "abc" if name != true)
        for true, one in zip(label, answer, strict=True)
    ]
    found, same = evaluate(y_true=label, y_pred=answer), evaluate(y_true=label, y_pred=known)
    for name in PER_CLASS:
        assert found[name, "micro"].value == pytest.approx(same[name, "micro"].value, abs=1e-12)
    assert found["precision", "micro"].value == found["accuracy"].value


def test_as_classes_they_give_exactly_scikit_learns_averages():
    label, answer = rows()
    found = evaluate(y_true=label, y_pred=answer, others="class")
    scores = {"precision": metrics.precision_score, "recall": metrics.recall_score, "f1": metrics.f1_score}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for (name, score), how in itertools.product(scores.items(), ("macro", "micro", "weighted")):
            expected = score(label, answer, average=how, zero_division=np.nan)
            assert found[name, how].value == pytest.approx(expected, abs=1e-12), (name, how)
        assert found["kappa"].value == pytest.approx(metrics.cohen_kappa_score(label, answer))
        assert found["mcc"].value == pytest.approx(metrics.matthews_corrcoef(label, answer))
    # kappa and mcc are of the full table, whatever the averages are over
    plain = evaluate(y_true=label, y_pred=answer)
    assert (plain["kappa"].value, plain["mcc"].value) == (found["kappa"].value, found["mcc"].value)
    assert plain["f1", "macro"].value > found["f1", "macro"].value


def test_intervals_rest_on_the_same_classes():
    label, answer = rows(600, 20)
    tally = evaluate(y_true=label, y_pred=answer).tally
    merged = Tally.of(("label", "prediction"), [(a, b if b in "abc" else "other", n) for a, b, n in tally.cells()])
    one_other = evaluate(merged)  # which stray answer it is does not matter
    for how in ("none", "percentile"):
        first, second = (evaluate(table, bootstrap=how)["f1", "macro"] for table in (tally, merged))
        assert first.value == pytest.approx(second.value, abs=1e-12)
        if how == "none":
            assert first.interval.low == pytest.approx(second.interval.low, abs=1e-12)
        else:
            assert first.interval.low == pytest.approx(second.interval.low, abs=0.01)
    assert one_other.tally.others == ("other",)
    # a slope of the delta method is what a numerical one is
    measure = averaged(f1, "macro")
    table = Confusion.of(tally)
    slopes = measure.partials(table)
    for k in range(len(tally.classes)):
        predicted = table.predicted.copy()
        predicted[k] += 1e-6
        moved = measure.value(Confusion(table.hits, table.labelled, predicted, table.n, judged=table.judged))
        assert (moved - measure.value(table)) / 1e-6 == pytest.approx(slopes.predicted[k], abs=1e-6)


def test_few_stray_answers_do_not_decide_a_comparison():
    rng = np.random.default_rng(1)
    label = rng.choice(list("abcde"), 5700).tolist()
    one = [x if rng.random() < 0.8 else str(rng.choice(list("abcde"))) for x in label]
    two = list(one)
    for at in range(17):  # the candidate gives classes where the incumbent writes something else
        one[at] = f"stray {at % 4}"
    found = compare(y_true=label, incumbent=one, candidate=two, measure="macro-f1")
    own = compare(y_true=label, incumbent=one, candidate=two, measure="macro-f1", others="class")
    assert own.verdict.difference.value == pytest.approx(found.verdict.difference.value)  # the candidate has no F there
    assert any("left out: 'stray 0', 'stray 1', 'stray 2', 'stray 3'" in words for words in own.warnings)
    assert found.verdict.difference.value < 0.003
    expected = [metrics.f1_score(label, side, labels=list("abcde"), average="macro") for side in (one, two)]
    assert found.verdict.incumbent.value == pytest.approx(expected[0])
    assert found.verdict.candidate.value == pytest.approx(expected[1])
    listed = found.to_dict()["others"]
    assert listed["n"] == 17
    assert {side for side, _, _ in listed["answers"]} == {"incumbent"}
    assert any("17 answers of the incumbent are no class of the labels" in one for one in found.warnings)


@pytest.mark.parametrize("others", ["wrong", "class", "missing"])
def test_an_average_compares_the_same_classes_of_both(others):
    label = ["a"] * 40 + ["b"] * 40 + ["c"] * 20
    one = ["a"] * 40 + ["b"] * 30 + ["c"] * 10 + ["c"] * 10 + ["b"] * 10
    two = ["a"] * 40 + ["b"] * 40 + ["b"] * 20  # never answers with its worst class
    found = compare(y_true=label, incumbent=one, candidate=two, measure="macro-precision", others=others)
    sides = [np.mean([of_class(label, side, name)["precision"] for name in "ab"]) for side in (one, two)]
    assert found.verdict.incumbent.value == pytest.approx(sides[0])
    assert found.verdict.difference.value == pytest.approx(sides[1] - sides[0])
    assert any("left out: 'c'" in one for one in found.warnings)
    # a declared class that no label has and only one of them answers
    declared = compare(
        y_true=label, incumbent=["d", *one[1:]], candidate=one, classes=["a", "b", "c", "d"], measure="macro-f1"
    )
    assert abs(declared.verdict.difference.value) < 0.02


def test_a_candidate_that_never_gives_a_class_does_not_win_macro_precision_by_it():
    label = ["a"] * 40 + ["b"] * 30 + ["c"] * 10
    one = ["x"] * 6 + ["a"] * 34 + ["b"] * 5 + ["a"] * 5 + ["b"] * 20 + ["c"] * 10
    two = ["b"] * 4 + ["a"] * 36 + ["b"] * 30 + ["a"] * 10
    found = compare(y_true=label, incumbent=one, candidate=two, measure="macro-precision", others="class")
    sides = [np.mean([of_class(label, side, name)["precision"] for name in "ab"]) for side in (one, two)]
    assert found.verdict.difference.value == pytest.approx(sides[1] - sides[0])
    assert found.verdict.difference.value < -0.1
    assert not found.replaces
    assert any("left out: 'c', 'x'" in words for words in found.warnings)
    beside = {one.name: one.difference.value for one in found.judged[0].measures}
    assert beside["macro precision"] == pytest.approx(found.verdict.difference.value)
    rows = {"label": label, "old": one, "new": two, "part": ["all"] * 80}
    sliced = compare(rows, incumbent="old", candidate="new", by="part", measure="macro-precision", others="class")
    assert sliced.judged[0].slices[0].difference.value == pytest.approx(found.verdict.difference.value)


def test_declared_classes_accept_other_answers_but_no_other_labels():
    label, answer = rows()
    found = evaluate(y_true=label, y_pred=answer, classes=["c", "b", "a", "z"])
    assert found.to_dict()["classes"] == ["c", "b", "a", "z"]
    assert found.to_dict()["others"]["n"] == 12
    with pytest.raises(ClassError, match="Class 'c' .label. is not in the list"):
        evaluate(y_true=label, y_pred=answer, classes=["a", "b"])


def test_as_missing_answers_they_follow_the_policy_for_those():
    label, answer = rows()
    found = evaluate(y_true=label, y_pred=answer, others="missing", missing="drop")
    kept = [(a, b) for a, b in zip(label, answer, strict=True) if b in "abc"]
    assert found.tally.n == len(kept)
    assert found["f1", "macro"].value == pytest.approx(metrics.f1_score(*zip(*kept, strict=True), average="macro"))
    wrong = evaluate(y_true=label, y_pred=answer, others="missing", missing="wrong")
    assert wrong["accuracy"].value == evaluate(y_true=label, y_pred=answer)["accuracy"].value
    assert wrong.to_dict()["missing"]["answers"] == {"prediction": 12}
    with pytest.raises(Exception, match="Predictions that are not among the labels count as missing: 'other 0' "):
        evaluate(y_true=label, y_pred=answer, others="missing")


def test_every_policy_gives_what_looking_at_each_row_gives():
    rng = np.random.default_rng(3)
    for _ in range(6):
        names = list("abc")[: rng.integers(1, 4)]
        label = [str(one) for one in rng.choice(names, rng.integers(5, 40))]
        answer = [None if rng.random() < 0.15 else str(rng.choice(list("abcxy"))) for _ in label]
        for missing, others in itertools.product(("wrong", "drop"), ("wrong", "class", "missing")):
            asked = [None if others == "missing" and one not in label else one for one in answer]
            pairs = [(a, b) for a, b in zip(label, asked, strict=True) if b is not None or missing == "wrong"]
            if not pairs:
                continue
            labels, answers = zip(*pairs, strict=True)
            over = {*labels, *(one for one in answers if others == "class" and one is not None)}
            expected = np.nanmean([of_class(labels, answers, name)["f1"] for name in over])
            options = {"missing": missing, "others": others, "bootstrap": "none"}
            found = evaluate(y_true=label, y_pred=answer, **options)
            assert found["f1", "macro"].value == pytest.approx(expected, abs=1e-12)
            assert found["accuracy"].value == pytest.approx(np.mean([a == b for a, b in pairs]), abs=1e-12)
            assert found.tally.n == len(pairs)


def test_a_slice_is_averaged_over_its_own_labels():
    label, answer = rows()
    sites = ["x" if one != "c" else "y" for one in label]
    found = evaluate(y_true=label, y_pred=answer, by={"site": sites})
    part = next(one for one in found.slices if one.value == "x")
    mine = [(a, b) for a, b, site in zip(label, answer, sites, strict=True) if site == "x"]
    alone = evaluate(y_true=[a for a, _ in mine], y_pred=[b for _, b in mine])
    value = next(one.value for one in part.estimates if (one.name, one.average) == ("f1", "macro"))
    assert value == alone["f1", "macro"].value


def test_slices_of_a_comparison_are_averaged_over_their_own_labels():
    label, one = rows()
    two = rows(seed=0, strays=0)[1]
    sites = ["x" if name != "c" else "y" for name in label]
    data = {"label": label, "one": one, "two": two, "site": sites}
    found = compare(data, incumbent="one", candidate="two", measure="macro-f1", by="site")
    part = next(x for x in found.best.slices if x.value == "x")
    mine = [at for at, site in enumerate(sites) if site == "x"]
    for side, value in ((one, part.incumbent), (two, part.candidate)):
        answers, labels = [side[at] for at in mine], [label[at] for at in mine]
        assert value == pytest.approx(np.mean([of_class(labels, answers, name)["f1"] for name in "ab"]))


def test_the_positive_class_is_a_class_even_if_no_label_is():
    found = evaluate(y_true=["no"] * 50, y_pred=["no"] * 45 + ["yes"] * 5, positive="yes")
    assert found["precision", "yes"].value == 0
    assert found.to_dict()["others"]["n"] == 0


def test_bounds_of_averages_are_over_the_same_classes_by_trying_every_relabelling():
    cells = [("a", "a", 3), ("a", "x", 1), ("b", "b", 2), ("b", "a", 1), ("b", "x", 1)]
    tally = evaluate(Tally.of(("label", "prediction"), cells)).tally
    pairs = [(a, b) for a, b, n in cells for _ in range(n)]
    for measure in (precision, recall, f1):
        values = []
        for at, true in itertools.product(range(len(pairs)), ("a", "b", "x")):
            label = [true if k == at else a for k, (a, _) in enumerate(pairs)]
            values.append(np.nanmean([of_class(label, [b for _, b in pairs], one)[measure.name] for one in "ab"]))
        found = bounds_from_rate(tally, [averaged(measure, "macro")], 1 / 8).figures[0]
        assert found.low <= min(values) + 1e-9
        assert found.high >= max(values) - 1e-9
        if found.sharp:
            assert (found.low, found.high) == pytest.approx((min(values), max(values)))


def test_baselines_ignore_stray_answers():
    label, answer = rows()
    uniform = next(one for one in evaluate(y_true=label, y_pred=answer).baselines if one.name == "uniform")
    assert uniform.measures[0].value == pytest.approx(1 / 3)


def test_true_classes_count_as_classes():
    label, answer = rows(strays=0)
    true = list(label)
    true[0], answer[0] = "d", "d"
    found = evaluate({"label": label, "prediction": answer, "true": true})
    assert found.to_dict()["classes"] == ["a", "b", "c", "d"]
    assert found.to_dict()["others"]["n"] == 0


def test_a_transition_table_need_not_name_stray_answers():
    label, answer = rows(2000, 30)
    table = {"a": {"a": 90, "b": 5, "c": 5}, "b": {"a": 5, "b": 90, "c": 5}, "c": {"a": 5, "b": 5, "c": 90}}
    found = evaluate(y_true=label, y_pred=answer, transition=table)
    assert {one.class_name for one in found.noise.bounds} == {None, "a", "b", "c"}
    # naming them, each always its own label, says the same
    exact = {true: {one: n / 100 for one, n in row.items()} for true, row in table.items()}
    names = [*table, *(f"other {at}" for at in range(5))]
    full = {true: {one: exact.get(true, {true: 1.0}).get(one, 0.0) for one in names} for true in names}
    short, long = (evaluate(y_true=label, y_pred=answer, transition=given).noise for given in (exact, full))
    for one, other in zip(short.bounds, long.bounds, strict=True):
        assert (one.name, one.class_name, one.average) == (other.name, other.class_name, other.average)
        assert (one.low, one.high) == pytest.approx((other.low, other.high))
    for one, other in zip(short.rungs[1].figures, long.rungs[1].figures, strict=True):
        assert one.value == pytest.approx(other.value, nan_ok=True)
        assert str(one.interval) == str(other.interval)


def test_costs_of_stray_answers_are_those_of_the_costliest_answer():
    costs = {"a": {"a": 0, "b": 4}, "b": {"a": 1, "b": 0}}
    found = evaluate(y_true=["a", "a", "b", "b"], y_pred=["x", "a", "x", "a"], cost=costs)
    assert found["cost"].value == pytest.approx((4 + 0 + 1 + 1) / 4)
    known = {"a": {"a": 0, "b": 4, "x": 2}, "b": {"a": 1, "b": 0, "x": 0.5}}
    assert evaluate(y_true=["a", "b"], y_pred=["x", "x"], cost=known)["cost"].value == pytest.approx(1.25)
