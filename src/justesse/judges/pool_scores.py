"""What an expert's answer makes of each classifier's score on a question: credits of answers, averaged over samples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError

NOTHING = -9  # no sample: pads questions that have fewer samples than others
SAME = 1e-9  # credits closer than this are equal


@dataclass(frozen=True)
class Credits:
    """Credits that an expert gives to answers, by class code; every other answer gets none.

    >>> Credits.of({2: 1.0, 5: 0.5}).get(5)
    0.5
    """

    pairs: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, credits: Mapping[int, float]) -> "Credits":
        """Make credits that are equal if they give the same."""
        return cls(tuple(sorted((int(code), float(credit)) for code, credit in credits.items())))

    def get(self, code: int) -> float:
        """Return the credit of an answer."""
        return dict(self.pairs).get(code, 0.0)


Right = frozenset[int] | Credits  # the right classes, or how much credit each answer gets


@dataclass(frozen=True, eq=False)
class PoolScores:
    """The answers of classifiers to disputed questions, and how an expert's answer scores them.

    Parameters
    ----------
    answers
        Class codes by classifier, question and sample; a missing answer has a code below 0, `NOTHING` is no sample.
    table
        Credit of each answer (columns) for each right class (rows), from 0 to 1; nothing if only right answers get any.
    recorded
        For each question, the credit that each answer got in the data, by class code; nothing if labels decide.

    Notes
    -----
    ::

        score of a classifier on a question = mean over its samples of c(answer),   0 ≤ c ≤ 1

    An expert's answer fixes c. Right classes R: c(a) = 1 if a is in R, else 0; with a table, the largest credit of a
    for any class in R. Credits: c(a) as given, 0 for others. A flawed question: c = 0. A missing answer never has
    credit. So whatever the expert answers, the gain of the second classifier of a pair lies in

        ± max(Σ_a (f₂(a) - f₁(a))⁺, Σ_a (f₁(a) - f₂(a))⁺)     f: share of the samples with this answer

    which is known before any question. It is 1 for two different single answers, and 0 if both give the same answers
    equally often: then nobody needs to be asked.
    """

    answers: Array
    table: Array | None = None
    recorded: tuple[Mapping[int, float], ...] | None = None

    @cached_property
    def shares(self) -> Array:
        """Share of the samples of each classifier, on each question, that give each of its different answers."""
        models, rows, _ = self.answers.shape
        different = [np.unique(own[own >= 0]) for own in self.answers.transpose(1, 0, 2)]
        result = np.zeros((models, rows, max(map(len, different), default=0)))
        for row, names in enumerate(different):
            own = self.answers[:, row]
            whole = np.maximum((own != NOTHING).sum(-1), 1)
            result[:, row, : len(names)] = (own[..., None] == names).sum(1) / whole[:, None]
        return result

    def spans(self, pairs: Array) -> Array:
        """Return how far each pair can be apart on each question (pairs × questions)."""
        result = np.empty((len(pairs), self.answers.shape[1]))
        for at, (first, second) in enumerate(pairs.tolist()):
            apart = self.shares[second] - self.shares[first]
            result[at] = np.maximum(np.maximum(apart, 0).sum(-1), np.maximum(-apart, 0).sum(-1))
        return np.where(result > SAME, np.minimum(result, 1.0), 0.0)

    def scores(self, row: int, right: Right) -> Array:
        """Return the score of each classifier on a question."""
        own = self.answers[:, row]
        credit = self._credit(own, right)
        return np.asarray(credit.sum(-1) / np.maximum((own != NOTHING).sum(-1), 1))

    def recorded_scores(self, labels: Array) -> Array:
        """Return the score of each classifier on each question by the data: recorded credits, or the labels."""
        rows = range(self.answers.shape[1])
        if self.recorded is None:
            right: list[Right] = [frozenset([int(code)]) if code >= 0 else frozenset() for code in labels]
        else:
            right = [Credits.of(credits) for credits in self.recorded]
        return (
            np.stack([self.scores(row, right[row]) for row in rows], -1) if right else np.zeros(self.answers.shape[:2])
        )

    def _credit(self, codes: Array, right: Right) -> Array:
        if isinstance(right, Credits):
            credits = dict(right.pairs)
            return np.asarray(np.vectorize(lambda code: credits.get(int(code), 0.0), otypes=[float])(codes))
        exact = np.isin(codes, list(right)) & (codes >= 0)
        if self.table is None:
            return exact.astype(float)
        size = len(self.table)
        known, within = [code for code in right if 0 <= code < size], (codes >= 0) & (codes < size)
        if not known:  # a class that the table does not have
            return exact.astype(float)
        best = self.table[known].max(0)
        return np.maximum(np.where(within, best[np.where(within, codes, 0)], 0.0), exact)


def check_credits(values: Sequence[float] | Array, what: str) -> Array:
    """Return credits as numbers; refuse those that are not between 0 and 1.

    >>> check_credits([0, 0.5, 1], "A score").tolist()
    [0.0, 0.5, 1.0]
    """
    numbers = np.asarray(values, dtype=float)
    wrong = ~((numbers >= 0) & (numbers <= 1))
    if wrong.any():
        raise InputError(
            f"{what} must be a number from 0 to 1; got {float(numbers[wrong].flat[0]):g}. Divide by the largest score "
            "that is possible."
        )
    return numbers
