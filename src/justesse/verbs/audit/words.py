"""Phrases that several parts of an audit use."""

from typing import Literal

from justesse.judges.audit_stop import Stop
from justesse.judges.audit_targets import About

StatusCommand = Literal["start", "status", "report", "extend"]  # those that return the status of an audit
AuditCommand = Literal[StatusCommand, "next", "answer", "export"]
Shown = Literal["text", "image"]  # what the expert sees of a row

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
