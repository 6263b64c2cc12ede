"""The share of wrong labels by confident learning: its interval, and that of its bias against re-checked rows."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from justesse.cleaning.confident_joint import confident_joint
from justesse.cleaning.confident_rate import JACKKNIFE, confident_rates
from justesse.cleaning.evidence import LabelEvidence
from justesse.core.arrays import Array
from justesse.core.results import Estimate
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.noise.transition import Transition
from justesse.verbs.noise.model_estimate import METHOD, bias_of_model
from studies.validity.case import Case, Hits, Setting

N, CHECKED, MANY = 1000, 200, 400_000
RATE, BIAS = "share of wrong labels, by the model", "bias of the model's share"


def _drawn(rng: np.random.Generator, n: int, sharp: float) -> tuple[Array, Array, Array]:
    """Draw true classes, labels of which 5 % are wrong, and probabilities of a model that errs."""
    true = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    label = np.where(rng.random(n) < 0.05, (true + rng.integers(1, 3, n)) % 3, true)
    scores = rng.normal(size=(n, 3))
    scores[np.arange(n), true] += sharp
    chances = np.exp(1.5 * scores)
    return true, label, chances / chances.sum(-1, keepdims=True)


def _covered(sharp: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    rng = stream(seed, "model rates", str(sharp))
    _, label, chances = _drawn(rng, MANY, sharp)
    limit = confident_joint(label, chances).rate
    rate = bias = 0
    for _ in range(repetitions):
        true, label, chances = _drawn(rng, N, sharp)
        model = confident_rates(LabelEvidence(label, (0, 1, 2), probabilities=chances))[0]
        assert model.interval is not None
        rate += model.interval.low <= limit <= model.interval.high
        rows = rng.permutation(N)[:CHECKED]
        people = _checked(true[rows], label[rows])
        apart = bias_of_model(model, people).interval
        assert apart is not None
        bias += apart.low <= limit - 0.05 <= apart.high
    return {RATE: Hits(rate, repetitions, 0, (JACKKNIFE,)), BIAS: Hits(bias, repetitions, 0, (METHOD,))}


def _checked(true: Array, label: Array) -> Estimate:
    cells = np.unique(np.stack([true, label], -1), axis=0, return_counts=True)
    tally = Tally.of(["true", "label"], [(int(a), int(b), int(size)) for (a, b), size in zip(*cells, strict=True)])
    return Transition.from_tally(tally).rates()[0]


SETTINGS = tuple(
    Setting(
        "noise-rates", f"5 % wrong labels, 200 rows re-checked, a model that is {words}", N,
        (Case(RATE, about=(f"interval:{JACKKNIFE}",)), Case(BIAS, about=(f"interval:{METHOD}",))),
        partial(_covered, sharp),
    )
    for sharp, words in ((4.0, "mostly right"), (1.5, "often wrong"))
)  # fmt: skip
