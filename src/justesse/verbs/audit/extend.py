"""`justesse.audit_extend`: allow an audit more questions or more mistakes, or continue one that stopped for futility."""

from dataclasses import replace

from justesse.core.errors import InputError, OptionError
from justesse.core.quantity import quantity
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import amend
from justesse.verbs.audit.answer import user
from justesse.verbs.audit.audit import loaded, loaded_to_write
from justesse.verbs.audit.base_audit import BaseAudit, PathLike
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.status_result import AuditStatus, status_of
from justesse.verbs.recorded import recorded


@recorded
def audit_extend(
    audit: PathLike,
    *,
    budget: int | None = None,
    futility: bool | None = None,
    expert_error: float | None = None,
    by: str | None = None,
) -> AuditStatus | PooledStatus:
    """Allow an audit more questions or more mistakes, or continue one that stopped for futility.

    The verdict stays valid: the weight of an answer never depends on the budget, which only says when to stop. More
    questions are refused for audits that are settled, because none would be asked.

    Parameters
    ----------
    audit
        The audit file.
    budget
        Number of questions in total, including those already asked. It can only grow, up to the number of disputed
        rows. Default: as before.
    futility
        Stop if the remaining questions settle it with less than 3 % probability; `futility=False` continues up to the
        budget. Default: as before.
    expert_error
        Highest probability that an expert is wrong about a row, such as 0.05. It can only grow. All answers are judged
        again, so a settled audit may become open. Default: as before.
    by
        Name of the person extending it. Default: your login name.

    Returns
    -------
    AuditStatus or PooledStatus
        The verdict so far, and how many questions are left.

    Notes
    -----
    Let K be the wealth of the bets against a claim. The bets behind the next factor of K use the rows left, the answers
    before, the claim and the chances of the draw: none of them depends on the budget. If the claim is true, K is
    therefore a supermartingale over all disputed rows in the order drawn, and the chance that it reaches 1/risk at any
    look, up to the last row, is at most the risk (Ville, 1939). A budget ends the looks, an extension lets them go on;
    whatever they are decided by, the looks remain a part of all looks, for which the bound holds. A higher
    `expert_error` only moves the claims away from what was seen: whatever suggests it, verdicts become rarer, and those
    that remain hold if experts err that often or less.

    Examples
    --------
    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit", budget=3)
    ...     extended = audit_extend(f"{folder}/my.audit", budget=20)
    >>> extended.audit.state.budget
    20
    """
    if budget is None and futility is None and expert_error is None:
        raise OptionError(
            "Give a budget (--budget N), futility=False (--no-futility) to continue an audit that stopped early, or a "
            "higher expert_error (--expert-error 0.05)."
        )
    file = open_audit(audit)
    with file.writing() as connection:
        before = loaded_to_write(connection, file.path)
        if futility is not None and isinstance(before, PooledAudit):
            raise OptionError(
                f"{file.path.name} is about several classifiers, and such an audit never stops for futility. Leave "
                "futility out."
            )
        if expert_error is not None:
            _check_error(before, expert_error)
        if budget is not None or futility is not None:
            _check(before, budget)
        for name, value in (("budget", budget), ("futility", futility), ("expert_error", expert_error)):
            if value is not None:
                amend(connection, name, value, by=(by or "").strip() or user())
        now = loaded(connection, file.path)
    return status_of(now, "extend")


def _check_error(audit: BaseAudit, expert_error: float) -> None:
    """Refuse a lower error rate than before, which would make a verdict that was not sure seem sure."""
    replace(audit.plan, expert_error=expert_error)  # refuses what is no error rate
    if expert_error <= audit.plan.expert_error:
        raise OptionError(
            f"{audit.path.name} allows for an expert error of {audit.plan.expert_error:g} already, and it can only grow. "
            f"Give a larger one; got {expert_error!r}."
        )


def _check(audit: BaseAudit, budget: int | None) -> None:
    """Refuse what would change nothing."""
    state, name = audit.state, audit.path.name
    if state.stop in ("replace", "keep", "equivalent", "settled"):
        raise InputError(f"{name} is settled ({state.stop}), so no further question would be asked.")
    if state.stop == "class sizes":
        raise InputError(
            f"The answers contradict the class sizes that {name} assumed. Start a new audit with a larger counts_within "
            "(--counts-within 1)."
        )
    if state.stop == "answered":
        raise InputError(f"Every disputed row of {name} is answered, so no question is left.")
    if budget is None:
        return
    if state.budget >= state.disputed:
        raise InputError(f"The budget of {name} already covers all {state.disputed:,} disputed rows.")
    if budget <= state.budget:
        raise OptionError(
            f"The budget of {name} is {quantity(state.budget, 'question')} already. Give a larger one; got {budget!r}."
        )
    if budget > state.disputed:
        raise OptionError(
            f"{name} has {quantity(state.disputed, 'disputed row')}, so at most {quantity(state.disputed, 'question')} "
            f"can be asked. Give a smaller budget; got {budget!r}."
        )
