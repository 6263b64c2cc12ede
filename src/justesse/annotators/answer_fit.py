"""Whether the model fits the answers: do those to one item agree as evenly as independent mistakes would make them?

Items that are harder than others make all annotators err at once. Then answers to hard items agree less and answers to
easy ones more than the model expects, and its probabilities are too sure.
"""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.bayesian import Draw, bayesian
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.seeds import stream

REPLICATES = 200
LARGEST = 4_000_000  # answers times classes looked at in each replicate
FEWEST = 20  # items with several answers
MOST_ANSWERS, MOST_PEOPLE, BURN = 150_000, 2_000, 100  # answers times classes, and annotators, of a check of its own


@dataclass(frozen=True)
class AnswerFit:
    """Posterior predictive check: `ratio` is the observed spread of agreement over that of replicated answers."""

    pvalue: float
    ratio: float
    replicates: int


class AgreementCheck:
    """Compare the agreement on each item with what each draw expects, for the answers and for replicates of them.

    Given the item's class k as drawn, the number of pairs of equal answers has the mean
    m_i = ½ Σ_a [(Σ_j t_jka)² - Σ_j t_jka²] over the annotators j of the item. The discrepancy is the sum over items of
    the squared distance from m_i in shares of the item's pairs. Replicated answers are drawn from the same tables and
    classes. The p-value is the share of draws with a discrepancy of replicates at least as large as that of the answers
    (Gelman, Meng & Stern 1996). It is conservative, because the classes were fitted to the answers.
    """

    def __init__(self, notes: Annotations, draws: int, rng: np.random.Generator) -> None:
        several = np.flatnonzero(notes.per_item > 1)
        most = LARGEST * max(len(several), 1) // max(len(notes) * notes.n_classes, 1)
        if len(several) > most:
            several = np.sort(rng.choice(several, max(most, 1), replace=False))
        self.chosen = several
        self.enough = len(several) >= FEWEST
        part = notes.of_items(several)
        self.notes, self.rng, self.k = part, rng, notes.n_classes
        self.every = max(draws // REPLICATES, 1)
        self.starts = np.cumsum(part.per_item) - part.per_item
        self.pairs = part.per_item * (part.per_item - 1) / 2
        self.observed = self._equal_pairs(part.answer)
        self.seen = 0
        self.discrepancies: list[tuple[float, float]] = []

    def see(self, draw: Draw) -> None:
        """Take one draw into account."""
        self.seen += 1
        if not self.enough or self.seen % self.every:
            return
        chances = draw.tables[self.notes.annotator, draw.label[self.chosen][self.notes.item]]  # answer × class answered
        edges = np.cumsum(chances, axis=1)
        drawn = (self.rng.random((len(edges), 1)) * edges[:, -1:] > edges).sum(axis=1)
        expected = self._expected(chances)
        again = self._equal_pairs(np.minimum(drawn, self.k - 1))
        self.discrepancies.append((self._distance(self.observed, expected), self._distance(again, expected)))

    def result(self) -> AnswerFit | None:
        """Give the p-value, or `None` if there are too few items with several answers."""
        if not self.discrepancies:
            return None
        observed, again = np.array(self.discrepancies).T
        pvalue = (1 + int((again >= observed).sum())) / (1 + len(again))
        return AnswerFit(pvalue, float(observed.mean() / max(again.mean(), 1e-300)), len(again))

    def _equal_pairs(self, answer: Array) -> FloatArray:
        keys = self.notes.item.astype(np.int64) * self.k + answer
        counts = np.bincount(keys, minlength=self.notes.n_items * self.k).reshape(-1, self.k)
        return np.asarray((counts**2 - counts).sum(axis=1) / 2, dtype=float)

    def _expected(self, chances: FloatArray) -> FloatArray:
        if not len(chances):
            return np.zeros(0)
        sums = np.add.reduceat(chances, self.starts, axis=0)
        own = np.add.reduceat((chances**2).sum(axis=1), self.starts)
        return np.asarray(((sums**2).sum(axis=1) - own) / 2)

    def _distance(self, equal: FloatArray, expected: FloatArray) -> float:
        return float((((equal - expected) / self.pairs) ** 2).sum())


def answer_fit(notes: Annotations, *, seed: int = 0) -> AnswerFit | None:
    """Check the answers against Dawid and Skene's model with tables of one population, in draws from its posterior.

    Of many answers a random part of the items is looked at. `None` if too few items have several answers, or there are
    too many annotators and classes. Fitted tables alone will not do: with few answers per annotator they are too
    certain, and the check rejects independent annotators in 10 % of cases and more.

    >>> rng = np.random.default_rng(0)
    >>> truth, hard = rng.integers(0, 2, 300), rng.random(300) < 0.3
    >>> right = rng.random((300, 10)) < np.where(hard, 0.5, 0.9)[:, None]
    >>> answers = np.where(right, truth[:, None], 1 - truth[:, None])
    >>> rows = [(item, who, int(answers[item, who])) for item in range(300) for who in range(10)]
    >>> check = answer_fit(Annotations.of(rows))
    >>> round(check.pvalue, 3), check.ratio > 1.3
    (0.005, True)
    """
    if notes.n_annotators > MOST_PEOPLE or notes.n_annotators * notes.n_classes**2 > LARGEST or notes.n_classes < 2:
        return None
    most = MOST_ANSWERS * notes.n_items // max(len(notes) * notes.n_classes, 1)
    rng = stream(seed, "answer fit")
    if notes.n_items > most:
        notes = notes.of_items(np.sort(rng.choice(notes.n_items, max(most, 1), replace=False)))
    check = AgreementCheck(notes, REPLICATES, rng)
    if not check.enough:
        return None
    bayesian(notes, chains=1, draws=REPLICATES, burn=BURN, longest=1, seed=seed, each_draw=check.see)
    return check.result()
