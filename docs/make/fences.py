"""Show doctests as code, and defaults as values, on the site: an extension of griffe, which reads the docstrings."""

import importlib
import sys
from pathlib import Path
from typing import Any

import griffe

sys.path.insert(0, str(Path(__file__).parent))

from doctests import fenced


class Fences(griffe.Extension):
    """Change docstrings and signatures before they are rendered; the source keeps them as they are."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change one docstring."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Show `level=0.95` where the source has `level=IntervalOptions.level`."""
        for parameter in func.parameters:
            names = str(parameter.default).split(".")
            if len(names) == 2 and names[0].endswith("Options"):
                options = getattr(importlib.import_module(func.module.path), names[0], None)
                if hasattr(options, names[1]):
                    parameter.default = repr(getattr(options, names[1]))
