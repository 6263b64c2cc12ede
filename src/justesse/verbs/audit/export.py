"""`justesse.audit_export`: copy an audit, with every answer."""

from dataclasses import dataclass
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.store.audit_file import export_audit
from justesse.verbs.audit.audit import Audit, PathLike, read_audit


@dataclass(frozen=True)
class AuditExported:
    """The copy, as it was read back, and where it came from."""

    audit: Audit
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "audit": "export",
            "file": self.source,
            "to": str(self.audit.path),
            "format": self.audit.format,
            "answers": len(self.audit.diary),
            "asked": len(self.audit.drawn),
        }

    def __repr__(self) -> str:
        many = len(self.audit.diary)
        return f"Copied to {self.audit.path}, with {many:,} answer{'' if many == 1 else 's'}."


def audit_export(audit: PathLike, to: PathLike) -> AuditExported:
    """Copy an audit to a new file as it is at this moment, also while others answer.

    Copying the file by other means is right only while nobody answers and nothing lies beside it (`-journal`, or
    `-wal` if an older version wrote it). The copy is a second audit from then on: answers given to one do not reach the
    other.

    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     len(audit_export(f"{folder}/my.audit", f"{folder}/copy.audit").audit.disputes)
    30
    """
    place = export_audit(audit, to)
    return AuditExported(read_audit(place), str(audit))
