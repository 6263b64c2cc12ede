"""Every pair of models after one procedure, with the test that is right for it."""

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

NO_TEST = "no test of this measure on single rows; its interval speaks"
BY_GROUP = "one split by group: how much models vary from group to group is not known; use folds by group"


@dataclass(frozen=True)
class ModelPair:
    """How much better one model is than another, with its interval, test and p-value after Holm's correction."""

    better: str
    worse: str
    difference: Estimate
    outcome: TestResult
    adjusted_pvalue: float = math.nan

    @property
    def told_apart(self) -> bool:
        """Whether the whole interval lies on one side of 0."""
        ends = self.difference.interval
        return ends is not None and (ends.low > 0 or ends.high < 0)

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
    found: OutOfSample, models: Sequence[str], measure: Measure, *, level: float = 0.95
) -> tuple[ModelPair, ...]:
    """Compare all pairs of models; the better one of each comes first.

    Over splits the corrected t test of Nadeau and Bengio, with Alpaydin's F as the test after 5x2; after one split or
    leave-one-out McNemar's test with Tango's interval. All intervals hold together (Bonferroni), p-values are adjusted
    by Holm. Wrong to read a pair that cannot be told apart as equal.
    """
    pairs = list(combinations(models, 2))
    if not pairs:
        return ()
    each = simultaneous_level(level, len(pairs))
    made = [_pair(found, *pair, measure, each) for pair in pairs]
    pvalues = adjusted([one.outcome.pvalue for one in made])
    return tuple(replace(one, adjusted_pvalue=float(p)) for one, p in zip(made, pvalues, strict=True))


def over_all(found: OutOfSample, models: Sequence[str], measure: Measure) -> TestResult | None:
    """Test by analysis of variance, blocked by split, that three models or more are alike; `None` if there are no splits."""
    if len(models) < 3 or rows_alone(found):
        return None
    whole = [
        at for at in range(len(found.fits[models[0]])) if all(found.fits[m][at].answers is not None for m in models)
    ]
    table = np.array([scores_of(found, [found.fits[name][at] for at in whole], measure) for name in models]).T
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) < 2:
        return None
    return anova(table, test_over_train=overlap_ratio(found, [found.fits[models[0]][at] for at in whole]))


def _pair(found: OutOfSample, better: str, worse: str, measure: Measure, level: float) -> ModelPair:
    both = [
        (one, other)
        for one, other in zip(found.fits[better], found.fits[worse], strict=True)
        if one.answers is not None and other.answers is not None
    ]
    compared = _by_rows if rows_alone(found) else _by_splits
    made = ModelPair(
        better, worse, *compared(found, [one for one, _ in both], [other for _, other in both], measure, level)
    )
    # where one failed in some splits, the splits both have may put them the other way round
    return _pair(found, worse, better, measure, level) if made.difference.value < -1e-12 else made


def _by_splits(
    found: OutOfSample, ahead: Sequence[Fit], behind: Sequence[Fit], measure: Measure, level: float
) -> tuple[Estimate, TestResult]:
    scores = np.array([scores_of(found, fits, measure) for fits in (behind, ahead)]).reshape(2, -1)
    known = np.isfinite(scores).all(axis=0)
    name, values = f"{measure.name} difference", scores[:, known]
    if known.sum() < 2:
        why = "fewer than two splits in which both have a score"
        value = float(values[1, 0] - values[0, 0]) if known.any() else math.nan
        return _undefined(name, value, int(known.sum()), why)
    ratio = overlap_ratio(found, [fit for fit, there in zip(ahead, known, strict=True) if there])
    outcome = corrected_t(*values.tolist(), test_over_train=ratio, level=level)
    assert outcome.difference is not None
    difference = replace(outcome.difference, name=name)
    if (getattr(found.procedure, "k", 0), getattr(found.procedure, "repeats", 0)) == (2, 5) and known.sum() == 10:
        outcome = five_by_two_f(*(side.reshape(5, 2) for side in values))
    return difference, replace(outcome, difference=None)


def _by_rows(
    found: OutOfSample, ahead: Sequence[Fit], behind: Sequence[Fit], measure: Measure, level: float
) -> tuple[Estimate, TestResult]:
    name = f"{measure.name} difference"
    if not ahead:
        return _undefined(name, math.nan, 0, "one of the two failed")
    rows = np.concatenate([fit.test for fit in ahead])
    first, second = (np.concatenate([np.asarray(fit.answers) for fit in fits]) for fits in (behind, ahead))
    classes = found.data.classes or ()
    labels = coded(found.data.y[rows], classes)[0]
    one, other = (int((right & ~wrong).sum()) for right, wrong in permutations((first == labels, second == labels)))
    test = replace(mcnemar(one, other), assumptions=(*ASSUMPTIONS, ONE_SPLIT if len(ahead) == 1 else ONE_OUT))
    n = len(rows)
    if measure.name == "accuracy":
        value, ends = (other - one) / n, paired_difference(one, other, n, level=level).intervals(bounds=(-1.0, 1.0))[0]
    else:
        columns = [(codes, classes) for codes in (labels, first, second)]
        tally = Tally.from_codes(
            ("label", "incumbent", "candidate"), columns, np.ones(n, dtype=np.int64), classes=classes
        )
        compared = Compared(measure)
        value = float(measured_difference(compared)(tally))
        ends = paired_bootstrap(tally, compared, level=level, seed=found.seed)
        test = replace(test, test="none", statistic=math.nan, pvalue=math.nan, undefined=NO_TEST)
    if getattr(found.procedure, "kind", None) == "grouped":
        return _undefined(name, value, n, BY_GROUP)
    return Estimate(name, value, n, ends, None if ends else "the two never disagree in a way this measure sees"), test


def _undefined(name: str, value: float, n: int, why: str) -> tuple[Estimate, TestResult]:
    return (
        Estimate(name, value, n, undefined=why),
        TestResult("none", math.nan, math.nan, n, "two-sided", (), undefined=why),
    )
