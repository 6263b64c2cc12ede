"""Commands that need a label and a prediction in every row say so, and name no option that they lack."""

from collections.abc import Iterator
from contextlib import contextmanager

from justesse.core.errors import MissingValueError
from justesse.frames.count_checks import ANSWERS_ADVICE, LABELS_ADVICE


@contextmanager
def complete_rows() -> Iterator[None]:
    """Replace advice about missing values that names options of other commands.

    >>> try:
    ...     with complete_rows():
    ...         raise MissingValueError(f"Missing values: 1 in 'label'. {LABELS_ADVICE}")
    ... except MissingValueError as error:
    ...     print(error)
    Missing values: 1 in 'label'. Fill them in, or remove these rows.
    """
    try:
        yield
    except MissingValueError as error:
        text = str(error)
        for advice in (ANSWERS_ADVICE, LABELS_ADVICE):
            text = text.replace(f" {advice}", "")
        raise MissingValueError(f"{text} Fill them in, or remove these rows.") from error
