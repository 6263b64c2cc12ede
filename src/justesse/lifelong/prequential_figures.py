"""All figures of a prequential evaluation: error over time and overall, beside the baselines."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Estimate, Interval
from justesse.intervals.clustered import clustered_mean
from justesse.intervals.wilson import score_end
from justesse.lifelong.late_labels import arrival_order, majority_answers, no_change_answers
from justesse.lifelong.policy_score import share_ends
from justesse.lifelong.prequential import effective_items, prequential_error
from justesse.lifelong.stream_kappa import StreamCounts, count_stream, stream_kappas

POINTS = 200  # places of the curve
FIRST = 20  # items before the curve starts: fewer say nothing
BASELINES = {"no_change": "kappa_temporal", "majority": "kappa_majority"}
WORDS = {"error": "Prequential error", "no_change": "Error of no change", "majority": "Error of the majority class"}
NO_ANSWER = "no label is known in time"


@dataclass(frozen=True)
class StreamPeriod:
    """One period: errors of the system and of the baselines, and kappa-temporal."""

    name: str
    error: Estimate
    no_change: Estimate
    majority: Estimate
    kappa_temporal: float
    blocks: int


@dataclass(frozen=True)
class ErrorCurve:
    """The faded or windowed error where labels became known: item, error, both ends of its band, and the baselines."""

    items: Array
    error: FloatArray
    low: FloatArray
    high: FloatArray
    no_change: FloatArray
    majority: FloatArray


@dataclass(frozen=True)
class PrequentialFigures:
    """What a prequential evaluation finds.

    Parameters
    ----------
    error
        Error of all items alike.
    latest
        Error at the end of the stream, recent items counting more.
    baselines
        Error of the no-change and the majority-class baseline, by name.
    kappas
        kappa, kappa_temporal and kappa_majority.
    periods
        The same figures in each period.
    curve
        The error over time.
    design_effect
        How many times larger the variance is than if items were independent, from the blocks of time.
    """

    error: Estimate
    latest: Estimate
    baselines: Mapping[str, Estimate]
    kappas: Mapping[str, Estimate]
    periods: tuple[StreamPeriod, ...]
    curve: ErrorCurve
    design_effect: float


def prequential_figures(
    labels: Array,
    predictions: Array,
    known: Array,
    period: Array,
    block: Array,
    names: Sequence[str],
    *,
    fading: float | None = None,
    window: int | None = None,
    level: float = 0.95,
) -> PrequentialFigures:
    """Compute the figures of a stream.

    Parameters
    ----------
    labels, predictions
        Codes of the classes, from 0, in the order in which the items were answered.
    known
        Position of the first item answered after each label is known.
    period, block
        Period and block of time of each item, from 0.
    names
        Names of the periods.
    fading, window
        Fading factor, or items of a sliding window.
    level
        Confidence level.

    Returns
    -------
    PrequentialFigures
        Errors, baselines, kappas, periods and the curve.

    Notes
    -----
    Intervals of errors are Wilson's with cluster-robust variance over blocks of time. The band of the curve takes the
    effective number of items of the fading factor or window, divided by the design effect, and Student's t with as many
    degrees of freedom as there are blocks less periods.

    >>> labels = np.array([0, 0, 1, 1] * 10)
    >>> figures = prequential_figures(labels, np.zeros(40, dtype=int), np.arange(1, 41), np.zeros(40, dtype=int),
    ...                               np.repeat(np.arange(8), 5), ["all"])
    >>> figures.error.value, round(figures.baselines["no_change"].value, 3)
    (0.5, 0.487)
    """
    classes = int(max(labels.max(), predictions.max())) + 1
    answers = {
        "kappa_temporal": no_change_answers(labels, known),
        "kappa_majority": majority_answers(labels, known),
    }
    counts = count_stream(labels, predictions, classes, block, answers)
    of_block = np.zeros(len(counts.sizes), dtype=np.int64)
    of_block[block] = period
    errors = _estimates(counts, np.ones(len(counts.sizes), dtype=bool), level)
    periods = tuple(_period(counts, of_block == at, name, level) for at, name in enumerate(names))
    kappas = stream_kappas(counts, level=level)
    effect = design_effect(counts.errors, counts.sizes, of_block)
    degrees = max(1, len(counts.sizes) - len(names))
    curve = _curve(labels, predictions, known, answers, (effect, degrees), fading, window, level)
    last = round(float(effective_items(len(labels), fading=fading, window=window)))
    latest = Estimate(
        "latest_error",
        float(curve.error[-1]),
        last,
        Interval(float(curve.low[-1]), float(curve.high[-1]), level, "wilson-design-effect", (0.0, 1.0)),
        words="Error at the end of the stream",
        is_share=True,
    )
    return PrequentialFigures(
        errors["error"],
        latest,
        {name: errors[name] for name in BASELINES},
        kappas,
        periods,
        curve,
        effect,
    )


def design_effect(totals: FloatArray, sizes: FloatArray, of_block: Array) -> float:
    """Compute how many times larger the variance of a share is than if items were independent; at least 1.

        Σ_j n_j²·v_j / Σ_j n_j·p_j(1 - p_j),   v_j cluster-robust over the blocks of period j

    Parameters
    ----------
    totals, sizes
        Errors and items of each block.
    of_block
        Period of each block.

    >>> round(design_effect(np.array([5.0, 0.0, 5.0, 0.0]), np.full(4, 5.0), np.zeros(4, dtype=int)), 2)
    6.67
    """
    alike = independent = 0.0
    for period in np.unique(of_block).tolist():
        inside = of_block == period
        n, p = sizes[inside].sum(), totals[inside].sum() / sizes[inside].sum()
        if inside.sum() < 2:
            continue
        alike += (n * clustered_mean(totals[inside], sizes[inside]).error) ** 2
        independent += n * p * (1 - p)
    return max(1.0, float(alike / independent)) if independent > 0 else 1.0


def _period(counts: StreamCounts, inside: Array, name: str, level: float) -> StreamPeriod:
    errors = _estimates(counts, inside, level)
    kappa = "kappa_temporal"
    own, base = counts.errors_there[kappa][inside].sum(), counts.baseline_errors[kappa][inside].sum()
    return StreamPeriod(
        name, errors["error"], errors["no_change"], errors["majority"],
        float(1 - own / base) if base > 0 else math.nan, int(inside.sum()),
    )  # fmt: skip


def _estimates(counts: StreamCounts, inside: Array, level: float) -> dict[str, Estimate]:
    """Compute the errors of the system and of both baselines in some blocks."""
    parts = {"error": (counts.errors, counts.sizes)}
    parts |= {name: (counts.baseline_errors[kappa], counts.compared[kappa]) for name, kappa in BASELINES.items()}
    estimates = {}
    for name, (totals, sizes) in parts.items():
        there = inside & (sizes > 0)
        n = float(sizes[there].sum())
        if not n:
            estimates[name] = Estimate(name, math.nan, 0, undefined=NO_ANSWER, words=WORDS[name], is_share=True)
            continue
        ends = share_ends(totals[there], sizes[there], level=level)
        interval = Interval(float(ends.low[0]), float(ends.high[0]), level, ends.method, (0.0, 1.0))
        value = float(totals[there].sum() / n)
        estimates[name] = Estimate(name, value, int(n), interval, words=WORDS[name], is_share=True)
    return estimates


def _curve(
    labels: Array,
    predictions: Array,
    known: Array,
    answers: Mapping[str, Array],
    spread: tuple[float, int],
    fading: float | None,
    window: int | None,
    level: float,
) -> ErrorCurve:
    """Follow the errors in the order in which the labels became known; `spread`: design effect and its degrees."""
    from scipy.special import stdtrit

    arrival = arrival_order(known)
    n = len(labels)
    places = np.unique(np.linspace(min(n, FIRST) - 1, n - 1, POINTS).round().astype(np.int64))

    def remembered(codes: Array) -> FloatArray:
        wrong = np.where(codes >= 0, codes != labels, np.nan)
        return prequential_error(wrong[arrival], fading=fading, window=window)[places]

    error = remembered(predictions)
    items = effective_items(places + 1, fading=fading, window=window)
    worth = np.maximum(items / spread[0], np.minimum(items, 1.0))
    far = float(stdtrit(spread[1], (1 + level) / 2))
    return ErrorCurve(
        np.minimum(known[arrival][places], n) - 1,
        error,
        score_end(error * worth, worth, -far),
        score_end(error * worth, worth, far),
        remembered(answers["kappa_temporal"]),
        remembered(answers["kappa_majority"]),
    )
