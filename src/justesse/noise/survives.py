"""How many wrong labels something survives, written the same way everywhere."""

from justesse.core.shares import percent_of


def survives(breaking: int, n: int) -> str:
    """Write the largest number of wrong labels that cannot overturn a claim, a sign or a verdict.

    Parameters
    ----------
    breaking
        Smallest number of wrong labels that could overturn it.
    n
        Number of rows.

    >>> survives(4, 228), survives(1, 228)
    ('survives up to 1.3 % wrong labels (3 of 228)', 'survives no wrong label (0 of 228)')
    """
    rows = breaking - 1
    if rows <= 0:
        return f"survives no wrong label (0 of {n:,})"
    return f"survives up to {percent_of(rows, n)} wrong labels ({rows:,} of {n:,})"


def survived(breaking: int, n: int) -> str:
    """Write the same in short, for a column of wrong labels survived.

    >>> survived(4, 228), survived(1, 228)
    ('1.3 % (3 of 228)', '0 % (0 of 228)')
    """
    rows = max(breaking - 1, 0)
    return f"{percent_of(rows, n)} ({rows:,} of {n:,})"
