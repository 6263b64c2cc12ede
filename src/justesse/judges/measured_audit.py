"""Plan an audit of a measure other than accuracy: which rows count, what they may add, and what would settle it."""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.results import tail_levels
from justesse.core.seeds import check_seed, stream
from justesse.intervals.drawn_total import in_parts
from justesse.intervals.ends import z_value
from justesse.judges.audit_payoffs import FEWEST, Payoffs
from justesse.judges.audit_plan import Answer, AuditPlan, Gain, GainRange
from justesse.judges.audit_strata import DOUBT, drawn_order, suspicion_numbers, suspicion_parts
from justesse.judges.audit_targets import EXPERT_SHARE, QUESTIONS, About, Target, mistakes, shares
from justesse.judges.quantity import COST

SIZES = 3  # groups of rows by how much they can add, each a quarter of the one before
NARROW = 1e-9  # half the range of rows that add the same whatever their true class is
WORTH, WRONG = 8.0, 0.1  # answers that the prior is worth, and the share of labels it expects to be wrong
DIRECTIONS = ("can only win", "can win or lose", "can only lose")


@dataclass(frozen=True, kw_only=True)
class MeasuredPlan(AuditPlan):
    """An audit of the rows that can change the difference of a measure.

    Totals are in units of the row that can add most. Every stratum has rows that may add between `centre - scale` and
    `centre + scale`; the sequence follows what they add beyond the centre. `weights`, one per row, multiply what the
    rows add; without them all rows count alike.
    """

    margin_below: ClassVar[float] = inf  # a cost may be of any size

    payoffs: Payoffs
    centre: Array
    scale: Array
    weights: Array | None = None

    @cached_property
    def unit(self) -> float:
        """What one of the rows adds to the measure at most."""
        least, most = (
            each * self._weight for each in (self.payoffs.least[self._answers], self.payoffs.most[self._answers])
        )
        return float(np.maximum(np.abs(least), most).max()) if len(least) else 1.0

    @property
    def divisor(self) -> float:
        return 1 / self.unit

    @property
    def measure(self) -> str:
        return self.payoffs.asked.words + (" under the policy" if self.weights is not None else "")

    @property
    def difference(self) -> str:
        return f"difference in {self.measure}" + (" per row" if self.payoffs.asked.name == COST else "")

    @property
    def whole(self) -> bool:
        return False

    @property
    def counts_within(self) -> float | None:
        return self.payoffs.counts_within if self.payoffs.counts_classes else None

    @property
    def fewest_labels(self) -> int:
        return self.payoffs.fewest

    @property
    def further_assumptions(self) -> tuple[str, ...]:
        normal = "for the population: the test set is large enough for a normal approximation of the difference"
        if self.counts_within is None:
            return (normal,)
        share = f"{100 * self.counts_within:g} %"
        least = f", and at least {FEWEST} rows" if self.counts_within else ""
        return (f"the number of rows of each class is that of the labels, give or take {share}{least}", normal)

    @property
    def reach(self) -> float:
        return self.payoffs.reach

    @property
    def widest(self) -> float:
        ends = self.ends("test set", np.array([-np.inf]), np.array([np.inf]))
        return float(np.max(np.abs(ends)))

    @cached_property
    def offset(self) -> float:
        return float((self.sizes * self.centre).sum())

    @cached_property
    def _answers(self) -> tuple[Array, Array]:
        return self.payoffs.column(self.incumbent), self.payoffs.column(self.candidate)

    @property
    def _weight(self) -> Array:
        """How much each row counts."""
        return np.ones(len(self.rows)) if self.weights is None else self.weights

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the difference over test sets drawn from the population."""
        if self.weights is None:
            return self.payoffs.spread
        return float(np.sqrt((np.maximum(np.abs(self.least), np.abs(self.most)) ** 2).sum())) * self.unit

    @cached_property
    def least(self) -> Array:
        """The least that each row can add, in units."""
        return np.asarray(self.payoffs.least[self._answers] * self._weight / self.unit)

    @cached_property
    def most(self) -> Array:
        """The most that each row can add, in units."""
        return np.asarray(self.payoffs.most[self._answers] * self._weight / self.unit)

    def values(self, true: ArrayLike) -> Array:
        """Return what each row adds if these are the true classes; the middle of its range where that is unknown."""
        gains = self.payoffs.gains[(*self._answers, self.payoffs.column(true))] * self._weight / self.unit
        return np.where(np.isnan(gains), (self.least + self.most) / 2, gains)

    def gain(self, row: int, answer: Answer) -> Gain:
        """Return what a row adds, or the range of it where several true classes are possible.

        Several right classes mean that the true one is among them; none, that it is neither of the two answers.
        """
        if answer is None or row not in self.place:
            return None
        if isinstance(answer, GainRange):
            return answer if answer.low < answer.high else answer.low
        at = self.place[row]
        old, new = self._answers[0][at], self._answers[1][at]
        every = self.payoffs.gains[old, new] * self._weight[at] / self.unit
        if isinstance(answer, frozenset) and not answer:
            other = np.ones(len(every), dtype=bool)
            other[[old, new]] = False
            gains = every[other]
        else:
            classes = list(answer) if isinstance(answer, frozenset) else [answer]
            gains = every[self.payoffs.column(classes)]
        if not len(gains) or np.isnan(gains).all():
            return GainRange(float(self.least[at]), float(self.most[at]))
        low, high = float(np.nanmin(gains)), float(np.nanmax(gains))
        if np.isnan(gains).any() and (not isinstance(answer, frozenset) or answer):
            low, high = float(self.least[at]), float(self.most[at])
        return low if low == high else GainRange(low, high)

    def span(self, row: int) -> tuple[float, float]:
        at = self.place[row]
        return float(self.least[at]), float(self.most[at])

    @cached_property
    def targets(self) -> dict[About, Target]:
        """The totals, less the offset, that would settle each question."""
        return {about: self._target(about) for about in QUESTIONS}

    def _target(self, about: About) -> Target:
        risk, sampling = shares(self.level, self.alternative, self.expert_error, about)
        wrong = 0.0
        if self.expert_error:
            tail = EXPERT_SHARE * max(tail_levels(self.level, self.alternative))
            count = int(mistakes(self.disputed, self.expert_error, tail))
            wrong = float(np.sort(self.most - self.least)[::-1][:count].sum())
        less, more = self._beyond(sampling)
        smallest, largest = self.payoffs.stretch

        def total(difference: float, side: int) -> float:
            """Return the total beyond which the difference lies on one side of this."""
            grown = difference > 0 if side > 0 else difference < 0
            return difference / (smallest if grown else largest) / self.unit + side * wrong - self.offset

        lower, upper, alike = total(self.margin + less, 1), total(self.margin - more, -1), total(less - self.margin, 1)
        return Target(np.array(lower), np.array(upper), np.array(alike), risk, sampling, np.array(wrong))

    def _beyond(self, sampling: float) -> tuple[float, float]:
        """How far the difference may be from the sum of the gains, downwards and upwards."""
        drawn = z_value(sampling) * self.spread if sampling else 0.0
        return self.payoffs.slack[0] + drawn, self.payoffs.slack[1] + drawn

    def ends(self, about: About, least: Array, most: Array) -> tuple[Array, Array]:
        goal = self.targets[about]
        less, more = self._beyond(goal.sampling)
        low = np.maximum(least + self.offset - float(goal.allowance), self.least.sum()) * self.unit
        high = np.minimum(most + self.offset + float(goal.allowance), self.most.sum()) * self.unit
        low = np.minimum(*(low * times for times in self.payoffs.stretch)) - less
        high = np.maximum(*(high * times for times in self.payoffs.stretch)) + more
        return np.clip(low, -self.reach, self.reach), np.clip(high, -self.reach, self.reach)


def plan_measured_audit(
    payoffs: Payoffs,
    label: ArrayLike,
    incumbent: ArrayLike,
    candidate: ArrayLike,
    *,
    n: int,
    suspicion: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    seed: int = 0,
    **rule: Any,
) -> MeasuredPlan:
    """Plan an audit of all rows whose true class can change the difference of a measure.

    Parameters
    ----------
    payoffs
        What each true class makes of a row.
    label, incumbent, candidate
        Class codes of the labels and of both classifiers' answers, one per row; rows that cannot change the difference
        are left out of the audit.
    n
        Number of rows in all.
    suspicion
        Any finite number per row that is higher where the label is more likely wrong.
    weights
        How much each row counts, 0 or more: multiplies what it adds. Rows without weight are left out. Default: 1.
    seed
        Seed of the order of the questions.
    **rule
        Level, margin, alternative, expert's error, budget, question and futility, as for `plan_audit`.

    Returns
    -------
    MeasuredPlan
        The rows to ask about, their strata and order, and the rule to stop.

    Notes
    -----
    The sum of the gains is a total over a finite set of rows, drawn without replacement from strata with known
    chances. What a row of a stratum adds is known to lie in a range before its true class is. So the bets of
    `ConfidenceSequence` are fair for it whatever the labels, the predictions and the true classes are, and the bounds
    hold at every look (Ville, 1939). For recall, F1 and their macro averages they hold for the sum of the gains with
    the class counts by label; `Payoffs` widens them for all class counts assumed possible. For the population, the
    standard deviation over test sets is added (normal approximation), with a fifth of the risk for the answers.

    Examples
    --------
    >>> from justesse.judges.audit_payoffs import payoffs
    >>> label, old, new = [0, 0, 1, 1, 0], [1, 0, 1, 0, 1], [0, 0, 0, 1, 1]
    >>> cells = np.stack([label, old, new, [1] * 5], -1)
    >>> plan = plan_measured_audit(payoffs("recall:a", ["a", "b"], cells), label, old, new, n=5)
    >>> plan.rows.tolist(), plan.values([0, 0, 0]).tolist(), plan.guess.tolist()
    ([0, 2, 3], [1.0, 1.0, -1.0], [1.0, 0.0, 0.0])
    """
    codes = [np.asarray(entry) for entry in (label, incumbent, candidate)]
    if len({code.shape for code in codes}) > 1 or codes[0].ndim != 1:
        raise InputError(
            f"Labels and both classifiers need one class per row; got shapes {[code.shape for code in codes]}."
        )
    matters = payoffs.matters[payoffs.column(codes[1]), payoffs.column(codes[2])]
    heavy = None if weights is None else np.asarray(weights, dtype=float)
    if heavy is not None:
        if heavy.shape != codes[0].shape or not (np.isfinite(heavy) & (heavy >= 0)).all():
            raise InputError("Each row needs a weight, a finite number of 0 or more.")
        matters = matters & (heavy > 0)
    rows = np.flatnonzero(matters)
    kept = [code[rows] for code in codes]
    shell: dict[str, Any] = {"payoffs": payoffs, "n": n, "seed": check_seed(seed), **rule}
    shell["weights"] = None if heavy is None else heavy[rows]
    nothing = np.zeros(0)
    bare = MeasuredPlan(
        rows=rows, label=kept[0], incumbent=kept[1], candidate=kept[2], stratum=np.zeros(len(rows), dtype=int),
        order=np.zeros(len(rows), dtype=int), strata=("",), prior=nothing, centre=nothing, scale=nothing, **shell,
    )  # fmt: skip
    parts = np.zeros(len(rows), dtype=int)
    if suspicion is not None:
        parts = suspicion_parts(suspicion_numbers(suspicion, len(codes[0]))[rows])
    stratum, strata, prior, centre, scale = _strata(bare, parts)
    order = drawn_order(stratum, len(strata), stream(seed, "audit", "order"))
    return MeasuredPlan(
        rows=rows, label=kept[0], incumbent=kept[1], candidate=kept[2], stratum=stratum, order=order, strata=strata,
        prior=prior, centre=centre, scale=scale, **shell,
    )  # fmt: skip


def _strata(plan: MeasuredPlan, parts: Array) -> tuple[Array, tuple[str, ...], Array, Array, Array]:
    """Divide rows by what they can add, by what the label says they add, and by suspicion; no stratum is empty."""
    low, high, guess = plan.least, plan.most, plan.guess
    if not len(low):
        return np.zeros(0, dtype=int), ("",), np.ones((1, 3)), np.zeros(1), np.ones(1)
    size = np.maximum(np.abs(low), np.abs(high))
    grade = np.minimum(np.floor(-np.log(size) / np.log(4) + 1e-9), SIZES - 1).astype(int)
    direction = np.where(low >= 0, 0, np.where(high > 0, 1, 2)) + 3 * (plan.incumbent == plan.candidate)
    groups, group = np.unique(direction * SIZES + grade, return_inverse=True)
    bottom = np.array([low[group == at].min() for at in range(len(groups))])
    top = np.array([high[group == at].max() for at in range(len(groups))])
    centre, scale = (bottom + top) / 2, np.maximum((top - bottom) / 2, NARROW)
    expected = np.clip((guess - centre[group]) / scale[group], -1, 1)
    says = np.rint(expected).astype(int)
    keys, stratum = np.unique((group * 3 + says + 1) * 3 + parts, return_inverse=True)
    of_group, part_of = keys // 9, keys % 3
    names = tuple(
        f"{DIRECTIONS[groups[key // 9] // SIZES % 3]}, size {groups[key // 9] % SIZES}, label says {key // 3 % 3 - 1}, "
        f"suspicion {key % 3}"
        for key in keys.tolist()
    )
    doubt = np.array(DOUBT[int(parts.max(initial=0)) + 1])[part_of]
    prior = np.stack([_prior(expected[stratum == at], doubt[at]) for at in range(len(keys))])
    return stratum.astype(int), names, prior, centre[of_group], scale[of_group]


def _prior(expected: Array, doubt: float) -> Array:
    """Return the prior counts of -1, 0 and 1: what the labels say, but for some that are wrong."""
    wrong = min(WRONG * doubt, 0.6)
    return np.asarray(WORTH * ((1 - wrong) * in_parts(expected).mean(0) + wrong / 3))
