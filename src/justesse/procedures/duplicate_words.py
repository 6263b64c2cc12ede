"""What a reader learns about duplicate rows: figures, counts in words, and advice."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.procedures.conditions import percent

IDENTIFYING = {
    "id": "a column of ids",
    "time": "a column of times",
    "features": "other columns to compare",
}  # options that tell equal rows apart


def different_cases(many: int, known_by: Collection[str]) -> str:
    """Explain equal rows, and advise what would identify a row unless it is known already.

    >>> different_cases(2, ["id", "time"])
    'They may be different cases that look alike. To tell, name other columns to compare (--features).'
    """
    words = [words for name, words in IDENTIFYING.items() if name not in known_by]
    options = [f"--{name}" for name in IDENTIFYING if name not in known_by]
    advice = f" To tell, name {' or '.join(words)} ({', '.join(options)})." if options else ""
    return f"{may_be_different(many)} that {'looks the same' if many == 1 else 'look alike'}.{advice}"


def may_be_different(many: int) -> str:
    """Begin the sentence that equal rows need not be copies."""
    return "It may be a different case" if many == 1 else "They may be different cases"


def share_words(rows: int, size: int) -> str:
    """Write how many of the test rows are meant.

    >>> share_words(1, 4)
    '1 of 4 test rows (25.0 %)'
    """
    return f"{rows:,} of {size:,} test rows ({percent(rows / size)})"


def duplicate_figures(
    rows: NDArray[np.int64], partners: NDArray[np.int64], n: int, similarity: Any = None
) -> dict[str, Any]:
    """Give the figures of a check for duplicates: how many test rows, and the first pairs with their likeness."""
    pairs = zip(rows[:1000].tolist(), partners[:1000].tolist(), strict=True)
    figures = {
        "rows": len(rows),
        "n": n,
        "share": len(rows) / n,
        "examples": [[row + 1, partner + 1] for row, partner in pairs],
    }
    if similarity is not None:
        figures["similarity"] = similarity[:1000].tolist()
    return figures
