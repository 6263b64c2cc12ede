"""One period on-line or off-line: the hypotheses before and after, and what the expert was asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from justesse.core.choices import AdaptationMode, Learning
from justesse.lifelong.experts.expert import Expert, ExpertReply
from justesse.lifelong.item import Item
from justesse.lifelong.ledger import Charge, ChargeKind, Ledger
from justesse.lifelong.penalised import PenalisedScore
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.session import Session
from justesse.lifelong.supervision import corrections
from justesse.lifelong.tasks.task import RunTask


@dataclass(frozen=True)
class Outcome:
    """What one charge bought.

    Parameters
    ----------
    charge
        Number of the charge in the ledger.
    label
        The expert's answer; `None` if there was none.
    delay
        Periods until it arrived.
    """

    charge: int
    label: Any
    delay: int = 0


@dataclass(frozen=True)
class Episode:
    """What happened in one period.

    Parameters
    ----------
    period
        Name of the period.
    items
        Items that the system handled.
    reference
        The right answers.
    base
        What the system answered before it adapted.
    adapted
        What it answered in the end.
    task
        What the answers are, and how they are scored.
    answers
        What the expert answered, by question: the id of an item, or of a part of it.
    outcomes
        What each charge bought.
    all_right
        Whether an expert who corrects was satisfied in the end; `None` if no expert corrected.
    cost
        What was spent.
    seconds
        Time that the system took from the items to its final answers.
    """

    period: str
    items: tuple[Item, ...]
    reference: tuple[Any, ...]
    base: tuple[Any, ...]
    adapted: tuple[Any, ...]
    task: RunTask = field(repr=False, compare=False)
    answers: Mapping[str, Any] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()
    all_right: bool | None = None
    cost: float = 0.0
    seconds: float = 0.0

    @cached_property
    def counts(self) -> HypothesisCounts:
        """The hypotheses of the period, counted: they give the intervals of the penalised score and of the gain."""
        return self.task.hypotheses(self.items, self.adapted, self.base, self.answers)

    @cached_property
    def score(self) -> PenalisedScore:
        """The penalised score of the period (Prokopalo et al. 2020, equation 1)."""
        return self.counts.score()


class BudgetSpentError(Exception):
    """No correction can be paid any more, so people are not asked what they believe."""


class Exchanges:
    """Asks the expert for a system, charges for it, and hands the answers over, also those that come later.

    Parameters
    ----------
    session
        The system.
    expert
        Who answers.
    ledger
        Where charges go.
    mode
        on-line or off-line.
    """

    def __init__(self, session: Session, expert: Expert, ledger: Ledger, mode: AdaptationMode) -> None:
        self.session, self.expert, self.ledger, self.mode = session, expert, ledger, mode
        self.late: list[tuple[int, Item]] = []  # periods still to wait, labelled item
        self.outcomes: list[Outcome] = []
        self.answers: dict[str, Any] = {}
        self._number = 0

    def begin_period(self) -> None:
        """Hand over the answers that arrive now, and begin to count anew."""
        self.outcomes, self.answers = [], {}
        self.late = [(wait - 1, item) for wait, item in self.late]
        arrived = [item for wait, item in self.late if wait <= 0]
        self.late = [(wait, item) for wait, item in self.late if wait > 0]
        if arrived:
            self.session.adapt(arrived, "answers")

    def questions(
        self,
        pool: dict[str, Item],
        hypotheses: Mapping[str, Any],
        period: str,
        after: Callable[[], None] = lambda: None,
    ) -> None:
        """Let the system ask about items of the pool until it stops or the budget does; asked items leave the pool."""
        while pool and (most := self.ledger.most(self.expert.price(id) for id in pool)):
            before = len(self.ledger)
            self.session.ask(pool, most, self.mode, partial(self._charge, "question", period))
            charged = self.ledger.charges[before:]
            if not charged:
                return
            items = [pool.pop(str(entry.id)) for entry in charged]
            self._number += 1
            shown = [hypotheses.get(item.id) for item in items]
            replies = self.session.keep(
                "replies", [self._number, [item.id for item in items]], partial(self._replies, items, shown)
            )
            now: list[Item] = []
            for entry, item, (label, delay) in zip(charged, items, replies, strict=True):
                self._take(entry.number, item, label, delay, now)
            if now:
                self.session.adapt(now, "answers")
                after()

    def corrected(self, items: Sequence[Item], period: str) -> tuple[list[Any], bool]:
        """Let the expert correct the first wrong item, again and again, until all is right or the budget is spent.

        Returns
        -------
        tuple
            What the system answers in the end, and whether the expert has nothing left to correct.
        """
        task = self.session.task
        owners, questions = zip(*task.questions(items), strict=True)
        place = {question.id: at for at, question in enumerate(questions)}
        replies: dict[str, ExpertReply] = {}
        current: list[Any] = []
        stale = True
        self._number += 1
        number = self._number

        def predict() -> list[Any]:
            nonlocal current, stale
            if stale:
                current, stale = self.session.predict(items), False
            return current

        first = [task.shown(question, predict()[at]) for at, question in zip(owners, questions, strict=True)]

        def believed(question: Item, before: int) -> Any:
            if self.expert.is_simulated:  # one that tires may believe otherwise later
                replies[question.id] = self.expert.belief(number, questions, first, place[question.id], before)
            elif question.id not in replies:
                if not any(self.ledger.can_pay(self.expert.price(other.id)) for other in questions):
                    raise BudgetSpentError  # nobody need look further
                label = self.session.keep(
                    "belief",
                    [number, question.id],
                    lambda: self.expert.belief(number, questions, first, place[question.id], before).label,
                )
                replies[question.id] = ExpertReply(label)
            return replies[question.id].label

        try:
            for question, label in corrections(
                questions, lambda: [predict()[at] for at in owners], believed, task.differs
            ):
                if not self.ledger.can_pay(self.expert.price(question.id)):
                    return predict(), False
                # kept before the system learns of it, so that it is never charged twice
                self.session.keep(
                    "correction", [question.id], [question.id].copy, partial(self._charge, "correction", period)
                )
                now: list[Item] = []
                self._take(len(self.ledger), question, label, replies[question.id].delay, now)
                if now:
                    self.session.adapt(now, "correction")
                    stale = True
        except BudgetSpentError:
            return predict(), False
        return predict(), True

    def _charge(self, kind: ChargeKind, period: str, ids: Sequence[str]) -> list[Charge]:
        """Charge in order, up to the first that cannot be paid."""
        made: list[Charge] = []
        for id in ids:
            entry = self.ledger.charge(kind, self.expert.price(id), period=period, id=id)
            if entry is None:
                break
            made.append(entry)
        return made

    def _replies(self, items: Sequence[Item], hypotheses: Sequence[Any]) -> list[list[Any]]:
        replies = self.expert.replies(self._number, items, hypotheses, len(self.answers))
        return [[reply.label, reply.delay] for reply in replies]

    def _take(self, number: int, item: Item, label: Any, delay: int, now: list[Item]) -> None:
        """Note what a charge bought; put the item among those to learn from now, or later."""
        self.outcomes.append(Outcome(number, label, delay))
        if label is None:
            return
        self.answers[item.id] = label
        if delay:
            self.late.append((delay, item.labelled(label)))
        else:
            now.append(item.labelled(label))


def online_episode(
    exchanges: Exchanges,
    items: tuple[Item, ...],
    reference: Sequence[Any],
    period: str,
    learning: Learning,
) -> Episode:
    """Handle the items of a period on-line: answer, adapt, ask or be corrected, answer again.

    Parameters
    ----------
    exchanges
        System, expert and ledger.
    items
        Items of the period.
    reference
        The right answers, for the score.
    period
        Name of the period.
    learning
        active: the system asks; interactive: the expert corrects; unsupervised: neither.
    """
    session, ledger, task = exchanges.session, exchanges.ledger, exchanges.session.task
    seconds, spent = session.seconds, ledger.spent
    exchanges.begin_period()
    base = session.predict(items)
    session.adapt(items, "batch")
    all_right = None
    if learning == "interactive":
        adapted, all_right = exchanges.corrected(items, period)
    else:
        if learning == "active":
            asked = task.questions(items)
            hypotheses = {question.id: task.shown(question, base[at]) for at, question in asked}
            exchanges.questions({question.id: question for _, question in asked}, hypotheses, period)
        adapted = session.predict(items)
    return Episode(
        period,
        items,
        tuple(reference),
        tuple(base),
        tuple(adapted),
        task,
        dict(exchanges.answers),
        tuple(exchanges.outcomes),
        all_right,
        ledger.spent - spent,
        session.seconds - seconds,
    )
