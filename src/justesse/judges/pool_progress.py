"""A pooled audit in progress: questions and answers come in any order, and only answers in the order drawn count."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from justesse.judges.audit_questions import Question
from justesse.judges.pool_draw import PoolDesign, next_question
from justesse.judges.pool_plan import PoolAnswer, PoolPlan
from justesse.judges.pool_run import PoolRun, PoolStop

AGAIN = 8  # questions after which the chances are worked out anew, if the same pairs are open


class PoolProgress:
    """Follow a pooled audit as questions are drawn and answered, in any order.

    Only answers before the first open question count, the others wait. An answer that was changed is taken as if it
    had been given at first: what followed from it is worked out again.

    >>> from justesse.judges.pool_plan import plan_pool
    >>> answers = [[1] * 60 + [0] * 60, [0] * 60 + [1] * 30 + [0] * 30, [0] * 118 + [1] * 2]
    >>> progress = PoolProgress(plan_pool([0] * 120, answers)[0])
    >>> while not progress.stop:
    ...     for question in progress.draw(4):
    ...         progress.answer(question.row, (frozenset([0]),))
    >>> progress.stop, progress.run.tiers()
    ('settled', [[2], [1], [0]])
    """

    def __init__(
        self, plan: PoolPlan, drawn: Sequence[Question] = (), answers: Mapping[int, PoolAnswer] | None = None
    ) -> None:
        self.plan = plan
        self.answers: dict[int, PoolAnswer] = dict(answers or {})
        self.run = PoolRun(plan)
        self.drawn: list[Question] = []
        self.turns: dict[int, int] = {}
        self.open: dict[int, Question] = {}
        self.used = np.zeros(plan.disputed, dtype=bool)
        self._design: PoolDesign | None = None  # of the last question, and how many were drawn by it
        self._words: tuple[float, ...] = ()
        self._since = 0
        self.add(drawn)

    @property
    def stop(self) -> PoolStop:
        """Why the audit stops, or "" if it goes on."""
        return self.run.stop

    @property
    def waiting(self) -> int:
        """How many answers wait for an earlier question."""
        return len(self.drawn) - len(self.open) - self.run.taken

    def next(self, count: int = 1) -> list[Question]:
        """Choose up to so many questions; they are not added.

        The same questions and answers so far give the same ones next, however often the audit was read from its file.
        """
        used, results, since = self.used.copy(), list[Question](), self._since
        design = self._design
        while len(results) < count and len(self.drawn) + len(results) < self.plan.budget:
            design, since = self._current(design, since)
            question = next_question(design, used, float(self.plan.luck[len(self.drawn) + len(results)]))
            if question is None:
                break
            since += 1
            used[question.row] = True
            results.append(question)
        return results

    def draw(self, count: int = 1) -> list[Question]:
        """Draw up to so many questions more."""
        new = self.next(count)
        self.add(new)
        return new

    def add(self, questions: Iterable[Question]) -> None:
        """Add questions that were drawn, some of which may be answered already."""
        for question in questions:
            self.drawn.append(question)
            self.turns[question.row] = len(self.drawn)
            self.used[question.row] = True
            words = question.weights[1:]
            if self._design is None or words != self._words:
                self._design, self._words, self._since = PoolDesign.read(self.plan, words), words, 0
            self._since = self._since % AGAIN + 1
            if question.row not in self.answers:
                self.open[question.row] = question
        self._advance()

    def answer(self, row: int, answer: PoolAnswer) -> None:
        """Add or replace the answer that counts for a row."""
        same = row in self.answers and self.answers[row] == answer
        self.answers[row] = answer
        self._settle(row, same)

    def forget(self, row: int) -> None:
        """Remove the answer of a row."""
        self._settle(row, self.answers.pop(row, "none") == "none")

    def _settle(self, row: int, same: bool) -> None:
        turn = self.turns.get(row)
        if turn is None or same:
            return
        if row in self.answers:
            self.open.pop(row, None)
        else:
            self.open = {item.row: item for item in self.drawn if item.row not in self.answers}
        if turn <= self.run.taken:
            self.run = PoolRun(self.plan)
        self._advance()

    def _advance(self) -> None:
        """Add the answers up to the first open question."""
        while self.run.taken < len(self.drawn) and self.drawn[self.run.taken].row in self.answers:
            question = self.drawn[self.run.taken]
            self.run.take(question, self.answers[question.row])

    def _current(self, last: PoolDesign | None, since: int) -> tuple[PoolDesign, int]:
        """Return the chances of the next draw, worked out anew when other pairs are open or some time has passed."""
        leads = self.run.leads
        if last is not None and np.array_equal(leads, last.leads):
            return last, since % AGAIN
        if last is None or since >= AGAIN or not np.array_equal(leads != 0, last.leads != 0):
            return PoolDesign(self.plan, leads), 0
        return last, since
