"""The accuracy of several systems in every period, and their ranking under any policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.errors import InputError
from justesse.frames.count import opened
from justesse.frames.versions import count_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.policy_flip import flips, smallest_change
from justesse.verbs.lifelong.complete_rows import complete_rows
from justesse.verbs.lifelong.map import all_moments
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.paired_versions import check_trained_alike, seen_periods, version_at
from justesse.verbs.lifelong.timeline import periods_of, version_columns

TRAINED = "trained"  # the column with the time of training, if there is one of this name


@dataclass(frozen=True)
class RankedSystem:
    """A system under a policy: its accuracy, its items, and what would turn it and the leader around.

    Parameters
    ----------
    place
        Place of the system in the scores.
    accuracy
        Weighted mean of the accuracies in the periods.
    n
        Items of the periods that have a weight.
    period, factor
        The smallest change of one weight that puts it level with the leader: times `factor` in `period`. `None` for the
        leader, or if no change of one weight does.
    flips
        Where the order of the two flips between past (-1), uniform (0) and recent (1).
    """

    place: int
    accuracy: float
    n: int
    period: int | None
    factor: float | None
    flips: tuple[float, ...]


@dataclass(frozen=True)
class SystemScores:
    """The accuracy of each system's last version in each period that counts for it.

    Parameters
    ----------
    systems, versions
        Names of the systems, and the versions compared.
    periods
        Names of the periods, the oldest first.
    accuracy, sizes
        Accuracies and numbers of items, systems down, periods across.
    """

    systems: tuple[str, ...]
    versions: tuple[str, ...]
    periods: tuple[str, ...]
    accuracy: FloatArray
    sizes: FloatArray

    def ranking(self, weights: FloatArray) -> list[RankedSystem]:
        """Rank the systems under these weights, which need not add up to 1; the best comes first.

        >>> scores = SystemScores(("a", "b"), ("1", "1"), ("x", "y"), np.array([[0.9, 0.6], [0.8, 0.8]]), np.full((2, 2), 50.0))
        >>> [(row.place, round(row.accuracy, 3), row.n, row.period) for row in scores.ranking(np.array([1.0, 1.0]))]
        [(1, 0.8, 100, None), (0, 0.75, 100, 1)]
        >>> scores.ranking(np.array([1.0, 1.0]))[1].factor.__round__(3)
        0.5
        """
        shares = np.asarray(weights, dtype=float) / np.sum(weights)
        values = self.accuracy @ shares
        order = sorted(range(len(values)), key=lambda at: (-values[at], at))
        ranked = []
        for at in order:
            gaps = self.accuracy[order[0]] - self.accuracy[at]
            change = None if at == order[0] else smallest_change(shares, gaps)
            ranked.append(
                RankedSystem(
                    at,
                    float(values[at]),
                    int(self.sizes[at][shares > 0].sum()),
                    None if change is None else change.period,
                    None if change is None else change.factor,
                    () if at == order[0] else tuple(flips(gaps, steps=200)),
                )
            )
        return ranked


def system_scores(
    systems: Sequence[Any],
    names: Sequence[str],
    *,
    period: str | float | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
) -> SystemScores:
    """Count every system in every period; refuse systems that were never tested in the same one.

    A column named trained has the times of training.

    Parameters
    ----------
    systems
        Path, data frame or dict of each system, with a row for each test item and version.
    names
        Their names.
    period
        Length of a test period: day, week, month, quarter or year for dates, a number for numbers.
    convention
        Periods that count for a version.
    """
    sources = [watched(data) for data in systems]
    table = opened(sources[0])[0]
    columns = version_columns(table, None, None, TRAINED if TRAINED in table.columns else None)
    with complete_rows():
        counted = [count_versions(data, columns) for data in sources]
    versions = [version_at(counts, None) for counts in counted]
    for other, name in zip(counted[1:], versions[1:], strict=True):
        check_trained_alike(counted[0], other, (versions[0], name))
    timeline = all_moments(counted)
    periods = periods_of(timeline, period)
    seen = seen_periods(timeline, periods, timeline.versions.index(versions[0]), convention)
    place = {text: at for at, text in enumerate(timeline.written)}
    errors, sizes = (np.zeros((len(counted), len(periods.names))) for _ in range(2))
    for at, (counts, version) in enumerate(zip(counted, versions, strict=True)):
        moments = periods.of_moment[[place[text] for text in counts.written]]
        row = counts.versions.index(version)
        np.add.at(errors[at], moments, counts.errors[row])
        np.add.at(sizes[at], moments, counts.sizes[row])
    both = [j for j in seen if (sizes[:, j] > 0).all()]
    if not both:
        raise InputError(
            "There is no period in which all systems were tested. Choose systems tested at the same times."
        )
    for data in sources:
        check_unchanged(data)
    accuracy = 1 - errors[:, both] / sizes[:, both]
    return SystemScores(tuple(names), tuple(versions), tuple(periods.names[j] for j in both), accuracy, sizes[:, both])
