"""Differences beside a verdict: of other measures, of each class, of each slice."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import outside_labels
from justesse.core.case import Case
from justesse.core.levels import CLUSTERS, merged
from justesse.core.printable import printable
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.tally import Tally
from justesse.judges.clustered import one_cluster
from justesse.judges.common_classes import on_common_classes
from justesse.judges.evidence import Rule
from justesse.judges.paired import exact_pvalue, paired_interval
from justesse.judges.quantity import AUC, Quantity, quantity
from justesse.measures import CLASS_HEADLINE, HEADLINE, Confusion
from justesse.measures.cost import Cost
from justesse.measures.curves import ROC_AUC
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.significance.class_differences import class_differences
from justesse.significance.clustered_difference import ONE_CLUSTER
from justesse.significance.multiplicity import simultaneous_level
from justesse.significance.paired_measure import STILL

MOST_DRAWS = 100_000  # of the permutation test of a slice


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


def worse_beyond_chance(parts: Sequence[MeasureDifference], level: float) -> list[MeasureDifference]:
    """Select the parts whose interval lies below 0, if an exact test corrected for all parts (Bonferroni) agrees.

    Intervals of macro averages are too narrow with few rows: alone, they named slices of 10 rows in half of all cases
    where there was nothing to find.
    """
    return [
        part
        for part in parts
        if (interval := part.difference.interval)
        and interval.high < 0
        and part.pvalue is not None
        and part.pvalue * len(parts) <= 1 - level
    ]


def measure_differences(case: Case, asked: Quantity, rule: Rule) -> Iterator[MeasureDifference]:
    """Compare the measure asked for and the usual ones, each with its own interval.

    Averages are over the classes where both classifiers have a value.

    >>> cells = [(1, 1, 1, 460), (1, 0, 1, 30), (1, 1, 0, 10), (0, 0, 0, 500)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> accuracy, *others = measure_differences(case, quantity("accuracy", case.tally.classes), Rule())
    >>> accuracy.title, round(accuracy.difference.value, 2), str(accuracy.difference.interval)
    ('Accuracy', 0.02, '[0.0080, 0.0336]')
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
        both = (case.scores.incumbent, case.scores.candidate)
        incumbent, candidate = (auc(ScoreCounts.of(scores, case.scores.positive)) for scores in both)
        return incumbent, candidate
    costs = asked.measure.costs if isinstance(asked.measure, Cost) else None
    tables = (Confusion.of(table, costs=costs) for table in (case.incumbent, case.candidate))
    incumbent, candidate = (float(np.atleast_1d(asked.measure.value(table))[asked.at or 0]) for table in tables)
    return incumbent, candidate


def _beside(case: Case, asked: Quantity, rule: Rule, **slice_of: Any) -> MeasureDifference:
    incumbent, candidate = _values(case, asked)
    value = asked.sign * (candidate - incumbent)
    interval = None if math.isnan(value) else paired_interval(case, asked, rule)
    reason = None
    if math.isnan(value):
        reason = (asked.measure or ROC_AUC).reason
    elif interval is None:
        reason = ONE_CLUSTER if one_cluster(case) else STILL
    difference = Estimate(f"{asked.title} difference", value, _rows(case, asked), interval, reason, asked.class_name)
    return MeasureDifference(
        asked.name,
        asked.class_name,
        incumbent,
        candidate,
        difference,
        words=asked.words,
        counts_errors=asked.counts_errors,
        **slice_of,
    )


def _rows(case: Case, asked: Quantity) -> int:
    """Count the rows that a measure is a share of; all rows if the two have different ones, as for precision."""
    where = asked.measure.same_rows if asked.measure else None
    if asked.at is None or where not in ("labelled", "not labelled"):
        return case.n
    own = int(case.tally.sums("label")[asked.at])
    return own if where == "labelled" else case.n - own


def differences_per_class(case: Case, rule: Rule) -> Iterator[MeasureDifference]:
    """Compare the headline measures of each class, with intervals that hold for all classes and measures together."""
    judged = case.tally.judged
    level = simultaneous_level(rule.level, int(judged.sum()) * len(CLASS_HEADLINE))
    each = replace(rule, level=level, alternative="two-sided")
    for measure in CLASS_HEADLINE:
        compared = class_differences(
            case, measure, level=each.level, bootstrap=each.bootstrap, draws=each.enough_draws, seed=each.seed
        )
        for k in np.flatnonzero(judged):
            asked = Quantity(measure.name, measure, case.tally.classes[k], int(k))
            yield MeasureDifference(
                measure.name,
                asked.class_name,
                float(compared.incumbent[k]),
                float(compared.candidate[k]),
                compared.differences[k],
                pvalue=compared.pvalues[k],
                words=asked.words,
            )


def slice_differences(
    case: Case, asked: Quantity, slices: Mapping[str, str], rule: Rule, *, declared: bool = False
) -> Iterator[MeasureDifference]:
    """Compare the measure on every slice, with intervals that hold for all slices of a column together.

    Averages are over the classes of the slice's own labels, unless they were `declared`, and where both classifiers
    have a value.
    """
    if asked.measure is None:
        return
    tried = sum(len(case.tally.levels[case.tally.axis(axis)]) for axis in slices)
    draws = min(MOST_DRAWS, math.ceil(20 * max(tried, 1) / (1 - rule.level)))  # p-values well below the corrected level
    clusters = (CLUSTERS,) if case.clustered else ()
    for axis in slices:
        names = case.tally.levels[case.tally.axis(axis)]
        each = replace(rule, level=simultaneous_level(rule.level, len(names)), alternative="two-sided")
        for name in names:
            part: Tally = case.tally.marginal("label", "incumbent", "candidate", *clusters, axis).select(**{axis: name})
            if not declared:
                part = replace(part, others=merged(part.others, outside_labels(part)))
            shared = on_common_classes(Case(part), asked)
            beside = _beside(shared, asked, each, column=axis.removeprefix("by "), value=name)
            if (interval := beside.difference.interval) and interval.high < 0:
                beside = replace(beside, pvalue=exact_pvalue(shared, asked, draws=draws, seed=rule.seed))
            yield beside
