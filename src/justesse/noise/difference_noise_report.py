"""What wrong labels do to a comparison: how far the true difference can be from the measured one."""

from dataclasses import dataclass
from typing import Any

from justesse.core.case import Case
from justesse.core.verdict import Verdict
from justesse.intervals.estimate import Confidence
from justesse.noise.label_knowledge import LabelKnowledge, check_stated_rate
from justesse.noise.paired_bounds import difference_band, difference_from_counted, difference_from_rate
from justesse.noise.rate_range import row_rates
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.rung import Rung

STEPS = 200  # points of the band
NOT_IN_VERDICT = (
    "The verdict takes the labels as right. What you know about wrong labels is shown, but does not change the verdict."
)
EITHER, NEITHER = "either of the two may be better", "there may be no difference"


@dataclass(frozen=True)
class DifferenceNoiseReport:
    """The true difference of accuracy on each rung of the ladder.

    Parameters
    ----------
    verdict
        Verdict on the labels.
    known
        What the user knows about the labels.
    rungs
        Results of each set of assumptions.
    band
        Lowest and highest true difference: (share of wrong labels, lowest, highest).
    trusts_labels
        Whether the judge of the verdict takes the labels as right.
    """

    verdict: Verdict
    known: LabelKnowledge
    rungs: tuple[Rung[Any], ...]
    band: tuple[tuple[float, float, float], ...]
    trusts_labels: bool = True

    @property
    def warnings(self) -> list[str]:
        """Warnings of the rungs, and bounds that leave the sign of the difference open."""
        bounds = [bound for rung in self.rungs if rung.letter == "d" for bound in rung.figures]
        return [
            *([NOT_IN_VERDICT] if self.rungs and self.trusts_labels else []),
            *(warning for rung in self.rungs for warning in rung.warnings),
            *(
                f"If {bound.assumption}, the true difference of accuracy lies between {bound.low:+.4f} and "
                f"{bound.high:+.4f}: {EITHER if bound.low < 0 < bound.high else NEITHER}."
                for bound in bounds
                if bound.low <= 0 <= bound.high and bound.low < bound.high
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        rate = self.known.rate
        return {
            "breakdown_rate": self.verdict.breakdown.to_dict(),
            "noise_rate": list(rate) if rate else None,
            "rungs": [rung.to_dict() for rung in self.rungs],
            "band": [list(point) for point in self.band],
        }


def difference_noise_report(
    case: Case, verdict: Verdict, knowledge: LabelKnowledge, *, trusts_labels: bool = True
) -> DifferenceNoiseReport:
    """Report what wrong labels do to a comparison, as far as the user's knowledge allows.

    Without any knowledge the report has the band of possible differences.

    Parameters
    ----------
    case
        Counts of both classifiers' answers.
    verdict
        Verdict on the labels; its level and seed are used.
    knowledge
        What the user knows about the labels.
    trusts_labels
        Whether the judge of the verdict takes the labels as right.
    """
    confidence = Confidence(verdict.level, verdict.alternative, seed=verdict.seed)
    check_stated_rate(case.tally, knowledge, confidence)
    rungs: list[Rung[Any]] = []
    if knowledge.rate:
        rungs.append(difference_from_rate(case.disagreement, knowledge.rate))
    if knowledge.transition:
        rungs.append(difference_from_counted(case, knowledge.transition, seed=confidence.seed, **confidence.sides))
    if knowledge.sample is not None:
        rungs.append(recheck_difference(case, knowledge.sample, design=knowledge.design, **confidence.sides))
    sign = verdict.breakdown.sign or abs(float(case.disagreement.difference)) / 2
    reach = min(0.5, max(0.02, 2.5 * sign, 1.5 * (knowledge.rate[1] if knowledge.rate else 0.0)))
    band = difference_band(case.disagreement, row_rates(reach, int(case.disagreement.n), STEPS))
    return DifferenceNoiseReport(verdict, knowledge, tuple(rungs), band, trusts_labels)
