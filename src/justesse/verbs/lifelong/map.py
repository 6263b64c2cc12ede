"""`justesse.lifelong_map`: several systems under many policies, and where their ranking is sure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.errors import InputError, OptionError
from justesse.core.results import ClassName, check_level
from justesse.core.seeds import check_seed
from justesse.frames.count import opened
from justesse.frames.systems import MOST, divided_by_system
from justesse.frames.version_pairs import count_version_pairs
from justesse.frames.versions import VersionCounts, count_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.periods import Periods
from justesse.lifelong.policy_flip import flips, smallest_change
from justesse.lifelong.policy_map import mapped_differences
from justesse.report.writing import message
from justesse.verbs.lifelong.complete_rows import complete_rows
from justesse.verbs.lifelong.map_result import LifelongMap, MappedPair, MapPolicy
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.paired_versions import check_trained_alike, paired_blocks, seen_periods, version_at
from justesse.verbs.lifelong.timeline import periods_of, policy_times, read_policy, version_columns
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

LEANINGS = ((-1.0, "past"), (-0.5, "past, half-life 2 periods"), (-0.25, "past, half-life 4 periods"),
            (0.0, "uniform"), (0.25, "recent, half-life 4 periods"), (0.5, "recent, half-life 2 periods"),
            (1.0, "recent"))  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRST"


@recorded
def lifelong_map(
    *systems: Any,
    system: str | None = None,
    on: str = "id",
    at: str | None = None,
    common: bool = False,
    version: str | None = None,
    time: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    trained: str | None = None,
    period: str | float | None = None,
    as_text: bool = False,
    policies: Sequence[str] | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
) -> LifelongMap:
    """Map which of several systems is better under which policy: for sure, not sure, and where the ranking flips.

    Parameters
    ----------
    systems
        Path, data frame or dict of each system, with a row for each test item and version; or one table of all systems.
    system
        Column with the name of the system, if all systems are in one table.
    on
        Column with the id of each test item, which pairs the answers of both. Default: id.
    at
        Version to compare, such as v8. Default: the last one of each system.
    common
        Compare only items that both systems answered; the others are counted and left out.
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
    policies
        Policies of the map, such as past, uniform, window:3 or a CSV with the columns period and weight. Default: from
        past to recent with half-lives of 4, 2 and 1 periods, windows and cycles that fit.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

    Returns
    -------
    LifelongMap
        `pairs` has the differences of every two systems under every policy, `best` the systems that may be best.

    Notes
    -----
    All intervals of the map hold together with the confidence level: max-t over the policies of a pair, Bonferroni over
    the pairs.

    Examples
    --------
    >>> rows = {"id": list(range(400)), "version": ["a"] * 400, "trained": [3] * 400, "time": [1] * 200 + [2] * 200,
    ...         "label": ["x"] * 400}
    >>> old = {**rows, "prediction": ["x"] * 190 + ["y"] * 10 + ["x"] * 150 + ["y"] * 50}
    >>> new = {**rows, "prediction": ["x"] * 150 + ["y"] * 50 + ["x"] * 190 + ["y"] * 10}
    >>> result = lifelong_map(old, new, trained="trained", period=1, policies=["past", "uniform", "recent"])
    >>> [(policy.name, result.best(at)) for at, policy in enumerate(result.policies)]
    [('past', ['A']), ('uniform', ['A', 'B']), ('recent', ['B'])]
    """
    check_level(level)
    check_seed(seed)
    if convention not in get_args(LifelongConvention):
        raise OptionError(f"convention must be one of {', '.join(get_args(LifelongConvention))}; got {convention!r}.")
    named = _named(systems, system)
    names, sources = list(named), list(named.values())
    columns = version_columns(opened(sources[0])[0], version, time, trained)
    reading: dict[str, Any] = {"label": label, "prediction": prediction, "as_text": as_text}
    with complete_rows():
        counted = [count_versions(data, columns, **reading) for data in sources]
    versions = [version_at(counts, at) for counts in counted]
    for other, name in zip(counted[1:], versions[1:], strict=True):
        check_trained_alike(counted[0], other, (versions[0], name))
    timeline = all_moments(counted)
    periods = periods_of(timeline, period)
    seen = seen_periods(timeline, periods, timeline.versions.index(versions[0]), convention)
    chosen = _policies(policies, periods, seen)
    weights = np.stack([policy.weights for policy in chosen])
    pairs = []
    others: list[tuple[tuple[ClassName, int], ...]] = [()] * len(names)  # by system
    for first, second in combinations(range(len(names)), 2):
        both = (sources[first], sources[second])
        moments = count_version_pairs(
            *both, columns, (versions[first], versions[second]), on=on, common=common, **reading
        )
        for place, side in ((first, "incumbent"), (second, "candidate")):
            others[place] = tuple((name, n) for axis, name, n in moments.others if axis == side)
        blocks = paired_blocks(moments, timeline, periods)
        gaps = blocks.differences(seen)
        cells = mapped_differences(
            blocks, seen, weights, level=level, comparisons=len(names) * (len(names) - 1) // 2, seed=seed
        )
        changes = [smallest_change(row, gaps) for row in weights]
        pairs.append(
            MappedPair(
                first,
                second,
                tuple(cells),
                tuple(None if each is None else (periods.names[seen[each.period]], each.factor) for each in changes),
                tuple(flips(gaps, seen)),
                int(sum(blocks.of_period(j)[3].sum() for j in seen)),
            )
        )
    for data in sources:
        check_unchanged(data)
    return LifelongMap(
        systems=tuple(names),
        versions=tuple(versions),
        periods=tuple(periods.names[j] for j in seen),
        policies=tuple(chosen),
        pairs=tuple(pairs),
        convention=convention,
        level=level,
        seed=seed,
        on=on,
        sources=tuple(sources),
        alone=sum(len(blocks.of_period(j)[3]) == 1 for j in seen),
        few=sum(len(blocks.of_period(j)[3]) in (2, 3) for j in seen),
        zoned=any(counts.zoned for counts in counted),
        others=tuple(others),
    )


def _named(systems: Sequence[Any], system: str | None) -> dict[str, Any]:
    """Name the systems: by their column, by their files, or by letters."""
    if system is not None:
        if len(systems) != 1:
            raise OptionError(f"With a column of systems (system=…, --system) give one table; got {len(systems)}.")
        return divided_by_system(watched(systems[0]), system)
    if not 2 <= len(systems) <= MOST:
        raise OptionError(
            f"A map compares 2 to {MOST} systems; got {len(systems)}. Give a table for each, or name the column of the "
            "system (system=…, --system)."
        )
    files = [Path(data).name for data in systems if isinstance(data, (str, Path))]
    stems = [Path(name).stem for name in files]
    paths = [str(data) for data in systems if isinstance(data, (str, Path))]
    names = next((each for each in (stems, files, paths) if len(set(each)) == len(each)), [])
    if len(names) < len(systems) or len(set(names)) < len(systems):
        names = list(LETTERS[: len(systems)])
    return dict(zip(names, map(watched, systems), strict=True))


def all_moments(counted: Sequence[VersionCounts]) -> VersionCounts:
    """Put the times of all systems on one line; a period counts if the first system was tested in it."""
    first = counted[0]
    if len({counts.dated for counts in counted}) > 1:
        raise InputError("Some systems have dates as times, others numbers. Write the times of all systems alike.")
    times = {
        text: moment for counts in counted for text, moment in zip(counts.written, counts.moments.tolist(), strict=True)
    }
    written = sorted(times, key=lambda text: times[text])
    place = {text: at for at, text in enumerate(written)}
    at = np.array([place[text] for text in first.written], dtype=np.int64)
    errors, sizes = (np.zeros((len(first.versions), len(written))) for _ in range(2))
    errors[:, at], sizes[:, at] = first.errors, first.sizes
    moments = np.array([times[text] for text in written])
    return replace(first, moments=moments, written=tuple(written), errors=errors, sizes=sizes)


def _policies(policies: Sequence[str] | None, periods: Periods, seen: Sequence[int]) -> list[MapPolicy]:
    """Make the policies of the map, with their weights of the periods that count."""
    names = [periods.names[j] for j in seen]

    def typed(text: str) -> MapPolicy:
        policy = read_policy(text, None)
        return MapPolicy(text, policy.words, policy.weights(names, policy_times(periods, policy)[list(seen)]))

    if policies is not None:
        if not policies or len(set(policies)) < len(policies):
            raise OptionError(f"Name at least one policy, each once; got {list(policies)}.")
        return [typed(text) for text in policies]
    if len(seen) == 1:
        return [typed("uniform")]
    line = np.asarray(seen, dtype=float)
    chosen = [MapPolicy(name, _leaning_words(lean), _tilted(lean * line)) for lean, name in LEANINGS]
    chosen += [typed(f"window:{length}") for length in (1, 3) if length < len(seen)]
    return chosen + [typed(f"cyclic:{length}") for length in (4, 12) if 2 * length <= len(seen)]


def _tilted(powers: FloatArray) -> FloatArray:
    raw = np.exp2(powers - powers.max())
    return np.asarray(raw / raw.sum())


def _leaning_words(lean: float) -> str:
    if not lean:
        return "All periods matter equally."
    many = round(1 / abs(lean))
    each = "period" if many == 1 else str(message("{n:count} periods", n=many))
    template = "{which} periods matter most: a weight halves every {each}."
    return str(message(template, which="Recent" if lean > 0 else "Old", each=each))
