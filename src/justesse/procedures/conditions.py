"""The conditions of a trustworthy test set, as checks with a code, a state, a sentence and a remedy.

A test set must be (i) disjoint from training, (ii) large enough, (iii) representative; and it should be documented.
Witten et al. (2016); Benjelloun (2021), 2.3.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Condition = Literal["disjoint", "large enough", "representative", "documented"]
State = Literal["passed", "failed", "not applicable", "not checked"]
STATES: tuple[State, ...] = ("failed", "passed", "not checked", "not applicable")

# what each check requires, so that a list of passed checks reads as it should
TITLES: dict[str, tuple[Condition, str]] = {
    "JU001": ("disjoint", "no test row is in the training rows"),
    "JU002": ("disjoint", "no test row is in the training rows after normalising"),
    "JU003": ("disjoint", "no text is a near duplicate of a training text"),
    "JU004": ("disjoint", "no duplicate rows within the test set"),
    "JU005": ("disjoint", "no id is in both sets"),
    "JU006": ("disjoint", "no group is in both sets"),
    "JU007": ("disjoint", "no annotator is in both sets"),
    "JU008": ("disjoint", "the annotator's name does not improve a model"),
    "JU009": ("disjoint", "the annotator is not predictable from the features"),
    "JU010": ("disjoint", "no accuracy is lost on unseen annotators"),
    "JU101": ("large enough", "the accuracy is precise enough"),
    "JU102": ("large enough", "the recall of the smallest class is precise enough"),
    "JU103": ("large enough", "the smallest difference that matters can be detected"),
    "JU201": ("representative", "class shares as in the population"),
    "JU202": ("representative", "slice shares as in the population"),
    "JU203": ("representative", "all values occur in training"),
    "JU204": ("representative", "all values of the population occur in the test set"),
    "JU205": ("representative", "test rows are later than training rows"),
    "JU301": ("documented", "the collection of the rows is documented"),
    "JU302": ("documented", "the instructions to annotators are documented"),
    "JU303": ("documented", "legal and ethical questions are documented"),
    "JU304": ("documented", "the profiles of the annotators are documented"),
    "JU305": ("documented", "what the test set represents is documented"),
    "JU306": ("documented", "the kind of wrong labels is documented"),
}
LEAKS = ("JU001", "JU002", "JU003")  # the checks that look for training rows in the test set
COPIES = (*LEAKS, "JU004")  # the checks that look for copied rows


@dataclass(frozen=True)
class Check:
    """The outcome of one check; `about` names the column if the check is made for several.

    `rows` are all test rows (from 0) it is about. They are not in the JSON, which has examples.
    """

    code: str
    state: State
    sentence: str
    remedy: str = ""
    about: str | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    rows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), repr=False, compare=False)

    @property
    def condition(self) -> Condition:
        return TITLES[self.code][0]

    @property
    def title(self) -> str:
        return TITLES[self.code][1] + (f": {self.about}" if self.about else "")

    def to_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "condition": self.condition,
            "title": self.title,
            "about": self.about,
            "state": self.state,
            "sentence": self.sentence,
            "remedy": self.remedy,
            "figures": dict(self.figures),
        }


def not_checked(code: str, needed: str) -> Check:
    """Return a check that was skipped, with the input it needs.

    >>> not_checked("JU001", "the training rows (--train)").sentence
    'Skipped: needs the training rows (--train).'
    """
    return Check(code, "not checked", f"Skipped: needs {needed}.", f"Give {needed}.")


def not_applicable(code: str, why: str, about: str | None = None, **figures: Any) -> Check:
    """Return a check that does not apply to these rows, with the reason."""
    return Check(code, "not applicable", why, about=about, figures=figures)


def percent(share: float) -> str:
    """Write a share in per cent.

    >>> percent(0.0123), percent(0.00004)
    ('1.2 %', '0.004 %')
    """
    return f"{100 * share:.1f} %" if share >= 0.001 or share == 0 else f"{100 * share:.1g} %"


def pvalue_words(p: float) -> str:
    """Write a p-value as in a sentence.

    >>> pvalue_words(0.0123), pvalue_words(1e-9)
    ('p = 0.0123', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
