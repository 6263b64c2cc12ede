"""Questions that were asked several times: pass@k and the majority of k samples."""

from collections.abc import Mapping
from functools import partial

import numpy as np
from scipy.special import betaln

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.clustered import clustered_share
from justesse.intervals.repeated_samples import majority_at, pass_at
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

MAJORITY = "majority of 3 samples"


def _covered(
    questions: int, samples: int, k: int, shape: tuple[float, float], repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw questions whose chance of a right sample has a beta distribution."""
    rng = stream(seed, "pass at k", str(questions), str(samples), str(k), str(shape))
    a, b = shape
    truth = 1 - float(np.exp(betaln(a, b + k) - betaln(a, b)))
    mean = [float(np.exp(betaln(a + power, b) - betaln(a, b))) for power in (2, 3)]
    most = 3 * mean[0] - 2 * mean[1]
    passed: list[Interval | None] = []
    majority: list[Interval | None] = []
    for _ in range(repetitions):
        right = rng.binomial(samples, rng.beta(a, b, questions))
        size = np.full(questions, float(samples))
        for values, intervals in ((pass_at(right, samples, k), passed), (majority_at(right, samples, 3), majority)):
            totals = np.clip(values * samples, 0.0, samples)
            intervals.append(clustered_share(totals, size).intervals()[0])
    return {f"pass@{k}": covered(passed, truth), MAJORITY: covered(majority, most)}


SETTINGS = tuple(
    Setting(
        "clusters", f"{ADVERSARIAL if shape[0] < 0.3 else ''}{samples} samples of each question, right with a chance of "
        f"Beta({shape[0]:g}, {shape[1]:g})", questions,
        (Case(f"pass@{k}", instead="more questions"), Case(MAJORITY, instead="more questions")),
        partial(_covered, questions, samples, k, shape),
    )
    for questions, samples, k, shape in (
        (15, 5, 5, (1.0, 1.0)),
        (50, 10, 5, (1.0, 1.0)),
        (100, 10, 5, (0.2, 2.0)),
        (164, 20, 10, (0.5, 0.5)),
        (500, 4, 1, (2.0, 1.0)),
    )
)  # fmt: skip
