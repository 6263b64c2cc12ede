"""Labels that accept any of several classes: right and wrong are exact, whatever the table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import justesse
from justesse.core.errors import ClassError, InputError, OptionError

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


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(sets, sets, answers, answers), min_size=1, max_size=8))
def test_true_classes_beside_labels_are_exact_or_refused(rows):
    labels, truth, old, new = zip(*rows, strict=True)
    data = {"label": written(labels), "true": written(truth), "old": list(old), "new": list(new)}

    def mixed(label, true, a, b):
        both = [{a, b} <= set(one) for one in (label, true)]
        single = [len({a, b} & set(one)) == 1 for one in (label, true)]
        return a != b and any(both) and any(single)

    conflicts = sum(mixed(*row) for row in rows)
    if conflicts:
        with pytest.raises(InputError, match=f"^{conflicts} rows accept both answers"):
            justesse.compare(data, incumbent="old", candidate="new", any_of="|", classes=CLASSES)
        return
    found = justesse.compare(data, incumbent="old", candidate="new", any_of="|", classes=CLASSES).judged[0]
    for verdict, accepted in ((found.verdict, labels), (found.truth, truth)):
        wins = [(b in one) - (a in one) for one, a, b in zip(accepted, old, new, strict=True)]
        assert verdict.difference.value == pytest.approx(np.mean(wins))


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
        assert any("pass any_of='|' (--any-of '|')" in warning for warning in found.warnings)
    plain = {"label": ["a|b", "c|d"] * 9, "prediction": ["a|b", "c|d"] * 9}  # names that merely hold a bar
    assert not any("any_of" in warning for warning in justesse.evaluate(plain).warnings)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"any_of": ""}, OptionError, "separates the classes"),
        ({"any_of": "|", "transition": [[1]]}, OptionError, "transition needs one class per label"),
        ({"any_of": "|", "score": "s"}, OptionError, "score needs one class per label"),
        ({"any_of": "|", "classes": ["a"]}, ClassError, "'label' accepts 'b', which is not among"),
    ],
)
def test_what_needs_one_class_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        justesse.evaluate({"label": ["a|b", "a"], "prediction": ["a", "a"], "s": [0.1, 0.2]}, **options)


def test_empty_parts_and_tallies_are_refused():
    with pytest.raises(ClassError, match="holds 'a\\|', where a class next to '\\|' is empty"):
        justesse.evaluate({"label": ["a|", "b"], "prediction": ["a", "b"]}, any_of="|")
    tally = justesse.count(label=["a", "b"], prediction=["a", "b"])
    with pytest.raises(OptionError, match="already counted"):
        justesse.evaluate(tally, any_of="|")
