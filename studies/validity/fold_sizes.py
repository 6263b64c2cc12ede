"""How often each test over fold scores finds a difference where there is none.

Every learner is a nearest centroid that sees its own five of fifteen features, which all tell the classes apart equally
well: over data sets to come the three are equally good, whatever the luck of one data set.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.significance.anova import anova
from justesse.significance.bayesian_signed_rank import bayesian_signed_rank
from justesse.significance.corrected_t import corrected_t
from justesse.significance.correlated_t import correlated_t
from justesse.significance.equivalence_t import equivalence_t
from justesse.significance.five_by_two_f import five_by_two_f
from justesse.significance.five_by_two_t import five_by_two_t
from justesse.significance.friedman import friedman
from justesse.significance.one_sample_t import one_sample_t
from justesse.significance.paired_t import paired_t
from justesse.significance.sign_flip import sign_flip

Array = NDArray[Any]
ROWS, LEARNERS, FEATURES, DISTANCE = 200, 3, 5, 0.5
DRAWS = 999


def fold_sizes(*, repetitions: int, seed: int = 0) -> dict[str, float]:
    """Measure how often each test at 5 % rejects equal learners, or is 95 % sure of one of them."""
    rng = stream(seed, "fold-sizes")
    found = [_one_data_set(rng, at) | _drawn_scores(rng, at) for at in range(repetitions)]
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


def _one_data_set(rng: np.random.Generator, seed: int) -> dict[str, bool]:
    features, labels = data_set(rng)
    held = {
        "10-fold": np.stack(list(_folds(rng, 10))),
        "20 resamples": np.stack([next(_folds(rng, 10)) for _ in range(20)]),
        "5x2": np.stack([fold for _ in range(5) for fold in _folds(rng, 2)]),
    }
    scores = {name: accuracies(features, labels, test) for name, test in held.items()}
    rejected: dict[str, bool] = {}
    for how in ("10-fold", "20 resamples"):
        pair = scores[how][:, 0].tolist(), scores[how][:, 1].tolist()
        rejected |= {
            f"paired_t, {how}": paired_t(*pair).pvalue < 0.05,
            f"corrected_t, {how}": corrected_t(*pair, test_over_train=1 / 9).pvalue < 0.05,
            f"sign_flip, {how}": sign_flip(*pair, draws=DRAWS, seed=seed).pvalue < 0.05,
            f"correlated_t, {how}": correlated_t(*pair, test_over_train=1 / 9).candidate_better > 0.95,
            f"bayesian_signed_rank, {how}": bayesian_signed_rank(*pair, draws=DRAWS, seed=seed).candidate_better > 0.95,
            f"anova blocked, {how}": anova(scores[how]).pvalue < 0.05,
            f"anova blocked and corrected, {how}": anova(scores[how], test_over_train=1 / 9).pvalue < 0.05,
            f"anova one-way, {how}": anova(scores[how], blocked=False).pvalue < 0.05,
            f"friedman F, {how}": friedman(scores[how]).f_pvalue < 0.05,
        }
    halves = [scores["5x2"][:, learner].reshape(5, 2) for learner in (0, 1)]
    for test in (five_by_two_t, five_by_two_f):
        rejected[test.__name__] = test(*halves).pvalue < 0.05
    return rejected


def _drawn_scores(rng: np.random.Generator, seed: int) -> dict[str, bool]:
    """Try tests on normal scores of ten independent data sets, which are hard or easy for all alike."""
    table = 1.5 * rng.normal(size=(10, 1)) + rng.normal(size=(10, 4))
    pair = table[:, 0].tolist(), table[:, 1].tolist()
    better = (table[:, 1] + 2).tolist()
    ranked, one = friedman(table), rng.normal(size=10).tolist()
    return {
        "anova blocked, 10 data sets": anova(table).pvalue < 0.05,
        "anova one-way, 10 data sets": anova(table, blocked=False).pvalue < 0.05,
        "friedman chi-square, 10 data sets": ranked.pvalue < 0.05,
        "friedman F, 10 data sets": ranked.f_pvalue < 0.05,
        "sign_flip, 10 data sets": sign_flip(*pair, seed=seed).pvalue < 0.05,
        "bayesian_signed_rank, 10 data sets": bayesian_signed_rank(*pair, draws=DRAWS, seed=seed).candidate_better
        > 0.95,
        "equivalence_t, at the margin": equivalence_t(pair[0], better, 2.0).pvalue < 0.05,
        "one_sample_t": one_sample_t(one, 0.0).pvalue < 0.05,
        "one_sample_t, less": one_sample_t(one, 0.0, alternative="less").pvalue < 0.05,
    }


def data_set(rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw two normal classes: features by row, learner and place."""
    labels = rng.integers(2, size=ROWS)
    return rng.normal(size=(ROWS, LEARNERS, FEATURES)) + DISTANCE * labels[:, None, None], labels


def _folds(rng: np.random.Generator, many: int) -> Iterator[Array]:
    """Give which rows each fold of a random partition holds out."""
    turns = rng.permutation(np.arange(ROWS) % many)
    return (turns == turn for turn in range(many))


def accuracies(features: Array, labels: Array, held: Array) -> Array:
    """Train every learner without the rows held out and give its accuracy on them: splits by learners."""
    trained = ~held
    centres = [
        np.einsum("sr,rlf->slf", trained & (labels == side), features)
        / (trained & (labels == side)).sum(axis=1)[:, None, None]
        for side in (0, 1)
    ]
    direction, middle = centres[1] - centres[0], (centres[0] + centres[1]) / 2
    answers = np.einsum("rlf,slf->srl", features, direction) > (middle * direction).sum(axis=2)[:, None, :]
    right = (answers == labels[:, None].astype(bool)) & held[:, :, None]
    return np.asarray(right.sum(axis=1) / held.sum(axis=1)[:, None])
