"""Show doctests as code on the site: an extension of griffe, which reads the docstrings."""

import sys
from pathlib import Path
from typing import Any

import griffe

sys.path.insert(0, str(Path(__file__).parent))

from doctests import fenced


class Fences(griffe.Extension):
    """Change docstrings before they are rendered; the source keeps them plain."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change one docstring."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
