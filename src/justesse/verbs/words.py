"""Shares in words that cannot be misread."""


def percent(share: float, n: float) -> str:
    """Show a share with the digits n rows can carry.

    >>> percent(0.93333, 30), percent(0.93333, 5000)
    ('93 %', '93.3 %')
    """
    return f"{100 * share:.{0 if n < 100 else 1 if n < 100_000 else 2}f} %"
