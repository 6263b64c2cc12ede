"""Lists in sentences: the first few names, and how many more there are."""

from collections.abc import Callable, Sequence
from typing import Any


def first_names(names: Sequence[Any], most: int = 5, *, write: Callable[[Any], str] = repr) -> str:
    """List the first names and count the others.

    >>> first_names(["a", "b"]), first_names(range(7)), first_names(["x", "y"], 1, write=str)
    ("'a', 'b'", '0, 1, 2, 3, 4 and 2 more', 'x and 1 more')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(write, names[:most])) + more
