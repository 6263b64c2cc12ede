"""`justesse.lifelong_score`: every version of a system under a policy over time."""

from typing import Any, get_args

import numpy as np

from justesse.core.choices import LifelongConvention
from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.frames.count import opened
from justesse.frames.versions import VersionCounts, count_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.chronology import chronology
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import policy_scores
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.result import LifelongScores
from justesse.verbs.lifelong.timeline import next_periods, periods_of, policy_times, read_policy, version_columns
from justesse.verbs.options.intervals import ConfidenceOptions


def lifelong_score(
    data: Any,
    *,
    version: str | None = None,
    time: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    trained: str | None = None,
    period: str | float | None = None,
    as_text: bool = False,
    policy: str | Policy = PolicyOptions.policy,
    half_life: float | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
    level: float = ConfidenceOptions.level,
) -> LifelongScores:
    """Score every version of a system that keeps learning, under a policy that says how much each period matters.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each test item and version.
    version
        Column with the version of the system that answered. Default: the column named version or model.
    time
        Column with the time of each test item: dates or numbers. Default: the column named time, date, period or day.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    trained
        Column with the time at which the version was trained. Default: version 1 just before the first test period,
        version 2 just before the second, and so on.
    period
        Length of a test period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default:
        all items between two trainings if the times of training are known. Otherwise each time if there are 60 or
        fewer, else the shortest that gives 60 or fewer.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    policy
        recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), a CSV with the columns
        period and weight, or a `Policy`. Default: uniform.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    LifelongScores
        `scores` has a figure for each version, `matrix` the error rate of every version in every period.

    Notes
    -----
    Prokopalo et al. (2020), equation 2, with weights that add up to 1 over the periods that count for a version.

    Examples
    --------
    >>> rows = {"version": ["a"] * 40 + ["b"] * 40, "time": ([1] * 20 + [2] * 20) * 2,
    ...         "label": ["x"] * 80, "prediction": ["x"] * 15 + ["y"] * 45 + ["x"] * 20}
    >>> result = lifelong_score(rows, policy="recent")
    >>> [(score.version, round(score.value, 3)) for score in result.scores]
    [('a', 0.25), ('b', 0.333)]
    """
    check_level(level)
    if convention not in get_args(LifelongConvention):
        raise OptionError(f"convention must be one of {', '.join(get_args(LifelongConvention))}; got {convention!r}.")
    data = watched(data)
    table = opened(data)[0]
    columns = version_columns(table, version, time, trained)
    counts = count_versions(data, columns, label=label, prediction=prediction, as_text=as_text)
    periods = periods_of(counts, period)
    after = next_periods(counts, periods)
    matrix = _matrix(counts, periods, after)
    chosen = policy if isinstance(policy, Policy) else read_policy(policy, half_life)
    times = policy_times(periods, chosen)
    scores = policy_scores(matrix, chosen, convention=convention, times=times, level=level)
    check_unchanged(data)
    return LifelongScores(
        matrix=matrix,
        policy=chosen,
        convention=convention,
        scores=tuple(scores),
        chronology=tuple(chronology(after, len(periods.names))),
        trained_known=counts.trained is not None,
        length=periods.length,
        level=level,
        columns={
            "version": columns.version,
            "time": columns.time,
            "label": counts.columns[0],
            "prediction": counts.columns[1],
        },
        source=data,
    )


def _matrix(counts: VersionCounts, periods: Periods, after: list[int]) -> ScoreMatrix:
    shape = (len(counts.versions), len(periods.names))
    errors, sizes = np.zeros(shape), np.zeros(shape)
    for version in range(shape[0]):
        np.add.at(errors[version], periods.of_moment, counts.errors[version])
        np.add.at(sizes[version], periods.of_moment, counts.sizes[version])
    values = np.divide(errors, sizes, out=np.full(shape, np.nan), where=sizes > 0)
    return ScoreMatrix(counts.versions, periods.names, values, tuple(after), False, _time_blocks(counts, periods))


def _time_blocks(counts: VersionCounts, periods: Periods) -> TimeBlocks:
    """Add up what lies in the same period and the same block of time."""
    block = blocks_of(counts.moments, periods.of_moment, counts.dated)
    first = np.unique(block, return_index=True)[1]
    shape = (len(counts.versions), len(first))
    totals, sizes = np.zeros(shape), np.zeros(shape)
    for version in range(shape[0]):
        np.add.at(totals[version], block, counts.errors[version])
        np.add.at(sizes[version], block, counts.sizes[version])
    return TimeBlocks(periods.of_moment[first], totals, sizes)
