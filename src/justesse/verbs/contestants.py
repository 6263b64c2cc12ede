"""The judges of a tournament, each with its settings."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from justesse.core.errors import OptionError
from justesse.core.field import Field
from justesse.frames.entrants import Entrants
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity
from justesse.judges.tournament import DECIDE
from justesse.noise.models import check_rate
from justesse.verbs.label_versions import LabelVersion

Array = NDArray[Any]
JUDGES = tuple(name for name in DECIDE if name != "reference")


@dataclass(frozen=True)
class Settings:
    """What the judges are told: see `tournament`."""

    rate: float | None = None
    pc: float = 0.1
    hard_by: str | Sequence[str] | None = None
    cleaning: Sequence[Sequence[float]] = ()
    budget: int = 200
    expert_error: float = 0.0

    def __post_init__(self) -> None:
        if self.rate is not None:
            check_rate(self.rate)


@dataclass(frozen=True)
class Contestant:
    """A judge as it is shown, and its settings."""

    name: str
    judge: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def decide(
        self, field: Field, rule: Rule, version: LabelVersion, entrants: Entrants, asked: Quantity
    ) -> tuple[Array, Array | None]:
        """Say for every ordered pair whether the candidate replaces, and how many answers of an expert that took."""
        return DECIDE[self.judge](field, rule), None


def contestants(judges: str | Sequence[str], settings: Settings, *, with_difficulty: bool) -> list[Contestant]:
    """Find the judges by their names; `all` is every one of them."""
    wanted = [judges] if isinstance(judges, str) else list(judges)
    if not wanted:
        raise OptionError(f"at least one judge is needed: all, or some of {', '.join(JUDGES)}; got none")
    found = []
    for name in JUDGES if "all" in wanted else dict.fromkeys(name.replace("-", "_") for name in wanted):
        if name not in JUDGES:
            near = difflib.get_close_matches(name, JUDGES, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]!r}? There are" if near else "there are"
            raise OptionError(f"there is no judge {name!r}; {hint} {', '.join(JUDGES)}, and all")
        found.append(Contestant(name, name))
    return found
