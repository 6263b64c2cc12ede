"""The variance of an accuracy over questions: two parts, against simulation and statsmodels."""

import numpy as np
import pytest

from justesse.intervals.variance_split import VarianceSplit


def drawn(rng, questions, samples, skill=(2.0, 1.0)):
    chance = rng.beta(*skill, size=questions)
    return rng.binomial(samples, chance)


@pytest.mark.parametrize("skill", [(2.0, 1.0), (0.3, 0.2), (50.0, 30.0)])
def test_both_parts_are_those_of_repeated_draws(skill):
    rng = np.random.default_rng(1)
    questions, samples = 60, 5
    a, b = skill
    mean = a / (a + b)
    of_question = a * b / ((a + b) ** 2 * (a + b + 1)) / questions
    of_sampling = mean * (1 - mean) / (questions * samples) - of_question / samples
    splits = [
        VarianceSplit.of_counts(drawn(rng, questions, samples, skill), [samples] * questions) for _ in range(1500)
    ]
    between = np.mean([split.between for split in splits])
    within = np.mean([split.within for split in splits])
    assert within == pytest.approx(of_sampling, rel=0.05)
    assert between == pytest.approx(of_question, rel=0.1, abs=0.1 * of_sampling)
    means = [drawn(rng, questions, samples, skill).sum() / (questions * samples) for _ in range(4000)]
    assert between + within == pytest.approx(np.var(means), rel=0.1)


def test_the_parts_add_up_to_the_cluster_robust_variance_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(3)
    questions, samples = 400, 4
    right = drawn(rng, questions, samples)
    split = VarianceSplit.of_counts(right, [samples] * questions)
    rows = np.concatenate([np.r_[np.ones(c), np.zeros(samples - c)] for c in right])
    group = np.repeat(np.arange(questions), samples)
    fit = api.OLS(rows, np.ones(len(rows))).fit(cov_type="cluster", cov_kwds={"groups": group})
    assert split.between + split.within == pytest.approx(fit.bse[0] ** 2, rel=0.01)


def test_designs_have_the_widths_of_simulated_ones():
    rng = np.random.default_rng(4)
    questions, samples = 100, 4
    split = VarianceSplit.of_counts(drawn(rng, 20_000, samples), [samples] * 20_000)
    small = VarianceSplit(questions, questions * samples, split.between * 200, split.within * 200, split.of_one_row)

    def spread(many, each):
        return np.std([drawn(rng, many, each).mean() / each for _ in range(4000)])

    now = spread(questions, samples)
    for design in (small.more_rows, small.more_clusters, small.single_rows):
        assert spread(design.clusters, int(design.size)) / now == pytest.approx(design.width, rel=0.06)
    # 4 samples of 100 questions, or 1 of 400? more questions are never worse for as many samples
    assert small.single_rows.width < small.more_rows.width < 1


def test_unequal_clusters_and_nothing_to_split():
    sizes = np.r_[np.full(50, 1), np.full(10, 30)]
    right = np.r_[np.tile([0, 1], 25), np.tile([30, 0], 5)]
    split = VarianceSplit.of_counts(right, sizes)
    assert split.share > 0.99
    assert split.between == pytest.approx(0.25 * (50 + 10 * 900) / 350**2, rel=0.05)
    assert VarianceSplit.of_counts([1, 0, 1], [1, 1, 1]) is None
    assert VarianceSplit.of_counts([2, 2], [2, 2]) is None
    assert VarianceSplit.of_counts([1], [2]) is None
