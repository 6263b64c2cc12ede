"""What the true difference can be, against every relabelling of small tables and every coupling of small margins."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse import Tally
from justesse.core.case import Case
from justesse.core.errors import InputError
from justesse.noise.coupling import cost_range, difference_range
from justesse.noise.paired_bounds import difference_at, difference_from_rate, difference_from_transition
from justesse.noise.transition import Transition
from noise.every import couplings

AXES = ("label", "incumbent", "candidate")
SMALL = {
    "two classes": [(0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 0, 1), (1, 0, 0), (1, 1, 1)],
    "candidate always better": [(0, 1, 0), (1, 0, 1), (0, 1, 0), (1, 0, 1)],
    "never apart": [(0, 1, 1), (1, 1, 1), (0, 0, 0)],
    "three classes": [(0, 0, 0), (0, 1, 2), (1, 1, 0), (2, 0, 1), (1, 2, 1), (2, 2, 2)],
    "both wrong differently": [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 1), (0, 0, 1)],
    "one row": [(0, 1, 0)],
}


def case_of(rows, classes):
    return Case(Tally.of(AXES, [(*row, 1) for row in rows], classes=list(range(classes))))


def gain(true, one, other):
    return int(other == true) - int(one == true)


def relabelled(rows, classes, most):
    """Give the least and the most difference over every way to give at most `most` rows another true class."""
    found = [
        sum(gain(true, one, other) for true, (_, one, other) in zip(truth, rows, strict=True))
        for truth in product(range(classes), repeat=len(rows))
        if sum(true != label for true, (label, _, _) in zip(truth, rows, strict=True)) <= most
    ]
    return min(found) / len(rows), max(found) / len(rows)


@pytest.mark.parametrize("name", sorted(SMALL))
def test_the_rate_against_every_relabelling(name):
    rows = SMALL[name]
    classes = max(map(max, rows)) + 1
    case = case_of(rows, classes)
    for most in range(len(rows) + 1):
        wanted = pytest.approx(relabelled(rows, classes, most))
        assert difference_at(case.disagreement, most / len(rows)) == wanted, most
        found = difference_from_rate(case.disagreement, most / len(rows)).figures[0]
        assert (found.low, found.high) == wanted
        assert found.sharp
        # part of a row cannot be wrong
        assert difference_at(case.disagreement, min((most + 0.9) / len(rows), 1.0)) == pytest.approx(
            relabelled(rows, classes, most)
        )


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=5), st.integers(0, 5))
@settings(max_examples=60)
def test_the_rate_against_every_relabelling_of_anything(rows, most):
    wanted = relabelled(rows, 3, most)
    assert difference_at(case_of(rows, 3).disagreement, min(most / len(rows), 1.0)) == pytest.approx(wanted)


def coupled(rows, joint):
    """Give the least and the most difference over every way to share out the true classes within each label."""
    ends = np.zeros(2)
    for label in sorted({row[0] for row in rows}):
        pairs = sorted({row[1:] for row in rows if row[0] == label})
        sizes = [sum(row == (label, *pair) for row in rows) for pair in pairs]
        gains = np.array([[gain(true, *pair) for pair in pairs] for true in range(len(joint))])
        totals = [int((table * gains).sum()) for table in couplings([int(x) for x in joint[:, label]], sizes)]
        ends += min(totals), max(totals)
    return tuple(ends / len(rows))


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_table_against_every_coupling(rows, random):
    joint = np.zeros((3, 3), dtype=int)
    for label, _, _ in rows:
        joint[label if random.random() < 0.6 else random.randrange(3), label] += 1
    known = Transition.from_table(joint, [0, 1, 2])
    found = difference_from_transition(case_of(rows, 3), known).figures[0]
    assert (found.low, found.high) == pytest.approx(coupled(rows, joint), abs=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_a_flow_and_a_linear_programme_agree(seed):
    rng = np.random.default_rng(seed)
    classes, n = int(rng.integers(2, 6)), int(rng.integers(3, 60))
    codes = rng.integers(classes, size=(n, 3))
    codes[:, 1] = np.where(rng.random(n) < 0.5, codes[:, 0], codes[:, 1])
    table = Tally.of(AXES, [(*map(int, row), 1) for row in codes], classes=list(range(classes)))
    joint = rng.dirichlet(np.full(classes, rng.choice([0.2, 1.0])), size=classes).T * table.sums("label")
    pairs, which = np.unique(table.codes[:, 1:], axis=0, return_inverse=True)
    known = np.arange(classes)[:, None]
    levels = (tuple(range(classes)), tuple(range(len(pairs))))
    answers = np.column_stack([table.codes[:, 0], which.ravel()]).astype(np.int32)
    rows = Tally.canonical(("label", "prediction"), levels, answers, table.counts)
    gains = (pairs[:, 1] == known).astype(float) - (pairs[:, 0] == known)
    assert difference_range(table, joint) == pytest.approx(cost_range(rows, joint, gains), abs=1e-6)


def test_the_truth_lies_inside_and_a_perfect_table_leaves_no_doubt():
    rng = np.random.default_rng(0)
    true = rng.integers(4, size=500)
    label, one, other = (
        np.where(rng.random(500) < skill, true, rng.integers(4, size=500)) for skill in (0.9, 0.7, 0.8)
    )
    rows = list(zip(label.tolist(), one.tolist(), other.tolist(), strict=True))
    truth = float(np.mean(other == true) - np.mean(one == true))
    joint = np.zeros((4, 4), dtype=int)
    np.add.at(joint, (true, label), 1)
    case = case_of(rows, 4)
    for found in (
        difference_from_transition(case, Transition.from_table(joint, range(4))).figures[0],
        difference_from_rate(case.disagreement, float(np.mean(label != true))).figures[0],
    ):
        assert found.low < truth < found.high
        assert found.low < found.apparent < found.high
    exact = difference_from_transition(case, Transition.from_table(np.eye(4), range(4))).figures[0]
    assert exact.low == pytest.approx(exact.apparent) == pytest.approx(exact.high)


def test_the_table_is_tighter_than_its_rate():
    rows = [(0, 0, 0)] * 40 + [(0, 1, 0)] * 8 + [(0, 0, 1)] * 2 + [(1, 1, 1)] * 50
    known = Transition.uniform([0, 1], 0.04)
    case = case_of(rows, 2)
    table, rate = (
        difference_from_transition(case, known).figures[0],
        difference_from_rate(case.disagreement, 0.04).figures[0],
    )
    assert rate.low <= table.low <= table.high <= rate.high
    assert table.high - table.low < rate.high - rate.low


def test_a_class_that_only_the_table_knows():
    known = Transition.from_table([[9, 1, 0], [0, 9, 1], [0, 0, 10]], ["a", "b", "c"])
    cells = [("a", "a", "a", 5), ("a", "b", "a", 3), ("b", "b", "b", 6), ("b", "a", "b", 1)]
    found = difference_from_transition(Case(Tally.of(AXES, cells)), known).figures[0]
    assert found.low < found.apparent <= found.high


def test_a_class_that_the_table_lacks():
    cells = [("a", "a", "c", 5), ("b", "b", "b", 6)]
    with pytest.raises(InputError, match="Class 'c' is missing from the transition table"):
        difference_from_transition(Case(Tally.of(AXES, cells)), Transition.uniform(["a", "b"], 0.1))


@pytest.mark.parametrize("rate", [-0.1, 1.1, (0.3, 0.1)])
def test_rates_that_cannot_be(rate):
    with pytest.raises(InputError, match="noise rate must lie between 0 and 1"):
        difference_from_rate(case_of(SMALL["two classes"], 2).disagreement, rate)


def test_of_a_range_the_high_end_counts():
    table = case_of(SMALL["three classes"], 3).disagreement
    assert difference_from_rate(table, (0.2, 0.4)).figures[0] == difference_from_rate(table, 0.4).figures[0]
