"""What a filter of labels is: its name, what it needs, its options, and the function that looks at the rows."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from justesse.cleaning.evidence import WORDS, LabelEvidence, Need
from justesse.cleaning.suspicion import Suspicion
from justesse.core.errors import OptionError


@dataclass(frozen=True)
class Filter:
    """One way to find wrong labels.

    Parameters
    ----------
    name
        Its name in options, such as "confident-learning".
    title
        Its name in words.
    summary
        What it flags, in a sentence.
    needs
        What it looks at besides the labels.
    look
        Function of the evidence, with the options as keywords.
    reference
        Who published it.
    errs_when
        When it is wrong to use, in a sentence.
    settings
        Its options: name → what it means. Defaults are those of `look`.
    """

    name: str
    title: str
    summary: str
    needs: tuple[Need, ...]
    look: Callable[..., Suspicion]
    reference: str
    errs_when: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        """Options of its function, with their defaults."""
        parameters = list(inspect.signature(self.look).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    def __call__(self, evidence: LabelEvidence, **options: Any) -> Suspicion:
        """Look at the rows; refuse if something that the filter needs is missing, or an option is unknown."""
        if missing := evidence.missing(self.needs):
            raise OptionError(f"The filter {self.name} needs {' and '.join(WORDS[need] for need in missing)}.")
        for name, value in options.items():
            self.check_option(name)
            _check_kind(self.name, name, value, self.options[name])
        return self.look(evidence, **options)

    def check_option(self, name: str) -> None:
        """Refuse an option that the filter does not have."""
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            raise OptionError(f"The filter {self.name} has no option {name}. Its options: {known}.")


def _check_kind(filter_name: str, name: str, value: Any, default: Any) -> None:
    """Refuse an option of another kind than its default: a word, a whole number, or a finite number.

    >>> _check_kind("edited-neighbours", "neighbours", 2.5, 3)
    Traceback (most recent call last):
    justesse.core.errors.OptionError: neighbours of edited-neighbours must be a whole number, such as 3; got 2.5.
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(default, str):
        fits, kind = isinstance(value, str), "a word"
    elif isinstance(default, int):
        fits, kind = number and isinstance(value, int), "a whole number"
    else:
        fits, kind = number and math.isfinite(value), "a number"
    if not fits:
        raise OptionError(f"{name} of {filter_name} must be {kind}, such as {default}; got {value!r}.")
