"""Which question is on whose screen: two people who answer at once see different ones."""

import time

from sqlalchemy import Connection

from justesse.store.tables import AuditRows

SECONDS = 600


def hold(connection: Connection, row: int, *, by: str) -> None:
    """Reserve a question for one person, for ten minutes at most."""
    release(connection, by=by)
    held = AuditRows(connection, "held")
    held.delete(held.c.row == row)
    held.insert([{"row": row, "by": by, "until": time.time() + SECONDS}])


def release(connection: Connection, *, by: str) -> None:
    """Release the question that is reserved for one person."""
    held = AuditRows(connection, "held")
    held.delete(held.c.by == by)


def held_by_others(connection: Connection, *, by: str) -> set[int]:
    """Return the questions that are on other people's screens now."""
    now = time.time()
    # a reservation of more than ten minutes was made before the clock was set back
    held = AuditRows(connection, "held")
    kept = held.select(held.c.row).where(held.c.by != by, held.c.until > now, held.c.until <= now + SECONDS)
    return set(connection.scalars(kept))
