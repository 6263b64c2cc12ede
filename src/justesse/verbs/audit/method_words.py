"""How an audit works, in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from justesse.judges.audit_payoffs import FEWEST
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.audit.measure import ACCURACY

if TYPE_CHECKING:
    from justesse.verbs.audit.status_result import AuditStatus

ESTIMATE = (
    "The difference above is an estimate: rows without an answer count with the mean expected from a prior (most labels are "
    "right) and the answers so far. So it need not be a whole number of rows, and each of the first answers can move it by a "
    "point or more."
)
MEASURED = (
    "Disputed rows are those whose true class can change the difference; only they are asked about. For precision and F1 these "
    "include rows on which the two agree. They are drawn at random, more often where an answer is expected to tell more, and "
    "each answer is weighted by the probability of its draw."
)
COUNTED = (
    "How much a row counts depends on the number of rows of its class. The labels give that number, and the interval is wide "
    "enough for any number within {share:g} % of it{least} (counts_within, --counts-within)."
)
HOW = (
    "Only disputed rows, those on which the two classifiers disagree, can change the difference, so only they are asked "
    "about. They are drawn at random, more often where an answer is expected to tell more, and each answer is weighted by the "
    "probability of its draw.",
    "The confidence intervals hold at every look together. Looking after every answer, and stopping at any time, does not make "
    "a wrong verdict more likely. A positive difference means that the candidate is better.",
    "“Better on this test set” and “better in the population it was drawn from” are two questions. The first is settled once "
    "every disputed row is answered. For the second, the rows are themselves a sample.",
)


def method_words(status: "AuditStatus") -> Iterator[Text]:
    """Say how the audit works, for its measure."""
    plan = status.audit.plan
    yield HOW[0] if status.audit.about.get("measure", ACCURACY) == ACCURACY else MEASURED
    if plan.counts_within is not None:
        least = message(", and at least {rows} rows", rows=FEWEST) if plan.counts_within else ""
        yield message(COUNTED, share=100 * plan.counts_within, least=least)
    yield from HOW[1:]
