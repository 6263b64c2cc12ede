"""What a comparison warns of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.case import Case
from justesse.significance.paired_difference import paired_difference
from justesse.verbs.unanswered import others_words

if TYPE_CHECKING:
    from justesse.verbs.comparison import Judged

FEW = 10


def cautions(judged: "Sequence[Judged]", tried: int, level: float, judge: str) -> Iterator[str]:
    """Say what a reader of the whole comparison must know."""
    if tried > 1:
        yield _charlatan(judged, tried, level)
    if judge == "classical":
        yield "Overlap of two intervals takes the two as unrelated, but they answered the same rows: it misses differences that the paired judge finds (docs/validity.md)."
    for one in judged:
        name = f"{one.name}: " if len(judged) > 1 else ""
        for sentence in _about(one):
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
        yield f"{one.gaps.dropped:,} rows without a label or an answer were left out."
    yield from others_words(one.gaps)
    if one.left_out:
        names = ", ".join(map(repr, one.left_out[:5])) + (" and others" if len(one.left_out) > 5 else "")
        yield f"{one.verdict.measure.capitalize()} is compared over the classes where both have a value; left out: {names}."
    if any(one.unmatched.values()):
        yield f"Rows that only one side has were left out: {one.unmatched['incumbent']:,} of the incumbent, {one.unmatched['candidate']:,} of the candidate. If they were left out for a reason, the rest is not a fair sample."
    apart = table.only_incumbent + table.only_candidate
    if _identical(case):
        yield "Both give the same answer to every row: are they two different classifiers?"
    elif apart < FEW:
        yield f"On only {apart} rows exactly one of the two is right: whatever is said rests on them."
    labelled = tally.sums("label", tally.counts) > 0
    rare = [k for k in np.flatnonzero(labelled) if tally.sums("label", tally.counts)[k] < FEW]
    if rare:
        yield f"Fewer than {FEW} rows are labelled {', '.join(repr(tally.classes[k]) for k in rare[:5])}: differences there can hardly be seen."
    if one.noise:
        yield from one.noise.warnings
    if one.truth and one.truth.decision != one.verdict.decision:
        yield f"The labels alone would give another verdict ({one.verdict.decision}) than the true classes ({one.truth.decision}): wrong labels change it. Trust the true classes."


def _identical(case: Case) -> bool:
    return bool(
        np.all(case.tally.codes[:, case.tally.axis("incumbent")] == case.tally.codes[:, case.tally.axis("candidate")])
    )


def _against_majority(judged: "Sequence[Judged]") -> Iterator[str]:
    """Warn if the one that would be used is no better than always answering the most frequent class."""
    for one in judged:
        if not one.decisive.replaces:
            continue
        tally = one.case.candidate if one.by_labels is None else one.case.tally.marginal("true", "candidate")
        labels = tally.sums(tally.axes[0], tally.counts)
        k = int(labels.argmax())
        right = tally.codes[:, 0] == tally.codes[:, 1]
        always = tally.codes[:, 0] == k
        only_model, only_naive = int(tally.counts[right & ~always].sum()), int(tally.counts[always & ~right].sum())
        if float(paired_difference(only_naive, only_model, tally.n, level=one.verdict.level).low) <= 0:
            yield f"{one.name} is not clearly more often right than always answering {tally.classes[k]!r} ({labels[k] / tally.n:.4f} of the rows)."
