"""Scores that charge a system for the expert's help: S_pen = S_adapt + (S_false - S_cor)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError

LARGEST = 1e100  # sums of larger scores may overflow


@dataclass(frozen=True)
class PenalisedScore:
    """The score of a system that asked an expert, with the price of the help.

    Parameters
    ----------
    adapt
        Score of the system's own answers after it adapted.
    false
        Score if everything that the expert touched were wrong.
    cor
        Score if everything that the expert touched were right.
    base
        Score before any help, if it is known.
    realised_cor
        Score with the answers that the expert really gave, if they may be wrong.
    higher_is_better
        Whether a higher score is better.
    """

    adapt: float
    false: float
    cor: float
    base: float | None = None
    realised_cor: float | None = None
    higher_is_better: bool = False

    @property
    def penalty(self) -> float:
        """What the help costs, in the unit of the score: S_false - S_cor."""
        return self.false - self.cor

    @property
    def value(self) -> float:
        """The penalised score, S_adapt + (S_false - S_cor)."""
        return self.adapt + self.penalty

    @property
    def gain(self) -> float | None:
        """What the system gained beyond the corrections themselves; above 0 is good, whichever way the score runs."""
        if self.base is None:
            return None
        return self.value - self.base if self.higher_is_better else self.base - self.value


def penalised_score(
    adapt: float, false: float, cor: float, *, base: float | None = None, higher_is_better: bool = False
) -> PenalisedScore:
    """Compute the penalised score from its parts.

        S_pen = S_adapt + (S_false - S_cor),   gain by generalisation = S_base - S_pen

    Parameters
    ----------
    adapt
        Score of the system's own answers after it adapted.
    false
        Score if everything that the expert touched were wrong.
    cor
        Score if everything that the expert touched were right.
    base
        Score before any help.
    higher_is_better
        Whether a higher score is better. The formula stays; only the sign of the gain turns.

    Notes
    -----
    Prokopalo et al. (2020), equation 1. A system that ignores a correction pays twice: with S_adapt and with the
    penalty.

    >>> score = penalised_score(0.2, 0.3, 0.1, base=0.5)
    >>> round(score.value, 3), round(score.gain, 3)
    (0.4, 0.1)
    """
    parts = {"adapt": adapt, "false": false, "cor": cor, **({} if base is None else {"base": base})}
    for name, part in parts.items():
        if not abs(part) <= LARGEST:
            raise OptionError(f"The score {name} must be a number of a usual size (up to 1e100); got {part!r}.")
    worse = false < cor if higher_is_better is False else false > cor
    if worse:
        raise OptionError(
            f"With everything touched wrong, the score ({false:g}) cannot be better than with everything touched right "
            f"({cor:g}). Check which is which, and whether a higher score is better."
        )
    return PenalisedScore(adapt, false, cor, base, None, higher_is_better)


def penalised_errors(
    reference: Sequence[Any],
    adapted: Sequence[Any],
    touched: Sequence[bool],
    *,
    base: Sequence[Any] | None = None,
    answers: Sequence[Any] | None = None,
) -> PenalisedScore:
    """Compute the penalised error rate from the answers to single items.

    Parameters
    ----------
    reference
        Right answer to each item.
    adapted
        What the system itself answers after it adapted; corrections are not pasted in.
    touched
        Whether the expert was asked about the item or corrected it, in any round.
    base
        What the system answered before any help.
    answers
        What the expert answered, where the item was touched; if the expert errs, the score with these answers is shown
        too.

    Returns
    -------
    PenalisedScore
        The penalty is exactly the share of items touched, those that were right already included: S_cor takes the
        right answer for every item touched. With an expert's wrong answers the penalty would shrink.

    >>> score = penalised_errors("aabb", "aabb", [True, False, False, False], base="babb")
    >>> score.value, score.gain
    (0.25, 0.0)
    """
    asked = np.asarray(touched, dtype=bool)
    n = len(asked)
    if not n:
        raise InputError("A penalised score needs at least one item.")
    first = adapted if base is None else base
    for name, part in (("reference", reference), ("adapted", adapted), ("base", first), ("answers", answers)):
        if part is not None and len(part) != n:
            raise InputError(f"{name} has {len(part)} items, touched has {n}. Give each item one answer.")
    wrong = np.array([answer != right for answer, right in zip(first, reference, strict=True)])
    untouched = int((wrong & ~asked).sum())
    realised = None
    if answers is not None:
        mistaken = sum(answers[i] != reference[i] for i in np.flatnonzero(asked).tolist())
        realised = (untouched + int(mistaken)) / n
    own = sum(answer != right for answer, right in zip(adapted, reference, strict=True)) / n
    return PenalisedScore(
        own, (untouched + int(asked.sum())) / n, untouched / n, None if base is None else float(wrong.mean()), realised
    )


def penalised_word_errors(
    reference: Sequence[Sequence[str]],
    adapted: Sequence[Sequence[str]],
    touched: Sequence[bool],
    *,
    base: Sequence[Sequence[str]] | None = None,
) -> PenalisedScore:
    """Compute the penalised word error rate of segments, such as sentences.

    Parameters
    ----------
    reference
        Right words of each segment.
    adapted
        What the system itself answers after it adapted.
    touched
        Whether the expert corrected the segment, in any round.
    base
        What the system answered before any help. Default: `adapted`, for the segments not touched.

    Notes
    -----
    A wholly wrong segment can be made arbitrarily bad by adding words. It is capped at the length of the reference, so
    that the penalty is the share of reference words in the segments touched.

    >>> reference = [["a", "b"], ["c", "d"]]
    >>> penalised_word_errors(reference, reference, [True, False]).value
    0.5
    """
    n = len(touched)
    first = adapted if base is None else base
    for name, part in (("reference", reference), ("adapted", adapted), ("base", first)):
        if len(part) != n:
            raise InputError(f"{name} has {len(part)} segments, touched has {n}.")
    words = sum(map(len, reference))
    if not words:
        raise InputError("A word error rate needs at least one word in the reference.")
    untouched = sum(
        word_errors(right, answer) for right, answer, asked in zip(reference, first, touched, strict=True) if not asked
    )
    at_stake = sum(len(right) for right, asked in zip(reference, touched, strict=True) if asked)
    own, before = (
        sum(word_errors(right, answer) for right, answer in zip(reference, part, strict=True)) / words
        for part in (adapted, first)
    )
    return PenalisedScore(
        own, (untouched + at_stake) / words, untouched / words, None if base is None else before, None
    )


def word_errors(reference: Sequence[str], answer: Sequence[str]) -> int:
    """Count the fewest words to insert, delete or replace that turn one sequence into the other (Levenshtein 1966).

    >>> word_errors("the cat sat".split(), "a cat sat down".split())
    2
    """
    row = list(range(len(answer) + 1))
    for i, right in enumerate(reference, start=1):
        above, row[0] = row[0], i
        for j, word in enumerate(answer, start=1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (right != word))
    return row[-1]
