"""A short, seeded look at audits that should replace; those that should not are in the registry."""

import numpy as np
import pytest
from studies.validity.audits import DISPUTED, HOSTILE, NOISE, N, composition, drawn_counts

from justesse.core.seeds import stream
from justesse.judges.simulated_audits import simulate_audits

REPETITIONS = 40


@pytest.mark.parametrize("noise", NOISE)
def test_better_candidates_replace_and_worse_ones_do_not(noise):
    right = np.concatenate([composition(lead, REPETITIONS) for lead in (20, -12)])
    counts = drawn_counts(stream(0, "audits", noise), right, noise)
    better, worse = simulate_audits(counts, N, alternative="greater", budget=DISPUTED).replaced.reshape(2, -1)
    assert better.mean() > 0.7
    assert worse.mean() <= 0.05


@pytest.mark.parametrize(("disputed", "budget"), [(2, 200), (12, 5), (100, 5)])
def test_the_risk_is_kept_with_few_rows_few_answers_and_hostile_labels(disputed, budget):
    for noise in HOSTILE:
        counts = drawn_counts(stream(0, noise), composition(0, REPETITIONS, disputed=disputed, neither=0), noise)
        found = simulate_audits(counts, 10 * disputed, alternative="greater", budget=budget)
        assert found.replaced.mean() <= 0.05 + 3 * (0.05 * 0.95 / REPETITIONS) ** 0.5


def test_labels_agree_with_who_is_right_as_often_as_named():
    right = composition(0, 4000)
    counts = drawn_counts(stream(0, "labels"), right, "uniform, 10 %")
    assert counts.sum(axis=1).tolist() == right.tolist()
    agree = counts[:, [0, 2], [0, 2]].sum() / counts[:, :, [0, 2]].sum()
    assert agree == pytest.approx(0.9, abs=0.005)
