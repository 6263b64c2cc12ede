"""How much each period of time matters to a user: the policy P of a lifelong evaluation."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError
from justesse.core.first_names import first_names


class NoWeightError(OptionError):
    """A policy gives weight 0 to all periods that it is asked about."""


WeightFunction = Callable[[FloatArray, float], ArrayLike]
PolicyName = Literal["recent", "uniform", "past", "cyclic", "window", "table", "function"]
WORDS = {
    "recent": "Recent periods matter most: each counts twice as much as the one before.",
    "uniform": "All periods matter equally.",
    "past": "Old periods matter most: each counts half as much as the one before.",
    "cyclic": "Periods at the same point of a cycle of {} periods as the last one matter most.",
    "window": "Only the last {} periods matter, all equally.",
    "table": "Each period has the weight that the table gives it.",
    "function": "The weights come from a function.",
}
HALF_LIVES = {
    "recent": "Recent periods matter most: a weight halves for every {} units of time (days, for dates) back.",
    "past": "Old periods matter most: a weight halves for every {} units of time (days, for dates) on.",
}
WRITTEN = re.compile(r"(recent|uniform|past|cyclic|window)(?::([0-9.]+))?")


@dataclass(frozen=True)
class Policy:
    """Weights of periods of time.

    Parameters
    ----------
    name
        Which kind of policy.
    length
        Periods of a cycle (`cyclic`) or of the window (`window`).
    half_life
        Time after which a weight has halved (`recent`) or doubled (`past`), in the unit of the times. Default: one
        period.
    table
        Weight of each period by name (`table`).
    function
        Function of the times of the periods and the time of the last one that returns the weights (`function`). Dates
        are days since 1970.

    >>> Policy("recent").weights(["a", "b", "c"]).round(3).tolist()
    [0.143, 0.286, 0.571]
    >>> Policy("window", length=2).weights(["a", "b", "c"]).tolist()
    [0.0, 0.5, 0.5]
    """

    name: PolicyName
    length: float | None = None
    half_life: float | None = None
    table: Mapping[str, float] = field(default_factory=dict)
    function: WeightFunction | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.name not in WORDS:
            raise OptionError(f"A policy is one of {', '.join(WORDS)}; got {self.name!r}.")
        if self.name in ("cyclic", "window"):
            least = 2 if self.name == "cyclic" else 1
            if self.length is None or not self.length >= least:
                raise OptionError(
                    f"The policy {self.name} needs a number of periods, at least {least}, such as {self.name}:4; got "
                    f"{'none' if self.length is None else f'{self.length:g}'}."
                )
            if self.name == "window" and self.length != int(self.length):
                raise OptionError(
                    f"The policy window needs a whole number of periods, such as window:{int(self.length) + 1}; got "
                    f"{self.length:g}."
                )
        elif self.length is not None:
            raise OptionError(f"The policy {self.name} takes no number of periods; got {self.length:g}.")
        if self.half_life is not None and (self.name not in ("recent", "past") or not self.half_life > 0):
            raise OptionError(
                f"A half-life is a time above 0 and belongs to the policies recent and past; got {self.half_life:g} "
                f"for {self.name}."
            )
        for period, weight in self.table.items():
            if not (np.isfinite(weight) and weight >= 0):
                raise OptionError(f"Weights must be 0 or more; period {period!r} has {weight!r}.")

    @classmethod
    def parse(cls, text: str, *, half_life: float | None = None) -> "Policy":
        """Read a policy as it is typed: recent, uniform, past, cyclic:12, window:3.

        >>> Policy.parse("window:3").length
        3.0
        """
        match = WRITTEN.fullmatch(text.strip().lower())
        if not match:
            raise OptionError(
                f"A policy is recent, uniform, past, cyclic:12 (periods of a cycle) or window:3 (periods that count); "
                f"got {text!r}. For other weights, name a CSV with the columns period and weight."
            )
        name, length = match.groups()
        return cls(name, None if length is None else float(length), half_life)  # type: ignore[arg-type]

    @property
    def words(self) -> str:
        """The policy in a sentence."""
        if self.half_life is not None:
            return HALF_LIVES[self.name].format(f"{self.half_life:g}")
        if self.name == "window" and self.length == 1:
            return "Only the last period matters."
        return WORDS[self.name].format("" if self.length is None else f"{self.length:g}")

    @property
    def needs_times(self) -> bool:
        """Whether real times matter, not only the order of the periods."""
        return self.half_life is not None or self.name == "function"

    def weights(self, periods: Sequence[str], times: ArrayLike | None = None) -> FloatArray:
        """Return the weights of these periods, which add up to 1.

        Parameters
        ----------
        periods
            Names of the periods seen, in the order of time.
        times
            Their times as numbers, such as days. Default: 0, 1, 2, ...

        Notes
        -----
        recent: 2^(t_j/h); past: 2^(-t_j/h), with half-life h; cyclic: (1 + cos(2π(t_j - t_last)/c))/2.
        """
        at = np.arange(len(periods), dtype=float) if times is None else np.asarray(times, dtype=float)
        if not len(at):
            return at
        raw = np.asarray(self._raw(periods, at), dtype=float)
        if raw.shape != at.shape or not np.isfinite(raw).all() or (raw < 0).any():
            raise OptionError(f"A policy must give each of the {len(at)} periods a weight of 0 or more; got {raw}.")
        if not raw.max() > 0:
            raise NoWeightError(
                f"The policy {self.name} gives weight 0 to all periods seen ({first_names(periods)}). Give at least "
                "one of them a weight."
            )
        shares = raw / raw.max()  # so that the sum of huge weights stays a number
        return np.asarray(shares / shares.sum())

    def _raw(self, periods: Sequence[str], at: FloatArray) -> ArrayLike:
        if self.name in ("recent", "past"):
            sign = 1.0 if self.name == "recent" else -1.0
            steps = sign * at / (self.half_life or 1.0)
            return np.asarray(np.exp2(steps - steps.max()))
        if self.name == "uniform":
            return np.ones_like(at)
        if self.name == "cyclic":
            assert self.length is not None
            return np.asarray((1 + np.cos(2 * np.pi * (at - at[-1]) / self.length)) / 2)
        if self.name == "window":
            assert self.length is not None
            return (np.arange(len(at)) >= len(at) - self.length).astype(float)
        if self.name == "function":
            if self.function is None:
                raise OptionError("The policy function needs a function of the times and the last time.")
            return self.function(at, float(at[-1]))
        absent = [name for name in periods if name not in self.table]
        if absent:
            raise OptionError(
                f"The table of the policy has no weight for period {absent[0]!r}. Add a row for it; 0 leaves it out."
            )
        return np.array([self.table[name] for name in periods], dtype=float)
