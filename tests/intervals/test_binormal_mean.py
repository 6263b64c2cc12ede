"""Means of areas over classes: classes of few rows, perfect areas, weights, and measured coverage."""

import numpy as np
import pytest

from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import estimate_probabilities, estimate_scores
from justesse.measures.curves.score_counts import ScoreCounts

CLASSES = ("a", "b", "c", "d", "e")


def scored(rng, labels, apart):
    scores = rng.normal(size=(len(labels), len(CLASSES)))
    scores[np.arange(len(labels)), labels] += apart
    scores = np.exp(scores)
    return scores / scores.sum(axis=1, keepdims=True), labels


def drawn(rng, n, apart):
    return scored(rng, rng.integers(len(CLASSES), size=n), apart)


def means(scores, labels, weights=None, **options):
    estimates = estimate_probabilities(scores, labels, CLASSES, weights, Confidence(**options)).estimates
    return {(each.name, each.average): each for each in estimates if each.average}


def coverage(rng, truth, draw, times):
    hits = dict.fromkeys(truth, 0)
    for _ in range(times):
        for key, each in means(*draw()).items():
            hits[key] += each.interval.low <= truth[key] <= each.interval.high
    return {key: hit / times for key, hit in hits.items()}


def test_perfect_areas_have_an_interval():
    labels = np.repeat(np.arange(5), 6)
    for each in means(np.eye(5)[labels] * 0.9 + 0.02, labels).values():
        assert each.value == pytest.approx(1)
        assert 0.4 < each.interval.low < 0.99
        assert each.interval.high == pytest.approx(1)
        assert each.interval.method == "binormal-score"


def test_coverage_of_means_of_areas_near_one():
    """150 test sets of 50 rows and five classes; the plain delta method covers 84 to 88 %."""
    rng = np.random.default_rng(2)
    truth = {key: each.value for key, each in means(*drawn(rng, 60_000, 2.5)).items()}
    covered = coverage(rng, truth, lambda: drawn(rng, 50, 2.5), 150)
    assert len(covered) == 5
    assert min(covered.values()) >= 0.92


def test_coverage_with_classes_of_a_single_row():
    """150 test sets; the delta method on the logit scale covers 47 to 97 %."""
    rng = np.random.default_rng(3)
    sizes = np.array([20, 15, 10, 1, 1])
    truth = {key: each.value for key, each in means(*scored(rng, np.repeat(np.arange(5), 1500 * sizes), 2.0)).items()}
    covered = coverage(rng, truth, lambda: scored(rng, np.repeat(np.arange(5), sizes), 2.0), 150)
    assert min(covered.values()) >= 0.92


def test_weighted_means_vary_as_much_as_a_bootstrap_shows():
    """The share of each class in a weighted mean varies, too: here that is half of the spread or more."""
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(5), [200, 100, 60, 30, 10])
    scores = rng.normal(size=(400, 5))
    scores[np.arange(400), labels] += np.array([0.2, 1.0, 2.0, 3.0, 4.0])[labels]
    scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    resamples = [means(scores[rows], labels[rows]) for rows in rng.integers(400, size=(150, 400))]
    for key in (("roc_auc", "weighted"), ("average_precision", "weighted")):
        spread = np.std([each[key].value for each in resamples])
        assert means(scores, labels)[key].interval.half_width / 1.97 == pytest.approx(spread, rel=0.2), key


def test_equal_weights_change_nothing():
    scores, labels = drawn(np.random.default_rng(5), 80, 1.0)
    plain, weighted = means(scores, labels), means(scores, labels, np.full(80, 2.5))
    for key, each in plain.items():
        assert weighted[key].interval.low == pytest.approx(each.interval.low)
        assert weighted[key].interval.high == pytest.approx(each.interval.high)


def test_one_sided_ends():
    scores, labels = drawn(np.random.default_rng(6), 80, 1.0)
    both, lower = means(scores, labels, level=0.9), means(scores, labels, alternative="greater")
    for key, each in both.items():
        assert lower[key].interval.low == pytest.approx(each.interval.low)
        assert lower[key].interval.high == 1


def two_classes(rng, sizes, apart, **options):
    """Return the estimates of probabilities of two classes, all made from one score."""
    labels = np.repeat([0, 1], sizes)
    first = 1 / (1 + np.exp(rng.normal(size=len(labels)) + apart * labels))
    estimates = estimate_probabilities(np.stack([first, 1 - first], axis=1), labels, "ab", None, Confidence(**options))
    return estimates.estimates, ScoreCounts.of(1 - first, labels == 1)


@pytest.mark.parametrize("sizes", [(50, 50), (50, 3), (1, 20), (7, 200)])
@pytest.mark.parametrize("options", [{}, {"alternative": "greater"}, {"level": 0.8}])
def test_with_two_classes_every_roc_auc_has_the_interval_of_the_binary_one(sizes, options):
    estimates, table = two_classes(np.random.default_rng(5), sizes, 1.5, **options)
    (binary, *_) = estimate_scores(table, Confidence(**options))
    areas = [each for each in estimates if each.name.startswith("roc_auc")]
    assert [each.average for each in areas] == [None, None, "macro", "weighted", "macro"]
    for each in areas:
        assert each.value == pytest.approx(binary.value)
        if binary.interval is None:
            assert each.interval is None
            assert each.undefined == binary.undefined
        else:
            assert each.interval.method == "area-score"
            assert (each.interval.low, each.interval.high) == pytest.approx((binary.interval.low, binary.interval.high))


@pytest.mark.parametrize(
    ("apart", "name", "average"), [(1.0, "roc_auc_ovo", "macro"), (2.0, "average_precision", "macro")]
)
def test_coverage_with_one_class_of_two_rows(apart, name, average):
    """150 test sets; before, 95 % intervals covered 86 and 76 %: the rows of all classes vouched for two."""
    rng = np.random.default_rng(7)
    sizes = np.array([50, 50, 2, 0, 0])
    truth = {key: each.value for key, each in means(*scored(rng, np.repeat(np.arange(5), 800 * sizes), apart)).items()}
    covered = coverage(rng, truth, lambda: scored(rng, np.repeat(np.arange(5), sizes), apart), 150)
    assert covered[name, average] >= 0.92
