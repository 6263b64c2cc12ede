"""What to do about missing values, in the options that a command has."""

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


@contextmanager
def bound_advice() -> Iterator[None]:
    """Add to advice about missing labels that figures can be bounded over them.

    >>> try:
    ...     with bound_advice():
    ...         raise MissingValueError(f"Missing values: 1 in 'label'. {LABELS_ADVICE}")
    ... except MissingValueError as error:
    ...     print(str(error)[-113:])
    Or bound the figures over all labels that they could have, with missing_labels='bound' (--missing-labels bound).
    """
    try:
        yield
    except MissingValueError as error:
        if LABELS_ADVICE not in str(error):
            raise
        raise MissingValueError(
            f"{error} Or bound the figures over all labels that they could have, with missing_labels='bound' "
            "(--missing-labels bound)."
        ) from error
