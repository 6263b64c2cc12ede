"""Policies with their sentences, pictures and weights, as `justesse lifelong policies` gives them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import write_table
from justesse.lifelong.policy import Policy
from justesse.report.document import Column, Document, Figure, Section, Table
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.file_facts import file_facts

NOTE = "picture: one bar for each period, the oldest first; a dot is a weight of 0"
HOW = (
    "The weights of a policy add up to 1 over the periods that count for a version (Prokopalo et al. 2020, equation 2). "
    "recent and past are powers of 2, cyclic is a cosine, window is even.",
)


@dataclass(frozen=True)
class NamedPolicy:
    """A policy as it is typed, and its weights of the periods."""

    title: str
    policy: Policy
    weights: tuple[float, ...]

    @property
    def picture(self) -> str:
        """Its weights as a line of bars."""
        from justesse.charts.policy_presets import weight_bars

        return weight_bars(self.weights)


@dataclass(frozen=True, repr=False)
class PolicyList(Result):
    """Policies, each with its sentence, its weights and a picture."""

    periods: tuple[str, ...]
    policies: tuple[NamedPolicy, ...]
    source: Any = field(default=None, repr=False)

    def weights(self) -> dict[str, list[Any]]:
        """Lay out the weights of the one policy that is listed: what --policy reads."""
        if len(self.policies) != 1:
            raise OptionError(
                f"A file of weights is of one policy; {len(self.policies)} are listed. Name one with policies=… "
                "(--policies recent)."
            )
        return {"period": list(self.periods), "weight": list(self.policies[0].weights)}

    def write(self, to: str | Path) -> Path:
        """Write the weights of the one policy that is listed as CSV or Parquet."""
        return write_table(self.weights(), Path(to), exact=True)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "periods": list(self.periods),
            "policies": [
                {
                    "policy": listed.title,
                    "name": listed.policy.name,
                    "words": listed.policy.words,
                    "picture": listed.picture,
                    "weights": dict(zip(self.periods, listed.weights, strict=True)),
                }
                for listed in self.policies
            ],
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = [
            (listed.title, period, weight)
            for listed in self.policies
            for period, weight in zip(self.periods, listed.weights, strict=True)
        ]
        names = ("policy", "period", "weight")
        return {name: [row[at] for row in rows] for at, name in enumerate(names)}

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        named = [(listed.title, listed.weights) for listed in self.policies]
        return {"policies": partial(charts.policy_preset_chart, self.periods, named)}

    def document(self) -> Document:
        head: list[str | Column] = ["policy", Column("picture", "text", note=NOTE), Column("meaning", "words")]
        rows = [[listed.title, listed.picture, listed.policy.words] for listed in self.policies]
        table = Table("How much each period matters", head, rows, most=len(rows))
        shares: list[str | Column] = ["period", *(Column(listed.title, "share") for listed in self.policies)]
        weights = [
            [period, *(listed.weights[at] for listed in self.policies)] for at, period in enumerate(self.periods)
        ]  # fmt: skip
        figures = [Figure(draw) for draw in self.drawings().values()]
        return Document(
            "Policies",
            message(
                "How much each of {periods:count period} matters, the oldest first. Choose one of these policies, or write "
                "the weights of one to a file and change them.",
                periods=len(self.periods),
            ),
            [
                Section("policies", "Policies", [*figures, table], "headline"),
                Section("weights", "Weights", [Table("Weight of each period", shares, weights)]),
            ],
            self.to_dict(),
            name="lifelong-policies",
            how=HOW,
            facts=[*file_facts(self.source), ("justesse", __version__)],
        )
