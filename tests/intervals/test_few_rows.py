"""Intervals that hold with few rows, few positives or no mistakes, where the usual ones fall far short."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import t as student_t
from statsmodels.stats.proportion import proportion_confint

from justesse import count
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.area_score import area_score, model_variance
from justesse.intervals.binormal_score import average_precision_variances, binormal_score
from justesse.intervals.bootstrap import bootstrap
from justesse.intervals.delong import delong, delong_variances
from justesse.intervals.estimate import Confidence, estimate
from justesse.intervals.numeric_estimates import numeric_estimates
from justesse.intervals.smoothing import smoothed_resamples, with_imagined_rows
from justesse.measures import accuracy, averaged, f1, kappa, mcc, recall
from justesse.measures.curves.precision_recall import average_precision
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.regression import Sums


def covers(interval, truth):
    return interval is not None and interval.low <= truth <= interval.high


# --- resamples with mistakes not seen so far


def test_two_rows_are_imagined_one_right_and_one_wrong():
    dense, imagined = with_imagined_rows(Tally.from_dense([[30, 2, 0], [0, 20, 0], [0, 0, 5]]))
    table = imagined.reshape(3, 3)
    assert dense.counts.sum() == 57
    assert np.diag(table).sum() == pytest.approx(1)
    assert table.sum() == pytest.approx(2)
    assert table[0, 1] == pytest.approx(1 / 6)


def test_nothing_is_imagined_of_classes_without_labels():
    tally = Tally.of(("label", "prediction"), [("a", "a", 9), ("b", "b", 8), ("a", "c", 1)])
    table = with_imagined_rows(tally)[1].reshape(3, 3)
    assert table[2].tolist() == [0, 0, 0]
    assert table.sum() == pytest.approx(2)


def test_a_classifier_without_mistakes_gets_an_interval_of_every_measure():
    tally = Tally.from_dense([[25, 0], [0, 25]])
    for result in estimate(tally, [mcc, kappa, averaged(f1, "macro")]):
        assert result.interval.method == "bootstrap-smoothed"
        assert 0.8 < result.interval.low < 1
        assert result.interval.high == 1


def test_with_many_rows_smoothing_does_not_matter():
    tally = Tally.from_dense([[45_000, 5000], [3000, 47_000]])
    plain, smoothed = (bootstrap(tally, mcc, method=how, vectorised=True) for how in ("percentile", "smoothed"))
    assert smoothed.low == pytest.approx(plain.low, abs=2e-4)
    assert smoothed.high == pytest.approx(plain.high, abs=2e-4)


@pytest.mark.parametrize(
    "rows", [[("a", "a", 9), ("b", "b", 8), ("a", "c", 1)], [("a", "a", 30), ("b", "b", 2), ("c", "c", 5)]]
)
def test_sparse_smoothing_has_the_shares_of_dense_smoothing(rows):
    tally = Tally.of(("label", "prediction"), rows)
    dense, imagined = with_imagined_rows(tally)
    shares = ((dense.counts + imagined) / (tally.n + 2)).reshape(3, 3)
    total, draws = np.zeros((3, 3)), 20_000
    for batch in smoothed_resamples(tally, draws, sparse=True):
        assert (batch.counts.sum(axis=1) == tally.n).all()
        np.add.at(total, tuple(batch.codes.T), batch.counts.sum(axis=0))
    assert total / (draws * tally.n) == pytest.approx(shares, abs=0.003)


def test_many_classes_and_slices_are_smoothed_too():
    rng = np.random.default_rng(51)
    label = rng.integers(90, size=400)
    tally = count(label=label, prediction=np.where(rng.random(400) < 0.1, rng.integers(90, size=400), label))
    (many,) = estimate(tally, [mcc])
    assert many.interval.method == "bootstrap-smoothed"
    wide = bootstrap(tally, mcc, method="smoothed", vectorised=True)
    assert (many.interval.low, many.interval.high) == pytest.approx((float(wide.low), float(wide.high)), abs=0.01)
    small = Tally.from_dense([[25, 2], [1, 25]])
    (one_of_many,) = estimate(small, [mcc], cells=4800)
    assert one_of_many.interval.method == "bootstrap-smoothed"


@pytest.mark.parametrize("level", [0.1, 0.5])
def test_smoothed_intervals_contain_the_value_at_any_level(level):
    for result in estimate(Tally.from_dense([[25, 0], [0, 25]]), [mcc, kappa], Confidence(level=level)):
        assert result.interval.low <= result.value <= result.interval.high


def test_smoothing_needs_labels_and_predictions():
    tally = Tally.of(("label", "incumbent", "candidate"), [("a", "a", "b", 5), ("b", "b", "b", 5)])
    with pytest.raises(OptionError, match="label and prediction"):
        bootstrap(tally, lambda one: one.n, method="smoothed")


@pytest.mark.parametrize("right", [0.8, 0.95, 0.99])
def test_coverage_with_fifty_rows(right):
    rng = np.random.default_rng(0)
    chances = np.array([[0.9 * right, 0.9 * (1 - right)], [0.1 * (1 - right), 0.1 * right]])
    measures = [averaged(f1, "macro"), mcc, kappa]
    truth = [float(one(Tally.from_dense(np.rint(chances * 1e12).astype(np.int64)))) for one in measures]
    covered = {"smoothed": [], "percentile": []}
    for at in range(300):
        table = Tally.from_dense(rng.multinomial(50, chances.ravel()).reshape(2, 2))
        for how, seen in covered.items():
            results = estimate(table, measures, Confidence(bootstrap=how, draws=200, seed=at))
            seen.append([covers(one.interval, value) for one, value in zip(results, truth, strict=True)])
    smoothed, plain = (np.mean(seen, axis=0) for seen in covered.values())
    assert smoothed.min() > 0.92
    assert (smoothed > plain - 0.01).all()


# --- areas


def draw(rng, n, shift, rate):
    positive = rng.random(n) < rate
    positive[:4] = [True, True, False, False]
    return rng.normal(size=n) + shift * positive, positive


def test_the_ends_of_an_area_solve_its_equation():
    table = ScoreCounts.of(*draw(np.random.default_rng(3), 60, 1.0, 0.2))
    ends = area_score(table)
    positive, negative = table.effective
    kernel_variance = sum(delong_variances(table))
    first, second = delong_variances(table)
    from justesse.measures.curves.auc import auc

    area, rare = auc(table), min(positive, negative)
    weight = (5 + rare * kernel_variance / model_variance(area, positive, negative)) / (5 + rare)
    df = kernel_variance**2 / (first**2 / (positive - 1) + second**2 / (negative - 1))
    reach = student_t.ppf(0.975, df + 5) * np.sqrt(weight)

    def beyond(theta):
        return abs(area - theta) - reach * np.sqrt(model_variance(theta, positive, negative))

    assert ends.low == pytest.approx(brentq(beyond, 1e-9, area), abs=1e-9)
    assert ends.high == pytest.approx(brentq(beyond, area, 1 - 1e-9), abs=1e-9)


def test_with_many_rows_the_area_has_delongs_interval():
    table = ScoreCounts.of(*draw(np.random.default_rng(4), 20_000, 1.0, 0.4))
    ours, theirs = area_score(table), delong(table)
    assert ours.low == pytest.approx(theirs.low, abs=3e-4)
    assert ours.high == pytest.approx(theirs.high, abs=3e-4)


def test_a_perfect_order_has_a_lower_end_that_rises_with_the_rows():
    lows = [float(area_score(ScoreCounts.of(np.arange(2 * k), np.arange(2 * k) >= k)).low) for k in (2, 5, 20, 200)]
    assert lows == sorted(lows)
    assert 0 < lows[0] < 0.6
    assert lows[-1] > 0.98
    assert float(area_score(ScoreCounts.of([2, 3, 0, 1], [1, 1, 0, 0])).high) == 1
    assert np.isnan(area_score(ScoreCounts.of([0.9, 0.2, 0.1], [1, 0, 0])).low)  # one positive row


@pytest.mark.parametrize(("n", "rate"), [(210, 0.05), (210, 0.95)])
def test_few_negatives_are_as_hard_as_few_positives(n, rate):
    from scipy.stats import norm

    rng = np.random.default_rng(13)
    tables = [draw(rng, n, 2.5, rate) for _ in range(300)]
    covered = [
        covers(area_score(ScoreCounts.of(*table)).intervals()[0], norm.cdf(2.5 / np.sqrt(2))) for table in tables
    ]
    assert np.mean(covered) > 0.93
    scores, positive = tables[0]
    ours, swapped = area_score(ScoreCounts.of(scores, positive)), area_score(ScoreCounts.of(-scores, ~positive))
    assert float(ours.low) == pytest.approx(float(swapped.low))
    assert float(ours.high) == pytest.approx(float(swapped.high))


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_ends_are_those_of_a_wider_level(alternative):
    table = ScoreCounts.of(*draw(np.random.default_rng(5), 80, 1.0, 0.3))
    one, both = area_score(table, alternative=alternative), area_score(table, level=0.9)
    kept, opened = ("low", "high") if alternative == "greater" else ("high", "low")
    assert getattr(one, kept) == pytest.approx(getattr(both, kept))
    assert np.isinf(getattr(one, opened))


@pytest.mark.parametrize(("n", "shift", "rate"), [(50, 2.0, 0.1), (200, 2.5, 0.05), (50, 3.0, 0.5)])
def test_coverage_of_areas_with_few_positives(n, shift, rate):
    from scipy.stats import norm

    rng = np.random.default_rng(6)
    truth = norm.cdf(shift / np.sqrt(2))
    new, old = [], []
    for _ in range(400):
        table = ScoreCounts.of(*draw(rng, n, shift, rate))
        new.append(covers(area_score(table).intervals()[0], truth))
        old.append(covers(delong(table).intervals()[0], truth))
    assert np.mean(new) > 0.93
    assert np.mean(old) < 0.91


def test_the_variance_of_average_precision_is_that_of_a_bootstrap_of_rows():
    rng = np.random.default_rng(21)
    scores, positive = draw(rng, 500, 1.0, 0.3)
    weights = rng.uniform(0.5, 2, size=500)
    resamples = [
        average_precision(ScoreCounts.of(scores[rows], positive[rows], weights[rows]))
        for rows in rng.integers(500, size=(400, 500))
    ]
    spread = sum(average_precision_variances(ScoreCounts.of(scores, positive, weights)))
    assert spread == pytest.approx(np.var(resamples), rel=0.25)


def test_with_many_rows_average_precision_has_the_interval_of_the_delta_method():
    table = ScoreCounts.of(*draw(np.random.default_rng(22), 20_000, 1.0, 0.4))
    ends, half = binormal_score(table), 1.96 * np.sqrt(sum(average_precision_variances(table)))
    assert ends.low == pytest.approx(average_precision(table) - half, abs=8e-4)
    assert ends.high == pytest.approx(average_precision(table) + half, abs=8e-4)


def test_ends_of_average_precision_at_the_edges():
    lows = [float(binormal_score(ScoreCounts.of(np.arange(2 * k), np.arange(2 * k) >= k)).low) for k in (1, 5, 20, 200)]
    assert lows == sorted(lows)
    assert lows[-1] > 0.95
    assert float(binormal_score(ScoreCounts.of([2, 3, 0, 1], [1, 1, 0, 0])).high) == 1
    assert np.isnan(binormal_score(ScoreCounts.of([0.9, 0.2], [1, 1])).low)  # without negative rows it is always 1
    reverse = ScoreCounts.of(np.arange(40), np.arange(40) < 20)
    assert float(binormal_score(reverse).low) <= average_precision(reverse) <= float(binormal_score(reverse).high)
    one = binormal_score(reverse, level=0.6, alternative="greater")
    assert float(one.low) <= average_precision(reverse)
    assert np.isinf(one.high)


@pytest.mark.parametrize(
    ("positive", "negative", "apart", "width"),
    [(300, 20, 1.5, 0.5), (50, 5, 1.5, 0.5), (5, 200, 2.0, 1.0), (10, 10, 1.5, 2.0)],
)
def test_coverage_of_average_precision_with_few_rows_of_a_class(positive, negative, apart, width):
    """200 repetitions; as a share of the positive rows on the logit scale, it covers 82 % in the first setting."""
    rng = np.random.default_rng(23)

    def scored(p, n):
        scores = np.append(apart + width * rng.normal(size=p), rng.normal(size=n))
        return ScoreCounts.of(scores, np.arange(p + n) < p)

    truth = np.mean([average_precision(scored(1000 * positive, 1000 * negative)) for _ in range(2)])
    ends = [binormal_score(scored(positive, negative)) for _ in range(200)]
    assert np.mean([each.low <= truth <= each.high for each in ends]) >= 0.93


# --- F1 of a class


def test_f1_has_the_interval_of_the_share_it_is_made_of():
    tally = Tally.from_dense([[18, 2, 1], [3, 30, 0], [0, 4, 42]])
    for result, hits, rows in zip(estimate(tally, [f1]), (18, 30, 42), (24, 39, 47), strict=True):
        low, high = (2 * end / (1 + end) for end in proportion_confint(hits, rows, method="wilson"))
        assert (result.interval.low, result.interval.high) == pytest.approx((low, high))
        assert result.interval.method == "wilson-jaccard"


def test_f1_without_mistakes_has_an_interval():
    result = estimate(Tally.from_dense([[5, 0], [0, 45]]), [f1])[0]
    assert result.value == 1
    assert 0.6 < result.interval.low < 1


def test_f1_is_resampled_on_request():
    tally = Tally.from_dense([[18, 2], [3, 30]])
    assert estimate(tally, [f1], Confidence(bootstrap="bca"))[0].interval.method == "bootstrap-bca"


# --- weighted shares


@pytest.mark.parametrize("measure", [accuracy, recall])
def test_weights_that_go_with_mistakes_do_not_narrow_the_interval(measure):
    rng = np.random.default_rng(7)
    covered = []
    for _ in range(300):
        label = rng.integers(2, size=200)
        wrong = rng.random(200) < 0.1
        tally = count(label=label, prediction=np.where(wrong, 1 - label, label), weight=np.where(wrong, 5.0, 1.0))
        covered.append(covers(estimate(tally, [measure])[0].interval, 0.9 / (0.9 + 0.5)))
    assert 0.92 < np.mean(covered) <= 0.99


def test_weights_of_their_own_keep_kishs_n():
    rng = np.random.default_rng(8)
    label, weight = rng.integers(2, size=4000), rng.gamma(2.0, size=4000)
    prediction = np.where(rng.random(4000) < 0.1, 1 - label, label)
    n = estimate(count(label=label, prediction=prediction, weight=weight), [accuracy])[0].n
    kish = weight.sum() ** 2 / (weight**2).sum()
    assert 0.85 * kish < n <= kish * (1 + 1e-12)


# --- means of numeric errors


def test_two_rows_and_mostly_exact_predictions_have_no_interval_of_their_error():
    off = np.zeros(50)
    off[7] = 10.0
    for labels in (np.array([1.0, 4.0]), off):
        for result in numeric_estimates(Sums.of(labels, np.zeros(len(labels))), len(labels), Confidence(draws=400))[:3]:
            assert result.interval is None
            assert "do not show" in result.undefined


@pytest.mark.parametrize(("alternative", "opened"), [("less", "low"), ("greater", "high")])
def test_one_sided_intervals_of_errors_are_open(alternative, opened):
    rows = Sums.of(np.random.default_rng(12).normal(size=30), np.zeros(30))
    for result in numeric_estimates(rows, 30, Confidence(draws=400, alternative=alternative))[:3]:
        assert np.isinf(getattr(result.interval, f"unclipped_{opened}"))


def test_coverage_of_mse_with_thirty_rows():
    rng = np.random.default_rng(10)
    covered = []
    for at in range(400):
        results = numeric_estimates(Sums.of(rng.normal(size=30), np.zeros(30)), 30, Confidence(draws=400, seed=at))
        covered.append([covers(results[k].interval, truth) for k, truth in enumerate((1.0, 1.0, np.sqrt(2 / np.pi)))])
    assert np.mean(covered, axis=0).min() > 0.925
    assert [one.interval.method for one in results[:3]] == ["log-t, one larger row"] * 3


def test_huge_errors_have_finite_intervals():
    labels = np.random.default_rng(11).normal(size=30) * 1e120
    mse = numeric_estimates(Sums.of(labels, np.zeros(30)), 30, Confidence(draws=200))[0]
    assert 0 < mse.interval.low < mse.value < mse.interval.high < np.inf
