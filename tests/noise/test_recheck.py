"""A re-checked sample: unbiased by counting every sample there is, and intervals that cover by simulation."""

import json
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from justesse import Tally
from justesse.core.errors import InputError
from justesse.intervals import clopper_pearson, wilson
from justesse.measures import (
    accuracy,
    averaged,
    balanced_accuracy,
    error,
    f1,
    fbeta,
    mcc,
    npv,
    precision,
    recall,
    specificity,
)
from justesse.noise.random_sample import sample_chance
from justesse.noise.recheck import recheck

MEASURES = (precision, recall, f1, fbeta(2), specificity, npv)


def counted(axes, columns, classes):
    keys, counts = np.unique(np.stack(columns), axis=1, return_counts=True)
    return Tally.from_codes(axes, [(key.astype(np.int32), list(range(classes))) for key in keys], counts)


def rows(rng, n, classes=3, skill=0.85, noise=0.06):
    """Draw rows whose labels are wrong three times as often where the classifier is, half of them as it says."""
    true = rng.integers(classes, size=n)
    astray = rng.random(n) > skill
    answer = np.where(astray, (true + rng.integers(1, classes, size=n)) % classes, true)
    wrong = rng.random(n) < np.where(astray, 3 * noise, noise)
    other = np.where(astray & (rng.random(n) < 0.5), answer, (true + rng.integers(1, classes, size=n)) % classes)
    return true, np.where(wrong, other, true), answer


def tallies(true, label, answer, chosen, classes=3):
    whole = counted(["label", "prediction"], (label, answer), classes)
    return whole, counted(["true", "label", "prediction"], (true[chosen], label[chosen], answer[chosen]), classes)


def against_truth(true, answer, classes=3):
    return counted(["label", "prediction"], (true, answer), classes)


def test_unbiased_over_every_sample_there_is():
    true = np.array([0, 0, 0, 1, 1, 1, 2, 2, 0])
    label = np.array([0, 1, 0, 1, 1, 0, 2, 0, 0])
    answer = np.array([0, 1, 1, 1, 0, 1, 2, 0, 2])
    found = []
    for chosen in combinations(range(9), 4):
        whole, sample = tallies(true, label, answer, list(chosen))
        rung = recheck(whole, sample, [accuracy, error], strata="none", about="rows")
        # a value that chance takes out of [0, 1] is shown at the end of it, so the mean is taken before that
        right = np.mean(label == answer) + np.mean(
            (true[list(chosen)] == answer[list(chosen)]).astype(float) - (label[list(chosen)] == answer[list(chosen)])
        )
        assert rung.figures[0].value == pytest.approx(min(max(right, 0), 1))
        assert rung.figures[0].value + rung.figures[1].value == pytest.approx(1)
        found.append(right)
    assert np.mean(found) == pytest.approx(np.mean(true == answer), abs=1e-12)


def test_everything_re_checked_gives_the_truth():
    rng = np.random.default_rng(0)
    true, label, answer = rows(rng, 300)
    whole, sample = tallies(true, label, answer, np.arange(300))
    truth = against_truth(true, answer)
    for strata in ("none", "kinds", "cells"):
        for measure in (accuracy, error, *MEASURES):
            found = recheck(whole, sample, [measure], strata=strata, about="rows").figures
            np.testing.assert_allclose([one.value for one in found], np.atleast_1d(measure(truth)))
            assert all(one.interval is None and "every row" in one.undefined for one in found)
    of_all = recheck(whole, sample, [accuracy]).figures[0].interval
    ends = wilson(np.sum(true == answer), 300)
    assert (of_all.low, of_all.high) == (pytest.approx(float(ends.low)), pytest.approx(float(ends.high)))


def test_labels_that_are_all_right_are_not_taken_for_certainty():
    whole = Tally.from_dense([[4500, 500], [500, 4500]], ["a", "b"])
    cells = [("a", "a", "a", 45), ("a", "a", "b", 5), ("b", "b", "b", 45), ("b", "b", "a", 5)]
    sample = Tally.of(["true", "label", "prediction"], cells)
    found = recheck(whole, sample, [accuracy, recall], about="rows").figures
    assert [one.value for one in found] == pytest.approx([0.9] * 3)
    worth = {n: n * (100 * n - 1) / (99 * n) for n in (90, 10)}
    agreed, disputed = (float(clopper_pearson(0, worth[n]).high) for n in (90, 10))
    assert found[0].interval.low == pytest.approx(0.9 - 0.9 * agreed)
    assert found[0].interval.high == pytest.approx(0.9 + 0.1 * disputed)
    # one part of the recall of a class is rows that truly are of it but are neither labelled nor predicted so
    assert found[1].interval.low < 0.85
    assert found[1].interval.high > 0.91


def test_the_mean_of_measured_and_mended():
    whole = Tally.from_dense([[4300, 700], [700, 4300]], ["a", "b"])
    cells = [("a", "a", "a", 80), ("b", "a", "a", 6), ("b", "a", "b", 5), ("a", "a", "b", 9)]
    cells += [("b", "b", "b", 84), ("a", "b", "b", 2), ("a", "b", "a", 4), ("b", "b", "a", 10)]
    sample = Tally.of(["true", "label", "prediction"], cells)
    plain = recheck(whole, sample, [accuracy], strata="none").figures[0]
    assert plain.value == pytest.approx(0.86 + (9 - 8) / 200)
    kinds = recheck(whole, sample, [accuracy]).figures[0]
    assert kinds.value == pytest.approx(0.86 * (1 - 8 / 172) + 0.14 * 9 / 28)
    assert kinds.interval.half_width < plain.interval.half_width
    cells = recheck(whole, sample, [accuracy], strata="cells").figures[0]
    small = 0.14 * 9 / 28  # fewer than 20 of each: pooled with their kind
    assert cells.value == pytest.approx(0.43 * 80 / 86 + 0.43 * 84 / 86 + small)
    of_a = [recheck(whole, sample, [measure]).figures[0].value for measure in (precision, recall, f1)]
    hits, size = 4300 * 80 / 86 + 700 * 4 / 14, 5000 - 4300 * 6 / 86 - 700 * 5 / 14 + 700 * 4 / 14 + 4300 * 2 / 86
    assert of_a == pytest.approx([hits / 5000, hits / size, 2 * hits / (5000 + size)])
    only = recheck(whole, sample, [accuracy], about="rows").figures[0]
    assert only.interval.half_width < kinds.interval.half_width


@pytest.mark.parametrize("strata", ["none", "kinds"])
def test_unbiased_and_covering_by_simulation(strata):
    # 250 samples of 200 out of 1,500: tails of at most 2.5 % each, so more than 6 % misses on a side would be three
    # standard errors off; the mean is allowed three of its own standard errors
    rng = np.random.default_rng(1)
    true, label, answer = rows(rng, 1500)
    truth = against_truth(true, answer)
    wanted = [float(accuracy(truth)), float(recall(truth)[0])]
    gaps, low, high, one_sided = [], [], [], []
    for _ in range(250):
        whole, sample = tallies(true, label, answer, rng.choice(1500, 200, replace=False))
        found = recheck(whole, sample, [accuracy, recall], strata=strata, about="rows").figures[:2]
        gaps.append([one.value - value for one, value in zip(found, wanted, strict=True)])
        low.append([one.interval.low > value for one, value in zip(found, wanted, strict=True)])
        high.append([one.interval.high < value for one, value in zip(found, wanted, strict=True)])
        bound = (
            recheck(whole, sample, [accuracy], strata=strata, about="rows", alternative="greater").figures[0].interval
        )
        one_sided.append(bound.low > wanted[0])
    error_of_mean = np.std(gaps, axis=0) / np.sqrt(250)
    assert np.all(np.abs(np.mean(gaps, axis=0)) < 3 * error_of_mean + 0.001)
    assert np.all(np.mean(low, axis=0) <= 0.06)
    assert np.all(np.mean(high, axis=0) <= 0.06)
    assert np.mean(one_sided) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 250)


def test_covering_the_population_the_rows_come_from():
    rng = np.random.default_rng(2)
    big_true, _, big_answer = rows(rng, 1_000_000)
    wanted = float(np.mean(big_true == big_answer))
    missed = []
    for _ in range(200):
        true, label, answer = rows(rng, 600)
        whole, sample = tallies(true, label, answer, rng.choice(600, 300, replace=False))
        interval = recheck(whole, sample, [accuracy]).figures[0].interval
        missed.append(not interval.low <= wanted <= interval.high)
    assert np.mean(missed) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_one_sided_requests_get_one_sided_intervals():
    # ppi-python 0.2.3 forgets `alternative` when it chooses its own weight (the default), and gives a two-sided interval
    rng = np.random.default_rng(3)
    whole, sample = tallies(*rows(rng, 2000), np.arange(200))
    for measure in (accuracy, recall, f1):
        both = recheck(whole, sample, [measure], level=0.9).figures[0].interval
        greater = recheck(whole, sample, [measure], alternative="greater").figures[0].interval
        less = recheck(whole, sample, [measure], alternative="less").figures[0].interval
        wide = recheck(whole, sample, [measure]).figures[0].interval
        assert (greater.low, greater.high) == (pytest.approx(both.low), 1.0)
        assert (less.low, less.high) == (0.0, pytest.approx(both.high))
        assert greater.low > wide.low


def test_a_chosen_sample_is_noticed_and_a_random_one_is_not():
    rng = np.random.default_rng(4)
    true, label, answer = rows(rng, 5000)
    disputed = np.flatnonzero(label != answer)[:200]
    whole, sample = tallies(true, label, answer, disputed)
    assert "do not look like a random sample" in recheck(whole, sample, [accuracy]).warnings[0]
    chances = []
    for _ in range(200):
        whole, sample = tallies(true, label, answer, rng.choice(5000, 300, replace=False))
        chances.append(sample_chance(whole, sample.marginal("label", "prediction")))
    assert min(chances) > 1e-4
    assert np.mean(np.array(chances) < 0.05) == pytest.approx(0.05, abs=0.05)
    assert np.mean(chances) == pytest.approx(0.5, abs=0.07)


def test_chance_is_pearson_s_for_a_small_part_of_a_large_set():
    whole = Tally.from_dense(np.array([[4300, 700], [700, 4300]]) * 10**6)
    sample = Tally.from_dense([[50, 4], [9, 37]])
    expected = chisquare([50, 4, 9, 37], [43, 7, 7, 43]).pvalue
    assert sample_chance(whole, sample) == pytest.approx(expected, rel=1e-6)


def test_rare_cells_do_not_raise_false_alarms():
    dense = np.diag([5000, 4990]) + np.array([[0, 5], [5, 0]])
    whole = Tally.from_dense(dense)
    assert sample_chance(whole, Tally.from_dense([[25, 1], [0, 24]])) > 0.5
    assert sample_chance(Tally.from_dense([[100, 0], [0, 0]]), Tally.from_dense([[10, 0], [0, 0]])) == 1.0


def test_small_samples_are_refused_or_warned_of():
    whole = Tally.from_dense([[43, 7], [7, 43]], ["a", "b"])
    one = Tally.of(["true", "label", "prediction"], [("a", "a", "a", 1)])
    with pytest.raises(InputError, match="At least two rows"):
        recheck(whole, one, [accuracy])
    few = Tally.of(["true", "label", "prediction"], [("a", "a", "a", 5), ("b", "b", "b", 5)])
    rung = recheck(whole, few, [accuracy])
    assert "Only 10 rows" in rung.warnings[0]
    assert any("none of the 14 rows that matter" in warning for warning in rung.warnings)
    assert rung.figures[0].interval.high > 0.95  # nothing is known of the 14 disputed rows
    json.dumps(rung.to_dict())


def test_what_does_not_fit_is_refused():
    whole = Tally.from_dense([[43, 7], [7, 43]], ["a", "b"])
    more = Tally.of(["true", "label", "prediction"], [("a", "a", "b", 8), ("b", "b", "b", 5)])
    with pytest.raises(InputError, match="labelled 'a' and predicted 'b'"):
        recheck(whole, more, [accuracy])
    stranger = Tally.of(["true", "label", "prediction"], [("a", "a", "c", 2)])
    with pytest.raises(InputError, match="labelled 'a' and predicted 'c'"):
        recheck(whole, stranger, [accuracy])
    fine = Tally.of(["true", "label", "prediction"], [("a", "a", "a", 8), ("b", "b", "b", 5)])
    with pytest.raises(InputError, match="'mcc' cannot be estimated from a re-checked sample"):
        recheck(whole, fine, [mcc])
    with pytest.raises(InputError, match="'f1' cannot be estimated from a re-checked sample"):
        recheck(whole, fine, [averaged(f1, "weighted")])
    with pytest.raises(InputError, match="strata must be one of"):
        recheck(whole, fine, [accuracy], strata="both")
    with pytest.raises(InputError, match="about must be one of"):
        recheck(whole, fine, [accuracy], about="all")
    with pytest.raises(InputError, match="no axis 'true'"):
        recheck(whole, whole, [accuracy])


def test_a_true_class_that_no_label_names():
    whole = Tally.from_dense([[40, 10], [10, 40]], ["a", "b"])
    cells = [("a", "a", "a", 16), ("c", "a", "b", 4), ("b", "b", "b", 16), ("b", "b", "a", 4)]
    found = {
        (one.name, one.class_name): one
        for one in recheck(whole, Tally.of(["true", "label", "prediction"], cells), [accuracy, recall]).figures
    }
    assert found["accuracy", None].value == pytest.approx(0.8)
    assert found["recall", "c"].value == 0.0
    assert found["recall", "a"].value == pytest.approx(1.0)


def test_a_class_with_nothing_to_divide_by():
    whole = Tally.of(["label", "prediction"], [("a", "a", 50), ("b", "a", 10)], classes=["a", "b"])
    sample = Tally.of(["true", "label", "prediction"], [("a", "a", "a", 25), ("a", "b", "a", 5)])
    found = {(one.name, one.class_name): one for one in recheck(whole, sample, [precision, recall]).figures}
    assert np.isnan(found["precision", "b"].value)
    assert np.isnan(found["recall", "b"].value)
    assert "denominator is 0" in found["recall", "b"].undefined


def test_a_stratum_of_one_row_that_was_re_checked():
    whole = Tally.from_dense([[50, 1], [0, 49]], ["a", "b"])
    cells = [("a", "a", "a", 20), ("b", "a", "b", 1), ("b", "b", "b", 20)]
    found = recheck(whole, Tally.of(["true", "label", "prediction"], cells), [accuracy], about="rows").figures[0]
    assert found.value == 1.0
    assert found.interval.high == 1.0
    assert found.interval.low < 0.95


@pytest.mark.parametrize("strata", ["kinds", "cells", "none"])
def test_macro_averages_are_means_of_the_classes_and_of_their_ends(strata):
    rng = np.random.default_rng(4)
    true = rng.integers(3, size=900)
    label, answer = (np.where(rng.random(900) < skill, true, rng.integers(3, size=900)) for skill in (0.9, 0.8))
    dense = np.zeros((3, 3, 3), dtype=int)
    np.add.at(dense, (true, label, answer), 1)
    part = np.zeros_like(dense)
    np.add.at(part, (true[:150], label[:150], answer[:150]), 1)
    cells = [(*map(int, at), int(part[tuple(at)])) for at in np.argwhere(part)]
    whole, sample = Tally.from_dense(dense.sum(axis=0)), Tally.of(["true", "label", "prediction"], cells)
    for measure in (precision, recall, f1):
        macro = averaged(measure, "macro")
        *each, mean = recheck(whole, sample, [measure, macro], strata=strata).figures
        assert (mean.name, mean.class_name, mean.average) == (measure.name, None, "macro")
        assert mean.value == pytest.approx(np.mean([one.value for one in each]))
        for end in ("unclipped_low", "unclipped_high"):
            assert getattr(mean.interval, end) == pytest.approx(np.mean([getattr(one.interval, end) for one in each]))
        assert mean.interval.low <= macro(Tally.from_dense(dense.sum(axis=1))) <= mean.interval.high
    found = recheck(whole, sample, [balanced_accuracy, averaged(recall, "macro")], strata=strata).figures
    assert found[0].interval == found[1].interval


def test_a_class_without_a_value_is_left_out_of_the_mean():
    whole = Tally.of(["label", "prediction"], [("a", "a", 40), ("b", "a", 10), ("c", "c", 30)], classes=["a", "b", "c"])
    cells = [("a", "a", "a", 8), ("b", "b", "a", 3), ("c", "c", "c", 7)]
    sample = Tally.of(["true", "label", "prediction"], cells)
    *each, mean = recheck(whole, sample, [precision, averaged(precision, "macro")]).figures
    assert np.isnan(each[1].value)
    assert mean.value == pytest.approx((each[0].value + each[2].value) / 2)
    never = Tally.of(["label", "prediction"], [("a", "c", 9)], classes=["a", "b", "c"])
    checked = Tally.of(["true", "label", "prediction"], [("a", "a", "c", 9)], classes=["a", "b", "c"])
    assert recheck(never, checked, [averaged(precision, "macro")]).figures[0].value == 0
