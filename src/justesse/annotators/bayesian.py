"""Dawid and Skene's model with everything uncertain: annotators share what is usual, items may have features.

Without features this is a hierarchical Bayesian Dawid-Skene: an annotator with few answers counts as a typical one.
With features it is the item-response model of Felt et al., and items without any answer get a class, too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.convergence import effective_size, split_rhat
from justesse.annotators.dawid_skene import SWITCHED, labels_switched
from justesse.annotators.item_features import ItemLikelihood
from justesse.annotators.population import Fixed, Parameters, Population
from justesse.annotators.support import Support, WholeTables
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import stream

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class of an item",
    "an annotator's mistakes depend on the true class only, not on the item or the time",
    "annotators' tables are drawn from one population of annotators",
)
WITH_FEATURES = "given the class, the features of an item are independent of its annotators' mistakes"
MIXED, LONGEST = 1.05, 4  # R-hat of chains that have mixed, and how many times as long they may become
LARGEST = 20_000_000  # numbers kept for intervals of single cells
MOST_CELLS = 1_000_000  # of all tables together: with more, drawing them takes hours


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw from the posterior: the class of each item, annotators' tables, and the class proportions."""

    label: Array
    tables: FloatArray  # annotator × class × answer
    proportions: FloatArray


def bayesian(
    annotations: Annotations,
    *,
    features: ItemLikelihood | None = None,
    pooled: bool = True,
    chains: int = 4,
    draws: int = 300,
    burn: int = 200,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    each_draw: Callable[[Draw], None] | None = None,
    longest: int = LONGEST,
) -> Consensus:
    """Draw classes, tables and proportions from their joint posterior by Gibbs sampling.

    Each annotator's row for a class is Dirichlet; its parameters are drawn, too, from a population of annotators
    (`pooled`, see `population.py`); without pooling they are 1 on the diagonal plus 1 divided by the number of classes
    everywhere. Chains start from the vote shares, each drawn anew. `extra` has draws of proportions and accuracies,
    R-hat and effective sample size.

    Felt, Haertel, Ringger & Seppi, MOMRESP: A Bayesian model for multi-annotator document labeling, LREC 2014.

    Parameters
    ----------
    annotations
        Who answered what.
    features
        Features of the items. Default: none.
    pooled
        Whether annotators share a population.
    chains
        Number of chains.
    draws
        Draws kept of each chain.
    burn
        Draws left out at the start of each chain.
    seed
        Seed of the random draws.
    progress
        Called with the number of draws done and their total.
    each_draw
        Called with each draw that is kept.
    longest
        How many times as long the chains may become if they have not mixed: they are run again, so much longer.

    Returns
    -------
    Consensus
        Posterior probabilities of the classes, mean tables, and draws in `extra`.

    Examples
    --------
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy"] * 5
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> fit = bayesian(Annotations.of(rows))
    >>> fit.label[:6].tolist(), bool(fit.extra["rhat"] < 1.1)
    ([0, 0, 1, 1, 0, 1], True)
    """
    if chains < 1 or draws < 4 or burn < 0:
        raise OptionError(f"At least 1 chain and 4 draws are needed; got {chains!r} and {draws!r}.")
    support = Support.of(annotations)
    if not support.whole or annotations.n_annotators * annotations.n_classes**2 > MOST_CELLS:
        raise InputError(
            f"{annotations.n_annotators:,} annotators and {annotations.n_classes:,} classes are too many for the "
            "Bayesian model, which would take hours. Use weighted, one-coin or dawid-skene, or leave out annotators "
            "with few answers."
        )
    if features is not None and features.n_items != annotations.n_items:
        raise InputError(f"Features of {annotations.n_items} items are needed; got {features.n_items}.")
    fit: Consensus | None = None
    for longer in (1, longest) if longest > 1 else (1,):
        total, done = longer * (draws + burn), 0
        kept = []
        for chain in range(chains):
            sampler = _Chain(support, features, pooled, stream(seed, "annotators", str(chain)))
            for step in range(total):
                sampler.step(keep=step >= longer * burn)
                if each_draw is not None and step >= longer * burn:
                    each_draw(sampler.draw)
                done += 1
                if progress is not None:
                    progress(done, total * chains)
            kept.append(sampler)
        fit = _summary(support, kept, features is not None)
        if fit.converged:
            break
    assert fit is not None
    return fit


class _Chain:
    def __init__(
        self,
        support: Support,
        features: ItemLikelihood | None,
        pooled: bool,
        rng: np.random.Generator,
    ) -> None:
        notes = support.annotations
        self.support, self.features, self.rng = support, features, rng
        self.items, self.people, self.k = notes.n_items, notes.n_annotators, notes.n_classes
        tables = support.tables
        assert isinstance(tables, WholeTables)
        self.tables = tables
        self.own = notes.annotator.astype(np.int64) * self.k + notes.answer
        self.hyper: Parameters = Population(self.people, self.k, rng) if pooled else Fixed(self.k)
        shares = support.vote_shares().reshape(self.items, self.k)
        self.label = _drawn(shares, rng)
        self.draw: Draw
        self.shares = np.zeros((self.items, self.k))
        self.mean = np.zeros((self.people, self.k, self.k))
        self.proportions: list[FloatArray] = []
        self.accuracies: list[FloatArray] = []
        self.cells: list[FloatArray] = []
        self.kept = 0

    def step(self, *, keep: bool) -> None:
        counts = self._counts()
        self.hyper.draw(counts)
        gamma = self.rng.standard_gamma(counts + self.hyper.values) + 1e-300
        chances = gamma / gamma.sum(axis=2, keepdims=True)  # annotator × class × answer
        proportions = self.rng.dirichlet(np.bincount(self.label, minlength=self.k) + 1.0)
        answers_first = np.ascontiguousarray(chances.transpose(0, 2, 1))
        logs = self.tables.logs(np.maximum(answers_first, 1e-300)).reshape(self.items, self.k)
        logs = logs + np.log(np.maximum(proportions, 1e-300))
        if self.features is not None:
            logs = logs + self.features.drawn_logs(self.label, self.k, self.rng)
        shares, _ = self.support.normalised(logs.ravel())
        table = shares.reshape(self.items, self.k)
        self.label = _drawn(table, self.rng)
        self.draw = Draw(self.label, chances, proportions)
        if keep:
            self.kept += 1
            self.shares += table
            self.mean += answers_first
            self.proportions.append(proportions)
            met = self._counts().sum(axis=2)  # annotator × class: the classes met, as the value weighs them
            right = np.einsum("jk,jkk->j", met, chances) / np.maximum(met.sum(axis=1), 1)
            self.accuracies.append(np.where(met.sum(axis=1) > 0, right, np.einsum("k,jkk->j", proportions, chances)))
            if self.people * self.k * self.k * 1000 <= LARGEST:
                self.cells.append(chances.astype(np.float32))

    def _counts(self) -> FloatArray:
        """Count the answers of each annotator to the items of each class as drawn."""
        notes = self.support.annotations
        key = (notes.annotator.astype(np.int64) * self.k + self.label[notes.item]) * self.k + notes.answer
        counts = np.bincount(key, minlength=self.people * self.k * self.k)
        return counts.reshape(self.people, self.k, self.k).astype(float)


def _drawn(shares: FloatArray, rng: np.random.Generator) -> Array:
    edges = np.cumsum(shares, axis=1)
    drawn = (rng.random((len(shares), 1)) * edges[:, -1:] > edges).sum(axis=1)
    return np.asarray(np.minimum(drawn, shares.shape[1] - 1))


def _summary(support: Support, chains: list[_Chain], has_features: bool) -> Consensus:
    kept = sum(chain.kept for chain in chains)
    shares = support.with_gold(sum(chain.shares for chain in chains).ravel() / kept)  # type: ignore[union-attr]
    proportions = np.array([chain.proportions for chain in chains])
    accuracies = np.array([chain.accuracies for chain in chains])
    quantities = np.concatenate([proportions, accuracies], axis=2)
    rhat, size = float(split_rhat(quantities).max()), float(effective_size(quantities).min())
    warnings = []
    if rhat > MIXED:
        warnings.append(
            f"The chains have not mixed (R-hat {rhat:.2f}, {kept:,} draws): the answers hardly tell the classes. "
            "Doubt the probabilities, and collect more answers per item."
        )
    if labels_switched(support, shares):
        warnings.append(SWITCHED)
    extra: dict[str, Any] = {
        "rhat": rhat,
        "effective_size": size,
        "proportions": proportions.reshape(-1, proportions.shape[2]),
        "accuracies": accuracies.reshape(-1, accuracies.shape[2]),
    }
    if chains[0].cells:
        extra["cells"] = np.concatenate([np.array(chain.cells) for chain in chains])
    return Consensus(
        "item-response" if has_features else "hierarchical",
        support,
        shares,
        extra["proportions"].mean(axis=0),
        sum(chain.mean for chain in chains) / kept,
        iterations=kept,
        converged=rhat <= MIXED,
        assumptions=(*ASSUMPTIONS, WITH_FEATURES) if has_features else ASSUMPTIONS,
        warnings=tuple(warnings),
        extra=extra,
    )
