"""Phrases about credits that several parts of an audit of several classifiers use."""

from justesse.core.class_sets import SEPARATOR
from justesse.verbs.audit.base_audit import BaseAudit

ALL_OR_NOTHING = (
    "{n:count answer} {n:plural names|name} classes ({ids:names}), and the data record scores: there the classes named get 1, all "
    "others 0, so it is no longer the recorded score that is compared. To give partial credit, answer with credits, such as {form}."
)


def credit_form(audit: BaseAudit) -> str:
    """Write how credits are given, with the separator of the audit."""
    return (audit.separator or SEPARATOR).join(("#1=1", "#2=0.5"))
