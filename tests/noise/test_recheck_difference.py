"""The true difference from a re-checked sample: unbiased over every sample, and covered as often as promised."""

from itertools import combinations

import numpy as np
import pytest

from justesse import Tally
from justesse.core.case import Case
from justesse.core.errors import InputError
from justesse.noise.recheck_difference import recheck_difference

WHOLE, PART = ("label", "incumbent", "candidate"), ("true", "label", "incumbent", "candidate")


def case_of(rows):
    return Case(Tally.of(WHOLE, [(*row, 1) for row in rows]))


def found_in(case, rows, true, picked, **options):
    sample = Tally.of(PART, [(true[at], *rows[at], 1) for at in picked])
    return recheck_difference(case, sample, **options)


def truth_of(rows, true):
    _, one, other = np.array(rows).T
    return np.mean(other == true) - np.mean(one == true)


ROWS = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 1), (1, 2, 0), (2, 2, 1), (2, 2, 2), (0, 1, 2)]
ROWS += [(0, 0, 0), (1, 1, 1), (2, 2, 2), (1, 0, 0)]
TRUE = [0, 0, 1, 0, 1, 0, 1, 2, 2, 0, 1, 1, 0]


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_unbiased_over_every_sample(size):
    """Every sample that holds a row on which the two disagree; the others have no value, and say so."""
    case, apart = case_of(ROWS), {at for at, (_, one, other) in enumerate(ROWS) if one != other}
    values = []
    for picked in combinations(range(len(ROWS)), size):
        one = found_in(case, ROWS, TRUE, picked).figures[0]
        if apart & set(picked):
            values.append(one.value)
            assert one.interval.low <= one.value <= one.interval.high
        else:
            assert np.isnan(one.value)
            assert "the two classifiers agree on every re-checked row" in one.undefined
    assert np.mean(values) == pytest.approx(truth_of(ROWS, TRUE))


def test_all_rows_re_checked_is_the_truth():
    case = case_of(ROWS)
    found = found_in(case, ROWS, TRUE, range(len(ROWS))).figures[0]
    assert found.value == pytest.approx(truth_of(ROWS, TRUE))
    assert found.interval.high > found.interval.low  # other rows of the population may still differ


def test_right_labels_leave_the_measured_difference():
    case = case_of(ROWS)
    found = found_in(case, ROWS, [row[0] for row in ROWS], [1, 2, 3, 4]).figures[0]
    assert found.value == pytest.approx(float(case.disagreement.difference))
    assert found.interval.low < found.value < found.interval.high


def test_rows_on_which_both_answer_alike_change_nothing():
    case, true = case_of(ROWS), list(TRUE)
    picked = [1, 2, 3, 4, 7]
    before = found_in(case, ROWS, true, picked).figures[0]
    true[4], true[7] = 2, 0  # both rows have one answer
    assert found_in(case, ROWS, true, picked).figures[0] == before


def drawn(rng, n=2000, noise=0.08, repeats=0.3):
    """Two classifiers and labels whose mistakes they partly repeat."""
    true = rng.integers(4, size=n)
    label = np.where(rng.random(n) < noise, rng.integers(4, size=n), true)
    answers = [
        np.where(rng.random(n) < skill, np.where(rng.random(n) < repeats, label, true), rng.integers(4, size=n))
        for skill in (0.8, 0.84)
    ]
    return true, list(zip(label.tolist(), *(one.tolist() for one in answers), strict=True))


def test_coverage_of_the_population_s_difference():
    """200 repetitions: fewer than 183 hits of a 95 % interval would have a chance of about 1 in 100."""
    rng = np.random.default_rng(0)
    big, rows = drawn(rng, 400_000)
    population = truth_of(rows, big)
    hits, widths = 0, []
    for _ in range(200):
        at = rng.choice(len(rows), 1000, replace=False)
        mine, true = [rows[k] for k in at], big[at].tolist()
        case = case_of(mine)
        one = found_in(case, mine, true, range(150)).figures[0]
        hits += one.interval.low <= population <= one.interval.high
        widths.append(one.interval.high - one.interval.low)
    assert hits >= 183
    assert np.mean(widths) < 0.2  # and it is not so wide as to say nothing


@pytest.mark.parametrize(("noise", "checked"), [(0.7, 200), (0.7, 500)])
def test_coverage_under_heavy_noise(noise, checked):
    """Most moves are by ±2, in both directions: shares of one sample lean against each other.

    400 repetitions: fewer than 368 hits of a 95 % interval would have a chance of about 1 in 200. Without the
    covariance 89 % are hits.
    """
    rng = np.random.default_rng(1)
    wrong = np.array([[1 - noise, noise], [noise, 1 - noise]])
    law = np.einsum("c,ca,i,o->caio", [0.5, 0.5], wrong, [0.5, 0.5], [0.5, 0.5]).ravel()
    codes, names = np.array(list(np.ndindex(2, 2, 2, 2)), dtype=np.int32), ((0, 1),) * 4
    hits = 0
    for _ in range(400):
        counts = rng.multinomial(20_000, law)
        part = rng.multivariate_hypergeometric(counts, checked, method="marginals")
        rows, sample = (Tally.canonical(PART, names, codes, some) for some in (counts, part))
        ends = recheck_difference(Case(rows.marginal(*WHOLE)), sample).figures[0].interval
        hits += ends.low <= 0.0 <= ends.high  # both classifiers guess: there is no difference
    assert hits >= 368


def test_one_sided_bounds():
    case = case_of(ROWS)
    two = found_in(case, ROWS, TRUE, [1, 2, 3, 5], level=0.9).figures[0].interval
    lower = found_in(case, ROWS, TRUE, [1, 2, 3, 5], alternative="greater").figures[0].interval
    upper = found_in(case, ROWS, TRUE, [1, 2, 3, 5], alternative="less").figures[0].interval
    assert (lower.low, lower.high) == (pytest.approx(two.low), 1.0)
    assert (upper.low, upper.high) == (-1.0, pytest.approx(two.high))


def test_swapping_the_two_turns_the_sign():
    swapped = [(label, other, one) for label, one, other in ROWS]
    found = found_in(case_of(ROWS), ROWS, TRUE, [1, 2, 3, 5]).figures[0]
    turned = found_in(case_of(swapped), swapped, TRUE, [1, 2, 3, 5]).figures[0]
    assert turned.value == pytest.approx(-found.value)
    assert turned.interval.unclipped_low == pytest.approx(-found.interval.unclipped_high)


def test_identical_classifiers_differ_by_nothing():
    rows = [(0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 0, 0)]
    found = found_in(case_of(rows), rows, [0, 1, 1, 1], [0, 1]).figures[0]
    assert (found.value, found.interval.low, found.interval.high) == (0.0, 0.0, 0.0)


def test_a_value_that_cannot_be_is_said_to_be_chance():
    rows, true = [(0, 0, 1), (0, 1, 0), (1, 0, 1), (0, 0, 0)], [0, 1, 1, 0]
    found = found_in(case_of(rows), rows, true, [1, 3])
    assert found.figures[0].value == -1.0  # 1/4 - 3/4·2 would be below that
    assert "which can be chance: -1 is shown" in found.warnings[-1]


def test_few_rows_and_chosen_rows_are_warned_of():
    rng = np.random.default_rng(1)
    true, rows = drawn(rng)
    case, true = case_of(rows), true.tolist()
    few = found_in(case, rows, true, rng.choice(2000, 20, replace=False))
    assert few.warnings == ("Only 20 rows were re-checked: the intervals are rough.",)
    assert found_in(case, rows, true, rng.choice(2000, 200, replace=False)).warnings == ()
    apart = [at for at, (_, one, other) in enumerate(rows) if one != other][:200]
    chosen = found_in(case, rows, true, apart)
    assert "do not look like a random sample" in chosen.warnings[0]
    assert "were not drawn at random" in chosen.fails_when


@pytest.mark.parametrize("picked", [[], [0]])
def test_too_small_a_sample(picked):
    with pytest.raises(InputError, match=f"At least two rows must be re-checked.*got {len(picked)}"):
        recheck_difference(
            case_of(ROWS), Tally.of(PART, [(TRUE[at], *ROWS[at], 1) for at in picked], classes=[0, 1, 2])
        )


def test_a_sample_that_is_no_part_of_the_rows():
    with pytest.raises(InputError, match="The sample has more rows labelled 0.*must be a part of the whole set"):
        recheck_difference(case_of(ROWS), Tally.of(PART, [(0, 0, 0, 1, 5), (0, 0, 1, 0, 1)]))
