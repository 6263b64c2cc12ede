"""Several systems under many policies, as `justesse lifelong map` gives them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from justesse.core.arrays import FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.results import ClassName
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.policy_map import MappedDifference
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS
from justesse.verbs.lifelong.cautions import few_blocks, in_utc, no_classes, single_times


@dataclass(frozen=True)
class MapPolicy:
    """One policy of a map: its name, the policy in a sentence, and its weights of the periods that count."""

    name: str
    words: str
    weights: FloatArray


@dataclass(frozen=True)
class MappedPair:
    """Two systems under all policies.

    Parameters
    ----------
    first, second
        Places of the systems; a positive difference means that the second is better.
    cells
        Difference under each policy.
    changes
        Smallest change of one weight that turns the ranking, for each policy: period and factor.
    flips
        Where the ranking flips between past (-1), uniform (0) and recent (1).
    n
        Items that both answered.
    """

    first: int
    second: int
    cells: tuple[MappedDifference, ...]
    changes: tuple[tuple[str, float] | None, ...]
    flips: tuple[float, ...]
    n: int


@dataclass(frozen=True, repr=False)
class LifelongMap(Result):
    """Which of several systems is better under which policy, with intervals that hold together."""

    systems: tuple[str, ...]
    versions: tuple[str, ...]
    periods: tuple[str, ...]
    policies: tuple[MapPolicy, ...]
    pairs: tuple[MappedPair, ...]
    convention: LifelongConvention
    level: float
    seed: int
    on: str
    sources: tuple[Any, ...] = field(default=(), repr=False)
    alone: int = 0
    few: int = 0
    zoned: bool = False
    others: tuple[tuple[tuple[ClassName, int], ...], ...] = ()

    def leader(self, policy: int) -> str:
        """Return the system with the highest accuracy under a policy, sure or not."""
        scores = [0.0] * len(self.systems)  # against the first system, which is in a pair with every other
        for pair in self.pairs:
            if pair.first == 0:
                scores[pair.second] = pair.cells[policy].value
        return self.systems[max(range(len(scores)), key=scores.__getitem__)]

    def best(self, policy: int) -> list[str]:
        """Return the systems that may be the best under a policy: no other is better for sure."""
        beaten = set()
        for pair in self.pairs:
            cell = pair.cells[policy]
            if cell.sure:
                beaten.add(pair.first if cell.value > 0 else pair.second)
        return [name for at, name in enumerate(self.systems) if at not in beaten]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        lines = []
        if len(set(self.versions)) > 1:
            lines.append("The systems are compared at different versions. Name a version of all of them (--at).")
        for name, others in zip(self.systems, self.others, strict=False):
            lines += no_classes(others, name)
        lines += single_times(self.alone, len(self.periods))
        lines += few_blocks(self.few, len(self.periods))
        lines += in_utc(self.zoned)
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "systems": [
                {"name": name, "version": version} for name, version in zip(self.systems, self.versions, strict=True)
            ],
            "periods": list(self.periods),
            "policies": [
                {
                    "name": policy.name,
                    "words": policy.words,
                    "weights": dict(zip(self.periods, policy.weights.tolist(), strict=True)),
                    "leader": self.leader(at),
                    "best": self.best(at),
                }
                for at, policy in enumerate(self.policies)
            ],
            "pairs": [
                {
                    "first": self.systems[pair.first],
                    "second": self.systems[pair.second],
                    "n": pair.n,
                    "differences": [
                        {
                            "policy": policy.name,
                            "value": cell.value,
                            "interval": cell.interval.to_dict(),
                            "sure": cell.sure,
                            "smallest_change": None if change is None else {"period": change[0], "factor": change[1]},
                        }
                        for policy, cell, change in zip(self.policies, pair.cells, pair.changes, strict=True)
                    ],
                    "flips": list(pair.flips),
                }
                for pair in self.pairs
            ],
            "convention": self.convention,
            "level": self.level,
            "seed": self.seed,
            "columns": {"on": self.on},
            "warnings": list(self.warnings),
            "assumptions": list(ASSUMPTIONS),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [(pair, at) for pair in self.pairs for at in range(len(self.policies))]
        return {
            "first": [self.systems[pair.first] for pair, _ in rows],
            "second": [self.systems[pair.second] for pair, _ in rows],
            "policy": [self.policies[at].name for _, at in rows],
            "difference": [pair.cells[at].value for pair, at in rows],
            "low": [pair.cells[at].interval.low for pair, at in rows],
            "high": [pair.cells[at].interval.high for pair, at in rows],
            "sure": [pair.cells[at].sure for pair, at in rows],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        cells = [
            (self.systems[pair.first], self.systems[pair.second], policy.name, cell.value, cell.sure)
            for pair in self.pairs
            for policy, cell in zip(self.policies, pair.cells, strict=True)
        ]
        return {"map": partial(charts.policy_map_chart, cells)}

    def document(self) -> Document:
        from justesse.verbs.lifelong.map_document import map_document

        return map_document(self)
