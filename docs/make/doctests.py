"""Doctests as code blocks of Markdown."""

import re

DOCTEST = re.compile(r"(?:^[ \t]*>>> .*\n?(?:^[ \t]*\S.*\n?)*)", re.MULTILINE)
SECTION = re.compile(r"^([ \t]*)[A-Z][A-Za-z ]+\n[ \t]*-{3,}[ \t]*$", re.MULTILINE)  # numpydoc's: Parameters, Returns
EXAMPLES = re.compile(r"^[ \t]*Examples\n[ \t]*-{3,}[ \t]*$", re.MULTILINE)


def fenced(text: str) -> str:
    """Put fences around doctests; those below sections of numpydoc become the section Examples, which griffe shows itself.

    >>> fenced("A sum:\\n\\n>>> 1 + 1\\n2").splitlines()
    ['A sum:', '', '```python', '>>> 1 + 1', '2', '```']
    >>> fenced("A sum.\\n\\nReturns\\n-------\\nfloat\\n\\n>>> 1 + 1\\n2").splitlines()[5:]
    ['', 'Examples', '--------', '>>> 1 + 1', '2']
    """
    section = SECTION.search(text)
    prose, sections = (text, "") if section is None else (text[: section.start()], text[section.start() :])
    if section is not None and not EXAMPLES.search(sections):
        indent = section[1]
        sections = DOCTEST.sub(lambda doctest: f"{indent}Examples\n{indent}--------\n{doctest[0]}", sections, count=1)
    return DOCTEST.sub(lambda doctest: f"```python\n{doctest[0].rstrip()}\n```\n", prose) + sections
