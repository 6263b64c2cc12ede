"""Every measure of a label × prediction tally with its interval."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import Resampling as Resampling
from justesse.core.errors import OptionError
from justesse.core.levels import CLUSTERS
from justesse.core.resampling import MOST_DRAWS, check_draws, check_needed_draws, needed_draws
from justesse.core.results import Alternative, Estimate, check_level, tail_levels
from justesse.core.seeds import check_seed
from justesse.core.tally import Tally
from justesse.intervals import PROPORTION, ProportionMethod
from justesse.intervals.bootstrap import bootstrap_all
from justesse.intervals.delta import delta_ends, logit_delta_ends, measure_error
from justesse.intervals.ends import Ends, Sides
from justesse.intervals.mover import mover
from justesse.measures import Confusion, Measure
from justesse.measures.confusion import ratio
from justesse.measures.cost import Cost
from justesse.measures.measure import Proportion

LARGE = 10_000_000  # cells × draws past which resampling is no longer the default

NO_INTERVAL = "no interval: these counts do not show how much the value varies"


@dataclass(frozen=True)
class Confidence:
    """How intervals are computed: the same options everywhere.

    `method` is for proportions, and for balanced accuracy, a mean of proportions, unless `bootstrap` is given.
    Everything else is resampled (`smoothed`, `percentile`, `bca`) or, with `none`, for weighted rows and by default for
    tables so large that resampling would be slow, given by the delta method. F1 of a class is a function of a share and
    has the interval of that share, unless `bootstrap` is given. Equal weights count as none.

    A class that is predicted but that no row is labelled as counts as 0 in a macro average. Upper ends allow for it
    being as good as the others, unless `percentile`, `bca` or `none` is asked for.
    """

    level: float = 0.95
    alternative: Alternative = "two-sided"
    method: ProportionMethod = "wilson"
    bootstrap: Resampling | None = None
    draws: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        check_level(self.level)
        tail_levels(self.level, self.alternative)
        if self.method not in get_args(ProportionMethod):
            raise OptionError(
                f"The method must be one of {', '.join(get_args(ProportionMethod))}; got {self.method!r}."
            )
        if self.bootstrap is not None and self.bootstrap not in get_args(Resampling):
            raise OptionError(
                f"The bootstrap must be one of {', '.join(get_args(Resampling))}; got {self.bootstrap!r}."
            )
        check_draws(self.draws)
        check_seed(self.seed)

    @property
    def sides(self) -> Sides:
        """The words every interval function takes."""
        return {"level": self.level, "alternative": self.alternative}

    @property
    def of_shares(self) -> bool:
        """Whether what is made of shares gets its interval from theirs."""
        return self.bootstrap is None and self.method != "delta"

    @property
    def enough_draws(self) -> int:
        """The draws asked for, or more where that many cannot reach so far into the tails."""
        return max(self.draws, check_needed_draws(self._needed_draws, self.level))

    @property
    def _needed_draws(self) -> int:
        return needed_draws(tail_levels(self.level, self.alternative), beyond=5)

    @property
    def can_resample(self) -> bool:
        """Whether as many draws are possible as the level needs."""
        return self._needed_draws <= MOST_DRAWS

    def resampling(self, tally: Tally, cells: int | None = None) -> Resampling:
        """Decide how what is not a proportion gets its interval on this tally."""
        if tally.weighted:
            return "none"
        if self.bootstrap:
            return self.bootstrap
        observed = len(tally.codes) if cells is None else cells
        if not self.can_resample or observed * self.enough_draws > LARGE:
            return "none"
        return "smoothed"


def estimate(
    tally: Tally,
    measures: Sequence[Measure],
    confidence: Confidence | None = None,
    *,
    cells: int | None = None,
    all_classes: bool = False,
) -> list[Estimate]:
    """Compute measures with their intervals, one estimate per measure, or per measure and class.

    Proportions get `confidence.method` with their own n (for weighted rows, the effective n of the rows they
    are a share of). `cells`, when the tally is one of many slices, is how many cells they have together. Answers
    outside the classes (`Tally.others`) get no estimates of their own unless `all_classes` asks for them.

    Parameters
    ----------
    tally
        Counts by label and prediction, and by cluster if rows of one cluster may be alike.
    measures
        Measures to compute.
    confidence
        Level, alternative and method of the intervals.
    cells
        Number of cells of all slices together.
    all_classes
        Whether answers outside the classes get estimates too.

    Returns
    -------
    list of Estimate
        One estimate per measure, or per measure and class.

    Examples
    --------
    >>> from justesse.measures import accuracy, mcc
    >>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
    >>> for result in estimate(table, [accuracy, mcc]):
    ...     print(result.title, round(result.value, 3), result.interval, result.interval.method)
    accuracy 0.945 [0.9375, 0.9516] wilson
    MCC 0.65 [0.6080, 0.6895] bootstrap-smoothed
    """
    confidence = confidence or Confidence()
    clustered = tally if CLUSTERS in tally.axes else None
    tally = _without_equal_weights(tally.marginal("label", "prediction"))
    tables = [measure.costs for measure in measures if isinstance(measure, Cost)]
    if len(tables) > 1:
        raise OptionError("Give one cost table per call.")
    costs = tables[0] if tables else None
    table, squares = Confusion.of(tally, costs=costs), Confusion.of(tally, squares=True)
    values = [np.asarray(measure.value(table)) for measure in measures]
    sizes: list[Array] = [np.full(value.shape, tally.effective_n) for value in values]
    ends: dict[int, Ends] = {}
    resampled = []
    for at, measure in enumerate(measures):
        share, parts = measure.proportion(table), measure.disjoint_shares(table)
        if share:
            sizes[at] = _effective(share, measure.proportion(squares), tally.weighted)
        if not tally.n or clustered is not None:
            continue
        if share and confidence.method != "delta":
            right = np.nan_to_num(values[at]) * sizes[at]
            ends[at] = PROPORTION[confidence.method](right, sizes[at], **confidence.sides)
        elif parts and confidence.of_shares:
            own = _effective(parts, measure.disjoint_shares(squares), tally.weighted)
            right = np.nan_to_num(ratio(parts.successes, parts.trials)) * own
            ends[at] = mover(right, own, method=PROPORTION[confidence.method], **confidence.sides)
        elif (hidden := measure.hidden_share(table)) and confidence.of_shares:
            rows = _effective(hidden, measure.hidden_share(squares), tally.weighted)
            right = np.nan_to_num(ratio(hidden.successes, hidden.trials)) * rows
            share_ends = PROPORTION[confidence.method](right, rows, **confidence.sides)
            low, high = measure.of_share(share_ends.low), measure.of_share(share_ends.high)
            ends[at] = Ends(low, high, confidence.level, f"{confidence.method}-jaccard")
        elif share or confidence.resampling(tally, cells) == "none":
            error = _error(tally, measure, table, squares)
            tails = tail_levels(confidence.level, confidence.alternative)
            if confidence.of_shares and np.isfinite(measure.bounds).all():
                ends[at] = logit_delta_ends(values[at], error, measure.bounds, level=confidence.level, tails=tails)
            else:
                ends[at] = delta_ends(values[at], error, level=confidence.level, tails=tails)
        else:
            resampled.append(at)
    if clustered is not None and tally.n:
        ends.update(enumerate(_clustered(clustered, measures, table, confidence, costs)))
    if resampled:
        drawn = bootstrap_all(
            tally,
            [measures[at].value for at in resampled],
            prepare=lambda batch: Confusion.of(batch, costs=costs),
            method=confidence.resampling(tally, cells),  # type: ignore[arg-type]
            draws=confidence.enough_draws,
            seed=confidence.seed,
            sparse=_slices(tally, cells) * len(tally.classes) ** 2 * confidence.enough_draws > LARGE,
            **confidence.sides,
        )
        ends.update(zip(resampled, drawn, strict=True))
    for at, both in ends.items():
        if confidence.bootstrap in (None, "smoothed") and (gain := measures[at].unlabelled_gain(table)):
            ends[at] = replace(both, high=both.high + gain)
    return [
        first
        for at, (measure, value, size) in enumerate(zip(measures, values, sizes, strict=True))
        for kept, first in zip(
            tally.judged if measure.per_class and not all_classes else itertools.repeat(True),
            _named(tally, measure, value, size, ends.get(at), confidence.alternative),
            strict=False,
        )
        if kept
    ]


def _clustered(
    tally: Tally, measures: Sequence[Measure], table: Confusion, confidence: Confidence, costs: Array | None
) -> list[Ends]:
    """Compute intervals that allow for rows of one cluster being alike."""
    if confidence.method != "wilson":
        raise OptionError(
            f"The method {confidence.method} takes rows as independent, so it cannot be combined with clusters. Leave "
            "it out (--method)."
        )
    if confidence.bootstrap is None:
        from justesse.intervals.clustered_measures import clustered_ends

        return clustered_ends(tally, measures, table, **confidence.sides)
    if confidence.bootstrap not in ("percentile", "bca"):
        raise OptionError(
            f"The bootstrap {confidence.bootstrap} draws single rows. With clusters, use percentile or bca, which draw "
            "whole clusters, or leave it out (--bootstrap)."
        )
    from justesse.intervals.clustered_bootstrap import clustered_bootstrap

    return clustered_bootstrap(
        tally,
        measures,
        costs=costs,
        method="bca" if confidence.bootstrap == "bca" else "percentile",
        draws=confidence.enough_draws,
        seed=confidence.seed,
        **confidence.sides,
    )


def _slices(tally: Tally, cells: int | None) -> float:
    """Return about how many slices there are, from how many cells they have together."""
    return 1.0 if cells is None else cells / max(len(tally.codes), 1)


def _without_equal_weights(tally: Tally) -> Tally:
    """Return the tally without its weights if every row has the same, since they say nothing."""
    if tally.weights is None or tally.squares is None or not tally.n or not tally.weights.sum():
        return tally
    spread = float(tally.squares.sum()) * tally.n - float(tally.weights.sum()) ** 2
    if spread > 1e-12 * float(tally.squares.sum()) * tally.n:
        return tally
    return replace(tally, weights=None, squares=None)


def _effective(share: Proportion, spread: Proportion | None, weighted: bool) -> Array:
    """Return the n of a share p: its rows or, with weights, how many equal rows would have its variance.

    That is p(1-p)/V, V = [(1-p)²·Σw² of the successes + p²·Σw² of the others] / (Σw)², and never more than Kish's
    (Σw)²/Σw², which holds if weights have nothing to do with success. Korn and Graubard (1998); Dean and Pagano (2015).
    """
    if not weighted or spread is None:
        return np.asarray(share.trials)
    p = ratio(share.successes, share.trials)
    variance = (1 - p) ** 2 * spread.successes + p**2 * (spread.trials - spread.successes)
    own, kish = ratio(p * (1 - p) * share.trials**2, variance), ratio(share.trials**2, spread.trials)
    return np.nan_to_num(np.where(p * (1 - p) > 0, np.fmin(own, kish), kish))


def _error(tally: Tally, measure: Measure, table: Confusion, squares: Confusion) -> Array:
    """Return the standard error of a measure; with weights, at least that of weights that vary alike within a label.

    A few heavy rows seldom fall into the cell of a rare mistake. Until they do, Σw² of that cell is too small.
    """
    error = measure_error(tally, measure, table, squares)
    if tally.weights is None or tally.squares is None:
        return error
    label, size = tally.codes[:, 0], len(tally.classes)
    typical = ratio(np.bincount(label, tally.squares, size), np.bincount(label, tally.weights, size))
    alike = replace(tally, squares=tally.weights * np.nan_to_num(typical)[label])
    return np.fmax(error, measure_error(alike, measure, table, Confusion.of(alike, squares=True)))


def _named(
    tally: Tally, measure: Measure, value: Array, size: Array, ends: Ends | None, alternative: Alternative
) -> list[Estimate]:
    """Put names, values, intervals and reasons together, one estimate per class if the measure is per class."""
    names = tally.classes if measure.per_class else (None,)
    intervals = ends.intervals(bounds=measure.bounds, alternative=alternative) if ends else [None] * len(names)
    estimates = []
    for name, number, n, interval in zip(names, value.ravel().tolist(), size.ravel().tolist(), intervals, strict=True):
        reason = None
        if math.isnan(number):
            interval, reason = None, measure.reason
        elif interval is None or interval.unclipped_low == interval.unclipped_high:
            interval, reason = None, NO_INTERVAL
        estimates.append(Estimate.of(measure, number, n, interval, reason, name))
    return estimates
