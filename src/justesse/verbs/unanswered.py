"""Rows without an answer: whose they are, and what they could do to the result."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from justesse.core.answer_policy import Gaps
from justesse.core.errors import CostError, OptionError
from justesse.core.first_names import first_names
from justesse.core.results import finite_or_none
from justesse.core.tally import Tally
from justesse.core.true_sets import knows_truth

if TYPE_CHECKING:
    from justesse.core.case import Case
    from justesse.core.verdict import Decision, Verdict
    from justesse.judges.quantity import Quantity
    from justesse.verbs.missing_bounds import MissingBounds

SHOWN = 5


@dataclass(frozen=True)
class UnansweredRows:
    """Missing predictions of one classifier: its accuracy if they are wrong, right, or left out."""

    n: int
    total: int
    if_wrong: float
    if_right: float
    without: float

    @classmethod
    def of(cls, gaps: Gaps, *, against: Literal["label", "true"] = "label") -> "UnansweredRows | None":
        """Work out the three accuracies against the labels or the true classes; `None` if no prediction is missing."""
        if gaps.whole is None:
            return None
        tally = gaps.whole.marginal(against, "prediction")
        label, answer = tally.codes.T
        right, blank = label == answer, _blank(tally, "prediction") | _treated(tally, gaps)
        values, total = tally.values, tally.values.sum()
        answered = total - values[blank].sum()
        return cls(
            int(tally.counts[blank].sum()),
            int(tally.counts.sum()),
            float(values[right].sum() / total),
            float(values[right | blank].sum() / total),
            float(values[right].sum() / answered) if answered else float("nan"),
        )

    def to_dict(self) -> dict[str, Any]:
        names = {"accuracy_if_wrong": self.if_wrong, "accuracy_if_right": self.if_right}
        return {name: finite_or_none(value) for name, value in {**names, "accuracy_without": self.without}.items()}


def _blank(tally: Tally, axis: str) -> Any:
    """Mark the cells without an answer."""
    names = [name is None for name in tally.classes]
    return np.array(names, dtype=bool)[tally.codes[:, tally.axis(axis)]]


def _treated(tally: Tally, gaps: Gaps, axis: str = "prediction") -> Any:
    """Mark the cells whose answer counts as missing because it is no class."""
    if gaps.policy.others != "missing":
        return np.zeros(len(tally.codes), dtype=bool)
    return ~tally.judged[tally.codes[:, tally.axis(axis)]]


@dataclass(frozen=True)
class OtherOnMissing:
    """How the other classifier does on the rows that one of the two left unanswered."""

    n: int
    right: int
    elsewhere: float

    @property
    def accuracy(self) -> float:
        return self.right / self.n if self.n else float("nan")

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.n, "right": self.right, "accuracy": finite_or_none(self.accuracy)}


@dataclass(frozen=True)
class UnansweredInPair:
    """Missing answers of two classifiers, and what they could do to the verdict.

    `others` says, by the side whose answers are missing, how the other does on those rows. `bounds` say between what the
    difference of the measure, against the labels, can lie on all rows. `decisions` are the verdicts if missing answers count as wrong and if their rows are left out.
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
        from justesse.verbs.missing_bounds import MissingBounds

        tally = gaps.whole
        label = tally.codes[:, tally.axis("label")]
        blank = {side: _blank(tally, side) | _treated(tally, gaps, side) for side in ("incumbent", "candidate")}
        others = {}
        for side, other in (("incumbent", "candidate"), ("candidate", "incumbent")):
            here = blank[side] & ~blank[other]
            right = tally.codes[:, tally.axis(other)] == label
            rest = ~blank[side] & ~blank[other]
            size = tally.counts[rest].sum()
            elsewhere = float(tally.counts[rest & right].sum() / size) if size else float("nan")
            others[side] = OtherOnMissing(
                int(tally.counts[here].sum()), int(tally.counts[here & right].sum()), elsewhere
            )
        asked = ask(tally)
        bounds = MissingBounds.of(tally, blank, asked, several=any(gaps.several.values()))
        decisions: dict[str, Decision] = {"wrong": judge(Case(tally)).decision}
        if gaps.answered is not None:
            with contextlib.suppress(
                OptionError, CostError
            ):  # a class asked about is only in rows that would be left out
                decisions["drop"] = judge(Case(gaps.answered)).decision
        return cls(tally.n, dict(gaps.answers), others, asked.title, bounds, decisions, knows_truth(tally))

    @property
    def caution(self) -> str | None:
        """Say that the choice between wrong and drop decides, if it does."""
        if len(set(self.decisions.values())) < 2:
            return None
        words = {name: decision.replace("_", " ") for name, decision in self.decisions.items()}
        return (
            f'Missing answers decide this verdict: "{words["drop"]}" if their rows are left out (--missing drop), '
            f'"{words["wrong"]}" if they count as wrong (--missing wrong). Complete the answers before you decide.'
        )

    def sentences(self) -> Iterator[str]:
        """Say whose answers are missing, how the other does there, and how far the difference could move."""
        by_labels = "By the labels, t" if self.truth_known else "T"
        for side, n in self.answers.items():
            if not n:
                continue
            other = self.others[side]
            name = "candidate" if side == "incumbent" else "incumbent"
            them = "them" if other.n == n else f"the {other.n:,} of them that it answers"
            there = (
                f" {by_labels}he {name} is right on {100 * other.accuracy:.1f} % of {them} ({other.right:,} of {other.n:,}), and on "
                f"{100 * other.elsewhere:.1f} % of the rows that both answer."
                if other.n
                else ""
            )
            yield f"The {side} leaves {n:,} of {self.total:,} rows unanswered ({100 * n / self.total:.1f} %).{there}"
        yield self._bounds_words()

    def _bounds_words(self) -> str:
        bounds, against = self.bounds, " against the labels" if self.truth_known else ""
        difference = f"difference of {self.measure}{against}"
        if np.isnan([bounds.low, bounds.high]).any():
            reason = bounds.undefined or "it has no value, whatever they are"
            return f"No bounds for what the missing answers could do to the {difference}: {reason}."
        wrong, turned = "", ""
        if bounds.by_right:
            wrong, turned = (
                " (the candidate's missing answers all wrong, the incumbent's all right)",
                " (the other way round)",
            )
        outer = "" if bounds.sharp else " It may be unable to go that far: these bounds are made class by class."
        return (
            f"Whatever the missing answers are, the {difference} on all {self.total:,} rows lies between {bounds.low:+.4f}"
            f"{wrong} and {bounds.high:+.4f}{turned}.{outer}"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "other_on_missing": {side: first.to_dict() for side, first in self.others.items()},
            "bounds": [finite_or_none(self.bounds.low), finite_or_none(self.bounds.high)],
            "bounds_sharp": None if self.bounds.undefined else self.bounds.sharp,
            "bounds_undefined": self.bounds.undefined,
            "verdicts": dict(self.decisions),
        }


def missing_words(gaps: Gaps) -> Iterator[str]:
    """Say how many labels and predictions of an evaluation are missing, and what that could do to the accuracy."""
    if gaps.labels:
        rows = "1 row has" if gaps.labels == 1 else f"{gaps.labels:,} rows have"
        yield f"{rows} no label and cannot be judged: left out."
    truth_known = gaps.whole is not None and "true" in gaps.whole.axes
    unanswered = UnansweredRows.of(gaps, against="true" if truth_known else "label")
    if unanswered is None:
        return
    accuracy = "the accuracy against the true classes" if truth_known else "the accuracy"
    n, share = unanswered.n, 100 * unanswered.n / unanswered.total
    rows = f"{n:,} of {unanswered.total:,} rows ({share:.1f} %) {'has' if n == 1 else 'have'} no prediction"
    least, most = f"{unanswered.if_wrong:.4f}", f"{unanswered.if_right:.4f}"
    if gaps.policy.missing == "drop":
        yield f"{rows} and {'was' if n == 1 else 'were'} left out. If every missing answer is wrong, {accuracy} is {least}; if every one is right, {most}."
    else:
        without = "undefined" if np.isnan(unanswered.without) else f"{unanswered.without:.4f}"
        yield f"{rows}: each counts as wrong, but as no prediction of any class, so precision ignores it. If every missing answer is right, {accuracy} is {most}; without these rows, {without}."


def others_words(gaps: Gaps) -> Iterator[str]:
    """Say which answers are no class, whose they are, and how they count."""
    treated = {
        "wrong": "Each counts as a wrong answer; averages are over the classes of the labels (--others class makes "
        "them classes, as scikit-learn does).",
        "class": "Each is a class of its own here, as for scikit-learn: averages over classes count it, with a "
        "precision and F1 of 0 and no recall.",
        "missing": "They are treated as missing answers.",
    }[gaps.policy.others]
    in_pair = treated
    if gaps.policy.others == "class":
        in_pair = (
            "Each is a class of its own here: averages over classes count it if both classifiers have a value there."
        )
    for axis in dict.fromkeys(axis for axis, _, _ in gaps.others):
        mine = sorted(((name, n) for side, name, n in gaps.others if side == axis), key=lambda one: -one[1])
        n = sum(size for _, size in mine)
        listed = first_names([f"{name!r} ({size:,})" for name, size in mine], SHOWN, write=str)
        whose = "prediction" if axis == "prediction" else f"answer of the {axis}"
        what = (
            f"1 {whose} is"
            if n == 1
            else f"{n:,} {whose.replace(' of', 's of') if ' of' in whose else whose + 's'} are"
        )
        yield f"{what} no class of the labels: {listed}. {treated if axis == 'prediction' else in_pair}"


def with_caution(verdict: "Verdict", unanswered: UnansweredInPair | None) -> "Verdict":
    """Put a caution in the verdict if missing answers decide it."""
    caution = unanswered.caution if unanswered else None
    return verdict if caution is None else replace(verdict, warnings=(caution, *verdict.warnings))
