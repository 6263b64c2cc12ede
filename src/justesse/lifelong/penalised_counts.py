"""Penalised scores from counts of items, segments or recordings, with confidence intervals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.bounded_mean import bounded_mean
from justesse.intervals.clustered import clustered_mean, clustered_positive_mean
from justesse.intervals.ends import Ends
from justesse.lifelong.penalised import PenalisedScore, penalised_hypotheses

Spread = Literal["share", "ratio", "resampled"]
STUDENT, RESAMPLED = "student-cr2", "bootstrap of items"
CHUNK = 250  # resamples at a time
ONE = "one item shows no spread"
LEAST = 4  # items; Student's t of fewer is so large that the ends of an interval mean nothing
FEW = "fewer than 4 items show too little of their spread"
SAME = "all items are alike, so their spread is unknown"
ADAPTED = {"adapted": 1.0}
PENALISED = {"adapted": 1.0, "spoilt": 1.0, "corrected": -1.0}
GAIN = {"base": 1.0, "adapted": -1.0, "spoilt": -1.0, "corrected": 1.0}


@dataclass(frozen=True)
class HypothesisCounts:
    """What the hypotheses of a penalised score count to, a row for each item.

    Parameters
    ----------
    value
        Function of the sums over all items, on the last axis, that returns the score.
    spread
        How the score is made of items: "share" of wrong items, "ratio" of the sum of all columns but the last to the
        last, which is the same for all hypotheses, or any other function of the sums, "resampled".
    adapted, corrected, spoilt, base, answered
        Counts of each hypothesis, as in `penalised_hypotheses`; `None` where there is none.
    higher_is_better
        Whether a higher score is better.
    undefined
        Why there is no corrected hypothesis.
    """

    value: Callable[[FloatArray], FloatArray]
    spread: Spread
    adapted: FloatArray
    corrected: FloatArray | None
    spoilt: FloatArray | None
    base: FloatArray | None = None
    answered: FloatArray | None = None
    higher_is_better: bool = False
    undefined: str | None = None

    def score(self) -> PenalisedScore:
        """Compute the penalised score."""
        return penalised_hypotheses(
            lambda counts: float(self.value(counts.sum(axis=0))),
            adapted=self.adapted,
            corrected=self.corrected,
            spoilt=self.spoilt,
            base=self.base,
            answered=self.answered,
            higher_is_better=self.higher_is_better,
            undefined=self.undefined,
        )

    def interval(self, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval | str:
        """Compute the interval of the penalised score, or the reason why there is none."""
        return self._positive(PENALISED, level, draws, seed)

    def adapted_interval(self, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval | str:
        """Compute the interval of the score after adaptation, or the reason why there is none."""
        return replace(self, undefined=None)._positive(ADAPTED, level, draws, seed)

    def _positive(self, parts: Mapping[str, float], level: float, draws: int, seed: int) -> Interval | str:
        """Compute the interval of a sum that cannot be below 0."""
        if self.spread == "resampled" or self.undefined:
            return self._interval(parts, level, draws, seed)
        if self.spread == "share":  # an item counts 1 if wrong, and 1 if touched
            if len(self.adapted) < 2:
                return ONE
            totals = self._totals(parts)
            n, top = len(totals), 1.0 if parts is ADAPTED else 2.0
            error = float(totals.std(ddof=1)) / np.sqrt(n)
            return _interval(bounded_mean(float(totals.mean()), error, n, top=top, level=level), (0.0, top))
        sizes = self._sizes()
        if len(sizes) < LEAST:
            return FEW
        ends = self._with_one_more(parts, level) if parts is PENALISED else [self._ratio_ends(parts, level)]
        return _interval(ends[0], (0.0, np.inf), *ends[1:])

    def _ratio_ends(self, parts: Mapping[str, float], level: float, more: float | None = None) -> Ends:
        """Compute the interval of a ratio, with one more item of mean size and of this error rate if there is one."""
        totals, sizes = self._over_sizes(parts), self._sizes()
        if more is not None:
            size = sizes.mean()
            totals, sizes = np.append(totals, more * size), np.append(sizes, size)
        return clustered_positive_mean(totals, sizes, level=level)

    def _with_one_more(self, parts: Mapping[str, float], level: float) -> list[Ends]:
        """Compute the interval of the items, and those with one more item, wholly touched and not touched.

        Few items may by chance be all touched or all not touched; their spread then says nothing about the penalty.
        """
        own = float(self._over_sizes(ADAPTED).sum() / self._sizes().sum())
        return [self._ratio_ends(parts, level, more) for more in (None, own + 1, own)]

    def gain_interval(self, *, level: float = 0.95, draws: int = 2000, seed: int = 0) -> Interval | str:
        """Compute the interval of the gain by generalisation, or the reason why there is none."""
        if self.base is None:
            return "the score before any help is unknown"
        sign = -1.0 if self.higher_is_better else 1.0
        return self._interval({part: sign * weight for part, weight in GAIN.items()}, level, draws, seed)

    def _interval(self, parts: Mapping[str, float], level: float, draws: int, seed: int) -> Interval | str:
        from scipy.special import stdtrit

        if self.undefined:
            return self.undefined
        if len(self.adapted) < LEAST:
            return FEW
        if self.spread == "resampled":
            return self._resampled(parts, level, draws, seed)
        sizes = self._sizes()
        if len(sizes) < LEAST:
            return FEW
        mean = clustered_mean(self._over_sizes(parts), sizes)
        reach = float(stdtrit(mean.degrees, (1 + level) / 2)) * mean.error
        if not reach > 1e-12:
            return SAME
        return Interval(mean.value - reach, mean.value + reach, level, STUDENT)

    def _sizes(self) -> FloatArray:
        """Sizes of the items that have one; an item without a reference has errors, but no size."""
        sizes = self.adapted[:, -1]
        return np.asarray(sizes[sizes > 0])

    def _over_sizes(self, parts: Mapping[str, float]) -> FloatArray:
        """Errors of the items that have a size, with those of the others spread over them."""
        totals, sizes = self._totals(parts), self.adapted[:, -1]
        inside = sizes > 0
        return np.asarray(totals[inside] + totals[~inside].sum() * sizes[inside] / sizes.sum())

    def _totals(self, parts: Mapping[str, float]) -> FloatArray:
        """Add up the errors of each item over hypotheses."""
        return np.asarray(sum(weight * self._counts(part)[:, :-1].sum(axis=1) for part, weight in parts.items()))

    def _counts(self, part: str) -> FloatArray:
        counts: FloatArray = getattr(self, part)
        return counts

    def _resampled(self, parts: Mapping[str, float], level: float, draws: int, seed: int) -> Interval | str:
        rng, n = stream(seed, "penalised score"), len(self.adapted)
        values = []
        for done in range(0, draws, CHUNK):
            times = rng.multinomial(n, np.full(n, 1 / n), size=min(CHUNK, draws - done))
            scores = [weight * self.value(times @ self._counts(part)) for part, weight in parts.items()]
            values.append(np.sum(scores, axis=0))
        low, high = np.quantile(np.concatenate(values), [(1 - level) / 2, (1 + level) / 2])
        if not high - low > 1e-12:
            return SAME
        return Interval(float(low), float(high), level, RESAMPLED)


def _interval(ends: Ends, bounds: tuple[float, float], *others: Ends) -> Interval | str:
    """Write the ends as an interval, which reaches as far as those of others do."""
    if np.isnan(ends.low[0]):
        return SAME
    low = min(float(part.low[0]) for part in (ends, *others))
    high = max(float(part.high[0]) for part in (ends, *others))
    return Interval(low, high, ends.level, ends.method, bounds)
