"""Each plan is the smallest n, and simulation confirms what it promises."""

from functools import cache

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from justesse.core.errors import OptionError
from justesse.intervals import PROPORTION, wilson
from justesse.intervals.planning.difference import difference_n, mcnemar_power
from justesse.intervals.planning.labels import label_choice
from justesse.intervals.planning.noise import noise_n
from justesse.intervals.planning.precision import half_width_at, precision_n
from justesse.intervals.planning.search import smallest


@pytest.mark.parametrize("method", sorted(PROPORTION))
@pytest.mark.parametrize("expected", [0.5, 0.8, 0.97])
def test_precision_is_the_smallest_n_by_brute_force(method, expected):
    n = precision_n(0.05, expected=expected, method=method)
    good = [half_width_at(expected, m, method=method) <= 0.05 for m in range(1, n + 30)]
    assert good.index(True) + 1 == n
    assert all(good[n - 1 :])


def test_precision_by_simulation():
    n = precision_n(0.02, expected=0.9)
    right = np.random.default_rng(0).binomial(n, 0.9, size=20_000)
    ends = wilson(right, n)
    assert np.mean((ends.high - ends.low) / 2) == pytest.approx(0.02, rel=0.01)
    assert np.mean((ends.low <= 0.9) & (ends.high >= 0.9)) == pytest.approx(0.95, abs=0.01)


def test_assurance_by_simulation_and_by_brute_force():
    n = precision_n(0.05, expected=0.8, assurance=0.9)

    def kept(m: int) -> float:
        from scipy.stats import binom

        k = np.arange(m + 1)
        ends = wilson(k, m)
        return float(binom.pmf(k, m, 0.8)[(ends.high - ends.low) / 2 <= 0.05].sum())

    assert all(kept(m) >= 0.9 for m in range(n, n + 40))
    assert kept(n - 1) < 0.9
    right = np.random.default_rng(0).binomial(n, 0.8, size=40_000)
    ends = wilson(right, n)
    assert np.mean((ends.high - ends.low) / 2 <= 0.05) == pytest.approx(kept(n), abs=0.01)


@cache
def mid_p(b: int, c: int) -> float:
    exact = mcnemar([[0, b], [c, 0]], exact=True).pvalue
    from scipy.stats import binom

    return float(exact - binom.pmf(b, b + c, 0.5)) if b != c else 1 - float(binom.pmf(b, b + c, 0.5))


@pytest.mark.parametrize(("difference", "disagreement"), [(0.05, 0.12), (0.03, 0.1), (0.1, 0.4), (0.08, 0.08)])
def test_power_by_simulation_with_an_independent_test(difference, disagreement):
    n = difference_n(difference, disagreement=disagreement)
    rng = np.random.default_rng(2)
    better, worse = (disagreement + difference) / 2, (disagreement - difference) / 2
    drawn = rng.multinomial(n, [better, worse, 1 - disagreement], size=20_000)
    found = np.mean([b > c and mid_p(int(b), int(c)) <= 0.05 for b, c, _ in drawn])
    power = mcnemar_power(n, difference=difference, disagreement=disagreement)
    assert found == pytest.approx(power, abs=0.012)
    assert power >= 0.8


@pytest.mark.parametrize(("difference", "disagreement", "power"), [(0.2, 0.3, 0.8), (0.3, 0.5, 0.9), (0.1, 0.2, 0.7)])
def test_difference_is_the_smallest_n_by_brute_force(difference, disagreement, power):
    n = difference_n(difference, disagreement=disagreement, power=power)
    reached = [mcnemar_power(m, difference=difference, disagreement=disagreement) >= power for m in range(1, 3 * n)]
    last_failure = max(m for m, good in enumerate(reached, start=1) if not good)
    assert n == last_failure + 1


def test_one_sided_tests_need_fewer():
    assert difference_n(0.05, disagreement=0.1, alternative="greater") < difference_n(0.05, disagreement=0.1)


def test_noise_by_simulation_without_replacement():
    population, rate = 2000, 0.06
    n = noise_n(0.02, rate=rate, population=population)
    assert n < noise_n(0.02, rate=rate)
    wrong = np.random.default_rng(0).hypergeometric(
        int(rate * population), int((1 - rate) * population), n, size=20_000
    )
    worth = n * (population - 1) / (population - n)
    ends = wilson(wrong / n * worth, worth)
    assert np.mean((ends.low <= rate) & (ends.high >= rate)) == pytest.approx(0.95, abs=0.015)
    assert np.mean((ends.high - ends.low) / 2) == pytest.approx(0.02, rel=0.02)
    assert half_width_at(rate, (n - 1) * (population - 1) / (population - n + 1)) > 0.02


@pytest.mark.parametrize(
    ("half_width", "expected", "assurance", "level", "method"),
    [
        (0.009851390265204166, 0.9857920151983158, 0.5041895244364951, 0.99, "wilson"),
        (0.002, 0.999, 0.9, 0.95, "clopper-pearson"),
        (0.00218, 0.99861, 0.493, 0.99, "wilson"),
    ],
)
def test_assurance_once_reached_stays_reached_near_one(half_width, expected, assurance, level, method):
    from scipy.stats import binom

    n = precision_n(half_width, expected=expected, assurance=assurance, level=level, method=method)
    for m in range(n, n + 400):
        k = np.arange(m + 1)
        ends = PROPORTION[method](k, m, level=level)
        assert binom.pmf(k, m, expected)[(ends.high - ends.low) / 2 <= half_width].sum() >= assurance - 1e-9


def test_a_window_whose_end_fails_is_searched_again():
    assert smallest(lambda n: n >= 10 and n not in (14, 15), window=lambda n: 4) == 16


def test_very_many_rows():
    assert mcnemar_power(10**10, difference=1e-4, disagreement=0.5) == pytest.approx(1.0)
    assert precision_n(1.5e-5, expected=0.9, assurance=0.9) == pytest.approx(1.54e9, rel=0.01)
    assert difference_n(1e-3, disagreement=0.5) == pytest.approx((1.96 + 0.8416) ** 2 * 0.5 / 1e-6, rel=0.01)


def test_the_worst_bias_of_cheap_labels_by_brute_force():
    choice = label_choice(0.02, rate=0.05, expected=0.9)
    # every wrong label sits on a wrong answer: the two agree in 95 % of rows, which the correction takes for 100 %
    assert choice.worst_bias == pytest.approx(0.1)
    low = label_choice(0.02, rate=0.05, expected=0.6, classes=4)
    moved = [(0.6 + d - 0.05 / 3) / (1 - 0.05 * 4 / 3) for d in (-0.05, 0.05)]
    assert low.worst_bias == pytest.approx(max(abs(value - 0.6) for value in moved))


def test_noise_of_a_small_set_is_checked_whole():
    assert noise_n(0.001, rate=0.5, population=50) == 50


def test_labels_by_simulation():
    choice = label_choice(0.03, rate=0.1, expected=0.9, classes=4)
    rng = np.random.default_rng(0)
    measured = rng.binomial(choice.cheap_n, choice.apparent, size=20_000) / choice.cheap_n
    recovered = (measured - 0.1 / 3) / (1 - 0.1 * 4 / 3)
    assert np.mean(recovered) == pytest.approx(0.9, abs=0.001)
    assert np.quantile(np.abs(recovered - 0.9), 0.95) == pytest.approx(0.03, rel=0.03)
    experts = rng.binomial(choice.expert_n, 0.9, size=20_000) / choice.expert_n
    assert np.quantile(np.abs(experts - 0.9), 0.95) == pytest.approx(0.03, rel=0.03)


def test_quantity_wins_below_the_break_even_price_only():
    choice = label_choice(0.02, rate=0.1)
    cheap, dear = choice.break_even * 0.99, choice.break_even * 1.01
    assert label_choice(0.02, rate=0.1, cheap_price=cheap).better == "cheap"
    assert label_choice(0.02, rate=0.1, cheap_price=dear).better == "expert"
    assert label_choice(0.02, rate=0.0).break_even == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: precision_n(0), "half-width"),
        (lambda: precision_n(0.6), "half-width"),
        (lambda: precision_n(0.1, expected=1.2), "expected"),
        (lambda: precision_n(0.1, expected=1, method="wald"), "no width"),
        (lambda: precision_n(0.1, assurance=1), "assurance"),
        (lambda: difference_n(0, disagreement=0.1), "not be 0"),
        (lambda: difference_n(0.2, disagreement=0.1), "disagreement"),
        (lambda: difference_n(0.1, disagreement=0.2, power=1), "power"),
        (lambda: noise_n(0.1, population=0), "population"),
        (lambda: noise_n(0.1, rate=0, method="wald"), "no width"),
        (lambda: label_choice(0.1, rate=0.5), "carry no information"),
        (lambda: label_choice(0.1, rate=0.1, classes=1), "two classes"),
        (lambda: label_choice(0.1, rate=0.1, expert_price=0), "Prices"),
        (lambda: smallest(lambda n: False), "Allow a wider interval"),
    ],
)
def test_nonsense_is_refused(call, message):
    with pytest.raises(OptionError, match=message):
        call()
