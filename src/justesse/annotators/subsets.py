"""How agreement depends on the number of annotators: random subsets of them, and how reliable their consensus is."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.distances import alpha
from justesse.core.annotations import Annotations
from justesse.core.choices import AnswerScale
from justesse.core.seeds import stream

SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
SUBSETS, MOST_ANSWERS = 50, 50_000


@dataclass(frozen=True)
class SubsetAgreement:
    """Alpha of random subsets of annotators of one size: median, and the range of 95 % of the subsets.

    `reliability` is Spearman and Brown's for the mean opinion of so many annotators: m α / (1 + (m - 1) α).
    """

    annotators: int
    alpha: float
    low: float
    high: float
    reliability: float | None


def subset_agreement(
    annotations: Annotations, scale: AnswerScale = "nominal", *, subsets: int = SUBSETS, seed: int = 0
) -> list[SubsetAgreement]:
    """Compute alpha of random subsets of annotators, for growing numbers of them.

    The range says how much alpha depends on who annotates; it is no confidence interval. Sizes at which fewer than half
    of the subsets have an alpha are left out: their annotators share too few items. With many answers, random items
    with about 50,000 answers stand for all.

    >>> lines = ["xxxx", "xxyx", "yyyy", "yyxy", "xxxx", "yxyy"] * 3
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abcd", line)]
    >>> [(each.annotators, round(each.alpha, 2)) for each in subset_agreement(Annotations.of(rows))]
    [(2, 0.35), (3, 0.34), (4, 0.5)]
    """
    rng = stream(seed, "subsets")
    notes = annotations
    if len(notes) > MOST_ANSWERS:
        mean = len(notes) / notes.n_items
        notes = notes.of_items(np.sort(rng.permutation(notes.n_items)[: max(int(MOST_ANSWERS / mean), 2)]))
    people = np.flatnonzero(notes.per_annotator > 0)
    whole = alpha(notes.votes(), scale).value
    results = []
    for size in [size for size in SIZES if size < len(people)] + [len(people)]:
        if size < 2:
            continue
        values = []
        for _ in range(subsets if size < len(people) else 1):
            kept = np.zeros(notes.n_annotators, dtype=bool)
            kept[rng.permutation(people)[:size]] = True
            values.append(alpha(notes.where(kept[notes.annotator]).votes(), scale).value)
        defined = [value for value in values if not np.isnan(value)]
        if 2 * len(defined) < len(values) or not defined:
            continue
        low, middle, high = np.quantile(defined, [0.025, 0.5, 0.975])
        reliability = size * whole / (1 + (size - 1) * whole) if whole > 0 else None
        results.append(SubsetAgreement(size, float(middle), float(low), float(high), reliability))
    return results
