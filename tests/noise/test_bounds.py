"""Bounds against every truth that small tables allow, and against every coupling of small margins."""

import json
from itertools import product

import numpy as np
import pytest

from justesse import Tally
from justesse.core.errors import InputError
from justesse.measures import (
    Confusion,
    accuracy,
    averaged,
    balanced_accuracy,
    class_weighted_error,
    cost,
    error,
    f1,
    fbeta,
    kappa,
    mcc,
    npv,
    precision,
    recall,
    specificity,
)
from justesse.noise.bounds import bounds_from_rate, bounds_from_transition
from justesse.noise.relabelling import accuracy_range, corners
from justesse.noise.transition import Transition
from noise.every import couplings, truths, values

SMALL = (
    ((2, 1), (1, 2)),
    ((3, 0), (2, 1)),
    ((4, 2), (1, 0)),
    ((0, 3), (2, 1)),
    ((6, 0), (0, 0)),
    ((2, 0, 1), (1, 1, 0), (0, 1, 0)),
    ((1, 1, 0), (0, 0, 2), (1, 0, 1)),
    ((0, 2, 0), (0, 2, 1), (0, 0, 0)),
    ((3, 0, 0), (0, 2, 0), (0, 0, 1)),
)
COSTS = {2: np.array([[0.0, 3.0], [1.0, 0.5]]), 3: np.array([[0.0, 2.0, 5.0], [1.0, 0.0, 4.0], [3.0, 2.5, 0.0]])}
SHARP = (accuracy, error, precision, recall, f1, fbeta(2), fbeta(0.5), specificity, npv)
SHARP_AVERAGES = (averaged(precision, "macro"), averaged(npv, "macro"), averaged(recall, "micro"))
OUTER = (balanced_accuracy, averaged(f1, "macro"), averaged(specificity, "macro"))


def extremes(measure, table, fewest, most):
    wrong, value = values(measure, table)
    value = value[(wrong >= fewest) & (wrong <= most)]
    return np.fmin.reduce(value), np.fmax.reduce(value)


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_a_rate_between_two_numbers_of_rows_means_whole_rows(table):
    """A label is wrong for a whole row: with 1.7 of 6 rows one label is wrong at most, and the ends are reached."""
    n, k = int(np.sum(table)), len(table)
    tally = Tally.from_dense(np.array(table))
    for most in range(n):
        for rate, rows in (((most + 0.7) / n, (0, most)), (((most + 0.2) / n, (most + 0.7) / n), (most, most + 1))):
            for measure in (accuracy, error, cost(COSTS[k]), averaged(precision, "macro")):
                one = bounds_from_rate(tally, [measure], rate).figures[0]
                assert one.sharp
                if not np.isnan(one.low):
                    least, most_of_all = (float(end[0]) for end in extremes(measure, table, *rows))
                    assert (one.low, one.high) == pytest.approx((least, most_of_all)), (measure.name, rate)


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_bounds_from_the_rate_are_reached_and_never_left(table):
    n, k = int(np.sum(table)), len(table)
    tally = Tally.from_dense(np.array(table))
    for fewest, most in [(0, m) for m in range(n + 1)] + [(m, m) for m in range(1, n + 1)] + [(1, 3), (2, n)]:
        for measure in (*SHARP, *SHARP_AVERAGES, cost(COSTS[k])):
            found = bounds_from_rate(tally, [measure], (fewest / n, most / n)).figures
            low, high = extremes(measure, table, fewest, most)
            np.testing.assert_allclose([one.low for one in found], low, atol=1e-9, err_msg=f"{measure} {fewest} {most}")
            np.testing.assert_allclose(
                [one.high for one in found], high, atol=1e-9, err_msg=f"{measure} {fewest} {most}"
            )
            assert all(one.sharp for one in found)


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_corners_are_those_of_all_that_relabelling_can_reach(table):
    wrong, dense = truths(table)
    angles = np.linspace(0, 2 * np.pi, 61)
    ways = np.stack([np.cos(angles), np.sin(angles)])
    confusion = Confusion.of(Tally.from_dense(np.array(table)))
    for fewest, most in [(0, 1), (0, 3), (2, 2), (4, 5)]:
        allowed = (wrong >= fewest) & (wrong <= most)
        hits, true = corners(confusion, fewest=fewest, most=most)
        for k in range(len(table)):
            there = {(int(d[k, k]), int(d[k].sum())) for d in dense[allowed]}
            found = set(zip(hits[:, k].astype(int).tolist(), true[:, k].astype(int).tolist(), strict=True))
            assert found <= there
            np.testing.assert_allclose(
                (np.array(list(found)) @ ways).max(axis=0), (np.array(list(there)) @ ways).max(axis=0)
            )


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_outer_bounds_hold_and_say_that_they_are_not_sharp(table):
    n = int(np.sum(table))
    tally = Tally.from_dense(np.array(table))
    for measure in OUTER:
        for most in range(n + 1):
            found = bounds_from_rate(tally, [measure], most / n).figures[0]
            low, high = extremes(measure, table, 0, most)
            assert not found.sharp
            assert found.low <= low[0] + 1e-9
            assert found.high >= high[0] - 1e-9
        exact = bounds_from_rate(tally, [measure], 0.0).figures[0]
        assert exact.low == pytest.approx(float(measure(tally)))
        assert exact.high == pytest.approx(float(measure(tally)))


def test_classes_share_the_wrong_labels_in_outer_bounds():
    tally = Tally.from_dense(90 * np.eye(10, dtype=int) + 1)
    outer = bounds_from_rate(tally, [balanced_accuracy, recall], 0.05).figures
    alone = np.mean([one.low for one in outer[1:]])
    assert outer[0].low > alone + 0.1  # each class on its own could take all of them
    assert outer[0].low < outer[0].apparent - 0.05 / 2


def test_the_formulas_of_the_specification():
    for k, apparent, eta in product((2, 3, 7), np.linspace(0, 1, 11), np.linspace(0, 1, 11)):
        low, high = accuracy_range(apparent, 0.0, eta, k)
        assert (low, high) == (pytest.approx(max(0, apparent - eta)), pytest.approx(min(1, apparent + eta)))
        low, high = accuracy_range(apparent, eta, eta, k)
        assert high == pytest.approx(2 - apparent - eta if eta > 1 - apparent else min(1, apparent + eta))
        expected = (0 if k > 2 else eta - apparent) if eta > apparent else max(0, apparent - eta)
        assert low == pytest.approx(expected)


def test_a_range_of_rates_holds_the_bounds_of_each_rate():
    tally = Tally.from_dense([[40, 10], [5, 45]], ["a", "b"])
    measures = [accuracy, precision, recall, f1]
    whole = bounds_from_rate(tally, measures, (0.05, 0.2)).figures
    each = [bounds_from_rate(tally, measures, (rate, rate)).figures for rate in np.linspace(0.05, 0.2, 16)]
    for at, one in enumerate(whole):
        assert one.low == pytest.approx(min(found[at].low for found in each))
        assert one.high == pytest.approx(max(found[at].high for found in each))


def joints(labelled, classes):
    """Draw a few true × label tables of whole rows with these label counts."""
    rng = np.random.default_rng(0)
    for _ in range(4):
        yield np.stack([rng.multinomial(n, rng.dirichlet(np.ones(classes))) for n in labelled], axis=1)


@pytest.mark.parametrize(
    "table", [((3, 1), (2, 3)), ((2, 1, 0), (0, 2, 1), (1, 0, 2)), ((4, 0, 0), (0, 1, 1), (1, 1, 0))], ids=str
)
def test_bounds_from_the_table_against_every_coupling(table):
    dense = np.array(table)
    k = len(dense)
    tally = Tally.from_dense(dense)
    weights = class_weighted_error(np.arange(1.0, k + 1))
    measures = [
        accuracy, error, precision, recall, f1, fbeta(2), specificity, npv, mcc, kappa, balanced_accuracy, weights,
        averaged(precision, "macro"), averaged(f1, "macro"), averaged(f1, "weighted"), cost(COSTS[k]),
    ]  # fmt: skip
    for joint in joints(dense.sum(axis=1), k):
        truths = [
            Tally.from_dense(sum(parts))
            for parts in product(*(couplings(joint[:, a].tolist(), dense[a].tolist()) for a in range(k)))
        ]
        found = bounds_from_transition(tally, measures, Transition.from_table(joint, range(k))).figures
        assert all(one.sharp for one in found)
        at = 0
        for measure in measures:
            each = np.array([np.atleast_1d(measure(truth)) for truth in truths])
            mine = found[at : at + each.shape[1]]
            at += each.shape[1]
            np.testing.assert_allclose([one.low for one in mine], np.fmin.reduce(each), atol=1e-9, err_msg=measure.name)
            np.testing.assert_allclose(
                [one.high for one in mine], np.fmax.reduce(each), atol=1e-9, err_msg=measure.name
            )


def test_the_linear_programme_agrees_with_the_closed_form():
    rng = np.random.default_rng(1)
    dense = rng.integers(0, 40, size=(6, 6)) + 60 * np.eye(6, dtype=int)
    known = Transition.from_table(0.9 * np.eye(6) + 0.1 * rng.dirichlet(np.ones(6), size=6), range(6))
    tally = Tally.from_dense(dense)
    wrong, plain = bounds_from_transition(tally, [cost(1 - np.eye(6)), error], known).figures
    assert (wrong.low, wrong.high) == (pytest.approx(plain.low), pytest.approx(plain.high))


def test_more_knowledge_gives_narrower_bounds():
    dense = np.array([[430, 70], [60, 440]])
    tally = Tally.from_dense(dense, ["a", "b"])
    known = Transition.from_table([[0.95, 0.05], [0.02, 0.98]], ["a", "b"])
    joint = known.joint(tally.sums("label"))
    rate = 1 - np.trace(joint) / joint.sum()
    for measure in (accuracy, precision, recall):
        pairs = zip(
            bounds_from_transition(tally, [measure], known).figures,
            bounds_from_rate(tally, [measure], rate).figures,
            strict=True,
        )
        for inner, outer in pairs:
            row = 1 / min(tally.sums("label").min(), tally.sums("prediction").min())
            # the shares of the table leave parts of rows, the rate does not
            assert outer.low - row <= inner.low <= inner.high <= outer.high + row


def test_class_shares_can_be_given_where_the_table_cannot_be_inverted():
    tally = Tally.from_dense([[40, 10], [5, 45]], ["a", "b"])
    useless = Transition.uniform("ab", 0.5)
    with pytest.raises(InputError, match="condition number"):
        bounds_from_transition(tally, [accuracy], useless)
    found = bounds_from_transition(tally, [accuracy], useless, shares=[0.5, 0.5]).figures[0]
    assert found.low < 0.5 < found.high


def test_a_thousand_classes():
    rng = np.random.default_rng(0)
    k, n = 1000, 200_000
    label = rng.integers(k, size=n)
    answer = np.where(rng.random(n) < 0.8, label, rng.integers(k, size=n))
    keys, counts = np.unique(label * k + answer, return_counts=True)
    names = list(range(k))
    coded = [((keys // k).astype(np.int32), names), ((keys % k).astype(np.int32), names)]
    tally = Tally.from_codes(["label", "prediction"], coded, counts)
    found = bounds_from_rate(tally, [accuracy, precision, recall, f1, balanced_accuracy], 0.05).figures
    assert len(found) == 3002
    assert all(one.low <= one.apparent <= one.high for one in found)
    known = bounds_from_transition(
        tally, [accuracy, recall, balanced_accuracy], Transition.uniform(names, 0.05)
    ).figures
    assert all(one.low <= one.high for one in known)
    assert known[-1].high - known[-1].low < 0.12


def test_undefined_and_impossible_requests():
    tally = Tally.of(["label", "prediction"], [("a", "a", 5), ("b", "a", 2)], classes=["a", "b"])
    found = {(one.name, one.class_name): one for one in bounds_from_rate(tally, [precision, recall], 0.1).figures}
    assert np.isnan(found["precision", "b"].low)
    assert found["precision", "b"].undefined == "it is never predicted"
    json.dumps(bounds_from_rate(tally, [precision], 0.1).to_dict())
    with pytest.raises(InputError, match="from the noise rate alone"):
        bounds_from_rate(tally, [mcc], 0.1)
    with pytest.raises(InputError, match="two classes"):
        bounds_from_rate(Tally.from_dense([[3]]), [accuracy], 0.1)
    with pytest.raises(InputError, match="between 0 and 1"):
        bounds_from_rate(tally, [accuracy], 1.1)
    with pytest.raises(InputError, match="at least one row"):
        bounds_from_transition(
            Tally.of(["label", "prediction"], [], classes=["a", "b"]), [accuracy], Transition.uniform("ab", 0.1)
        )
