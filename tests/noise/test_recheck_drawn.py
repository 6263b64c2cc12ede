"""Re-checked rows that were drawn with unequal probabilities."""

from itertools import pairwise, product

import numpy as np
import pytest

from justesse import Tally
from justesse.core.case import Case
from justesse.core.errors import InputError
from justesse.measures import accuracy, recall
from justesse.noise.drawn_sequence import drawn_sequence
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.sample_design import SampleDesign

TRUE = np.array([0, 1, 0, 1, 0, 1, 1, 0])
LABEL = np.array([0, 1, 0, 0, 0, 0, 1, 1])
NEW = np.array([0, 1, 1, 0, 1, 1, 1, 0])
OLD = np.array([1, 1, 0, 0, 0, 1, 0, 0])
STRATUM = np.array([0, 0, 0, 0, 0, 1, 1, 1])
DESIGN = SampleDesign((0, 1), (5, 3))


def whole():
    return Tally.of(["label", "prediction"], [(*pair, 1) for pair in zip(LABEL, NEW, strict=True)])


def sample(picked):
    return Tally.of(
        ["true", "label", "prediction", "stratum"],
        [(TRUE[at], LABEL[at], NEW[at], STRATUM[at], 1) for at in picked],
    )


def pairs_of_every_draw():
    """Yield every way to draw two rows of the first stratum and two of the second."""
    first, second = range(5), range(5, 8)
    return [
        (*one, *other)
        for one in product(first, first)
        if one[0] < one[1]
        for other in product(second, second)
        if other[0] < other[1]
    ]


def test_the_always_valid_difference_of_a_longer_draw_lies_within_that_of_a_shorter_one():
    """So a draw that covers at its end covered at every look before."""
    rng = np.random.default_rng(2)
    true, label, old, new = (rng.integers(2, size=200) for _ in range(4))
    stratum, order = (np.arange(200) >= 80).astype(int), rng.permutation(200)
    design = SampleDesign((0, 1), (80, 120), (0.4, 0.6))
    case = Case(Tally.of(["label", "incumbent", "candidate"], [(*row, 1) for row in zip(label, old, new, strict=True)]))
    truth = np.mean(new == true) - np.mean(old == true)
    ends = []
    for looks in (10, 40, 90, 140):
        cells = [
            (true[at], label[at], old[at], new[at], int(stratum[at]), place, 1)
            for place, at in enumerate(order[:looks])
        ]
        drawn = Tally.of(["true", "label", "incumbent", "candidate", "stratum", "order"], cells)
        ends.append(recheck_difference(case, drawn, design=design).powered.always_valid)
    assert all(one.low <= other.low and other.high <= one.high for one, other in pairwise(ends))
    assert all(end.low <= truth <= end.high for end in ends)
    assert ends[-1].high - ends[-1].low < 0.7 * (ends[0].high - ends[0].low)


def test_unbiased_over_every_draw():
    values = [
        recheck(whole(), sample(picked), [accuracy], design=DESIGN).figures[0].value for picked in pairs_of_every_draw()
    ]
    assert np.mean(values) == pytest.approx(np.mean(TRUE == NEW))


def test_the_difference_is_unbiased_over_every_draw():
    case = Case(Tally.of(["label", "incumbent", "candidate"], [(*row, 1) for row in zip(LABEL, OLD, NEW, strict=True)]))
    values = []
    for picked in pairs_of_every_draw():
        cells = [(TRUE[at], LABEL[at], OLD[at], NEW[at], STRATUM[at], 1) for at in picked]
        drawn = Tally.of(["true", "label", "incumbent", "candidate", "stratum"], cells)
        result = recheck_difference(case, drawn, design=DESIGN).figures[0]
        assert result.interval.low <= result.value <= result.interval.high
        values.append(result.value)
    assert np.mean(values) == pytest.approx(np.mean(TRUE == NEW) - np.mean(TRUE == OLD))


def test_one_stratum_is_a_random_sample():
    picked = [0, 3, 5, 6]
    drawn = Tally.of(
        ["true", "label", "prediction", "stratum"], [(TRUE[at], LABEL[at], NEW[at], 0, 1) for at in picked]
    )
    alone = SampleDesign((0,), (8,))
    for measure in (accuracy, recall):
        plain = recheck(whole(), drawn.marginal("true", "label", "prediction"), [measure], strata="none")
        by_strata = recheck(whole(), drawn, [measure], design=alone)
        for one, other in zip(plain.figures, by_strata.figures, strict=True):
            assert one.value == pytest.approx(other.value)
            assert one.interval.low == pytest.approx(other.interval.low)


def test_all_rows_drawn_are_the_truth():
    result = recheck(whole(), sample(range(8)), [accuracy], design=DESIGN, about="rows").figures[0]
    assert result.value == pytest.approx(np.mean(TRUE == NEW))
    assert result.interval is None


def test_a_list_for_other_rows_is_refused():
    with pytest.raises(InputError, match="drawn from 9 rows, but there are 8"):
        recheck(whole(), sample([0, 5]), [accuracy], design=SampleDesign((0, 1), (5, 4)))


def test_the_sequence_ends_at_the_truth_and_only_narrows():
    rng = np.random.default_rng(5)
    strata = rng.permutation(np.repeat([0, 1], [60, 40]))
    corrections = -(rng.random(100) < np.where(strata == 1, 0.3, 0.02)).astype(int)
    # the order of the draws follows the chances closely enough for this test: what is seen is what counts
    design = SampleDesign((0, 1), (60, 40), (0.6, 0.4))
    ends = [drawn_sequence(corrections[:n], strata[:n], design, 0.95) for n in (20, 60, 100)]
    assert all(late.low >= early.low and late.high <= early.high for early, late in pairwise(ends))
    assert ends[-1].low == pytest.approx(0.95 + corrections.sum() / 100, abs=0.011)
    assert ends[-1].high == pytest.approx(0.95 + corrections.sum() / 100, abs=0.011)


def test_corrections_that_lift_an_estimate_above_1_still_have_an_interval():
    """Two rows stand for fifty: one of them was labelled wrong, and 99 % + 25 points is no share."""
    cells = [(0, 0, 0, "a", 40), (0, 1, 0, "b", 1), (0, 0, 0, "b", 1)]
    part = Tally.of(["true", "label", "prediction", "stratum"], cells)
    rows = Tally.of(["label", "prediction"], [(0, 0, 99), (1, 0, 1)])
    estimate = recheck(rows, part, [accuracy], design=SampleDesign(("a", "b"), (50, 50))).figures[0]
    assert estimate.interval.high == 1
    assert estimate.interval.low < 0.99
