"""(d) Bounds from a transition table that was counted on some rows: what it does not know widens them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from justesse.core.results import Alternative, tail_levels
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.bootstrap import quantile
from justesse.measures import Confusion, Measure
from justesse.measures.cost import Cost
from justesse.noise.bounds import Bounds, bounds_from_transition
from justesse.noise.counted import counted, on_classes
from justesse.noise.coupling import hits_range
from justesse.noise.rung import Rung
from justesse.noise.transition import Transition

DRAWS = 400
MANY = 100  # classes past which the table is taken as it is


def is_of_these(tally: Tally, transition: Transition) -> bool:
    """Say whether a counted table is about the very rows at hand: it has as many of each label."""
    if transition.counts is None:
        return True  # given as shares: taken as known
    rows = on_classes(counted(tally, "label", "prediction"), transition.classes, what="the transition table")
    return bool(np.array_equal(transition.counts.sum(axis=0), rows.sums("label")))


def bounds_from_counted(
    tally: Tally,
    measures: Sequence[Measure],
    transition: Transition,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    seed: int = 0,
) -> Rung[Bounds]:
    """Bound measures by a transition table that was counted on a random sample of rows.

        P(true | label a) ~ Dirichlet(n_1a + 1/K, …, n_Ka + 1/K), drawn again and again

    The ends are quantiles of the sharp bounds over the draws, so that they hold with about `level`, no longer for sure.
    A table of these very rows, or one given as shares, is taken as known: `bounds_from_transition`.

    >>> from justesse.measures import accuracy
    >>> table = Tally.from_dense([[450, 50], [100, 400]], ["a", "b"])
    >>> found = bounds_from_counted(table, [accuracy], Transition.from_table([[45, 5], [5, 45]], ["a", "b"])).found[0]
    >>> found.low < 0.75 < 0.95 < found.high, found.sharp
    (True, False)
    """
    plain = bounds_from_transition(tally, measures, transition)
    if is_of_these(tally, transition) or len(transition.classes) > MANY or transition.counts is None:
        return plain
    rows = on_classes(counted(tally, "label", "prediction"), transition.classes, what="the transition table")
    tails = tail_levels(level, alternative)
    size, labelled = len(transition.classes), rows.sums("label")
    generator = stream(seed, "counted-bounds")
    shares = generator.standard_gamma(transition.counts + 1 / size, size=(DRAWS, size, size))
    joints = shares / shares.sum(axis=1, keepdims=True) * labelled
    hits = np.array([np.stack(hits_range(rows, joint)) for joint in joints])  # draws × least, most × classes
    observed = Confusion.of(rows)
    tables = Confusion(
        hits,
        np.broadcast_to(joints.sum(axis=2)[:, None, :], hits.shape),
        np.broadcast_to(observed.predicted, hits.shape),
        np.full(hits.shape[:2], float(rows.n)),
    )
    words = f"the transition table was counted on {int(transition.counts.sum()):,} rows ({100 * level:g} %)"
    found, at = [], 0
    for measure in measures:
        many = size if measure.per_class else 1
        own = plain.found[at : at + many]
        at += many
        if isinstance(measure, Cost):
            found += list(own)  # a linear programme per draw would take too long
            continue
        values = np.asarray(measure.value(tables)).reshape(DRAWS, 2, -1)
        low = quantile(np.fmin.reduce(values, axis=1), np.asarray(tails[0])) if tails[0] else np.zeros(many)
        high = quantile(np.fmax.reduce(values, axis=1), np.asarray(1 - tails[1])) if tails[1] else np.ones(many)
        found += [
            replace(
                one, low=float(np.fmin(one.low, a)), high=float(np.fmax(one.high, b)), sharp=False, assumption=words
            )
            for one, a, b in zip(own, low, high, strict=True)
        ]
    return Rung(
        "d",
        "only the transition table is known",
        tuple(found),
        ("the rows it was counted on are a random sample of such rows", *plain.assumptions[1:]),
        "the rows it was counted on were chosen, or are unlike these",
        plain.warnings,
    )
