"""Compare every pair of models after one procedure, with the test that fits the procedure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np

from justesse.core.coded import coded
from justesse.core.results import Estimate, TestResult, finite_or_none
from justesse.core.tally import Tally
from justesse.measures import Measure
from justesse.procedures.fitting import Fit
from justesse.procedures.run import OutOfSample
from justesse.procedures.score import ONE_OUT, ONE_SPLIT, overlap_ratio, rows_alone, scores_of
from justesse.significance.anova import anova
from justesse.significance.corrected_t import corrected_t
from justesse.significance.five_by_two_f import five_by_two_f
from justesse.significance.mcnemar import ASSUMPTIONS, mcnemar
from justesse.significance.multiplicity import adjusted, simultaneous_level
from justesse.significance.paired_difference import paired_difference
from justesse.significance.paired_measure import Compared, measured_difference, paired_bootstrap

NO_TEST = "no per-row test exists for this measure; see its interval"
BY_GROUP = "one split by group does not show how much the difference varies between groups; use folds by group"
NEVER_DISAGREE = "the two models never differ in a way this measure counts"
FEW_SPLITS = "fewer than two splits in which both models have a score"
TIE = 1e-12  # differences of means below this are rounding errors


@dataclass(frozen=True)
class ModelPair:
    """How much better one model is than another: the difference with its interval, the test, and Holm's p-value."""

    better: str
    worse: str
    difference: Estimate
    outcome: TestResult
    adjusted_pvalue: float = math.nan

    @property
    def told_apart(self) -> bool:
        """Whether the whole interval lies on one side of 0."""
        interval = self.difference.interval
        return interval is not None and (interval.low > 0 or interval.high < 0)

    def to_dict(self) -> dict[str, Any]:
        return {
            "better": self.better,
            "worse": self.worse,
            "difference": self.difference.to_dict(),
            "told_apart": self.told_apart,
            "outcome": self.outcome.to_dict(),
            "adjusted_pvalue": finite_or_none(self.adjusted_pvalue),
        }


def model_pairs(
    runs: OutOfSample, models: Sequence[str], measure: Measure, *, level: float = 0.95
) -> tuple[ModelPair, ...]:
    """Compare all pairs of models; the better model of each pair comes first.

    Parameters
    ----------
    runs
        Answers on held-out rows, from `run`.
    models
        Names of the models to compare. Each must have answered in at least one split.
    measure
        Overall measure, such as `accuracy` or `averaged(f1, "macro")`. A positive difference means that the first model
        of a pair is better, also where lower values are better.
    level
        Confidence level that all intervals keep together (Bonferroni).

    Returns
    -------
    tuple of ModelPair
        One for each pair; p-values are also adjusted by Holm.

    Notes
    -----
    Several splits: the corrected t test of Nadeau and Bengio; after 5x2 splits Alpaydin's F test. One split or
    leave-one-out: McNemar's test with Tango's interval. An interval that holds 0 does not show that two models are
    equally good.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from justesse.measures import accuracy
    >>> from justesse.procedures.run import run
    >>> runs = run({"naive": DummyClassifier(), "bayes": GaussianNB()}, *load_iris(return_X_y=True))
    >>> [pair] = model_pairs(runs, ["naive", "bayes"], accuracy)
    >>> pair.better, round(pair.difference.value, 2), pair.outcome.test
    ('bayes', 0.62, 'corrected-t')
    """
    names = list(combinations(models, 2))
    if not names:
        return ()
    each = simultaneous_level(level, len(names))
    pairs = [_pair(runs, *pair, measure, each) for pair in names]
    pvalues = adjusted([pair.outcome.pvalue for pair in pairs])
    return tuple(replace(pair, adjusted_pvalue=float(p)) for pair, p in zip(pairs, pvalues, strict=True))


def all_alike(runs: OutOfSample, models: Sequence[str], measure: Measure) -> TestResult | None:
    """Test that three models or more score alike, by analysis of variance blocked by split.

    Returns `None` for fewer than three models, and where rows rather than splits vary (one split, leave-one-out).
    """
    if len(models) < 3 or rows_alone(runs):
        return None
    complete = [
        at for at in range(len(runs.fits[models[0]])) if all(runs.fits[name][at].answers is not None for name in models)
    ]
    table = np.array([scores_of(runs, [runs.fits[name][at] for at in complete], measure) for name in models]).T
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) < 2:
        return None
    return anova(table, test_over_train=overlap_ratio(runs, [runs.fits[models[0]][at] for at in complete]))


def _pair(runs: OutOfSample, better: str, worse: str, measure: Measure, level: float) -> ModelPair:
    pairs_of_fits = [
        fits
        for fits in zip(runs.fits[better], runs.fits[worse], strict=True)
        if all(fit.answers is not None for fit in fits)
    ]
    compared = _by_rows if rows_alone(runs) else _by_splits
    pair = ModelPair(
        better,
        worse,
        *compared(runs, [fit for fit, _ in pairs_of_fits], [fit for _, fit in pairs_of_fits], measure, level),
    )
    # where one failed in some splits, the splits both have may put them the other way round
    return _pair(runs, worse, better, measure, level) if pair.difference.value < -TIE else pair


def _by_splits(
    runs: OutOfSample, ahead: Sequence[Fit], behind: Sequence[Fit], measure: Measure, level: float
) -> tuple[Estimate, TestResult]:
    scores = np.array([scores_of(runs, fits, measure) for fits in (behind, ahead)]).reshape(2, -1)
    known = np.isfinite(scores).all(axis=0)
    name, values = f"{measure.name} difference", scores[:, known] * (1 if measure.greater_is_better else -1)
    if known.sum() < 2:
        value = float(values[1, 0] - values[0, 0]) if known.any() else math.nan
        return _undefined(name, value, int(known.sum()), FEW_SPLITS)
    ratio = overlap_ratio(runs, [fit for fit, is_known in zip(ahead, known, strict=True) if is_known])
    outcome = corrected_t(*values.tolist(), test_over_train=ratio, level=level)
    assert outcome.difference is not None
    difference = replace(outcome.difference, name=name)
    if (getattr(runs.procedure, "k", 0), getattr(runs.procedure, "repeats", 0)) == (2, 5) and known.sum() == 10:
        outcome = five_by_two_f(*(side.reshape(5, 2) for side in values))
    return difference, replace(outcome, difference=None)


def _by_rows(
    runs: OutOfSample, ahead: Sequence[Fit], behind: Sequence[Fit], measure: Measure, level: float
) -> tuple[Estimate, TestResult]:
    name = f"{measure.name} difference"
    if not ahead:
        return _undefined(name, math.nan, 0, "one of the two models failed")
    rows = np.concatenate([fit.test for fit in ahead])
    worse, better = (np.concatenate([np.asarray(fit.answers) for fit in fits]) for fits in (behind, ahead))
    classes = runs.data.classes or ()
    labels = coded(runs.data.y[rows], classes)[0]
    only_worse, only_better = (
        int((right & ~other).sum()) for right, other in permutations((worse == labels, better == labels))
    )
    split = ONE_SPLIT if len(ahead) == 1 else ONE_OUT
    test = replace(mcnemar(only_worse, only_better), assumptions=(*ASSUMPTIONS, split))
    n = len(rows)
    if measure.judged_as == "accuracy":  # or the error rate: McNemar's test is about both
        value = (only_better - only_worse) / n
        interval = paired_difference(only_worse, only_better, n, level=level).intervals(bounds=(-1.0, 1.0))[0]
    else:
        columns = [(codes, classes) for codes in (labels, worse, better)]
        ones = np.ones(n, dtype=np.int64)
        tally = Tally.from_codes(("label", "incumbent", "candidate"), columns, ones, classes=classes)
        compared = Compared(measure)
        value = float(measured_difference(compared)(tally))
        interval = paired_bootstrap(tally, compared, level=level, seed=runs.seed)
        test = replace(test, test="none", statistic=math.nan, pvalue=math.nan, undefined=NO_TEST)
    if getattr(runs.procedure, "kind", None) == "grouped":
        return _undefined(name, value, n, BY_GROUP)
    return Estimate(name, value, n, interval, None if interval else NEVER_DISAGREE), test


def _undefined(name: str, value: float, n: int, why: str) -> tuple[Estimate, TestResult]:
    return (
        Estimate(name, value, n, undefined=why),
        TestResult("none", math.nan, math.nan, n, "two-sided", (), undefined=why),
    )
