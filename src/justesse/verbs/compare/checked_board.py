"""A leaderboard of all classifiers of a comparison, if some rows were re-checked: every pair is counted."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from justesse.core.case import Case
from justesse.core.tally import Tally
from justesse.frames.together import Together
from justesse.noise.leaderboard import CheckedPair, Leaderboard, leaderboard
from justesse.noise.sample_design import SampleDesign
from justesse.verbs.compare.paired_answers import Pair

OTHER_ROWS = (
    "No leaderboard: the candidates were compared on different rows. Give files with the same ids and an answer in every "
    "row."
)


def candidate_pairs(
    tables: Sequence[tuple[str, Together]], check: Mapping[str, Any], checked: Mapping[str, Any]
) -> list[tuple[int, int, Tally, Tally]]:
    """Count the answers of each two candidates: their numbers, all rows, and the re-checked rows.

    Parameters
    ----------
    tables
        Answers of each candidate beside the incumbent's.
    check
        How answers are counted.
    checked
        The re-checked rows, and how they are read.
    """
    pairs = []
    for (at, (_, ours)), (other, (_, theirs)) in itertools.combinations(enumerate(tables, 1), 2):
        both = ours.beside(theirs)
        pairs.append((at, other, both.count(**check)[0], both.count_audited(**checked)))
    return pairs


def checked_board(
    incumbent: str,
    pairs: Sequence[Pair],
    between: Sequence[tuple[int, int, Tally, Tally]],
    *,
    level: float,
    tried: int,
    design: SampleDesign | None,
) -> tuple[Leaderboard | None, list[str]]:
    """Rank the incumbent and all candidates; nothing but a warning if they did not answer the same rows.

    Parameters
    ----------
    incumbent
        Name of the incumbent.
    pairs
        Counts of each candidate beside the incumbent.
    between
        Counts of each two candidates; see `candidate_pairs`.
    level
        Level with which all intervals hold together.
    tried
        Number of classifiers tried.
    design
        How the re-checked rows were drawn, if some were likelier than others.
    """
    counted = {
        (0, at): CheckedPair(Case(pair.tally), pair.sample)
        for at, pair in enumerate(pairs, 1)
        if pair.sample is not None
    }
    counted |= {(at, other): CheckedPair(Case(tally), sample) for at, other, tally, sample in between}
    if len({pair.case.n for pair in counted.values()}) > 1:
        return None, [OTHER_ROWS]
    names = [incumbent, *(pair.name for pair in pairs)]
    return leaderboard(names, counted, level=level, tried=tried, design=design), []
