"""What a comparison warns of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.case import Case
from justesse.core.first_names import first_names
from justesse.core.true_sets import DIFFER, has_true_sets
from justesse.core.verdict import Verdict
from justesse.intervals.estimate import Confidence, estimate
from justesse.judges.classical import OVERLAP
from justesse.judges.judge import Judge
from justesse.judges.measure_differences import MeasureDifference, worse_beyond_chance
from justesse.measures import accuracy, recall
from justesse.noise.plausible_noise import USUAL, is_fragile
from justesse.report.document import Text
from justesse.report.writing import message, written
from justesse.significance import title_of_test
from justesse.significance.majority_gap import accuracy_gap
from justesse.significance.multiplicity import simultaneous_level
from justesse.verbs.any_of import any_of_words
from justesse.verbs.clusters import cluster_cautions
from justesse.verbs.fragile import PLAUSIBLE, fragile_verdict_words
from justesse.verbs.unanswered import others_words
from justesse.verbs.weak_spots import against_accepted, against_majority, interval_gap_words, poor_recalls

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Judged

FEW = 10


def cautions(
    judged: "Sequence[Judged]",
    tried: int,
    level: float,
    judge: Judge,
    plausible: float = USUAL,
    option: str = PLAUSIBLE,
) -> Iterator[Text]:
    """Say what a reader of the whole comparison must know, the most serious first.

    Parameters
    ----------
    judged
        Candidates with their verdicts.
    tried
        Number of candidates tried.
    level
        Confidence level.
    judge
        The judge.
    plausible
        Share of wrong labels that is plausible.
    option
        Option that gave that share.
    """

    def about(item: "Judged", sentence: Text) -> Text:
        return message("{name}: {sentence}", name=item.name, sentence=sentence) if len(judged) > 1 else sentence

    for item in judged:
        if item.which == "labels" and is_fragile(item.verdict, plausible):
            yield about(item, fragile_verdict_words(item.verdict, plausible, option))
    if tried > 1:
        yield _charlatan(judged, tried, level)
    if judge.caution:
        yield judge.caution
    best = max(judged, key=lambda item: item.rank)  # its verdict says itself what decides it
    for item in judged:
        if item is not best and item.unanswered and item.unanswered.caution:
            yield about(item, item.unanswered.caution)
        for sentence in _about(item):
            yield about(item, sentence)
    yield from _against_majority(judged)


def _charlatan(judged: "Sequence[Judged]", tried: int, level: float) -> Text:
    best = max(judged, key=lambda item: item.gain)
    widened = message(
        "{tried} candidates were tried on these rows: intervals are widened from {level:level} to {each:level} each, so "
        "that all hold together with {level:level}, and p-values are adjusted (Holm). The intervals decide, and are the "
        "stricter of the two.",
        tried=tried,
        level=level,
        each=simultaneous_level(level, tried),
    )
    if best.luck is None:
        return widened
    return message(
        "{widened} The best of {tried} candidates that are all no better than the incumbent would look at least as good "
        "as {best} with a chance of {luck:chance}.",
        widened=widened,
        tried=tried,
        best=best.name,
        luck=best.luck,
    )


def _about(item: "Judged") -> Iterator[Text]:
    case, table = item.case, item.decisive.disagreement
    tally = case.tally
    if item.unanswered:
        yield from item.unanswered.sentences()
    if item.gaps.dropped:
        yield message("{n:count row} without a label or an answer left out.", n=item.gaps.dropped)
    yield from others_words(item.gaps)
    yield from any_of_words(item.gaps, tally.named_classes, apart=has_true_sets(tally))
    if item.left_out:
        yield message(
            "{measure:capital} is compared over the classes where both have a value; left out: {names:names}.",
            measure=item.verdict.title,
            names=item.left_out,
        )
    if any(item.unmatched.values()):
        yield message(
            "Rows that only one side has were left out: {incumbent:count} of the incumbent, {candidate:count} of the "
            "candidate. If they are missing for a reason, the rest is not a representative sample.",
            **item.unmatched,
        )
    if item.clusters:
        yield from cluster_cautions(item.clusters)
    apart = table.only_incumbent + table.only_candidate
    if _identical(case):
        yield "Both give the same prediction for every row. Check that these are two different classifiers."
    elif apart < FEW:
        yield message(
            "On only {n:count row} exactly one of the two is right: the verdict depends on them alone.", n=apart
        )
    yield from _overlap_alone(item.decisive)
    sizes = tally.sums("label", tally.counts)
    rare = [tally.classes[k] for k in np.flatnonzero((sizes > 0) & (sizes < FEW))]
    if rare:
        yield message(
            "Fewer than {few} rows are labelled {names:names}: differences there can hardly be detected.",
            few=FEW,
            names=rare,
        )
    if item.decisive.replaces:
        yield from _losses(item)
        if not item.clusters:  # the test takes rows as independent
            yield from poor_recalls(case.candidate, item.verdict.level)
    if item.noise and item.which == "labels":  # known true classes leave nothing open
        yield from item.noise.warnings
    if item.truth and item.truth.decision != item.verdict.decision:
        yield message(
            "The labels alone would give another verdict ({by_labels:decision}) than the true classes ({by_truth:decision}): "
            "wrong labels change it. Trust the true classes.",
            by_labels=item.verdict.decision,
            by_truth=item.truth.decision,
        )


def _overlap_alone(verdict: Verdict) -> Iterator[Text]:
    """Warn of two intervals that do not overlap where the paired test finds no difference."""
    interval, outcome = verdict.difference.interval, verdict.outcome
    if interval is None or not interval.method.startswith(OVERLAP):
        return
    if (interval.low > 0 or interval.high < 0) and outcome.pvalue > 1 - verdict.level:
        yield message(
            "The intervals of the two do not overlap, but {test} finds no difference at {level:level} ({p:p}). Few rows "
            "mislead this judge: use judge=paired (--judge paired).",
            test=title_of_test(outcome.test),
            level=verdict.level,
            p=outcome.pvalue,
        )


def _losses(item: "Judged") -> Iterator[Text]:
    """Name the classes and slices where a candidate that should replace does worse, beyond chance."""
    level = item.verdict.level
    recalls = worse_beyond_chance([part for part in item.classes if part.name == recall.name], level)
    if recalls:
        yield message("The candidate finds fewer rows of {parts}: check whether that matters.", parts=_parts(recalls))
    if parts := worse_beyond_chance(item.slices, level):
        yield message(
            "The candidate does worse, beyond chance (corrected for {n} slices), where {parts}.",
            n=len(item.slices),
            parts=_parts(parts),
        )


def _parts(parts: Sequence[MeasureDifference]) -> str:
    def shown(part: MeasureDifference) -> str:
        name = part.title if part.column else written("name", part.class_name)
        return str(
            message(
                "{name} ({difference:difference}, {difference:difference_interval})",
                name=name,
                difference=part.difference,
            )
        )

    return first_names(sorted(parts, key=lambda part: part.difference.value), write=shown)


def _identical(case: Case) -> bool:
    tally = case.tally
    if DIFFER in tally.axes:  # answers that differ may both be accepted
        return tally.levels[tally.axis(DIFFER)] == (False,)
    return bool(np.all(tally.codes[:, tally.axis("incumbent")] == tally.codes[:, tally.axis("candidate")]))


def _against_majority(judged: "Sequence[Judged]") -> Iterator[Text]:
    """Warn if the one that would be used is no better, or hardly, than always answering the most frequent class."""
    for item in judged:
        if item.decisive.replaces:
            case = item.case if item.by_labels is None else item.case.against_truth or item.case
            axis = "label" if item.by_labels is None else "true"
            if item.clusters:
                warnings = _clustered_majority(case, item, axis)
            elif item.gaps.several.get(axis):
                warnings = against_accepted(case.candidate, item.gaps.accepted[axis], item.verdict.level)
            else:
                warnings = against_majority(case.candidate, item.verdict.level)
            for words in warnings:
                yield message("{name}: {words}", name=item.name, words=words)


def _clustered_majority(case: Case, item: "Judged", axis: str) -> Iterator[str]:
    """Compare the cluster-robust interval of the accuracy with the share of the most frequent class."""
    level = item.verdict.level
    if item.gaps.several.get(axis):
        sizes = dict(item.gaps.accepted[axis])
    else:
        sizes = dict(zip(case.tally.classes, case.tally.sums("label").tolist(), strict=True))
    most = max(sizes, key=lambda name: sizes[name])
    result = estimate(case.side("candidate"), [accuracy], Confidence(level))[0]
    low = result.interval.low if result.interval else 0.0
    yield from interval_gap_words(accuracy_gap(most, result.value, sizes[most] / case.n, low))
