"""Whether a classifier is better than the annotators: the average one, the median, the best, and their consensus.

Each annotator is left out in turn: the classifier and the annotator are both judged by the others, on the same items.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Estimate, Interval
from justesse.core.seeds import stream

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


def human_against_machine(
    annotations: Annotations, prediction: Array, *, level: float = 0.95, draws: int = 500, seed: int = 0
) -> HumanMachine:
    """Compare a classifier's answers with each annotator's.

    `prediction` has a class code for each item: -1 for none, the number of classes for one that nobody answered.

    Items are resampled for the intervals: differences to the average, median and best annotator keep the pairing. The
    best is chosen anew in each resample, as it was chosen by the data. `of_three` compares the classifier with the
    majority of three random annotators of an item (a tie counts as a random one of the answers), judged by the others.
    """
    notes = annotations
    if len(prediction) != notes.n_items:
        raise InputError(f"A prediction for each of {notes.n_items} items is needed; got {len(prediction)}.")
    fit = dawid_skene(notes, prior=0.1)
    if not fit.support.whole:
        raise InputError("There are too many annotators or classes to leave each annotator out.")
    k = notes.n_classes
    tables = np.log(np.asarray(fit.tables))
    joint = fit.support.tables.logs(np.asarray(fit.tables)).reshape(-1, k) + np.log(np.maximum(fit.proportions, 1e-12))
    several = notes.per_item[notes.item] > 1
    places = np.flatnonzero(several & (prediction[notes.item] >= 0))
    rest = joint[notes.item[places]] - tables[notes.annotator[places], notes.answer[places]]
    rest = np.exp(rest - rest.max(axis=1, keepdims=True))
    rest /= rest.sum(axis=1, keepdims=True)
    human = rest[np.arange(len(places)), notes.answer[places]]
    machine = _at(rest, prediction[notes.item[places]])
    who, item = notes.annotator[places], notes.item[places]
    counts = np.bincount(who, minlength=notes.n_annotators)
    kept = np.flatnonzero(counts >= FEWEST)
    if not len(kept):
        raise InputError(f"No annotator has {FEWEST} items that others answered, too. More answers are needed.")
    rng = stream(seed, "human-machine")
    weights = np.vstack(
        [np.ones(notes.n_items), rng.multinomial(notes.n_items, np.full(notes.n_items, 1 / notes.n_items), size=draws)]
    )
    differences = np.empty((draws + 1, len(kept)))
    humans = np.empty((draws + 1, len(kept)))
    machines = np.empty(len(kept))
    for at, code in enumerate(kept):
        mine = np.flatnonzero(who == code)
        weight = weights[:, item[mine]]
        total = np.maximum(weight.sum(axis=1), 1e-12)
        humans[:, at] = weight @ human[mine] / total
        differences[:, at] = weight @ (machine[mine] - human[mine]) / total
        machines[at] = machine[mine].mean()
    n = counts[kept]
    tail = (1 - level) / 2

    def estimate(name: str, values: FloatArray, rows: float) -> Estimate:
        low, high = np.quantile(values[1:], [tail, 1 - tail])
        return Estimate(
            name, float(values[0]), rows, Interval(float(low), float(high), level, "bootstrap of items", (-1, 1))
        )

    top = humans.argmax(axis=1)
    each = tuple(
        AgainstAnnotator(
            int(code), int(n[at]), float(humans[0, at]), float(machines[at]),
            estimate("difference", differences[:, at], float(n[at])),
        )
        for at, code in enumerate(kept)
    )  # fmt: skip
    return HumanMachine(
        each,
        estimate("average", differences @ (n / n.sum()), float(n.sum())),
        estimate("median", np.median(differences, axis=1), float(n.sum())),
        estimate("best", differences[np.arange(draws + 1), top], float(n[top[0]])),
        _of_three(notes, joint, tables, prediction, weights, rng, estimate),
    )


def _at(shares: FloatArray, code: Array) -> FloatArray:
    """Give the probability of a class of each row; a class that nobody answered has none."""
    known = code < shares.shape[1]
    return np.where(known, shares[np.arange(len(code)), np.where(known, code, 0)], 0.0)


def _of_three(
    notes: Annotations,
    joint: FloatArray,
    tables: FloatArray,
    prediction: Array,
    weights: FloatArray,
    rng: np.random.Generator,
    estimate: Callable[[str, FloatArray, float], Estimate],
) -> Estimate:
    """Judge the majority of three random annotators and the classifier by the remaining ones."""
    order = np.lexsort((rng.random(len(notes)), notes.item))
    rank = np.empty(len(notes), dtype=np.int64)
    rank[order] = np.arange(len(notes)) - np.repeat(np.cumsum(notes.per_item) - notes.per_item, notes.per_item)
    chosen = np.flatnonzero(rank < 3)
    items = np.flatnonzero((notes.per_item > 3) & (prediction >= 0))
    if len(items) < FEWEST:
        return Estimate("of_three", np.nan, len(items), undefined="too few items have more than three answers")
    rest = joint.copy()
    np.subtract.at(rest, notes.item[chosen], tables[notes.annotator[chosen], notes.answer[chosen]])
    rest = rest[items]
    rest = np.exp(rest - rest.max(axis=1, keepdims=True))
    rest /= rest.sum(axis=1, keepdims=True)
    votes = np.zeros((notes.n_items, notes.n_classes))
    np.add.at(votes, (notes.item[chosen], notes.answer[chosen]), 1.0)
    votes = votes[items] == votes[items].max(axis=1, keepdims=True)
    human = (rest * votes).sum(axis=1) / votes.sum(axis=1)
    machine = _at(rest, prediction[items])
    weight = weights[:, items]
    values = weight @ (machine - human) / np.maximum(weight.sum(axis=1), 1e-12)
    return estimate("of_three", values, float(len(items)))
