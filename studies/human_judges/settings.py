"""What the study is asked to do."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

CONFIG = Path(__file__).parent / "config.toml"


@dataclass(frozen=True)
class Settings:
    """What `config.toml` says."""

    predictions: str
    votes: str
    draws: int
    rates: list[float]
    level: float
    pc: float
    risks: list[float]
    budget: int
    clear: float
    seed: int

    @classmethod
    def read(cls) -> "Settings":
        return cls(**tomllib.loads(CONFIG.read_text()))
