"""All of it: noise of every kind, learners trained on it, and the figures the page speaks of."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from studies.expected import load
from studies.realism.kinds import PEOPLE, Kinds, People
from studies.realism.overlap import Share, overlaps
from studies.realism.repeated import DISTANCES, MEAN, Measured, Nearest, Repeated
from studies.realism.settings import Settings
from studies.realism.training import trained

EXPECTED = Path(__file__).with_name("expected.csv")
Array = NDArray[Any]


@dataclass(frozen=True)
class Found:
    """What learners did with each kind of noise, which kind is nearest to people's, and what needs no learner."""

    rows: list[Repeated]
    gaps: list[Repeated]
    nearest: list[Nearest]
    shares: list[Share]
    distances: dict[tuple[str, str, str], float]

    @property
    def figures(self) -> dict[str, float]:
        """Give every figure by name."""
        found = {f"{one.whose}, {one.kind}: {one.what}": one.value for one in self.shares}
        told = [row for row in (*self.rows, *self.gaps) if row.learner == MEAN or row.what == "F_n"]
        found |= {f"{one.whose}, {one.kind}, {one.learner}: {one.what}": one.value for one in told}
        found |= {f"{whose}, {kind}: distance by {by}": far for (whose, kind, by), far in self.distances.items()}
        return found


def run(x: Array, people: People, settings: Settings, folder: Path) -> Found:
    """Compare people's noise with simulated noise; parts that are finished are read from the folder."""
    kinds = Kinds.make(x, people, settings, folder)
    measured = Measured(list(trained(x, kinds, settings, folder)), settings.test_share)
    distances = {
        (whose, kind, by): float(measured.distance((whose, kind), by).mean())
        for whose, kind in measured.keys
        if kind != PEOPLE
        for by in DISTANCES
    }
    first = overlaps(kinds, kinds.versions(0, settings.seed))
    return Found(measured.rows(), measured.gaps(), measured.nearest(), first, distances)


def expected() -> dict[str, tuple[float, float]]:
    """Read what `expected.csv` says, with its tolerance."""
    return {row["figure"]: (float(row["value"]), float(row["tolerance"])) for row in load(EXPECTED)}
