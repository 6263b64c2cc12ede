"""The three conditions of a test that can be trusted, as checks with a code, a state, a sentence and a remedy.

A test must be (i) disjoint from training, (ii) large enough, (iii) representative; and it should be documented.
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

TITLES: dict[str, tuple[Condition, str]] = {
    "JU001": ("disjoint", "test rows that stand in the training rows"),
    "JU002": ("disjoint", "the same but for how they are written"),
    "JU003": ("disjoint", "texts that are nearly the same"),
    "JU004": ("disjoint", "rows repeated within the test"),
    "JU005": ("disjoint", "the same id on both sides"),
    "JU006": ("disjoint", "the same group on both sides"),
    "JU007": ("disjoint", "the same annotator on both sides"),
    "JU008": ("disjoint", "the annotator's name helps a model"),
    "JU009": ("disjoint", "the annotator can be told from the features"),
    "JU010": ("disjoint", "what is lost with annotators a model has not seen"),
    "JU101": ("large enough", "precision of the accuracy"),
    "JU102": ("large enough", "precision for the smallest class"),
    "JU103": ("large enough", "the smallest difference it can detect"),
    "JU201": ("representative", "share of each class"),
    "JU202": ("representative", "share of each slice"),
    "JU203": ("representative", "values that training never saw"),
    "JU204": ("representative", "values of the population that the test lacks"),
    "JU205": ("representative", "time order"),
    "JU301": ("documented", "how the rows were collected"),
    "JU302": ("documented", "instructions to annotators"),
    "JU303": ("documented", "legal and ethical questions"),
    "JU304": ("documented", "who the annotators are"),
    "JU305": ("documented", "what the test is to represent"),
    "JU306": ("documented", "the form of wrong labels"),
}


@dataclass(frozen=True)
class Check:
    """What one check found; `about` names the column where a check is made for several.

    `rows` are all test rows (from 0) that it speaks of. They are not written to the JSON, which has examples.
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
    """Say what a check would need.

    >>> not_checked("JU001", "the training rows (--train)").sentence
    'Not checked: it needs the training rows (--train).'
    """
    return Check(code, "not checked", f"Not checked: it needs {needed}.", f"Give {needed}.")


def not_applicable(code: str, why: str, about: str | None = None, **figures: Any) -> Check:
    """Say why a check has nothing to say about these rows."""
    return Check(code, "not applicable", why, about=about, figures=figures)


def percent(share: float) -> str:
    """Write a share as people do.

    >>> percent(0.0123), percent(0.00004)
    ('1.2 %', '0.004 %')
    """
    return f"{100 * share:.1f} %" if share >= 0.001 or share == 0 else f"{100 * share:.1g} %"
