"""A system run over a stream: every version tested on every period, every question charged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.choices import AdaptationMode, Learning
from justesse.lifelong.episode import Episode, Exchanges, online_episode
from justesse.lifelong.experts.expert import AnswersPendingError, Expert
from justesse.lifelong.item import Item
from justesse.lifelong.ledger import Ledger
from justesse.lifelong.session import Mark, Session
from justesse.lifelong.stream import PeriodBatch, Stream

CURVE_POINTS = 50  # of a curve within a budget, at most


@dataclass(frozen=True)
class TestedVersion:
    """A version of the system and its answers to all test items.

    Parameters
    ----------
    name
        v0 before the first period, v1 after it, and so on.
    trained
        Time of its training, as it is written.
    predictions
        Its answers, in the order of the test items of the stream.
    """

    name: str
    trained: str
    predictions: tuple[Any, ...]


@dataclass(frozen=True)
class CurvePoint:
    """The score on all test items after an amount was spent."""

    cost: float
    score: float
    n: int


@dataclass(frozen=True)
class RestartedEpisode:
    """A version that meets the test items of a period with an expert's help, beginning from its own state (M_ij)."""

    version: str
    trained: str
    episode: Episode


@dataclass(frozen=True)
class RunRecord:
    """All that happened in a run.

    Parameters
    ----------
    episodes
        One per period that is over.
    versions
        The versions so far, tested on all periods.
    curve
        Score against cost.
    restarted
        Each version with help in each period that counts for it, if that was asked for.
    ledger
        Every charge.
    skipped_rounds
        Periods whose off-line round could not be paid.
    pending
        Questions that people have not answered yet; the run goes on once they have.
    """

    episodes: tuple[Episode, ...]
    versions: tuple[TestedVersion, ...]
    curve: tuple[CurvePoint, ...]
    restarted: tuple[RestartedEpisode, ...]
    ledger: Ledger
    skipped_rounds: tuple[str, ...] = ()
    pending: AnswersPendingError | None = None


class StreamRun:
    """A run over a stream.

    Parameters
    ----------
    session
        The system.
    stream
        What it meets.
    expert
        Who answers.
    ledger
        Where charges go, with the budget.
    mode
        on-line: the system adapts while it handles a batch, and asks only about it. off-line: it answers first, and
        then adapts to all items so far.
    learning
        active, interactive or unsupervised.
    round_cost
        Fixed cost of an off-line round.
    restart_budget
        Most that each restarted episode may spend. Default: no limit.
    restarts
        Whether each version also meets every test period with the expert's help, from its own state.
    progress
        Called with the number of periods done and of all.
    """

    def __init__(
        self,
        session: Session,
        stream: Stream,
        expert: Expert,
        ledger: Ledger,
        *,
        mode: AdaptationMode = "on-line",
        learning: Learning = "active",
        round_cost: float = 0.0,
        restarts: bool = False,
        restart_budget: float | None = None,
        progress: Callable[[int, int], Any] = lambda done, whole: None,
    ) -> None:
        self._session, self._stream, self._ledger = session, stream, ledger
        self._exchanges = Exchanges(session, expert, ledger, mode)
        self._mode, self._learning, self._round_cost = mode, learning, round_cost
        self._restarts, self._restart_budget, self._progress = restarts, restart_budget, progress
        self._pool: dict[str, Item] = {}
        self._hypotheses: dict[str, Any] = {}
        self._episodes: list[Episode] = []
        self._versions: list[TestedVersion] = []
        self._curve: list[CurvePoint] = []
        self._restarted: list[RestartedEpisode] = []
        self._skipped: list[str] = []

    def run(self) -> RunRecord:
        """Run to the end, or until people have to answer."""
        batches, pending = self._stream.batches, None
        try:
            if self._stream.initial:
                self._session.adapt(self._stream.initial, "initial")
            self._version(0, self._stream.trained)
            for at, batch in enumerate(batches):
                self._progress(at, len(batches))
                self._episodes.append(self._online(batch) if self._mode == "on-line" else self._offline(batch))
                self._version(at + 1, batch.trained)
        except AnswersPendingError as waiting:
            pending = waiting
        return RunRecord(
            tuple(self._episodes),
            tuple(self._versions),
            tuple(self._curve),
            tuple(self._restarted),
            self._ledger,
            tuple(self._skipped),
            pending,
        )

    def _online(self, batch: PeriodBatch) -> Episode:
        reference = self._stream.labels_of(batch.items)
        return online_episode(self._exchanges, batch.items, reference, batch.period, self._learning)

    def _offline(self, batch: PeriodBatch) -> Episode:
        """Answer the items of a period, then adapt to all so far, with questions about any of them."""
        session, exchanges, ledger = self._session, self._exchanges, self._ledger
        seconds, spent = session.seconds, ledger.spent
        exchanges.begin_period()
        answered = session.predict(batch.items)
        for at, question in session.task.questions(batch.items):
            self._hypotheses[question.id] = session.task.shown(question, answered[at])
            self._pool[question.id] = question
        response = session.seconds - seconds
        if ledger.can_pay(self._round_cost):
            session.keep("round", batch.period, lambda: None, lambda _: self._round(batch.period))
            session.adapt(batch.items, "batch")
            if self._learning == "active":
                exchanges.questions(self._pool, self._hypotheses, batch.period, self._point)
        else:
            self._skipped.append(batch.period)
        return Episode(
            batch.period,
            batch.items,
            tuple(self._stream.labels_of(batch.items)),
            tuple(answered),
            tuple(answered),
            session.task,
            {},
            tuple(exchanges.outcomes),
            None,
            ledger.spent - spent,
            response,
        )

    def _round(self, period: str) -> list[Any]:
        """Charge the fixed cost of a round, if there is one."""
        return [self._ledger.charge("round", self._round_cost, period=period)] if self._round_cost else []

    def _version(self, number: int, trained: str) -> None:
        """Test the present version on all test items, and restart it on those that count for it."""
        name = f"v{number}"
        tests = self._stream.tests
        predictions = self._session.predict(tests) if tests else []
        self._versions.append(TestedVersion(name, trained, tuple(predictions)))
        if tests:
            self._add_point(predictions)
        mark = self._session.mark(name)
        if self._restarts:
            self._restart(number, name, trained, mark)

    def _restart(self, number: int, name: str, trained: str, mark: Mark) -> None:
        for batch in self._stream.batches[: number + 1]:
            if not batch.tests:
                continue
            self._session.back_to(mark)
            exchanges = Exchanges(self._session, self._exchanges.expert, Ledger(self._restart_budget), "on-line")
            reference = self._stream.labels_of(batch.tests)
            episode = online_episode(exchanges, batch.tests, reference, batch.period, self._learning)
            self._restarted.append(RestartedEpisode(name, trained, episode))
        self._session.back_to(mark)

    def _point(self) -> None:
        """Test on the way, when enough was spent since the last point of the curve."""
        budget, tests = self._ledger.budget, self._stream.tests
        step = 0.0 if budget is None else budget / CURVE_POINTS
        if tests and self._ledger.spent - self._curve[-1].cost >= step:
            self._add_point(self._session.predict(tests))

    def _add_point(self, predictions: Sequence[Any]) -> None:
        """Add a point to the curve; the last one at the same cost counts."""
        tests, task = self._stream.tests, self._session.task
        score = float(task.value(task.own(tests, predictions).sum(axis=0)))
        point = CurvePoint(self._ledger.spent, score, len(tests))
        if self._curve and self._curve[-1].cost == point.cost:
            self._curve.pop()
        self._curve.append(point)
