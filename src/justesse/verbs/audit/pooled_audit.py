"""An audit of several classifiers: one pool of answers serves all pairs."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.class_sets import split_classes
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.judges.pool_goal import PoolGoal
from justesse.judges.pool_plan import PoolAnswer, PoolPlan
from justesse.judges.pool_progress import PoolProgress
from justesse.judges.pool_run import PoolStop
from justesse.judges.pool_scores import Credits, Right
from justesse.store.answers import Entry, Kind
from justesse.store.pooled_rows import PooledRow
from justesse.store.settled import Settled
from justesse.verbs.audit.base_audit import NO_WINNER, BaseAudit
from justesse.verbs.audit.pooled_credit import padded_codes


@dataclass(frozen=True)
class PoolState:
    """How far an audit of several classifiers is."""

    stop: PoolStop
    answered: int
    waiting: int
    asked: int
    budget: int
    disputed: int
    n: int
    cannot_say: int

    @property
    def most(self) -> int:
        """How many questions there can be."""
        return min(self.budget, self.disputed)

    @property
    def decision(self) -> str:
        """Whether the goal is settled."""
        return "settled" if self.stop == "settled" else "cannot_tell"

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.decision,
            "stop": self.stop or None,
            "answered": self.answered,
            "cannot_say": self.cannot_say,
            "waiting": self.waiting,
            "asked": self.asked,
            "budget": self.budget,
            "questions_at_most": self.most,
            "disputed": self.disputed,
            "n": self.n,
        }


class PooledAudit(BaseAudit):
    """An audit of several classifiers."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the classifiers."""
        return tuple(self.about["models"])

    @cached_property
    def plan(self) -> PoolPlan:
        about, table = self.about, self.about.get("credit")
        labels = [self._label_code(row) for row in self.disputes]
        return PoolPlan(
            n=about["n"],
            label=np.array(labels, dtype=np.int64),
            answers=self._codes(),
            table=None if table is None else np.array(table, dtype=float),
            recorded=self._recorded(),
            goal=PoolGoal.parse(about["goal"], len(self.models), about["incumbent"]),
            level=about["level"],
            expert_error=about["expert_error"],
            budget=min(about["budget"], len(labels)),
            seed=about["seed"],
        )

    @property
    def measure(self) -> str:
        """What is compared: accuracy, the pass rate over samples, or a score with partial credit."""
        if not self.plan.graded:
            return "accuracy"
        return "pass_rate" if self.plan.table is None and self.plan.recorded is None else "score"

    def all_or_nothing(self, entries: Iterable[Entry]) -> list[str]:
        """List the ids of answers that name classes where the data record scores: those get 1, all others 0."""
        rows = (self.disputes[entry.row] for entry in entries if entry.kind in ("answer", "several"))
        return [row.id for row in rows if row.credits is not None]

    def check_kind(self, kind: Kind) -> None:
        if not self.plan.graded:
            super().check_kind(kind)

    def _codes(self) -> Array:
        """Return the codes of all answers, by classifier and row; by sample, too, if there are several."""
        samples = [[[self.codes[identity(name)] for name in own] for own in row.samples] for row in self.disputes]
        if any(isinstance(own, tuple) for row in self.disputes for own in row.answers):
            return padded_codes(samples)
        return np.array(samples, dtype=np.int64).reshape(-1, len(self.models)).T

    def _recorded(self) -> tuple[dict[int, float], ...] | None:
        """Return the credits that answers got in the data, if there are any."""
        if not any(row.credits is not None for row in self.disputes):
            return None
        return tuple(
            {self.codes[identity(name)]: credit for name, credit in row.credits or ()} for row in self.disputes
        )

    def _label_code(self, row: PooledRow) -> int:
        """Return the code of the label; none if it accepts several classes, or if answers have credits instead."""
        if row.credits is not None:
            return NO_WINNER
        parts = split_classes(row.label, self.separator) if isinstance(row.label, str) else []
        if self.about.get("label_sets") and len(parts) > 1:
            return NO_WINNER
        return self.codes[identity(row.label)]

    @property
    def progress(self) -> PoolProgress:
        if self._progress is None:
            self._progress = PoolProgress(self.plan, self._drawn, self.answers)
        progress: PoolProgress = self._progress
        return progress

    @property
    def state(self) -> PoolState:
        if self._state is None:
            progress, plan = self.progress, self.plan
            self._state = PoolState(
                progress.stop,
                progress.run.taken,
                progress.waiting,
                len(progress.drawn),
                plan.budget,
                plan.disputed,
                plan.n,
                progress.run.cannot_say,
            )
        state: PoolState = self._state
        return state

    def _answer(self, settled: Settled) -> PoolAnswer:
        """Return the sets of right classes that are possible: one if people agree, `None` if nobody could answer."""
        if settled.counts is not None:
            return (self._right(settled.counts),)
        if settled.tied and self.experts != "majority":
            return tuple(dict.fromkeys(self._right(entry) for entry in settled.possible))
        return None

    def _right(self, entry: Entry) -> Right:
        if entry.kind == "credit":
            return Credits.of({self.codes[identity(name)]: credit for name, credit in entry.credits})
        return frozenset(self.codes[identity(name)] for name in entry.classes)

    def blind(self, row: PooledRow) -> tuple[ClassName, ...]:
        """Return the different answers, in an order that does not depend on who gave which."""
        return tuple(sorted(row.different, key=lambda name: self.order[identity(name)]))

    def is_whole(self) -> bool:
        return self.has_rows_of_its_answers() and all(len(row.answers) == len(self.models) for row in self.disputes)
