"""Whether a reference errs independently of the classifiers it judges: what was tested, and the result."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.results import TestResult, finite_or_none
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.significance import title_of_test
from justesse.significance.agreement_fit import agreement_fit
from justesse.significance.reference_independence import reference_independence

By = Literal["agreement", "labels"]


@dataclass(frozen=True)
class Independence:
    """The tests that were possible, each by what it looks at: the agreement of four or more, or labelled rows."""

    tests: tuple[tuple[By, TestResult], ...]
    level: float

    @property
    def tested(self) -> bool:
        """Whether any test has a p-value."""
        return any(result.undefined is None for _, result in self.tests)

    @property
    def rejected(self) -> bool:
        """Whether a test shows dependence; with two tests, each at half the rate."""
        pvalues = [result.pvalue for _, result in self.tests if result.undefined is None]
        return bool(pvalues) and min(pvalues) <= (1 - self.level) / len(pvalues)

    def sentences(self) -> list[Text]:
        """Write the result of each test."""
        lines: list[Text] = []
        for by, result in self.tests:
            if result.undefined is not None:
                lines.append(
                    message(
                        "{test:capital}: not possible, {why}.", test=title_of_test(result.test), why=result.undefined
                    )
                )
                continue
            template = "{test:capital}, four or more classifiers: {p:p}."
            if by == "labels":
                template = "{test:capital}, on {n:count labelled row} where the two differ: {p:p}."
            lines.append(message(template, test=title_of_test(result.test), p=result.pvalue, n=int(result.n)))
        return lines

    def to_dict(self) -> dict[str, Any]:
        return {
            "tested": self.tested,
            "rejected": self.rejected if self.tested else None,
            "tests": [
                {
                    "by": by,
                    "test": result.test,
                    "statistic": finite_or_none(result.statistic),
                    "pvalue": finite_or_none(result.pvalue),
                    "n": int(result.n),
                    "undefined": result.undefined,
                }
                for by, result in self.tests
            ],
        }


def independence_of_errors(
    patterns: AnswerPatterns, labelled: AnswerPatterns | None, level: float, coincidence: float | None = None
) -> Independence:
    """Test what can be tested: incumbent and candidate come first, then the reference that judges, then others.

    >>> patterns = AnswerPatterns.of(["old", "new", "ref"], [("x", "y", "y"), ("x", "x", "y"), ("y", "y", "y")])
    >>> independence_of_errors(patterns, None, 0.95).tested
    False
    """
    tests: list[tuple[By, TestResult]] = []
    if patterns.size > 3:
        tests.append(("agreement", agreement_fit(patterns, coincidence=coincidence)))
    if labelled is not None:
        tests.append(("labels", _by_labels(labelled)))
    return Independence(tuple(tests), level)


def _by_labels(labelled: AnswerPatterns) -> TestResult:
    """Count the labelled rows where the first two differ, by who is right and whose answer the third gives."""
    old, new, reference, label = (labelled.codes[:, at] for at in (0, 1, 2, -1))
    apart = old != new

    def rows(right: Any, first: Any, other: Any) -> list[int]:
        sides = (reference == first, (reference != first) & (reference != other), reference == other)
        return [int(labelled.counts[apart & right & side].sum()) for side in sides]

    neither = (old != label) & (new != label)
    return reference_independence(
        rows(np.asarray(new == label), new, old), rows(np.asarray(old == label), old, new), rows(neither, new, old)
    )
