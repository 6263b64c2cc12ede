"""What adding events to an event file brought."""

from dataclasses import dataclass
from typing import Any, Literal

from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.store.event_file import Addition

AddingCommand = Literal["start", "add"]


@dataclass(frozen=True, repr=False)
class EventsAdded(Result):
    """How many events were new, and how many are in the file now."""

    file: str
    source: str
    addition: Addition
    total: int
    part: AddingCommand

    @property
    def events(self) -> int:
        """New events."""
        return self.addition.events

    @property
    def completed(self) -> int:
        """Rows that brought an outcome, or another value, of an earlier event."""
        return self.addition.completed

    @property
    def repeated(self) -> int:
        """Rows left out, because their event was there already."""
        return self.addition.repeated

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "ab": self.part,
            "file": self.file,
            "rows": self.addition.rows,
            "added": self.events,
            "completed": self.completed,
            "repeated": self.repeated,
            "events": self.total,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay out the addition as a table of one row."""
        names = ("file", "rows", "added", "completed", "repeated", "events")
        return {name: [value] for name, value in self.to_dict().items() if name in names}

    def document(self) -> Document:
        lines = [
            message("{n:count event} added to {file}, which has {total:count event} now.", n=self.events, file=self.file, total=self.total)
        ]  # fmt: skip
        if self.completed:
            lines.append(message("{n:count row} completed earlier events.", n=self.completed))
        if self.repeated:
            lines.append(
                message(
                    "{n:count row} left out: {n:plural its event is|their events are} there already.", n=self.repeated
                )
            )
        return Document("Events added", paragraph(*lines), [], self.to_dict(), name="addition")
