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
from justesse.judges.quantity import AUC, Quantity, quantity
from justesse.measures import CLASS_HEADLINE, HEADLINE, Confusion
from justesse.measures.cost import Cost
from justesse.measures.curves import ROC_AUC
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.report.writing import message
from justesse.significance.mcnemar import mcnemar_pvalues
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, measured_difference, paired_delta

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
    words: str = ""
    counts_errors: bool = False

    @property
    def title(self) -> str:
        if self.column is not None:
            return printable(f"{self.column} = {'(missing)' if self.value is None else self.value}")
        return self.words[:1].upper() + self.words[1:]

    def to_dict(self) -> dict[str, Any]:
        interval = self.difference.interval
        result = {
            "name": self.name,
            "class": self.class_name,
            "incumbent": finite_or_none(self.incumbent),
            "candidate": finite_or_none(self.candidate),
            "difference": finite_or_none(self.difference.value),
            "interval": interval.to_dict() if interval else None,
            "undefined": self.difference.undefined,
            "n": int(self.difference.n),
        }
        return result if self.column is None else {"column": self.column, "value": self.value, **result}


def measure_differences(case: Case, asked: Quantity, rule: Rule) -> Iterator[MeasureDifference]:
    """Compare the measure asked for and the usual ones, each with its own interval.

    Averages are over the classes where both classifiers have a value.
    """
    by_area = asked.measure is None
    compared = [] if by_area else [asked]
    headline = [quantity(f"{entry.average or ''} {entry.name}".strip(), case.tally.classes) for entry in HEADLINE]
    compared += [entry for entry in headline if entry.name != asked.name]
    if case.scores:
        compared.insert(0 if by_area else len(compared), Quantity(AUC, None, case.scores.class_name))
    for item in compared:
        yield _beside(on_common_classes(case, item), item, replace(rule, alternative="two-sided"))


def _values(case: Case, asked: Quantity) -> tuple[float, float]:
    if asked.measure is None:
        assert case.scores is not None
        item, other = (ScoreCounts.of(s, case.scores.positive) for s in (case.scores.incumbent, case.scores.candidate))
        return auc(item), auc(other)
    costs = asked.measure.costs if isinstance(asked.measure, Cost) else None
    tables = (Confusion.of(table, costs=costs) for table in (case.incumbent, case.candidate))
    first, second = (np.atleast_1d(asked.measure.value(table))[asked.at or 0] for table in tables)
    return float(first), float(second)


def _beside(case: Case, asked: Quantity, rule: Rule, **of: Any) -> MeasureDifference:
    first, other = _values(case, asked)
    value = asked.sign * (other - first)
    interval = None if math.isnan(value) else paired_interval(case, asked, rule)
    reason = None
    if math.isnan(value):
        reason = (asked.measure or ROC_AUC).reason
    elif interval is None:
        reason = STILL
    difference = Estimate(f"{asked.title} difference", value, _rows(case, asked), interval, reason, asked.class_name)
    named = MeasureDifference(
        asked.name, asked.class_name, first, other, difference, words=asked.words, counts_errors=asked.counts_errors
    )
    return replace(named, **of)


def _rows(case: Case, asked: Quantity) -> int:
    """Count the rows that a measure is a share of; all rows if the two have different ones, as for precision."""
    where = asked.measure.same_rows if asked.measure else None
    if asked.at is None or where not in ("labelled", "not labelled"):
        return case.n
    own = int(case.tally.sums("label")[asked.at])
    return own if where == "labelled" else case.n - own


def class_differences(case: Case, rule: Rule) -> Iterator[MeasureDifference]:
    """Compare the headline measures of each class, with intervals that hold for all measures of all classes together."""
    classes, judged = case.tally.classes, case.tally.judged
    rows = int(judged.sum()) * len(CLASS_HEADLINE)
    each = replace(rule, level=simultaneous_level(rule.level, rows), alternative="two-sided")
    tables = Confusion.of(case.incumbent), Confusion.of(case.candidate)
    apart = _called_apart(case)
    for measure in CLASS_HEADLINE:
        sign = 1 if measure.greater_is_better else -1
        first, other = (measure.value(table) for table in tables)
        if measure.same_rows:
            ends, pvalues, sizes = _shares(case, each, own_rows=measure.same_rows == "labelled")
        else:
            ends, pvalues = _resampled(case, Compared(measure), each), [None] * len(classes)
            sizes = np.full(len(classes), case.n)
        for k, class_name in enumerate(classes):
            if not judged[k]:
                continue
            value = sign * float(other[k] - first[k])
            interval = None if math.isnan(value) else ends[k]
            reason = measure.reason if math.isnan(value) else None if interval else STILL
            if not reason and not measure.same_rows and apart[k] < FEW_APART:
                interval, reason = (
                    None,
                    str(message("only {n:count row} {n:plural tells|tell} the two apart", n=int(apart[k]))),
                )
            difference = Estimate(f"{measure.name} difference", value, sizes[k], interval, reason, class_name)
            words = str(message("{measure} of {name:name}", measure=measure.title, name=class_name))
            values = float(first[k]), float(other[k])
            yield MeasureDifference(measure.name, class_name, *values, difference, pvalue=pvalues[k], words=words)


def _called_apart(case: Case) -> Any:
    """Count, for every class, the rows that only one of the two calls by its name."""
    tally = case.tally.marginal("incumbent", "candidate")
    first, other = tally.codes.T
    differ = first != other
    size = len(tally.classes)
    return sum(np.bincount(side[differ], tally.counts[differ], minlength=size) for side in (first, other))


def _shares(case: Case, rule: Rule, *, own_rows: bool) -> tuple[list[Interval | None], list[float | None], Any]:
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
    ends = paired_difference(only_incumbent, only_candidate, sizes, **rule.sides)
    intervals = ends.intervals(bounds=(-1.0, 1.0), alternative=rule.alternative)
    return intervals, mcnemar_pvalues(only_incumbent, only_candidate, method="exact").tolist(), sizes


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
    return ends.intervals(bounds=compared.bounds, alternative=rule.alternative)


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
