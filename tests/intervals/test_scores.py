"""DeLong and the errors of means of areas against brute force and simulation."""

import numpy as np
import pytest
from sklearn import metrics

from justesse.intervals.delong import delong, delong_error
from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import estimate_probabilities, estimate_scores
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts


def draw(rng, n, shift=1.0, rate=0.4, digits=6):
    y = rng.random(n) < rate
    y[:2] = [True, False]
    return y, np.round(rng.normal(size=n) + shift * y, digits)


def test_delong_by_hand():
    y, s = draw(np.random.default_rng(0), 60, digits=1)
    kernel = np.array([[(a > b) + 0.5 * (a == b) for b in s[~y]] for a in s[y]])
    variance = kernel.mean(1).var(ddof=1) / y.sum() + kernel.mean(0).var(ddof=1) / (~y).sum()
    assert delong_error(ScoreCounts.of(s, y)) == pytest.approx(np.sqrt(variance))


def test_equal_weights_change_nothing():
    y, s = draw(np.random.default_rng(1), 80)
    assert delong_error(ScoreCounts.of(s, y, np.full(80, 3.0))) == pytest.approx(delong_error(ScoreCounts.of(s, y)))


def test_coverage_of_the_areas():
    rng = np.random.default_rng(2)
    truth = np.mean([auc(ScoreCounts.of(*reversed(draw(rng, 20_000)))) for _ in range(5)])
    precise = np.mean([metrics.average_precision_score(*draw(rng, 20_000)) for _ in range(10)])
    inside, inside_ap = [], []
    for _ in range(400):
        y, s = draw(rng, 200)
        area, precision = estimate_scores(ScoreCounts.of(s, y), Confidence(), probabilities=False)
        inside.append(area.interval.low <= truth <= area.interval.high)
        inside_ap.append(precision.interval.low <= precise <= precision.interval.high)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)
    assert np.mean(inside_ap) == pytest.approx(0.95, abs=0.035)


def test_perfect_separation_and_single_rows_have_no_interval():
    assert np.isnan(delong(ScoreCounts.of([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0])).low)
    assert np.isnan(delong(ScoreCounts.of([0.9, 0.2, 0.1], [1, 0, 0])).low)
    assert np.isinf(delong(ScoreCounts.of([0.9, 0.2, 0.4, 0.1], [1, 1, 0, 0]), alternative="greater").high)


def probabilities(rng, n, classes=4):
    labels = rng.integers(classes, size=n)
    logits = rng.normal(size=(n, classes)) + 1.2 * np.eye(classes)[labels]
    shares = np.exp(logits)
    return labels, shares / shares.sum(1, keepdims=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn_agrees_on_several_classes(weighted):
    rng = np.random.default_rng(3)
    labels, scores = probabilities(rng, 300)
    weights = rng.random(300) + 0.1 if weighted else None
    found = {
        (e.name, e.class_name, e.average): e
        for e in estimate_probabilities(scores, labels, (0, 1, 2, 3), weights, Confidence()).estimates
    }
    for average in ("macro", "weighted"):
        area = metrics.roc_auc_score(labels, scores, multi_class="ovr", average=average, sample_weight=weights)
        assert found["roc_auc", None, average].value == pytest.approx(area)
    assert found["log_loss", None, None].value == pytest.approx(metrics.log_loss(labels, scores, sample_weight=weights))
    hot = np.eye(4)[labels]
    assert found["brier", None, None].value == pytest.approx(np.average(((scores - hot) ** 2).sum(1), weights=weights))
    assert found["average_precision", None, "macro"].value == pytest.approx(
        metrics.average_precision_score(hot, scores, average="macro", sample_weight=weights)
    )
    if not weighted:
        one = metrics.roc_auc_score(labels, scores, multi_class="ovo", average="macro")
        assert found["roc_auc_ovo", None, "macro"].value == pytest.approx(one)


def test_errors_of_the_means_are_those_of_a_bootstrap():
    rng = np.random.default_rng(4)
    labels, scores = probabilities(rng, 400)
    several = estimate_probabilities(scores, labels, (0, 1, 2, 3), None, Confidence())
    found = {(e.name, e.average): e for e in several.estimates}
    drawn = {"roc_auc": [], "roc_auc_ovo": [], "average_precision": []}
    for _ in range(300):
        rows = rng.integers(400, size=400)
        y, s = labels[rows], scores[rows]
        drawn["roc_auc"].append(metrics.roc_auc_score(y, s, multi_class="ovr"))
        drawn["roc_auc_ovo"].append(metrics.roc_auc_score(y, s, multi_class="ovo"))
        drawn["average_precision"].append(metrics.average_precision_score(np.eye(4)[y], s))
    for name, values in drawn.items():
        error = found[name, "macro"].interval.half_width / 1.96
        assert error == pytest.approx(np.std(values), rel=0.15), name


def test_absent_classes_and_impossible_labels():
    labels, scores = np.array([0, 1, 0, 1]), np.array([[0.9, 0.1, 0], [0.2, 0.8, 0], [0.6, 0.4, 0], [1.0, 0.0, 0.0]])
    found = {
        (e.name, e.class_name, e.average): e
        for e in estimate_probabilities(scores, labels, ("a", "b", "c"), None, Confidence()).estimates
    }
    assert np.isnan(found["roc_auc", "c", None].value)
    assert np.isnan(found["log_loss", None, None].value)
    assert "infinite" in found["log_loss", None, None].undefined
    assert np.isfinite(found["roc_auc", None, "macro"].value)
