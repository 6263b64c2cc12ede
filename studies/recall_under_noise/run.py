"""Four balanced classes under uniform noise: what recall and precision measure, and what the thesis predicts."""

from dataclasses import dataclass

import numpy as np

from justesse import Tally
from justesse.core.seeds import stream
from justesse.measures import precision, recall
from justesse.noise.bias import bias
from justesse.noise.inject import inject
from justesse.noise.models import Uniform
from justesse.noise.profile import profile

CLASSES, ROWS = 4, 2_000_000
RECALLS, RATES = (0.95, 0.8, 0.604, 0.4), (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


@dataclass(frozen=True)
class Measured:
    """What became of one classifier, means over the classes.

    The thesis predicts that recall is not moved at all (6.23), and precision by `precision_predicted` (6.21).
    """

    copies: bool
    rate: float
    true: float
    measured: float
    recall_moved: float
    precision_moved: float
    precision_predicted: float
    repeated: float
    recovered: float


def expected(true: float, rate: float, *, classes: int = CLASSES) -> float:
    """Give the recall that balanced classes, symmetric confusions and uniform noise measure.

        (1-η)·r + η·(1-r)/(K-1)

    >>> round(expected(0.604, 0.2), 4)
    0.5096
    """
    return (1 - rate) * true + rate * (1 - true) / (classes - 1)


def simulate(true: float, rate: float, *, copies: bool = False, rows: int = ROWS, seed: int = 0) -> Measured:
    """Draw a classifier that knows the class and not the label or, if it `copies`, one that suits the thesis.

    Where the label is wrong, the second answers the label exactly as often as the truth.
    """
    rng = stream(seed, "recall-under-noise", str(true), str(rate))
    noisy = inject(rng.integers(CLASSES, size=rows), Uniform(rate, classes=tuple(range(CLASSES))), seed=seed)
    truth, label, draw = noisy.true, noisy.label, rng.random(rows)
    answer = np.where(draw < true, truth, (truth + rng.integers(1, CLASSES, size=rows)) % CLASSES)
    if copies:
        step = (label - truth) % CLASSES
        neither = (truth + step % (CLASSES - 1) + 1) % CLASSES
        suited = np.where(draw < true, truth, np.where(draw < 2 * true, label, neither))
        answer = np.where(noisy.wrong, suited, answer)
    columns = [(codes, range(CLASSES)) for codes in (truth, label, answer)]
    tally = Tally.from_codes(("true", "label", "prediction"), columns, np.ones(rows, dtype=np.int64))
    return _measured(tally, copies, rate)


def _measured(tally: Tally, copies: bool, rate: float) -> Measured:
    moved = {measure: bias(tally, [measure]) for measure in (precision, recall)}
    apparent = np.array([one.apparent for one in moved[precision]])
    by_label, labelled = tally.marginal("true", "label").dense(), tally.sums("label")
    wrong_of_label, wrong = 1 - np.diagonal(by_label) / labelled, 1 - np.trace(by_label) / tally.n
    _, repeated, recovered = profile(tally)[:3]
    return Measured(
        copies,
        rate,
        float(np.mean([one.true for one in moved[recall]])),
        float(np.mean([one.apparent for one in moved[recall]])),
        float(np.mean([one.bias for one in moved[recall]])),
        float(np.mean([one.bias for one in moved[precision]])),
        float(np.mean((wrong_of_label - wrong) / (1 - wrong) * apparent)),
        repeated.value,
        recovered.value,
    )
