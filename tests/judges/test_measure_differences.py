"""Differences class by class: how many resamples their intervals rest on."""

import importlib

import numpy as np
import pytest

from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.judges.evidence import Rule
from justesse.judges.measure_differences import differences_per_class
from justesse.significance.multiplicity import simultaneous_level

K = 10


@pytest.fixture
def case() -> Case:
    rng = np.random.default_rng(0)
    label = rng.integers(K, size=3000)
    one, other = (np.where(rng.random(3000) < 0.8, label, rng.integers(K, size=3000)) for _ in range(2))
    cells, counts = np.unique(np.column_stack([label, one, other]), axis=0, return_counts=True)
    rows = np.column_stack([cells, counts]).tolist()
    return Case(Tally.of(("label", "incumbent", "candidate"), [tuple(row) for row in rows]))


def test_resampling_all_classes_together_needs_more_resamples(case, monkeypatch):
    seen = []

    def counting(*args, draws, **options):
        seen.append(draws)
        return real(*args, draws=100, **options)

    class_differences = importlib.import_module("justesse.significance.class_differences")
    real = class_differences.resampled
    monkeypatch.setattr(class_differences, "resampled", counting)
    differences = list(differences_per_class(case, Rule(draws=2000, bootstrap="percentile")))
    assert seen == [Confidence(simultaneous_level(0.95, 2 * K)).enough_draws]  # precision and recall of each class
    assert seen[0] > 2000
    assert differences[-1].difference.interval.method == "bootstrap-percentile"


def test_classes_are_linearised_unless_resampling_is_asked_for(case):
    differences = list(differences_per_class(case, Rule(level=0.99)))
    assert {item.difference.interval.method for item in differences if item.name == "precision"} == {"delta"}
