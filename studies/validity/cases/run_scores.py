"""Scores of a run over periods: word errors, speech and translations, with and without the price of help."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.lifelong.bleu import bleu_value
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.policy import Policy
from justesse.lifelong.run_scores import ScoreCell, weighted_cells
from studies.validity.case import Case, Hits, Setting, covered

MEAN, HELPED = "mean {} over periods", "penalised {} of a version under a policy"
PERIODS = ("a", "b", "c", "d")
RATES = (0.1, 0.2, 0.3, 0.15)
MORE = "more items in each period"


def _rate(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., :-1].sum(axis=-1) / sums[..., -1])


def _cells(counts: HypothesisCounts, draws: int, seed: int) -> tuple[ScoreCell, ScoreCell]:
    score = counts.score()
    own = ScoreCell(score.adapt, len(counts.adapted), counts.adapted_interval(draws=draws, seed=seed))
    return own, ScoreCell(score.value, len(counts.adapted), counts.interval(draws=draws, seed=seed))


def _both(
    words: str, periods: list[list[HypothesisCounts]], own: FloatArray, helped: FloatArray, draws: int
) -> Mapping[str, Hits]:
    """Weigh the cells of every repetition: evenly, and by the policy recent."""
    even, recent = np.full(len(PERIODS), 0.25), Policy("recent").weights(PERIODS)
    means: list[Interval | None] = []
    penalised: list[Interval | None] = []
    for seed, repetition in enumerate(periods):
        cells = [_cells(counts, draws, seed) for counts in repetition]
        for made, column, weights in ((means, 0, even), (penalised, 1, recent)):
            interval = weighted_cells([cell[column] for cell in cells], weights).interval
            made.append(None if isinstance(interval, str) else interval)
    return {
        MEAN.format(words): covered(means, float(even @ own)),
        HELPED.format(words): covered(penalised, float(recent @ helped)),
    }


def _segments(
    words: str, n: int, size: float, uneven: float, touched: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw segments of uneven length in four periods whose error rates differ."""
    rng = stream(seed, "segments of a run")
    periods = []
    for _ in range(repetitions):
        repetition = []
        for rate in RATES:
            lengths = 1.0 + rng.poisson(size * rng.gamma(1 / uneven, uneven, n))
            errors = rng.binomial(lengths.astype(int), rng.beta(4 * rate, 4 * (1 - rate), n)).astype(float)
            asked = rng.random(n) < touched
            adapted, right, wrong = (
                np.column_stack([part, lengths])
                for part in (errors, np.where(asked, 0, errors), np.where(asked, lengths, errors))
            )
            repetition.append(HypothesisCounts(_rate, "ratio", adapted, right, wrong))
        periods.append(repetition)
    return _both(words, periods, np.array(RATES), np.array(RATES) + touched, 0)


def _translations(n: int, touched: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw translations in four periods, of which ever fewer n-grams match."""
    rng = stream(seed, "translations of a run")
    orders = np.arange(1, 5)

    def drawn(segments: int, right: float) -> list[FloatArray]:
        lengths = 6.0 + rng.poisson(14, segments)
        quality = rng.beta(8 * right, 8 * (1 - right), segments)
        possible = np.maximum(lengths[:, None] - orders + 1, 0).astype(int)
        matches = rng.binomial(possible, quality[:, None] ** (orders / 2))
        asked = (rng.random(segments) < touched)[:, None]
        parts = (matches, np.where(asked, possible, matches), np.where(asked, 0, matches))
        return [np.hstack([lengths[:, None], lengths[:, None], part, possible]).astype(float) for part in parts]

    truths = [[float(bleu_value(part.sum(axis=0))) for part in drawn(200_000, 0.7 - rate)] for rate in RATES]
    periods = []
    for _ in range(repetitions):
        texts = [drawn(n, 0.7 - rate) for rate in RATES]
        periods.append(
            [
                HypothesisCounts(bleu_value, "resampled", a, right, wrong, higher_is_better=True)
                for a, right, wrong in texts
            ]
        )
    own, helped = (np.array([part[0] + price * (part[2] - part[1]) for part in truths]) for price in (0, 1))
    return _both("BLEU", periods, own, helped, 300)


def _named(words: str) -> tuple[Case, ...]:
    return tuple(Case(name.format(words), about=("interval:mover-blocks",), instead=MORE) for name in (MEAN, HELPED))


SETTINGS = (
    *(
        Setting("run scores", name, 4 * n, _named(words), partial(_segments, words, n, size, uneven, touched))
        for name, words, n, size, uneven, touched in (
            ("four periods of 60 sentences of about 15 words", "word error rate", 60, 15, 0.3, 0.1),
            ("adversarial: four periods of 12 sentences of very uneven length", "word error rate", 12, 15, 1.0, 0.2),
            ("four periods of 12 recordings of about ten minutes", "diarization error rate", 12, 600, 0.3, 0.25),
            (
                "adversarial: four periods of four recordings of uneven length",
                "diarization error rate",
                4,
                600,
                0.5,
                0.25,
            ),
        )
    ),
    *(
        Setting("run scores", name, 4 * n, _named("BLEU"), partial(_translations, n, 0.1), draws=300)
        for name, n in (("four periods of 60 translations", 60), ("adversarial: four periods of 15 translations", 15))
    ),
)
