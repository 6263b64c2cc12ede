import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.case import Case, Disagreement
from justesse.core.errors import InputError
from justesse.core.tally import Tally

AXES = ("label", "incumbent", "candidate")
ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=30)


def case_of(rows: list[tuple[int, int, int]]) -> Case:
    return Case(Tally.of(AXES, [(*row, 1) for row in rows], classes=[0, 1, 2, 3]))


@given(ROWS)
def test_every_row_falls_in_one_of_five_kinds(rows):
    found = case_of(rows).disagreement
    kinds = {"both_right": 0, "only_incumbent": 0, "only_candidate": 0, "both_wrong_alike": 0, "both_wrong_differently": 0}  # fmt: skip
    for label, one, other in rows:
        if one == label == other:
            kinds["both_right"] += 1
        elif one == label:
            kinds["only_incumbent"] += 1
        elif other == label:
            kinds["only_candidate"] += 1
        else:
            kinds["both_wrong_alike" if one == other else "both_wrong_differently"] += 1
    assert found.to_dict() == kinds
    assert found.n == len(rows)
    right = [np.mean([row[side] == row[0] for row in rows]) for side in (1, 2)]
    assert found.difference == pytest.approx(right[1] - right[0])


@given(ROWS)
def test_each_has_its_own_table(rows):
    case = case_of(rows)
    for tally, side in ((case.incumbent, 1), (case.candidate, 2)):
        dense = np.zeros((4, 4), dtype=int)
        for row in rows:
            dense[row[0], row[side]] += 1
        assert tally.axes == ("label", "prediction")
        assert tally.dense("label", "prediction").tolist() == dense.tolist()
    assert case.n == len(rows)


@given(ROWS)
def test_changing_places(rows):
    table = case_of(rows).disagreement
    assert case_of([(y, b, a) for y, a, b in rows]).disagreement == table.swapped
    assert table.swapped.swapped == table
    assert table.swapped.difference == -table.difference


@given(ROWS, st.integers(0, 12), st.sampled_from(["incumbent", "candidate"]))
def test_relabelling_by_the_sharp_formula(rows, changed, towards):
    """With k labels changed the difference moves by 2·min(k, rows only the other gets right), then one by one."""
    table = case_of(rows).disagreement
    found = table.relabelled(changed, towards=towards)
    ahead = table.only_candidate if towards == "incumbent" else table.only_incumbent
    first = min(changed, ahead)
    moved = 2 * first + min(changed - first, table.both_wrong_differently)
    sign = -1 if towards == "incumbent" else 1
    lead = table.only_candidate - table.only_incumbent
    assert found.only_candidate - found.only_incumbent == lead + sign * moved
    assert found.n == table.n
    assert min(found.to_dict().values()) >= 0


def test_many_pairs_at_once():
    table = Disagreement(np.array([5, 6]), np.array([1, 0]), np.array([3, 2]), np.array([0, 0]), np.array([1, 2]))
    assert table.n.tolist() == [10, 10]
    assert table.difference.tolist() == [0.2, 0.2]
    moved = table.relabelled(np.array([1, 3]), towards="incumbent")
    assert moved.only_incumbent.tolist() == [2, 3]
    assert moved.only_candidate.tolist() == [2, 0]
    assert moved.both_wrong_differently.tolist() == [1, 1]


def test_other_axes_are_carried_along():
    cells = [("a", "a", "b", "x", 3), ("b", "b", "b", "y", 2), ("a", "a", "b", "y", 1)]
    case = Case(Tally.of((*AXES, "by site"), cells))
    assert case.disagreement.to_dict() == {
        "both_right": 2, "only_incumbent": 4, "only_candidate": 0, "both_wrong_alike": 0, "both_wrong_differently": 0,
    }  # fmt: skip
    true = Tally.of(("true", *AXES), [("b", "a", "a", "b", 3), ("b", "b", "b", "b", 2)])
    assert Case(true).disagreement.only_incumbent == 3


def test_nothing_to_judge_is_refused():
    with pytest.raises(InputError, match="no rows"):
        Case(Tally.of(AXES, [], classes=["a"]))
    with pytest.raises(InputError, match="candidate"):
        Case(Tally.of(("label", "incumbent"), [("a", "a", 1)]))
