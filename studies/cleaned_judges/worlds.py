"""Test sets with wrong labels: 30 CIFAR-10 networks with people's votes, and models of digits with artificial noise."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow.parquet as pq
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler

from justesse.annotators.artificial import artificial_annotators
from justesse.annotators.seeded import seeded
from justesse.cleaning.cross_fitted import cross_fitted
from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.noise.inject import inject
from justesse.noise.models import Uniform
from justesse.noise.ranking import Ranking
from justesse.procedures.learners import learners
from studies.data import data_file
from studies.noise_ladder.images import Images

PREDICTIONS, VOTES, SHARES = (
    "cifar10/predictions.parquet",
    "cifar10/human_votes.parquet",
    "cifar10/probabilities.parquet",
)
RATE, DRAWS, SEED = 0.05, 3, 0
NAMES = ("tree", "forest", "logistic", "neighbours", "bayes", "bagging", "bounded", "forward")
TRAINED_ON = (0.0, 0.1, 0.2)


@dataclass(frozen=True, eq=False)
class World:
    """One set of labels: what the judges see, what filters may look at, and the truth."""

    data: str
    noise: str
    draw: int
    labels: Array
    true: Array
    answers: Array
    probabilities: Array
    features: Array | None

    @property
    def key(self) -> str:
        """Name the set of labels."""
        return f"{self.data}, {self.noise}, {self.draw}"


def worlds() -> Iterator[World]:
    """Give every set of labels: people's votes and artificial noise."""
    yield from _networks()
    yield from _digits()


def _networks() -> Iterator[World]:
    images = Images.read(PREDICTIONS, VOTES)
    table = pq.read_table(data_file(SHARES))
    shares = np.column_stack([table[name].to_numpy() for name in images.classes]).astype(float)
    shares = shares / shares.sum(axis=1, keepdims=True)
    ranking = Ranking.from_votes(images.votes, labels=images.true, classes=range(len(images.classes)))
    for draw in range(DRAWS):
        label = images.one_vote(SEED + draw)
        yield World("networks", "one person's vote", draw, label, images.true, images.given, shares, None)
    for draw in range(DRAWS):
        label = inject(images.true, Uniform(RATE), rate=RATE, seed=SEED + draw).label
        yield World("networks", "uniform, 5 %", draw, label, images.true, images.given, shares, None)
    label = ranking.noisy(images.true, RATE).label
    yield World("networks", "hardest for people, 5 %", 0, label, images.true, images.given, shares, None)


@cache
def _trained() -> tuple[Array, Array, Array, Array, Ranking]:
    """Train models on half of the digits, on labels of which none, 10 and 20 % are wrong; they answer the other half."""
    x, y = load_digits(return_X_y=True)
    made = artificial_annotators(x, y, n=24, seed=SEED)
    ranking = Ranking.from_answers(made.answers, y, classes=made.classes)
    half = stream(SEED, "halves of the digits").permutation(len(y))
    train, test = half[: len(y) // 2], half[len(y) // 2 :]
    answers = []
    for rate in TRAINED_ON:
        label = np.asarray(ranking.noisy(y, rate).label)
        for name, model in learners(NAMES).items():
            fitted = seeded(model, stream(SEED, "model of digits", name, str(rate))).fit(x[train], label[train])
            answers.append(fitted.predict(x[test]))
    return x, y, test, np.array(answers), ranking


def _digits() -> Iterator[World]:
    x, y, test, answers, ranking = _trained()
    kinds = {
        "artificial annotators, 5 %": [np.asarray(ranking.noisy(y, RATE).label)],
        "uniform, 5 %": [inject(y, Uniform(RATE), rate=RATE, seed=SEED + draw).label for draw in range(DRAWS)],
    }
    values = StandardScaler().fit_transform(x[test])
    for noise, versions in kinds.items():
        for draw, version in enumerate(versions):
            label = np.asarray(version)[test].astype(np.int64)
            own = cross_fitted(learners(["logistic"]), x[test], label, tuple(range(10)), seed=SEED)
            assert own.probabilities is not None
            yield World("digits", noise, draw, label, y[test], answers, own.probabilities, values)
