"""`justesse audit extend`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.output import print_json
from justesse.cli.whole import MaybeWhole

Flag = Parameter(negative="")


def extend(
    audit: Path,
    *,
    budget: MaybeWhole = None,
    futility: Annotated[bool | None, Parameter(negative="--no-futility")] = None,
    by: str | None = None,
    json: Annotated[bool, Flag] = False,
) -> None:
    """Allow an audit more questions, or go on with one that gave up. The verdict stays valid.

    Examples:

      justesse audit extend my.audit --budget 400

      justesse audit extend my.audit --no-futility

    Parameters
    ----------
    audit
        The audit file.
    budget
        Questions in all, with those already asked. It can only grow, up to the number of disputed rows.
    futility
        Give up when the questions left have a chance of less than 3 % to settle it; --no-futility goes on.
    by
        Name of the person extending it. Default: your login name.
    json
        Print JSON instead of words.
    """
    from justesse.cli.audit_view import show_status
    from justesse.verbs.audit.extend import audit_extend

    found = audit_extend(audit, budget=budget, futility=futility, by=by)
    if json:
        print_json(found.to_dict())
    else:
        show_status(found)
