"""`justesse audit extend`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.delivery import Delivery


def extend(
    audit: Path,
    *,
    budget: int | None = None,
    futility: Annotated[bool | None, Parameter(negative="--no-futility")] = None,
    by: str | None = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Allow an audit more questions, or continue one that stopped as hopeless. The verdict stays valid.

    Examples:

      justesse audit extend my.audit --budget 400

      justesse audit extend my.audit --no-futility

    Parameters
    ----------
    audit
        The audit file.
    budget
        Questions in total, including those already asked. It can only grow, up to the number of disputed rows.
    futility
        Stop when the remaining questions have a chance of less than 3 % to settle it; --no-futility: continue.
    by
        Name of the person extending it. Default: your login name.
    """
    from justesse.verbs.audit.extend import audit_extend

    delivery.check(audit)
    delivery.deliver(audit_extend(audit, budget=budget, futility=futility, by=by))
