"""How far the people who answered the same questions of an audit agree, and what they disagree about."""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from justesse.core.results import Estimate, Interval
from justesse.intervals.wilson import wilson
from justesse.report.writing import message
from justesse.verbs.audit.base_audit import BaseAudit


@dataclass(frozen=True)
class DiscussedQuestion:
    """A question that people answered differently, and what each answered."""

    id: str
    answers: tuple[tuple[str, str], ...]
    counts: str
    missing: int


@dataclass(frozen=True)
class ExpertAgreement:
    """Questions that several people could answer, on how many all agree, and how many each person has answered.

    "Cannot say" is no answer to agree with: it counts only in `people`.

    Parameters
    ----------
    shared
        Number of questions that several people could answer.
    same
        Number of these on which all gave the same answer.
    people
        Number of answers of each person, the most first.
    pairs
        For each two people: questions both could answer, and on how many they agree.
    disagreements
        What people disagree about, in the order drawn.
    level
        Confidence level of the interval of the share.
    """

    shared: int
    same: int
    people: tuple[tuple[str, int], ...]
    pairs: tuple[tuple[str, str, int, int], ...]
    disagreements: tuple[DiscussedQuestion, ...]

    level: float

    @property
    def estimate(self) -> Estimate:
        """The share of shared questions on which all agree, with Wilson's interval."""
        if not self.shared:
            return Estimate("agreement", math.nan, 0, undefined="no question has several answers", is_share=True)
        ends = wilson(self.same, self.shared, level=self.level)
        interval = Interval(float(ends.low), float(ends.high), self.level, "wilson", (0, 1))
        return Estimate("agreement", self.same / self.shared, self.shared, interval, is_share=True)

    @property
    def words(self) -> str:
        """The agreement in a sentence."""
        if not self.shared:
            return "No question has answers of several people yet."
        template = "All who could answer agree on {value:share} of the questions with several answers ({value:level_name} {value:share_interval}, n = {n:count})."
        return str(message(template, value=self.estimate, n=self.shared))

    def to_dict(self) -> dict[str, Any]:
        return {
            "shared": self.shared,
            "same": self.same,
            "share": self.same / self.shared if self.shared else None,
            "people": [list(each) for each in self.people],
            "pairs": [list(each) for each in self.pairs],
        }


def expert_agreement(audit: BaseAudit, *, level: float = 0.95) -> ExpertAgreement:
    """Count on how many shared questions all who could answer gave the same answer.

    The interval is of the share among questions like those shared: it assumes that they were not picked for being
    hard.
    """
    shared = [each for each in audit.settled.values() if len(each.possible) > 1]
    same = sum(not each.differ for each in shared)
    both: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    for each in shared:
        for one_entry, other in combinations(sorted(each.possible, key=lambda entry: entry.by), 2):
            both[one_entry.by, other.by] += 1
            alike[one_entry.by, other.by] += one_entry.meaning == other.meaning
    people = Counter(entry.by for each in audit.settled.values() for entry in each.people)
    apart = sorted((each for each in shared if each.differ), key=lambda each: audit.turns.get(each.row, each.row))
    return ExpertAgreement(
        shared=len(shared),
        same=same,
        people=tuple(people.most_common()),
        pairs=tuple((*pair, both[pair], alike[pair]) for pair in sorted(both)),
        disagreements=tuple(
            DiscussedQuestion(
                audit.disputes[each.row].id,
                tuple((entry.by, entry.words) for entry in each.people),
                each.words,
                audit.missing_answers(each.row),
            )
            for each in apart
        ),
        level=level,
    )
