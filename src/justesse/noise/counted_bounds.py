"""(d) Bounds from a transition table that was counted on some rows: what it does not know widens them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.quantile import quantile
from justesse.measures import Confusion, Measure
from justesse.measures.averages import Averaged
from justesse.measures.ratio import Ratio
from justesse.noise.bounds import NOT_SAMPLING, Bounds, bounds_from_rate, bounds_from_transition, named_bounds
from justesse.noise.counted import counted, on_classes
from justesse.noise.counted_rate import counted_rate, enough_draws, is_of_these, may_be_of_these, shares_by_class
from justesse.noise.macro import highest_mean
from justesse.noise.rung import FROM_TABLE, Rung
from justesse.noise.transition import Transition


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

        accuracy, error, cost:   the bounds from the rate, for the share of wrong labels that the counts allow
        measures of one class:   as from a table of that class and the rest, drawn many times
        macro averages:          the means of the ends of the classes

    Parameters
    ----------
    tally
        Counts by label × prediction.
    measures
        The measures to bound.
    transition
        The transition table with its counts. A table of shares, or one counted on exactly these rows, is exact:
        `bounds_from_transition` is used.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.
    seed
        Seed of the draws.

    Notes
    -----
    The ends hold with about `level` or more, not for certain. Single cells of the table are not used: with few rows
    per cell the bounds would be too narrow. Do not use it if the rows of the table were not drawn at random. Fréchet
    (1951); Clopper and Pearson (1934).

    Examples
    --------
    >>> from justesse.measures import accuracy
    >>> table = Tally.from_dense([[450, 50], [100, 400]], ["a", "b"])
    >>> known = Transition.from_table([[45, 5], [5, 45]], ["a", "b"])
    >>> result = bounds_from_counted(table, [accuracy], known).figures[0]
    >>> result.low < 0.75 < 0.95 < result.high, result.sharp
    (True, False)
    """
    rows = on_classes(counted(tally, "label", "prediction"), transition.classes, what="the transition table")
    labels = rows.sums("label")[: len(transition.classes)]
    if is_of_these(labels, transition):
        return bounds_from_transition(tally, measures, transition)
    tails = tail_levels(level, alternative)
    rate = counted_rate(labels, transition, level=level, alternative=alternative, seed=seed)
    tables = _drawn_tables(rows, transition, enough_draws(tails), seed)
    bounds: list[Bounds] = []
    for measure in measures:
        if isinstance(measure, Ratio):
            low, high, _ = _class_ends(measure, tables, max(tails))
            own_bounds: Sequence[Bounds] = named_bounds(rows, measure, (low, high), False, "")
        elif isinstance(measure, Averaged) and measure.how == "macro":
            low, high, firm = _class_ends(measure.class_measure, tables, max(tails))
            over = rows.judged
            ends = -highest_mean(-low[over], firm[over]), highest_mean(high[over], firm[over])
            own_bounds = named_bounds(rows, measure, ends, False, "")
        else:
            own_bounds = bounds_from_rate(rows, [measure], rate).figures
        bounds += [one_sided(bound, tails, measure.bounds) for bound in own_bounds]
    return counted_rung(bounds, transition, level, may_be_of_these(labels, transition))


def counted_rung(
    bounds: Sequence[Bounds], transition: Transition, level: float, warnings: Sequence[str] = ()
) -> Rung[Bounds]:
    """Mark bounds as resting on a counted table, with their confidence level.

    >>> bounds = Bounds("accuracy", None, None, 0.9, 0.8, 1.0, True, "", 100)
    >>> counted_rung([bounds], Transition.from_table([[45, 5], [5, 45]], ["a", "b"]), 0.95).figures[0].assumption
    'the transition table was counted on 100 random rows like these (95 % level)'
    """
    assert transition.counts is not None
    n = f"{int(transition.counts.sum()):,}"
    words = f"the transition table was counted on {n} random rows like these ({100 * level:.4g} % level)"
    return Rung(
        FROM_TABLE,
        tuple(replace(bound, sharp=False, assumption=words) for bound in bounds),
        (f"the {n} rows of the transition table are a random sample of rows like these", NOT_SAMPLING),
        "the rows of the table were not drawn at random, or are unlike these",
        tuple(warnings),
    )


def one_sided(bounds: Bounds, tails: tuple[float, float], limits: tuple[float, float]) -> Bounds:
    """Leave the end open that nobody asked for.

    >>> one_sided(Bounds("accuracy", None, None, 0.9, 0.8, 0.95, True, "", 100), (0.05, 0.0), (0.0, 1.0)).high
    1.0
    """
    if np.isnan(bounds.low):
        return bounds
    return replace(bounds, low=bounds.low if tails[0] else limits[0], high=bounds.high if tails[1] else limits[1])


def _drawn_tables(rows: Tally, transition: Transition, draws: int, seed: int) -> list[Confusion]:
    """Draw the truths that the counts allow of each class against the rest, with the fewest and most right answers."""
    table, generator = Confusion.of(rows), stream(seed, "counted-bounds")
    _, own, other = (
        part.padded(len(rows.classes))
        for part in shares_by_class(table.labelled[: len(transition.classes)], transition)
    )
    elsewhere = table.predicted - table.hits
    tables = []
    # the row that is added to what was counted lies wherever it does most harm
    draws_of_parts = ([part.drawn(extra, draws, generator) for extra in (0.0, 1.0)] for part in (own, other))
    for own_drawn, other_drawn in product(*draws_of_parts):
        fewest = np.maximum(0.0, own_drawn + table.hits - own.rows)
        fewest = fewest + np.maximum(0.0, other_drawn + elsewhere - other.rows)
        hits = np.stack([fewest, np.minimum(own_drawn, table.hits) + np.minimum(other_drawn, elsewhere)])
        true, predicted = (np.broadcast_to(part, hits.shape) for part in (own_drawn + other_drawn, table.predicted))
        tables.append(Confusion(hits, true, predicted, table.n))
    return tables


def _class_ends(measure: Ratio, tables: Sequence[Confusion], tail: float) -> tuple[Array, Array, Array]:
    """Return the ends of each class, and which classes have a value in every draw."""
    values = [measure.value(table) for table in tables]
    low = np.fmin.reduce([quantile(np.fmin(*value), np.asarray(tail)) for value in values])
    high = np.fmax.reduce([quantile(np.fmax(*value), np.asarray(1 - tail)) for value in values])
    return low, high, np.asarray(~np.isnan(values).any(axis=(0, 1, 2)))
