"""The one check of an option with fixed choices."""

from typing import Any, get_args

from justesse.core.errors import OptionError


def check_choice(option: str, value: Any, choices: Any) -> None:
    """Refuse a value that is not among the choices of a `Literal`.

    >>> from justesse.core.choices import Repeated
    >>> check_choice("repeated", "never", Repeated)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: repeated (--repeated) must be one of last, first, all, refuse; got 'never'.
    """
    if value not in get_args(choices):
        words = f"{option} (--{option.replace('_', '-')})"
        raise OptionError(f"{words} must be one of {', '.join(get_args(choices))}; got {value!r}.")
