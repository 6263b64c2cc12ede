"""Differences beside the verdict: of other measures, of each class, of each slice."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import outside_labels
from justesse.core.case import Case
from justesse.core.levels import merged
from justesse.core.printable import printable
from justesse.core.results import ClassName, Estimate, Interval, finite_or_none
from justesse.core.tally import Tally
from justesse.intervals.bootstrap import bootstrap
from justesse.judges.common_classes import on_common_classes
from justesse.judges.evidence import STILL, Rule
from justesse.judges.paired import exact_pvalue, paired_interval
from justesse.judges.quantity import PER_CLASS, Quantity, quantity
from justesse.measures import Confusion
from justesse.measures.cost import Cost
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.significance.mcnemar import mcnemar_pvalues
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, measured_difference, paired_delta

BESIDE = ("accuracy", "balanced_accuracy", "macro f1", "mcc", "kappa")
OF_CLASSES = ("recall", "precision")
MOST_DRAWS = 100_000  # of the permutation test of a slice
FEW_APART = 5  # rows that only one of the two calls by a class's name, under which a spread cannot be told


@dataclass(frozen=True)
class MeasureDifference:
    """A measure of both classifiers and its difference, candidate better if positive.

    `pvalue` is that of an exact test, not corrected; only recalls of classes, and slices that look worse, have one.
    """

    name: str
    class_name: ClassName
    incumbent: float
    candidate: float
    difference: Estimate
    column: str | None = None
    value: ClassName = None
    pvalue: float | None = None

    @property
    def title(self) -> str:
        if self.column is not None:
            return printable(f"{self.column} = {'(missing)' if self.value is None else self.value}")
        name = self.name.replace("_", " ")
        return name if self.class_name is None else f"{name} of {self.class_name!r}"

    def to_dict(self) -> dict[str, Any]:
        interval = self.difference.interval
        found = {
            "name": self.name,
            "class": self.class_name,
            "incumbent": finite_or_none(self.incumbent),
            "candidate": finite_or_none(self.candidate),
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
            "undefined": self.difference.undefined,
            "n": int(self.difference.n),
        }
        return found if self.column is None else {"column": self.column, "value": self.value, **found}


def measure_differences(case: Case, asked: Quantity, rule: Rule) -> Iterator[MeasureDifference]:
    """Compare the measure asked for and the usual ones, each with its own interval.

    Averages are over the classes where both classifiers have a value.
    """
    wanted = [asked] if asked.measure is not None else []
    wanted += [quantity(name, case.tally.classes) for name in BESIDE if name != asked.name]
    if case.scores:
        wanted.append(Quantity("auc", None, case.scores.class_name))
    for one in wanted:
        yield _beside(on_common_classes(case, one), one, replace(rule, alternative="two-sided"))


def _values(case: Case, asked: Quantity) -> tuple[float, float]:
    if asked.measure is None:
        assert case.scores is not None
        one, other = (ScoreCounts.of(s, case.scores.positive) for s in (case.scores.incumbent, case.scores.candidate))
        return auc(one), auc(other)
    costs = asked.measure.costs if isinstance(asked.measure, Cost) else None
    tables = (Confusion.of(table, costs=costs) for table in (case.incumbent, case.candidate))
    first, second = (np.atleast_1d(asked.measure.value(table))[asked.at or 0] for table in tables)
    return float(first), float(second)


def _beside(case: Case, asked: Quantity, rule: Rule, **of: Any) -> MeasureDifference:
    one, other = _values(case, asked)
    value = asked.sign * (other - one)
    interval = None if math.isnan(value) else paired_interval(case, asked, rule)
    reason = None
    if math.isnan(value):
        reason = asked.measure.reason if asked.measure else "both the positive class and the others must occur"
    elif interval is None:
        reason = STILL
    difference = Estimate(f"{asked.title} difference", value, case.n, interval, reason, asked.class_name)
    return MeasureDifference(asked.name, asked.class_name, one, other, difference, **of)


def class_differences(case: Case, rule: Rule) -> Iterator[MeasureDifference]:
    """Compare recall and precision class by class, with intervals that hold for all classes together."""
    classes, judged = case.tally.classes, case.tally.judged
    each = replace(rule, level=simultaneous_level(rule.level, int(judged.sum())), alternative="two-sided")
    tables = Confusion.of(case.incumbent), Confusion.of(case.candidate)
    apart = _called_apart(case)
    recalls, pvalues = _recalls(case, each)
    for name in OF_CLASSES:
        measure = PER_CLASS[name]
        one, other = (measure.value(table) for table in tables)
        ends = recalls if name == "recall" else _resampled(case, Compared(measure), each)
        sizes = tables[0].labelled if name == "recall" else np.full(len(classes), case.n)
        for k, class_name in enumerate(classes):
            if not judged[k]:
                continue
            value = float(other[k] - one[k])
            interval = None if math.isnan(value) else ends[k]
            reason = measure.reason if math.isnan(value) else None if interval else STILL
            if not reason and name == "precision" and apart[k] < FEW_APART:
                interval, reason = None, f"only {int(apart[k])} rows tell the two apart"
            found = Estimate(f"{name} difference", value, sizes[k], interval, reason, class_name)
            pvalue = float(pvalues[k]) if name == "recall" else None
            yield MeasureDifference(name, class_name, float(one[k]), float(other[k]), found, pvalue=pvalue)


def _called_apart(case: Case) -> Any:
    """Count, for every class, the rows that only one of the two calls by its name."""
    tally = case.tally.marginal("incumbent", "candidate")
    one, other = tally.codes.T
    differ = one != other
    size = len(tally.classes)
    return sum(np.bincount(side[differ], tally.counts[differ], minlength=size) for side in (one, other))


def _recalls(case: Case, rule: Rule) -> tuple[list[Interval | None], Any]:
    """Give Tango's interval of every class's recall difference at once, and McNemar's exact p-values."""
    tally = case.tally.marginal("label", "incumbent", "candidate")
    label, one, other = tally.codes.T
    size = len(case.tally.classes)

    def rows(where: Any) -> Any:
        return np.bincount(label[where], tally.counts[where], minlength=size)

    only = rows((one == label) & (other != label)), rows((one != label) & (other == label))
    intervals = paired_difference(*only, rows(label >= 0), **rule.sides).intervals(bounds=(-1.0, 1.0))
    return intervals, mcnemar_pvalues(*only, method="exact")


def _resampled(case: Case, compared: Compared, rule: Rule) -> list[Interval | None]:
    tally = case.tally.marginal("label", "incumbent", "candidate")
    if rule.bootstrap == "none":
        whole = Case(tally)
        return [
            paired_delta(whole, replace(compared, at=k), **rule.sides) if judged else None
            for k, judged in enumerate(tally.judged)
        ]
    ends = bootstrap(
        tally,
        measured_difference(compared),
        draws=rule.enough_draws,
        seed=rule.seed,
        vectorised=True,
        **rule.sides,
    )
    return ends.intervals(bounds=compared.bounds)


def slice_differences(
    case: Case, asked: Quantity, slices: Mapping[str, str], rule: Rule, *, declared: bool = False
) -> Iterator[MeasureDifference]:
    """Compare the measure on every slice, with intervals that hold for all slices of a column together.

    Averages are over the classes of the slice's own labels, unless they were `declared`, and where both classifiers have a
    value.
    """
    if asked.measure is None:
        return
    tried = sum(len(case.tally.levels[case.tally.axis(axis)]) for axis in slices)
    draws = min(MOST_DRAWS, math.ceil(20 * max(tried, 1) / (1 - rule.level)))  # p-values well below the corrected level
    for axis in slices:
        names = case.tally.levels[case.tally.axis(axis)]
        each = replace(rule, level=simultaneous_level(rule.level, len(names)), alternative="two-sided")
        for name in names:
            part: Tally = case.tally.marginal("label", "incumbent", "candidate", axis).select(**{axis: name})
            if not declared:
                part = replace(part, others=merged(part.others, outside_labels(part)))
            shared = on_common_classes(Case(part), asked)
            beside = _beside(shared, asked, each, column=axis.removeprefix("by "), value=name)
            if (interval := beside.difference.interval) and interval.high < 0:
                beside = replace(beside, pvalue=exact_pvalue(shared, asked, draws=draws, seed=rule.seed))
            yield beside
