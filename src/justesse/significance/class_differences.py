"""The difference of a measure between two classifiers, for every class at once."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.results import Estimate, Interval
from justesse.intervals.bootstrap import bootstrap as resampled
from justesse.measures import Confusion
from justesse.measures.ratio import Ratio
from justesse.significance.clustered_classes import clustered_classes
from justesse.significance.mcnemar import mcnemar_pvalues
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import STILL, Compared, measured_difference, paired_delta

FEW_APART = 5  # with fewer rows that only one of the two calls by a class's name, the spread cannot be estimated


@dataclass(frozen=True, eq=False)
class ClassDifferences:
    """A measure of every class, by both classifiers, and the differences; positive means that the candidate is better.

    `pvalues` are those of McNemar's exact test, or of the cluster-robust one if rows come in clusters, not corrected;
    `None` where the measure has none.
    """

    incumbent: Array
    candidate: Array
    differences: tuple[Estimate, ...]
    pvalues: tuple[float | None, ...]


def class_differences(
    case: Case,
    measure: Ratio,
    *,
    level: float = 0.95,
    bootstrap: PairedResampling = "none",
    draws: int = 2000,
    seed: int = 0,
) -> ClassDifferences:
    """Compare a measure of every class, each with its own interval.

    Shares of the same rows for both (recall, specificity) get Tango's score interval and McNemar's exact test; other
    measures the delta method, or a paired bootstrap of the counts. If rows come in clusters, all are cluster-robust.
    The intervals are those of single classes: pass a higher `level` so that they hold together (`simultaneous_level`).

    Parameters
    ----------
    case
        The counted rows: labels and the answers of both classifiers.
    measure
        Measure of a class, such as recall.
    level
        Confidence level of each interval. Default: 0.95.
    bootstrap
        Whether to resample measures that are not shares of the same rows. Default: none, the delta method.
    draws
        Number of bootstrap resamples. Default: 2000.
    seed
        Seed of the random numbers. Default: 0.

    >>> from justesse.core.tally import Tally
    >>> from justesse.measures import recall
    >>> cells = [("a", "a", "a", 80), ("a", "b", "a", 15), ("a", "a", "b", 5), ("b", "b", "b", 100)]
    >>> compared = class_differences(Case(Tally.of(("label", "incumbent", "candidate"), cells)), recall)
    >>> difference = compared.differences[0]
    >>> round(difference.value, 2), str(difference.interval), round(compared.pvalues[0], 4)
    (0.1, '[0.0134, 0.1924]', 0.0414)
    """
    classes = case.tally.classes
    tables = Confusion.of(case.incumbent), Confusion.of(case.candidate)
    incumbent, candidate = (measure.value(table) for table in tables)
    values = (1 if measure.greater_is_better else -1) * (candidate - incumbent)
    pvalues: list[float | None] = [None] * len(classes)
    sizes = np.full(len(classes), case.n)
    if case.clustered:
        ends, pvalues, sizes = clustered_classes(
            case, measure, level=level, bootstrap=bootstrap, draws=draws, seed=seed
        )
    elif measure.same_rows:
        ends, pvalues, sizes = _shares(case, level, own_rows=measure.same_rows == "labelled")
    else:
        ends = _others(case, Compared(measure), level, bootstrap, draws, seed)
    apart = _called_apart(case)
    differences = []
    for k, class_name in enumerate(classes):
        value = float(values[k])
        interval = None if math.isnan(value) else ends[k]
        reason = measure.reason if math.isnan(value) else None if interval else STILL
        if not reason and not measure.same_rows and apart[k] < FEW_APART:
            interval, reason = None, _few(int(apart[k]))
        differences.append(Estimate(f"{measure.name} difference", value, sizes[k], interval, reason, class_name))
    return ClassDifferences(incumbent, candidate, tuple(differences), tuple(pvalues))


def _few(rows: int) -> str:
    return "only 1 row tells the two apart" if rows == 1 else f"only {rows} rows tell the two apart"


def _called_apart(case: Case) -> Any:
    """Count, for every class, the rows that only one of the two calls by its name."""
    tally = case.tally.marginal("incumbent", "candidate")
    first, other = tally.codes.T
    differ = first != other
    size = len(tally.classes)
    return sum(np.bincount(side[differ], tally.counts[differ], minlength=size) for side in (first, other))


def _shares(case: Case, level: float, *, own_rows: bool) -> tuple[list[Interval | None], list[float | None], Any]:
    """Compare how often each is right on the rows of every class at once, or on the rows of all others.

    Returns Tango's intervals, McNemar's exact p-values and the numbers of rows.
    """
    tally = case.tally.marginal("label", "incumbent", "candidate")
    label, incumbent, candidate = tally.codes.T
    size = len(case.tally.classes)

    def counts(codes: Any, where: Any) -> Any:
        return np.bincount(codes[where], tally.counts[where], minlength=size)

    if own_rows:
        only_incumbent = counts(label, (incumbent == label) & (candidate != label))
        only_candidate = counts(label, (incumbent != label) & (candidate == label))
        sizes = counts(label, label >= 0)
    else:  # on rows of other classes, whoever does not predict the class is right
        only_incumbent = counts(candidate, (candidate != label) & (candidate != incumbent))
        only_candidate = counts(incumbent, (incumbent != label) & (candidate != incumbent))
        sizes = case.n - counts(label, label >= 0)
    ends = paired_difference(only_incumbent, only_candidate, sizes, level=level)
    intervals = ends.intervals(bounds=(-1.0, 1.0))
    return intervals, mcnemar_pvalues(only_incumbent, only_candidate, method="exact").tolist(), sizes


def _others(
    case: Case, compared: Compared, level: float, bootstrap: PairedResampling, draws: int, seed: int
) -> list[Interval | None]:
    """Compute the intervals of a measure that is not a share of the same rows."""
    tally = case.tally.marginal("label", "incumbent", "candidate")
    if bootstrap == "none":
        whole = Case(tally)
        return [
            paired_delta(whole, replace(compared, at=k), level=level) if judged else None
            for k, judged in enumerate(tally.judged)
        ]
    ends = resampled(tally, measured_difference(compared), level=level, draws=draws, seed=seed, vectorised=True)
    return ends.intervals(bounds=compared.bounds)
