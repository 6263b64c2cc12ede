"""The ladder of assumptions on thirty real networks: as expected, and as other ways of computing find."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix
from studies.expected import load, surprises
from studies.noise_ladder.images import Images, Settings
from studies.noise_ladder.page import PAGE, happened, said
from studies.noise_ladder.run import NETWORKS, OFFICIAL, VOTE, expected_figures, expected_networks, flat, run


def rows(kind):
    return [
        {name: value if name in ("labels", "network") else float(value) for name, value in row.items()}
        for row in load(NETWORKS)
        if row["labels"] == kind
    ]


def test_a_short_run_finds_what_is_expected(data):
    settings = Settings.read()
    found = run(replace(settings, draws=2, repetitions=100, watched=settings.watched[-1:]))
    expected = expected_figures()
    assert len(found.figures) > 60
    assert list(surprises(found.figures, {name: expected[name] for name in found.figures})) == []
    assert list(surprises(flat(found.networks), expected_networks())) == []


@pytest.mark.parametrize("kind", [OFFICIAL, VOTE])
def test_the_networks_computed_with_pandas_and_numpy_alone(data, kind):
    frame = pd.read_parquet(data / "cifar10" / "predictions.parquet")
    images = Images.read(Settings.read().predictions, Settings.read().votes)
    label = frame["label"] if kind == OFFICIAL else np.array(images.classes)[images.one_vote(0)]
    true, wrong = frame["true"], frame["true"] != label
    table = confusion_matrix(true, label, normalize="true", labels=images.classes)
    rate = wrong.mean()
    for row in rows(kind)[::3]:
        given = frame[row["network"]]
        right, agrees = given == true, given == label
        assert row["apparent"] == pytest.approx(agrees.mean())
        assert row["true"] == pytest.approx(right.mean())
        assert row["F_c"] == pytest.approx(right[~wrong].mean())
        assert row["F_n"] == pytest.approx(agrees[wrong].mean())
        assert row["F_r"] == pytest.approx(right[wrong].mean())
        assert row["bias"] == pytest.approx(rate * (row["F_n"] - row["F_r"]), abs=1e-8)
        assert row["bias"] == pytest.approx(agrees.mean() - right.mean(), abs=1e-8)
        assert row["wrong_labels_if_wrong"] == pytest.approx(wrong[~right].mean())
        assert row["lam_stork"] == pytest.approx((agrees.mean() - rate / 9) / (1 - rate / 0.9))
        rebuilt = np.linalg.solve(table.T, confusion_matrix(label, given, labels=images.classes))
        assert row["inversion"] == pytest.approx(np.trace(rebuilt) / len(frame))
        assert row["rate_low"] == pytest.approx(agrees.mean() - rate)
        assert row["rate_high"] == pytest.approx(agrees.mean() + rate)
        # the smallest number of rows that brings accuracy below 90 %, one right answer lost at a time
        lost = max(0, agrees.sum() - 9000 + 1)
        assert row["claim_until"] == pytest.approx((lost if agrees.mean() >= 0.9 else 0) / 10_000)
        # within a label, a class has at most the smaller of what is truly and what is predicted so
        joint = [
            np.minimum(true[label == name].value_counts(), given[label == name].value_counts().reindex(images.classes))
            for name in images.classes
        ]
        assert row["table_high"] == pytest.approx(sum(one.sum() for one in joint) / len(frame))


def test_what_the_page_says():
    votes, official = rows(VOTE), rows(OFFICIAL)
    for row in votes + official:
        assert row["wrong_labels_if_wrong"] > 2 * row["wrong_labels_if_right"]
        assert row["inversion"] > row["true"] + 0.005
        assert row["lam_stork"] > row["true"] + 0.005
        assert row["rate_low"] <= row["table_low"] + 1e-9 <= row["true"] <= row["table_high"] <= row["rate_high"] + 1e-9
        assert row["recheck_low"] <= row["true"] <= row["recheck_high"]
    assert all(row["bias"] < -0.019 and row["plain_high"] < row["true"] for row in votes)
    assert sum(row["bias"] > 0 for row in official) == 29
    assert all(abs(row["inversion"] - row["true"]) > abs(row["bias"]) for row in official)
    assert sum(row["inversion"] > row["table_high"] + 1e-9 for row in official) == 22
    assert all(one["true"] >= other["true"] for one, other in pairwise(votes))


def test_the_page_shows_the_expected_tables():
    text = PAGE.read_text()
    for kind in (VOTE, OFFICIAL):
        assert happened(rows(kind)) in text
        assert said(rows(kind)) in text
