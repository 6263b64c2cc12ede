"""Phrases that several parts of an audit use."""

from collections.abc import Sequence

from justesse.judges.audit_stop import Stop
from justesse.judges.audit_targets import About

WHERE: dict[About, str] = {
    "test set": "on this test set",
    "population": "in the population the test set was drawn from",
}
SHORT_WHERE: dict[About, str] = {"test set": "on this test set", "population": "in the population"}
STOPPED: dict[Stop, str] = {
    "replace": "the verdict is sure",
    "keep": "the verdict is sure",
    "equivalent": "the verdict is sure",
    "answered": "every disputed row is answered",
    "budget": "all questions of the budget are answered",
    "futility": "the remaining questions have a chance of less than 3 % to settle it",
    "": "all questions drawn so far are answered",
}
LISTED = 5


def listed(names: Sequence[object]) -> str:
    """List the first names and count the others.

    >>> listed(["a", "b"]), listed(range(7))
    ("'a', 'b'", '0, 1, 2, 3, 4 and 2 more')
    """
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, names[:LISTED])) + more
