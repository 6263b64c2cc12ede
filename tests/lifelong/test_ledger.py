"""The ledger: what is charged is kept, and the budget is never exceeded."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import OptionError
from justesse.lifelong.ledger import Ledger

COSTS = st.lists(st.integers(0, 300).map(lambda cents: cents / 100), max_size=40)


@given(COSTS, st.integers(0, 2000).map(lambda cents: cents / 100))
def test_the_budget_is_never_exceeded_and_every_affordable_charge_is_made(costs, budget):
    ledger, exact = Ledger(budget), Fraction(0)
    for cost in costs:
        entry = ledger.charge("question", cost, period="p", id="i")
        price = Fraction(str(cost))
        assert (entry is not None) == (exact + price <= Fraction(str(budget)))
        exact += price if entry is not None else 0
        assert ledger.spent <= budget
    assert ledger.spent == pytest.approx(float(exact), abs=0)
    assert [entry.number for entry in ledger] == list(range(1, len(ledger) + 1))


def test_ten_charges_of_a_tenth_are_one():
    ledger = Ledger(1.0)
    assert all(ledger.charge("question", 0.1, period="p", id=str(at)) for at in range(10))
    assert (ledger.spent, ledger.left) == (1.0, 0.0)
    assert ledger.charge("question", 0.1, period="p", id="11") is None


@given(COSTS, st.integers(0, 50))
def test_most_is_what_a_greedy_buyer_gets(prices, budget):
    ledger = Ledger(budget)
    bought = sum(ledger.charge("question", price, period="p") is not None for price in sorted(prices))
    assert Ledger(budget).most(prices) == bought


@pytest.mark.parametrize("budget", [-1, float("nan"), float("inf")])
def test_a_budget_is_a_number_from_0_up(budget):
    with pytest.raises(OptionError, match="budget"):
        Ledger(budget)


def test_the_expert_needs_time_for_answers_but_not_for_rounds():
    ledger = Ledger(answer_seconds=30)
    assert ledger.charge("question", 1, period="p", id="1").seconds == 30
    assert ledger.charge("round", 5, period="p").seconds == 0


@pytest.mark.parametrize("cost", [-5.0, float("nan"), float("inf")])
def test_a_charge_is_a_finite_number_from_0_up(cost):
    ledger = Ledger(1.0)
    with pytest.raises(OptionError, match="finite number from 0 up"):
        ledger.charge("question", cost, period="1")
    assert ledger.left == 1.0
