"""`justesse audit status` and `justesse audit report`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.output import say
from justesse.core.errors import OptionError

if TYPE_CHECKING:
    from justesse.verbs.audit.status import AuditStatus

Gate = Annotated[bool, Parameter(negative="--no-gate")]


def status(
    audit: Path,
    *,
    gate: Gate = True,
    delivery: Delivery = Delivery(),
) -> int:
    """Show the verdict so far, its confidence interval, and how many questions are left.

    Exit code 0: replace. 1: keep, equivalent or not settled. 2: bad usage or input. With --no-gate: 0 or 2.

    Examples:

      justesse audit status my.audit

      justesse audit status my.audit --full

      justesse audit status my.audit --report page.html -o answers.csv

    Parameters
    ----------
    audit
        The audit file.
    gate
        Exit code 1 unless the verdict is to replace; --no-gate for 0. Default: --gate.
    """
    from justesse.verbs.audit.status import audit_status

    delivery.check(audit)
    return _delivered(audit_status(audit), delivery, gate)


def report(
    audit: Path,
    *,
    gate: Gate = True,
    delivery: Delivery = Delivery(),
) -> int:
    """Write the page of an audit: the verdict, the charts, every answer, and what would change the verdict.

    Exit code 0: replace. 1: keep, equivalent or not settled. 2: bad usage or input. With --no-gate: 0 or 2.

    Example:

      justesse audit report my.audit --report page.html

    Parameters
    ----------
    audit
        The audit file.
    gate
        Exit code 1 unless the verdict is to replace; --no-gate for 0. Default: --gate.
    """
    from dataclasses import replace

    from justesse.verbs.audit.status import audit_status

    if delivery.report is None:
        raise OptionError("name the page to write: justesse audit report my.audit --report page.html")
    delivery.check(audit)
    return _delivered(replace(audit_status(audit), part="report"), delivery, gate)


def _delivered(result: "AuditStatus", delivery: Delivery, gate: bool) -> int:
    """Print a status and return its exit code."""
    delivery.deliver(result)
    if gate and not delivery.json and delivery.format == "terminal":
        say(f"Gate: {'passed, exit code 0' if result.replaces else 'not passed, exit code 1'}.")
    return 1 if gate and not result.replaces else 0
