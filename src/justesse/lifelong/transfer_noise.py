"""What wrong labels can do to forgetting and transfer, when all versions share the label of an item."""

from dataclasses import dataclass

import numpy as np

from justesse.lifelong.forgetting_noise import fewest_for_no_forgetting, forgetting_range
from justesse.lifelong.item_patterns import ItemPatterns
from justesse.lifelong.label_moves import NoiseRate
from justesse.lifelong.transfer import ALL, TransferConvention, followed


@dataclass(frozen=True)
class TransferNoise:
    """The lowest and highest true value of a figure of transfer, and the fewest wrong labels that turn its sign.

    Parameters
    ----------
    name, source
        Which figure, by whose definition.
    apparent
        Its value if the labels are right.
    low, high
        Ends of its true value; NaN without a noise rate.
    sharp
        Whether both ends can be reached; otherwise the true value may be unable to go that far.
    signed
        Whether its sign says that versions forget or remember, so that `turned_by` has a meaning.
    turned_by
        Fewest wrong labels that could make the figure 0 or turn its sign; `None` if no number could.
    n
        Number of items.
    """

    name: str
    source: str
    apparent: float
    low: float
    high: float
    sharp: bool
    signed: bool
    turned_by: int | None
    n: int


def transfer_noise(patterns: ItemPatterns, rate: NoiseRate | None = None) -> list[TransferNoise]:
    """Bound forgetting and transfer under every convention, for a rate of wrong labels.

    Parameters
    ----------
    patterns
        Items, with as many versions as periods; version i was trained just before period i.
    rate
        Lowest and highest share of wrong labels of all items, or of those of each period. Default: only the fewest
        wrong labels that turn a sign.

    Returns
    -------
    list of TransferNoise
        One for each convention that needs no scores before training.

    Notes
    -----
    Most figures are weighted sums of accuracies: an item moves them by what its true class does to all versions, and
    the items that move most are the worst. Remembering follows from the backward transfer. The fall from the best
    version is a mean of maxima: see `forgetting_range`.

    >>> from justesse.lifelong.item_patterns import ItemPatterns
    >>> period, label = np.repeat([0, 1], 10), np.zeros(20, dtype=int)
    >>> answers = np.ones((20, 2), dtype=int)
    >>> answers[:8, 0] = answers[:5, 1] = answers[10:, 1] = 0
    >>> patterns = ItemPatterns.of_items(period, label, answers, classes=2, periods=2)
    >>> results = [result for result in transfer_noise(patterns, (0.0, 0.05)) if result.name == "forgetting"]
    >>> [(round(result.low, 2), round(result.high, 2), result.turned_by) for result in results]
    [(0.1, 0.3, 2), (0.1, 0.3, 2)]
    """
    scores = patterns.accuracies
    if len(scores) < 2 or np.isnan(scores).any():
        return []
    return [_bounded(convention, patterns, rate) for convention in ALL if not convention.needs]


def _bounded(convention: TransferConvention, patterns: ItemPatterns, rate: NoiseRate | None) -> TransferNoise:
    scores = patterns.accuracies
    apparent = convention.value(scores, np.zeros(len(scores)))
    low = high = np.nan
    sharp, turned_by = True, None
    if convention.weights is None:
        signed = True
        if rate is not None:
            low, high, sharp = forgetting_range(patterns, rate)
        turned_by = fewest_for_no_forgetting(patterns, apparent)
    else:
        weights = convention.weights(len(scores))
        signed = convention.shape == "linear" and bool(np.allclose(weights.sum(axis=0), 0))
        moves = patterns.moves(weights)
        start = float((weights * scores).sum())
        if rate is not None:
            below, above = moves.range(rate)
            low, high = start + below, start + above
            low, high = (followed(convention, end) for end in (low, high))
        if signed:
            turned_by = moves.fewest(-start)
    n = int(patterns.many.sum())
    return TransferNoise(convention.name, convention.source, apparent, low, high, sharp, signed, turned_by, n)
