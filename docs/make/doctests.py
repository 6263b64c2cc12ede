"""Doctests as code blocks of Markdown."""

import re

DOCTEST = re.compile(r"(?:^[ \t]*>>> .*\n?(?:^[ \t]*\S.*\n?)*)", re.MULTILINE)
SECTIONS = re.compile(r"^\s*Examples\n\s*-{3,}$", re.MULTILINE)  # griffe shows the doctests of such a section itself


def fenced(text: str) -> str:
    """Put fences around doctests.

    >>> fenced("A sum:\\n\\n>>> 1 + 1\\n2").splitlines()
    ['A sum:', '', '```python', '>>> 1 + 1', '2', '```']
    """
    if SECTIONS.search(text):
        return text
    return DOCTEST.sub(lambda doctest: f"```python\n{doctest[0].rstrip()}\n```\n", text)
