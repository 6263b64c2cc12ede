"""`justesse audit extend`."""

from dataclasses import asdict, dataclass
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.audit_status import AnswerDelivery
from justesse.verbs.audit.options import ExtendOptions


@dataclass(frozen=True)
class SwitchedExtendOptions(ExtendOptions):
    """What an extension changes; --no-futility switches futility off."""

    futility: Annotated[bool | None, Parameter(negative="--no-futility")] = ExtendOptions.futility


def extend(
    audit: str,
    /,
    *,
    options: Annotated[SwitchedExtendOptions, Parameter(name="*")] = SwitchedExtendOptions(),
    delivery: AnswerDelivery = AnswerDelivery(),
) -> None:
    """Allow an audit more questions or more mistakes, or continue one that stopped as hopeless.

    For example:

      justesse audit extend my.audit --budget 400

      justesse audit extend my.audit --no-futility

      justesse audit extend my.audit --expert-error 5%

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    """
    from justesse.verbs.audit.extend import audit_extend

    delivery.check(audit)
    delivery.deliver(audit_extend(audit, **asdict(options)))
