"""`justesse lifelong audit INCUMBENT CANDIDATE`."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.audit_status import AnswerDelivery
from justesse.cli.groups import DECISION, EXPERT, INPUT, OUTPUT, POLICY
from justesse.cli.output import patience
from justesse.verbs.audit.options import AuditFileOptions
from justesse.verbs.lifelong.options import (
    PolicyAuditOptions,
    PolicyExpertOptions,
    PolicyOptions,
    VersionItemOptions,
    VersionOptions,
)


def audit(
    incumbent: str,
    candidate: str,
    /,
    *,
    columns: Annotated[VersionOptions, INPUT] = VersionOptions(),
    pairing: Annotated[VersionItemOptions, INPUT] = VersionItemOptions(),
    policy: Annotated[PolicyOptions, POLICY] = PolicyOptions(),
    expert: Annotated[PolicyExpertOptions, EXPERT] = PolicyExpertOptions(),
    decision: Annotated[PolicyAuditOptions, DECISION] = PolicyAuditOptions(),
    no_futility: Annotated[bool, Parameter(name="--no-futility", negative=(), group="Decision")] = False,
    written: Annotated[AuditFileOptions, OUTPUT],
    delivery: AnswerDelivery = AnswerDelivery(),
) -> None:
    """Ask an expert which of two systems is better under a policy, where the policy's weight lies.

    Makes an audit file; go on with `justesse audit ask`, `next`, `answer` and `status`. Always valid: look whenever
    you like.

    For example:

      justesse lifelong audit old.csv new.csv --policy recent --to my.audit \\
          --budget 200 --show text

      justesse audit ask my.audit

    Parameters
    ----------
    incumbent
        Table of the system in use: a row for each test item and version.
    candidate
        Table of the system that could replace it, with the same columns.
    no_futility
        Do not stop if the remaining questions are unlikely to settle it.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.audit import lifelong_audit

    delivery.check(incumbent, candidate, to=written.file)
    groups = (columns, pairing, policy, expert, decision, written)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    with patience("Looking for disagreements", progress):
        status = lifelong_audit(incumbent, candidate, futility=not no_futility, **options)
    delivery.deliver(status)
