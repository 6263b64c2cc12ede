"""Convert audit files of earlier formats without losing anything."""

from sqlalchemy import Connection

from justesse.core.version import __version__
from justesse.store.answers import answer_records, read_entries
from justesse.store.chain import seal
from justesse.store.database_file import set_format
from justesse.store.disagreements import amend, drawn_records, read_disagreements, read_drawn, read_facts, start_record
from justesse.store.tables import FORMAT, SINCE_FORMAT_2, TRIGGERS, AuditRows, metadata


def migrate(connection: Connection, format: int) -> None:
    """Convert a file of an earlier format to the present one, within the open transaction.

    Format 1 (no checksums, a write-ahead log) → 2: amendments and checksums, which are computed from the contents as
    they are.
    """
    if format == 1:
        if AuditRows(connection, "seals").audit is None:  # a store has the tables for all of its audits
            metadata.create_all(connection, tables=SINCE_FORMAT_2)
            for table in SINCE_FORMAT_2:
                for trigger in TRIGGERS[table.name]:
                    connection.exec_driver_sql(trigger)
        entries = read_entries(connection)
        seal(connection, "start", [start_record(read_facts(connection), read_disagreements(connection))])
        seal(connection, "asked", drawn_records(read_drawn(connection)))
        seal(connection, "answers", answer_records(entries))
        amend(connection, "migrated", {"from": 1, "answers": len(entries)}, by=f"justesse {__version__}")
    set_format(connection, FORMAT)
