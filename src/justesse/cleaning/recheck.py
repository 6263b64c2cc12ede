"""A list of rows to re-check, and what its answers say about the filter: precision, recall, what it missed."""

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Estimate, Interval, check_level
from justesse.core.seeds import stream
from justesse.intervals.wilson import wilson

Stratum = Literal["top", "flagged", "rest"]
STRATA: tuple[Stratum, ...] = ("top", "flagged", "rest")
METHOD = "mover, strata"


@dataclass(frozen=True, eq=False)
class RecheckList:
    """Rows to ask about, the stratum of each (0 top, 1 flagged, 2 rest), and the chance it had to be on the list."""

    rows: Array
    stratum: Array
    chances: FloatArray


@dataclass(frozen=True)
class StratumAnswers:
    """Rows of a stratum, how many of them were answered, and how many of these have a wrong label."""

    stratum: Stratum
    rows: int
    answered: int
    wrong: int


@dataclass(frozen=True)
class Adjudication:
    """What people's answers say about a filter."""

    strata: tuple[StratumAnswers, ...]
    precision: Estimate
    recall: Estimate
    missed: Estimate
    noise_rate: Estimate

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        return (self.precision, self.recall, self.missed, self.noise_rate)


FIGURES = tuple(field.name for field in fields(Adjudication) if field.type is Estimate)


def recheck_list(
    ranking: FloatArray,
    flagged: Array,
    number: int,
    *,
    share: float = 0.5,
    seed: int = 0,
    earlier: RecheckList | None = None,
) -> RecheckList:
    """Draw rows to re-check: flagged ones, the top half and a random part of others, and a random part of the rest.

    Parameters
    ----------
    ranking
        How suspicious each row is; the highest are asked first.
    flagged
        Whether the filter flagged the row.
    number
        Number of rows to draw.
    share
        Share of them that is drawn from rows that were not flagged.
    seed
        Seed of the draw.
    earlier
        A list for the same flags, which the new one continues: it has all its rows, and `number` others.

    Notes
    -----
    Without rows that were not flagged nobody learns what the filter missed. Every row has a known chance to be
    asked, so that estimates hold for all rows. Cormack and Kolcz (2009).

    A list that is continued keeps its top. Rows of the other strata are added at random, so that the earlier ones and
    any part of the new ones, in random order, are a random sample of the stratum.

    >>> made = recheck_list(np.linspace(0, 1, 100), np.arange(100) >= 90, 20)
    >>> np.bincount(made.stratum).tolist(), made.chances[-1].round(3).item()
    ([10, 0, 10], 0.111)
    """
    if number < 2:
        raise OptionError(f"recheck must be 2 or more; got {number!r}.")
    if not 0 < share < 1:
        raise OptionError(f"recheck_share must lie between 0 and 1; got {share!r}.")
    listed = np.zeros(len(flagged), dtype=bool)
    if earlier is not None:
        listed[earlier.rows] = True
    # another stream for each list: the numbers that drew the earlier rows would not draw others independently of them
    random = stream(seed, "rows to re-check", *([] if earlier is None else [f"after {listed.sum()}"]))
    suspects, others = np.flatnonzero(flagged), np.flatnonzero(~flagged)
    suspects = suspects[np.argsort(-ranking[suspects], kind="stable")]
    new_suspects, new_others = int((~listed[suspects]).sum()), int((~listed[others]).sum())
    drawn = min(max(round(number * share), number - new_suspects), new_others)
    room = min(number - drawn, new_suspects)
    if earlier is not None:
        top = earlier.rows[earlier.stratum == 0]
    else:
        top = suspects[: room if room == new_suspects else room // 2]
        room -= len(top)
    left = suspects[~np.isin(suspects, top)]
    parts = [top, _drawn(left, room, listed, random), _drawn(others, drawn, listed, random)]
    sizes = [len(part) for part in parts]
    chances = np.array([1.0, sizes[1] / max(len(left), 1), sizes[2] / max(len(others), 1)])
    codes = np.repeat(np.arange(3), sizes)
    return RecheckList(np.concatenate(parts), codes, chances[codes])


def _drawn(rows: Array, number: int, listed: Array, random: np.random.Generator) -> Array:
    """Keep the rows that are listed, and draw others."""
    kept, others = rows[listed[rows]], rows[~listed[rows]]
    return np.sort(np.concatenate([kept, random.choice(others, number, replace=False)])) if number else np.sort(kept)


def adjudication(flagged: Array, answers: RecheckList, wrong: FloatArray, *, level: float = 0.95) -> Adjudication:
    """Estimate precision and recall of a filter from the rows that were re-checked.

        W_s = N_s·k_s/n_s wrong labels in stratum s;   D = W_top + W_flagged,   M = W_rest
        precision = D / flagged rows,   recall = D / (D + M),   missed = M / other rows,   noise rate = (D + M) / rows

    W_s has Wilson's interval for a sample of a finite number of rows; sums and the ratio M/D have MOVER's interval. It
    holds for the answers as they are: people who err make wrong labels of right ones. Cochran (1977); Zou and Donner
    (2008); Donner and Zou (2012).

    Parameters
    ----------
    flagged
        Whether the filter flagged the row; for all rows.
    answers
        The rows on the list, and their strata.
    wrong
        1 if the label of a listed row is wrong, 0 if it is right, NaN if nobody answered.
    level
        Confidence level.

    >>> asked = RecheckList(np.array([8, 9, 0, 1, 2, 3]), np.array([0, 0, 2, 2, 2, 2]), np.array([1, 1, *[0.5] * 4]))
    >>> result = adjudication(np.arange(10) >= 8, asked, np.array([1.0, 0, 1, 0, 0, 0]))
    >>> [round(estimate.value, 3) for estimate in result.estimates]
    [0.5, 0.333, 0.25, 0.3]
    """
    check_level(level)
    if len(np.unique(answers.rows)) < len(answers.rows):
        raise InputError("A row was re-checked twice. Keep one answer for each row.")
    if np.any(flagged[answers.rows] != (answers.stratum < 2)):
        raise InputError("The re-checked rows were drawn for other flags. Use the options that the list was made with.")
    known, hits = np.isfinite(wrong), wrong == 1
    top = int((answers.stratum == 0).sum())
    sizes = (top, int(flagged.sum()) - top, int((~flagged).sum()))
    strata = tuple(
        StratumAnswers(name, sizes[at], int(known[answers.stratum == at].sum()), int(hits[answers.stratum == at].sum()))
        for at, name in enumerate(STRATA)
    )
    detected, missed = _total(strata[:2], level), _total(strata[2:], level)
    rows, answered = len(flagged), int(known.sum())
    suspects = int(flagged.sum())
    asked = sum(part.answered for part in strata[:2])
    return Adjudication(
        strata,
        _share(
            "precision", "precision of the filter", detected, suspects, asked, level, "no flagged row was re-checked"
        ),
        _recall(detected, missed, answered, level),
        _share(
            "missed", "wrong labels among rows not flagged", missed, sizes[2], strata[2].answered, level,
            "no row that was not flagged was re-checked",
        ),
        _share(
            "noise_rate", "noise rate", _sum(detected, missed), rows, answered, level,
            "rows of every kind must be re-checked",
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class _Total:
    """Wrong labels among some rows: the estimate and its ends; NaN if a stratum has no answers."""

    value: float
    low: float
    high: float


def _total(strata: tuple[StratumAnswers, ...], level: float) -> _Total:
    total = _Total(0.0, 0.0, 0.0)
    for part in strata:
        if not part.rows:
            continue
        if not part.answered:
            return _Total(np.nan, np.nan, np.nan)
        share = part.wrong / part.answered
        if part.answered == part.rows:
            own = _Total(part.wrong, part.wrong, part.wrong)
        else:
            effective = part.answered * (part.rows - 1) / (part.rows - part.answered)
            ends = wilson(share * effective, effective, level=level)
            possible = (part.wrong, part.rows - part.answered + part.wrong)
            low, high = (float(np.clip(part.rows * float(end), *possible)) for end in (ends.low, ends.high))
            own = _Total(part.rows * share, low, high)
        total = _sum(total, own)
    return total


def _sum(first: _Total, second: _Total) -> _Total:
    """Add two independent totals; distances to their ends add as variances do."""
    value = first.value + second.value
    below = np.hypot(first.value - first.low, second.value - second.low)
    above = np.hypot(first.high - first.value, second.high - second.value)
    return _Total(value, float(value - below), float(value + above))


def _share(name: str, words: str, total: _Total, rows: int, n: int, level: float, undefined: str) -> Estimate:
    if not rows:
        return Estimate(name, np.nan, 0, None, "there are no such rows", words=words, is_share=True)
    if np.isnan(total.value):
        return Estimate(name, np.nan, n, None, undefined, words=words, is_share=True)
    interval = Interval(total.low / rows, total.high / rows, level, METHOD, (0, 1))
    return Estimate(name, total.value / rows, n, interval, words=words, is_share=True)


def _recall(detected: _Total, missed: _Total, n: int, level: float) -> Estimate:
    words = "recall of the filter"
    if np.isnan(detected.value + missed.value):
        why = "rows of every kind must be re-checked"
        return Estimate("recall", np.nan, n, None, why, words=words, is_share=True)
    if detected.value + missed.value == 0:
        return Estimate("recall", np.nan, n, None, "no re-checked label is wrong", words=words, is_share=True)
    # recall falls with the ratio of what was missed to what was detected
    low, high = (1 / (1 + end) for end in reversed(_ratio(missed, detected)))
    value = detected.value / (detected.value + missed.value)
    return Estimate("recall", value, n, Interval(low, high, level, METHOD, (0, 1)), words=words, is_share=True)


def _ratio(top: _Total, bottom: _Total) -> tuple[float, float]:
    """Give both ends of the ratio of two independent totals, infinite where the lower one may be 0."""

    def end(numerator: float, denominator: float, sign: int) -> float:
        if denominator <= 0:
            return np.inf if sign > 0 else 0.0
        product = top.value * bottom.value
        part = numerator * denominator * (2 * top.value - numerator) * (2 * bottom.value - denominator)
        scale = denominator * (2 * bottom.value - denominator)
        root = np.sqrt(max(product**2 - part, 0.0))
        if abs(scale) < 1e-12:
            return np.inf if sign > 0 else 0.0
        return float((product + sign * root) / scale)

    low, high = end(top.low, bottom.high, -1), end(top.high, bottom.low, 1)
    return max(low, 0.0), high if high >= 0 else np.inf
