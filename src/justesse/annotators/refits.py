"""How uncertain a fit of Dawid and Skene's model is: the items are drawn anew and the model is fitted again."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.arrays import FloatArray
from justesse.core.results import Interval, check_level
from justesse.core.seeds import stream

METHOD = "bootstrap of items"
HALF = 0.5  # Jeffreys' prior of an accuracy
LARGEST = 20_000_000  # numbers kept for intervals of single cells


@dataclass(frozen=True, eq=False)
class Refits:
    """Draws of the proportions, the accuracies and, if they fit in memory, the tables (annotator × class × answer)."""

    proportions: FloatArray
    accuracies: FloatArray
    cells: FloatArray | None

    def interval(self, draws: FloatArray, level: float) -> Interval:
        """Take the quantiles of some draws."""
        tail = (1 - check_level(level)) / 2
        low, high = np.nanquantile(draws, [tail, 1 - tail])
        return Interval(float(low), float(high), level, METHOD, (0.0, 1.0))


def refits(
    fit: Consensus,
    *,
    draws: int = 200,
    prior: float = 0.5,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Refits:
    """Fit the model to items drawn with replacement, each time from the present fit.

    The prior count keeps resamples from certainty that a few answers do not warrant. With the tables of a refit, each
    answer is right with a probability; it is drawn, and the accuracy of an annotator with h right answers of n is drawn
    from Beta(h + 1/2, n - h + 1/2): 20 right answers of 20 do not make an accuracy of 100 % certain.
    """
    support = fit.support
    notes = support.annotations
    rng = stream(seed, "refits")
    k, people = notes.n_classes, notes.n_annotators
    keep = support.whole and people * k * k * draws <= LARGEST
    proportions, accuracies, cells = [], [], []
    for draw in range(draws):
        weight = rng.multinomial(notes.n_items, np.full(notes.n_items, 1 / notes.n_items)).astype(float)
        again = dawid_skene(notes, prior=prior / k, most=30, tolerance=1e-5, initial=fit.shares, weight=weight)
        proportions.append(again.proportions)
        hits = np.bincount(
            notes.annotator, weights=rng.random(len(notes)) < again.shares[support.own], minlength=people
        )
        accuracies.append(rng.beta(hits + HALF, notes.per_annotator - hits + HALF))
        if keep:
            cells.append(np.asarray(again.tables, dtype=np.float32).transpose(0, 2, 1))
        if progress is not None:
            progress(draw + 1, draws)
    return Refits(np.array(proportions), np.array(accuracies), np.array(cells) if keep else None)
