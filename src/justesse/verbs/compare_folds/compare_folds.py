"""`justesse.compare_folds`: the same question from scores over folds."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError
from justesse.core.recording import remembered
from justesse.core.results import Alternative, Estimate
from justesse.core.seeds import check_seed
from justesse.core.verdict import Decision, check_margin, decide
from justesse.frames.folds import FoldScores, read_folds
from justesse.frames.watched import watched
from justesse.intervals.student import student
from justesse.judges.words import reason
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.significance import DEFAULT_OVER_FOLDS, FoldTest, fold_test
from justesse.significance.anova import anova
from justesse.significance.correlated_t import correlated_t
from justesse.significance.equivalence_t import equivalence_t
from justesse.significance.fold_pair import FoldPair
from justesse.significance.friedman import friedman
from justesse.significance.multiplicity import adjusted, simultaneous_level
from justesse.significance.nemenyi import nemenyi
from justesse.significance.selection import check_tried
from justesse.significance.significance_test import SignificanceTest
from justesse.verbs.compare_folds.comparison import FoldComparison, FoldVerdict
from justesse.verbs.compare_folds.options import FoldOptions
from justesse.verbs.options.intervals import LevelOptions
from justesse.verbs.recorded import recorded


@recorded
def compare_folds(
    data: Any,
    *more: Any,
    incumbent: str | None = None,
    candidate: str | Sequence[str] | None = None,
    measure: str = FoldOptions.measure,
    margin: float = FoldOptions.margin,
    tried: int | None = None,
    test: FoldTest = FoldOptions.test,
    test_over_train: float | None = None,
    lower_is_better: bool = False,
    independent: bool = False,
    level: float = LevelOptions.level,
    alternative: Alternative = LevelOptions.alternative,
    seed: int = LevelOptions.seed,
) -> FoldComparison:
    """Decide whether a candidate should replace the incumbent, from scores of both on the same folds.

    Parameters
    ----------
    data
        Path, data frame or dict with one column per model, or with columns fold, model and score. Columns fold and
        repetition are recognised.
    more
        Refused: the scores of all models are passed together, as `data`.
    incumbent
        Model in use, by its column or name. Default: the first model.
    candidate
        Models that could replace it, such as forest or forest,svm. Default: all others.
    measure
        Name of the scores in the output, such as accuracy. Default: score.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    tried
        Number of candidates that were tried, if more than are given here. Default: as many as are given.
    test
        Test of the difference. Default: corrected-t (Nadeau and Bengio).
    test_over_train
        Size of a fold's test set over that of its training set, such as 0.25. Default: 1/(k-1) for k folds.
    lower_is_better
        The scores are errors or losses.
    independent
        The folds share no training rows, such as scores on different data sets.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

    Returns
    -------
    FoldComparison
        `verdict` is the first candidate's.

    Notes
    -----
    The interval of the mean difference decides, corrected for training sets that overlap unless the folds are
    `independent`. Three models or more are also tested by analysis of variance, corrected in the same way, and by
    Friedman's and Nemenyi's tests if the scores are of independent data sets.

    Examples
    --------

    >>> scores = {"old": [0.80, 0.84, 0.79, 0.83, 0.82], "new": [0.85, 0.88, 0.84, 0.87, 0.87]}
    >>> result = compare_folds(scores)
    >>> result.verdict.decision, round(result.verdict.difference.value, 3), str(result.verdict.difference.interval)
    ('replace', 0.046, '[0.0358, 0.0562]')
    """
    if more:
        raise InputError(
            f"{1 + len(more)} values passed by position, but the scores of all models are passed together. Name them in "
            "a dict: compare_folds({'old': scores, 'new': scores})."
        )
    check_margin(margin)
    check_seed(seed)
    chosen = fold_test(test)
    if independent and test_over_train is not None:
        raise OptionError("Independent folds share no training rows. Leave out test_over_train.")
    data = watched(data)
    scores = remembered("folds", read_folds, data)
    if len(scores.scores) < 2:
        raise OptionError("At least two folds are needed to know how much scores vary; got one.")
    if chosen.needs == "five repetitions of two folds" and scores.repetitions is None and len(scores.scores) == 10:
        scores = replace(scores, repetitions=tuple(at // 2 for at in range(10)))
    own = incumbent if incumbent is not None else scores.models[0]
    everyone = [model for model in scores.models if model != own] if candidate is None else candidate
    others = [everyone] if isinstance(everyone, str) else list(everyone)
    if not others:
        raise OptionError(f"There is no candidate besides {own!r}. Give scores of at least two models.")
    if len(set(others)) < len(others):
        raise OptionError(f"Name each candidate once; got {others!r}.")
    if own in others:
        raise OptionError(f"{own!r} cannot be both the incumbent and a candidate. Name another model.")
    total = len(others) if tried is None else check_tried(tried)
    if total < len(others):
        raise OptionError(
            f"{len(others)} candidates are shown, so at least {len(others)} were tried; got tried={tried!r}."
        )
    shared = None if independent else _overlap(scores) if test_over_train is None else test_over_train
    rule = {"level": simultaneous_level(level, total), "alternative": alternative, "test_over_train": shared}
    verdicts = [_verdict(scores, own, other, chosen, margin, seed, measure, lower_is_better, rule) for other in others]
    pvalues = adjusted([verdict.outcome.pvalue for verdict in verdicts], tried=total)
    models = [own, *others]
    table = np.column_stack([scores.of(name) for name in models])
    several: dict[str, Any] = {}
    if len(models) > 2:
        several["anova"] = anova(table, test_over_train=shared)
        if independent:
            ranked = friedman(table, names=models, higher_is_better=not lower_is_better)
            several |= {"friedman": ranked, "nemenyi": nemenyi(ranked.ranks, len(table), level=level)}
    return FoldComparison(
        verdicts=tuple(verdicts),
        adjusted_pvalues=tuple(pvalues.tolist()),
        incumbent=own,
        scores={name: scores.of(name) for name in models},
        measure=measure,
        lower_is_better=lower_is_better,
        tried=total,
        level=level,
        seed=seed,
        source=data,
        warnings=tuple(map(str, _cautions(scores, verdicts, total, level, independent, test_over_train))),
        **several,
    )


def _overlap(scores: FoldScores) -> float:
    """Take the folds as those of a cross-validation: a test set is 1/(k-1) of its training set."""
    k = scores.folds_per_repetition
    if k < 2:
        raise OptionError(
            "One fold per repetition does not show how much training sets overlap. Give test_over_train=… "
            "(--test-over-train)."
        )
    return 1 / (k - 1)


def _verdict(
    scores: FoldScores,
    own: str,
    other: str,
    test: SignificanceTest,
    margin: float,
    seed: int,
    measure: str,
    lower_is_better: bool,
    rule: Mapping[str, Any],
) -> FoldVerdict:
    sign = -1.0 if lower_is_better else 1.0
    first, two = [[sign * value for value in scores.of(name)] for name in (own, other)]
    pair = FoldPair(first, two, scores.repetitions, seed=seed, **rule)
    overlap = pair.test_over_train
    decisive = (test if test.decides else fold_test(DEFAULT_OVER_FOLDS)).over_folds(pair)
    outcome = decisive if test.decides else test.over_folds(pair)
    difference = decisive.difference
    assert difference is not None
    ends = difference.interval
    decision: Decision = decide(*((ends.low, ends.high) if ends else (math.nan, math.nan)), margin).item()
    means = [student(scores.of(name), level=rule["level"], test_over_train=overlap) for name in (own, other)]
    warnings = dict.fromkeys([*decisive.warnings, *outcome.warnings])
    return FoldVerdict(
        name=other,
        decision=decision,
        incumbent=means[0],
        candidate=means[1],
        difference=Estimate(f"{measure} difference", difference.value, difference.n, ends, difference.undefined),
        margin=margin,
        alternative=rule["alternative"],
        outcome=outcome,
        posterior=correlated_t(first, two, test_over_train=overlap, rope=margin) if overlap else None,
        equivalence=equivalence_t(first, two, margin, test_over_train=overlap, level=rule["level"]) if margin else None,
        assumptions=tuple(dict.fromkeys([*decisive.assumptions, *outcome.assumptions])),
        reason=reason(decision, difference, margin, rule["alternative"]),
        warnings=tuple(warnings),
    )


def _cautions(
    scores: FoldScores,
    verdicts: Sequence[FoldVerdict],
    tried: int,
    level: float,
    independent: bool,
    test_over_train: float | None,
) -> Iterator[Text]:
    if tried > 1:
        yield message(
            "{tried} candidates were tried on these folds: intervals are widened from {level:level} to {each:level} each, "
            "so that all hold together, and p-values are adjusted (Holm). The best of many also looks good by chance.",
            tried=tried,
            level=level,
            each=simultaneous_level(level, tried),
        )
    yield from dict.fromkeys(warning for verdict in verdicts for warning in verdict.warnings)
    if not independent and test_over_train is None:
        k = scores.folds_per_repetition
        yield message(
            "The folds are taken as those of a {k}-fold cross-validation (test over training set 1/{rest}). For other "
            "splits, give the size of a test set over its training set (--test-over-train). For data sets that share no "
            "rows, say so (--independent).",
            k=k,
            rest=k - 1,
        )
    if len(verdicts) > 1 and not independent:
        yield (
            "Ranks (Friedman, Nemenyi) need independent data sets and are left out: over folds of one data set their "
            "p-values are far too small. The analysis of variance is corrected for rows that folds share."
        )
    if len(scores.scores) < 5:
        yield message("{k} folds show little about how much scores vary; repeat the procedure.", k=len(scores.scores))
