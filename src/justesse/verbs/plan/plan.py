"""What every `plan_…` returns."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from justesse.core.version import SCHEMA, __version__
from justesse.report.result import Result
from justesse.report.writing import Message

if TYPE_CHECKING:
    from justesse.report.document import Document

LEVELS = (0.90, 0.95, 0.99)  # of the alternatives


@dataclass(frozen=True)
class Need:
    """A number of rows or labels that a goal needs, for a key figure."""

    name: str
    n: int
    note: Message | str


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """The smallest n for a goal, other goals and their n beside it, and what it all rests on."""

    plan: str
    n: int
    words: Message
    needs: tuple[Need, ...]
    inputs: dict[str, Any]
    alternatives: tuple[dict[str, Any], ...]
    assumptions: tuple[str, ...]
    details: dict[str, Any]

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        return str(self.words)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "plan": self.plan,
            "n": self.n,
            "answer": self.answer,
            "inputs": self.inputs,
            **self.details,
            "alternatives": list(self.alternatives),
            "assumptions": list(self.assumptions),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        return {name: [row[name] for row in self.alternatives] for name in self.alternatives[0]}

    def is_asked_for(self, goal: dict[str, Any]) -> bool:
        """Tell whether a goal of the table is the one asked for, rather than a neighbour."""
        return all(self.inputs[name] == value for name, value in goal.items() if name in self.inputs)

    def document(self) -> "Document":
        from justesse.verbs.plan.document import plan_document

        return plan_document(self)
