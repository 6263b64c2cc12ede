"""A change of the policy that would turn a ranking, in words."""

from justesse.report.writing import Message, message


def change_words(period: str, factor: float, better: str) -> Message:
    """Say how much more or less a period would have to weigh for the other system to be preferred.

    >>> str(change_words("2024-Q4", 1.4, "B")), str(change_words("2024-Q1", 0.25, "A"))
    ('Weighting period 2024-Q4 1.40 times as much would prefer B.', 'Weighting period 2024-Q1 4.00 times less would prefer A.')
    """
    more = "Weighting period {period} {factor:ratio} times as much would prefer {better}."
    less = "Weighting period {period} {factor:ratio} times less would prefer {better}."
    return message(more if factor >= 1 else less, period=period, factor=max(factor, 1 / factor), better=better)
