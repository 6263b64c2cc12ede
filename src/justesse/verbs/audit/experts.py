"""How far the answers that count are certain, if several experts answered the same questions of an audit."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.annotators.bayesian import bayesian
from justesse.core.annotations import Annotations
from justesse.core.levels import identity
from justesse.core.verdict import Decision
from justesse.judges.audit_sensitivity import decision_without
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.audit.audit import Audit

FEWEST = 10  # questions answered by several experts
CERTAIN = 0.95
CHAINS, DRAWS, BURN = 2, 200, 100


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
    """

    people: int
    shared: int
    expected_wrong: float
    doubtful: tuple[int, ...]
    ids: tuple[str, ...]
    decision: Decision

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

    The verdict itself does not change: it takes the answers that count as right, within the expert error that was set at
    the start. The second verdict counts doubtful rows as "cannot say", against the side that is to be shown better. How
    often that verdict errs was not measured.
    """
    rows = [
        (row, entry.by, entry.classes[0])
        for row, settled in audit.settled.items()
        for entry in settled.people
        if entry.kind == "answer"
    ]
    people = {by for _, by, _ in rows}
    names = {identity(answer) for _, _, answer in rows}
    several = [row for row, settled in audit.settled.items() if sum(e.kind == "answer" for e in settled.people) > 1]
    if len(people) < 2 or len(several) < FEWEST or len(names) < 2:
        return None
    notes = Annotations.of(rows)
    fit = bayesian(notes, chains=CHAINS, draws=DRAWS, burn=BURN, seed=int(audit.about["seed"]))
    chances = fit.dense()
    code = {identity(name): at for at, name in enumerate(notes.classes)}
    at_item = {row: at for at, row in enumerate(notes.items)}
    counting = [
        (row, float(chances[at_item[row]][code[identity(settled.counts.classes[0])]]))
        for row, settled in sorted(audit.settled.items())
        if settled.counts is not None and settled.counts.kind == "answer" and row in at_item
    ]
    if not counting:
        return None
    doubtful = tuple(row for row, chance in counting if chance < CERTAIN)
    return ExpertDoubt(
        len(people),
        len(several),
        float(np.mean([1 - chance for _, chance in counting])),
        doubtful,
        tuple(audit.disputes[row].id for row in doubtful),
        decision_without(audit.plan, audit.drawn, audit.answers, doubtful),
    )
