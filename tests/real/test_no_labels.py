"""Thirty networks judged without labels: the study's main figures, counted again in another way."""

import os
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import justesse

FILE = Path(os.environ.get("JUSTESSE_DATA", "none")) / "cifar10" / "predictions.parquet"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="needs JUSTESSE_DATA/cifar10/predictions.parquet")


def test_four_networks_are_warned_about_and_their_error_rates_are_too_low():
    members = ["resnet_basic_32", "resnet_basic_110", "random_features_32k_aug", "random_features_256k_aug"]
    result = justesse.evaluate_unlabelled(FILE, models=members, label="true", draws=200)
    assert result.rejected
    assert "contradict" in result.warnings[0]
    for item in result.classifiers:
        if item.contradicted:
            assert item.error.value < item.labelled.value


def test_a_reference_of_the_same_family_misleads_more_often():
    """The closed form by hand: N(A = R ≠ B) against N(B = R ≠ A), by sign only."""
    import pyarrow.parquet as pq

    names = [
        "resnet_basic_32",
        "resnet_basic_110",
        "wrn_28_10",
        "vgg16_keras",
        "random_features_32k_aug",
        "random_features_256k_aug",
    ]
    table = pq.read_table(FILE)
    answers = {name: np.array(table[name].to_pylist()) for name in names}
    true = np.array(table["true"].to_pylist())
    misled = []
    for a, b in combinations(names, 2):
        for r in set(names) - {a, b}:
            seen = (answers[b] == answers[r]).sum() > (answers[a] == answers[r]).sum()
            known = (answers[b] == true).sum() > (answers[a] == true).sum()
            if seen != known:
                misled.append((a, b, r))
    assert all(r.startswith(("resnet", "random", "vgg", "wrn")) for _, _, r in misled)
    pairs = 15 * 4
    assert 0 < len(misled) < 0.3 * pairs
    for a, b, r in misled[:3]:
        verdict = justesse.compare(FILE, incumbent=a, candidate=b, judge="unsupervised", reference=r)
        assert "cannot show" in verdict.warnings[0]
