"""The images as features, and what people called them."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from justesse.core.coded import coded
from studies.data import data_file
from studies.realism.images import CLASSES, images
from studies.realism.kinds import People
from studies.realism.patches import features
from studies.realism.settings import Settings

Array = NDArray[Any]
AGGREGATE, PERSON, WORST = "majority of three", "one person", "worst of three"
COLUMNS = {AGGREGATE: "aggre", PERSON: "random1", WORST: "worse"}


def read(settings: Settings, folder: Path) -> tuple[Array, People]:
    """Give features and labels of the same images, after checking that they are the same."""
    table = pq.read_table(data_file(settings.labels))

    def column(name: str) -> Array:
        return coded(table[name].to_numpy(), CLASSES)[0][: settings.images]

    pixels, said = images(settings, folder)
    true = column("clean")
    assert np.array_equal(said, true), "the images are not in the order of the labels"
    people = People(true, {whose: column(name) for whose, name in COLUMNS.items()}, PERSON, column("random2"))
    return features(pixels, settings, folder), people
