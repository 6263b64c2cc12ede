"""A short, seeded look at how often tests over fold scores find what is not there."""

import numpy as np
import pytest
from studies.validity.fold_sizes import accuracies, data_set, fold_sizes


@pytest.fixture(scope="module")
def sizes():
    return fold_sizes(repetitions=500)


def test_tests_that_take_resamples_as_independent_are_seen_to_fail(sizes):
    for name in ("paired_t", "sign_flip", "anova blocked", "anova one-way", "friedman F", "bayesian_signed_rank"):
        assert sizes[f"{name}, 20 resamples"] > 0.15, name


@pytest.mark.parametrize(
    "name", ["corrected_t, 20 resamples", "correlated_t, 20 resamples", "five_by_two_t", "five_by_two_f"]
)
def test_the_corrected_ones_are_close_to_their_level(sizes, name):
    assert 0.02 <= sizes[name] <= 0.08


def test_one_cross_validation_misleads_less(sizes):
    assert sizes["corrected_t, 10-fold"] < sizes["paired_t, 10-fold"] < 0.12


@pytest.mark.parametrize(
    "name",
    [
        "anova blocked, 10 data sets",
        "friedman chi-square, 10 data sets",
        "friedman F, 10 data sets",
        "sign_flip, 10 data sets",
        "equivalence_t, at the margin",
        "one_sample_t",
        "one_sample_t, less",
    ],
)
def test_independent_data_sets_keep_the_level(sizes, name):
    assert 0.02 <= sizes[name] <= 0.08


def test_the_one_way_form_finds_nothing_where_folds_are_shared(sizes):
    assert sizes["anova one-way, 10 data sets"] < 0.01


def test_the_seed_decides():
    assert fold_sizes(repetitions=20, seed=1) == fold_sizes(repetitions=20, seed=1)


def test_the_learners_are_nearest_centroids():
    features, labels = data_set(np.random.default_rng(0))
    held = np.zeros((1, len(labels)), dtype=bool)
    held[0, ::7] = True
    for learner, found in enumerate(accuracies(features, labels, held)[0]):
        x = features[:, learner]
        centres = np.stack([x[~held[0] & (labels == side)].mean(axis=0) for side in (0, 1)])
        nearest = ((x[held[0], None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        assert found == pytest.approx(np.mean(nearest == labels[held[0]]))
