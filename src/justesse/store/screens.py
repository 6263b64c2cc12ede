"""Which questions are on whose screens: read once in a transaction, and written once at its end."""

import time
from collections.abc import Sequence

from sqlalchemy import Connection

from justesse.store.held import SECONDS
from justesse.store.tables import AuditRows


class Screens:
    """Questions that are reserved for people, for ten minutes at most."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._changed: dict[str, None] = {}
        now, held = time.time(), AuditRows(connection, "held")
        # a reservation of more than ten minutes was made before the clock was set back
        kept = held.select(held.c.row, held.c.by).where(held.c.until > now, held.c.until <= now + SECONDS)
        self._holders: dict[int, str] = {line.row: line.by for line in connection.execute(kept)}

    def of(self, by: str) -> set[int]:
        """Return the questions of a person."""
        return {row for row, person in self._holders.items() if person == by}

    def of_others(self, by: str) -> set[int]:
        """Return the questions of everybody else."""
        return {row for row, person in self._holders.items() if person != by}

    def people(self, by: str) -> int:
        """Count the people who have questions, and the one who asks."""
        return len({*self._holders.values(), by})

    def give(self, rows: Sequence[int], *, by: str) -> None:
        """Give questions to a person; others of the same person are released."""
        for row in self.of(by):
            del self._holders[row]
        self._changed |= {self._holders[row]: None for row in rows if row in self._holders} | {by: None}
        self._holders |= dict.fromkeys(rows, by)

    def save(self) -> None:
        """Write the changes."""
        if not self._changed:
            return
        held, until = AuditRows(self._connection, "held"), time.time() + SECONDS
        new = [(row, by) for row, by in self._holders.items() if by in self._changed]
        # a row may still be there for somebody whose time has run out
        held.delete(held.c.by.in_(list(self._changed)) | held.c.row.in_([row for row, _ in new]))
        held.insert({"row": row, "by": by, "until": until} for row, by in new)
        self._changed.clear()
