"""`justesse audit export`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.output import console, print_json

Flag = Parameter(negative="")


def export(audit: Path, *, to: Path, json: Annotated[bool, Flag] = False) -> None:
    """Copy an audit with every answer, also while others are answering.

    Example:

      justesse audit export my.audit --to copy.audit

    Parameters
    ----------
    audit
        The audit file.
    to
        The copy to make. It must not exist.
    json
        Print JSON instead of words.
    """
    from justesse.verbs.audit.export import audit_export

    found = audit_export(audit, to)
    if json:
        print_json(found.to_dict())
    else:
        console().print(repr(found))
