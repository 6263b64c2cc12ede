"""One seed, many independent streams of random numbers."""

import zlib

import numpy as np

from justesse.core.errors import OptionError


def stream(seed: int, *purpose: str) -> np.random.Generator:
    """Give the random stream of one purpose, so that adding a purpose never changes another's numbers.

    >>> stream(0, "bootstrap").integers(100) == stream(0, "bootstrap").integers(100)
    np.True_
    >>> bool((stream(0, "bootstrap").random(9) == stream(0, "split").random(9)).any())
    False
    """
    return np.random.default_rng([seed, *(zlib.crc32(word.encode()) for word in purpose)])


def check_seed(seed: int) -> int:
    """Return the seed if it is one.

    >>> check_seed(-1)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: The seed must be a whole number, 0 or more; got -1.
    """
    if seed < 0:
        raise OptionError(f"The seed must be a whole number, 0 or more; got {seed!r}.")
    return seed
