"""Show doctests as code on the site: what starts with `>>>` is put between fences."""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"(?:^[ \t]*>>> .*\n?(?:^[ \t]*\S.*\n?)*)", re.MULTILINE)


class Fences(griffe.Extension):
    """Change docstrings before they are rendered; the source keeps them plain."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = DOCTEST.sub(
                lambda found: f"```python\n{found[0].rstrip()}\n```\n", obj.docstring.value
            )
