"""The note of a table that shows only the most frequent of many."""

from justesse.report.writing import Message, message


def most_frequent(shown: int, total: int) -> Message | str:
    """Say how many there are, if not all are shown.

    >>> str(most_frequent(20, 24)), most_frequent(7, 7)
    ('The 20 most frequent of 24.', '')
    """
    return (
        message("The {shown:count} most frequent of {total:count}.", shown=shown, total=total) if shown < total else ""
    )
