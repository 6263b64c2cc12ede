"""Forgetting and transfer of systems that keep learning: every version tested on the same items of every period."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.seeds import stream
from justesse.lifelong.item_patterns import ItemPatterns
from justesse.lifelong.periods import block_length
from justesse.lifelong.score_matrix import TimeBlocks
from justesse.lifelong.transfer import transfer_figures
from justesse.lifelong.transfer_intervals import transfer_intervals
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

# what is measured: figure and source
MEASURED = {
    "forgetting (Avalanche)": ("forgetting", "Avalanche"),
    "forgetting (Chaudhry, a mean of maxima)": ("forgetting", "Chaudhry et al. (2018)"),
    "backward transfer (Díaz-Rodríguez)": ("backward transfer", "Díaz-Rodríguez et al. (2018), Continuum, CapyMOA"),
    "final accuracy (GEM)": ("final accuracy", "GEM (Lopez-Paz and Ranzato 2017)"),
    "accuracy (Díaz-Rodríguez)": ("accuracy", "Díaz-Rodríguez et al. (2018), Continuum"),
    "forward transfer (GEM)": ("forward transfer", "GEM, paper"),
    "intransigence (Chaudhry, mean over periods)": ("intransigence", "Chaudhry et al. (2018), mean over periods"),
}
METHODS = {"forgetting (Chaudhry, a mean of maxima)": "best-of-versions"}
LONGER = "longer periods with more blocks of time, or items known by their id (--on)"


@dataclass(frozen=True)
class Versions:
    """Versions tested on the same items: error rates, days of a period, items of a day, and how alike errors are."""

    rates: tuple[tuple[float, ...], ...]  # versions down, periods across
    days: int
    size: int
    same_item: float = 0.0  # latent correlation of the errors of two versions on one item
    same_day: float = 0.0  # latent correlation of the errors on two items of a day
    with_ids: bool = True
    start: float = 0.5
    joint: float = 0.1

    @property
    def all_rates(self) -> FloatArray:
        """Error rates of the versions and, below them, of the untrained and the jointly trained reference."""
        size = len(self.rates)
        return np.vstack([np.asarray(self.rates), np.full(size, self.start), np.full(size, self.joint)])

    @property
    def n(self) -> int:
        return len(self.rates) * self.days * self.size

    def errors(self, rng: np.random.Generator) -> Array:
        """Draw what is wrong: rows of versions and references, periods, days, items."""
        from scipy.special import ndtri

        rates = self.all_rates
        shape = (rates.shape[1], self.days, self.size)
        day, item = rng.normal(size=(*shape[:2], 1)), rng.normal(size=shape)
        own = rng.normal(size=(len(rates), *shape))
        rest = 1 - self.same_item - self.same_day
        latent = np.sqrt(self.same_day) * day + np.sqrt(self.same_item) * item + np.sqrt(rest) * own
        return np.asarray(latent < ndtri(rates)[:, :, None, None])


def transfers(drawn: Versions, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Compute all figures, again and again."""
    rng, size = stream(seed, "transfer"), len(drawn.rates)
    truth = {
        (figure.name, figure.source): figure.value
        for figure in transfer_figures(
            1 - np.asarray(drawn.rates), start=np.full(size, 1 - drawn.start), joint=np.full(size, 1 - drawn.joint)
        )
    }
    starts = np.arange(0, drawn.days, block_length(drawn.days))
    lengths = np.diff([*starts, drawn.days]) * float(drawn.size)
    period = np.repeat(np.arange(size), len(starts))
    sizes = np.tile(lengths, (size + 2, size)).reshape(size + 2, -1)
    intervals: dict[str, list[object]] = {name: [] for name in MEASURED}
    for _ in range(repetitions):
        wrong = drawn.errors(rng)
        totals = np.add.reduceat(wrong.sum(axis=-1), starts, axis=-1).reshape(size + 2, -1).astype(float)
        scores = 1 - wrong.mean(axis=(2, 3))
        items = None
        if drawn.with_ids and drawn.days == 1:
            answers = wrong.astype(np.int64).reshape(size + 2, -1).T
            of_item = np.repeat(np.arange(size), drawn.size)
            items = ItemPatterns.of_items(of_item, np.zeros_like(of_item), answers, classes=2, periods=size)
        figures = transfer_intervals(
            transfer_figures(scores[:size], start=scores[size], joint=scores[size + 1]),
            TimeBlocks(period, totals, sizes),
            items=items,
            references={"start": size, "joint": size + 1},
        )
        by_name = {(figure.name, figure.source): figure.interval for figure in figures}
        for name, key in MEASURED.items():
            intervals[name].append(by_name[key])
    return {name: covered(made, truth[MEASURED[name]]) for name, made in intervals.items()}  # type: ignore[arg-type]


FORGETS = ((0.10, 0.30, 0.35, 0.40), (0.15, 0.12, 0.30, 0.35), (0.20, 0.15, 0.10, 0.30), (0.30, 0.20, 0.15, 0.10))
LEVEL = ((0.2,) * 4,) * 4
RARE = ((0.03, 0.05, 0.05, 0.05), (0.03, 0.03, 0.05, 0.05), (0.03, 0.03, 0.03, 0.05), (0.03, 0.03, 0.03, 0.03))
DRAWN = {
    "four versions that forget, periods of 30 days, 10 items a day, same items (0.5)": Versions(FORGETS, 30, 10, 0.5),
    "four versions that forget, periods of 30 days, 10 items a day, same items (0.5), days alike (0.1)": Versions(
        FORGETS, 30, 10, 0.5, 0.1
    ),
    f"{ADVERSARIAL}four versions, all equal, periods of 30 days, 10 items a day, independent": Versions(LEVEL, 30, 10),
    f"{ADVERSARIAL}six versions, all equal, one block of 100 items a period, independent": Versions(
        ((0.2,) * 6,) * 6, 1, 100
    ),
    "four versions, few errors, one block of 100 items a period, same items (0.8), with ids": Versions(
        RARE, 1, 100, 0.8
    ),
    "four versions that forget, one block of 100 items a period, without ids, independent": Versions(
        FORGETS, 1, 100, with_ids=False
    ),
    f"{ADVERSARIAL}four versions that forget, one block of 100 items a period, same items (0.5), without ids": Versions(
        FORGETS, 1, 100, 0.5, with_ids=False
    ),
    f"{ADVERSARIAL}four versions that forget, periods of 5 days, 20 items a day, days alike (0.1)": Versions(
        FORGETS, 5, 20, 0.3, 0.1
    ),
    f"{ADVERSARIAL}four versions that forget, periods of 2 days, 100 items a day, same items (0.5)": Versions(
        FORGETS, 2, 100, 0.5
    ),
}
SETTINGS = tuple(
    Setting(
        "transfer",
        name,
        drawn.n,
        tuple(
            Case(what, about=(f"interval:{METHODS.get(what, 'mover-paired-blocks')}",), instead=LONGER)
            for what in MEASURED
        ),
        partial(transfers, drawn),
    )
    for name, drawn in DRAWN.items()
)
