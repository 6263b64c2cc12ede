"""All pairs of networks: verdicts, what wrong labels do to them, and what cruder rules miss."""

from typing import Any

import numpy as np

from justesse.frames.pairwise import count_pairs
from justesse.intervals.ends import z_value
from justesse.judges.classical import lead
from justesse.judges.evidence import Rule
from justesse.judges.pairs import Pairs, judge_pairs
from justesse.significance.multiplicity import max_t, simultaneous_level
from justesse.significance.normal import z_pvalue
from justesse.significance.overlap import overlap_z
from justesse.significance.paired_power import paired_n
from studies.cifar10_networks.answers import Answers, Array, Settings


def figures(answers: Answers, settings: Settings) -> dict[str, float]:
    """Sum up the labels, all ordered pairs, the order of the networks, and the corrections for many candidates."""
    many = len(answers.networks)
    found: dict[str, float] = {**_labels(answers)}
    for name, asked in (("each", 1), ("together", many * (many - 1) // 2)):
        level = simultaneous_level(settings.level, asked)
        found |= {f"{name}: {what}": value for what, value in _pairs(answers, level).items()}
    return {**found, **_margin(answers, settings), **_order(answers, settings), **_many(answers, settings)}


def _labels(answers: Answers) -> dict[str, float]:
    wrong = answers.label != answers.true
    repeated = (answers.given == answers.label)[:, wrong].mean(axis=1)
    right, truly = ((answers.given == of).sum(axis=1) for of in (answers.label, answers.true))
    pairs = np.triu_indices(len(right), 1)
    alike = (answers.given[:, None, wrong] == answers.given[None, :, wrong]).sum(axis=2)[pairs]
    moved = np.abs(np.subtract.outer(right, right) - np.subtract.outer(truly, truly))[pairs]
    return {
        "share of wrong labels": float(wrong.mean()),
        "smallest share of wrong labels that a network repeats": float(repeated.min()),
        "largest share of wrong labels that a network repeats": float(repeated.max()),
        "networks more accurate by the labels than by the truth": int((right > truly).sum()),
        "wrong labels to which two networks answer alike, median": float(np.median(alike)),
        "rows by which wrong labels move a difference, median": float(np.median(moved)),
        "rows by which wrong labels move a difference, largest": int(moved.max()),
    }


def _judged(answers: Answers, **rule: float) -> tuple[Pairs, Pairs]:
    one, other = (judge_pairs(count_pairs(of, answers.given), **rule) for of in (answers.label, answers.true))  # type: ignore[arg-type]
    return one, other


def _pairs(answers: Answers, level: float) -> dict[str, float]:
    by_label, by_truth = _judged(answers, level=level)
    noise = float((answers.label != answers.true).mean())
    replace, truly = by_label.decision == "replace", by_truth.decision == "replace"
    lost = replace & ~truly
    undecided = np.argwhere(np.triu(by_label.decision == "cannot_tell", 1))
    needed = [_needed(by_label, i, j) for i, j in undecided.tolist()]
    stated, naive = (
        lead(by_label.table, Rule(level=level), own) > 0 for own in (1 - z_pvalue(overlap_z(level)), level)
    )
    return {
        "replace": int(replace.sum()),
        "keep": int((by_label.decision == "keep").sum()),
        "cannot tell": 2 * len(undecided),
        "replace by the truth": int(truly.sum()),
        "replace by the labels only": int(lost.sum()),
        "replace by the truth only": int((truly & ~replace).sum()),
        "replace by the labels, keep by the truth": int((replace & (by_truth.decision == "keep")).sum()),
        "replace that survives as many wrong labels wherever they are": int(
            (replace & (by_label.verdict > noise)).sum()
        ),
        "replace whose sign survives as many wrong labels wherever they are": int(
            (replace & (by_label.sign > noise)).sum()
        ),
        "largest breakdown rate of a replace by the labels only": float(by_label.verdict[lost].max()),
        "replace missed by overlap at the stated level": int((replace & ~stated).sum()),
        "replace missed by overlap of intervals of that level": int((replace & ~naive).sum()),
        "replace found by overlap only": int(((stated | naive) & ~replace).sum()),
        "further rows needed, smallest": min(needed),
        "further rows needed, median": float(np.median(needed)),
        "further rows needed, largest": max(needed),
    }


def _needed(judged: Pairs, i: int, j: int) -> int:
    n, apart = judged.table.n[i, j], judged.table.only_incumbent[i, j] + judged.table.only_candidate[i, j]
    found = paired_n(difference=float(judged.difference[i, j]), disagreement=float(apart / n), level=judged.level)
    assert found is not None, "two networks are equally accurate"
    return found - int(n)


def _margin(answers: Answers, settings: Settings) -> dict[str, float]:
    judged, _ = _judged(answers, level=settings.level, margin=settings.gain)
    decisions = judged.decision[~np.eye(len(answers.networks), dtype=bool)]
    return {
        f"margin {settings.gain:g}: {name.replace('_', ' ')}": int((decisions == name).sum())
        for name in ("replace", "keep", "equivalent", "cannot_tell")
    }


def _order(answers: Answers, settings: Settings) -> dict[str, float]:
    """Look at neighbours in the ranking by the labels, and at who cannot be told from the first."""
    by_label, by_truth = _judged(answers, level=settings.level)
    order = np.argsort(by_label.difference[:, 0])  # who gains least by being replaced comes first
    better, worse = order[:-1], order[1:]
    together, _ = _judged(answers, level=simultaneous_level(settings.level, len(better)))
    return {
        "neighbours": len(better),
        "neighbours that cannot be told apart": int((by_label.decision[worse, better] == "cannot_tell").sum()),
        "neighbours the other way round by the truth": int((by_truth.difference[worse, better] < 0).sum()),
        "pairs the other way round by the truth": int((by_label.difference * by_truth.difference < 0).sum()) // 2,
        "networks that cannot be told from the first": int((together.decision[order[0], worse] == "cannot_tell").sum()),
    }


def _many(answers: Answers, settings: Settings) -> dict[str, float]:
    """Correct for all candidates at once by Bonferroni, and by the bootstrap of the largest error."""
    right = (answers.given == answers.label).astype(int)
    incumbent = answers.networks.index(settings.incumbent)
    apart: Array = np.delete(right - right[incumbent], incumbent, axis=0)
    kinds, counts = np.unique(apart.T, axis=0, return_counts=True)
    found = max_t(kinds, counts, level=settings.level, draws=settings.draws, seed=settings.seed)
    z: Any = z_value((1 - simultaneous_level(settings.level, len(apart))) / 2)
    statistic = np.abs(apart.sum(axis=1)) / np.sqrt((apart**2).sum(axis=1))
    return {
        "candidates": len(apart),
        "candidates decided with Bonferroni": int((statistic > z).sum()),
        "candidates decided with max-T": int((found.pvalues <= 1 - settings.level).sum()),
        "z of Bonferroni": z,
        "z of max-T": found.z,
    }
