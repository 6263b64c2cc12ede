"""An audit in progress: questions and answers come in any order, and nothing is worked out twice."""

from collections.abc import Iterable, Mapping, Sequence

from justesse.judges.audit_plan import Answer, AuditPlan, Gain
from justesse.judges.audit_questions import Drawing, Question
from justesse.judges.audit_state import AuditRun, AuditState
from justesse.judges.audit_stop import Stop


class AuditProgress:
    """Follow an audit as questions are drawn and answered, in any order.

    Only answers before the first open question count, the others wait. An answer that was changed is taken as if it
    had been given at first: what followed from it is worked out again.

    >>> from justesse.judges.audit_plan import plan_audit
    >>> label, incumbent, candidate = [0] * 90, [1] * 30 + [0] * 60, [0] * 30 + [1] * 5 + [0] * 55
    >>> progress = AuditProgress(plan_audit(label, incumbent, candidate))
    >>> while not progress.stop:
    ...     for question in progress.draw(4):
    ...         progress.answer(question.row, 0)
    >>> progress.stop, progress.state().answered
    ('replace', 8)
    """

    def __init__(
        self, plan: AuditPlan, drawn: Sequence[Question] = (), answers: Mapping[int, Answer] | None = None
    ) -> None:
        self.plan = plan
        self.gains = {row: plan.gain(row, answer) for row, answer in (answers or {}).items()}
        self.drawing = Drawing(plan)
        self.run = AuditRun(plan)
        self.turns: dict[int, int] = {}
        self.open: dict[int, Question] = {}
        self.add(drawn)

    @property
    def drawn(self) -> list[Question]:
        return self.drawing.drawn

    @property
    def stop(self) -> Stop:
        """Why the audit stops, or "" if it goes on."""
        return self.run.stop

    def state(self) -> AuditState:
        """Return the state of the audit."""
        waiting = len(self.drawn) - len(self.open) - self.run.taken
        return self.run.state(asked=len(self.drawn), waiting=waiting)

    def next(self, count: int = 1) -> list[Question]:
        """Choose up to so many questions; they are not added."""
        return self.drawing.next(count)

    def draw(self, count: int = 1) -> list[Question]:
        """Draw up to so many questions more."""
        new = self.next(count)
        self.add(new)
        return new

    def add(self, questions: Iterable[Question]) -> None:
        """Add questions that were drawn, some of which may be answered already."""
        for question in questions:
            self.drawing.add([question])
            self.turns[question.row] = len(self.drawn)
            if question.row in self.gains:
                self.drawing.judged(question.stratum, self.gains[question.row])
            else:
                self.open[question.row] = question
        self._advance()

    def answer(self, row: int, answer: Answer) -> None:
        """Add or replace the answer that counts for a row."""
        self._settle(row, [self.plan.gain(row, answer)])

    def forget(self, row: int) -> None:
        """Remove the answer of a row."""
        self._settle(row, [])

    def _settle(self, row: int, gain: list[Gain]) -> None:
        turn = self.turns.get(row)
        before = [self.gains.pop(row)] if row in self.gains else []
        if gain:
            self.gains[row] = gain[0]
        if turn is None or gain == before:
            return
        question = self.drawn[turn - 1]
        for value in before:
            self.drawing.judged(question.stratum, value, -1)
        for value in gain:
            self.drawing.judged(question.stratum, value)
        if gain:
            self.open.pop(row, None)
        else:
            self.open = {item.row: item for item in self.drawn if item.row not in self.gains}
        if turn <= self.run.taken:
            self.run = AuditRun(self.plan)
        self._advance()

    def _advance(self) -> None:
        """Add the answers up to the first open question."""
        start = end = self.run.taken
        while end < len(self.drawn) and self.drawn[end].row in self.gains:
            end += 1
        ready = self.drawn[start:end]
        self.run.take_all(ready, [self.gains[item.row] for item in ready])
