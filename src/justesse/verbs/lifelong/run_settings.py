"""What a run depends on besides its data."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from justesse.core.choices import AdaptationMode, Learning, PenaltyScore


@dataclass(frozen=True)
class RunSettings:
    """What a run depends on besides its data."""

    name: str
    mode: AdaptationMode
    learning: Learning
    expert: str
    budget: float | None
    cost: float
    round_cost: float
    answer_seconds: float
    restarts: bool
    restart_budget: float | None
    period: str | None
    initial: int
    test_share: float
    seed: int
    score: PenaltyScore = "error"
    collar: float = 0.0
    skip_overlap: bool = False
    stretch: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    def kept(self) -> dict[str, Any]:
        """Return what a run file keeps: files made before there were other scores lack their options."""
        later = {field.name: field.default for field in fields(self) if field.name in LATER}
        return {name: value for name, value in asdict(self).items() if name not in later or value != later[name]}


LATER = ("score", "collar", "skip_overlap", "stretch")
