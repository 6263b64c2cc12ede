"""Labels that accept any of several classes: right and wrong are exact, whatever the table."""

import json

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import justesse
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.verbs.schemas import schema

CLASSES = ("a", "b", "c", "d")
sets = st.lists(st.sampled_from(CLASSES), min_size=1, max_size=3, unique=True)
answers = st.sampled_from(CLASSES)


def written(accepted):
    return [" | ".join(one) for one in accepted]


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(sets, sets, answers), min_size=1, max_size=12))
def test_one_classifier_is_right_where_its_answer_is_accepted(rows):
    labels, truth, said = zip(*rows, strict=True)
    found = justesse.evaluate(
        {"label": written(labels), "prediction": list(said), "true": written(truth)}, any_of="|", true="true"
    )
    right = np.mean([answer in accepted for accepted, answer in zip(labels, said, strict=True)])
    truly = np.mean([answer in accepted for accepted, answer in zip(truth, said, strict=True)])
    assert found["accuracy"].value == pytest.approx(right)
    assert found["error"].value == pytest.approx(1 - right)
    assert found.truth.estimate("accuracy").value == pytest.approx(truly)
    constant = {name: np.mean([name in accepted for accepted in labels]) for name in CLASSES}
    naive = found.baselines[0]
    assert naive.measures[0].value == pytest.approx(max(constant.values()))
    assert constant[naive.class_name] == pytest.approx(max(constant.values()))


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(sets, answers, answers), min_size=1, max_size=12))
def test_two_classifiers_are_right_alone_together_or_not_at_all(rows):
    labels, old, new = zip(*rows, strict=True)
    data = {"label": written(labels), "old": list(old), "new": list(new)}
    found = justesse.compare(data, incumbent="old", candidate="new", any_of="|", classes=CLASSES)
    one, other = ([answer in accepted for accepted, answer in zip(labels, said, strict=True)] for said in (old, new))
    table = found.judged[0].case.disagreement
    pairs = list(zip(one, other, strict=True))
    assert (int(table.only_incumbent), int(table.only_candidate)) == (
        pairs.count((True, False)),
        pairs.count((False, True)),
    )
    assert found.verdict.difference.value == pytest.approx(np.mean(other) - np.mean(one))
    assert ("Both give the same prediction for every row" in " ".join(found.warnings)) == (old == new)


def gains(accepted, old, new):
    return [(b in one) - (a in one) for one, a, b in zip(accepted, old, new, strict=True)]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(sets, sets, answers, answers), min_size=1, max_size=8), st.booleans())
def test_labels_and_true_classes_judge_apart(rows, single):
    """Every row counts as its label judges it and as its true classes do, also where only one of them accepts both."""
    labels, truth, old, new = zip(*rows, strict=True)
    labels = [one[:1] for one in labels] if single else labels
    data = {"label": written(labels), "true": written(truth), "old": list(old), "new": list(new)}
    found = justesse.compare(data, incumbent="old", candidate="new", any_of="|", classes=CLASSES)
    best = found.best
    for verdict, accepted in ((best.verdict, labels), (best.truth, truth)):
        won = gains(accepted, old, new)
        table = verdict.disagreement
        assert verdict.difference.value == pytest.approx(np.mean(won))
        assert (int(table.only_incumbent), int(table.only_candidate)) == (won.count(-1), won.count(1))
        right = [a in one for one, a in zip(accepted, old, strict=True)]
        assert verdict.incumbent.value == pytest.approx(np.mean(right))
    wrong = np.mean([not set(one) & set(other) for one, other in zip(labels, truth, strict=True)])
    assert best.wrong_labels == pytest.approx(wrong)
    assert found.decisive is best.truth
    written_out = found.to_dict()
    assert written_out["headline"]["which"] == "true"
    assert written_out["headline"]["difference"] == pytest.approx(np.mean(gains(truth, old, new)))
    assert written_out["difference"] == pytest.approx(np.mean(gains(labels, old, new)))
    # a tie is no identity
    assert ("Both give the same prediction for every row" in " ".join(found.warnings)) == (old == new)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(sets, sets, answers, answers), min_size=1, max_size=8))
def test_simulated_audits_ask_about_every_row_on_which_answers_differ(rows):
    labels, truth, old, new = zip(*rows, strict=True)
    data = {"label": written(labels), "true": written(truth), "old": list(old), "new": list(new)}
    options = {"judge": "audited", "futility": False, "classes": CLASSES}
    found = justesse.compare(data, incumbent="old", candidate="new", any_of="|", **options).verdict
    apart = sum(a != b for a, b in zip(old, new, strict=True))
    assert f"of the {apart} rows on which the two disagree" in found.reason
    if found.outcome.n == apart:  # every disputed row was asked: the estimate is the true difference
        assert found.difference.value == pytest.approx(np.mean(gains(truth, old, new)))


def test_slices_missing_answers_and_rates_with_true_sets():
    labels, truth = ["a", "a", "b", "c"] * 5, ["a|b", "b|c", "b", "c|d"] * 5
    old, new = ["a", "b", "b", None] * 5, ["b", "a", "a", "c"] * 5
    data = {"label": labels, "true": truth, "old": old, "new": new, "site": ["x", "y"] * 10}
    options = {"incumbent": "old", "candidate": "new", "any_of": "|"}
    best = justesse.compare(data, **options, by="site", missing="wrong").best
    assert best.truth.difference.value == pytest.approx((0 - 1 - 1 + 1) / 4)
    assert best.verdict.difference.value == pytest.approx((-1 + 1 - 1 + 1) / 4)
    assert best.wrong_labels == 0.25
    assert [one.difference.value for one in best.slices] == [-1.0, 1.0]
    dropped = justesse.compare(data, **options, missing="drop").best
    assert dropped.truth.difference.value == pytest.approx(-2 / 3)
    with pytest.raises(InputError, match=r"According to the true classes, 25 % of the labels are wrong"):
        justesse.compare(data, **options, missing="wrong", noise_rate=0.1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"judge": "prudent_v1"}, "The judge prudent_v1 needs one class per row"),
        ({"judge": "sharp"}, "The judge sharp needs one class per row"),
        ({"judge": "cleaned"}, "A simulated cleaning step needs one class per row"),
    ],
)
def test_judges_that_need_one_true_class_say_so(options, words):
    data = {"label": ["a", "b"] * 9, "true": ["a|b", "b"] * 9, "old": ["a", "b"] * 9, "new": ["b", "b"] * 9}
    with pytest.raises(OptionError, match=words):
        justesse.compare(data, incumbent="old", candidate="new", any_of="|", **options)
    assert (
        justesse.compare(data, incumbent="old", candidate="new", any_of="|", judge="reference").verdict.difference.value
        == 0
    )


def test_whole_numbers_in_true_sets(write, run):
    """Single labels, as in ImageNet, and true classes that accept several: terminal, page and JSON agree."""
    rows = "".join(f"{k},{k % 3},{k % 3}|{(k + 1) % 3},{k % 3},{(k + 1) % 3}\n" for k in range(60))
    path = write("rows.csv", f"id,label,true,old,new\n{rows}")
    shown = run("compare", path, "--incumbent", "old", "--candidate", "new", "--any-of", "|", "--gate", "none")
    text = " ".join(shown.out.split())
    assert shown.code == 0
    assert "0 % of the labels are wrong" in text
    assert "60 true classes accept several classes" in text
    found = justesse.compare(path, incumbent="old", candidate="new", any_of="|")
    assert (found.verdict.difference.value, found.decisive.difference.value) == (-1.0, 0.0)
    assert "Against the true classes" in repr(found)
    same = justesse.compare(path, incumbent="old", candidate="old", any_of="|")
    assert "Both give the same prediction for every row" in " ".join(same.warnings)
    described = schema("compare")
    jsonschema.validate(json.loads(json.dumps(found.to_dict())), described)


def test_the_majority_answer_is_right_wherever_it_is_accepted():
    """A candidate that should replace may still be worse than always predicting a class that most rows accept."""
    truth = ["a|z", "b|z", "c|z", "d|z"] * 50
    data = {"label": ["a", "b", "c", "d"] * 50, "true": truth, "old": ["e"] * 200, "new": ["a", "b", "c", "e"] * 50}
    found = justesse.compare(data, incumbent="old", candidate="new", any_of="|", classes=[*CLASSES, "e", "z"])
    assert found.replaces
    assert any("(0.7500) is lower than always predicting 'z' (1.0000)" in words for words in found.warnings)


def test_the_convention_of_single_classes():
    """An accepted answer is the row's class, otherwise the first class named is."""
    labels = ["cat|dog", "cat|dog", "dog|cat", "owl"]
    found = justesse.count({"label": labels, "prediction": ["dog", "owl", "owl", "owl"]}, any_of="|")
    assert found.cells() == [["cat", "owl", 1], ["dog", "dog", 1], ["dog", "owl", 1], ["owl", "owl", 1]]


def test_whole_numbers_are_classes_in_sets_too(write, run):
    path = write("rows.csv", "label,prediction\n0|1,1\n1,1\n2,0\n1|2,2\n")
    found = justesse.evaluate(path, any_of="|")
    assert found.tally.classes == (0, 1, 2)
    assert found["accuracy"].value == 0.75
    assert "2 labels accept several classes" in " ".join(found.warnings)
    shown = run("evaluate", path, "--any-of", "|")
    assert shown.code == 0
    assert "2 labels accept several classes" in shown.out.replace("\n", " ")
    frame = {"label": ["0|1", "1", "2", "1|2"], "prediction": [1, 1, 0, 2]}
    assert justesse.evaluate(frame, any_of="|")["accuracy"].value == 0.75
    assert justesse.evaluate(frame, any_of="|", classes=[0, 1, 2, 3])["accuracy"].value == 0.75


def test_tables_joined_by_an_id(write, run):
    one = write("old.csv", "id,label,prediction\n1,a|b,a\n2,b,a\n3,a|c,c\n")
    other = write("new.csv", "id,label,prediction\n1,a|b,b\n2,b,b\n3,a|c,b\n")
    found = justesse.compare(one, other, on="id", any_of="|")
    table = found.judged[0].case.disagreement
    assert (int(table.only_incumbent), int(table.only_candidate), int(table.n)) == (1, 1, 3)
    shown = run("compare", one, other, "--on", "id", "--any-of", "|", "--gate", "none")
    assert "2 labels accept several classes" in shown.out.replace("\n", " ")


def test_a_label_is_wrong_where_it_judges_the_answer_otherwise():
    rows = {"label": ["a|b", "c", "a", "a|b"], "true": ["b", "b|c", "a|b", "c"], "prediction": ["b", "b", "c", "d"]}
    found = justesse.evaluate(rows, any_of="|")
    # accepted by both; by the true class alone; by neither, with a in common; by neither, with nothing in common
    assert found.truth.noise.value == 0.5
    assert any("judges the answer otherwise" in warning for warning in found.warnings)


def test_weights_count_in_baselines():
    rows = {"label": ["a|b", "b", "c"], "prediction": ["a", "b", "b"], "w": [2.0, 1.0, 4.0]}
    found = justesse.evaluate(rows, weight="w", any_of="|")
    assert found["accuracy"].value == pytest.approx(3 / 7)
    assert (found.baselines[0].class_name, found.baselines[0].measures[0].value) == ("c", pytest.approx(4 / 7))


def test_sets_that_are_not_declared_are_pointed_out():
    rows = {"label": ["a", "b", "a|b", "b"] * 5, "prediction": ["a", "b", "a", "b"] * 5}
    for found in (
        justesse.evaluate(rows),
        justesse.compare({**rows, "x": rows["prediction"]}, incumbent="prediction", candidate="x"),
    ):
        assert any("count each as right (any_of='|', --any-of '|')" in warning for warning in found.warnings)
    plain = {"label": ["a|b", "c|d"] * 9, "prediction": ["a|b", "c|d"] * 9}  # names that merely hold a bar
    assert not any("any_of" in warning for warning in justesse.evaluate(plain).warnings)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"any_of": ""}, OptionError, "text between the classes"),
        ({"any_of": "|", "transition": [[1]]}, OptionError, "transition needs one class per label"),
        ({"any_of": "|", "score": "s"}, OptionError, "score needs one class per label"),
        ({"any_of": "|", "classes": ["a"]}, ClassError, "Class 'b' .label. is not in the list"),
    ],
)
def test_what_needs_one_class_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        justesse.evaluate({"label": ["a|b", "a"], "prediction": ["a", "a"], "s": [0.1, 0.2]}, **options)


def test_empty_parts_and_tallies_are_refused():
    with pytest.raises(ClassError, match="has 'a\\|', with an empty class next to '\\|'"):
        justesse.evaluate({"label": ["a|", "b"], "prediction": ["a", "b"]}, any_of="|")
    tally = justesse.count(label=["a", "b"], prediction=["a", "b"])
    with pytest.raises(OptionError, match="already counted"):
        justesse.evaluate(tally, any_of="|")


@pytest.mark.parametrize("labels", [["2|1", "2", "3|1", "3", "1"], ["2.0|1.0", "2.0", "3.0|1.0", "3.0", "1.0"]])
def test_whole_decimals_are_matched_with_the_classes_of_sets(labels, write):
    answers = [1.0, 2.0, 2.0, 3.0, 1.0]
    path = write("rows.csv", "label,prediction\n" + "".join(f"{a},{b}\n" for a, b in zip(labels, answers, strict=True)))
    for rows in (path, {"label": labels, "prediction": answers}):
        assert justesse.evaluate(rows, any_of="|")["accuracy"].value == pytest.approx(0.8)
