"""`justesse audit export`."""

from pathlib import Path

from justesse.cli.delivery import Printing


def export(audit: Path, *, to: Path, printing: Printing = Printing()) -> None:
    """Copy an audit with every answer, also while others are answering.

    Example:

      justesse audit export my.audit --to copy.audit

    Parameters
    ----------
    audit
        The audit file.
    to
        The copy to make. It must not exist.
    """
    from justesse.verbs.audit.export import audit_export

    printing.deliver(audit_export(audit, to))
