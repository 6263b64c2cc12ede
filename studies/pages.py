"""Pages whose words are written by hand and whose tables are made by a study."""

import re
from collections.abc import Mapping
from pathlib import Path


def filled(text: str, parts: Mapping[str, str]) -> str:
    """Put each part between its markers, in place of what stands there.

    >>> print(filled("A\\n\\n<!-- x -->\\n\\nold\\n\\n<!-- end of x -->\\n", {"x": "new\\n"}), end="")
    A
    <BLANKLINE>
    <!-- x -->
    <BLANKLINE>
    new
    <BLANKLINE>
    <!-- end of x -->
    """
    for name, part in parts.items():
        between = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not between.search(text):
            raise ValueError(f"the page has no place marked <!-- {name} --> … <!-- end of {name} -->")
        text = between.sub(lambda found, part=part: f"{found[1]}\n{part}\n{found[2]}", text)  # type: ignore[misc]
    return text


def fill(page: Path, parts: Mapping[str, str]) -> None:
    """Write the parts into a page."""
    page.write_text(filled(page.read_text(), parts))
