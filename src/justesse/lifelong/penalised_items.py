"""Penalised scores of items that an expert corrects one by one: classes, sentences, translations."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.scorers import ItemScorer, counted


def penalised_items(
    scorer: ItemScorer,
    reference: Sequence[Any],
    adapted: Sequence[Any],
    touched: Sequence[Any],
    *,
    base: Sequence[Any] | None = None,
    answers: Sequence[Any] | None = None,
) -> HypothesisCounts:
    """Count the hypotheses of a penalised score from the answers to single items.

    Parameters
    ----------
    scorer
        The score: `ERROR`, `WORD_ERROR`, `BLEU` or `SACREBLEU` of `scorers.py`, or one of your own.
    reference
        Right answer to each item. Texts are read as the scorer reads them, such as split into words.
    adapted
        What the system itself answers after it adapted; corrections are not pasted in.
    touched
        Whether the expert was asked about the item or corrected it; or a row of these for each round: an item counts
        as touched if it was in any of them.
    base
        What the system answered before any help. Default: `adapted`, for the items not touched.
    answers
        What the expert answered, where the item was touched. If the expert errs, the score with these answers is shown
        too. `None` for a touched item: the answer cannot be applied to the hypothesis, so there is no penalty.

    Returns
    -------
    HypothesisCounts
        `score()` has the penalised score. For an error rate the penalty is exactly the share of items touched, those
        that were right already included; for a word error rate, the share of reference words in the segments touched.
        S_cor takes the right answer for every item touched: with an expert's wrong answers the penalty would shrink.
        S_false takes a wholly wrong answer as long as the reference.

    >>> from justesse.lifelong.scorers import ERROR
    >>> score = penalised_items(ERROR, "aabb", "aabb", [True, False, False, False], base="babb").score()
    >>> score.value, score.gain
    (0.25, 0.0)
    """
    asked = _touched(touched)
    n = len(asked)
    reference, adapted = _read(scorer, reference), _read(scorer, adapted)
    base, answers = (None if part is None else _read(scorer, part) for part in (base, answers))
    first = adapted if base is None else base
    for name, part in (("reference", reference), ("adapted", adapted), ("base", first), ("answers", answers)):
        if part is not None and len(part) != n:
            raise InputError(f"{name} has {len(part)} items, touched has {n}. Give each item one answer.")
    right = counted(scorer, reference, reference)
    if not right.sum(axis=0)[1] > 0:
        raise InputError(f"The {scorer.words} needs {scorer.needs}.")
    before = counted(scorer, reference, first)
    spoilt = counted(scorer, reference, [scorer.wrong(answer) for answer in reference])
    places = np.flatnonzero(asked).tolist()
    useless = next((at for at in places if answers is not None and answers[at] is None), None)
    answered = None
    if answers is not None and useless is None:
        answered = before.copy()
        for at in places:
            answered[at] = scorer.counts(reference[at], answers[at])
    here = asked[:, None]
    return HypothesisCounts(
        scorer.value,
        scorer.spread,
        counted(scorer, reference, adapted),
        None if useless is not None else np.where(here, right, before),
        None if useless is not None else np.where(here, spoilt, before),
        None if base is None else before,
        answered,
        scorer.higher_is_better,
        None if useless is None else f"the expert's answer to item {useless + 1} cannot be applied to the hypothesis",
    )


def _read(scorer: ItemScorer, answers: Sequence[Any]) -> list[Any]:
    return [scorer.read(answer) if isinstance(answer, str) else answer for answer in answers]


def _touched(touched: Sequence[Any]) -> Array:
    rounds = np.asarray(touched, dtype=bool)
    if not rounds.size:
        raise InputError("A penalised score needs at least one item.")
    return rounds if rounds.ndim == 1 else np.asarray(rounds.any(axis=0))
