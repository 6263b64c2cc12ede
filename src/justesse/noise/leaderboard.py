"""Several classifiers ranked by many labels and a few re-checked rows: accuracies, all differences, possible ranks."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, finite_or_none
from justesse.core.tally import Tally
from justesse.measures import accuracy
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.sample_design import SampleDesign
from justesse.significance.multiplicity import simultaneous_level


@dataclass(frozen=True)
class CheckedPair:
    """Counts of two classifiers on all rows, and on the re-checked rows (true × label × incumbent × candidate)."""

    case: Case
    sample: Tally


@dataclass(frozen=True)
class Standing:
    """One classifier on the leaderboard.

    Parameters
    ----------
    name
        Its name.
    accuracy
        Accuracy against the true classes.
    measured
        Accuracy against the labels.
    best_rank, worst_rank
        Ranks that it can have; 1 is the best.
    worth
        Number of re-checked rows that alone would give an interval as narrow.
    """

    name: str
    accuracy: Estimate
    measured: float
    best_rank: int
    worst_rank: int
    worth: float

    @property
    def rank(self) -> str:
        """The possible ranks in words."""
        return str(self.best_rank) if self.best_rank == self.worst_rank else f"{self.best_rank} to {self.worst_rank}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rank": [self.best_rank, self.worst_rank],
            "accuracy": self.accuracy.to_dict(),
            "measured": self.measured,
            "worth": finite_or_none(self.worth),
        }


@dataclass(frozen=True)
class Lead:
    """How much more accurate `first` is than `second`."""

    first: str
    second: str
    difference: Estimate

    @property
    def ahead(self) -> str | None:
        """Name of the classifier that is more accurate, if the interval excludes 0."""
        ends = self.difference.interval
        if ends is None or ends.unclipped_low <= 0 <= ends.unclipped_high:
            return None
        return self.first if ends.unclipped_low > 0 else self.second

    def to_dict(self) -> dict[str, Any]:
        return {"first": self.first, "second": self.second, "ahead": self.ahead, **self.difference.to_dict()}


@dataclass(frozen=True)
class Leaderboard:
    """Classifiers, the most accurate first, and all differences between two of them.

    Parameters
    ----------
    standings
        The classifiers.
    leads
        Difference of each pair, the higher classifier first.
    level
        Level with which all accuracies hold together; so do all differences and ranks.
    tried
        Number of classifiers that the intervals are corrected for.
    assumptions
        What the figures rest on.
    """

    standings: tuple[Standing, ...]
    leads: tuple[Lead, ...]
    level: float
    tried: int
    assumptions: tuple[str, ...]

    @property
    def contenders(self) -> tuple[str, ...]:
        """Classifiers that may be the most accurate."""
        return tuple(standing.name for standing in self.standings if standing.best_rank == 1)

    def to_dict(self) -> dict[str, Any]:
        return {
            "standings": [standing.to_dict() for standing in self.standings],
            "differences": [lead.to_dict() for lead in self.leads],
            "contenders": list(self.contenders),
            "level": self.level,
            "tried": self.tried,
            "assumptions": list(self.assumptions),
        }


def leaderboard(
    names: Sequence[str],
    pairs: Mapping[tuple[int, int], CheckedPair],
    *,
    level: float = 0.95,
    tried: int | None = None,
    design: SampleDesign | None = None,
) -> Leaderboard:
    """Rank classifiers by their accuracy against the true classes, of which only a sample is known.

    Parameters
    ----------
    names
        Names of the classifiers.
    pairs
        Counts of each pair (i, j) with i < j: classifier i as incumbent, j as candidate, all on the same rows.
    level
        Level with which all accuracies hold together; so do all differences, and all ranks.
    tried
        Number of classifiers tried, if more than are given here.
    design
        Strata that the rows were drawn from, if some rows were likelier than others. Default: a simple random sample.

    Notes
    -----
    Accuracies as in `recheck`, each at the level 1 - (1 - level)/m for m classifiers; differences as in
    `recheck_difference`, corrected for all m·(m - 1)/2 pairs (Bonferroni). A classifier's best rank is 1 plus the
    number of others that are surely better, its worst rank leaves the surely worse ones below it: where all differences
    hold, all ranks do. Right for any label errors. Do not use it if the rows were not drawn at random. Angelopoulos et
    al. (2023), Prediction-powered inference; Mogstad et al. (2024), Inference for ranks.

    Examples
    --------
    >>> def pair(old, new):
    ...     cells = [(1, 1, 1, 800), (1, 1, 0, old), (1, 0, 1, new), (1, 0, 0, 200 - old - new)]
    ...     part = [(1, *row, n // 4) for *row, n in cells]
    ...     whole = Tally.of(("label", "incumbent", "candidate"), cells)
    ...     return CheckedPair(Case(whole), Tally.of(("true", "label", "incumbent", "candidate"), part))
    >>> board = leaderboard(["a", "b", "c"], {(0, 1): pair(80, 12), (0, 2): pair(60, 48), (1, 2): pair(8, 64)})
    >>> [(row.name, row.best_rank, row.worst_rank) for row in board.standings], board.contenders
    ([('a', 1, 2), ('c', 1, 2), ('b', 3, 3)], ('a', 'c'))
    """
    entered = len(names)
    total = entered if tried is None else tried
    if entered < 2 or total < entered:
        raise OptionError(f"A leaderboard needs two classifiers or more, and tried at least as many; got {names!r}.")
    sizes = {pair.case.n for pair in pairs.values()}
    if len(sizes) > 1:
        raise OptionError("The classifiers answered different rows, so they cannot be ranked together.")
    each = simultaneous_level(level, total)
    apart = simultaneous_level(level, total * (total - 1) // 2)
    estimates, worths, measured = [], [], []
    for at in range(entered):
        first = next((i, j) for i, j in pairs if at in (i, j))
        side = "incumbent" if first[0] == at else "candidate"
        case, other = pairs[first].case, "candidate" if side == "incumbent" else "incumbent"
        kept = [axis for axis in pairs[first].sample.axes if axis != other]
        rows = case.incumbent if side == "incumbent" else case.candidate
        sample = pairs[first].sample.marginal(*kept).renamed(**{side: "prediction"})
        rung = recheck(rows, sample, [accuracy], level=each, design=design)
        estimates.append(rung.figures[0])
        worths.append(rung.powered.worth if rung.powered else math.nan)
        measured.append(float(accuracy(rows)))
    order = sorted(range(entered), key=lambda at: (-estimates[at].value, at))
    leads = []
    for high, low in itertools.combinations(order, 2):
        pair = pairs[min(high, low), max(high, low)]
        difference = recheck_difference(pair.case, pair.sample, level=apart, design=design).figures[0]
        leads.append(Lead(names[high], names[low], difference if high > low else _turned(difference)))
    ahead = [(lead.ahead, {lead.first, lead.second} - {lead.ahead}) for lead in leads if lead.ahead]
    standings = tuple(
        Standing(
            names[at],
            estimates[at],
            measured[at],
            1 + sum(names[at] in losers for _, losers in ahead),
            entered - sum(winner == names[at] for winner, _ in ahead),
            worths[at],
        )
        for at in order
    )
    return Leaderboard(standings, tuple(leads), level, total, rung.assumptions)


def _turned(difference: Estimate) -> Estimate:
    """Give the difference with the two in each other's place."""
    ends = difference.interval
    if ends is not None:
        ends = replace(ends, unclipped_low=-ends.unclipped_high, unclipped_high=-ends.unclipped_low)
    return replace(difference, value=-difference.value, interval=ends)
