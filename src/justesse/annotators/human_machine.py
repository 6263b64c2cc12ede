"""Whether a classifier is better than the annotators: the average one, the median, the best, and their consensus.

Each annotator is left out in turn: the classifier and the annotator are both judged by the others, on the same items.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Estimate, Interval
from justesse.core.seeds import stream
from justesse.intervals.wilson import wilson

MOST_REFITS = 50  # annotators, beyond which one more or less hardly moves the fit
AT_ONCE = 2_000_000  # numbers handled at once
RIDGE = 1e-6  # added where the judge never means a class
# few others: tables of a converged fit are too sure of themselves, and the judge's errors are then corrected too little
MOST_STEPS, EARLY_STOP = 100, 1e-5
# the same: a prior count of this share of the answers that annotators usually have to a class, within these ends
PRIOR_SHARE, PRIOR_ENDS = 0.015, (0.1, 1.0)
FEWEST = 10  # items an annotator needs to be compared on
ASSUMPTIONS = (
    "the classifier was not trained on these annotators' answers: otherwise it repeats their mistakes and looks better",
    "the annotator left out errs independently of the others, given the true class",
)


@dataclass(frozen=True)
class AgainstAnnotator:
    """Classifier and annotator on the items the annotator answered, judged by the other annotators' consensus."""

    annotator: int
    n: int
    human: float
    machine: float
    difference: Estimate


@dataclass(frozen=True)
class HumanMachine:
    """The classifier minus the annotators, by annotator and summed up; a positive difference favours the classifier."""

    each: tuple[AgainstAnnotator, ...]
    average: Estimate
    median: Estimate
    best: Estimate
    of_three: Estimate
    by_gold: bool = False


def human_against_machine(
    annotations: Annotations,
    prediction: Array,
    *,
    gold: Array | None = None,
    level: float = 0.95,
    draws: int = 500,
    seed: int = 0,
) -> HumanMachine:
    """Compare a classifier's answers with each annotator's.

    The judge of an annotator is the consensus of the others, fitted without that annotator. It is not the truth: even a
    perfect classifier agrees with a judge that is 80 % right on only 80 % of items. With q the judge's probabilities of
    the classes, the joint table J of true class and answer follows from what is counted: E[q_k 1(answer = a)] = Σ_c
    E[q_k q_c] / π_c J(c, a), if the probabilities are right. The share of right answers is the sum of J(c, c).

    Items are resampled for the intervals: differences to the average, median and best annotator keep the pairing. The
    best, by the low end of Wilson's interval, is chosen on one half of the items and compared on the other, and the
    other way round. `of_three` compares the classifier with the majority of three random annotators of an item (a tie
    counts as a random one of the answers), judged by the others. With more than 50 annotators, and for `of_three`,
    those judged are left out of the judge's probabilities but not of the tables behind them. The intervals take the
    judge's tables as known. If annotators err together on hard items, the judge shares their mistakes, and a classifier
    that does not looks worse than it is: planted ones were 3 to 17 points better than the annotators of bluebird, rte
    and dog by the others, and 23 to 30 points by the gold classes.

    Parameters
    ----------
    annotations
        Who answered what.
    prediction
        Class code of each item: -1 for none, the number of classes for one that nobody answered.
    gold
        The same of true classes: only items with one are compared, and it judges instead of the others. Default: none.
    level
        Confidence level.
    draws
        Number of resamples of items.
    seed
        Seed of the random draws.
    """
    notes = annotations
    if len(prediction) != notes.n_items:
        raise InputError(f"A prediction for each of {notes.n_items} items is needed; got {len(prediction)}.")
    prior = _judge_prior(notes)
    fit = dawid_skene(notes, prior=prior, most=MOST_STEPS, tolerance=EARLY_STOP)
    if not fit.support.whole:
        raise InputError("There are too many annotators or classes to leave each annotator out.")
    k = notes.n_classes
    tables = np.log(np.asarray(fit.tables))
    joint = fit.support.tables.logs(np.asarray(fit.tables)).reshape(-1, k) + np.log(np.maximum(fit.proportions, 1e-12))
    several = notes.per_item[notes.item] > 1 if gold is None else gold[notes.item] >= 0
    places = np.flatnonzero(several & (prediction[notes.item] >= 0))
    who = notes.annotator[places]
    counts = np.bincount(who, minlength=notes.n_annotators)
    kept = np.flatnonzero(counts >= FEWEST)
    if not len(kept):
        needed = (
            "that others answered, too. More answers" if gold is None else "whose true class is known. More of them"
        )
        raise InputError(f"No annotator has {FEWEST} items {needed} are needed.")
    rng = stream(seed, "human-machine")
    weights = np.vstack(
        [np.ones(notes.n_items), rng.multinomial(notes.n_items, np.full(notes.n_items, 1 / notes.n_items), size=draws)]
    )
    half = rng.permutation(notes.n_items) % 2 == 0
    parts = (np.ones(notes.n_items, dtype=bool), half, ~half)
    humans, machines, sizes = (np.empty((len(parts), draws + 1, len(kept))) for _ in range(3))
    for at, code in enumerate(kept):
        mine = places[who == code]
        items = notes.item[mine]
        if gold is not None:
            judge = _one_hot(gold[items], k)
        elif len(kept) <= MOST_REFITS:
            judge = _judge(notes, int(code), items, prior)
        else:
            judge = _normalised(joint[items] - tables[code, notes.answer[mine]])
        answers = (_one_hot(notes.answer[mine], k), _one_hot(prediction[items], k))
        for number, part in enumerate(parts):
            weight = weights[:, items] * part[items]
            humans[number, :, at], machines[number, :, at] = _shares_right(judge, answers, weight)
            sizes[number, :, at] = weight.sum(axis=1)
    differences = machines[0] - humans[0]
    n = counts[kept]
    tail = (1 - level) / 2

    def estimate(name: str, values: FloatArray, rows: float) -> Estimate:
        low, high = np.quantile(values[1:], [tail, 1 - tail])
        return Estimate(
            name, float(values[0]), rows, Interval(float(low), float(high), level, "bootstrap of items", (-1, 1))
        )

    rows = np.arange(draws + 1)
    surely = _surely_right(humans, sizes)
    turns = [(surely[chosen].argmax(axis=1), judged) for chosen, judged in ((1, 2), (2, 1))]
    halves = np.array([(machines[judged] - humans[judged])[rows, top] for top, judged in turns])
    best = _both_halves(halves, np.array([sizes[judged][rows, top] for top, judged in turns]))
    each = tuple(
        AgainstAnnotator(
            int(code), int(n[at]), float(humans[0, 0, at]), float(machines[0, 0, at]),
            estimate("difference", differences[:, at], float(n[at])),
        )
        for at, code in enumerate(kept)
    )  # fmt: skip
    return HumanMachine(
        each,
        estimate("average", differences @ (n / n.sum()), float(n.sum())),
        estimate("median", np.median(differences, axis=1), float(n.sum())),
        estimate("best", best, float(n[surely[0, 0].argmax()])),
        _of_three(notes, joint, tables, prediction, gold, weights, rng, estimate),
        gold is not None,
    )


def _surely_right(shares: FloatArray, sizes: FloatArray) -> FloatArray:
    """Give the low end of Wilson's interval: among annotators, ten lucky answers do not make the best.

    >>> _surely_right(np.array([1.0, 0.95]), np.array([5.0, 200.0])).round(2).tolist()
    [0.57, 0.91]
    """
    return np.asarray(wilson(shares * sizes, np.maximum(sizes, 1)).low)


def _both_halves(differences: FloatArray, sizes: FloatArray) -> FloatArray:
    """Average over halves of the items as they have answers: one without any says nothing.

    >>> _both_halves(np.array([[-0.2], [0.0]]), np.array([[30.0], [0.0]])).tolist()
    [-0.2]
    """
    return np.asarray((differences * sizes).sum(axis=0) / np.maximum(sizes.sum(axis=0), 1e-12))


def _judge_prior(notes: Annotations) -> float:
    """Give the count added to each cell of the judges' tables: little if annotators have few answers.

    >>> rows = [(item, who, item % 2) for item in range(100) for who in "ab"]
    >>> _judge_prior(Annotations.of(rows))
    0.75
    """
    sizes = notes.per_annotator[notes.per_annotator > 0]
    usual = float(np.median(sizes)) / max(notes.n_classes, 1) if len(sizes) else 0.0
    return float(np.clip(PRIOR_SHARE * usual, *PRIOR_ENDS))


def _judge(notes: Annotations, code: int, items: Array, prior: float) -> FloatArray:
    """Give the probabilities of the classes of some items by a model fitted without an annotator."""
    return dawid_skene(notes.without([code]), prior=prior, most=MOST_STEPS, tolerance=EARLY_STOP).dense()[items]


def _normalised(logs: FloatArray) -> FloatArray:
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _one_hot(code: Array, k: int) -> FloatArray:
    """Give a row of zeros and a one for each answer; only zeros for a class that nobody answered."""
    return np.asarray(code[:, None] == np.arange(k), dtype=float)


def _shares_right(judge: FloatArray, answers: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Give the share of right answers of each of several, for each row of weights, corrected for the judge's errors.

    >>> judge = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> _shares_right(judge, [np.eye(2)], np.ones((1, 2))).round(6).tolist()
    [[1.0]]
    """
    if ((judge == 0) | (judge == 1)).all():  # known true classes: nothing to correct
        totals = np.maximum(weights.sum(axis=1), 1e-12)
        return np.array([weights @ (judge * answer).sum(axis=1) / totals for answer in answers])
    k = judge.shape[1]
    right = np.empty((len(answers), len(weights)))
    step = max(AT_ONCE // (len(judge) + k * k), 1)
    for begin in range(0, len(weights), step):
        weight = weights[begin : begin + step]
        weight = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
        proportions = weight @ judge
        alike = _products(weight, judge, judge) + RIDGE * np.eye(k)
        for which, answer in enumerate(answers):
            joint = np.linalg.solve(alike, _products(weight, judge, answer))
            trace = np.einsum("rk,rkk->r", proportions, joint)
            right[which, begin : begin + step] = np.clip(trace, 0.0, 1.0)
    return right


def _products(weight: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Sum the products of every column of two tables over their rows, for each row of weights."""
    k = first.shape[1]
    parts = [weight @ (first[:, [code]] * second) for code in range(k)]
    return np.stack(parts, axis=1)


def _of_three(
    notes: Annotations,
    joint: FloatArray,
    tables: FloatArray,
    prediction: Array,
    gold: Array | None,
    weights: FloatArray,
    rng: np.random.Generator,
    estimate: Callable[[str, FloatArray, float], Estimate],
) -> Estimate:
    """Judge the majority of three random annotators and the classifier by the remaining ones, or by gold classes."""
    order = np.lexsort((rng.random(len(notes)), notes.item))
    rank = np.empty(len(notes), dtype=np.int64)
    rank[order] = np.arange(len(notes)) - np.repeat(np.cumsum(notes.per_item) - notes.per_item, notes.per_item)
    chosen = np.flatnonzero(rank < 3)
    judged = notes.per_item > 3 if gold is None else (notes.per_item >= 3) & (gold >= 0)
    items = np.flatnonzero(judged & (prediction >= 0))
    if len(items) < FEWEST:
        needed = "more than three answers" if gold is None else "three answers and a known class"
        return Estimate("of_three", np.nan, len(items), undefined=f"too few items have {needed}")
    if gold is None:
        rest = joint.copy()
        np.subtract.at(rest, notes.item[chosen], tables[notes.annotator[chosen], notes.answer[chosen]])
        judge = _normalised(rest[items])
    else:
        judge = _one_hot(gold[items], notes.n_classes)
    votes = np.zeros((notes.n_items, notes.n_classes))
    np.add.at(votes, (notes.item[chosen], notes.answer[chosen]), 1.0)
    votes = votes[items] == votes[items].max(axis=1, keepdims=True)
    answers = (votes / votes.sum(axis=1, keepdims=True), _one_hot(prediction[items], notes.n_classes))
    human, machine = _shares_right(judge, answers, weights[:, items])
    return estimate("of_three", machine - human, float(len(items)))
