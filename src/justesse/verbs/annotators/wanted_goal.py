"""The goal of `annotators next`: from what the user names to what questions are chosen for."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt
from typing import Any

import numpy as np

from justesse.annotators.asking_goals import Goal, accuracy, comparison, noise, training
from justesse.annotators.consensus import Consensus
from justesse.annotators.teaching import teaching_by_doubt, teaching_by_features
from justesse.annotators.vote import majority
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray
from justesse.core.choices import AskingGoal
from justesse.core.errors import OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName
from justesse.frames.annotations import ReadAnnotations
from justesse.frames.item_classes import ClassRole
from justesse.frames.item_probabilities import absent_words, item_probabilities
from justesse.report.writing import message

MAJORITY = "majority"


@dataclass(frozen=True, eq=False)
class GoalState:
    """A goal, and what is known of its quantity under the model now.

    Parameters
    ----------
    goal
        What questions are chosen for.
    quantity
        What it is about, in words.
    total
        All there is to gain: what certainty about every item would add.
    value
        Expected value of the quantity; None if it has none.
    items
        Number of items it is a share of.
    """

    goal: Goal
    quantity: str
    total: float
    value: float | None = None
    items: int = 0

    @property
    def measured(self) -> bool:
        """Whether answers make an estimate more certain, so that it has a spread."""
        return self.value is not None

    def spread(self, gain: float = 0.0) -> float | None:
        """Give the standard deviation of the quantity under the model, after a gain."""
        return sqrt(max(self.total - gain, 0.0)) / max(self.items, 1) if self.measured else None

    @property
    def chance(self) -> float | None:
        """Give the chance that the quantity is above 0, by the normal approximation."""
        if self.value is None or self.goal.name != "comparison":
            return None
        spread = self.spread() or 0.0
        if not spread:
            return 0.5 + 0.5 * float(np.sign(self.value))
        return 0.5 * (1 + erf(self.value / spread / sqrt(2)))


def goal_inputs(
    goal: AskingGoal, incumbent: Any, candidate: Any, noise_of: Any, probabilities: Any, features: Sequence[str] | None
) -> None:
    """Refuse inputs that a goal lacks or does not use.

    Parameters
    ----------
    goal
        Name of the goal.
    incumbent
        The incumbent's predictions, or None.
    candidate
        The candidate's predictions, or None.
    noise_of
        Whose labels may be wrong.
    probabilities
        The classifier's probabilities, or None.
    features
        Columns with features, or None.
    """
    if goal == "comparison" and (incumbent is None or candidate is None):
        raise OptionError(
            "The goal comparison needs the predictions of two classifiers: incumbent=… (--incumbent) and "
            "candidate=… (--candidate)."
        )
    if goal == "training" and (probabilities is None) == (not features):
        raise OptionError(
            "The goal training needs either the classifier's probabilities or features of the items: probabilities=… "
            "(--probabilities) or features=… (--features)."
        )
    unused = {
        "incumbent": (incumbent is not None, "comparison"),
        "candidate": (candidate is not None, "comparison"),
        "noise_of": (not (isinstance(noise_of, str) and noise_of == MAJORITY), "noise"),
        "probabilities": (probabilities is not None, "training"),
        "features": (bool(features), "training"),
    }
    for name, (present, needs) in unused.items():
        if present and goal != needs:
            raise OptionError(
                f"{name}=… (--{name.replace('_', '-')}) is for the goal {needs}. Use goal={needs!r} (--goal {needs})."
            )


def labels_beside(noise_of: Any, read_before: ReadAnnotations) -> Any:
    """Return the column or table that noise_of names; None if it is the majority vote or an annotator."""
    if not isinstance(noise_of, str):
        return noise_of
    return None if noise_of == MAJORITY or _annotator(noise_of, read_before.annotations) is not None else noise_of


def goal_state(
    goal: AskingGoal,
    fit: Consensus,
    read: ReadAnnotations,
    *,
    noise_of: Any = MAJORITY,
    probabilities: Any = None,
) -> tuple[GoalState, tuple[str, ...]]:
    """Build the goal from what was read; give warnings beside it.

    Parameters
    ----------
    goal
        Name of the goal.
    fit
        The model of the annotators so far.
    read
        Answers, predictions and features.
    noise_of
        Whose labels may be wrong.
    probabilities
        Table with the classifier's probabilities.

    Returns
    -------
    state, warnings
        The goal, and what may be misread.
    """
    notes, shares = fit.support.annotations, fit.dense()
    every = np.arange(notes.n_items)
    warnings: list[str] = []
    if goal == "comparison":
        first, second = (_predicted(read, role) for role in ("incumbent", "candidate"))
        aim = comparison(first, second)
        if not (first != second).any():
            raise OptionError("Incumbent and candidate predict the same for every item: there is nothing to compare.")
        predicted = (_right(shares, first), _right(shares, second))
        value = float((predicted[1] - predicted[0]).mean())
        return _state(aim, "difference (candidate minus incumbent)", shares, every, value, notes.n_items), ()
    if goal == "noise":
        label, words = _labels(noise_of, fit, read)
        present = int((label >= 0).sum())
        value = float(1 - _right(shares, label)[label >= 0].mean())
        aim = noise(label)
        return _state(aim, words, shares, every, value, present), ()
    if goal == "training":
        if probabilities is not None:
            table = item_probabilities(probabilities, notes.items, notes.classes)
            weights = teaching_by_doubt(table)
            warnings += [absent] if (absent := absent_words(table)) else []
        else:
            assert read.features is not None
            weights = teaching_by_features(fit, read.features)
        return _state(training(weights), "what labels teach the classifier", shares, every, None, 0), tuple(warnings)
    return _state(accuracy(), "share of right classes", shares, every, None, notes.n_items), ()


def _state(goal: Goal, quantity: str, shares: FloatArray, every: Any, value: float | None, items: int) -> GoalState:
    """Put it together.

    Parameters
    ----------
    goal
        What is wanted.
    quantity
        In words.
    shares
        Class probabilities of the items.
    every
        Codes of the items.
    value
        Expected value of the quantity.
    items
        Number of items it is a share of.
    """
    return GoalState(goal, quantity, float(goal.perfect(shares, every).sum()), value, items)


def _predicted(read: ReadAnnotations, role: ClassRole) -> Any:
    codes = read.beside[role]
    if (codes < 0).any():
        at = int(np.flatnonzero(codes < 0)[0])
        raise OptionError(
            f"The {role} has no prediction for item {read.annotations.items[at]!r}. Give one for every item, or leave "
            "the item out."
        )
    return codes


def _right(shares: FloatArray, codes: Any) -> FloatArray:
    """Give the probability that each code is the class; 0 for classes that nobody answered."""
    known = (codes >= 0) & (codes < shares.shape[1])
    return np.where(known, shares[np.arange(len(codes)), np.where(known, codes, 0)], 0.0)


def _labels(noise_of: Any, fit: Consensus, read: ReadAnnotations) -> tuple[Any, str]:
    notes = fit.support.annotations
    if "label" in read.beside:
        return read.beside["label"], "noise rate of the recorded labels"
    if noise_of == MAJORITY:
        return np.where(notes.per_item > 0, majority(notes).label, -1), "noise rate of the majority vote"
    who = _annotator(noise_of, notes)
    label = np.full(notes.n_items, -1)
    mine = notes.annotator == who
    label[notes.item[mine]] = notes.answer[mine]
    return label, str(message("noise rate of {who}", who=noise_of))


def _annotator(name: ClassName, notes: Annotations) -> int | None:
    return next((at for at, known in enumerate(notes.annotators) if known == name or spelt_alike(known, name)), None)
