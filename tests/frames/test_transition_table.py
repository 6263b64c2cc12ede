"""Transition tables as people write them: rows true, columns label, names on both sides."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import ClassError, FileError, InputError
from justesse.frames.transition_table import transition_table
from justesse.noise.transition import Transition

AB = ("a", "b")


def both(table, classes=AB):
    array, names = transition_table(table, classes)
    return array.tolist(), names


def test_a_csv_of_counts_keeps_whole_numbers(write):
    path = write("t.csv", "true,a,b\na,90,10\nb,4,96\n")
    array, names = transition_table(path, AB)
    assert array.dtype.kind == "i"
    assert (array.tolist(), names) == ([[90, 10], [4, 96]], AB)
    assert Transition.from_table(array, names).counts.sum() == 200


def test_a_csv_of_shares(write):
    array, names = transition_table(str(write("t.csv", "true,a,b\na,0.9,0.1\nb,0,1\n")), AB)
    assert array.dtype.kind == "f"
    assert Transition.from_table(array, names).counts is None


def test_rows_and_columns_are_found_by_name_not_by_place(write):
    wanted = ([[0.9, 0.1], [0.2, 0.8]], AB)
    assert both(write("t.csv", "true,b,a\na,0.1,0.9\nb,0.8,0.2\n")) == wanted
    assert both(write("t.csv", "true,a,b\nb,0.2,0.8\na,0.9,0.1\n")) == wanted
    assert both({"b": {"b": 0.8, "a": 0.2}, "a": {"b": 0.1, "a": 0.9}}) == wanted
    assert both(pd.DataFrame([[0.8, 0.2], [0.1, 0.9]], index=["b", "a"], columns=["b", "a"])) == wanted


def test_an_array_is_in_the_order_of_the_classes():
    assert both([[0.9, 0.1], [0.2, 0.8]]) == ([[0.9, 0.1], [0.2, 0.8]], AB)
    assert both(np.array([[9, 1], [2, 8]]), ("b", "a")) == ([[9, 1], [2, 8]], ("b", "a"))


@pytest.mark.parametrize(
    ("classes", "typed"), [((0, 1), ("0", "1")), ((False, True), ("false", "TRUE")), ((0.0, 1.0), ("0", "1"))]
)
def test_names_mean_the_classes_they_are_spelt_like(write, classes, typed):
    one, other = typed
    path = write("t.csv", f"true,{one},{other}\n{one},8,2\n{other},0,10\n")
    assert both(path, classes) == ([[8, 2], [0, 10]], classes)


def test_a_class_beyond_those_at_hand_is_kept():
    table = {"a": {"a": 9, "b": 1, "c": 0}, "b": {"a": 0, "b": 9, "c": 1}, "c": {"a": 0, "b": 0, "c": 10}}
    assert both(table, ("b", "a")) == ([[9, 1, 0], [0, 9, 1], [0, 0, 10]], ("a", "b", "c"))


def test_names_with_commas_quotes_and_marks(write):
    path = write("t.csv", '\ufefftrue,"a,b","say ""no"""\n"a,b",1,2\n"say ""no""",3,4\n')
    assert both(path, ("a,b", 'say "no"')) == ([[1, 2], [3, 4]], ("a,b", 'say "no"'))


def test_what_noise_estimate_writes_is_what_is_read(run, write, tmp_path):
    rows = "label,true\n" + "é,é\n" * 8 + "é,z\n" * 2 + "z,z\n" * 5
    assert run("noise", "estimate", write("l.csv", rows), "--to", tmp_path / "t.csv").code == 0
    assert both(tmp_path / "t.csv", ("z", "é")) == ([[5, 2], [0, 8]], ("z", "é"))


@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_a_dict_and_an_array_say_the_same(size, random):
    names = tuple(f"c{k}" for k in range(size))
    cells = [[random.randint(0, 9) for _ in names] for _ in names]
    shuffled = random.sample(names, size)
    table = {i: {j: cells[names.index(i)][names.index(j)] for j in random.sample(names, size)} for i in shuffled}
    assert both(table, names) == both(np.array(cells), names)


def test_a_thousand_classes_are_read_at_once(write):
    names = [f"c{k:04}" for k in range(1000)]
    lines = [",".join(["true", *names])]
    lines += [",".join([name, *("1" if i == j else "0" for j in range(1000))]) for i, name in enumerate(names)]
    array, found = transition_table(write("t.csv", "\n".join(lines)), names)
    assert array.trace() == array.sum() == 1000
    assert found == tuple(names)


BAD = {
    "no file": (lambda w: "nowhere.csv", FileError, "cannot be read"),
    "empty": (lambda w: w("t.csv", "true,a,b\n"), FileError, "has no rows"),
    "not square": (lambda w: w("t.csv", "true,a,b\na,1,2\n"), InputError, "not square: 1 rows .true classes. and 2 columns .labels."),
    "ragged": (lambda w: w("t.csv", "true,a,b\na,1\nb,1,2\n"), InputError, "line 2: 3 values are needed"),
    "two rows of a class": (lambda w: w("t.csv", "true,a,b\na,1,2\na,1,2\n"), InputError, "two rows for 'a'"),
    "two columns of a class": (lambda w: w("t.csv", "true,a,a\na,1,2\nb,1,2\n"), InputError, "a label twice"),
    "another class": (lambda w: w("t.csv", "true,a,c\na,1,2\nc,1,2\n"), ClassError, "No row for class 'b'"),
    "sides differ": (lambda w: w("t.csv", "true,a,c\na,1,2\nb,1,2\n"), ClassError, "'b' is in only one of them"),
    "no number": (lambda w: w("t.csv", "true,a,b\na,1,x\nb,1,2\n"), InputError, "True class 'a', label 'b' in .*: a number is needed; got 'x'"),
    "a percentage": (lambda w: w("t.csv", "true,a,b\na,90%,10%\nb,1,2\n"), InputError, "got '90%'"),
    "no dict of dicts": (lambda w: {"a": 1, "b": 2}, InputError, "a dict of label"),
    "wrong shape": (lambda w: [[1, 2, 3]], InputError, "must be 2 × 2"),
    "something else": (lambda w: object(), InputError, "a CSV file, a dict of dicts or a square array; got object"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(BAD))
def test_what_is_no_transition_table(case, write):
    table, error, message = BAD[case]
    with pytest.raises(error, match=message):
        transition_table(table(write), AB)


def test_a_class_spelt_in_two_ways():
    with pytest.raises(ClassError, match="Two rows for one class"):
        transition_table({"true": {}, "TRUE": {}, "false": {}}, (False, True))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0.9, 0.2], [0.0, 1.0]], "'a' sums to 1.1"),
        ([[0.9, 0.1], [0.5, 0.4]], "'b' sums to 0.9"),
        ([[1.2, -0.2], [0.0, 1.0]], "0 or more"),
        ([[float("nan"), 1.0], [0.0, 1.0]], "finite"),
        ([[-1, 2], [0, 1]], "Counts must be 0 or more; got -1"),
        ([[0, 0], [0, 0]], "transition table is empty"),
    ],
)
def test_numbers_that_are_no_transition(table, message):
    with pytest.raises(InputError, match=message):
        Transition.from_table(*transition_table(table, AB))
