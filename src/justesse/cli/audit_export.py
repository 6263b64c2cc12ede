"""`justesse audit export`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.delivery import Printing
from justesse.verbs.audit.options import CopyOptions


def export(
    audit: Path, /, *, copy: Annotated[CopyOptions, Parameter(name="*")], printing: Printing = Printing()
) -> None:
    """Copy an audit with every answer, also while others are answering.

    For example:

      justesse audit export my.audit --to copy.audit

    Parameters
    ----------
    audit
        The audit file.
    """
    from justesse.verbs.audit.export import audit_export

    printing.deliver(audit_export(audit, copy.to))
