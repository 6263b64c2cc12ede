"""`justesse audit status` and `justesse audit report`."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.output import check_places, patience, print_json, say

Flag = Parameter(negative="")
Gate = Annotated[bool, Parameter(negative="--no-gate")]


def status(audit: Path, *, gate: Gate = True, json: Annotated[bool, Flag] = False) -> int:
    """Show the running verdict, how it came about, and what is left.

    Exit code 0: replace; 1: do not (keep, equivalent, not settled); 2: bad usage or input. With --no-gate 0 or 2.

    Example:

      justesse audit status my.audit

    Parameters
    ----------
    audit
        The audit file.
    gate
        Let the exit code say whether to replace.
    json
        Print JSON instead of words.
    """
    from justesse.cli.audit_view import show_status
    from justesse.verbs.audit.status import audit_status

    found = audit_status(audit)
    if json:
        print_json(found.to_dict())
    else:
        show_status(found)
    return 1 if gate and not found.replaces else 0


def report(
    audit: Path,
    *,
    report: Path,
    interactive: Annotated[bool, Flag] = False,
    gate: Gate = True,
    json: Annotated[bool, Flag] = False,
) -> int:
    """Write the page of an audit: the verdict, the chart, every answer with who and when, what would change it.

    Exit code 0: replace; 1: do not (keep, equivalent, not settled); 2: bad usage or input. With --no-gate 0 or 2.

    Example:

      justesse audit report my.audit --report page.html

    Parameters
    ----------
    audit
        The audit file.
    report
        The page to write, one .html file that opens offline.
    interactive
        Add a script to the page, for tooltips and zoom.
    gate
        Let the exit code say whether to replace.
    json
        Print JSON instead of words.
    """
    from justesse.cli.audit_view import show_status
    from justesse.verbs.audit.status import audit_report

    check_places([audit], report=report)
    with patience("Drawing"):
        command = f"justesse {shlex.join(sys.argv[1:])}"
        found = audit_report(audit, report, interactive=interactive, command=command)
    if json:
        print_json(found.to_dict())
    else:
        show_status(found)
        say(f"Written: {report}")
    return 1 if gate and not found.replaces else 0
