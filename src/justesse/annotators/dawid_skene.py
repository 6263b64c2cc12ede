"""Dawid and Skene's model: each annotator has a table of how they answer each class; fitted by EM."""

from collections.abc import Callable

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.observed_tables import observed_tables
from justesse.annotators.support import TINY, Support, Tables
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.core.seeds import stream

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class of an item",
    "an annotator's mistakes depend on the true class only, not on the item or the time",
)
LARGEST_PRIOR = 1_000_000  # a larger count leaves nothing of the answers
SWITCHED = (
    "For some classes, annotators more often give another answer than the right one: the model may have switched "
    "classes. Add gold answers, or use one-coin."
)


def dawid_skene(
    annotations: Annotations,
    *,
    prior: float = 0.0,
    starts: int = 1,
    most: int = 1000,
    tolerance: float = 1e-8,
    seed: int = 0,
    initial: FloatArray | None = None,
    weight: FloatArray | None = None,
    voice: FloatArray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Consensus:
    """Fit Dawid and Skene's model by EM.

    Starts from the vote shares: the tables are estimated from the probable classes, the classes from the tables, and
    so on until the log likelihood per item changes by less than the tolerance. Further starts are random, and the fit
    with the highest likelihood is kept. Gold answers are taken as certain.

    Dawid & Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied Statistics
    28:20-28, 1979.

    Parameters
    ----------
    annotations
        Who answered what.
    prior
        Count added to each cell of each annotator's table; 0 is maximum likelihood.
    starts
        Number of starts: the vote shares, and random ones.
    most
        Highest number of iterations of each.
    tolerance
        Change of the log likelihood per item that ends the iterations.
    seed
        Seed of the random starts.
    initial
        Probabilities to start from instead of the vote shares, in the order of the support.
    weight
        How often each item counts. Default: once.
    voice
        How much each annotator counts for the classes, from 0 to 1, if there are tables of all. Default: 1.
    progress
        Called with the number of iterations done and the most there can be.

    Returns
    -------
    Consensus
        Probable classes, tables of the annotators, likelihood.

    Examples
    --------
    >>> answers = [(item, who, what) for item, line in enumerate(["xxx", "xxy", "yyy", "yyx", "xxx", "yyy"])
    ...            for who, what in zip("abc", line)]
    >>> fit = dawid_skene(Annotations.of(answers))
    >>> fit.label.tolist(), fit.table(2).round(2).tolist()
    ([0, 0, 1, 1, 0, 1], [[0.67, 0.33], [0.33, 0.67]])
    """
    if not 0 <= prior <= LARGEST_PRIOR:
        raise OptionError(f"The prior count must be a number from 0 to {LARGEST_PRIOR:,}; got {prior!r}.")
    if starts < 1:
        raise OptionError(f"At least one start is needed; got {starts!r}.")
    support = Support.of(annotations)
    rng = stream(seed, "dawid-skene")
    best: Consensus | None = None
    for start in range(starts):
        shares = support.vote_shares() if initial is None else support.with_gold(initial)
        if start:
            noise = rng.gamma(1.0, size=len(shares))
            shares, _ = support.normalised(np.log(shares * 0.5 + 0.5 * noise / noise.mean() + TINY))
        fit = _fitted(support, shares, prior, most, tolerance, weight, voice, progress)
        if best is None or (fit.log_likelihood or 0.0) > (best.log_likelihood or 0.0) + 1e-9:
            best = fit
    assert best is not None
    return best


def _fitted(
    support: Support,
    shares: FloatArray,
    prior: float,
    most: int,
    tolerance: float,
    weight: FloatArray | None,
    voice: FloatArray | None,
    progress: Callable[[int, int], None] | None,
) -> Consensus:
    few = observed_tables(support, prior=prior) if voice is None else None
    tables: Tables = few or support.tables
    items = max(int(support.answered.sum()), 1) if weight is None else max(float(weight.sum()), 1.0)
    before = -np.inf
    iteration, converged = 0, False
    proportions, chances = np.array([]), None
    likelihood = -np.inf
    while iteration < most and not converged:
        iteration += 1
        proportions = support.per_class(shares, weight)
        proportions = np.maximum(proportions / proportions.sum(), TINY)
        chances = tables.probabilities(tables.counts(shares, weight), prior)
        heard = chances if voice is None else chances ** voice[:, None, None]
        shares, evidence = support.normalised(support.add_classes(tables.logs(heard), np.log(proportions)))
        likelihood = float(evidence.sum() if weight is None else evidence @ weight[support.answered])
        converged = abs(likelihood - before) <= tolerance * items
        before = likelihood
        if progress is not None:
            progress(iteration, most)
    if few is not None and chances is not None:
        chances = few.all_cells(chances, prior)
    warnings = [] if converged else [f"EM stopped after {most} iterations: probabilities may change."]
    if labels_switched(support, shares):
        warnings.append(SWITCHED)
    return Consensus(
        "dawid-skene",
        support,
        shares,
        proportions,
        chances,
        likelihood,
        iteration,
        converged,
        ASSUMPTIONS,
        tuple(warnings),
    )


def labels_switched(support: Support, shares: FloatArray) -> bool:
    """Say whether renaming the classes would make the annotators right more often than they are."""
    from scipy.optimize import linear_sum_assignment

    k = support.annotations.n_classes
    if k > 500:
        return False
    total = support.answers_by_class(shares)
    if total is None:
        return False
    rows, columns = linear_sum_assignment(-total)
    return bool(total[rows, columns].sum() > np.trace(total) + 1e-6)
