"""The images: what they show, what people and networks call them, and what the study is asked to do with them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from justesse import Tally
from justesse.core.seeds import stream
from studies.cifar10_networks.answers import Answers
from studies.data import data_file

CONFIG = Path(__file__).parent / "config.toml"
Array = NDArray[Any]


@dataclass(frozen=True)
class Settings:
    """What `config.toml` says."""

    predictions: str
    votes: str
    draws: int
    rechecked: int
    repetitions: int
    watched: list[str]
    claim: str
    seed: int

    @classmethod
    def read(cls) -> "Settings":
        return cls(**tomllib.loads(CONFIG.read_text()))


@dataclass(frozen=True)
class Images:
    """Labels, true classes and answers as codes of the classes, and the votes of people by image and class."""

    classes: tuple[str, ...]
    networks: tuple[str, ...]
    official: Array
    true: Array
    given: Array
    votes: Array

    @classmethod
    def read(cls, predictions: str, votes: str) -> "Images":
        answers, table = Answers.read(data_file(predictions)), pq.read_table(data_file(votes))
        classes = tuple(sorted(name for name in table.column_names if name != "id"))
        counts = np.stack([table[name].to_numpy() for name in classes], axis=1)
        assert np.array_equal(counts.max(axis=1), counts[np.arange(len(counts)), answers.true]), "votes of other images"
        return cls(classes, tuple(answers.networks), answers.label, answers.true, answers.given, counts)

    def one_vote(self, seed: int) -> Array:
        """Draw the vote of one person for each image."""
        up_to = np.cumsum(self.votes, axis=1)
        drawn = stream(seed, "one-vote").random(len(up_to)) * up_to[:, -1]
        return np.asarray((drawn[:, None] >= up_to).sum(axis=1))

    def tally(self, label: Array, network: str) -> Tally:
        """Count true × label × prediction."""
        codes = (self.true, label, self.given[self.networks.index(network)])
        columns = [(one, self.classes) for one in codes]
        ones = np.ones(len(label), dtype=np.int64)
        return Tally.from_codes(("true", "label", "prediction"), columns, ones, classes=self.classes)
