"""Keywords of library functions that had other names: still accepted, with a warning."""

import functools
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from justesse.core.errors import OptionError

PACKAGE = str(Path(__file__).parents[1]) + os.sep
P = ParamSpec("P")
R = TypeVar("R")


def _frames_to_caller() -> int:
    """Count the frames from `renamed` up to the user's code: other decorators of the package may lie between."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


def renamed(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Accept the old name of a keyword for the new one, and warn (FutureWarning).

    >>> import warnings
    >>> @renamed(target="label")
    ... def learn(*, label): return label
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     learn(target="species")
    'species'
    >>> str(caught[0].message)
    "learn: 'target' is now called 'label'. The old name still works."
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*arguments: P.args, **options: P.kwargs) -> R:
            for old, new in names.items():
                if old not in options:
                    continue
                if new in options:
                    raise OptionError(f"{old!r} is the old name of {new!r}. Use only {new!r}.")
                message = f"{function.__name__}: {old!r} is now called {new!r}. The old name still works."
                warnings.warn(message, FutureWarning, stacklevel=_frames_to_caller())
                options[new] = options.pop(old)
            return function(*arguments, **options)

        return call

    return decorate
