"""Rungs (a), (b) and (c): what they assume gives back the truth, what they cannot give they refuse."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse import Tally
from justesse.core.errors import InputError
from justesse.intervals import wilson
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import accuracy, balanced_accuracy, cost, f1, mcc, precision, recall
from justesse.noise.inversion import inversion
from justesse.noise.lam_stork import FLIPPED, lam_stork, true_accuracy
from justesse.noise.plain import plain
from justesse.noise.profile import profile
from justesse.noise.recheck import recheck
from justesse.noise.transition import Transition

QUICK = Confidence(draws=200)


def two_classes(right: int, n: int) -> Tally:
    return Tally.from_dense([[right // 2, 0], [n - right, right - right // 2]])


def noisy(shares, label, answer, n) -> Tally:
    """Give the expected label × prediction table of labels independent of predictions given the class."""
    joint = np.einsum("c,ca,cp->ap", shares, label, answer)
    return Tally.from_dense(np.round(joint * n).astype(int))


def test_plain_is_what_evaluate_measures():
    table = two_classes(80, 100)
    rung = plain(table, [accuracy, recall])
    assert list(rung.figures) == estimate(table, [accuracy, recall])
    assert rung.letter == "a"
    json.dumps(rung.to_dict())


@given(st.floats(0, 1), st.floats(0, 0.999), st.integers(2, 20))
def test_lam_stork_undoes_what_it_assumes(q, eta, classes):
    if abs(1 - eta * classes / (classes - 1)) < 1e-3:
        return
    apparent = q * (1 - eta) + (1 - q) * eta / (classes - 1)
    if classes == 2:
        assert apparent == pytest.approx(q + eta * (1 - 2 * q))
    assert true_accuracy(apparent, eta, classes) == pytest.approx(q, abs=1e-9)


def test_lam_stork_interval_is_wilson_s_transformed():
    found = lam_stork(two_classes(860, 1000), 0.05).figures[0]
    ends = wilson(860, 1000)
    assert found.value == pytest.approx(0.9)
    assert found.interval.low == pytest.approx((float(ends.low) - 0.05) / 0.9)
    assert found.interval.high == pytest.approx((float(ends.high) - 0.05) / 0.9)


def test_a_range_of_rates_holds_the_intervals_of_all_its_rates():
    table = two_classes(860, 1000)
    hull = lam_stork(table, (0.02, 0.08)).figures[0].interval
    each = [lam_stork(table, rate).figures[0].interval for rate in np.linspace(0.02, 0.08, 13)]
    assert hull.unclipped_low == pytest.approx(min(one.unclipped_low for one in each))
    assert hull.unclipped_high == pytest.approx(max(one.unclipped_high for one in each))
    assert "middle" in lam_stork(table, (0.02, 0.08)).assumptions[1]


def test_labels_worse_than_chance_turn_the_scale_round():
    rung = lam_stork(two_classes(140, 1000), 0.95)
    straight = lam_stork(two_classes(860, 1000), 0.05)
    assert rung.figures[0].value == pytest.approx(straight.figures[0].value)
    assert rung.figures[0].interval.low == pytest.approx(straight.figures[0].interval.low)
    assert rung.warnings == (FLIPPED,)
    lower = lam_stork(two_classes(140, 1000), 0.95, alternative="greater").figures[0].interval
    assert lower.low == pytest.approx(
        lam_stork(two_classes(860, 1000), 0.05, alternative="greater").figures[0].interval.low
    )
    assert lower.high == 1.0


def test_one_sided_bounds_are_one_sided():
    table = two_classes(860, 1000)
    low = lam_stork(table, 0.05, alternative="greater").figures[0].interval
    assert (low.unclipped_high, low.low) == (1.0, pytest.approx((float(wilson(860, 1000, level=0.9).low) - 0.05) / 0.9))
    high = lam_stork(table, 0.05, alternative="less").figures[0].interval
    assert (high.low, high.high) == (0.0, pytest.approx((float(wilson(860, 1000, level=0.9).high) - 0.05) / 0.9))


def test_a_value_out_of_range_is_chance_or_a_contradiction():
    chance = lam_stork(two_classes(955, 1000), 0.05)
    assert chance.figures[0].value == 1.0
    assert "which can be chance" in chance.warnings[0]
    assert chance.figures[0].interval.unclipped_high > 1
    no = lam_stork(two_classes(990, 1000), 0.05)
    assert np.isnan(no.figures[0].value)
    assert no.figures[0].interval is None
    assert "cannot hold" in no.figures[0].undefined


@pytest.mark.parametrize(
    ("classes", "rate"),
    [(2, 0.5), (2, (0.4, 0.6)), (4, 0.75), (4, (0.7, 0.8)), (2, 1.2), (2, (0.3, 0.1)), (2, float("nan"))],
)
def test_rates_that_cannot_be_inverted_are_refused(classes, rate):
    with pytest.raises(InputError, match="noise rate"):
        lam_stork(Tally.from_dense(np.eye(classes, dtype=int) * 10), rate)


def test_lam_stork_without_rows_or_classes():
    assert np.isnan(lam_stork(Tally.of(["label", "prediction"], [], classes=["a", "b"]), 0.1).figures[0].value)
    with pytest.raises(InputError, match="two classes"):
        lam_stork(Tally.from_dense([[5]]), 0.1)


def test_inversion_undoes_what_it_assumes():
    shares = np.array([0.5, 0.3, 0.2])
    label = np.array([[0.9, 0.06, 0.04], [0.1, 0.85, 0.05], [0.02, 0.08, 0.9]])
    answer = np.array([[0.8, 0.1, 0.1], [0.15, 0.8, 0.05], [0.1, 0.2, 0.7]])
    table = noisy(shares, label, answer, 10**9)
    truth = Tally.from_dense(np.round(shares[:, None] * answer * 10**9).astype(int))
    costs = cost(np.array([[0.0, 1, 2], [3, 0, 1], [5, 2, 0]]))
    measures = [accuracy, precision, recall, f1, balanced_accuracy, mcc, costs]
    rung = inversion(table, measures, Transition.from_table(label, range(3)), QUICK)
    expected = np.concatenate([np.atleast_1d(measure(truth)) for measure in measures])
    np.testing.assert_allclose([one.value for one in rung.figures], expected, atol=1e-6)
    assert "exact" in rung.warnings[0]


def test_uniform_noise_of_the_errata_is_undone():
    label = 0.8 * np.eye(4) + 0.2 / 3 * (1 - np.eye(4))
    answer = 0.604 * np.eye(4) + 0.132 * (1 - np.eye(4))
    table = noisy(np.full(4, 0.25), label, answer, 60_000)
    assert recall(table)[0] == pytest.approx(0.5096)
    found = inversion(table, [recall, precision], Transition.uniform(range(4), 0.2), QUICK).figures
    assert [one.value for one in found] == pytest.approx([0.604] * 8)
    assert lam_stork(table, 0.2).figures[0].value == pytest.approx(0.604)


def test_the_order_of_classes_does_not_matter_and_strangers_are_named():
    table = Tally.from_dense([[40, 10], [5, 45]], ["a", "b"])
    one = inversion(table, [recall], Transition.from_table([[0.9, 0.1], [0.2, 0.8]], ["a", "b"]), QUICK)
    two = inversion(table, [recall], Transition.from_table([[0.8, 0.2], [0.1, 0.9]], ["b", "a"]), QUICK)
    values = [{found.class_name: found.value for found in rung.figures} for rung in (one, two)]
    assert values[0] == pytest.approx(values[1])
    with pytest.raises(InputError, match="Class 'b' is missing"):
        inversion(table, [recall], Transition.uniform(["a", "c"], 0.1))


def test_uncertainty_of_a_counted_table_widens_the_interval():
    table = Tally.from_dense([[430, 70], [60, 440]], ["a", "b"])
    known = inversion(table, [accuracy], Transition.from_table([[0.9, 0.1], [0.06, 0.94]], ["a", "b"]))
    counts = inversion(table, [accuracy], Transition.from_table([[45, 5], [3, 47]], ["a", "b"]))
    assert known.figures[0].value == pytest.approx(counts.figures[0].value)
    assert counts.figures[0].interval.half_width > 2 * known.figures[0].interval.half_width
    assert counts.warnings == ()
    again = inversion(table, [accuracy], Transition.from_table([[45, 5], [3, 47]], ["a", "b"]))
    assert again.figures == counts.figures


def test_coverage_of_inversion_with_a_counted_table():
    # 150 simulations: 95 % ± 4 points is over two standard errors; fewer draws make the ends a little rough
    rng = np.random.default_rng(0)
    label = np.array([[0.9, 0.1], [0.15, 0.85]])
    answer = np.array([[0.85, 0.15], [0.1, 0.9]])
    shares = np.array([0.6, 0.4])
    joint = np.einsum("c,ca,cp->ap", shares, label, answer)
    truth = float((shares * np.diag(answer)).sum())
    covered = 0
    for seed in range(150):
        table = Tally.from_dense(rng.multinomial(800, joint.ravel()).reshape(2, 2))
        sample = rng.multinomial(300, (shares[:, None] * label).ravel()).reshape(2, 2)
        confidence = Confidence(draws=400, seed=seed)
        interval = inversion(table, [accuracy], Transition.from_table(sample, [0, 1]), confidence).figures[0].interval
        covered += interval.low <= truth <= interval.high
    assert covered / 150 == pytest.approx(0.95, abs=0.04)


def test_shares_that_come_out_negative_leave_recall_undefined_but_not_accuracy():
    table = Tally.from_dense([[70, 20, 0], [15, 75, 0], [0, 2, 1]], ["a", "b", "c"])
    found = inversion(
        table, [accuracy, recall, precision, balanced_accuracy], Transition.uniform("abc", 0.06), QUICK
    ).figures
    by = {(one.name, one.class_name): one for one in found}
    assert np.isnan(by["recall", "c"].value)
    assert "not positive" in by["recall", "c"].undefined
    assert np.isnan(by["balanced_accuracy", None].value)
    assert by["accuracy", None].value == pytest.approx(true_accuracy(146 / 183, 0.06, 3))
    assert not np.isnan(by["recall", "a"].value)


def test_inversion_refuses_what_it_cannot_do():
    table = Tally.from_dense([[40, 10], [5, 45]], ["a", "b"])
    with pytest.raises(InputError, match="condition number"):
        inversion(table, [accuracy], Transition.uniform("ab", 0.5))
    with pytest.raises(InputError, match="one cost table"):
        inversion(table, [cost(np.eye(2)), cost(np.eye(2))], Transition.uniform("ab", 0.1))
    with pytest.raises(InputError, match="no rows"):
        inversion(Tally.of(["label", "prediction"], [], classes=["a", "b"]), [accuracy], Transition.uniform("ab", 0.1))


def test_one_sided_inversion_and_perfect_agreement():
    table = Tally.from_dense([[430, 70], [60, 440]], ["a", "b"])
    low = (
        inversion(table, [accuracy], Transition.uniform("ab", 0.05), Confidence(alternative="greater"))
        .figures[0]
        .interval
    )
    both = inversion(table, [accuracy], Transition.uniform("ab", 0.05), Confidence(level=0.9)).figures[0].interval
    assert (low.low, low.high) == (pytest.approx(both.low), 1.0)
    perfect = inversion(Tally.from_dense([[5, 0], [0, 5]]), [accuracy], Transition.uniform([0, 1], 0.0), QUICK).figures[
        0
    ]
    assert perfect.value == 1.0
    assert perfect.interval is None
    assert "no interval" in perfect.undefined


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_interval_says_on_which_side_it_is_open(alternative):
    table = Tally.from_dense([[430, 70], [70, 430]], ["a", "b"])
    cells = [("a", "a", "a", 84), ("b", "a", "a", 2), ("b", "b", "b", 85), ("a", "b", "a", 5)]
    sample = Tally.of(["true", "label", "prediction"], cells)
    known = Transition.from_table([[95, 5], [4, 96]], ["a", "b"])
    sides = {"level": 0.9, "alternative": alternative}
    found = [
        *lam_stork(table, 0.05, **sides).figures,
        *inversion(table, [accuracy], known, Confidence(0.9, alternative, draws=200)).figures,
        *recheck(table, sample, [accuracy], **sides).figures,
        *profile(sample, **sides)[:3],
        *known.rates(**sides),
    ]
    assert {one.interval.alternative for one in found} == {alternative}
