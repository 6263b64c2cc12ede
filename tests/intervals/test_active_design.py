"""Rows to label, drawn with known probabilities."""

import numpy as np
import pytest

from justesse.core.errors import OptionError
from justesse.intervals.planning.active import active_design

SCORES = np.concatenate([np.full(800, 0.01), np.full(150, 0.2), np.full(50, 0.5)])


def test_every_row_is_drawn_as_often_as_its_chance_says():
    """Horvitz and Thompson's weights add up to the rows, in every stratum, on average over draws."""
    drawn = np.zeros(len(SCORES))
    for seed in range(400):
        design = active_design(SCORES, 60, seed=seed)
        drawn[design.drawn] += 1
        assert len(set(design.drawn.tolist())) == 60
    share = [drawn[score == SCORES].mean() / 400 for score in (0.01, 0.2, 0.5)]
    expected = (1 + (60 - design.fixed) * design.chances) / design.sizes  # one row of each comes first
    assert share == pytest.approx(expected.tolist(), rel=0.06)
    assert share[0] < share[1] < share[2]


def test_given_the_draw_the_weights_add_up_to_all_rows():
    design = active_design(SCORES, 100, seed=3)
    stratum = design.stratum[design.drawn]
    assert (1 / design.probability[stratum]).sum() == pytest.approx(1000)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("few", [1, 2, 3, 7])
def test_no_stratum_stays_unseen(few, seed):
    """A disputed pseudo-label or two among thousands: without a draw, their stratum would be missing from the list."""
    agreed = np.arange(3000) >= few
    design = active_design(np.where(agreed, 0.02, 0.5), 20, kinds=agreed, seed=seed)
    stratum = design.stratum[design.drawn]
    assert sorted(design.sizes.tolist()) == sorted([few, 3000 - few])
    assert (np.bincount(stratum, minlength=len(design.sizes)) > 0).all()
    assert sorted(stratum[: design.fixed].tolist()) == list(range(len(design.sizes)))
    assert (1 / design.probability[stratum]).sum() == pytest.approx(3000)


def test_strata_that_expect_few_rows_are_joined_within_their_kind():
    rng = np.random.default_rng(2)
    scores, agreed = rng.random(2000) ** 3, rng.random(2000) < 0.97
    few, many = (active_design(scores, n, kinds=agreed) for n in (30, 1000))
    assert len(few.sizes) < len(many.sizes)
    for design, n in ((few, 30), (many, 1000)):
        kinds = [np.unique(agreed[design.stratum == s]) for s in range(len(design.sizes))]
        assert all(len(kind) == 1 for kind in kinds)
        alone = [sum(bool(kind[0]) == side for kind in kinds) == 1 for side in (True, False)]
        for kind, chance in zip(kinds, design.chances, strict=True):
            assert n * chance >= 5 or alone[0 if kind[0] else 1]


def test_weighted_means_are_unbiased_with_a_tiny_stratum():
    """The mean of Horvitz and Thompson's estimates over many draws is the total, with 2 disputed rows of 60."""
    agreed = np.arange(60) >= 2
    values = np.where(np.arange(60) % 7 == 0, 1.0, 0.0)
    totals = []
    for seed in range(2000):
        design = active_design(np.where(agreed, 0.02, 0.5), 20, kinds=agreed, seed=seed)
        totals.append((values[design.drawn] / design.probability[design.stratum[design.drawn]]).sum())
    assert np.mean(totals) == pytest.approx(values.sum(), abs=4 * np.std(totals) / np.sqrt(2000))


def test_kinds_are_never_mixed():
    agreed = np.arange(1000) % 3 > 0
    design = active_design(SCORES, 100, kinds=agreed)
    for stratum in range(len(design.sizes)):
        assert len(np.unique(agreed[design.stratum == stratum])) == 1


def test_the_same_seed_gives_the_same_rows():
    first, second, other = (active_design(SCORES, 50, seed=seed).drawn.tolist() for seed in (1, 1, 2))
    assert first == second != other


def test_all_rows_can_be_drawn():
    design = active_design(SCORES, 1000)
    assert sorted(design.drawn.tolist()) == list(range(1000))
    assert design.probability.tolist() == [1.0] * len(design.sizes)


@pytest.mark.parametrize(
    ("scores", "n", "options"),
    [(SCORES, 19, {}), (SCORES, 1001, {}), ([0.5, 1.2] * 20, 20, {}), ([np.nan] * 40, 20, {}), ([], 20, {}),
     (SCORES, 50, {"prudence": 0}), (SCORES, 50, {"strata": 0})],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(scores, n, options):
    with pytest.raises(OptionError):
        active_design(scores, n, **options)
