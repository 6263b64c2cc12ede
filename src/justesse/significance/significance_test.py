"""What a significance test knows of itself."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from justesse.core.results import Alternative

if TYPE_CHECKING:
    from justesse.core.results import TestResult
    from justesse.significance.fold_pair import FoldPair

Needs = Literal[
    "rows only one classifier gets right",
    "rows of each cluster only one classifier gets right",
    "counts of label, incumbent and candidate",
    "counts of label, incumbent, candidate and cluster",
    "scores of both classifiers",
    "scores of both classifiers and the cluster of each row",
    "fold scores of one classifier",
    "fold scores of both classifiers",
    "five repetitions of two folds",
    "scores of several classifiers",
    "mean ranks",
    "answers of four or more classifiers",
    "labelled rows on which two classifiers differ",
    "events of each variant over time",
    "confidences of a labelled reference and of labelled rows of a target",
    "verdicts of a judge and ratings of people",
]
EVERY: tuple[Alternative, ...] = get_args(Alternative)
TWO_SIDED: tuple[Alternative, ...] = ("two-sided",)


@dataclass(frozen=True)
class SignificanceTest:
    """A test: its names, what it needs, and the function that computes it.

    The function is in the file of its name and loads when it is first used, so that describing a test loads nothing. A
    test that `compare-folds` offers (`option`) also has a function `over_folds(pair)` there.

    Parameters
    ----------
    function
        Name of the function, and of its file.
    titles
        The names its results bear (in JSON), each with the name in words.
    needs
        The input it takes.
    null
        The hypothesis it tests.
    reference
        Who published it.
    alternatives
        The alternatives it supports.
    option
        Name by which `compare-folds --test` chooses it. Default: it cannot be chosen there.
    decides
        Whether its own interval of the difference decides in `compare-folds`.
    """

    function: str
    titles: Mapping[str, str]
    needs: Needs
    null: str
    reference: str
    alternatives: tuple[Alternative, ...] = EVERY
    option: str = ""
    decides: bool = False

    @property
    def name(self) -> str:
        """The name its results bear by default."""
        return next(iter(self.titles))

    @property
    def title(self) -> str:
        """That name in words."""
        return self.titles[self.name]

    @property
    def compute(self) -> Callable[..., Any]:
        """The function that computes it."""
        compute: Callable[..., Any] = getattr(self._file, self.function)
        return compute

    def over_folds(self, pair: "FoldPair") -> "TestResult":
        """Compare two classifiers by their scores on the same folds."""
        result: TestResult = self._file.over_folds(pair)
        return result

    @property
    def _file(self) -> Any:
        return importlib.import_module(f"justesse.significance.{self.function}")
