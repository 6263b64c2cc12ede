"""`justesse.audit_export`: copy an audit, with every answer."""

from dataclasses import dataclass
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.store.address import AuditAddress
from justesse.store.audit_file import export_audit
from justesse.verbs.audit.audit import read_audit
from justesse.verbs.audit.base_audit import BaseAudit, PathLike
from justesse.verbs.recorded import recorded


@dataclass(frozen=True, repr=False)
class AuditExported(Result):
    """The copy, as read back, and the path of the original."""

    audit: BaseAudit
    source: str

    def to_dict(self) -> dict[str, Any]:
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

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay out the one copy as a table."""
        return {name: [value] for name, value in self.to_dict().items() if name in ("file", "to", "answers", "asked")}

    def document(self) -> Document:
        from justesse.verbs.audit.answering_document import exported_document

        return exported_document(self)


@recorded
def audit_export(audit: PathLike | AuditAddress, to: PathLike) -> AuditExported:
    """Copy an audit to a new file, also while others are answering.

    The copy is a second audit from then on: answers to one do not reach the other. Copying the file with other tools is
    safe only while nobody answers and no `-journal` file is next to it (`-wal` from an older version).

    Parameters
    ----------
    audit
        The audit file.
    to
        Copy to make: a file such as copy.audit, or an audit of a store as URL#NAME. It must not exist.

    Returns
    -------
    AuditExported
        The copy, as read back.

    Examples
    --------
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
