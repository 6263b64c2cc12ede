"""What a comparison says if some labels are wrong: how far the true difference can be from the measured one."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.case import Case
from justesse.core.results import Estimate
from justesse.core.verdict import Verdict
from justesse.intervals.estimate import Confidence
from justesse.judges.words import ends
from justesse.noise.paired_bounds import difference_at, difference_from_counted, difference_from_rate
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.rung import Rung
from justesse.verbs.label_noise import Known, check_rate

STEPS = 40
BESIDE = "The verdict takes the labels as right; what is known of wrong ones is said beside it, and does not enter it."
EITHER, NEITHER = "either of the two may be the better one", "there may be none"


@dataclass(frozen=True)
class DifferenceIfWrong:
    """The band of possible true differences of accuracy, and what each rung the user can climb says."""

    verdict: Verdict
    known: Known
    rungs: tuple[Rung[Any], ...]
    band: tuple[tuple[float, float, float], ...]

    @property
    def warnings(self) -> list[str]:
        """What the rungs warn of, and whether what is known leaves the sign of the difference open."""
        found = [one for rung in self.rungs if rung.letter == "d" for one in rung.found]
        return [
            *([BESIDE] if self.rungs and self.verdict.judge in ("paired", "classical") else []),
            *(warning for rung in self.rungs for warning in rung.warnings),
            *(
                f"If {one.assumption}, the true difference of accuracy lies between {one.low:+.4f} and "
                f"{one.high:+.4f}: {EITHER if one.low < 0 < one.high else NEITHER}."
                for one in found
                if one.low <= 0 <= one.high and one.low < one.high
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


def difference_if_wrong(case: Case, verdict: Verdict, given: Known) -> DifferenceIfWrong:
    """Climb as far as what is known allows; the band of possible differences needs nothing."""
    confidence = Confidence(verdict.level, verdict.alternative, seed=verdict.seed)
    check_rate(case.tally, given, confidence)
    rungs: list[Rung[Any]] = []
    if given.rate:
        rungs.append(difference_from_rate(case.disagreement, given.rate))
    if given.transition:
        rungs.append(difference_from_counted(case, given.transition, seed=confidence.seed, **confidence.sides))
    if given.sample is not None:
        rungs.append(recheck_difference(case, given.sample, **confidence.sides))
    sign = verdict.breakdown.sign or abs(float(case.disagreement.difference)) / 2
    reach = min(0.5, max(0.02, 2.5 * sign, 1.5 * (given.rate[1] if given.rate else 0.0)))
    band = [(float(rate), *difference_at(case.disagreement, float(rate))) for rate in np.linspace(0, reach, STEPS + 1)]
    return DifferenceIfWrong(verdict, given, tuple(rungs), tuple(band))


def rung_sentences(found: DifferenceIfWrong) -> list[list[str]]:
    """List what each rung says of the difference: assumption, value, interval or bounds, when it fails."""
    rows = []
    for rung in found.rungs:
        for one in rung.found:
            if isinstance(one, Estimate):
                value = "undefined" if math.isnan(one.value) else f"{one.value:+.4f}"
                said = (
                    f"{ends(one.interval)} ({100 * one.interval.level:.4g} %)" if one.interval else one.undefined or "–"
                )
                rows.append([f"({rung.letter}) {rung.name}", value, said, rung.fails_when])
            else:
                said = f"{one.low:+.4f} to {one.high:+.4f} for these rows"
                rows.append([f"({rung.letter}) {one.assumption}", "", said, rung.fails_when])
    return rows
