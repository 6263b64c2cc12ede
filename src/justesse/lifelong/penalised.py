"""Scores that charge a system for the expert's help: S_pen = S_adapt + (S_false - S_cor)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from justesse.core.errors import OptionError

LARGEST = 1e100  # sums of larger scores may overflow
Hypothesis = TypeVar("Hypothesis")


@dataclass(frozen=True)
class PenalisedScore:
    """The score of a system that asked an expert, with the price of the help.

    Parameters
    ----------
    adapt
        Score of the system's own answers after it adapted.
    false
        Score if everything that the expert touched were wrong; NaN if it cannot be computed.
    cor
        Score if everything that the expert touched were right; NaN if it cannot be computed.
    base
        Score before any help, if it is known.
    realised_cor
        Score with the answers that the expert really gave, if they may be wrong.
    higher_is_better
        Whether a higher score is better.
    undefined
        Why there is no penalty, if there is none.
    """

    adapt: float
    false: float
    cor: float
    base: float | None = None
    realised_cor: float | None = None
    higher_is_better: bool = False
    undefined: str | None = None

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


def penalised_hypotheses(
    score: Callable[[Hypothesis], float],
    *,
    adapted: Hypothesis,
    corrected: Hypothesis | None,
    spoilt: Hypothesis | None,
    base: Hypothesis | None = None,
    answered: Hypothesis | None = None,
    higher_is_better: bool = False,
    undefined: str | None = None,
) -> PenalisedScore:
    """Compute the penalised score of any task from its hypotheses and a function that scores one.

    Parameters
    ----------
    score
        Function that scores a hypothesis against the reference.
    adapted
        What the system itself answers after it adapted; corrections are not pasted in.
    corrected
        The hypothesis before help, with the reference wherever the expert touched it. `None` if the expert's answer
        cannot be applied to a hypothesis: then there is no penalty.
    spoilt
        The same, wholly wrong wherever the expert touched it.
    base
        The hypothesis before any help.
    answered
        The hypothesis before help, with what an expert who may err answered.
    higher_is_better
        Whether a higher score is better.
    undefined
        Why there is no corrected hypothesis.

    >>> right = "abcd"
    >>> def error(answers):
    ...     return sum(answer != label for answer, label in zip(answers, right)) / len(right)
    >>> penalised_hypotheses(error, adapted="abcx", corrected="abxx", spoilt="-bxx", base="xbxx").value
    0.5
    """
    own, before = score(adapted), None if base is None else score(base)
    if corrected is None or spoilt is None:
        reason = undefined or "the expert's answer cannot be applied to the hypothesis"
        return PenalisedScore(own, math.nan, math.nan, before, None, higher_is_better, reason)
    realised = None if answered is None else score(answered)
    return PenalisedScore(own, score(spoilt), score(corrected), before, realised, higher_is_better)
