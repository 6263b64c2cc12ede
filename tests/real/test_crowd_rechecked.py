"""A re-checked random sample puts figures right on the crowd whose annotators share most mistakes."""

import csv

import numpy as np
import pytest

import justesse

CLASSIFIERS, CHECKS = 20, 100


@pytest.mark.parametrize("crowd", ["rte", "dog"])
def test_intervals_cover_the_truth_that_answers_alone_miss(data, crowd):
    """By votes, so that it takes no time: the answers only narrow the interval."""
    folder = data / "crowd" / crowd
    with open(folder / "truth.csv") as stream:
        truth = {int(row["item"]): int(row["truth"]) for row in csv.DictReader(stream)}
    items, true = np.array(list(truth)), np.array(list(truth.values()))
    classes = len(set(truth.values()))
    covered = alone = worth = 0
    for seed in range(CLASSIFIERS):
        rng = np.random.default_rng(seed)
        right = rng.random(len(items)) < rng.uniform(0.7, 0.95)
        table = {
            "id": items,
            "prediction": np.where(right, true, (true + rng.integers(1, classes, len(items))) % classes),
        }
        drawn = rng.choice(len(items), CHECKS, replace=False)
        result = justesse.evaluate(
            table,
            answers=folder / "label.csv",
            audited={"id": items[drawn], "true": true[drawn]},
            answers_method="majority",
            draws=100,
        )
        best, usual = result.rechecked.figures[0], result["accuracy"].interval
        covered += best.interval.low <= right.mean() <= best.interval.high
        alone += usual.low <= right.mean() <= usual.high
        worth += result.rechecked.powered.worth > CHECKS
    assert covered >= 18
    assert alone <= 5
    assert worth >= 15
