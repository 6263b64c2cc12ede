"""What a Bayesian comparison hands back: how probable it is that one is better, or that it does not matter."""

import math
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import finite_or_none


@dataclass(frozen=True)
class Posterior:
    """The probabilities, given the scores and the prior, that the difference is above rope, within ±rope, below -rope.

    `rope` is the region of practical equivalence: differences no larger do not matter. With a rope of 0 nothing is
    equivalent. They add up to 1; all are NaN where `undefined` says why. `draws` and `seed` where chance was used.
    """

    test: str
    candidate_better: float
    equivalent: float
    incumbent_better: float
    rope: float
    n: int
    assumptions: tuple[str, ...]
    undefined: str | None = None
    draws: int | None = None
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "candidate_better": finite_or_none(self.candidate_better),
            "equivalent": finite_or_none(self.equivalent),
            "incumbent_better": finite_or_none(self.incumbent_better),
            "rope": self.rope,
            "n": self.n,
            "draws": self.draws,
            "seed": self.seed,
            "undefined": self.undefined,
            "assumptions": list(self.assumptions),
        }


def checked_rope(rope: float) -> float:
    """Return the region of practical equivalence if it is one.

    >>> checked_rope(-0.01)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: rope, the largest difference that does not matter, must be 0 or more; got -0.01
    """
    if not 0 <= rope < math.inf:
        raise OptionError(f"rope, the largest difference that does not matter, must be 0 or more; got {rope!r}.")
    return rope
