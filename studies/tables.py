"""A table in Markdown."""

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> str:
    """Lay out rows under heads; the first so many columns are words, the others numbers."""
    marks = ["---"] * words + ["---:"] * (len(heads) - words)
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, marks, *rows]) + "\n"
