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
    """

    people: int
    shared: int
    expected_wrong: float
    doubtful: tuple[int, ...]
    ids: tuple[str, ...]
    decision: Decision
    rule: ExpertRule

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
        if self.rule == "model":
            return message(
                "By a model of the mistakes of {people:count expert}, from {shared:count} shared questions, {n:count} "
                "{n:plural question has|questions have} more than one possible outcome; of the others it expects "
                "{wrong:rough_share} to be wrong, and the interval allows for that. It assumes that experts err "
                "independently. If they may share mistakes, allow for them (--expert-error).",
                people=self.people,
                shared=self.shared,
                n=len(self.doubtful),
                wrong=self.expected_wrong,
            )
        if not self.doubtful:
            return message(
                "A model of the mistakes of {people:count expert}, from {shared:count} shared questions, expects "
                "{wrong:rough_share} of the answers that count to be wrong; each is at least 95 % certain. It assumes that "
                "experts err independently.",
                people=self.people,
                shared=self.shared,
                wrong=self.expected_wrong,
            )
        template = (
            "A model of the mistakes of {people:count expert}, from {shared:count} shared questions, expects "
            "{wrong:rough_share} of the answers that count to be wrong; {n:count answer} {n:plural is|are} less than 95 % "
            "certain ({ids:names}). If {n:plural it|they} counted as “cannot say”, the verdict would stay the same. It "
            "assumes that experts err independently."
        )
        if self.rule == "unanimous":
            template += " The interval allows for these mistakes. If experts may share mistakes, allow for them (--expert-error)."
        if self.decision != decision:
            template = template.replace("would stay the same", "would change to {verdict:name}")
        return message(
            template,
            people=self.people,
            shared=self.shared,
            wrong=self.expected_wrong,
            n=len(self.doubtful),
            ids=list(self.ids),
            verdict=self.decision.replace("_", " "),
        )


def expert_doubt(audit: Audit) -> ExpertDoubt | None:
    """Fit a model of the experts' mistakes to all their answers; `None` if too few questions have several.

    By majority the verdict does not depend on it. The second verdict counts doubtful rows as "cannot say", against the
    side that is to be shown better.
    """
    fit = audit.expert_fit or fit_experts(audit.opinions(), seed=int(audit.about["seed"]))
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
    return ExpertDoubt(fit.people, fit.shared, wrong, doubtful, ids, decision, audit.experts)
