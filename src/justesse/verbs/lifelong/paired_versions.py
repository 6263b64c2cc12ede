"""The same version of two systems: which periods count for it, and the items that both answered."""

from dataclasses import replace

import numpy as np

from justesse.core.choices import LifelongConvention
from justesse.core.errors import InputError
from justesse.frames.version_pairs import MomentPairs
from justesse.frames.versions import VersionCounts
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.verbs.lifelong.timeline import next_periods


def version_at(counts: VersionCounts, at: str | None) -> str:
    """Return the version to compare: the one named, or the last."""
    if at is None:
        return counts.versions[-1]
    if at not in counts.versions:
        raise InputError(f"{counts.where} has no version {at!r}. Versions: {', '.join(map(repr, counts.versions))}.")
    return at


def check_trained_alike(incumbent: VersionCounts, candidate: VersionCounts, versions: tuple[str, str]) -> None:
    """Refuse versions trained at different times: one of them may have been trained on what the other is tested on."""
    if incumbent.trained is None or candidate.trained is None:
        return
    first = incumbent.trained[incumbent.versions.index(versions[0])]
    second = candidate.trained[candidate.versions.index(versions[1])]
    if first != second:
        raise InputError(
            f"Version {versions[0]!r} of the incumbent and version {versions[1]!r} of the candidate were trained at different "
            "times, so that one may know items that the other is tested on. Choose versions trained at the same time "
            "(at=…, --at)."
        )


def seen_periods(counts: VersionCounts, periods: Periods, row: int, convention: LifelongConvention) -> list[int]:
    """Return the periods that count for a version and in which it was tested."""
    after = next_periods(counts, periods)
    tested = np.zeros(len(periods.names))
    np.add.at(tested, periods.of_moment, counts.sizes[row])
    values = np.where(tested > 0, 0.0, np.nan)[None, :]
    matrix = ScoreMatrix((counts.versions[row],), periods.names, values, (after[row],))
    seen = matrix.seen(0, convention).tolist()
    if not seen:
        raise InputError(
            f"No test period counts for version {counts.versions[row]!r} under the convention {convention}. Choose a later "
            "version (at=…, --at), or the convention through-next."
        )
    return [int(j) for j in seen]


def with_pairs(counts: VersionCounts, row: int, pairs: MomentPairs) -> VersionCounts:
    """Add the pairs whose label only the candidate's table has: a period counts for the incumbent if it has any.

    Parameters
    ----------
    counts
        Rows of the incumbent that have a label.
    row
        Version of the incumbent.
    pairs
        Items that both answered and whose label one of the tables has.
    """
    sizes = counts.sizes.copy()
    sizes[row, [counts.written.index(name) for name in pairs.written]] += pairs.sizes
    return replace(counts, sizes=sizes)


def paired_blocks(pairs: MomentPairs, counts: VersionCounts, periods: Periods) -> PairedBlocks:
    """Add up the items of each period and block of time."""
    place = {name: at for at, name in enumerate(counts.written)}
    moment = np.array([place[name] for name in pairs.written], dtype=np.int64)
    blocks = blocks_of(counts.moments, periods.of_moment, counts.dated)
    first = np.unique(blocks, return_index=True)[1]
    sums = [
        np.bincount(blocks[moment], part, minlength=len(first)).astype(float)
        for part in (pairs.only_first, pairs.only_second, pairs.neither_differ, pairs.sizes)
    ]
    return PairedBlocks(periods.of_moment[first], *sums)
