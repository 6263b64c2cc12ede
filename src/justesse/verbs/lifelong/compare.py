"""`justesse.lifelong_compare`: two systems that keep learning, under the same policy."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.choices import BoundedLabels, LeakedAnswer, LifelongConvention, Missing
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, check_level
from justesse.core.verdict import check_margin
from justesse.frames.count import opened
from justesse.frames.placed_versions import VersionColumns
from justesse.frames.version_labels import count_labels
from justesse.frames.version_pair_labels import count_pair_labels
from justesse.frames.version_pairs import count_version_pairs
from justesse.frames.versions import VersionCounts, count_versions
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.missing_labels import difference_bounds as difference_bounds_of_gaps
from justesse.lifelong.policy import Policy, WeightFunction
from justesse.lifelong.policy_breakdown import policy_breakdown
from justesse.lifelong.policy_difference import policy_difference
from justesse.lifelong.policy_flip import flips, smallest_change
from justesse.verbs.lifelong.comparison import LifelongComparison, PeriodDifference
from justesse.verbs.lifelong.comparison_gaps import Difference, UnlabelledPairs, block_gaps, difference_with_gaps
from justesse.verbs.lifelong.comparison_noise import ComparisonNoise, difference_bounds
from justesse.verbs.lifelong.complete_rows import bound_advice
from justesse.verbs.lifelong.label_gaps import bounds_labels
from justesse.verbs.lifelong.label_noise import read_noise_rate
from justesse.verbs.lifelong.leakage import check_leaked, guarded
from justesse.verbs.lifelong.options import PolicyOptions, TrainingOptions
from justesse.verbs.lifelong.paired_versions import (
    check_trained_alike,
    paired_blocks,
    seen_periods,
    version_at,
    with_pairs,
)
from justesse.verbs.lifelong.timeline import chosen_policy, periods_of, policy_times, version_columns
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.options.pairs import GainOptions
from justesse.verbs.recorded import recorded

LEANINGS = 41  # policies between past and recent whose differences are drawn


@recorded
def lifelong_compare(
    incumbent: Any,
    candidate: Any,
    *,
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
    policy: str | Policy | Mapping[str, float] | WeightFunction = PolicyOptions.policy,
    half_life: float | None = None,
    convention: LifelongConvention = PolicyOptions.convention,
    margin: float = GainOptions.margin,
    noise_rate: Any = None,
    true: str | None = None,
    training: Any = None,
    features: Sequence[str] | None = None,
    tolerance: float = TrainingOptions.tolerance,
    text: str | None = None,
    near: float = TrainingOptions.near,
    leaked: LeakedAnswer = TrainingOptions.leaked,
    candidate_training: Any = None,
    missing: Missing | None = None,
    missing_labels: BoundedLabels | None = None,
    probability: str | None = None,
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
    policy
        recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), a CSV with the columns
        period and weight, a `Policy`, a dict of weights by period, or a function of the times and the last time.
        Default: uniform.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %, or a CSV with the columns
        period and rate. Default: not known.
    true
        Column with the true classes, if they are known: shows the bias of each score.
    training
        Table of the items that each version was trained on, with the columns version and id. A test item among them is
        refused. Default: not checked.
    features
        Columns that are equal for the same item, if items have no id.
    tolerance
        Numbers among the features may differ by this share of the standard deviation of their column, such as 0.01.
        Default: 0, equal to six digits.
    text
        Column with a text that is nearly the same for the same item.
    near
        Similarity from which texts are nearly the same, from 0.5 to 1. Default: 0.8.
    leaked
        Test items that their version was trained on: refuse the data, drop the rows, or allow them. Default: refuse.
    candidate_training
        The same table of the candidate. Default: `training` is that of both.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label: refuse the data, drop the row, or bound the figures over all labels it could have.
        Default: refuse; drop with --missing drop; estimated with --probability.
    probability
        Column with the probability with which the label of each row was asked, above 0 and at most 1: figures are
        weighted by it. Default: not known.
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
    if check_margin(margin) >= 1:
        raise OptionError(f"No difference of error rates can be larger than the margin {margin:g}. One point is 0.01.")
    if convention not in get_args(LifelongConvention):
        raise OptionError(f"convention must be one of {', '.join(get_args(LifelongConvention))}; got {convention!r}.")
    bounding = bounds_labels(missing, missing_labels, probability, (noise_rate, true))
    answers = AnswerPolicy.of(missing, None if missing_labels == "bound" else missing_labels)
    sources = watched(incumbent), watched(candidate)
    columns = version_columns(opened(sources[0])[0], version, time, trained)
    learnt = training, training if candidate_training is None else candidate_training
    check_leaked(leaked, *learnt)
    (incumbent, first_leak), (candidate, second_leak) = (
        guarded(
            source,
            items,
            columns.version,
            on=on,
            features=features,
            tolerance=tolerance,
            text=text,
            near=near,
            leaked=leaked,
        )
        for source, items in zip(sources, learnt, strict=True)
    )
    reading: dict[str, Any] = {"label": label, "prediction": prediction, "policy": answers, "as_text": as_text}
    counts, others = (_counted(side, columns, reading, bounding) for side in (incumbent, candidate))
    versions = (version_at(counts, at), version_at(others, at))
    check_trained_alike(counts, others, versions)
    chosen = chosen_policy(policy, half_life)
    joining = {**reading, "common": common or leaked == "drop", "on": on}
    pair_gaps = None
    if bounding:
        moments, pair_gaps = count_pair_labels(
            incumbent, candidate, columns, versions, probability=probability, **joining
        )  # fmt: skip
    else:
        moments = count_version_pairs(incumbent, candidate, columns, versions, **joining)
        counts = with_pairs(counts, counts.versions.index(versions[0]), moments)
    periods = periods_of(counts, period)
    seen = seen_periods(counts, periods, counts.versions.index(versions[0]), convention)
    unlabelled = None if pair_gaps is None else block_gaps(pair_gaps, counts, periods)
    pairs = paired_blocks(moments, counts, periods)
    weights = chosen.weights([periods.names[j] for j in seen], policy_times(periods, chosen)[seen])
    sizes = pairs.sizes if unlabelled is None else pairs.sizes + unlabelled.unlabelled
    counts_for = [bool(weight > 0 or sizes[pairs.period == j].sum()) for j, weight in zip(seen, weights, strict=True)]
    seen, weights = [j for j, kept in zip(seen, counts_for, strict=True) if kept], weights[counts_for]
    difference: Difference = partial(policy_difference, pairs, seen, level=level)
    if unlabelled is not None:
        difference = difference_with_gaps(pairs, unlabelled, seen, periods.names, level=level)
    value, interval = difference(weights)
    gaps = np.array([difference(unit)[0] for unit in np.eye(len(seen))])
    n = int(sum(pairs.of_period(j)[3].sum() for j, weight in zip(seen, weights, strict=True) if weight > 0))
    leanings = []
    for lean in np.linspace(-1, 1, LEANINGS).tolist():
        powers = lean * np.asarray(seen, dtype=float)
        tilted = np.exp2(powers - powers.max())
        moved, ends = difference(tilted / tilted.sum())
        leanings.append((lean, moved, ends.low, ends.high))
    change = smallest_change(weights, gaps)
    rate, noise = read_noise_rate(noise_rate, [periods.names[j] for j in seen]), None
    if rate is not None or true is not None:
        low, high, truth = math.nan, math.nan, None
        if rate is not None:
            low, high = difference_bounds(pairs, seen, weights, value, rate, periods.names, classes=moments.classes)
        if true is not None:
            by_truth = count_version_pairs(incumbent, candidate, columns, versions, **{**joining, "label": true})
            known = paired_blocks(by_truth, counts, periods)
            items = sum(known.of_period(j)[3].sum() for j, weight in zip(seen, weights, strict=True) if weight > 0)
            corrected, ends = policy_difference(known, seen, weights, level=level)
            truth = Estimate("policy_difference", corrected, int(items), ends, words="Difference by the true classes")
        noise = ComparisonNoise(value, rate, low, high, truth)
    bounds = None
    if unlabelled is not None:
        inside = np.isin(pairs.period, [j for j, weight in zip(seen, weights, strict=True) if weight > 0])
        without, differing, certain = (
            int(part[inside].sum()) for part in (unlabelled.unlabelled, unlabelled.differing, unlabelled.certain)
        )
        least, most, ends = difference_bounds_of_gaps(
            pairs, unlabelled.unlabelled, unlabelled.differing, seen, weights, level=level
        )
        total = int(pairs.sizes[inside].sum()) + without
        bounds = UnlabelledPairs(without, differing, total, least, most, ends, probability, certain)
    labelled = [at for at, j in enumerate(seen) if pairs.of_period(j)[3].sum()]
    for source in sources:
        check_unchanged(source)
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
        breakdown=policy_breakdown(pairs, [seen[at] for at in labelled], weights[labelled]),
        flips=tuple(flips(gaps, seen)),
        change=None if change is None else (periods.names[seen[change.period]], change.factor),
        leanings=tuple(leanings),
        on=on,
        sources=sources,
        unmatched=moments.unmatched,
        alone=sum(len(pairs.of_period(j)[3]) == 1 for j in seen),
        few=sum(len(pairs.of_period(j)[3]) in (2, 3) for j in seen),
        leakage=(first_leak, second_leak),
        label_noise=noise,
        missing_labels=bounds,
        no_label=0 if bounding else moments.no_label,
        others=() if bounding else moments.others,
        zoned=counts.zoned,
    )


def _counted(data: Any, columns: VersionColumns, reading: dict[str, Any], bounding: bool) -> VersionCounts:
    """Count the rows of a table; those without a label too, if they are kept."""
    if not bounding:
        with bound_advice():
            return count_versions(data, columns, **reading)
    counts, gaps = count_labels(data, columns, **reading)
    return replace(counts, sizes=counts.sizes + gaps.unlabelled)
