"""Intervals of forgetting and transfer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.intervals.wilson import wilson
from justesse.lifelong.item_patterns import ItemPatterns
from justesse.lifelong.policy_score import share_ends
from justesse.lifelong.score_matrix import TimeBlocks
from justesse.lifelong.transfer import transfer_figures
from justesse.lifelong.transfer_intervals import PeriodCells, period_cells, transfer_intervals


def one_block(errors, n=100.0):
    values = np.asarray(errors, dtype=float)
    size = values.shape[1]
    return TimeBlocks(np.arange(size), values, np.full(values.shape, n))


def by_name(blocks, **options):
    size = int(blocks.period.max()) + 1
    errors, sizes = (
        np.array([np.bincount(blocks.period, row) for row in part]) for part in (blocks.totals, blocks.sizes)
    )
    scores = 1 - errors / sizes
    references = {kind: scores[row] for kind, row in options.get("references", {}).items()}
    figures = transfer_intervals(transfer_figures(scores[:size], **references), blocks, **options)
    return {(figure.name, figure.source): figure for figure in figures}


def test_two_independent_cells_give_newcombes_interval():
    """Newcombe's method 10 (1998): sqrt((p1 - l1)² + (u2 - p2)²) around p1 - p2, from Wilson's intervals."""
    figures = by_name(one_block([[10, 40], [30, 20]]))
    first, last = (wilson(np.array([right]), np.array([100])) for right in (90, 70))
    below = np.hypot(0.9 - first.low[0], last.high[0] - 0.7)
    above = np.hypot(first.high[0] - 0.9, 0.7 - last.low[0])
    interval = figures["forgetting", "Avalanche"].interval
    assert (interval.low, interval.high) == pytest.approx((0.2 - below, 0.2 + above), abs=1e-12)


def test_items_known_by_their_id_narrow_a_difference_and_widen_a_sum():
    """Where versions err on the same items, Newcombe's paired interval holds: the phi coefficient enters."""
    wrong = np.zeros((200, 2), dtype=int)
    wrong[:20, 0] = wrong[:30, 1] = 1  # of the first period: the second version errs where the first does, and more
    wrong[100:120, 0] = wrong[100:110, 1] = 1
    period = np.repeat([0, 1], 100)
    items = ItemPatterns.of_items(period, np.zeros(200, dtype=int), wrong, classes=2, periods=2)
    blocks = one_block([[20, 20], [30, 10]])
    apart, paired = by_name(blocks), by_name(blocks, items=items)

    def width(figures, key):
        return figures[key].interval.high - figures[key].interval.low

    assert width(paired, ("forgetting", "Avalanche")) < width(apart, ("forgetting", "Avalanche"))
    both = ("accuracy", "Díaz-Rodríguez et al. (2018), Continuum")
    assert width(paired, both) > width(apart, both)
    phi = np.corrcoef(wrong[:100].T)[0, 1]
    assert period_cells(blocks, level=0.95, items=items)[0].correlation[0, 1] == pytest.approx(phi)


def test_blocks_of_time_show_the_pairing_without_ids():
    """Errors of both versions that rise and fall together from block to block cancel in their difference."""
    totals = np.array([[2.0, 8, 5, 1, 9, 4, 5, 5], [4.0, 10, 7, 3, 11, 2, 2, 3]])
    blocks = TimeBlocks(np.repeat([0, 1], [5, 3]), totals, np.full(totals.shape, 40.0))
    rho = period_cells(blocks, level=0.95)[0].correlation[0, 1]
    assert rho == pytest.approx(1.0)
    together = by_name(blocks)["forgetting", "Avalanche"].interval
    totals[1, :5] = [7.0, 7, 3, 11, 7]  # the same errors, in other blocks
    apart = by_name(TimeBlocks(blocks.period, totals, blocks.sizes))["forgetting", "Avalanche"].interval
    assert together.high - together.low < 0.5 * (apart.high - apart.low)


def test_references_enter_intransigence_and_forward_transfer():
    blocks = one_block([[10, 40], [30, 20], [50, 50], [5, 5]])
    figures = by_name(blocks, references={"start": 2, "joint": 3})
    last = figures["intransigence", "Chaudhry et al. (2018), last period"]
    assert last.value == pytest.approx(0.15)
    assert last.interval.low < 0.15 < last.interval.high
    assert figures["forward transfer", "GEM, paper"].value == pytest.approx(0.1)
    ends = figures["forward transfer", "GEM, paper"].interval
    assert -1 < ends.low < 0.1 < ends.high < 1


def test_without_references_those_figures_have_neither_value_nor_interval():
    figures = by_name(one_block([[10, 40], [30, 20]]))
    for key in (("intransigence", "Chaudhry et al. (2018), last period"), ("forward transfer", "GEM, code")):
        assert figures[key].interval is None
        assert "needs the scores" in figures[key].undefined


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 50), min_size=9, max_size=9), st.sampled_from([0.8, 0.95]))
def test_every_interval_holds_its_figure_and_stays_in_range(errors, level):
    figures = by_name(one_block(np.reshape(errors, (3, 3)), 50.0), level=level)
    for figure in figures.values():
        if figure.interval is not None:
            assert figure.interval.low - 1e-9 <= figure.value <= figure.interval.high + 1e-9
            assert -1 <= figure.interval.low <= figure.interval.high <= 1
    best = figures["forgetting", "Chaudhry et al. (2018)"]
    own = figures["forgetting", "Avalanche"]
    assert best.value >= own.value - 1e-12  # a maximum is at least one of its parts
    assert best.interval.high >= own.interval.high - 1e-9


@pytest.mark.parametrize("known", [True, False])
def test_falls_from_every_version_are_those_of_the_general_sum(known):
    rng = np.random.default_rng(5)
    values, down, up = rng.uniform(0.3, 0.7, 6), rng.uniform(0.01, 0.1, 6), rng.uniform(0.01, 0.1, 6)
    cell = PeriodCells(values, values - down, values + up, np.corrcoef(rng.random((6, 9))) if known else None)
    falls = np.array(cell.falls(5))[:, :5]
    general = [cell.reach(np.eye(6)[version] - np.eye(6)[5]) for version in range(5)]
    np.testing.assert_allclose(falls.T, general, atol=1e-12)


def test_single_cells_have_the_interval_of_the_matrix():
    blocks = one_block([[10, 40], [30, 20]])
    cell = period_cells(blocks, level=0.9)[0]
    ends = share_ends(np.array([90.0]), np.array([100.0]), level=0.9)
    assert (cell.low[0], cell.high[0]) == pytest.approx((ends.low[0], ends.high[0]))


def test_two_blocks_do_not_show_how_versions_go_together():
    """Residuals of two blocks always correlate by 1 or -1: the width of a difference must not cancel."""
    period, sizes = np.array([0, 0, 1, 1]), np.full((2, 4), 100.0)
    blocks = TimeBlocks(period, np.array([[40.0, 60, 50, 50], [45, 63, 48, 52]]), sizes)
    forgetting = by_name(blocks)["forgetting", "Avalanche"]
    assert forgetting.value == pytest.approx(0.04)
    assert forgetting.interval.half_width > 0.127  # paired by block, bias-reduced, with Student's t of 1 degree
    cells = period_cells(blocks, level=0.95)[0]
    down, up = cells.values - cells.low, cells.high - cells.values
    assert cells.reach(np.array([1.0, -1.0])) == pytest.approx((np.hypot(down[0], up[1]), np.hypot(up[0], down[1])))
    assert cells.reach(np.array([0.5, 0.5])) == pytest.approx((down.mean(), up.mean()))
