"""A room whose functions load when they are first used: `justesse.significance.mcnemar(15, 5)`."""

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A package that knows which of its files holds which function.

    Importing a file binds it in its package under the file's name; where the file holds a function of that name, the
    function is what users mean.
    """

    FUNCTIONS: Mapping[str, str]

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and self.FUNCTIONS.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in self.FUNCTIONS:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{self.__name__}.{self.FUNCTIONS[name]}"), name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *self.FUNCTIONS})


def load_on_use(package: str, functions: Mapping[str, str]) -> None:
    """Let a package load the file of a function when the function is asked for; `functions` maps names to files.

    >>> import justesse.significance
    >>> round(justesse.significance.mcnemar(15, 5).pvalue, 4)
    0.0266
    """
    room = sys.modules[package]
    room.__dict__["FUNCTIONS"] = functions
    room.__class__ = _Room


def files_of(*names: str, **others: str) -> dict[str, str]:
    """Map functions to the files that hold them: those named here to files of their own name.

    >>> files_of("mcnemar", adjusted="multiplicity")
    {'mcnemar': 'mcnemar', 'adjusted': 'multiplicity'}
    """
    return {name: name for name in names} | others
