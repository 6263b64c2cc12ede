"""Scores of items that a penalised score can be made of: what is counted of an item, and the score of the sums."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.lifelong.bleu import bleu_counts, bleu_value, mteval_tokens
from justesse.lifelong.penalised_counts import Spread
from justesse.lifelong.word_error import word_errors

WRONG = "\ue000"  # a private character that no reference has


@dataclass(frozen=True)
class ItemScorer:
    """A score of items, such as the word error rate of segments.

    Parameters
    ----------
    name
        Its name in options, such as wer.
    words
        Its name in words.
    counts
        Function of the right and the given answer to an item that returns what is added up.
    value
        Function of the sums over all items, on the last axis, that returns the score.
    wrong
        Function of the right answer that returns a wholly wrong one of the same length.
    read
        Function of an answer as written in a table that returns the answer that `counts` takes.
    spread
        How the score is made of items, for its interval: see `HypothesisCounts`.
    higher_is_better
        Whether a higher score is better.
    needs
        What at least one item must have for the score to be defined.
    """

    name: str
    words: str
    counts: Callable[[Any, Any], tuple[float, ...]]
    value: Callable[[FloatArray], FloatArray]
    wrong: Callable[[Any], Any]
    read: Callable[[str], Any]
    spread: Spread = "resampled"
    higher_is_better: bool = False
    needs: str = "at least one item"


def _ratio(sums: FloatArray) -> FloatArray:
    """Divide errors by what they are counted of."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def _wrong_words(reference: Sequence[str]) -> list[str]:
    # a longer hypothesis could be made arbitrarily bad: it is as long as the reference
    return [WRONG] * len(reference)


def _one_reference(reference: Sequence[str], answer: Sequence[str]) -> tuple[float, ...]:
    return bleu_counts([reference], answer)


ERROR = ItemScorer(
    "error",
    "error rate",
    lambda right, answer: (float(answer != right), 1.0),
    _ratio,
    lambda right: (WRONG, right),
    str,
    "share",
)
WORD_ERROR = ItemScorer(
    "wer",
    "word error rate",
    lambda right, answer: (word_errors(right, answer), len(right)),
    _ratio,
    _wrong_words,
    str.split,
    "ratio",
    needs="at least one word in the reference",
)
BLEU = ItemScorer(
    "bleu",
    "BLEU (Papineni et al. 2002)",
    _one_reference,
    bleu_value,
    _wrong_words,
    str.split,
    higher_is_better=True,
)
SACREBLEU = ItemScorer(
    "sacrebleu",
    "BLEU (sacreBLEU)",
    _one_reference,
    lambda sums: bleu_value(sums, smoothed=True),
    _wrong_words,
    mteval_tokens,
    higher_is_better=True,
)
ALL = (ERROR, WORD_ERROR, BLEU, SACREBLEU)


def counted(scorer: ItemScorer, reference: Sequence[Any], answers: Sequence[Any]) -> FloatArray:
    """Count every item, a row each.

    >>> counted(ERROR, "ab", "ax").tolist()
    [[0.0, 1.0], [1.0, 1.0]]
    """
    rows = [scorer.counts(right, answer) for right, answer in zip(reference, answers, strict=True)]
    return np.array(rows, dtype=float)
