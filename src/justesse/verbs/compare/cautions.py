"""What a comparison warns of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.case import Case
from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.core.true_sets import DIFFER, has_true_sets
from justesse.judges.judge import Judge
from justesse.measures import recall
from justesse.noise.plausible_noise import USUAL, is_fragile
from justesse.report.writing import written
from justesse.verbs.any_of import any_of_words
from justesse.verbs.fragile import fragile_verdict_words
from justesse.verbs.unanswered import others_words
from justesse.verbs.weak_spots import against_accepted, against_majority, poor_recalls

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Judged
    from justesse.verbs.compare.differences import MeasureDifference

FEW = 10


def cautions(
    judged: "Sequence[Judged]", tried: int, level: float, judge: Judge, plausible: float = USUAL
) -> Iterator[str]:
    """Say what a reader of the whole comparison must know, the most serious first."""
    for item in judged:
        if item.which == "labels" and is_fragile(item.verdict, plausible):
            yield f"{f'{item.name}: ' if len(judged) > 1 else ''}{fragile_verdict_words(item.verdict, plausible)}"
    if tried > 1:
        yield _charlatan(judged, tried, level)
    if judge.caution:
        yield judge.caution
    best = max(judged, key=lambda one: one.rank)  # its verdict says itself what decides it
    for item in judged:
        name = f"{item.name}: " if len(judged) > 1 else ""
        if item is not best and item.unanswered and item.unanswered.caution:
            yield f"{name}{item.unanswered.caution}"
        for sentence in _about(item):
            yield f"{name}{sentence}"
    yield from _against_majority(judged)


def _charlatan(judged: "Sequence[Judged]", tried: int, level: float) -> str:
    best = max(
        judged,
        key=lambda one: (
            one.decisive.difference.value if one.decisive.difference.value == one.decisive.difference.value else -np.inf
        ),
    )
    luck = (
        ""
        if best.luck is None
        else f" The best of {tried} candidates that are all no better than the incumbent would look at least as good as {best.name} with a chance of {_chance(best.luck)}."
    )
    return f"{tried} candidates were tried on these rows: intervals are widened from {100 * level:g} % to {100 * (1 - (1 - level) / tried):.4g} % each, so that all hold together with {100 * level:g} %, and p-values are adjusted (Holm). The intervals decide, and are the stricter of the two.{luck}"


def _chance(luck: float) -> str:
    return "less than 0.1 %" if luck < 0.001 else f"{100 * luck:.2g} %" if luck < 0.995 else "practically 1"


def _about(one: "Judged") -> Iterator[str]:
    case, table = one.case, one.decisive.disagreement
    tally = case.tally
    if one.unanswered:
        yield from one.unanswered.sentences()
    if one.gaps.dropped:
        yield f"{quantity(one.gaps.dropped, 'row')} without a label or an answer left out."
    yield from others_words(one.gaps)
    yield from any_of_words(one.gaps, tally.named_classes, apart=has_true_sets(tally))
    if one.left_out:
        names = ", ".join(map(repr, one.left_out[:5])) + (" and others" if len(one.left_out) > 5 else "")
        yield f"{one.verdict.title[:1].upper()}{one.verdict.title[1:]} is compared over the classes where both have a value; left out: {names}."
    if any(one.unmatched.values()):
        yield f"Rows that only one side has were left out: {one.unmatched['incumbent']:,} of the incumbent, {one.unmatched['candidate']:,} of the candidate. If they are missing for a reason, the rest is not a representative sample."
    apart = table.only_incumbent + table.only_candidate
    if _identical(case):
        yield "Both give the same prediction for every row. Check that these are two different classifiers."
    elif apart < FEW:
        yield f"On only {apart} rows exactly one of the two is right: the verdict depends on them alone."
    labelled = tally.sums("label", tally.counts) > 0
    rare = [k for k in np.flatnonzero(labelled) if tally.sums("label", tally.counts)[k] < FEW]
    if rare:
        yield f"Fewer than {FEW} rows are labelled {', '.join(repr(tally.classes[k]) for k in rare[:5])}: differences there can hardly be detected."
    if one.decisive.replaces:
        yield from _losses(one)
        yield from poor_recalls(case.candidate, one.verdict.level)
    if one.noise and one.which == "labels":  # known true classes leave nothing open
        yield from one.noise.warnings
    if one.truth and one.truth.decision != one.verdict.decision:
        yield f"The labels alone would give another verdict ({_spelt(one.verdict.decision)}) than the true classes ({_spelt(one.truth.decision)}): wrong labels change it. Trust the true classes."


def _spelt(decision: str) -> str:
    return decision.replace("_", " ")


def _losses(one: "Judged") -> Iterator[str]:
    """Name the classes and slices where a candidate that should replace does worse, beyond chance."""
    level = one.verdict.level
    recalls = _worse([part for part in one.classes if part.name == recall.name], level)
    if recalls:
        yield f"The candidate finds fewer rows of {_parts(recalls)}: check whether that matters."
    if parts := _worse(one.slices, level):
        yield f"The candidate does worse, beyond chance (corrected for {len(one.slices)} slices), where {_parts(parts)}."


def _worse(parts: "Sequence[MeasureDifference]", level: float) -> "list[MeasureDifference]":
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


def _parts(parts: "Sequence[MeasureDifference]") -> str:
    def shown(part: "MeasureDifference") -> str:
        name = part.title if part.column else repr(part.class_name)
        return f"{name} ({part.difference.value:+.4f}, {written('difference_interval', part.difference)})"

    return first_names(sorted(parts, key=lambda part: part.difference.value), write=shown)


def _identical(case: Case) -> bool:
    tally = case.tally
    if DIFFER in tally.axes:  # answers that differ may both be accepted
        return tally.levels[tally.axis(DIFFER)] == (False,)
    return bool(np.all(tally.codes[:, tally.axis("incumbent")] == tally.codes[:, tally.axis("candidate")]))


def _against_majority(judged: "Sequence[Judged]") -> Iterator[str]:
    """Warn if the one that would be used is no better, or hardly, than always answering the most frequent class."""
    for item in judged:
        if item.decisive.replaces:
            case = item.case if item.by_labels is None else item.case.against_truth or item.case
            axis = "label" if item.by_labels is None else "true"
            if item.gaps.several.get(axis):
                warnings = against_accepted(case.candidate, item.gaps.accepted[axis], item.verdict.level)
            else:
                warnings = against_majority(case.candidate, item.verdict.level)
            for words in warnings:
                yield f"{item.name}: {words}"
