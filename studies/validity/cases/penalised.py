"""Scores that charge for an expert's help: items, sentences, recordings and translations."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.seeds import stream
from justesse.lifelong.bleu import bleu_value
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_policy import policy_gains
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import policy_scores
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks
from studies.validity.case import Case, Hits, Setting, covered
from studies.validity.cases.lifelong import Stream

ITEMS, GAIN = "penalised error rate", "gain by generalisation"
WORDS, SPEECH, TRANSLATED = "penalised word error rate", "penalised diarization error rate", "penalised BLEU"
OVER_TIME, POLICY_GAIN = "penalised error under a policy", "gain by generalisation under a policy"
MORE = "more segments or recordings"


def _error_rate(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., :-1].sum(axis=-1) / sums[..., -1])


def _items(n: int, wrong: float, touched: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw items that the system has wrong more often where the expert was asked."""
    rng = stream(seed, "penalised items")
    scores, gains = [], []
    first = min(1.0, 2 * wrong)
    for _ in range(repetitions):
        asked, before = rng.random(n) < touched, rng.random(n) < first
        after = rng.random(n) < np.where(asked, wrong / 2, wrong)
        one = np.ones(n)
        parts = [
            np.column_stack([part.astype(float), one])
            for part in (after, before & ~asked, before | asked, before)
        ]  # fmt: skip
        counts = HypothesisCounts(_error_rate, "share", parts[0], parts[1], parts[2], parts[3])
        intervals = counts.interval(), counts.gain_interval()
        scores.append(None if isinstance(intervals[0], str) else intervals[0])
        gains.append(None if isinstance(intervals[1], str) else intervals[1])
    truth = wrong * (1 - touched / 2) + touched
    return {ITEMS: covered(scores, truth), GAIN: covered(gains, first - truth)}


def _segments(
    what: str, n: int, size: float, rate: float, uneven: float, touched: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw segments of uneven length whose error rates differ (a beta distribution)."""
    rng = stream(seed, "penalised segments")
    intervals = []
    for _ in range(repetitions):
        lengths = 1.0 + rng.poisson(size * rng.gamma(1 / uneven, uneven, n))
        shares = rng.beta(4 * rate, 4 * (1 - rate), n)
        errors = rng.binomial(lengths.astype(int), shares).astype(float)
        asked = rng.random(n) < touched
        adapted, right, wrong = (
            np.column_stack([part, lengths]) for part in (errors, np.where(asked, 0, errors), np.where(asked, lengths, errors))
        )  # fmt: skip
        interval = HypothesisCounts(_error_rate, "ratio", adapted, right, wrong).interval()
        intervals.append(None if isinstance(interval, str) else interval)
    return {what: covered(intervals, rate + touched)}


def _translations(n: int, right: float, touched: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw translations: n-grams match more rarely the longer they are, and alike within a segment."""
    rng = stream(seed, "penalised translations")
    orders = np.arange(1, 5)

    def drawn(segments: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        lengths = 6.0 + rng.poisson(14, segments)
        quality = rng.beta(8 * right, 8 * (1 - right), segments)
        possible = np.maximum(lengths[:, None] - orders + 1, 0).astype(int)
        matches = rng.binomial(possible, quality[:, None] ** (orders / 2))
        asked = (rng.random(segments) < touched)[:, None]
        sizes = [lengths[:, None], lengths[:, None]]
        parts = (matches, np.where(asked, possible, matches), np.where(asked, 0, matches))
        return tuple(np.hstack([*sizes, part, possible]).astype(float) for part in parts)  # type: ignore[return-value]

    own, cor, false = (bleu_value(part.sum(axis=0)) for part in drawn(400_000))
    intervals = []
    for repetition in range(repetitions):
        adapted, corrected, spoilt = drawn(n)
        counts = HypothesisCounts(bleu_value, "resampled", adapted, corrected, spoilt, higher_is_better=True)
        interval = counts.interval(draws=400, seed=repetition)
        intervals.append(None if isinstance(interval, str) else interval)
    return {TRANSLATED: covered(intervals, float(own + false - cor))}


def _over_time(days: int, size: int, wrong: float, touched: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw three periods of days whose error rates differ; the expert is asked more on bad days."""
    rng = stream(seed, "penalised over time")
    periods = ("a", "b", "c")
    joined = Stream((wrong,) * 3, days, size)
    lengths = joined.joined[1]
    period, sizes = np.repeat(np.arange(3), len(lengths)), np.tile(lengths * size, 3)[None, :]
    scores, gains = [], []
    for _ in range(repetitions):
        rates = rng.beta(9 * wrong, 9 * (1 - wrong), (3, days)) if days > 1 else np.full((3, 1), wrong)
        errors = rng.binomial(size, rates)
        both = rng.binomial(errors, touched)
        asked = both + rng.binomial(size - errors, touched)
        before = errors + rng.binomial(size - errors, 0.2)
        totals, squares, base = (
            joined.added(part).reshape(1, -1) for part in (errors + asked, errors + asked + 2 * both, before)
        )
        blocks = TimeBlocks(period, totals, sizes, squares)
        values = (errors + asked).sum(axis=1)[None, :] / (days * size)
        policy_score = policy_scores(ScoreMatrix(("v",), periods, values, (3,), False, blocks), Policy("recent"))
        scores.append(policy_score[0].interval)
        gains.append(policy_gains(policy_score, blocks, base)[0].interval)
    hits = {OVER_TIME: covered(scores, wrong + touched)}
    if days > 1:  # periods of one block of time have no interval of the gain
        hits[POLICY_GAIN] = covered(gains, 0.2 * (1 - wrong) - touched)
    return hits


def _cases(*names: str, about: str) -> tuple[Case, ...]:
    return tuple(Case(name, about=(f"interval:{about}",), instead=MORE) for name in names)


SETTINGS = (
    *(
        Setting(
            "penalised",
            name,
            3 * days * size,
            _cases(*((OVER_TIME, POLICY_GAIN) if days > 1 else (OVER_TIME,)), about="mover-blocks"),
            partial(_over_time, days, size, wrong, touched),
        )
        for name, days, size, wrong, touched in (
            ("three periods of 30 days, 20 items a day, alike", 30, 20, 0.2, 0.1),
            ("three periods of one day, 100 items, few wrong", 1, 100, 0.05, 0.05),
            ("adversarial: three periods of 5 days, 10 items a day, alike", 5, 10, 0.1, 0.05),
        )
    ),
    *(
        Setting("penalised", name, n, _cases(ITEMS, about="wilson, bounded mean") + _cases(GAIN, about="student-cr2"), partial(_items, n, wrong, touched))
        for name, n, wrong, touched in (
            ("items, a fifth wrong, a tenth touched", 200, 0.2, 0.1),
            ("adversarial: few items, few wrong, few touched", 40, 0.05, 0.05),
            ("many items, few wrong, a quarter touched", 1000, 0.02, 0.25),
        )
    ),
    *(
        Setting("penalised", name, n, _cases(what, about="log-cr2"), partial(_segments, what, n, size, rate, uneven, touched))
        for name, what, n, size, rate, uneven, touched in (
            ("sentences of about 15 words", WORDS, 200, 15, 0.15, 0.3, 0.1),
            ("adversarial: few sentences of very uneven length", WORDS, 30, 15, 0.15, 1.0, 0.2),
            ("recordings of about ten minutes, parts of one in four touched", SPEECH, 40, 600, 0.1, 0.3, 0.25),
            ("adversarial: six recordings of uneven length", SPEECH, 6, 600, 0.1, 0.5, 0.25),
            ("adversarial: four recordings of uneven length", SPEECH, 4, 600, 0.1, 0.5, 0.25),
            ("adversarial: four recordings of uneven length, one in two touched", SPEECH, 4, 600, 0.1, 0.5, 0.5),
        )
    ),
    *(
        Setting(
            "penalised", name, n, _cases(TRANSLATED, about="bootstrap of items"), partial(_translations, n, right, touched), draws=400
        )
        for name, n, right, touched in (
            ("translations, half of the words right", 300, 0.5, 0.1),
            ("adversarial: few translations", 40, 0.5, 0.1),
        )
    ),
)  # fmt: skip
