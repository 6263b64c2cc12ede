"""How far annotators would agree if all were as accurate as the best one."""

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.refits import Refits
from justesse.core.arrays import FloatArray
from justesse.core.results import Estimate, Interval

FEWEST = 10  # answers of the one who may be the best


def best_care(fit: Consensus, again: Refits, *, level: float = 0.95) -> tuple[int, Estimate] | None:
    """Estimate alpha if every annotator had the table of the best one, and say which one that is, by code.

    With class proportions p and the best one's table π, two answers agree with chance p_a = Σ_k p_k Σ_a π(k, a)²; by
    chance alone with p_e = Σ_a q_a², q_a = Σ_k p_k π(k, a); alpha = (p_a - p_e) / (1 - p_e). The best has the highest
    mean accuracy over the refits among those with at least 10 answers. The interval takes the refits' quantiles for
    that annotator; having been the best by luck makes it a little too high: in docs/validity.md it covers in 93 % of
    repetitions instead of 95 %. It assumes that mistakes are independent given the class. `None` without tables.

    >>> from justesse.annotators.dawid_skene import dawid_skene
    >>> from justesse.annotators.refits import refits
    >>> from justesse.core.annotations import Annotations
    >>> lines = ["xxxx", "xxyx", "yyyx", "yyxy", "xxxx", "yxyy"] * 5
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abcd", line)]
    >>> fit = dawid_skene(Annotations.of(rows))
    >>> best, value = best_care(fit, refits(fit, draws=50))
    >>> best, bool(value.value > 0.8)
    (0, True)
    """
    notes = fit.support.annotations
    enough = np.flatnonzero(notes.per_annotator >= FEWEST)
    if again.counts is None or not len(enough):
        return None
    best = int(enough[np.nanmean(again.accuracies[:, enough], axis=0).argmax()])
    tables = again.tables(best)
    assert tables is not None
    draws = _alpha(again.proportions, tables)
    if np.isnan(draws).all():
        return None  # one class only: nothing to agree about
    value = float(np.nanmean(draws))
    tail = (1 - level) / 2
    low, high = np.nanquantile(draws, [tail, 1 - tail])
    interval = Interval(float(low), float(high), level, "bootstrap of items", (-1.0, 1.0))
    return best, Estimate("alpha", value, int(notes.per_annotator[best]), interval)


def _alpha(proportions: FloatArray, tables: FloatArray) -> FloatArray:
    agreeing = np.einsum("dk,dka->d", proportions, tables**2)
    chance = (np.einsum("dk,dka->da", proportions, tables) ** 2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(chance < 1 - 1e-12, (agreeing - chance) / (1 - chance), np.nan))
