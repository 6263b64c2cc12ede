"""What `annotators next` gives: questions, what they are expected to gain, and whether to stop."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from justesse.annotators.assignment import NextQuestion, usual_tables
from justesse.annotators.checked_share import METHOD, CheckedShare
from justesse.annotators.consensus import Consensus
from justesse.core.choices import AskingRule
from justesse.core.results import Estimate, Interval
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import write_table
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text, Words
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.annotators.inference import EXPECTED
from justesse.verbs.annotators.next_words import headline
from justesse.verbs.annotators.wanted_goal import GoalState
from justesse.verbs.file_facts import file_facts

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class of an item",
    "an annotator with few answers is like the others",
)
CHECKED_ASSUMPTIONS = (
    "checks are right, and their items were drawn at random",
    "answers were not chosen after seeing the checks, and the consensus is the one that was checked",
)
MODEL = "dawid-skene with 0.1 added to each cell, so that few answers do not make an annotator perfect (infer adds 0)"
GOAL_ASSUMPTIONS = {
    "comparison": ("the classifiers err independently of the annotators, given the true class of an item",),
}
RULES: Mapping[AskingRule, str] = {
    "gain": "expected gain per price",
    "lam-stork": "information about the classes per price (Lam & Stork)",
    "uncertainty": "least certain items first",
    "round-robin": "items with fewest answers first",
    "random": "at random",
}


@dataclass(frozen=True, repr=False)
class NextQuestions(Result):
    """Questions to ask, best first, and whether to stop.

    Parameters
    ----------
    fit
        The model of the annotators so far.
    questions
        Whom to ask about which item.
    budget
        What the questions may cost together.
    state
        The goal, and what is known of it now.
    rule
        How questions were chosen.
    further
        The same plan for more questions, without a budget, for the cost curve.
    in_turn
        As many questions that go through the items in turn.
    stopping
        Bounds on the share of right classes by checks.
    to_check
        Codes of the items to check next.
    warnings
        What may be misread.
    source
        The data as they came.
    """

    fit: Consensus
    questions: tuple[NextQuestion, ...]
    budget: float | None
    state: GoalState
    rule: AskingRule
    further: tuple[NextQuestion, ...] = ()
    in_turn: tuple[NextQuestion, ...] = ()
    stopping: CheckedShare | None = None
    to_check: tuple[int, ...] = ()
    warnings: tuple[Text, ...] = ()
    source: Any = None

    @property
    def native(self) -> Any:
        return self.source

    @property
    def right_now(self) -> float:
        """The share of items whose probable class is expected to be right."""
        return float(self.fit.probability.mean())

    @property
    def right_after(self) -> float:
        """The same after the questions."""
        return self.curve(self.questions)[-1]["right"]

    @property
    def gain(self) -> float:
        """What all questions are expected to gain for the goal."""
        return sum(question.gain for question in self.questions)

    @property
    def cost(self) -> float:
        return sum(question.price for question in self.questions)

    def to_columns(self) -> dict[str, list[Any]]:
        notes = self.fit.support.annotations
        probability = self.fit.probability
        return {
            "item": [notes.items[question.item] for question in self.questions],
            "annotator": [notes.annotators[question.annotator] for question in self.questions],
            "gain": [question.gain for question in self.questions],
            "price": [question.price for question in self.questions],
            "probability": [float(probability[question.item]) for question in self.questions],
            "right_gain": [question.right for question in self.questions],
        }

    def write_questions(self, path: Path) -> Path:
        """Write the questions as a table, csv or parquet."""
        return write_table(self.to_columns(), path)

    def to_dict(self) -> dict[str, Any]:
        columns = self.to_columns()
        state, notes = self.state, self.fit.support.annotations
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "goal": {
                "name": state.goal.name,
                "quantity": state.quantity,
                "value": state.value,
                "spread": None if not state.measured else {"now": state.spread(), "after": state.spread(self.gain)},
                "chance_candidate_better": state.chance,
                "gain": self.gain,
                "most_gain": state.total,
            },
            "rule": self.rule,
            "questions": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
            "expected_right": {"now": self.right_now, "after": self.right_after},
            "cost": self.cost,
            "budget": self.budget,
            "annotators": self._people(),
            "curve": self.curve(self.further),
            "curve_in_turn": self.curve(self.in_turn) if self.in_turn else None,
            "stopping": None if self.stopping is None else self._stopping(),
            "assumptions": list(self.assumptions),
            "warnings": [str(warning) for warning in self.warnings],
        } | ({"to_check": [notes.items[at] for at in self.to_check]} if self.stopping is not None else {})

    def _stopping(self) -> dict[str, Any]:
        assert self.stopping is not None
        return {**asdict(self.stopping), "method": METHOD, "expected_by_model": self.right_now}

    @property
    def assumptions(self) -> tuple[str, ...]:
        checked = CHECKED_ASSUMPTIONS if self.stopping is not None else ()
        return (*ASSUMPTIONS, *GOAL_ASSUMPTIONS.get(self.state.goal.name, ()), *checked)

    def _people(self) -> list[dict[str, Any]]:
        """Say how many questions go to each annotator, most first."""
        notes, shares = self.fit.support.annotations, self.fit.proportions / self.fit.proportions.sum()
        accuracies = np.einsum("k,jkk->j", shares, usual_tables(self.fit))  # as the questions were chosen
        counts = np.bincount([q.annotator for q in self.questions] or [0], minlength=notes.n_annotators)
        if not self.questions:
            counts[:] = 0
        rows = []
        for who in np.argsort(-counts, kind="stable").tolist():
            mine = [question for question in self.questions if question.annotator == who]
            if mine:
                rows.append(
                    {
                        "annotator": notes.annotators[who],
                        "questions": len(mine),
                        "cost": sum(question.price for question in mine),
                        "gain": sum(question.gain for question in mine),
                        "answers_so_far": int(notes.per_annotator[who]),
                        "expected_right": float(accuracies[who]),
                    }
                )
        return rows

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        if not self.further:
            return {}
        return {"gain": partial(_draw, self.curve(self.further), self.curve(self.in_turn), len(self.questions))}

    def curve(self, questions: Sequence[NextQuestion]) -> list[dict[str, float]]:
        """Give the expected share of right classes against what the questions cost so far."""
        n = self.fit.support.annotations.n_items
        points = [{"cost": 0.0, "right": self.right_now}]
        for question in questions:
            last = points[-1]
            points.append({"cost": last["cost"] + question.price, "right": last["right"] + question.right / n})
        return points

    def document(self) -> Document:
        notes, stopping = self.fit.support.annotations, self.stopping
        sections = []
        if stopping is not None:
            sections.append(Section("stopping", "When to stop", self._stopping_parts(), "headline"))
        drawn = [Figure(draw) for draw in self.drawings().values()]
        if self.questions:
            sections.append(Section("questions", "Questions", [self._question_table(), *drawn], "headline"))
            sections.append(Section("annotators", "Annotators to ask", [self._people_table()], "summary"))
        figures = [
            KeyFigure("expected right now", _expected(self.right_now, notes.n_items), "share"),
            KeyFigure("expected after these answers", _expected(self.right_after, notes.n_items), "share"),
        ]
        if stopping is not None and stopping.checks:
            # two one-sided bounds: together they miss with twice the risk of each
            ends = Interval(stopping.at_least, stopping.at_most, 2 * stopping.level - 1, METHOD, (0.0, 1.0))
            share = Estimate("share", stopping.right / stopping.checks, stopping.checks, ends)
            figures.insert(0, KeyFigure("right by the checks", share, "share", note="valid at every look"))
        return Document(
            "Whom to ask next",
            headline(self),
            sections,
            self.to_dict,
            name="annotators-next",
            figures=figures,
            cautions=self.warnings,
            assumptions=self.assumptions,
            facts=[
                ("answers so far", f"{len(notes):,}"),
                ("goal", self.state.quantity),
                ("rule", RULES[self.rule]),
                ("model", MODEL),
                *file_facts(self.source),
                ("justesse", __version__),
            ],
        )

    def _question_table(self) -> Table:
        columns, state = self.to_columns(), self.state
        by_right = state.goal.name == "accuracy"
        gains = columns["gain"] if by_right else [gain / (state.total or 1.0) for gain in columns["gain"]]
        rows = list(
            zip(columns["item"], columns["annotator"], columns["probability"], gains, columns["price"], strict=True)
        )
        head: list[str | Column] = [
            "item",
            "ask",
            Column("sure now", "share"),
            Column("expected gain", "points" if by_right else "share", 1),
            Column("price", "general", 2),
        ]
        note: Text = (
            "" if by_right else message("Expected gain: share of the doubt about the {what}.", what=state.quantity)
        )
        if state.goal.name == "training":
            note = "Expected gain: share of what certain labels would teach the classifier."
        return Table("Questions, best first", head, rows, note)

    def _people_table(self) -> Table:
        head: list[str | Column] = [
            "annotator",
            Column("questions", "count"),
            Column("cost", "general", 2),
            Column("answers so far", "count", 3),
            Column("expected right", "share", 1),
        ]
        rows = [
            [row["annotator"], row["questions"], row["cost"], row["answers_so_far"], round(row["expected_right"], 3)]
            for row in self._people()
        ]
        return Table("Annotators to ask, most questions first", head, rows)

    def _stopping_parts(self) -> list[Words | Table]:
        checks, notes = self.stopping, self.fit.support.annotations
        assert checks is not None
        model = message(
            "The model expects {share:share} right. That is its own opinion, and on real crowds often too high; the bounds "
            "come from the checks alone.",
            share=self.right_now,
        )
        words = (
            "Each bound holds with {level:general} % confidence, however often you look. It is about this consensus: after "
            "new answers, draw new checks with another seed. If the same checks serve six consensuses, up to 17 % of "
            "annotations stop too early. Pass their number with versions=… (--versions)."
        )
        if checks.versions > 1:
            words = (
                "Each bound holds with {level:general} % confidence for all of {versions:count} consensuses together, however "
                "often you look, if the answers were not chosen after seeing the checks. For more, draw new checks with "
                "another seed."
            )
        validity = message(words, level=100 * checks.level, versions=checks.versions)
        parts: list[Words | Table] = [Words([model, validity])]
        if checks.decision == "go on" and self.to_check:
            rows = [[notes.items[at], notes.classes[self.fit.label[at]]] for at in self.to_check]
            parts.append(Table("Items to check next, drawn at random", ["item", "class by the consensus"], rows))
        return parts


def _draw(points: Sequence[Mapping[str, float]], in_turn: Sequence[Mapping[str, float]], asked: int) -> Any:
    from justesse import charts

    return charts.asking_chart(points, in_turn if len(in_turn) > 1 else (), asked=asked)


def _expected(value: float, n: int) -> Estimate:
    return Estimate("share", value, n, undefined=EXPECTED)
