"""What a filter of labels is: its name, what it needs, its options, and the function that looks at the rows."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
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
    """

    name: str
    title: str
    summary: str
    needs: tuple[Need, ...]
    look: Callable[..., Suspicion]
    reference: str
    errs_when: str

    @property
    def options(self) -> dict[str, Any]:
        """Options of its function, with their defaults."""
        parameters = list(inspect.signature(self.look).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    def __call__(self, evidence: LabelEvidence, **options: Any) -> Suspicion:
        """Look at the rows; refuse if something that the filter needs is missing, or an option is unknown."""
        if missing := evidence.missing(self.needs):
            raise OptionError(f"The filter {self.name} needs {' and '.join(WORDS[need] for need in missing)}.")
        if unknown := [name for name in options if name not in self.options]:
            known = ", ".join(self.options) or "none"
            raise OptionError(f"The filter {self.name} has no option {unknown[0]}. Its options: {known}.")
        return self.look(evidence, **options)
