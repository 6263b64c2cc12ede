"""What the study is asked to do, and what the networks answered."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from studies.data import data_file

CONFIG = Path(__file__).parent / "config.toml"
NOT_NETWORKS = ("id", "label", "true", "true_share")
Array = NDArray[Any]


@dataclass(frozen=True)
class Settings:
    """What `config.toml` says."""

    data: str
    incumbent: str
    level: float
    margin: float
    gain: float
    draws: int
    seed: int

    @classmethod
    def read(cls) -> "Settings":
        return cls(**tomllib.loads(CONFIG.read_text()))

    @property
    def path(self) -> Path:
        return data_file(self.data)


@dataclass(frozen=True)
class Answers:
    """Labels, true classes and one row of answers per network, as codes of the classes."""

    networks: list[str]
    label: Array
    true: Array
    given: Array

    @classmethod
    def read(cls, path: Path) -> "Answers":
        table = pq.read_table(path)
        networks = [name for name in table.column_names if name not in NOT_NETWORKS]
        columns = [table[name].to_numpy() for name in ("label", "true", *networks)]
        _, codes = np.unique(np.concatenate(columns), return_inverse=True)
        label, true, *given = codes.reshape(len(columns), -1)
        return cls(networks, label, true, np.array(given))
