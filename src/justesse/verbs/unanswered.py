"""Rows without an answer: whose they are, and what they could do to the result."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.answer_policy import Gaps
from justesse.core.errors import CostError, OptionError
from justesse.core.results import ClassName, finite_or_none
from justesse.core.tally import Tally
from justesse.core.true_sets import knows_truth
from justesse.noise.missing_answers import SIDES, OtherOnMissing, UnansweredRows, blank_cells, others_on_missing
from justesse.report.writing import Message, listed, message, paragraph

if TYPE_CHECKING:
    from justesse.core.case import Case
    from justesse.core.verdict import Decision, Verdict
    from justesse.judges.quantity import Quantity
    from justesse.noise.missing_bounds import MissingBounds

SHOWN = 5
NO_CLASS = {
    "wrong": "Each counts as a wrong answer; averages are over the classes of the labels (--others class makes them "
    "classes, as scikit-learn does).",
    "class": "Each is a class of its own here, as for scikit-learn: averages over classes count it, with a precision and "
    "F1 of 0 and no recall.",
    "missing": "They are treated as missing answers.",
}
NO_CLASS_IN_PAIR = {
    **NO_CLASS,
    "class": "Each is a class of its own here: averages over classes count it if both classifiers have a value there.",
}
WHOSE = {
    "prediction": "{n:count prediction} {n:plural is|are} no class of the labels: {names}.",
    "incumbent": "{n:count answer} of the incumbent {n:plural is|are} no class of the labels: {names}.",
    "candidate": "{n:count answer} of the candidate {n:plural is|are} no class of the labels: {names}.",
}
OTHER_THERE = "The {other} is right on {accuracy:share} of {them} ({right:count} of {n:count}){elsewhere}."
OTHER_THERE_BY_LABELS = (
    "By the labels, the {other} is right on {accuracy:share} of {them} ({right:count} of {n:count}){elsewhere}."
)


@dataclass(frozen=True)
class UnansweredInPair:
    """Missing answers of two classifiers, and what they could do to the verdict.

    `others` says, by the side whose answers are missing, how the other does on those rows. `bounds` say between what the
    difference of the measure, against the labels, can lie on all rows. `decisions` are the verdicts if missing answers
    count as wrong and if their rows are left out.
    """

    total: int
    answers: dict[str, int]
    others: dict[str, OtherOnMissing]
    measure: str
    bounds: "MissingBounds"
    decisions: "dict[str, Decision]"
    truth_known: bool = False

    @classmethod
    def of(
        cls, gaps: Gaps, ask: "Callable[[Tally], Quantity]", judge: "Callable[[Case], Verdict]"
    ) -> "UnansweredInPair | None":
        """Work it out with the measure and the judge of the comparison; `None` if no answer is missing."""
        if gaps.whole is None:
            return None
        from justesse.core.case import Case
        from justesse.noise.missing_bounds import MissingBounds

        tally = gaps.whole
        blank = {side: blank_cells(tally, gaps, side) for side in SIDES}
        asked = ask(tally)
        bounds = MissingBounds.of(
            tally, blank, asked.measure, class_at=asked.at, several=any(gaps.several.values())
        )  # fmt: skip
        decisions: dict[str, Decision] = {"wrong": judge(Case(tally)).decision}
        if gaps.answered is not None:
            # a class asked about may be only in rows that would be left out
            with contextlib.suppress(OptionError, CostError):
                decisions["drop"] = judge(Case(gaps.answered)).decision
        others = others_on_missing(tally, blank)
        return cls(tally.n, dict(gaps.answers), others, asked.title, bounds, decisions, knows_truth(tally))

    @property
    def caution(self) -> str | None:
        """Say that the choice between wrong and drop decides, if it does."""
        if len(set(self.decisions.values())) < 2:
            return None
        decisions = {name: decision.replace("_", " ") for name, decision in self.decisions.items()}
        return str(
            message(
                'Missing answers decide this verdict: "{drop}" if their rows are left out (--missing drop), "{wrong}" if '
                "they count as wrong (--missing wrong). Complete the answers before you decide.",
                **decisions,
            )
        )

    def sentences(self) -> Iterator[str]:
        """Say whose answers are missing, how the other does there, and how far the difference could move."""
        for side, n in self.answers.items():
            if n:
                missing = message(
                    "The {side} leaves {n:count} of {total:count} rows unanswered ({share:share}).",
                    side=side,
                    n=n,
                    total=self.total,
                    share=n / self.total,
                )
                yield str(paragraph(missing, self._other_there(side, n)))
        yield str(self._bounds_words())

    def _other_there(self, side: str, n: int) -> Message | str:
        other = self.others[side]
        if not other.n:
            return ""
        them = "them" if other.n == n else message("the {n:count} of them that it answers", n=other.n)
        return message(
            OTHER_THERE_BY_LABELS if self.truth_known else OTHER_THERE,
            other="candidate" if side == "incumbent" else "incumbent",
            accuracy=other.accuracy,
            them=them,
            right=other.right,
            n=other.n,
            elsewhere="; no row is answered by both"
            if np.isnan(other.elsewhere)
            else message(", and on {share:share} of the rows that both answer", share=other.elsewhere),
        )

    def _bounds_words(self) -> Message:
        bounds = self.bounds
        difference = message(
            "difference of {measure} against the labels" if self.truth_known else "difference of {measure}",
            measure=self.measure,
        )
        if np.isnan([bounds.low, bounds.high]).any():
            return message(
                "No bounds for what the missing answers could do to the {difference}: {reason}.",
                difference=difference,
                reason=bounds.undefined or "it has no value, whatever they are",
            )
        template = (
            "Whatever the missing answers are, the {difference} on all {total:count} rows lies between {low:difference} and "
            "{high:difference}."
        )
        if bounds.by_right:
            template = (
                "Whatever the missing answers are, the {difference} on all {total:count} rows lies between {low:difference} "
                "(the candidate's missing answers all wrong, the incumbent's all right) and {high:difference} (the other way "
                "round)."
            )
        return paragraph(
            message(template, difference=difference, total=self.total, low=bounds.low, high=bounds.high),
            ""
            if bounds.sharp
            else "It may be unable to go that far: these bounds are made class by class, over the classes where both have a "
            "value.",
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "other_on_missing": {side: other.to_dict() for side, other in self.others.items()},
            "bounds": [finite_or_none(self.bounds.low), finite_or_none(self.bounds.high)],
            "bounds_sharp": None if self.bounds.undefined else self.bounds.sharp,
            "bounds_undefined": self.bounds.undefined,
            "verdicts": dict(self.decisions),
        }


def missing_words(gaps: Gaps) -> Iterator[str]:
    """Say how many labels and predictions of an evaluation are missing, and what that could do to the accuracy."""
    if gaps.labels:
        yield str(
            message("{n:count row} {n:plural has|have} no label and cannot be judged: left out.", n=gaps.labels)
        )  # fmt: skip
    truth_known = gaps.whole is not None and "true" in gaps.whole.axes
    unanswered = UnansweredRows.of(gaps, against="true" if truth_known else "label")
    if unanswered is None:
        return
    template = (
        "{n:count} of {total:count} rows ({share:share}) {n:plural has|have} no prediction: each counts as wrong, but as no "
        "prediction of any class, so precision ignores it. If every missing answer is right, {accuracy} is {if_right:value}; "
        "without these rows, {without:value}."
    )
    if gaps.policy.missing == "drop":
        template = (
            "{n:count} of {total:count} rows ({share:share}) {n:plural has|have} no prediction and {n:plural was|were} left "
            "out. If every missing answer is wrong, {accuracy} is {if_wrong:value}; if every one is right, {if_right:value}."
        )
    accuracy = "the accuracy against the true classes" if truth_known else "the accuracy"
    yield str(message(template, accuracy=accuracy, share=unanswered.n / unanswered.total, **vars(unanswered)))


def others_words(gaps: Gaps) -> Iterator[str]:
    """Say which answers are no class, whose they are, and how they count."""
    for axis in dict.fromkeys(axis for axis, _, _ in gaps.others):
        mine = [(name, n) for side, name, n in gaps.others if side == axis]
        names = most_frequent(mine)
        treated = (NO_CLASS if axis == "prediction" else NO_CLASS_IN_PAIR)[gaps.policy.others]
        yield str(paragraph(message(WHOSE[axis], n=sum(n for _, n in mine), names=names), treated))


def most_frequent(answers: Sequence[tuple[ClassName, int]]) -> Message:
    """List the most frequent answers, each with its number of rows.

    >>> str(most_frequent([("Cat", 1), ("dgo", 2)]))
    "'dgo' (2), 'Cat' (1)"
    """
    ordered = sorted(answers, key=lambda answer: -answer[1])
    names = listed(message("{name:name} ({n:count})", name=name, n=n) for name, n in ordered[:SHOWN])
    if len(ordered) > SHOWN:
        names = message("{names} and {n:count} more", names=names, n=len(ordered) - SHOWN)
    return names


def with_caution(verdict: "Verdict", unanswered: UnansweredInPair | None) -> "Verdict":
    """Put a caution in the verdict if missing answers decide it."""
    caution = unanswered.caution if unanswered else None
    return verdict if caution is None else replace(verdict, warnings=(caution, *verdict.warnings))
