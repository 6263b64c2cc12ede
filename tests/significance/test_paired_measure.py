import math

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef, precision_score

from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.intervals.delta import delta
from justesse.measures import accuracy, averaged, balanced_accuracy, cost, error, f1, kappa, mcc, precision, recall
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import (
    Compared,
    measured_difference,
    paired_bootstrap,
    paired_delta,
    paired_error,
)

AXES = ("label", "incumbent", "candidate")
MACRO_F1 = averaged(f1, "macro")
COSTS = np.array([[0.0, 2.0, 5.0], [1.0, 0.0, 1.0], [3.0, 0.5, 0.0]])
EVERY = {
    "accuracy": Compared(accuracy),
    "error": Compared(error),
    "macro f1": Compared(MACRO_F1),
    "weighted f1": Compared(averaged(f1, "weighted")),
    "micro precision": Compared(averaged(precision, "micro")),
    "mcc": Compared(mcc),
    "kappa": Compared(kappa),
    "balanced accuracy": Compared(balanced_accuracy),
    "precision of 1": Compared(precision, 1),
    "recall of 2": Compared(recall, 2),
    "cost": Compared(cost(COSTS)),
}


def rows(n: int, seed: int = 0, skill: tuple[float, float] = (0.7, 0.75)) -> np.ndarray:
    """Draw labels and two answers that are often wrong together."""
    rng = np.random.default_rng(seed)
    label = rng.choice(3, p=[0.5, 0.3, 0.2], size=n)
    hard = rng.random(n)
    answers = [np.where(0.6 * hard + 0.4 * rng.random(n) < right, label, rng.choice(3, size=n)) for right in skill]
    return np.column_stack([label, *answers])


def tally_of(table: np.ndarray) -> Tally:
    names, counts = np.unique(table, axis=0, return_counts=True)
    cells = [(*map(int, name), int(count)) for name, count in zip(names, counts, strict=True)]
    return Tally.of(AXES, cells, classes=[0, 1, 2])


def with_sklearn(table: np.ndarray, name: str) -> float:
    """Compute the difference from the rows, mostly with scikit-learn."""
    label = table[:, 0]
    value = {
        "accuracy": lambda answer: np.mean(answer == label),
        "error": lambda answer: np.mean(answer == label),
        "macro f1": lambda answer: f1_score(label, answer, average="macro"),
        "weighted f1": lambda answer: f1_score(label, answer, average="weighted"),
        "micro precision": lambda answer: np.mean(answer == label),
        "mcc": lambda answer: matthews_corrcoef(label, answer),
        "kappa": lambda answer: cohen_kappa_score(label, answer),
        "balanced accuracy": lambda answer: balanced_accuracy_score(label, answer),
        "precision of 1": lambda answer: precision_score(label, answer, labels=[1], average="macro"),
        "recall of 2": lambda answer: np.mean(answer[label == 2] == 2),
        "cost": lambda answer: -COSTS[label, answer].mean(),
    }[name]
    return float(value(table[:, 2]) - value(table[:, 1]))


def quickly(table: np.ndarray, name: str) -> float:
    """Compute a difference from the rows again, fast enough for hundreds of draws."""

    def value(answer: np.ndarray) -> float:
        dense = np.bincount(3 * table[:, 0] + answer, minlength=9).reshape(3, 3)
        right, labelled, called, n = np.diag(dense), dense.sum(1), dense.sum(0), dense.sum()
        if name == "macro f1":
            return float(np.mean(2 * right / (labelled + called)))
        if name == "precision of 1":
            return float(right[1] / called[1])
        if name == "cost":
            return -float((dense * COSTS).sum() / n)
        above = n * right.sum() - labelled @ called
        return float(above / math.sqrt((n**2 - called @ called) * (n**2 - labelled @ labelled)))

    return value(table[:, 2]) - value(table[:, 1])


@pytest.mark.parametrize("name", EVERY)
def test_the_difference_is_that_of_the_rows(name):
    table = rows(200, seed=4)
    expected = with_sklearn(table, name)
    assert float(measured_difference(EVERY[name])(tally_of(table))) == pytest.approx(expected)
    if name in ("macro f1", "mcc", "precision of 1", "cost"):
        assert quickly(table, name) == pytest.approx(expected)


@pytest.mark.parametrize("name", EVERY)
def test_the_standard_error_is_that_of_a_numerical_derivative(name):
    """The generic delta method differentiates the difference cell by cell, without knowing what a measure is."""
    tally, compared = tally_of(rows(300, seed=1)), EVERY[name]
    oracle = delta(tally, measured_difference(compared))
    half = float(oracle.high - oracle.low) / 2
    assert paired_error(Case(tally), compared) == pytest.approx(half / 1.959964, rel=1e-4)
    found = paired_delta(Case(tally), compared)
    assert (found.unclipped_low, found.unclipped_high) == pytest.approx(
        (float(oracle.low), float(oracle.high)), abs=1e-6
    )


@pytest.mark.parametrize("name", ["macro f1", "mcc", "precision of 1", "cost"])
def test_drawing_rows_gives_the_same_interval(name):
    table = rows(120, seed=2)
    rng = np.random.default_rng(5)
    drawn = [quickly(table[rng.integers(len(table), size=len(table))], name) for _ in range(2000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    found = paired_bootstrap(tally_of(table), EVERY[name], draws=4000)
    # the ends of 2000 draws are known to a few hundredths of the width
    assert found.low == pytest.approx(low, abs=0.06 * (high - low))
    assert found.high == pytest.approx(high, abs=0.06 * (high - low))
    assert np.std(drawn) == pytest.approx((found.high - found.low) / 3.92, rel=0.06)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_with_many_rows_bootstrap_and_delta_agree(name, method):
    tally = tally_of(rows(20_000, seed=3))
    wide = paired_delta(Case(tally), EVERY[name])
    found = paired_bootstrap(tally, EVERY[name], draws=1500, method=method)
    width = wide.high - wide.low
    assert found.low == pytest.approx(wide.low, abs=0.07 * width)
    assert found.high == pytest.approx(wide.high, abs=0.07 * width)
    assert found.method == f"bootstrap-{method}"


def test_for_accuracy_it_is_close_to_tango():
    case = Case(tally_of(rows(2000, seed=3)))
    table = case.disagreement
    tango = paired_difference(table.only_incumbent, table.only_candidate, table.n)
    found = paired_delta(case, Compared(accuracy))
    assert (found.low, found.high) == pytest.approx((float(tango.low), float(tango.high)), abs=5e-4)


def test_pairing_narrows_the_interval_of_classifiers_that_err_together():
    case = Case(tally_of(rows(3000, seed=6)))
    apart = math.hypot(
        *(
            float(ends.high - ends.low) / 3.92
            for ends in (delta(side, mcc) for side in (case.incumbent, case.candidate))
        )
    )
    assert paired_error(case, Compared(mcc)) < 0.9 * apart


@pytest.mark.parametrize("name", ["mcc", "cost"])
def test_changing_places_changes_the_sign(name):
    table = rows(300, seed=7)
    swapped = tally_of(table[:, [0, 2, 1]])
    one, other = paired_delta(Case(tally_of(table)), EVERY[name]), paired_delta(Case(swapped), EVERY[name])
    assert (one.unclipped_low, one.unclipped_high) == pytest.approx((-other.unclipped_high, -other.unclipped_low))


def test_one_sided_bounds():
    tally = tally_of(rows(300, seed=8))
    for make in (lambda **how: paired_bootstrap(tally, Compared(mcc), **how), lambda **how: paired_delta(Case(tally), Compared(mcc), **how)):  # fmt: skip
        both, lower, upper = make(level=0.9), make(alternative="greater"), make(alternative="less")
        assert lower.low == pytest.approx(both.low)
        assert lower.high == 2  # how far apart two correlations can be
        assert upper.high == pytest.approx(both.high)
        assert upper.low == -2


def test_two_that_never_disagree_have_no_interval():
    table = rows(100)
    same = tally_of(table[:, [0, 1, 1]])
    assert paired_bootstrap(same, Compared(mcc)) is None
    assert paired_delta(Case(same), Compared(mcc)) is None


def test_other_axes_do_not_matter():
    table = rows(100, seed=9)
    tally = tally_of(table)
    cells = [(*map(int, row), "odd" if at % 2 else "even", 1) for at, row in enumerate(table)]
    sliced = Tally.of((*AXES, "slice"), cells, classes=[0, 1, 2])
    assert paired_bootstrap(sliced, Compared(mcc)) == paired_bootstrap(tally, Compared(mcc))
    assert paired_error(Case(sliced), Compared(mcc)) == pytest.approx(paired_error(Case(tally), Compared(mcc)))


def test_bounds_are_how_far_apart_two_can_be():
    assert Compared(mcc).bounds == (-2, 2)
    assert Compared(f1).bounds == (-1, 1)
    assert Compared(cost(COSTS)).bounds == (-5, 5)
