"""(f) A random sample was re-checked: the true difference of two classifiers."""

import math
from dataclasses import replace

import numpy as np

from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.discrete_mean import mean_reach, sample_worth
from justesse.intervals.ends import z_value
from justesse.intervals.prediction_powered import PredictionPowered, Stratum, prediction_powered
from justesse.noise.difference_by_draws import MOVES, difference_by_draws, row_moves
from justesse.noise.possible import possible
from justesse.noise.recheck import drawn_words, sample_warnings
from justesse.noise.rung import RECHECKED, Rung
from justesse.noise.sample_design import SampleDesign

NONE_APART = "the two classifiers agree on every re-checked row, and such rows do not affect the difference"


def recheck_difference(
    case: Case,
    sample: Tally,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    design: SampleDesign | None = None,
) -> Rung[Estimate]:
    """Estimate the true difference of accuracy from all labels and a random sample of re-checked ones.

        d = mean over all rows of d_label + share of rows where the two disagree · mean move of those re-checked

    Parameters
    ----------
    case
        Counts of both classifiers' answers on all rows.
    sample
        Counts of the re-checked rows by true × label × incumbent × candidate.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.
    design
        Strata that the rows were drawn from, if some rows were likelier than others; the sample then has an axis
        `stratum`. Default: a simple random sample.

    Notes
    -----
    d is +1 where only the candidate is right, -1 where only the incumbent is. Where both give the same answer, the
    label does not matter. Unbiased for any label errors. The shares of moves by ±1 and ±2 have Clopper and Pearson's
    intervals, combined by MOVER with their covariance, plus the sampling error of the rows. Do not use it if the rows
    were not drawn at random. Angelopoulos et al. (2023); Zou and Donner (2008).

    Examples
    --------
    >>> whole = Case(Tally.of(("label", "incumbent", "candidate"), [(0, 0, 0, 900), (0, 1, 0, 60), (0, 0, 1, 40)]))
    >>> cells = [(0, 0, 0, 0, 300), (0, 0, 1, 0, 18), (1, 0, 1, 0, 2), (0, 0, 0, 1, 13)]
    >>> result = recheck_difference(whole, Tally.of(("true", "label", "incumbent", "candidate"), cells)).figures[0]
    >>> round(result.value, 4), str(result.interval)
    (0.0079, '[-0.0221, 0.0351]')
    """
    tails = tail_levels(level, alternative)
    rows = sample.marginal("true", "label", "incumbent", "candidate")
    if rows.n < 2:
        raise OptionError(f"At least two rows must be re-checked to compute an interval; got {rows.n}.")
    moved, apart, counts = row_moves(rows), rows.codes[:, 2] != rows.codes[:, 3], rows.counts
    seen = np.array([int(counts[apart & (moved == move)].sum()) for move in MOVES])
    checked = int(counts[apart].sum())
    disputed = case.n - case.disagreement.both_right - case.disagreement.both_wrong_alike
    value, interval, reason, powered = float(case.disagreement.difference), None, None, None
    if design:
        design.check(case.n)
        powered = difference_by_draws(value, disputed / case.n, sample, design, level, alternative)
        value, interval = powered.value, powered.interval
    elif not checked and disputed:
        value, reason = math.nan, NONE_APART
    else:
        share = disputed / case.n
        means = seen / max(checked, 1)
        value += share * float(MOVES @ means)
        worth = sample_worth(checked, disputed)
        spread = math.sqrt(max(disputed / case.n - value**2, 0.0) / case.n)
        down, up = (
            math.hypot(share * mean_reach(MOVES, means, worth, tail, sign, reference=0), z_value(tail) * spread)
            if tail
            else math.inf
            for tail, sign in zip(tails, (-1, 1), strict=True)
        )
        interval = Interval(value - down, value + up, level, "recheck-paired", (-1.0, 1.0), alternative)
    estimate, outside = possible(Estimate("accuracy difference", value, rows.n, interval, reason), bounds=(-1.0, 1.0))
    return Rung(
        RECHECKED,
        (estimate,),
        (drawn_words(rows.n, case.n, design), "the re-check finds the true class"),
        "the re-checked rows were not drawn at random, or the re-check is wrong too",
        (*sample_warnings(case.tally, rows, at_random=design is None), *([outside] if outside else [])),
        powered or (_powered(case, rows, estimate, alternative) if estimate.interval else None),
    )


def _powered(case: Case, sample: Tally, estimate: Estimate, alternative: Alternative) -> PredictionPowered:
    """Compare the difference with that of the re-checked rows alone; rows with one answer differ by 0 for certain."""
    assert estimate.interval is not None
    label, old, new = case.tally.marginal("label", "incumbent", "candidate").codes.T
    counts = case.tally.marginal("label", "incumbent", "candidate").counts
    true, written, first, second = sample.codes.T
    strata = []
    for apart in (True, False):
        whole, part = (old != new) == apart, (first != second) == apart
        values = (second == true).astype(int) - (first == true)
        guesses = (second == written).astype(int) - (first == written)
        proxies = (new == label).astype(int) - (old == label)
        if whole.any():
            parts = (proxies[whole], counts[whole], values[part], guesses[part], sample.counts[part])
            strata.append(Stratum(*parts, bounds=(-1.0, 1.0) if apart else (0.0, 0.0)))
    powered = prediction_powered(
        strata, tuning="plain", bounds=(-1.0, 1.0), level=estimate.interval.level, alternative=alternative
    )
    return replace(powered, value=estimate.value, interval=estimate.interval)
