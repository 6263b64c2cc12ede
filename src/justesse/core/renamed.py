"""Keywords of library functions that had other names: still accepted, with a warning."""

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from justesse.core.errors import OptionError

P = ParamSpec("P")
R = TypeVar("R")


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
                warnings.warn(message, FutureWarning, stacklevel=2)
                options[new] = options.pop(old)
            return function(*arguments, **options)

        return call

    return decorate
