"""Bootstrap resamples of a tally."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.errors import OptionError, WeightError
from justesse.core.seeds import stream

if TYPE_CHECKING:
    from justesse.core.tally import Tally

CHUNK = 2_000_000  # numbers held at once while resampling: 16 MB


def resampled(tally: "Tally", draws: int, seed: int = 0, *, chunk: int | None = None) -> Iterator["Tally"]:
    """Draw bootstrap tallies: multinomial with the observed shares, batch axis first, chunk by chunk.

    It is the ordinary bootstrap of rows at a cost that does not depend on n. The same seed gives the same
    draws whatever the chunk. Weighted rows are not exchangeable given the counts, so they are refused.

    >>> from justesse.core.tally import Tally
    >>> for batch in Tally.from_dense([[5, 1], [0, 4]]).resample(10, seed=0, chunk=8):
    ...     print(batch.counts.shape)
    (8, 3)
    (2, 3)
    """
    if tally.weights is not None:
        raise WeightError("weighted rows cannot be resampled from their counts; use the delta method")
    if draws < 1:
        raise OptionError(f"draws must be at least 1; got {draws!r}")
    size = chunk or max(1, CHUNK // max(len(tally.codes), 1))
    generator = stream(seed, "resample")
    n = tally.n
    shares = tally.counts / n if n else np.zeros(len(tally.counts))
    for start in range(0, draws, size):
        drawn = generator.multinomial(n, shares, size=min(size, draws - start))
        yield replace(tally, counts=drawn)
