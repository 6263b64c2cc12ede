"""Whom to ask about which item next: the answers that are expected to bring a goal nearest for their price."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from justesse.annotators.asking_goals import Goal, accuracy, information
from justesse.annotators.consensus import Consensus
from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import AskingRule
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import stream

AT_ONCE = 4_000_000  # numbers handled at once
MOST_NUMBERS = 200_000_000  # numbers handled for all questions that are compared
LIKELY = 1e-300  # no answer is less likely
ROUNDING = 1e-15  # smaller gains, as shares of the value before, come from rounding
RESTLESS = 0.1  # what a nat of information counts beside a right class, where no single answer changes the class
MOST_PEOPLE = 1_000  # annotators that are compared
BRANCHES = 1_000  # answers that may be combined when an item is asked about several times


@dataclass(frozen=True)
class NextQuestion:
    """An item and an annotator, by codes, and what the answer is expected to gain after the questions before it.

    `gain` is that of the goal, `right` that of the chance that the item's most probable class is right.
    """

    item: int
    annotator: int
    gain: float
    price: float
    right: float


def usual_tables(fit: Consensus, *, prior: float = 4.0) -> FloatArray:
    """Give each annotator's table, class × answer, drawn towards the usual one by `prior` answers of each class.

    An annotator with few answers counts as a typical one, neither perfect nor hopeless.
    """
    support = fit.support
    if not support.whole:
        raise InputError("Choosing questions needs tables of all annotators; there are too many annotators or classes.")
    counts = np.asarray(support.tables.counts(fit.shares)).transpose(0, 2, 1)
    usual = counts.sum(axis=0) + 1.0 / counts.shape[1] + np.eye(counts.shape[1])
    usual /= usual.sum(axis=1, keepdims=True)
    smooth = counts + prior * usual
    return np.asarray(smooth / smooth.sum(axis=2, keepdims=True))


def expected_gains(goal: Goal, shares: FloatArray, items: Array, tables: FloatArray) -> FloatArray:
    """Compute the expected gain of one more answer to each item, from the annotator with the table at its place.

        Σ_a P(a)·value(p(·|a)) - value(p),    P(a) = Σ_k p_k·π(k, a)

    Parameters
    ----------
    goal
        What is wanted.
    shares
        Class probabilities p of each item now.
    items
        Codes of the items.
    tables
        Probabilities π of answers given the class, item × class × answer.

    Examples
    --------
    >>> careful, guessing = [[0.9, 0.1], [0.1, 0.9]], [[0.5, 0.5], [0.5, 0.5]]
    >>> shares = np.array([[0.6, 0.4], [0.6, 0.4]])
    >>> expected_gains(accuracy(), shares, np.arange(2), np.array([careful, guessing])).round(3).tolist()
    [0.3, 0.0]
    """
    gains = np.empty(len(items))
    step = max(AT_ONCE // shares.shape[1] ** 2, 1)
    for begin in range(0, len(items), step):
        part = slice(begin, begin + step)
        joint = (shares[part, :, None] * tables[part]).transpose(0, 2, 1)  # item, answer, class
        likely = joint.sum(axis=2)
        after = goal.value(joint / np.maximum(likely, LIKELY)[:, :, None], items[part])
        before = goal.value(shares[part], items[part])
        rise = (likely * after).sum(axis=1) - before
        gains[part] = np.where(rise > ROUNDING * np.abs(before), rise, 0.0)
    return gains


def next_questions(
    fit: Consensus,
    *,
    goal: Goal | None = None,
    rule: AskingRule = "gain",
    number: int = 10,
    prices: Sequence[float] | None = None,
    budget: float | None = None,
    askable: tuple[Array, Array] | None = None,
    seed: int = 0,
) -> list[NextQuestion]:
    """Plan questions that are asked together, the best for its price first.

    `gain` takes the question with the highest expected gain of the goal per price, then the best given that the first
    will be answered, and so on: an item may be asked about again if that is expected to be worth more than another
    item. `lam-stork` does the same with the information about the classes, whatever the goal. `uncertainty` asks about
    the item with most to gain, `round-robin` about the item with fewest answers, `random` about any.

    Parameters
    ----------
    fit
        The model of the annotators so far.
    goal
        What is wanted. Default: the accuracy of the consensus.
    rule
        How questions are chosen.
    number
        Largest number of questions.
    prices
        Price of an answer of each annotator. Default: 1 each.
    budget
        What the questions may cost together; questions that no longer fit are skipped. Default: no limit.
    askable
        Codes of items and annotators that may be asked. Default: all that have not answered yet, except about items
        with a gold class.
    seed
        Seed of the random draws.

    Returns
    -------
    list of NextQuestion
        Questions with their expected gains. The gains add up to what is expected of all of them.
    """
    aim = goal or accuracy()
    notes = fit.support.annotations
    cost = np.ones(notes.n_annotators) if prices is None else np.asarray(prices, dtype=float)
    if len(cost) != notes.n_annotators or not (np.isfinite(cost) & (cost > 0)).all():
        raise OptionError(f"One price above 0 is needed for each of {notes.n_annotators} annotators.")
    if number < 1:
        raise OptionError(f"The number of questions must be 1 or more; got {number!r}.")
    if budget is not None and not budget > 0:
        raise OptionError(f"The budget must be above 0; got {budget!r}.")
    ranked_by = information() if rule == "lam-stork" else aim
    shares = fit.dense()
    items, people = askable or _open_questions(fit, ranked_by, shares, number, cost, seed if rule in _BLIND else None)
    plan = _Plan(fit, aim, ranked_by, shares, items, people, cost)
    left = float("inf") if budget is None else float(budget)
    if rule in _BLIND:
        return plan.in_order(_blind_order(fit, rule, items, people, seed), number, left)
    return plan.best(number, left, by_item=rule == "uncertainty")


_BLIND = ("random", "round-robin")  # rules that do not look at what is expected


def _promising(fit: Consensus, cost: FloatArray, drawn: np.random.Generator | None) -> Array:
    """List the annotators to compare: all, or of very many those who tell most about a class for their price.

    With a generator, as many are drawn at random.
    """
    people = len(cost)
    if people <= MOST_PEOPLE:
        return np.arange(people)
    if drawn is not None:
        return np.sort(drawn.choice(people, MOST_PEOPLE, replace=False))
    tables, proportions = usual_tables(fit), fit.proportions / fit.proportions.sum()
    chance = np.einsum("k,jka->ja", proportions, tables)
    information_gain = np.einsum("k,jka->j", proportions, tables * np.log(np.maximum(tables, LIKELY)))
    information_gain -= (chance * np.log(np.maximum(chance, LIKELY))).sum(axis=1)
    return np.sort(np.argsort(-information_gain / cost, kind="stable")[:MOST_PEOPLE])


def _open_questions(
    fit: Consensus, goal: Goal, shares: FloatArray, number: int, cost: FloatArray, blind: int | None
) -> tuple[Array, Array]:
    """List whom can be asked about which item: of the items with most to gain, as many as could matter.

    A rule that does not look at gains gives the seed by which annotators are drawn if there are very many (`blind`).
    """
    notes = fit.support.annotations
    everywhere = blind is not None
    chosen = _promising(fit, cost, None if blind is None else stream(blind, "asking", "annotators"))
    most = goal.perfect(shares, np.arange(notes.n_items))
    unknown = np.ones(notes.n_items, dtype=bool) if notes.gold is None else notes.gold < 0
    done = np.unique(notes.item.astype(np.int64) * notes.n_annotators + notes.annotator)
    full = np.bincount(done // max(notes.n_annotators, 1), minlength=notes.n_items) >= notes.n_annotators
    candidates = np.flatnonzero(unknown & ~full & ((most > 0) | everywhere))
    if not everywhere:
        # with many classes and annotators fewer items are compared, or it would take minutes
        room = MOST_NUMBERS // (len(chosen) * notes.n_classes**2)
        enough = max(min(max(20 * number, 200), room), number)
        candidates = np.sort(candidates[np.argsort(-most[candidates], kind="stable")[:enough]])
    elif len(candidates) * len(chosen) > AT_ONCE:
        candidates = np.sort(candidates[np.argsort(notes.per_item[candidates], kind="stable")[: max(number, 200)]])
    items = np.repeat(candidates, len(chosen))
    people = np.tile(chosen, len(candidates))
    answered = np.isin(items * notes.n_annotators + people, done)
    return items[~answered], people[~answered]


def _blind_order(fit: Consensus, rule: AskingRule, items: Array, people: Array, seed: int) -> Array:
    rng = stream(seed, "asking")
    shuffled = rng.permutation(len(items))
    if rule == "random":
        return shuffled
    notes = fit.support.annotations
    # the n-th question about an item waits until every item has as many
    order = shuffled[np.argsort(items[shuffled], kind="stable")]
    sizes = np.bincount(items, minlength=notes.n_items)
    place = np.empty(len(items), dtype=np.int64)
    place[order] = np.arange(len(items)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    answers = notes.per_item[items] + place
    return np.asarray(shuffled[np.argsort(answers[shuffled], kind="stable")])


class _Plan:
    """Questions asked together: what is known about an item branches with the answers it may get."""

    def __init__(
        self,
        fit: Consensus,
        goal: Goal,
        ranked_by: Goal,
        shares: FloatArray,
        items: Array,
        people: Array,
        cost: FloatArray,
    ) -> None:
        self.goal, self.ranked_by, self.shares, self.cost = goal, ranked_by, shares, cost
        self.tables = usual_tables(fit)
        self.restless = information() if ranked_by.restless else None
        order = np.argsort(items, kind="stable")
        self.items, self.people = items[order], people[order]
        self.order = order
        self.starts = np.searchsorted(self.items, np.arange(len(shares) + 1))
        self.open = np.ones(len(items), dtype=bool)
        # for each item asked about: how likely each combination of answers is, and the class probabilities then
        self.branches: dict[int, tuple[FloatArray, FloatArray]] = {}

    def in_order(self, order: Array, number: int, budget: float) -> list[NextQuestion]:
        """Ask in an order that is fixed beforehand."""
        place = np.empty(len(order), dtype=np.int64)
        place[self.order] = np.arange(len(order))
        questions: list[NextQuestion] = []
        for at in place[order].tolist():
            if len(questions) == number:
                break
            price = float(self.cost[self.people[at]])
            if price <= budget and self._may_branch(int(self.items[at])):
                questions.append(self._ask(at))
                budget -= price
        return questions

    def best(self, number: int, budget: float, *, by_item: bool) -> list[NextQuestion]:
        """Ask the best question, then the best given that one, and so on."""
        ranks = self._ranks(np.arange(len(self.items))) / self.cost[self.people]
        doubt = self.ranked_by.perfect(self.shares, np.arange(len(self.shares))) if by_item else None
        heap: list[tuple[float, int, int]] = []
        for item in np.unique(self.items).tolist():
            self._offer(heap, item, ranks[self.starts[item] : self.starts[item + 1]], budget, doubt)
        heapify(heap)
        questions: list[NextQuestion] = []
        while heap and len(questions) < number:
            _, item, at = heappop(heap)
            if self.cost[self.people[at]] <= budget:
                questions.append(self._ask(at))
                budget -= questions[-1].price
            if not self._may_branch(item):
                continue
            again = np.arange(self.starts[item], self.starts[item + 1])
            offers: list[tuple[float, int, int]] = []
            self._offer(offers, item, self._ranks(again) / self.cost[self.people[again]], budget, doubt)
            for offer in offers:
                heappush(heap, offer)
        return questions

    def _offer(
        self, heap: list[tuple[float, int, int]], item: int, ranks: FloatArray, budget: float, doubt: FloatArray | None
    ) -> None:
        """Put the best question about an item on the heap, if one is left that the budget allows."""
        begin, end = self.starts[item], self.starts[item + 1]
        allowed = self.open[begin:end] & (self.cost[self.people[begin:end]] <= budget)
        if not allowed.any():
            return
        at = int(np.where(allowed, ranks, -np.inf).argmax())
        rank = float(ranks[at])
        if doubt is not None:
            rank = float(doubt[item])
            if item in self.branches:
                likely, shares = self.branches[item]
                rank = float(likely @ self.ranked_by.perfect(shares, np.full(len(likely), item)))
        heap.append((-rank, item, int(begin) + at))

    def _state(self, item: int) -> tuple[FloatArray, FloatArray]:
        return self.branches.get(item, (np.ones(1), self.shares[item : item + 1]))

    def _may_branch(self, item: int) -> bool:
        k = self.shares.shape[1]
        questions = self.starts[item + 1] - self.starts[item]
        branches = len(self._state(item)[0])
        return bool(branches * k <= BRANCHES and branches * questions * k * k <= AT_ONCE)

    def _ranks(self, at: Array) -> FloatArray:
        gains = self._gains(self.ranked_by, at)
        if self.restless is not None:
            gains = gains + RESTLESS * self._gains(self.restless, at)
        return gains

    def _gains(self, goal: Goal, at: Array) -> FloatArray:
        """Compute the expected gain of single questions, over what the questions before may have been answered."""
        items = self.items[at]
        if len(items) and items[0] in self.branches and items[0] == items[-1]:
            likely, shares = self.branches[int(items[0])]
            each = expected_gains(
                goal,
                np.tile(shares, (len(at), 1)),
                np.repeat(items, len(likely)),
                np.repeat(self.tables[self.people[at]], len(likely), axis=0),
            )
            return np.asarray(each.reshape(len(at), -1) @ likely)
        gains = np.empty(len(at))
        step = max(AT_ONCE // self.shares.shape[1] ** 2, 1)
        for begin in range(0, len(at), step):
            part = slice(begin, begin + step)
            tables = self.tables[self.people[at[part]]]
            gains[part] = expected_gains(goal, self.shares[items[part]], items[part], tables)
        return gains

    def _ask(self, at: int) -> NextQuestion:
        item, annotator = int(self.items[at]), int(self.people[at])
        gain, right = (float(self._gains(goal, np.array([at]))[0]) for goal in (self.goal, accuracy()))
        likely, shares = self._state(item)
        joint = (shares[:, :, None] * self.tables[annotator]).transpose(0, 2, 1)
        chance = joint.sum(axis=2)
        self.branches[item] = (
            (likely[:, None] * chance).ravel(),
            (joint / np.maximum(chance, LIKELY)[:, :, None]).reshape(-1, shares.shape[1]),
        )
        self.open[at] = False
        return NextQuestion(item, annotator, gain, float(self.cost[annotator]), right)
