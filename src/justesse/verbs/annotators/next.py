"""`justesse.annotators_next`: whom to ask about which item next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from justesse.annotators.assignment import NextQuestion, next_questions
from justesse.annotators.consensus import Consensus
from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.choices import Repeated
from justesse.core.errors import OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName, Estimate
from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.verbs.annotators.inference import EXPECTED
from justesse.verbs.annotators.options import AnswerColumnOptions, AskingOptions
from justesse.verbs.annotators.read import read_answers
from justesse.verbs.file_facts import file_facts

SMOOTHING = 0.1  # so that few answers do not make an annotator perfect
ASSUMPTIONS = (
    "annotators err independently of each other, given the true class of an item",
    "an annotator with few answers is like the others",
)


@dataclass(frozen=True, repr=False)
class NextQuestions(Result):
    """Questions to ask, best first.

    Parameters
    ----------
    fit
        The model of the annotators so far.
    questions
        Whom to ask about which item.
    budget
        What the questions may cost together.
    warnings
        What may be misread.
    source
        The data as they came.
    """

    fit: Consensus
    questions: tuple[NextQuestion, ...]
    budget: float | None
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
        return self.right_now + sum(question.gain for question in self.questions) / self.fit.support.annotations.n_items

    def to_columns(self) -> dict[str, list[Any]]:
        notes = self.fit.support.annotations
        probability = self.fit.probability
        return {
            "item": [notes.items[question.item] for question in self.questions],
            "annotator": [notes.annotators[question.annotator] for question in self.questions],
            "gain": [question.gain for question in self.questions],
            "price": [question.price for question in self.questions],
            "probability": [float(probability[question.item]) for question in self.questions],
        }

    def to_dict(self) -> dict[str, Any]:
        columns = self.to_columns()
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "questions": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
            "expected_right": {"now": self.right_now, "after": self.right_after},
            "cost": sum(question.price for question in self.questions),
            "budget": self.budget,
            "assumptions": list(ASSUMPTIONS),
            "warnings": [str(warning) for warning in self.warnings],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        return {"gain": partial(_draw, self.curve())} if self.questions else {}

    def curve(self) -> list[dict[str, float]]:
        """Give the expected share of right classes against what the questions cost so far."""
        n = self.fit.support.annotations.n_items
        points = [{"cost": 0.0, "right": self.right_now}]
        for question in self.questions:
            last = points[-1]
            points.append({"cost": last["cost"] + question.price, "right": last["right"] + question.gain / n})
        return points

    def document(self) -> Document:
        notes = self.fit.support.annotations
        drawn = [Figure(draw) for draw in self.drawings().values()]
        columns = self.to_columns()
        rows = [
            [item, who, probability, gain, price]
            for item, who, gain, price, probability in zip(*columns.values(), strict=True)
        ]
        head: list[str | Column] = [
            "item", "ask", Column("sure now", "share"), Column("expected gain", "points", 1), Column("price", "general", 2)
        ]  # fmt: skip
        table = Table("Questions, best first", head, rows)
        return Document(
            "Whom to ask next",
            _headline(self),
            [Section("questions", "Questions", [table, *drawn], "headline")],
            self.to_dict,
            name="annotators-next",
            figures=[
                KeyFigure("expected right now", _expected(self.right_now, notes.n_items), "share"),
                KeyFigure("expected after these answers", _expected(self.right_after, notes.n_items), "share"),
            ],
            cautions=self.warnings,
            assumptions=ASSUMPTIONS,
            facts=[("answers so far", f"{len(notes):,}"), *file_facts(self.source), ("justesse", __version__)],
        )


def _draw(points: Sequence[Mapping[str, float]]) -> Any:
    from justesse import charts

    return charts.asking_chart(points)


def _expected(value: float, n: int) -> Estimate:
    return Estimate("share", value, n, undefined=EXPECTED)


def _headline(result: NextQuestions) -> Message:
    if not result.questions:
        return message("Nobody is left to ask: every item is certain, or every annotator has answered it.")
    notes, first = result.fit.support.annotations, result.questions[0]
    return message(
        "Ask {who} about item {item} first. {n:count} questions raise the expected share of right classes from "
        "{now:share} to {after:share}.",
        who=notes.annotators[first.annotator],
        item=notes.items[first.item],
        n=len(result.questions),
        now=result.right_now,
        after=result.right_after,
    )


def annotators_next(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    time: str | None = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    ignore_case: bool = False,
    repeated: Repeated = AnswerColumnOptions.repeated,
    gold: Any = None,
    number: int = AskingOptions.number,
    budget: float | None = None,
    prices: Mapping[ClassName, float] | None = None,
) -> NextQuestions:
    """Choose whom to ask about which item next, by the expected gain in right classes per price.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each answer, or a row for each item with a column for each
        annotator.
    item
        Column with the items. Default: the column named item, task or question.
    annotator
        Column with the annotators. Default: the column named annotator, worker or rater. Without one, every column but
        the items is an annotator.
    answer
        Column with the answers. Default: the column named answer, label or class.
    time
        Column with the time or position of each answer. Default: answers have no order.
    classes
        All classes in order, such as ['low', 'mid', 'high']. Default: those answered.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    ignore_case
        Take answers that differ only in case or spaces for one class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    gold
        Column with the true class where it is known, or a table with items and true classes. The model takes them as
        certain. Default: none.
    number
        Number of questions. Default: 10.
    budget
        What the questions may cost together. Default: no limit.
    prices
        Price of an answer of each annotator, as a dict. Default: 1 each.

    Examples
    --------
    >>> answers = {"item": [1, 1, 2, 2, 3, 3, 4, 4], "annotator": list("abbcacab"), "answer": list("xyxxyyyy")}
    >>> annotators_next(answers, number=1).questions[0].item
    0
    """
    read = read_answers(
        data, item=item, annotator=annotator, answer=answer, time=time, classes=classes, as_text=as_text,
        ignore_case=ignore_case, repeated=repeated, gold=gold,
    )  # fmt: skip
    notes = read.annotations
    cost = _prices(prices, notes.annotators)
    questions = next_questions(dawid_skene(notes, prior=SMOOTHING), number=number, prices=cost)
    if budget is not None:
        if budget <= 0:
            raise OptionError(f"The budget must be above 0; got {budget!r}.")
        spent = np.cumsum([question.price for question in questions])
        questions = [question for question, sum_so_far in zip(questions, spent, strict=True) if sum_so_far <= budget]
    fit = dawid_skene(notes, prior=SMOOTHING)
    return NextQuestions(fit, tuple(questions), budget, (*read.warnings, *fit.warnings), data)


def _prices(prices: Mapping[ClassName, float] | None, annotators: Sequence[ClassName]) -> list[float] | None:
    """Put the prices in the order of annotators; the others cost 1."""
    if prices is None:
        return None
    cost = [1.0] * len(annotators)
    for name, price in prices.items():
        at = next((at for at, known in enumerate(annotators) if known == name or spelt_alike(known, name)), None)
        if at is None:
            raise OptionError(f"There is no annotator {name!r} to have a price.")
        cost[at] = float(price)
    return cost
