"""What the study is asked to do, and where it keeps what took long to make."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

CONFIG = Path(__file__).parent / "config.toml"


@dataclass(frozen=True)
class Settings:
    """What `config.toml` says."""

    data: Literal["fashion-mnist", "digits"]
    per_class: int
    components: int
    test_share: float
    annotators: int
    train_rates: tuple[float, ...]
    test_rates: tuple[float, ...]
    models: int
    floor: float
    proximity: float
    chosen: int
    variety_rate: float
    table_rate: float
    level: float
    pc: float
    budget: int
    draws: int
    cleanings: int
    choices: int
    seed: int

    @classmethod
    def read(cls) -> "Settings":
        said: dict[str, Any] = tomllib.loads(CONFIG.read_text())
        said |= {name: tuple(said[name]) for name in ("train_rates", "test_rates")}
        return cls(**said)


def default_cache() -> Path:
    """The folder that JUSTESSE_CACHE names, or build/."""
    return Path(os.environ.get("JUSTESSE_CACHE", "build")) / "thesis_judges"
