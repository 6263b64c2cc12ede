"""How probable each gain of a row is, by a model of the mistakes of several experts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray
from justesse.judges.audit_plan import GainRange

FEWEST = 10  # rows with answers of several experts
LEFT_OUT = 0.05  # probability of the gains that a range leaves out, half of it on each side
PRIOR = 0.5  # counts added to each cell of an expert's table: few answers make nobody perfect
STEPS, CHANGE = 50, 1e-5  # of EM, per row: more would not change which gains are possible
GAINS = (-1, 0, 1)


@dataclass(frozen=True, eq=False)
class ExpertFit:
    """What a model of the experts' mistakes says of each row.

    Parameters
    ----------
    people
        Number of experts.
    shared
        Number of rows with answers of several experts.
    chances
        Probabilities of the gains -1, 0 and 1, by row.
    ranges
        The gains that remain possible, by row.
    left_out
        Mean probability that the gain of a row is outside its range.
    """

    people: int
    shared: int
    chances: dict[int, FloatArray]
    ranges: dict[int, GainRange]
    left_out: float

    def wrong(self, gains: Mapping[int, int]) -> float:
        """Return the expected share of wrong ones among these gains of rows."""
        return float(np.mean([1 - self.chances[row][gain + 1] for row, gain in gains.items()])) if gains else 0.0


def fit_experts(opinions: Sequence[tuple[int, str, int]]) -> ExpertFit | None:
    """Fit Dawid and Skene's model to row, expert and gain; `None` if too few rows have several answers.

    The classes of the model are who gains (incumbent, neither or both, candidate): there are three however many classes
    the data have, and what matters is which way an expert errs. It assumes that experts err independently. EM takes
    about a millisecond, so that it can follow every answer.

    >>> rows = [(row, who, -1 if row % 3 else 1) for row in range(12) for who in ("Ann", "Bob", "Cy")]
    >>> fit = fit_experts([*rows, (12, "Ann", 1), (12, "Bob", -1)])
    >>> fit.ranges[0], fit.ranges[12], fit.people, fit.shared
    (GainRange(low=1, high=1), GainRange(low=-1, high=1), 3, 13)
    """
    people = {by for _, by, _ in opinions}
    _, times = np.unique([row for row, _, _ in opinions], return_counts=True)
    shared = int((times > 1).sum())
    if len(people) < 2 or shared < FEWEST or len({gain for _, _, gain in opinions}) < 2:
        return None
    fit = dawid_skene(Annotations.of(opinions, classes=GAINS), prior=PRIOR, most=STEPS, tolerance=CHANGE)
    items = fit.support.annotations.items
    chances = {int(str(row)): chance for row, chance in zip(items, fit.dense(), strict=True)}
    ranges = {row: _range(chance) for row, chance in chances.items()}
    outside = [1 - chances[row][int(each.low) + 1 : int(each.high) + 2].sum() for row, each in ranges.items()]
    return ExpertFit(len(people), shared, chances, ranges, max(float(np.mean(outside)), 0.0))


def _range(chances: FloatArray) -> GainRange:
    """Leave out gains at both ends, as long as half of what may be left out is not exceeded."""
    low = int(np.argmax(np.cumsum(chances) > LEFT_OUT / 2))
    high = 2 - int(np.argmax(np.cumsum(chances[::-1]) > LEFT_OUT / 2))
    return GainRange(GAINS[low], GAINS[high])
