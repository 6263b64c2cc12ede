"""What `config.toml` says, and where large things are kept."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

CONFIG = Path(__file__).parent / "config.toml"


@dataclass(frozen=True)
class Settings:
    """What the study is asked to do."""

    labels: str
    package: str
    sha256: str
    images: int
    centres: int
    features: int
    annotators: int
    models: int
    widths: list[int]
    learners: list[str]
    test_share: float
    repeats: int
    seed: int

    @classmethod
    def read(cls) -> "Settings":
        return cls(**tomllib.loads(CONFIG.read_text()))


def cache() -> Path:
    """Give the folder for images and finished parts: JUSTESSE_CACHE, or one in the home folder."""
    folder = Path(os.environ.get("JUSTESSE_CACHE") or Path.home() / ".cache" / "justesse") / "realism"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
