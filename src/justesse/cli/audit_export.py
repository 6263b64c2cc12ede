"""`justesse audit export`."""

from typing import Annotated

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.verbs.audit.options import CopyOptions


def export(
    audit: str, /, *, copy: Annotated[CopyOptions, Parameter(name="*")], delivery: Delivery = Delivery()
) -> None:
    """Copy an audit with every answer, also while others are answering.

    For example:

      justesse audit export my.audit --to copy.audit

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    """
    from justesse.verbs.audit.export import audit_export

    delivery.check(audit)
    delivery.deliver(audit_export(audit, copy.to))
