"""What is done with rows that lack a label or an answer, and with answers that are no class."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np

from justesse.core.choices import Missing as Missing
from justesse.core.choices import MissingLabels as MissingLabels
from justesse.core.choices import Others as Others
from justesse.core.errors import MissingValueError, OptionError
from justesse.core.levels import ANSWER_AXES, CLASS_AXES, identity, merged
from justesse.core.results import ClassName
from justesse.core.tally import Tally


@dataclass(frozen=True)
class AnswerPolicy:
    """How to treat missing answers, missing labels, and answers outside the classes of the labels.

    Parameters
    ----------
    missing
        A row without an answer: `refuse` the data, count it as a `wrong` answer, or `drop` the row.
    missing_labels
        A row without a label cannot be judged: `refuse` the data or `drop` the row. Default: `drop` if missing
        answers are dropped, else `refuse`.
    others
        An answer that no label has: a `wrong` answer, a `class` of its own, or a `missing` answer.
    any_of
        What separates the classes of a label that accepts several, such as `|`. Default: a label is one class.

    >>> AnswerPolicy("wrong").drops_labels, AnswerPolicy("drop").drops_labels
    (False, True)
    """

    missing: Missing = "refuse"
    missing_labels: MissingLabels | None = None
    others: Others = "wrong"
    any_of: str | None = None

    def __post_init__(self) -> None:
        for name, choices, value in (
            ("missing", Missing, self.missing),
            ("missing_labels", MissingLabels, self.missing_labels or "refuse"),
            ("others", Others, self.others),
        ):
            if value not in get_args(choices):
                raise OptionError(f"{name} must be one of {', '.join(get_args(choices))}; got {value!r}.")
        if self.any_of is not None and not self.any_of.strip():
            raise OptionError(
                f"any_of must be the text between the classes of a label, such as '|'; got {self.any_of!r}."
            )

    @classmethod
    def of(
        cls,
        missing: Missing | None = None,
        missing_labels: MissingLabels | None = None,
        others: Others = "wrong",
        *,
        drop_missing: bool = False,
        any_of: str | None = None,
    ) -> "AnswerPolicy":
        """Build a policy from a verb's options; `drop_missing` is the old name of `missing="drop"`.

        >>> AnswerPolicy.of(drop_missing=True).missing
        'drop'
        """
        if drop_missing and missing not in (None, "drop"):
            raise OptionError(
                f"drop_missing means missing='drop' (--missing drop), but missing is {missing!r}. Use only one of them."
            )
        return cls("drop" if drop_missing else missing or "refuse", missing_labels, others, any_of)

    @property
    def drops_labels(self) -> bool:
        return (self.missing_labels or ("drop" if self.missing == "drop" else "refuse")) == "drop"


REFUSE = AnswerPolicy()


@dataclass(frozen=True)
class Gaps:
    """Rows without a label or an answer, and answers outside the classes, as counted.

    `labels` are rows without a label or true class, always left out. `answers` says how many other rows lack an answer,
    by the axis it is missing on. `others` lists answers outside the classes: axis, answer, rows. `dropped` is how many
    rows were left out in all. If some answer is missing, `whole` counts every row with a label, a missing answer as
    `None`, and `answered` the rows with all answers. `several` is how many labels and true classes accept several
    classes, by axis, and `accepted` how many rows accept each class (their weight, if rows are weighted).
    """

    policy: AnswerPolicy = REFUSE
    labels: int = 0
    answers: Mapping[str, int] = field(default_factory=dict)
    others: tuple[tuple[str, ClassName, int], ...] = ()
    dropped: int = 0
    whole: Tally | None = None
    answered: Tally | None = None
    several: Mapping[str, int] = field(default_factory=dict)
    accepted: Mapping[str, Mapping[ClassName, float]] = field(default_factory=dict)

    def missing_dict(self) -> dict[str, Any]:
        """Give the part of the JSON about missing values."""
        return {
            "policy": self.policy.missing,
            "labels": self.labels,
            "answers": dict(self.answers),
        }

    def others_dict(self) -> dict[str, Any]:
        """Give the part of the JSON about answers outside the classes."""
        return {
            "policy": self.policy.others,
            "n": sum(n for _, _, n in self.others),
            "answers": [[axis, name, n] for axis, name, n in self.others],
        }


NO_GAPS = Gaps()


def outside_labels(tally: Tally) -> tuple[ClassName, ...]:
    """List the answers of a tally that no label and no true class is.

    >>> outside_labels(Tally.of(("label", "prediction"), [("a", "a", 3), ("b", "x", 1), ("b", "b", 2)]))
    ('x',)
    """
    labels = {code for axis in tally.axes if axis in CLASS_AXES - ANSWER_AXES for code in _codes(tally, axis)}
    answers = {code for axis in tally.axes if axis in ANSWER_AXES for code in _codes(tally, axis)}
    return tuple(tally.classes[code] for code in sorted(answers - labels))


def _codes(tally: Tally, axis: str) -> list[int]:
    return np.unique(tally.codes[:, tally.axis(axis)]).tolist()  # type: ignore[no-any-return]


def judged_by(tally: Tally, policy: AnswerPolicy) -> tuple[Tally, Gaps]:
    """Apply a policy to rows that are already counted.

    A tally that was counted with other answers set apart keeps them; otherwise they are those that no label is.

    >>> table = Tally.of(("label", "prediction"), [("a", "a", 3), ("b", "x", 1), ("b", "b", 2)])
    >>> result, gaps = judged_by(table, AnswerPolicy())
    >>> result.others, gaps.others
    (('x',), (('prediction', 'x', 1),))
    >>> judged_by(table, AnswerPolicy(others="class"))[0].others
    ()
    """
    if policy.any_of is not None:
        raise OptionError(
            "any_of splits labels while rows are counted, and a Tally is already counted. Pass the rows instead."
        )
    others = tally.others if any(name is not None for name in tally.others) else outside_labels(tally)
    strays = tuple(
        (axis, name, int(n))
        for axis in tally.axes
        if axis in ANSWER_AXES
        for name, n in zip(tally.classes, tally.sums(axis, tally.counts).tolist(), strict=True)
        if n and name is not None and identity(name) in {identity(other) for other in others}
    )
    if policy.others == "class":
        others = tuple(name for name in others if name is None)
    result = replace(tally, others=others)
    blank = _blank(result, with_others=policy.others == "missing")
    answers = {axis: int(result.counts[blank[axis]].sum()) for axis in result.axes if axis in ANSWER_AXES}
    gone = np.any([np.zeros(len(result.counts), dtype=bool), *blank.values()], axis=0)
    if gone.any() and policy.missing == "refuse" and policy.others == "missing":
        listed = ", ".join(f"{name!r} ({n:,})" for _, name, n in strays[:5])
        raise MissingValueError(
            f"Answers that are not among the labels count as missing: {listed}. Count them as wrong with "
            "missing='wrong' (--missing wrong), or leave those rows out with missing='drop' (--missing drop)."
        )
    if not gone.any():
        return result, Gaps(policy, 0, answers, strays)
    if gone.all() and policy.missing == "drop":
        raise MissingValueError("No row has an answer, so there is nothing to count. Check the column of predictions.")
    kept = replace(
        result,
        codes=result.codes[~gone],
        counts=result.counts[~gone],
        weights=None if result.weights is None else result.weights[~gone],
        squares=None if result.squares is None else result.squares[~gone],
    )
    if policy.others != "class":
        kept = replace(kept, others=merged(others, outside_labels(kept)))
    dropped = int(result.counts[gone].sum()) if policy.missing == "drop" else 0
    gaps = Gaps(policy, 0, answers, strays, dropped, result, None if gone.all() else kept)
    return (kept if policy.missing == "drop" else result), gaps


def _blank(tally: Tally, *, with_others: bool) -> dict[str, Any]:
    """Mark the cells without an answer on each axis; with `with_others`, also those with one outside the classes."""
    names = [name for name in tally.others if name is None or with_others]
    codes = [code for code, name in enumerate(tally.classes) if any(identity(name) == identity(x) for x in names)]
    return {axis: np.isin(tally.codes[:, tally.axis(axis)], codes) for axis in tally.axes if axis in ANSWER_AXES}
