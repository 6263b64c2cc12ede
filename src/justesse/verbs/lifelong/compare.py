"""`justesse.lifelong_compare`: two systems that keep learning, under the same policy."""

from typing import Any, get_args

import numpy as np

from justesse.core.choices import LifelongConvention
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Estimate, check_level
from justesse.core.verdict import check_margin
from justesse.frames.count import opened
from justesse.frames.version_pairs import MomentPairs, count_version_pairs
from justesse.frames.versions import VersionCounts, count_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_breakdown import policy_breakdown
from justesse.lifelong.policy_difference import PairedBlocks, policy_difference
from justesse.lifelong.policy_flip import flips, smallest_change
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.verbs.lifelong.comparison import LifelongComparison, PeriodDifference
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.timeline import next_periods, periods_of, policy_times, read_policy, version_columns
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.options.pairs import GainOptions

LEANINGS = 41  # policies between past and recent whose differences are drawn


def lifelong_compare(
    incumbent: Any,
    candidate: Any,
    *,
    on: str = "id",
    at: str | None = None,
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
    margin: float = GainOptions.margin,
    level: float = ConfidenceOptions.level,
) -> LifelongComparison:
    """Compare two systems that keep learning, at the same version and under the same policy.

    Parameters
    ----------
    incumbent
        Path, data frame or dict with a row for each test item and version of the system in use.
    candidate
        The same of the system that could replace it, with the same columns.
    on
        Column with the id of each test item, which pairs the answers of both. Default: id.
    at
        Version to compare, such as v8. Default: the last one of each system.
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
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    LifelongComparison
        `difference` is the accuracy of the candidate minus that of the incumbent under the policy, `decision` the
        answer, `flips` where the ranking turns between the policies past (-1), uniform (0) and recent (1).

    Examples
    --------
    >>> rows = {"id": list(range(200)), "version": ["a"] * 200, "time": [1] * 200, "label": ["x"] * 200}
    >>> old = {**rows, "prediction": ["x"] * 150 + ["y"] * 50}
    >>> new = {**rows, "prediction": ["x"] * 180 + ["y"] * 20}
    >>> result = lifelong_compare(old, new)
    >>> result.decision, round(result.difference.value, 2), result.breakdown.count
    ('replace', 0.15, 15)
    """
    check_level(level)
    check_margin(margin)
    if convention not in get_args(LifelongConvention):
        raise OptionError(f"convention must be one of {', '.join(get_args(LifelongConvention))}; got {convention!r}.")
    incumbent, candidate = watched(incumbent), watched(candidate)
    columns = version_columns(opened(incumbent)[0], version, time, trained)
    reading: dict[str, Any] = {"label": label, "prediction": prediction, "as_text": as_text}
    counts = count_versions(incumbent, columns, **reading)
    others = count_versions(candidate, columns, **reading)
    versions = (_version(counts, at), _version(others, at))
    _check_trained_alike(counts, others, versions)
    periods = periods_of(counts, period)
    row = counts.versions.index(versions[0])
    seen = _seen(counts, periods, row, convention)
    chosen = policy if isinstance(policy, Policy) else read_policy(policy, half_life)
    pairs = _blocks(count_version_pairs(incumbent, candidate, columns, versions, on=on, **reading), counts, periods)
    weights = chosen.weights([periods.names[j] for j in seen], policy_times(periods, chosen)[seen])
    value, interval = policy_difference(pairs, seen, weights, level=level)
    gaps = pairs.differences(seen)
    n = int(sum(pairs.of_period(j)[3].sum() for j in seen))
    leanings = []
    for lean in np.linspace(-1, 1, LEANINGS).tolist():
        powers = lean * np.asarray(seen, dtype=float)
        tilted = np.exp2(powers - powers.max())
        moved, ends = policy_difference(pairs, seen, tilted / tilted.sum(), level=level)
        leanings.append((lean, moved, ends.low, ends.high))
    change = smallest_change(weights, gaps)
    check_unchanged(incumbent)
    check_unchanged(candidate)
    return LifelongComparison(
        difference=Estimate("policy_difference", value, n, interval, words="Difference under the policy"),
        margin=margin,
        versions=versions,
        periods=tuple(
            PeriodDifference(periods.names[j], float(weight), float(gap), int(pairs.of_period(j)[3].sum()))
            for j, weight, gap in zip(seen, weights, gaps, strict=True)
        ),
        policy=chosen,
        convention=convention,
        breakdown=policy_breakdown(pairs, seen, weights),
        flips=tuple(flips(gaps, seen)),
        change=None if change is None else (periods.names[seen[change.period]], change.factor),
        leanings=tuple(leanings),
        on=on,
        sources=(incumbent, candidate),
    )


def _version(counts: VersionCounts, at: str | None) -> str:
    if at is None:
        return counts.versions[-1]
    if at not in counts.versions:
        raise InputError(f"{counts.where} has no version {at!r}. Versions: {', '.join(map(repr, counts.versions))}.")
    return at


def _check_trained_alike(incumbent: VersionCounts, candidate: VersionCounts, versions: tuple[str, str]) -> None:
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


def _seen(counts: VersionCounts, periods: Periods, row: int, convention: LifelongConvention) -> list[int]:
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


def _blocks(pairs: MomentPairs, counts: VersionCounts, periods: Periods) -> PairedBlocks:
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
