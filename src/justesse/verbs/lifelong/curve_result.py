"""Scores against costs, as `justesse lifelong curve` gives them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from justesse.core.results import Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.seed_curves import CostRange
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.lifelong.assumptions import CURVE_ASSUMPTIONS

FEW_SEEDS = 5


@dataclass(frozen=True)
class SystemCurve:
    """What one system reached for its cost, over its seeds.

    Parameters
    ----------
    name
        The system.
    seeds
        Number of its runs.
    points
        Cost and mean score with its interval, along the curve.
    area
        Normalised area under the curve: the mean score on the way.
    reached
        Cost to reach the score asked for; `None` if none was.
    gain
        By how much the area is better than that of the random system; `None` if there is none.
    deficiency
        Deficiency against the random system; `None` if there is none.
    shortest
        Cost at which its shortest run ends.
    """

    name: str
    seeds: int
    points: tuple[tuple[float, Estimate], ...]
    area: Estimate
    reached: Estimate | None
    gain: Estimate | None
    deficiency: Estimate | None
    shortest: float

    @property
    def figures(self) -> list[Estimate]:
        """The figures that there are."""
        return [
            figure for figure in (self.area, self.reached, self.gain, self.deficiency) if figure is not None
        ]  # fmt: skip


@dataclass(frozen=True, repr=False)
class LearningCosts(Result):
    """Score against cost of every system, with intervals over seeds."""

    systems: tuple[SystemCurve, ...]
    costs: CostRange
    higher_is_better: bool
    target: float | None
    random: str | None
    level: float
    columns: Mapping[str, str]
    source: Any = field(default=None, repr=False)

    def __getitem__(self, name: str) -> SystemCurve:
        """Return the curve of the system with this name."""
        return next(system for system in self.systems if system.name == name)

    @property
    def best(self) -> SystemCurve:
        """The system with the best area."""
        sign = 1.0 if self.higher_is_better else -1.0
        return max(self.systems, key=lambda system: sign * system.area.value)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        lines = []
        ended = [system.name for system in self.systems if system.shortest < self.costs.budget]
        if ended:
            lines.append(
                message(
                    "Some runs of {names:and} end before the budget: their last score is taken to stay.", names=ended
                )
            )
        few = [system.name for system in self.systems if system.seeds < FEW_SEEDS]
        if few:
            lines.append(
                message(
                    "{names:and} {n:plural has|have} fewer than {least:count} seeds: intervals rest on very few runs.",
                    names=few,
                    n=len(few),
                    least=FEW_SEEDS,
                )
            )
        if len(self.systems) > 1 and self.random is None:
            lines.append(
                message("No system asks at random, so there is no deficiency. Name the one that does (--random).")
            )
        return tuple(map(str, lines))

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "systems": [
                {
                    "name": system.name,
                    "seeds": system.seeds,
                    "area": system.area.to_dict(),
                    "cost_to_reach": None if system.reached is None else system.reached.to_dict(),
                    "area_gain": None if system.gain is None else system.gain.to_dict(),
                    "deficiency": None if system.deficiency is None else system.deficiency.to_dict(),
                    "curve": [_point(cost, score) for cost, score in system.points],
                }
                for system in self.systems
            ],
            "start": self.costs.start,
            "budget": self.costs.budget,
            "higher_is_better": self.higher_is_better,
            "reach": self.target,
            "random": self.random,
            "level": self.level,
            "columns": dict(self.columns),
            "warnings": list(self.warnings),
            "assumptions": list(CURVE_ASSUMPTIONS),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [(system, figure) for system in self.systems for figure in system.figures]
        ends = [figure.interval for _, figure in rows]
        return {
            "system": [system.name for system, _ in rows],
            "figure": [figure.name for _, figure in rows],
            "value": [finite_or_none(figure.value) for _, figure in rows],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "seeds": [system.seeds for system, _ in rows],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        curves = [(system.name, system.points) for system in self.systems]
        return {"curve": partial(charts.cost_curve_chart, curves, self.target)}

    def document(self) -> Document:
        from justesse.verbs.lifelong.curve_document import curve_document

        return curve_document(self)


def _point(cost: float, score: Estimate) -> dict[str, float | None]:
    ends = score.interval
    return {
        "cost": cost,
        "score": finite_or_none(score.value),
        "low": ends.low if ends else None,
        "high": ends.high if ends else None,
    }
