"""The order in which classes are shown: the positive one first, if it was named."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from justesse.core.levels import identity
from justesse.core.results import ClassName, Estimate
from justesse.frames.count import Counted
from justesse.verbs.evaluate.evaluation import Evaluation


def positive_first(evaluation: Evaluation) -> Evaluation:
    """Show the positive class first in every table and chart; no figure changes."""
    name = evaluation.positive
    truth = evaluation.truth
    return replace(
        evaluation,
        tally=evaluation.tally.with_first(name),
        estimates=_with_first(evaluation.estimates, name),
        slices=tuple(replace(part, estimates=_with_first(part.estimates, name)) for part in evaluation.slices),
        truth=truth and replace(truth, estimates=_with_first(truth.estimates, name)),
    )


def _with_first(estimates: Iterable[Estimate], name: ClassName) -> tuple[Estimate, ...]:
    """Put a class first among the estimates of each measure."""
    first = identity(name)
    groups = groupby(estimates, key=lambda estimate: (estimate.name, estimate.average))
    return tuple(
        item
        for _, group in groups
        for item in sorted(group, key=lambda estimate: identity(estimate.class_name) != first)
    )


def with_positive(rows: Counted, positive: ClassName) -> Counted:
    """Take the positive class as a class, even if no label is."""
    others = tuple(name for name in rows.tally.others if positive is None or identity(name) != identity(positive))
    if others == rows.tally.others:
        return rows
    return replace(
        rows,
        tally=replace(rows.tally, others=others),
        gaps=replace(rows.gaps, others=tuple(stray for stray in rows.gaps.others if stray[1] != positive)),
    )
