"""`justesse.audit_status` and `justesse.audit_report`: the running verdict of an audit, and its page."""

import os

from justesse.verbs.audit.audit import read_audit
from justesse.verbs.audit.base_audit import PathLike
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.status_result import AuditStatus, status_of
from justesse.verbs.recorded import recorded


@recorded
def audit_status(audit: PathLike) -> AuditStatus | PooledStatus:
    """Return the running verdict of an audit.

    Two questions are answered separately: is the candidate better on this test set, and is it better in the population
    the test set was drawn from? The intervals hold at every look together, so you may look after every answer and stop
    at any time.

    Parameters
    ----------
    audit
        The audit file.

    Returns
    -------
    AuditStatus or PooledStatus
        The verdict, its interval, the answers, and how many questions are left; of several classifiers, a
        `PooledStatus` with the order that is settled.

    References
    ----------
    Waudby-Smith and Ramdas (2020), Confidence sequences for sampling without replacement.

    Examples
    --------
    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     status = audit_status(f"{folder}/my.audit")
    >>> status.decision, status.audit.state.disputed
    ('cannot_tell', 30)
    """
    return status_of(read_audit(audit))


@recorded
def audit_report(
    audit: PathLike, path: str | os.PathLike[str], *, interactive: bool = False, command: str | None = None
) -> AuditStatus | PooledStatus:
    """Write the page of an audit: the verdict, the charts, every answer, and what would change the verdict.

    Parameters
    ----------
    audit
        The audit file.
    path
        The page to write, one .html file that opens offline.
    interactive
        Add a script to the page, for tooltips and zoom.
    command
        The command to print on the page, for readers who want to make it again.

    Returns
    -------
    AuditStatus
        The verdict, its interval, the answers, and how many questions are left.
    """
    status = status_of(read_audit(audit), "report")
    status.report(path, interactive=interactive, command=command)
    return status
