"""Optional dependencies: imported when they are needed, with an error that names what to install."""

import importlib
from typing import Any

from justesse.core.errors import MissingExtraError


def require(module: str, *, extra: str) -> Any:
    """Import a module that an extra of the package brings.

    >>> require("json", extra="sign").loads("1")
    1
    >>> require("no_such_module", extra="sign")
    Traceback (most recent call last):
    justesse.core.errors.MissingExtraError: no_such_module is not installed. Install it: pip install 'justesse[sign]'.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingExtraError(f"{name} is not installed. Install it: pip install 'justesse[{extra}]'.") from error
