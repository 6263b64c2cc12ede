"""What an on-line comparison decides and how: fixed before the first event."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.core.shares import share
from justesse.core.verdict import check_margin
from justesse.frames.columns import guess_column
from justesse.frames.event_rows import TrackedColumn
from justesse.frames.events import EventColumns
from justesse.judges.guardrails import Guardrail
from justesse.judges.online import OnlineRule

GUARDRAIL = re.compile(
    r"\s*(?P<name>.+?)\s*(?P<side>[<>])\s*(?P<limit>[-+.\de%]+)(?:\s+in\s+(?P<low>\S+?)\.\.(?P<high>\S+))?\s*"
)


@dataclass(frozen=True)
class OnlinePlan:
    """Columns, roles and rules of a comparison."""

    variant: str | None
    outcome: str | None
    id: str | None
    time: str | None
    incumbent: str | None
    candidate: tuple[str, ...] | None
    ends: tuple[float, float]
    rule: OnlineRule
    lower_is_better: bool
    ratio: str | Sequence[float] | None
    guardrails: tuple[Guardrail, ...]
    proxy: str | None

    @classmethod
    def of(cls, **options: Any) -> "OnlinePlan":
        """Read and check options of `ab`."""
        low, high = read_range(options["outcome_range"])
        check_online(options["margin"], options["missing"], options["noise_rate"], options["method"])
        check_level(options["level"])
        if options["margin"] >= high - low:
            raise OptionError(
                f"No difference of outcomes from {low:g} to {high:g} can be larger than the margin {options['margin']:g}. A "
                f"margin is in the unit of the outcomes: {(high - low) / 100:g} is one hundredth of their range."
            )
        rule = OnlineRule(
            options["level"], options["margin"] / (high - low), options["method"], options["missing"],
            options["noise_rate"], steady=options["steady"],
        )  # fmt: skip
        candidate, proxy = options["candidate"], options["proxy"]
        if proxy is not None and rule.missing != "refuse":
            raise OptionError(
                "With proxy=… (--proxy), open outcomes are always taken as missing at random. Leave out missing=… (--missing)."
            )
        return cls(
            options["variant"], options["outcome"], options["id"], options["time"], options["incumbent"],
            None if candidate is None else (candidate,) if isinstance(candidate, str) else tuple(candidate),
            (low, high), rule, options["lower_is_better"], options["ratio"],
            read_guardrails(options["guardrail"]), proxy,
        )  # fmt: skip

    def columns(self, known: Sequence[str], where: str) -> EventColumns:
        """Find the columns in a table with these names."""
        variant, outcome = (
            guess_column(part, known, where, name)
            for part, name in (("variant", self.variant), ("outcome", self.outcome))
        )
        tracked = [
            TrackedColumn(guard.name, guard.low, guard.high, self.rule.missing == "refuse")
            for guard in self.guardrails
            if guard.name != outcome
        ]
        if self.proxy is not None:
            tracked.append(TrackedColumn(self.proxy, *self.ends))
        named = [name for name in (variant, outcome, self.id, self.time, self.proxy) if name is not None]
        twice = [name for at, name in enumerate(named) if name in named[:at]]
        if twice:
            roles = "the variant and the outcome" if twice[0] == variant == outcome else "two things"
            raise OptionError(f"Column {twice[0]!r} cannot be both {roles}. Name another column.")
        return EventColumns(
            variant,
            outcome,
            self.id,
            self.time,
            *self.ends,
            self.rule.missing != "refuse" or self.proxy is not None,
            tuple({column.name: column for column in tracked}.values()),
            self.proxy,
            self.rule.missing == "random",
        )


def read_guardrails(words: str | Sequence[str] | None) -> tuple[Guardrail, ...]:
    """Read what must stay true of the difference, candidate minus incumbent.

    >>> [str(guardrail) for guardrail in read_guardrails(["complaint<1%", "latency < 20 in 0..500"])]
    ['complaint<0.01', 'latency<20']
    """
    guardrails = [_guardrail(word) for word in ([words] if isinstance(words, str) else words or ())]
    ranges: dict[str, tuple[float, float]] = {}
    for guard in guardrails:
        if ranges.setdefault(guard.name, (guard.low, guard.high)) != (guard.low, guard.high):
            raise OptionError(f"Guardrails of {guard.name!r} have two different ranges. State the same range in each.")
    return tuple(dict.fromkeys(guardrails))


def _guardrail(word: str) -> Guardrail:
    parts = GUARDRAIL.fullmatch(word) if isinstance(word, str) else None
    try:
        if parts is None:
            raise ValueError
        limit = parts["limit"]
        low, high = float(parts["low"] or 0), float(parts["high"] or 1)
        value = share(limit, "it") if limit.endswith("%") else float(limit)
        if not (np.isfinite([low, high, value, high - low]).all() and low < high):
            raise ValueError
    except (ValueError, OptionError):
        raise OptionError(
            f"A guardrail says what must hold for the candidate's mean minus the incumbent's, such as 'complaint<0.01', "
            f"'outcome>-0.02' or 'latency<20 in 0..500'; got {word!r}."
        ) from None
    below = parts["side"] == "<"
    if (value < 0) == below and value != 0:
        raise OptionError(
            f"Guardrail {word!r} would be broken by two equal variants. Write NAME<LIMIT with a limit of 0 or more, or "
            "NAME>LIMIT with a limit of 0 or less."
        )
    if abs(value) >= high - low:
        raise OptionError(
            f"Guardrail {word!r} can never be broken: numbers lie between {low:g} and {high:g}. State their range, such as "
            f"'{parts['name']}{parts['side']}{limit} in 0..500'."
        )
    return Guardrail(parts["name"], below, value, low, high)


def read_range(outcome_range: str | Sequence[float]) -> tuple[float, float]:
    """Read the smallest and largest outcome.

    >>> read_range("0,100")
    (0.0, 100.0)
    """
    parts = outcome_range.split(",") if isinstance(outcome_range, str) else list(outcome_range)
    try:
        numbers = [float(part) for part in parts]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 2 or not np.isfinite(numbers).all() or numbers[0] >= numbers[1]:
        raise OptionError(
            f"The range of outcomes is the smallest and the largest one, such as 0,1 or 0,100; got {outcome_range!r}."
        )
    if not np.isfinite(numbers[1] - numbers[0]):
        raise OptionError(f"The range of outcomes is too wide to compute with; got {outcome_range!r}. Narrow it.")
    return numbers[0], numbers[1]


def read_ratio(ratio: str | Sequence[float] | None, variants: int) -> list[float]:
    """Read the planned traffic as shares.

    >>> read_ratio("9:1", 2)
    [0.9, 0.1]
    """
    parts = [1.0] * variants if ratio is None else ratio.split(":") if isinstance(ratio, str) else list(ratio)
    try:
        numbers = [float(part) for part in parts]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != variants or not np.isfinite(numbers).all() or min(numbers, default=0) <= 0:
        raise OptionError(
            f"The planned traffic needs a number above 0 for each of the {variants} variants, the incumbent first, such as "
            f"{':'.join(['1'] * variants)}; got {ratio!r}."
        )
    return [number / sum(numbers) for number in numbers]


def check_online(margin: float, missing: str, noise_rate: float, method: str) -> None:
    """Refuse options that cannot be meant."""
    check_margin(margin)
    if missing not in get_args(OpenOutcomes):
        raise OptionError(f"missing must be one of {', '.join(get_args(OpenOutcomes))}; got {missing!r}.")
    if method not in get_args(OnlineMethod):
        raise OptionError(f"method must be one of {', '.join(get_args(OnlineMethod))}; got {method!r}.")
    if not 0 <= noise_rate < 1:
        raise OptionError(f"The share of wrong outcomes must be 0 or more and below 1; got {noise_rate!r}.")
