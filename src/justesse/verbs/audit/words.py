"""Phrases that several parts of an audit use."""

from typing import Literal

from justesse.judges.audit_stop import Stop
from justesse.judges.audit_targets import About
from justesse.judges.pool_run import PoolStop

StatusCommand = Literal["start", "status", "report", "extend"]  # those that return the status of an audit
AuditCommand = Literal[StatusCommand, "next", "answer", "export"]
Shown = Literal["text", "image"]  # what the expert sees of a row

WHERE: dict[About, str] = {
    "test set": "on this test set",
    "population": "in the population the test set was drawn from",
}
SHORT_WHERE: dict[About, str] = {"test set": "on this test set", "population": "in the population"}
STOPPED: dict[Stop | PoolStop, str] = {
    "replace": "the verdict is sure",
    "keep": "the verdict is sure",
    "equivalent": "the verdict is sure",
    "answered": "every disputed row is answered",
    "budget": "all questions of the budget are answered",
    "class sizes": "the answers contradict the class sizes that it assumed",
    "settled": "the goal is settled",
    "futility": "the remaining questions have a chance of less than 3 % to settle it",
    "": "all questions drawn so far are answered",
}


def minute(at: str) -> str:
    """Write a time of an audit file to the minute.

    >>> minute("2026-11-16T19:10:54.226+00:00")
    '2026-11-16 19:10'
    """
    return at[:16].replace("T", " ")
