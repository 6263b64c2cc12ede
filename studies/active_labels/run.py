"""Draw rows to label at random and actively, and compare the widths of the intervals of accuracy.

The classifier is the network whose probabilities are known, the truth the majority of about 51 people. Pseudo-labels are the
predictions of another network, the official labels, or the classifier's own predictions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from justesse.core.arrays import Array
from justesse.core.results import ClassName, Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.planning.active import active_design
from justesse.measures import accuracy
from justesse.noise.recheck import recheck
from justesse.noise.sample_design import SampleDesign

PSEUDO = {"its own predictions": "", "random_features_32k_no_aug": "random_features_32k_no_aug",
          "vgg16_keras": "vgg16_keras", "official labels": "label"}  # fmt: skip
LABELS, DRAWS = (300, 1000), 100
WAYS = ("random sample alone", "random sample and pseudo-labels", "drawn actively")


@dataclass(frozen=True, eq=False)
class Images:
    """Codes of the true classes, predictions and pseudo-labels, and the probabilities of the classifier."""

    names: list[str]
    true: Array
    predicted: Array
    pseudo: dict[str, Array]
    probabilities: Array

    @classmethod
    def read(cls, folder: Path) -> "Images":
        answers = pq.read_table(folder / "predictions.parquet").to_pydict()
        table = pq.read_table(folder / "probabilities.parquet")
        names = [name for name in table.column_names if name != "id"]
        probabilities = np.stack([table[name].to_numpy() for name in names], axis=1)
        code = {name: at for at, name in enumerate(names)}
        predicted = probabilities.argmax(1)
        pseudo = {
            name: np.array([code[answer] for answer in answers[column]]) if column else predicted
            for name, column in PSEUDO.items()
        }
        return cls(names, np.array([code[answer] for answer in answers["true"]]), predicted, pseudo, probabilities)


@dataclass(frozen=True)
class Measured:
    """Mean width of the intervals of one way to draw, and how often they held the truth."""

    pseudo: str
    labels: int
    way: str
    width: float
    covered: int
    draws: int


def measured(images: Images, *, draws: int = DRAWS, labels: tuple[int, ...] = LABELS) -> Iterator[Measured]:
    """Yield the widths for each kind of pseudo-labels and number of labels."""
    truth = float(np.mean(images.predicted == images.true))
    for name, pseudo in images.pseudo.items():
        for n in labels:
            seen: dict[str, list[Interval]] = {way: [] for way in WAYS}
            for draw in range(draws):
                for way, interval in _intervals(images, pseudo, n, draw):
                    seen[way].append(interval)
            for way, ends in seen.items():
                width = float(np.mean([end.high - end.low for end in ends]))
                yield Measured(name, n, way, width, sum(end.low <= truth <= end.high for end in ends), draws)


def _intervals(images: Images, pseudo: Array, n: int, draw: int) -> Iterator[tuple[str, Interval]]:
    predicted, rows = images.predicted, len(images.predicted)
    whole = _tally(images, np.arange(rows), {"label": pseudo, "prediction": predicted})
    axes = {"true": images.true, "label": pseudo, "prediction": predicted}
    picked = stream(draw, "random sample", str(n)).choice(rows, n, replace=False)
    rung = recheck(whole, _tally(images, picked, axes), [accuracy], about="rows")
    interval = rung.figures[0].interval
    assert rung.powered is not None
    assert interval is not None
    yield WAYS[0], rung.powered.alone
    yield WAYS[1], interval
    sure = images.probabilities[np.arange(rows), predicted]
    design = active_design(np.where(pseudo == predicted, 1 - sure, sure), n, kinds=pseudo == predicted, seed=draw)
    strata = SampleDesign(tuple(range(len(design.sizes))), tuple(design.sizes.tolist()))
    sample = _tally(images, design.drawn, axes, design.stratum)
    interval = recheck(whole, sample, [accuracy], about="rows", design=strata).figures[0].interval
    assert interval is not None
    yield WAYS[2], interval


def _tally(images: Images, picked: Array, axes: dict[str, Array], stratum: Array | None = None) -> Tally:
    coded: list[tuple[Array, Sequence[ClassName]]] = [(values[picked], images.names) for values in axes.values()]
    names = list(axes)
    if stratum is not None:
        coded.append((stratum[picked], list(range(int(stratum.max()) + 1))))
        names.append("stratum")
    return Tally.from_codes(names, coded, np.ones(len(picked), dtype=int))
