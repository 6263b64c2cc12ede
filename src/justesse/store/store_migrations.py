"""Convert stores of earlier formats without losing anything."""

from collections.abc import Callable

from sqlalchemy import Connection, text

from justesse.store.store_tables import evaluations, guards
from justesse.store.tables import HAND_OUTS, STORE_TABLES, store_metadata


def _add_hand_outs_and_evaluations(connection: Connection) -> None:
    """Format 1 → 2: evaluations, who was given which question, which requests came, and notes on answers.

    Some stores of format 1 have these tables already: what is there stays.
    """
    store_metadata.create_all(connection, tables=[evaluations, *(STORE_TABLES[name] for name in HAND_OUTS)])
    for guard in guards(connection.dialect.name):
        connection.execute(text(guard))


# the step at place n converts format n + 1 to format n + 2
STEPS: tuple[Callable[[Connection], None], ...] = (_add_hand_outs_and_evaluations,)


def migrate_store(connection: Connection, format: int) -> None:
    """Convert a store of an earlier format to the present one, within the open transaction."""
    for step in STEPS[format - 1 :]:
        step(connection)
