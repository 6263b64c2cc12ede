"""How far the answers that count are certain, if several experts answered the same questions of an audit."""

from dataclasses import dataclass
from typing import Any

from justesse.core.choices import ExpertRule
from justesse.core.verdict import Decision
from justesse.judges.audit_sensitivity import decision_without
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.audit.audit import Audit
from justesse.verbs.audit.expert_fit import fit_experts

CERTAIN = 0.95
ADVISED = (0.01, 0.02, 0.05, 0.1, 0.2, 0.45)
NEGLIGIBLE = 0.001  # share of wrong answers that is not worth a word

EACH_WRONG = (
    "each expert is wrong about a row with probability at most {error:g}, independently from row to row; experts may share "
    "mistakes"
)
COUNTING_WRONG = "the answer that counts is wrong with probability at most {error:g}, independently from row to row"


@dataclass(frozen=True)
class ExpertDoubt:
    """What a model of the experts' mistakes says of the answers that count.

    Parameters
    ----------
    people
        Number of experts.
    shared
        Number of questions with answers of several experts.
    expected_wrong
        Expected share of wrong ones among the answers that count.
    doubtful
        Rows whose answer is less than 95 % certain.
    ids
        Ids of these rows.
    decision
        Verdict if these rows count as "cannot say".
    rule
        Which answer counts if experts disagree.
    allowed
        Share of wrong answers that the audit allows for, set by a person.
    file
        The audit file.
    """

    people: int
    shared: int
    expected_wrong: float
    doubtful: tuple[int, ...]
    ids: tuple[str, ...]
    decision: Decision
    rule: ExpertRule
    allowed: float
    file: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "experts": self.people,
            "shared": self.shared,
            "expected_wrong": self.expected_wrong,
            "doubtful": list(self.ids),
            "verdict_without_doubtful": self.decision,
        }

    def caution(self, decision: Decision) -> Text:
        """Say it in words."""
        template = (
            "A model of the mistakes of {people:count expert}, from {shared:count} shared questions, expects "
            "{wrong} of the answers that count to be wrong. It assumes that experts err independently"
        )
        template += (
            ", and the verdict depends on it: it says which answers stay possible."
            if self.rule == "model"
            else "; the verdict does not depend on it."
        )
        if self.expected_wrong > max(self.allowed, NEGLIGIBLE):
            template += (
                " The audit allows for {allowed:rough_share}, so a wrong verdict may be more likely than its level says. "
                "Allow for more: justesse audit extend {path} --expert-error {advised:g}."
            )
        if self.doubtful and self.rule == "model":
            template += " {n:count question} {n:plural has|have} more than one possible outcome ({ids:names})."
        elif self.doubtful:
            template += (
                " {n:count answer} {n:plural is|are} less than 95 % certain ({ids:names}). If {n:plural it|they} counted as "
                "“cannot say”, the verdict would "
            )
            template += "stay the same." if self.decision == decision else "change to {verdict:name}."
        return message(
            template,
            people=self.people,
            shared=self.shared,
            wrong=_few_or_share(self.expected_wrong),
            allowed=self.allowed,
            path=self.file,
            advised=_advised(self.expected_wrong),
            n=len(self.doubtful),
            ids=list(self.ids),
            verdict=self.decision.replace("_", " "),
        )


def _few_or_share(share: float) -> Text:
    """Write a share, without the digits of one that is not worth a word.

    >>> print(_few_or_share(8e-8), _few_or_share(0.0), _few_or_share(0.05), sep=", ")
    less than 0.1 %, less than 0.1 %, 5 %
    """
    if share < NEGLIGIBLE:
        return message("less than {share:rough_share}", share=NEGLIGIBLE)
    return message("{share:rough_share}", share=share)


def _advised(share: float) -> float:
    """Return the next rate above this share among those people name.

    >>> _advised(0.013), _advised(0.3)
    (0.02, 0.45)
    """
    return next((rate for rate in ADVISED if rate > share), ADVISED[-1])


def expert_assumptions(audit: Audit) -> tuple[str, ...]:
    """List the assumptions of an audit; with several experts, what the rule needs of them.

    If every answer given stays possible, a row is judged wrongly only if all who answered are wrong. The chance of that
    is at most the chance that any one of them is, whether they err together or not.
    """
    first, *others = audit.state.assumptions
    if len({entry.by for each in audit.settled.values() for entry in each.people}) > 1:
        error = audit.plan.expert_error
        if audit.experts == "unanimous":
            first = (
                str(message(EACH_WRONG, error=error))
                if error
                else "at least one of those who answered a question is right"
            )
        else:
            first = str(message(COUNTING_WRONG, error=error)) if error else "the answers that count are right"
    return first, *others


def expert_doubt(audit: Audit) -> ExpertDoubt | None:
    """Fit a model of the experts' mistakes to all their answers; `None` if too few questions have several.

    Unless the rule is `model` the verdict does not depend on it. The second verdict counts doubtful rows as "cannot say", against the
    side that is to be shown better.
    """
    fit = audit.expert_fit or fit_experts(audit.opinions())
    if fit is None:
        return None
    if audit.experts == "model":
        doubtful = tuple(row for row, each in sorted(fit.ranges.items()) if each.low < each.high)
        wrong = fit.left_out
    else:
        counting = audit.counting()
        if not counting:
            return None
        doubtful = tuple(row for row, gain in sorted(counting.items()) if fit.chances[row][gain + 1] < CERTAIN)
        wrong = fit.wrong(counting)
    decision = decision_without(audit.plan, audit.drawn, audit.answers, doubtful)
    ids = tuple(audit.disputes[row].id for row in doubtful)
    return ExpertDoubt(
        fit.people, fit.shared, wrong, doubtful, ids, decision, audit.experts, audit.plan.expert_error, audit.path.name
    )
