"""Classifiers with planted errors on a real crowd: evaluated against the crowd's answers, with the truth put aside."""

import csv

import numpy as np

import justesse

PLANTED = 0.85
CLASSIFIERS = 6


def test_the_posterior_is_nearer_to_the_truth_than_the_vote(data):
    folder = data / "crowd" / "bluebird"
    with open(folder / "truth.csv") as stream:
        truth = {int(row["item"]): int(row["truth"]) for row in csv.DictReader(stream)}
    items = np.array(list(truth))
    true = np.array([truth[item] for item in items.tolist()])
    covered, by_vote, errors, vote_errors = 0, 0, [], []
    for seed in range(CLASSIFIERS):
        right = np.random.default_rng(seed).random(len(items)) < PLANTED
        table = {"id": items, "prediction": np.where(right, true, 1 - true)}
        result = justesse.evaluate(table, answers=folder / "label.csv", seed=seed)
        accuracy, vote = result["accuracy"], result.by_vote[0]
        covered += accuracy.interval.low <= right.mean() <= accuracy.interval.high
        by_vote += vote.interval.low <= right.mean() <= vote.interval.high
        errors.append(abs(accuracy.value - right.mean()))
        vote_errors.append(abs(vote.value - right.mean()))
    assert covered >= 5
    assert by_vote <= 1
    assert np.mean(errors) < 0.6 * np.mean(vote_errors)
