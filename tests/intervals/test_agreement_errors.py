"""Error rates without labels: the algebra, bounds against linear programming and brute force, refusals."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.errors import OptionError
from justesse.intervals.agreement_errors import agreement_errors
from justesse.intervals.agreement_model import contrasts
from justesse.intervals.dependence_bounds import dependence_bounds, least_dependence, order_survives, product_bounds

PAIRS = ((0, 1), (0, 2), (1, 2))


def pairs_of(size):
    return tuple(itertools.combinations(range(size), 2))


def agreement_of(errors, share=1.0):
    return np.array(
        [(1 - errors[i]) * (1 - errors[j]) + share * errors[i] * errors[j] for i, j in pairs_of(len(errors))]
    )


def drawn(n, errors, classes, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(classes, size=n)
    wrong = (true[:, None] + rng.integers(1, classes, size=(n, len(errors)))) % classes
    codes = np.where(rng.random((n, len(errors))) < errors, wrong, true[:, None])
    return AnswerPatterns.from_codes([f"m{at}" for at in range(len(errors))], range(classes), codes)


def by_linear_programming(agreement, size, dependence, share):
    """Bound log abilities with a general solver; None if nothing is feasible."""
    product, slack = contrasts(agreement, share), (1 + share) ** 2 * dependence
    rows, limits = [], []
    for k, (i, j) in enumerate(pairs_of(size)):
        both = np.zeros(size)
        both[[i, j]] = 1
        if product[k] + slack <= 0:
            return None
        rows.append(both)
        limits.append(math.log(product[k] + slack))
        if product[k] - slack > 0:
            rows.append(-both)
            limits.append(-math.log(product[k] - slack))
    low, high = [], []
    for at in range(size):
        goal = np.zeros(size)
        goal[at] = 1
        for sign, ends in ((-1, low), (1, high)):  # the largest ability is the lowest error
            solved = linprog(sign * goal, A_ub=rows, b_ub=limits, bounds=[(None, 0)] * size)
            if solved.status == 2:
                return None
            beta = -math.inf if solved.status == 3 else solved.x[at]
            ends.append((1 - math.exp(beta)) / (1 + share))
    return np.array(low), np.array(high)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(0.02, 0.4), min_size=3, max_size=5), st.floats(0, 0.06), st.sampled_from([1.0, 0.5, 0.11]),
    st.integers(0, 10**6),
)  # fmt: skip
def test_bounds_are_those_of_linear_programming(errors, dependence, share, seed):
    noise = np.random.default_rng(seed).normal(0, 0.01, size=len(pairs_of(len(errors))))
    agreement = np.clip(agreement_of(errors, share) + noise, 0.05, 1.0)
    ours = product_bounds(agreement, pairs_of(len(errors)), dependence=dependence, coincidence=share)
    narrower = dependence_bounds(agreement, pairs_of(len(errors)), dependence=dependence, coincidence=share)
    expected = by_linear_programming(agreement, len(errors), dependence, share)
    if expected is None:
        assert (
            not ours.possible
            or dependence < least_dependence(agreement, pairs_of(len(errors)), coincidence=share) + 1e-6
        )
        return
    assert ours.low == pytest.approx(expected[0], abs=1e-5)
    assert ours.high == pytest.approx(expected[1], abs=1e-5)
    if narrower.possible:
        assert ((narrower.low >= ours.low - 1e-9) & (narrower.high <= ours.high + 1e-9)).all()


def test_bounds_of_three_classifiers_and_two_classes_are_sharp():
    """Every table of answers that explains the agreement lies inside, and each end belongs to such a table.

    A table is a share of rows where all agree, and where classifier 1, 2 or 3 differs, and in each the part where most
    are wrong.
    """
    rng = np.random.default_rng(5)
    checked = narrower = 0
    rates = np.linspace(0, 0.4999, 301)
    while checked < 12:
        seen = rng.dirichlet([6, 1, 1, 1])
        wrong = seen * rng.beta(0.4, 1.5, 4)
        errors = np.array([wrong.sum() + seen[at] - 2 * wrong[at] for at in (1, 2, 3)])
        if errors.max() >= 0.5:
            continue
        checked += 1
        agreement = seen[0] + seen[[3, 2, 1]]
        together = wrong[0] + wrong[[3, 2, 1]]
        actual = max(abs(both - errors[i] * errors[j]) for both, (i, j) in zip(together, PAIRS, strict=True))
        delta = min(0.25, actual * rng.choice([1, 1.2, 2]))
        bounds = dependence_bounds(agreement, PAIRS, dependence=delta)
        assert ((bounds.low <= errors + 1e-7) & (errors <= bounds.high + 1e-7)).all()
        loose = product_bounds(agreement, PAIRS, dependence=delta)
        narrower += bool((loose.high > bounds.high + 0.005).any() or (loose.low < bounds.low - 0.005).any())

        def possible(one_two_three, most, tolerance, seen=seen, agreement=agreement):
            """Whether some table has these error rates: shares of rows not below 0, dependence at most as stated."""
            pair = [(agreement[k] - 1 + one_two_three[i] + one_two_three[j]) / 2 for k, (i, j) in enumerate(PAIRS)]
            apart = [abs(pair[k] - one_two_three[i] * one_two_three[j]) for k, (i, j) in enumerate(PAIRS)]
            least = np.maximum.reduce([pair[0] * 0, pair[0] - seen[3], pair[1] - seen[2], pair[2] - seen[1]])
            largest = np.minimum.reduce([pair[0] * 0 + seen[0], *pair])
            return (np.maximum.reduce(apart) <= most + tolerance) & (least <= largest + tolerance)

        for at, (end, outwards) in itertools.product(range(3), ((bounds.low, -1), (bounds.high, 1))):
            for move in (0.0, 0.004, 0.02):
                value = end[at] + outwards * move
                if not 0 <= value < 0.5:
                    continue
                others = np.meshgrid(rates, rates, indexing="ij")
                table = np.insert(np.array(others), at, value, axis=0)
                inside = possible(table, delta, 0.0 if move else 0.002)
                assert inside.any() == (move == 0), (errors, delta, at, outwards, move)
    assert narrower >= 3


def test_classifiers_that_agree_often_cannot_both_err_more_than_either():
    """Each errs at least as often as both do: 0.083 at most, where the products of abilities alone allow 0.11."""
    bounds = dependence_bounds(np.array([0.95, 0.95, 0.95]), PAIRS, dependence=0.03)
    assert bounds.high == pytest.approx([(2.1 - math.sqrt(0.01 + 4 * 0.78)) / 4] * 3)


def test_the_bounds_of_three_have_a_closed_form():
    """b₁² lies between (c₁₂-4δ)(c₁₃-4δ)/(c₂₃+4δ) and (c₁₂+4δ)(c₁₃+4δ)/(c₂₃-4δ).

    With the least b₁, b₂ and b₃ are possible. With the largest, 1 and 2 would disagree in more rows than they err.
    """
    loose = product_bounds(agreement_of((0.1, 0.2, 0.3)), PAIRS, dependence=0.01)
    bounds = dependence_bounds(agreement_of((0.1, 0.2, 0.3)), PAIRS, dependence=0.01)
    assert loose.low[0] == pytest.approx((1 - math.sqrt(0.52 * 0.36 / 0.20)) / 2)
    assert loose.high[0] == pytest.approx((1 - math.sqrt(0.44 * 0.28 / 0.28)) / 2)
    assert bounds.low[0] > loose.low[0] + 0.01
    assert bounds.high[0] == pytest.approx(loose.high[0])
    assert order_survives(agreement_of((0.1, 0.2, 0.3)), PAIRS, 0, 1) == pytest.approx((0.32 - 0.24) / 8)


@pytest.mark.parametrize("size", [3, 4])
def test_every_end_is_reached_by_a_law_of_mistakes(size):
    """The joint law of mistakes has 2^M unknowns; each pattern of agreement fixes the sum of two. The ends are possible."""
    errors = np.array([0.1, 0.2, 0.3, 0.25][:size])
    masks = list(itertools.product((0, 1), repeat=size))
    chance = {mask: math.prod(e if wrong else 1 - e for e, wrong in zip(errors, mask, strict=True)) for mask in masks}
    seen = {mask: chance[mask] + chance[tuple(1 - w for w in mask)] for mask in masks}
    delta = 0.004
    agreement, pairs = agreement_of(errors), pairs_of(size)
    bounds = dependence_bounds(agreement, pairs, dependence=delta)
    product = contrasts(agreement, 1.0)
    for at, (end, sign) in itertools.product(range(size), ((bounds.low, -1), (bounds.high, 1))):
        # all error rates at this end: fix ability `at`, find the others by LP in logs, then a law with these errors
        rows, limits = [], []
        for k, (i, j) in enumerate(pairs):
            both = np.zeros(size)
            both[[i, j]] = 1
            rows += [both, -both]
            limits += [math.log(product[k] + 4 * delta), -math.log(product[k] - 4 * delta)]
        fixed = [(None, 0)] * size
        value = math.log(1 - 2 * end[at])
        fixed[at] = (value - 1e-9, value + 1e-9)
        abilities = np.exp(linprog(np.zeros(size), A_ub=rows, b_ub=np.array(limits) + 1e-9, bounds=fixed).x)
        rates = (1 - abilities) / 2
        equal = [[float(mask == other or mask == tuple(1 - w for w in other)) for mask in masks] for other in masks]
        totals = [seen[other] for other in masks]
        equal += [[float(mask[i]) for mask in masks] for i in range(size)]
        totals += list(rates)
        law = linprog(np.zeros(len(masks)), A_eq=equal, b_eq=totals, bounds=[(0, 1)] * len(masks))
        assert law.status == 0, (at, sign)
        together = [sum(p for p, mask in zip(law.x, masks, strict=True) if mask[i] and mask[j]) for i, j in pairs]
        apart = [abs(both - rates[i] * rates[j]) for both, (i, j) in zip(together, pairs, strict=True)]
        assert max(apart) <= delta + 1e-6


def test_no_law_of_mistakes_leaves_the_bounds():
    """Brute force: random laws of mistakes of three classifiers with a small dependence, all inside."""
    rng = np.random.default_rng(0)
    masks = np.array(list(itertools.product((0, 1), repeat=3)))
    inside = 0
    for _ in range(3000):
        law = rng.dirichlet([20, 2, 2, 0.4, 2, 0.4, 0.4, 0.4])
        errors = law @ masks
        together = np.array([law @ (masks[:, i] * masks[:, j]) for i, j in PAIRS])
        delta = max(abs(both - errors[i] * errors[j]) for both, (i, j) in zip(together, PAIRS, strict=True))
        if delta > 0.25 or (errors >= 0.5).any():
            continue
        agreement = np.array([law @ (masks[:, i] == masks[:, j]) for i, j in PAIRS])
        bounds = dependence_bounds(agreement, PAIRS, dependence=delta)
        assert np.all(bounds.low <= errors + 1e-9)
        assert np.all(bounds.high >= errors - 1e-9)
        inside += 1
    assert inside > 1000


def test_estimates_are_near_and_shared_mistakes_make_them_too_low():
    result = agreement_errors(drawn(20_000, (0.05, 0.1, 0.2, 0.15), 5), draws=200)
    assert [item.value for item in result.estimates] == pytest.approx([0.05, 0.1, 0.2, 0.15], abs=0.01)
    assert all(item.interval.low < item.value < item.interval.high for item in result.estimates)
    patterns = drawn(20_000, (0.05, 0.05, 0.05), 2)
    hard = np.random.default_rng(1).random(20_000) < 0.1
    rows = np.repeat(patterns.codes, patterns.counts, axis=0)
    np.random.default_rng(2).shuffle(rows)
    rows[hard] = rows[hard][:, :1]  # all give one answer, right or wrong
    alike = agreement_errors(AnswerPatterns.from_codes(patterns.names, (0, 1), rows), draws=200)
    assert all(item.value < 0.05 for item in alike.estimates)


def test_what_is_not_identified_is_refused():
    rng = np.random.default_rng(0)
    codes = np.column_stack([drawn_codes := rng.integers(2, size=500), drawn_codes, rng.integers(2, size=500)])
    result = agreement_errors(AnswerPatterns.from_codes("abc", (0, 1), codes), draws=100)
    assert "no better than chance" in result.undefined
    few = agreement_errors(AnswerPatterns.from_codes("abc", (0, 1), codes[:3, :1].repeat(3, axis=1)), draws=100)
    assert "do not agree clearly more often than by chance" in few.undefined  # they agree on all of three rows
    assert all(math.isnan(item.value) and item.undefined for item in result.estimates)
    with pytest.raises(OptionError, match="three classifiers or more; got 2"):
        agreement_errors(AnswerPatterns.from_codes("ab", (0, 1), codes[:, :2]))
    with pytest.raises(OptionError, match="between 0 and 0.25"):
        dependence_bounds(np.full(3, 0.9), PAIRS, dependence=0.3)


def test_wide_dependence_says_little():
    bounds = dependence_bounds(agreement_of((0.1, 0.2, 0.3)), PAIRS, dependence=0.25)
    assert bounds.low == pytest.approx([0, 0, 0])
    assert bounds.high == pytest.approx([0.5, 0.5, 0.5])
