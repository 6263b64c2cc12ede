"""Bootstrap resamples of a tally, and how many there may be."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError, WeightError
from justesse.core.seeds import stream

if TYPE_CHECKING:
    from justesse.core.tally import Tally

CHUNK = 2_000_000  # numbers held at once while resampling: 16 MB
FEWEST_DRAWS, MOST_DRAWS = 100, 1_000_000  # for the ends of an interval


def check_draws(draws: int) -> int:
    """Return the number of resamples if an interval can be made of so many.

    >>> check_draws(10**11)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: draws (--draws) must be a whole number from 100 to 1,000,000; got 100000000000
    """
    if isinstance(draws, bool) or draws != int(draws) or not FEWEST_DRAWS <= draws <= MOST_DRAWS:
        raise OptionError(
            f"draws (--draws) must be a whole number from {FEWEST_DRAWS} to {MOST_DRAWS:,}; got {draws!r}."
        )
    return int(draws)


def needed_draws(tails: tuple[float, float], *, beyond: int) -> int:
    """Return how many resamples leave so many beyond each end of an interval.

    >>> needed_draws((0.025, 0.025), beyond=5)
    200
    """
    return math.ceil(beyond / max(tails))


def check_needed_draws(needed: int, level: float) -> int:
    """Return the number of resamples that a confidence level needs, if so many are possible.

    >>> check_needed_draws(200, 0.95)
    200
    """
    if needed > MOST_DRAWS:
        raise OptionError(
            f"a confidence level of {level:.12g} needs {needed:,} resamples; {MOST_DRAWS:,} are possible. Use a "
            "lower level, or the delta method for measures of classes (--bootstrap none)"
        )
    return needed


def resampled(
    tally: "Tally", draws: int, seed: int = 0, *, chunk: int | None = None, imagined: Array | None = None
) -> Iterator["Tally"]:
    """Draw bootstrap tallies: multinomial with the observed shares, batch axis first, chunk by chunk.

    It is the ordinary bootstrap of rows at a cost that does not depend on n. The same seed gives the same
    draws whatever the chunk. `imagined` adds rows, or parts of rows, to the shares of the cells, but not to n. Weighted
    rows are not exchangeable given the counts, so they are refused.

    >>> from justesse.core.tally import Tally
    >>> for batch in Tally.from_dense([[5, 1], [0, 4]]).resample(10, seed=0, chunk=8):
    ...     print(batch.counts.shape)
    (8, 3)
    (2, 3)
    """
    if tally.weights is not None:
        raise WeightError("Weighted rows cannot be resampled from their counts. Use the delta method.")
    if draws < 1:
        raise OptionError(f"draws must be at least 1; got {draws!r}.")
    size = chunk or max(1, CHUNK // max(len(tally.codes), 1))
    generator = stream(seed, "resample")
    n = tally.n
    counts = tally.counts if imagined is None else tally.counts + imagined
    shares = counts / counts.sum() if n else np.zeros(len(counts))
    for start in range(0, draws, size):
        drawn = generator.multinomial(n, shares, size=min(size, draws - start))
        yield replace(tally, counts=drawn)
