"""Make labels wrong on purpose, by any model of noise, with the truth kept."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.coded import coded, named
from justesse.core.errors import OptionError
from justesse.core.seeds import stream
from justesse.noise.models import ByClass, Uniform
from justesse.noise.noisy import Noisy
from justesse.noise.ranking import Ranking

Noise = Uniform | ByClass | Ranking
ASSUMPTIONS = (
    "the labels given are right",
    "which labels are wrong depends on the class only, not on the row",
    "the number of wrong labels is random, so the realised rate differs a little from the rate asked for",
)


def inject(labels: ArrayLike, model: Noise, *, rate: float | None = None, seed: int = 0) -> Noisy:
    """Make some labels wrong, as a noise model says, and keep the true classes.

        uniform, by class:   label_i ~ P(label | true = label_i), independently
        ranking:             the hardest share η of the instances gets its most plausible wrong class

    Parameters
    ----------
    labels
        The labels; they are kept as true classes.
    model
        The noise: `Uniform`, `ByClass` or a `Ranking`.
    rate
        Share of wrong labels. Sets the rate of a uniform model, and scales a matrix to this expected rate. A ranking
        needs it.
    seed
        Seed; a ranking draws nothing.

    Notes
    -----
    With one seed, the wrong labels of a lower rate are part of those of a higher one. Do not use it on labels that are
    already noisy if the true classes matter.

    Examples
    --------
    >>> noisy = inject(["cat", "dog"] * 500, Uniform(0.1))
    >>> noisy.realised, noisy.label[:6].tolist()
    (0.103, ['cat', 'dog', 'cat', 'dog', 'cat', 'dog'])
    """
    if isinstance(model, Ranking):
        if rate is None:
            raise OptionError("A ranking needs the rate of wrong labels. Give it with rate=…, such as rate=0.05.")
        return model.noisy(labels, rate)
    codes, classes = coded(labels, model.classes)
    shares = np.bincount(codes, minlength=len(classes)) / len(codes)
    if rate is not None:
        model = model.at(rate, shares)
    label = model.draw(codes, len(classes), stream(seed, "inject"))
    asked = model.expected_rate(shares)
    return Noisy(named(codes, classes), named(label, classes), classes, model.words, asked, seed, None, ASSUMPTIONS)
