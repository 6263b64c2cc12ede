"""Bounds from a transition table that was counted on other rows: wide enough, and no wider than what is not known."""

import numpy as np
import pytest
from scipy.stats import beta, betabinom

from justesse.core.case import Case
from justesse.core.errors import InputError
from justesse.core.tally import Tally
from justesse.measures import (
    accuracy,
    averaged,
    balanced_accuracy,
    cost,
    error,
    f1,
    mcc,
    precision,
    recall,
    specificity,
)
from justesse.noise.bounds import bounds_from_rate, bounds_from_transition
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.counted_rate import counted_rate, is_of_these, shares_by_class
from justesse.noise.macro import highest_mean
from justesse.noise.paired_bounds import difference_from_counted, difference_from_rate, difference_from_transition
from justesse.noise.transition import Transition

AXES = ("label", "incumbent", "candidate")
TWO = Tally.from_dense([[450, 50], [100, 400]], ["a", "b"])
THREE = Tally.from_dense([[300, 20, 10], [30, 250, 20], [5, 25, 140]], ["a", "b", "c"])
COUNTED = Transition.from_table([[45, 5], [5, 45]], ["a", "b"])
EVERY = [accuracy, error, precision, recall, f1, specificity, balanced_accuracy, averaged(f1, "macro")]


def ends(found):
    return {(one.name, one.class_name, one.average): (one.low, one.high) for one in found}


@pytest.mark.parametrize(("wrong", "n"), [(0, 50), (3, 100), (20, 200), (100, 100)])
def test_the_rate_of_very_many_rows_has_the_ends_of_clopper_and_pearson(wrong, n):
    half = n // 2
    table = [[half - wrong // 2, wrong - wrong // 2], [wrong // 2, half - (wrong - wrong // 2)]]
    found = counted_rate([10**8, 10**8], Transition.from_table(table, ["a", "b"]), level=0.9)
    low = beta.ppf(0.05, wrong, n - wrong + 1) if wrong else 0.0
    high = beta.ppf(0.95, wrong + 1, n - wrong) if wrong < n else 1.0
    assert found == pytest.approx((low, high), abs=0.012)


def test_the_rate_of_few_rows_has_their_own_luck_in_it():
    table = Transition.from_table([[45, 5], [5, 45]], ["a", "b"])
    for rows in (20, 100, 5000):
        found = counted_rate([rows / 2, rows / 2], table)
        wanted = betabinom.ppf(0.025, rows, 10, 91) / rows, betabinom.ppf(0.975, rows, 11, 90) / rows
        assert found == pytest.approx(wanted, abs=max(1.01 / rows, 0.008))


def test_labels_may_be_counted_more_often_than_they_occur():
    table = Transition.from_table([[90, 40], [10, 60]], ["a", "b"])  # 10 % of the labels a are wrong, 40 % of b
    wrong, own, other = shares_by_class([900, 100], table)
    assert wrong.share.tolist() == pytest.approx([0.13])
    assert wrong.worth.tolist() == pytest.approx([1000**2 / (900**2 / 100 + 100**2 / 100)])
    assert own.share.tolist() == pytest.approx([0.9, 0.6])
    assert own.worth.tolist() == pytest.approx([100, 100])
    assert other.share.tolist() == pytest.approx([0.4, 0.1])
    assert other.rows.tolist() == [100, 900]


def test_the_rate_holds_if_the_label_that_is_wrong_was_seldom_counted():
    """With one rate for all labels it missed in 8 % at either end; 5 % in all are promised."""
    rng, missed, labels, counted, rates = np.random.default_rng(0), 0, [800, 200], np.array([5000, 50]), [0.0, 0.2]
    for seed in range(250):
        wrong = rng.binomial(counted, rates)
        table = Transition.from_table([[5000 - wrong[0], wrong[1]], [wrong[0], 50 - wrong[1]]], ["a", "b"])
        low, high = counted_rate(labels, table, seed=seed)
        missed += not low <= rng.binomial(labels, rates).sum() / 1000 <= high
    assert missed / 250 < 0.07


def test_the_share_of_other_labels_is_worth_less_if_the_label_it_comes_from_was_seldom_counted():
    table = Transition.from_table([[300, 0, 10], [0, 5000, 0], [0, 0, 40]], ["a", "b", "c"])
    wrong, own, other = shares_by_class([500, 800, 200], table)
    # of the other labels, only c is ever truly a
    rates, weights, counted = np.array([0.5 / 5001, 10.5 / 51]), np.array([800, 200]), np.array([5000, 50])
    mean = weights @ rates / 1000
    spread = weights**2 @ (rates * (1 - rates) / counted)
    assert other.worth[0] == pytest.approx(mean * (1 - mean) * 1000**2 / spread)
    assert own.worth.tolist() == pytest.approx([300, 5000, 50])
    assert wrong.worth[0] < 1500**2 / (500**2 / 300 + 800**2 / 5000 + 200**2 / 50)


@pytest.mark.parametrize("known", [[[0.9, 0.1], [0.2, 0.8]], [[430, 120], [70, 380]]], ids=["shares", "these rows"])
def test_a_table_that_is_known_is_taken_as_such(known):
    known = Transition.from_table(known, ["a", "b"])
    known = known if known.counts is None else known.counted_on("these")
    assert is_of_these(TWO.sums("label"), known)
    assert bounds_from_counted(TWO, EVERY, known).to_dict() == bounds_from_transition(TWO, EVERY, known).to_dict()
    case = Case(Tally.of(AXES, [("a", "a", "b", 200), ("a", "a", "a", 300), ("b", "a", "b", 500)]))
    assert difference_from_counted(case, known) == difference_from_transition(case, known)


def test_equal_numbers_of_each_label_do_not_make_a_table_exact():
    """As many rows of each label as the test set has: any balanced sample of the same size."""
    table = Transition.from_table([[430, 120], [70, 380]], ["a", "b"])
    assert not is_of_these(TWO.sums("label"), table)
    case = Case(Tally.of(AXES, [("a", "a", "b", 200), ("a", "a", "a", 300), ("b", "a", "b", 500)]))
    for rung in (bounds_from_counted(TWO, EVERY, table), difference_from_counted(case, table)):
        assert "counted on 1,000 random rows" in rung.figures[0].assumption
        assert rung.warnings[0].startswith("The transition table has as many rows of each label")
        assert "--transition-of these" in rung.warnings[0]


def test_a_balanced_sample_of_the_same_size_is_covered():
    """The candidate repeats every wrong label, so the truth sits at an end of its bounds.

    Both sets hold 500 rows of each label. The table taken as exact covers in 5 of 100, where 95 are promised.
    """
    rng = np.random.default_rng(0)
    hits = exact = 0
    for _ in range(100):
        wrong, other = rng.binomial(500, 0.1, size=2), rng.binomial(500, 0.1, size=2)
        truth = 1 - wrong.sum() / 1000  # it answers as labelled, and is right where the label is
        seen = Tally.from_dense([[500, 0], [0, 500]], ["a", "b"])
        table = Transition.from_table([[500 - other[0], other[1]], [other[0], 500 - other[1]]], ["a", "b"])
        one = bounds_from_counted(seen, [accuracy], table).figures[0]
        hits += one.low <= truth <= one.high
        one = bounds_from_counted(seen, [accuracy], table.counted_on("these")).figures[0]
        exact += one.low - 1e-9 <= truth <= one.high + 1e-9
    assert hits >= 92
    assert exact < 20


def test_a_table_that_cannot_be_of_these_rows_is_refused():
    with pytest.raises(InputError, match="counts 50 rows labelled 'a', but 500 rows are evaluated"):
        bounds_from_counted(TWO, [accuracy], COUNTED.counted_on("these"))
    with pytest.raises(InputError, match="holds shares, not counts"):
        Transition.from_table([[0.9, 0.1], [0.2, 0.8]], ["a", "b"]).counted_on("these")
    with pytest.raises(InputError, match="one of sample, these; got 'mine'"):
        COUNTED.counted_on("mine")


def test_two_classes_counted_on_very_many_rows_leave_the_bounds_of_a_table_that_is_known():
    exact = Transition.from_table([[430, 120], [70, 380]], ["a", "b"])
    much = Transition(exact.classes, exact.matrix, exact.counts * 10**7)
    rows = Tally.from_dense(TWO.dense("label", "prediction") * 10**4, ["a", "b"])
    own = [precision, recall, f1, specificity, balanced_accuracy]
    wanted = ends(bounds_from_transition(rows, own, exact).figures)
    for key, found in ends(bounds_from_counted(rows, own, much).figures).items():
        assert found == pytest.approx(wanted[key], abs=0.003), key


def test_what_is_counted_on_fewer_rows_is_wider():
    table = np.array([[85, 10, 5], [5, 90, 5], [5, 10, 35]])
    few, some, many = (
        ends(bounds_from_counted(THREE, EVERY, Transition.from_table(table * size, list("abc"))).figures)
        for size in (1, 10, 1000)
    )
    sharp = ends(bounds_from_transition(THREE, EVERY, Transition.from_table(table, list("abc"))).figures)
    for key, (low, high) in few.items():
        assert low <= some[key][0] <= many[key][0] + 0.01
        assert high > some[key][1] - 0.02
        assert high >= many[key][1] - 0.01
        assert low < sharp[key][0] + 1e-9
        assert high > sharp[key][1] - 1e-9


def test_accuracy_error_and_cost_are_those_of_the_rates_that_the_counts_allow():
    costs = cost(np.array([[0.0, 5.0], [1.0, 0.0]]))
    found = bounds_from_counted(TWO, [accuracy, error, costs, cost(1 - np.eye(2))], COUNTED, seed=3).figures
    rate = counted_rate([500, 500], COUNTED, seed=3)
    wanted = ends(bounds_from_rate(TWO, [accuracy, error, costs], rate).figures)
    assert ends(found[:3]) == wanted
    assert (found[3].low, found[3].high) == pytest.approx((found[1].low, found[1].high), abs=1e-3)  # whole rows
    exact = bounds_from_transition(TWO, [costs], COUNTED).figures[0]
    assert found[2].low < exact.low < exact.high < found[2].high


def test_words_name_the_rows_and_the_level():
    rung = bounds_from_counted(TWO, [accuracy], COUNTED, level=0.975)
    assert rung.figures[0].assumption == "the transition table was counted on 100 random rows like these (97.5 % level)"
    assert rung.assumptions[0].startswith("the 100 rows of the transition table are a random sample")
    assert not any(one.sharp for one in rung.figures)


def test_levels_sides_and_seeds():
    def found(**options):
        return ends(bounds_from_counted(TWO, EVERY, COUNTED, **options).figures)

    both, sure, above, below = (
        found(level=0.9),
        found(level=0.99),
        found(alternative="greater"),
        found(alternative="less"),
    )
    for key, (low, high) in both.items():
        assert sure[key][0] <= low < high <= sure[key][1]
        assert sure[key][1] - sure[key][0] > high - low
        assert above[key] == (pytest.approx(low, abs=1e-9), 1.0)
        assert below[key] == (0.0, pytest.approx(high, abs=1e-9))
    assert found(seed=1) == found(seed=1) != found(seed=2)


def test_undefined_stays_undefined():
    rows = Tally.of(["label", "prediction"], [("a", "a", 50), ("b", "a", 20)], classes=["a", "b"])
    for alternative in ("two-sided", "greater", "less"):
        found = bounds_from_counted(rows, [precision], COUNTED, alternative=alternative).figures[1]
        assert np.isnan(found.low)
        assert np.isnan(found.high)
        assert found.undefined == "it is never predicted"


def test_a_class_that_may_not_occur_may_be_left_out_of_the_mean():
    names = ["a", "b", "c"]
    rows = Tally.of(
        ["label", "prediction"], [("a", "a", 60), ("b", "b", 30), ("b", "a", 10), ("a", "c", 1)], classes=names
    )
    table = Transition.from_table([[30, 1, 0], [1, 28, 0], [0, 0, 5]], names)  # c is never a label here
    found = ends(bounds_from_counted(rows, [recall, averaged(recall, "macro")], table).figures)
    low, high = found["recall", None, "macro"]
    assert found["recall", "c", None][0] == 0.0
    assert low <= np.mean([found["recall", name, None][0] for name in names])
    assert high >= np.mean([found["recall", name, None][1] for name in "ab"])


def test_the_highest_mean_against_every_choice():
    rng = np.random.default_rng(0)
    for _ in range(50):
        best, firm = rng.random(5).round(1), rng.random(5) < 0.5
        wanted = [
            best[firm | keep].mean()
            for bits in range(32)
            if (keep := (bits >> np.arange(5) & 1).astype(bool) & ~firm).any() or firm.any()
        ]
        assert highest_mean(best, firm) == pytest.approx(max(wanted))


def test_ten_classes_and_a_hundred_rows():
    """The cells of such a table, taken as known, miss the truth nearly always: each is known by a row or none."""
    k, held, taken = 10, [], []
    known = Transition.uniform(range(k), 0.1).matrix
    skill = Transition.uniform(range(k), 0.12).matrix
    law = np.einsum("ca,cp->cap", known, skill).ravel() / k
    rng = np.random.default_rng(0)
    for _ in range(25):
        rows = rng.multinomial(2000, law).reshape(k, k, k)
        table = Transition.from_table(rng.multinomial(120, (known / k).ravel()).reshape(k, k), range(k))
        if not np.all(table.counts.sum(axis=0)):
            continue
        truth = np.einsum("cac->", rows) / 2000
        seen = Tally.from_dense(rows.sum(axis=0), range(k))
        for kept, bound in ((held, bounds_from_counted), (taken, bounds_from_transition)):
            one = bound(seen, [accuracy], table).figures[0]
            kept.append(one.low <= truth <= one.high)
    assert len(held) > 20
    assert np.mean(held) > 0.95
    assert np.mean(taken) < 0.5


def test_the_difference_is_that_of_the_rates_that_the_counts_allow():
    cells = [("a", "a", "a", 400), ("a", "b", "a", 80), ("a", "a", "b", 20), ("b", "b", "b", 450), ("b", "b", "a", 50)]
    case = Case(Tally.of(AXES, cells))
    found = difference_from_counted(case, COUNTED, seed=2).figures[0]
    wanted = difference_from_rate(case.disagreement, counted_rate([500, 500], COUNTED, seed=2)).figures[0]
    exact = difference_from_transition(case, COUNTED).figures[0]
    assert (found.low, found.high) == (wanted.low, wanted.high)
    assert found.low < exact.low < found.apparent < exact.high <= found.high
    assert not found.sharp
    assert difference_from_counted(case, COUNTED, alternative="greater").figures[0].high == 1.0
    assert difference_from_counted(case, COUNTED, alternative="less").figures[0].low == -1.0


def test_what_cannot_be_bounded():
    with pytest.raises(InputError, match="has no row labelled 'b', but 500 rows"):
        bounds_from_counted(TWO, [accuracy], Transition.from_table([[9, 0], [1, 0]], ["a", "b"]))
    with pytest.raises(InputError, match="Bounds of 'mcc' are not available"):
        bounds_from_counted(TWO, [mcc], COUNTED)
    with pytest.raises(InputError, match="Bounds need at least one row"):
        bounds_from_counted(Tally.of(["label", "prediction"], [], classes=["a", "b"]), [accuracy], COUNTED)


def test_hundreds_of_classes():
    rng = np.random.default_rng(0)
    k, n = 300, 30_000
    label = rng.integers(k, size=n)
    answer = np.where(rng.random(n) < 0.8, label, rng.integers(k, size=n))
    names = list(range(k))
    rows = Tally.from_dense(np.bincount(label * k + answer, minlength=k * k).reshape(k, k), names)
    table = Transition.from_table(np.eye(k, dtype=int) * 9 + np.roll(np.eye(k, dtype=int), 1, axis=1), names)
    found = bounds_from_counted(rows, [accuracy, recall, averaged(recall, "macro")], table).figures
    assert len(found) == k + 2
    assert all(one.low <= one.apparent <= one.high for one in found)
