"""Numbers and what they count, as messages write them."""


def quantity(number: int, noun: str) -> str:
    """Write a number and its noun, in the plural unless the number is 1.

    >>> quantity(1, "row"), quantity(1200, "row"), quantity(0, "row")
    ('1 row', '1,200 rows', '0 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
