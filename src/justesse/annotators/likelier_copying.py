"""Which pair of annotators repeats answers, by the likelihood of the model with that pair.

Two who copy each other can look like the two who are right if few others answer: then the others seem to err together.
So the pair is not looked for in one fit. Each suspected pair gets a model of its own, fitted from a consensus without
one of the two, and the likelihoods are compared.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import ndtr

from justesse.annotators.consensus import Consensus
from justesse.annotators.copying import corrected
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.pair_tests import DependentPair, dependent_pairs
from justesse.annotators.pairs import pair_tables
from justesse.core.arrays import FloatArray

SMOOTHING = 0.1  # prior count of each cell of the tables
FEWEST, CLOSEST, SUSPECTS = 20, 10, 10  # common items, pairs whose members are left out in turn, pairs with a model
MARGIN = 6.0  # of the log likelihood: a pair within it explains the answers about as well


@dataclass(frozen=True, eq=False)
class LikelierCopying:
    """The pair whose model is the most likely, the consensus of that model, and other pairs that explain it as well.

    Both are `None` if no model is clearly more likely than independence. `pvalues` are those of all pairs with a model,
    as they are and adjusted.
    """

    pair: DependentPair | None = None
    shares: FloatArray | None = None
    rivals: tuple[tuple[int, int], ...] = ()
    pvalues: Mapping[tuple[int, int], tuple[float, float]] = field(default_factory=dict)

    def with_larger(self, pair: DependentPair) -> DependentPair:
        """Give the pair the larger of its p-values; one without a model has the smallest of those with one."""
        if not self.pvalues:
            return pair
        pvalue, adjusted = self.pvalues.get((pair.first, pair.second), min(self.pvalues.values()))
        return replace(pair, pvalue=max(pair.pvalue, pvalue), adjusted=max(pair.adjusted, adjusted))


def likelier_copying(fit: Consensus, tested: list[DependentPair], *, rate: float = 0.05) -> LikelierCopying:
    """Find the pair whose model with repeated answers is clearly more likely than independence.

    Suspects are pairs that agree more than expected in the fit, or in a fit without one of the two. The share of
    repeated answers is one more parameter, 0 under independence: twice the gain of the log likelihood is 0 or
    chi-squared with 1 degree of freedom, each half the time (Self & Liang 1987). The p-value is multiplied by the
    number of all pairs.

    Of two pairs that gain about as much it cannot be known which one repeats answers: the one that agrees most often is
    taken, and the others are `rivals`.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 3, 300)
    >>> answers = np.where(rng.random((300, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (300, 4)))
    >>> answers[:, 1] = answers[:, 0]
    >>> from justesse.core.annotations import Annotations
    >>> rows = [(item, who, int(answers[item, who])) for item in range(300) for who in range(4)]
    >>> plain = dawid_skene(Annotations.of(rows))
    >>> result = likelier_copying(plain, dependent_pairs(plain))
    >>> result.pair.first, result.pair.second, result.pair.adjusted < 0.001
    (0, 1, True)
    """
    notes = fit.support.annotations
    starts: dict[int, FloatArray] = {}
    suspects = {(pair.first, pair.second): pair for pair in tested[:SUSPECTS] if pair.adjusted <= rate}
    without: list[DependentPair] = []
    closest = _closest(fit)
    for who in sorted({who for pair in closest for who in pair}):
        starts[who] = dawid_skene(notes.without([who]), prior=SMOOTHING).shares
        voice = np.ones(notes.n_annotators)
        voice[who] = 0.0
        again = dawid_skene(notes, prior=SMOOTHING, initial=starts[who], voice=voice)
        mine = (pair for pair in dependent_pairs(again, voice) if who in (pair.first, pair.second))
        without += [pair for pair in mine if pair.n >= FEWEST and pair.adjusted <= rate]
    for pair in sorted(without, key=lambda pair: pair.pvalue)[: 2 * SUSPECTS]:
        key = (pair.first, pair.second)
        if key not in suspects or pair.expected < suspects[key].expected:
            suspects[key] = pair
    if not suspects:
        return LikelierCopying()
    for pair in tested:  # the two who agree most are always suspects if anybody is
        if (pair.first, pair.second) in closest[:1]:
            suspects.setdefault((pair.first, pair.second), pair)
    independent = _likeliest(fit, [], [fit.shares, *starts.values()])
    fits = {}
    for first, second in suspects:
        for who in (first, second):
            if who not in starts:
                starts[who] = dawid_skene(notes.without([who]), prior=SMOOTHING).shares
        fits[first, second] = _likeliest(fit, [(first, second)], [fit.shares, starts[first], starts[second]])
    best = max(fits, key=lambda key: _log_likelihood(fits[key]))
    pvalues = {}
    for key, each in fits.items():
        gain = max(_log_likelihood(each) - _log_likelihood(independent), 0.0)
        pvalue = float(ndtr(-np.sqrt(2 * gain)))
        pvalues[key] = (pvalue, min(pvalue * len(tested), 1.0))
    pvalue, adjusted = pvalues[best]
    if adjusted > rate:
        return LikelierCopying(pvalues=pvalues)
    least = _log_likelihood(fits[best]) - MARGIN
    alike = [key for key, each in fits.items() if not set(key) & set(best) and _log_likelihood(each) >= least]
    likeliest, best = best, max([best, *alike], key=lambda key: suspects[key].agreed / suspects[key].n)
    rivals = tuple(key for key in [likeliest, *alike] if key != best)
    pair = replace(suspects[best], pvalue=pvalue, adjusted=adjusted)
    return LikelierCopying(pair, fits[best].shares, rivals, pvalues)


def _closest(fit: Consensus) -> list[tuple[int, int]]:
    """Give the pairs who agree most, among those with enough common items."""
    tables = pair_tables(fit.support.annotations)
    n = tables.n
    same = np.bincount(tables.pair, weights=tables.count * (tables.answer == tables.other), minlength=len(tables))
    enough = np.flatnonzero(n >= FEWEST)
    order = enough[np.argsort(-same[enough] / n[enough], kind="stable")][:CLOSEST]
    return [(int(tables.first[at]), int(tables.second[at])) for at in order]


def _likeliest(fit: Consensus, pairs: list[tuple[int, int]], starts: Iterable[FloatArray]) -> Consensus:
    fits = [corrected(fit, pairs, initial=start, prior=SMOOTHING).fit for start in starts]
    return max(fits, key=_log_likelihood)


def _log_likelihood(fit: Consensus) -> float:
    return -np.inf if fit.log_likelihood is None else fit.log_likelihood
