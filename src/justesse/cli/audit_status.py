"""`justesse audit status` and `justesse audit report`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from justesse.cli.delivery import Delivery, command_line
from justesse.cli.gate import say_exit_code
from justesse.core.errors import OptionError

if TYPE_CHECKING:
    from justesse.report.result import Result
    from justesse.verbs.audit.pooled_status import PooledStatus
    from justesse.verbs.audit.status_result import AuditStatus


@Parameter(name="*", group="Output")
@dataclass(frozen=True)
class AnswerDelivery(Delivery):
    """Where the status of an audit goes.

    Parameters
    ----------
    output
        Write the answers so far as a table, too, such as answers.csv or answers.parquet.
    """

    output: Annotated[Path | None, Parameter(alias="-o")] = None


@Parameter(name="*", group="Output")
@dataclass(frozen=True)
class ReportDelivery(AnswerDelivery):
    """Where the page of an audit goes."""

    def _write_page(self, result: "Result") -> None:
        """Leave the page: justesse.audit_report has written it."""


@Parameter(name="*")
@dataclass(frozen=True)
class AuditGateOptions:
    """When to exit with 0.

    Parameters
    ----------
    gate
        Exit code 1 unless the verdict is replace. Default: yes; --no-gate always exits with 0.
    """

    gate: Annotated[bool, Parameter(negative="--no-gate")] = True


def status(
    audit: str,
    /,
    *,
    gates: AuditGateOptions = AuditGateOptions(),
    delivery: AnswerDelivery = AnswerDelivery(),
) -> int:
    """Show the verdict so far, its confidence interval, and how many questions are left.

    Exit code 0: the verdict is replace; 1: it is not, or not yet; 2: bad input. With --no-gate: 0 or 2. Of several
    classifiers, 0 means that the goal is settled.

    For example:

      justesse audit status my.audit

      justesse audit status my.audit --full

      justesse audit status my.audit --report page.html -o answers.csv

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    """
    from justesse.verbs.audit.status import audit_status

    delivery.check(audit)
    return _delivered(audit_status(audit), delivery, gates.gate)


def report(
    audit: str,
    /,
    *,
    gates: AuditGateOptions = AuditGateOptions(),
    delivery: ReportDelivery = ReportDelivery(),
) -> int:
    """Write the page of an audit: the verdict, the charts, every answer, and what would change the verdict.

    --report is required. Exit code 0: the verdict is replace; 1: it is not, or not yet; 2: bad input. With --no-gate:
    0 or 2.

    For example:

      justesse audit report my.audit --report page.html

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    """
    from justesse.verbs.audit.status import audit_report

    if delivery.report is None:
        raise OptionError("Name the page to write, such as justesse audit report my.audit --report page.html.")
    delivery.check(audit)
    with delivery.together():
        result = audit_report(audit, delivery.report, interactive=delivery.interactive, command=command_line())
        return _delivered(result, delivery, gates.gate)


def _delivered(result: "AuditStatus | PooledStatus", delivery: Delivery, gate: bool) -> int:
    """Print a status and return its exit code."""
    delivery.deliver(result)
    if gate:
        say_exit_code(delivery, "Gate", result.replaces)
    return 1 if gate and not result.replaces else 0
