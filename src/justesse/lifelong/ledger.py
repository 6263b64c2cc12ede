"""What an expert's help costs: a list of charges that only grows, with a maximum that is never exceeded."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Literal

from justesse.core.errors import OptionError

ChargeKind = Literal["question", "correction", "round"]


@dataclass(frozen=True)
class Charge:
    """One entry of the ledger.

    Parameters
    ----------
    number
        Its place in the ledger, from 1.
    period
        Period in which it was made.
    kind
        A question of the system, a correction by the expert, or the fixed cost of an off-line round.
    id
        Item that it is about; `None` for a round.
    cost
        What it costs.
    spent
        What was spent up to here, this charge included.
    seconds
        Time that the expert takes, during which an on-line system cannot deliver.
    """

    number: int
    period: str
    kind: ChargeKind
    id: str | None
    cost: float
    spent: float
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the charge as plain data."""
        return asdict(self)


class Ledger:
    """Charges in the order in which they were made.

    Parameters
    ----------
    budget
        The most that may be spent. Default: no limit.
    answer_seconds
        Time that the expert takes for a question or a correction.

    >>> ledger = Ledger(1.0)
    >>> ledger.charge("question", 0.9, period="May", id="7").spent
    0.9
    >>> ledger.charge("question", 0.2, period="May", id="8") is None
    True
    >>> ledger.spent, ledger.left
    (0.9, 0.1)
    """

    def __init__(self, budget: float | None = None, *, answer_seconds: float = 0.0) -> None:
        if budget is not None and not (math.isfinite(budget) and budget >= 0):
            raise OptionError(f"budget (--budget) must be a number, 0 or more; got {budget!r}.")
        if not (math.isfinite(answer_seconds) and answer_seconds >= 0):
            raise OptionError(
                f"answer_seconds (--answer-seconds) must be a number of seconds, 0 or more; got {answer_seconds!r}."
            )
        self.budget = budget
        self.answer_seconds = answer_seconds
        self.charges: list[Charge] = []
        self._spent = Decimal(0)

    @property
    def spent(self) -> float:
        """What was spent."""
        return float(self._spent)

    @property
    def left(self) -> float | None:
        """What is left of the budget; `None` if there is no limit."""
        return None if self.budget is None else float(_exact(self.budget) - self._spent)

    def can_pay(self, cost: float) -> bool:
        """Say whether the budget covers one more charge."""
        return self.budget is None or self._spent + _exact(cost) <= _exact(self.budget)

    def most(self, prices: Iterable[float]) -> int:
        """Return how many of these questions the budget covers at most, the cheapest first.

        >>> Ledger(3).most([2.0, 1.0, 2.0]), Ledger().most([2.0, 1.0])
        (2, 2)
        """
        left = None if self.budget is None else _exact(self.budget) - self._spent
        many = 0
        for price in sorted(prices):
            if left is not None:
                left -= _exact(price)
                if left < 0:
                    break
            many += 1
        return many

    def charge(self, kind: ChargeKind, cost: float, *, period: str, id: str | None = None) -> Charge | None:
        """Add a charge and return it; `None`, and nothing is added, if the budget does not cover it."""
        if not 0 <= cost < math.inf:
            raise OptionError(f"A charge must be a finite number from 0 up; got {cost!r}.")
        if not self.can_pay(cost):
            return None
        self._spent += _exact(cost)
        seconds = 0.0 if kind == "round" else self.answer_seconds
        entry = Charge(len(self.charges) + 1, period, kind, id, cost, self.spent, seconds)
        self.charges.append(entry)
        return entry

    def __iter__(self) -> Iterator[Charge]:
        return iter(self.charges)

    def __len__(self) -> int:
        return len(self.charges)


def _exact(number: float) -> Decimal:
    """Return a number as it is written, so that ten charges of 0.1 are exactly 1."""
    return Decimal(repr(float(number)))
