"""What an expert is to a run: a price for each question, and an answer that no system can influence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from justesse.core.errors import JustesseError
from justesse.core.seeds import stream
from justesse.lifelong.item import Item


@dataclass(frozen=True)
class ExpertReply:
    """What an expert replies to a question.

    Parameters
    ----------
    label
        The answer, such as a class; `None` if the expert does not answer.
    delay
        Periods until the reply arrives.
    """

    label: Any
    delay: int = 0


@dataclass(frozen=True)
class ExpertQuestion:
    """A question as a simulated expert meets it.

    Parameters
    ----------
    chance
        Number between 0 and 1 that belongs to the item and the kind of expert, whichever system asks.
    other
        A wrong answer that belongs to the item.
    before
        Answers that the expert gave in the same period before this one.
    """

    chance: float
    other: Any
    before: int = 0


class AnswersPendingError(JustesseError):
    """People have not answered all questions yet."""

    def __init__(self, path: str, open: int, questions: int) -> None:
        super().__init__(f"{open} of {questions} questions in {path} are open. Answer them, then run again.")
        self.path = path
        self.open = open
        self.questions = questions


class Expert(Protocol):
    """Whoever answers the questions of a system."""

    @property
    def is_simulated(self) -> bool:
        """Whether answers follow from the item and the seed, so that they need not be kept."""

    def price(self, id: str) -> float:
        """Return what a question about an item costs; it is known before the answer, so it must not hint at it."""

    def replies(
        self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any], before: int
    ) -> list[ExpertReply]:
        """Answer the questions of one exchange.

        Parameters
        ----------
        exchange
            Number of the exchange, from 1.
        items
            Items that the questions are about.
        hypotheses
            What the system answers now.
        before
            Answers given in this period so far.
        """

    def belief(
        self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any], at: int, before: int
    ) -> ExpertReply:
        """Return what the expert believes about one of the items that the system has answered.

        Parameters
        ----------
        exchange
            Number of the exchange, from 1.
        items
            Items that the expert looks through, in order.
        hypotheses
            What the system answered at first.
        at
            Position of the item.
        before
            Corrections made in this period so far.
        """


@dataclass(frozen=True)
class ExpertKind:
    """One way in which a simulated expert differs from a perfect one.

    Parameters
    ----------
    name
        Its name in options, such as "noisy".
    summary
        What it does, in a sentence.
    strength
        The number after the colon, if none is typed; `None` if the kind takes none.
    range
        Smallest and largest strength.
    reply
        Changes a reply, given the question and the strength.
    price
        Changes a price, given the chance of the item and the strength.
    """

    name: str
    summary: str
    strength: float | None = None
    range: tuple[float, float] = (0.0, 1.0)
    reply: Callable[[ExpertReply, ExpertQuestion, float], ExpertReply] | None = None
    price: Callable[[float, float, float], float] | None = None


@dataclass(frozen=True)
class SimulatedExpert:
    """An expert whose replies follow from the seed and the item alone, so that all systems get the same.

    Parameters
    ----------
    labels
        Right answer to each question, by its id.
    wrong
        Draws a wrong answer to a question, given its id and a generator.
    kinds
        How the expert differs from a perfect one: kinds and their strengths.
    seed
        Seed of all that is drawn.
    cost
        Price of a question.
    """

    labels: Mapping[str, Any]
    wrong: Callable[[str, np.random.Generator], Any]
    kinds: tuple[tuple[ExpertKind, float], ...] = ()
    seed: int = 0
    cost: float = 1.0
    _drawn: dict[tuple[str, str], ExpertQuestion] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_simulated(self) -> bool:
        """Yes."""
        return True

    def price(self, id: str) -> float:
        """Return the price of a question about an item."""
        price = self.cost
        for kind, strength in self.kinds:
            if kind.price is not None:
                price = kind.price(price, self._question(kind.name, id).chance, strength)
        return price

    def reply(self, id: str, before: int = 0) -> ExpertReply:
        """Answer one question, after `before` answers in the same period."""
        answer = ExpertReply(self.labels[id])
        for kind, strength in self.kinds:
            if kind.reply is not None:
                answer = kind.reply(answer, replace(self._question(kind.name, id), before=before), strength)
        return answer

    def replies(
        self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any], before: int
    ) -> list[ExpertReply]:
        """Answer the questions of one exchange; neither its number nor the hypotheses matter."""
        answers: list[ExpertReply] = []
        for item in items:
            answers.append(self.reply(item.id, before + sum(answer.label is not None for answer in answers)))
        return answers

    def belief(
        self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any], at: int, before: int
    ) -> ExpertReply:
        """Return what the expert would answer about the item."""
        return self.reply(items[at].id, before)

    def _question(self, kind: str, id: str) -> ExpertQuestion:
        """Draw what belongs to an item and a kind of expert, once."""
        if (kind, id) not in self._drawn:
            draws = stream(self.seed, "expert", kind, id)
            chance = float(draws.random())
            self._drawn[kind, id] = ExpertQuestion(chance, self.wrong(id, draws))
        return self._drawn[kind, id]
