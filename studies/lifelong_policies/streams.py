"""The two dated data sets, cut into blocks of 118 days: the first 82 days of each to train, the others to test."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from justesse.core.arrays import Array
from studies.data import data_file

BLOCK, TRAINING = 118, 82


@dataclass(frozen=True, eq=False)
class Stream:
    """Items in the order of time, in whole blocks.

    Parameters
    ----------
    name
        Name of the data.
    day
        Day of each item, from 0.
    features, label
        What a system sees of each item, and its class.
    budget
        Labels that the active system may ask for in each block.
    """

    name: str
    day: Array
    features: Array
    label: Array
    budget: int

    @classmethod
    def cut(cls, name: str, day: Array, features: Array, label: Array, *, budget: int) -> "Stream":
        """Leave out the days after the last whole block."""
        whole = day < (int(day.max()) + 1) // BLOCK * BLOCK
        return cls(name, day[whole], features[whole], label[whole], budget)

    @property
    def blocks(self) -> int:
        return int(self.day.max()) // BLOCK + 1

    @property
    def tests(self) -> Array:
        """Places of the test items."""
        return np.flatnonzero(self.day % BLOCK >= TRAINING)

    def training(self, block: int) -> Array:
        """Places of the training items of one block."""
        return np.flatnonzero((self.day // BLOCK == block) & (self.day % BLOCK < TRAINING))


def electricity() -> Stream:
    """Read half hours of the electricity market of New South Wales: did the price rise?"""
    rows = pd.read_csv(data_file("lifelong/elec2_dated.csv.gz"))
    features = rows[["period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"]].to_numpy()
    label = rows["up"].map({0: "down", 1: "up"}).to_numpy()
    return Stream.cut("electricity", rows["day_index"].to_numpy(), features, label, budget=200)


def weather() -> Stream:
    """Read days in Seattle: what was the weather, given rain, temperatures and wind?"""
    rows = pd.read_csv(data_file("lifelong/seattle-weather.csv"))
    features = rows[["precipitation", "temp_max", "temp_min", "wind"]].to_numpy()
    return Stream.cut("weather", np.arange(len(rows)), features, rows["weather"].to_numpy(), budget=20)
